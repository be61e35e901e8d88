"""What two tables argue about."""

from itertools import pairwise

import pytest

from referee.rules.profiles import Profile, load_profile, preset_names
from referee.rules.profiles.differences import differences
from referee.rules.profiles.documents import cite
from referee.rules.profiles.relevance import comes_up


def quarrel(left: str, right: str) -> dict[str, str]:
    return {d.option: d.sentence for d in differences(load_profile(left), load_profile(right))}


def test_seed_three_against_seed_four() -> None:
    said = quarrel("seed-003", "seed-004")
    assert said["turn.draw"] == "When you can't play: seed-003 draws one card; seed-004 keeps drawing until one fits."
    assert said["uno.penalty"] == "A missed call that is caught: seed-003 costs 2 cards; seed-004 costs 4 cards."
    assert said["match.symbol"].startswith("A Skip on a Skip of another colour: seed-003 allows it")
    assert {"setup.dealer_rotation", "start_card.reverse", "wild.may_keep_colour", "score.to"} <= said.keys()
    assert "turn.may_decline" not in said, "both allow it"
    assert "wild_draw_four.hand_shown_to" not in said, "seed-004 knows no challenge: nobody argues who sees the hand"
    assert "start_card.wild_swap_hands" not in said, "neither box holds that card"


def test_both_sides_name_their_lines() -> None:
    found = {d.option: d for d in differences(load_profile("seed-003"), load_profile("seed-004"))}
    draw = found["turn.draw"]
    assert [(c.file, c.line) for c in draw.left.sources] == [("003_b63de3a210e9baaa.txt", 31)]
    assert [(c.short, c.line) for c in draw.right.sources] == [("4:14", 14), ("4:15", 15)]
    assert draw.topic == "A turn"


@pytest.mark.parametrize("name", preset_names())
def test_a_table_never_argues_with_itself(name: str) -> None:
    assert quarrel(name, name) == {}


@pytest.mark.parametrize(("left", "right"), list(pairwise(preset_names())))
def test_a_quarrel_has_two_sides(left: str, right: str) -> None:
    there, back = quarrel(left, right), quarrel(right, left)
    assert there.keys() == back.keys()
    for sentence in there.values():
        first, _, second = sentence.rpartition("; ")
        assert first.rpartition(f"{left} ")[2] != second.removeprefix(f"{right} ").removesuffix("."), sentence


def test_of_a_table_of_values_only_the_difference_is_told() -> None:
    ours = Profile(name="ours")
    theirs = Profile(name="theirs").changed({"score.values": ours.score.values.__class__(skip=30, wild=40)})
    (only,) = differences(ours, theirs)
    assert only.sentence == (
        "What a card is worth: ours counts 20 for a Skip, 50 for a Wild; theirs counts 30 for a Skip, 40 for a Wild."
    )


@pytest.mark.parametrize(
    ("option", "profile", "matters"),
    [
        ("start_card.wild_swap_hands", "seed-000", True),
        ("start_card.wild_swap_hands", "seed-001", False),
        ("start_card.wild_shuffle_hands", "seed-001", True),
        ("wild_draw_four.innocent", "seed-003", True),
        ("wild_draw_four.innocent", "seed-004", False),
        ("score.target", "mattel-2022", False),
        ("partners.seats", "partners", True),
        ("partners.seats", "two-player", False),
        ("two_player.reverse_is_skip", "partners", False),
        ("uno.after_hand_change", "classic-108", False),
        ("uno.after_hand_change", "party", True),
    ],
)
def test_which_questions_come_up(option: str, profile: str, matters: bool) -> None:
    assert comes_up(option, load_profile(profile)) is matters


@pytest.mark.parametrize(
    ("source", "short", "words"),
    [
        ("seed-001 1:38", "1:38", "line 38 of 001_4c358c5e47fc249e.txt"),
        ("O1", "O1", "Mattel's printed sheet of the 108-card box"),
        ("assumed", "assumed", "the document does not say"),
        ("assumed G06", "assumed G06", "no document says who plays after a guilty +4"),
        ("ours.toml:5", "ours.toml:5", "ours.toml:5"),
        ("this table", "this table", "this table"),
    ],
)
def test_where_a_source_leads(source: str, short: str, words: str) -> None:
    assert (cite(source).short, cite(source).words) == (short, words)
