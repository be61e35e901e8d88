"""The presets, row by row of the matrix: what each document says, and the line on which it says it."""

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from referee.rules.profiles import load_profile, preset_names
from referee.rules.profiles.documents import cite, seed_titles

PRESETS = {
    "seed-000", "seed-000-classic", "seed-000-elimination", "seed-001", "seed-001-old-start", "seed-001-low-score",
    "seed-003", "seed-003-short", "seed-004", "seed-004-wild-start", "seed-004-elimination", "classic-108",
    "four-card-penalty", "112-card", "mattel-2022", "mattel-2022-scored", "two-player", "partners", "party",
}  # fmt: skip
LINES_OF_FILE = {"seed-000": 76, "seed-001": 127, "seed-003": 83, "seed-004": 38}

# option: what seeds 0, 1, 3, 4 and the 108-card sheet do. Contradictions are named.
ROWS: dict[str, tuple[Any, Any, Any, Any, Any]] = {
    "deck.edition": ("swap_112", "shuffle_112", "classic_108", "classic_108", "classic_108"),  # C15
    "deck.hands_card": ("swap", "shuffle", "none", "none", "none"),  # C15
    "deck.customizable": (3, 3, 0, 0, 0),
    "deck.copies": (1,) * 5,  # G18
    "players.min": (2,) * 5,  # A3
    "players.max": (10,) * 5,  # A3
    "setup.hand_size": (7,) * 5,  # D1
    "setup.dealer_tie": ("redraw",) * 5,  # C3, G02
    "setup.first_player": ("left_of_dealer",) * 5,  # C5, D4, C03
    "setup.direction": ("clockwise",) * 5,  # D5
    "setup.dealer": ("highest_number", "highest_number", "highest_points", "highest_number", "highest_number"),
    "setup.dealer_action_card": ("zero", "zero", "points", "redraw", "zero"),  # C01
    "setup.dealer_rotation": ("clockwise", "clockwise", "clockwise", "fixed", "clockwise"),  # C02
    "start_card.skip": ("apply", "redraw", "apply", "ignore", "apply"),  # C04
    "start_card.reverse": ("dealer_plays", "redraw", "dealer_plays", "right_of_dealer_plays", "dealer_plays"),  # C05
    "start_card.draw_two": ("draw_and_skip", "redraw", "draw_and_skip", "ignore", "draw_and_skip"),  # C04
    "start_card.wild": (
        "first_player_names_colour", "redraw", "redraw", "redraw", "first_player_names_colour",
    ),  # C06
    "start_card.wild_draw_four": ("redraw", "redraw", "redraw", "redraw", "redraw"),  # C06
    "start_card.return_to": ("shuffle", "shuffle", "shuffle", "middle", "shuffle"),  # C06b
    "match.symbol": (True, True, True, False, True),  # C07
    "turn.may_decline": (True, True, True, True, True),  # F4
    "turn.draw": ("one", "one", "one", "until_playable", "one"),  # C08
    "turn.drawn_card": ("must_play", "may_play", "may_play", "must_play", "may_play"),  # C09
    "turn.hand_card_after_draw": ("forbidden",) * 5,  # F7
    "wild.may_keep_colour": (True, True, False, True, True),  # C10
    "reshuffle.keep_top": (False, True, True, True, True),  # C12
    "wild_draw_four.condition": (
        "no_current_colour", "no_current_colour", "no_current_colour", "no_colour_or_number", "no_current_colour",
    ),  # C13
    "wild_draw_four.enforcement": ("challenge", "challenge", "challenge", "forbidden", "challenge"),  # C14
    "wild_draw_four.challenge": ("next_player", "next_player", "next_player", "nobody", "next_player"),  # C14
    "wild_draw_four.hand_shown_to": ("challenger", "challenger", "table", "challenger", "challenger"),  # C14b
    "wild_draw_four.window": ("before_first_penalty_card",) * 5,  # H14, G07
    "wild_draw_four.guilty": (4,) * 5,  # H11
    "wild_draw_four.innocent": (6,) * 5,  # H12, G05
    "wild_draw_four.after_guilty": ("challenger_plays",) * 5,  # H13, G06
    "wild_draw_four.challenge_last": ("allowed",) * 5,  # K4, G13
    "uno.call_from": (  # C16
        "card_leaves_hand", "card_leaves_hand", "card_leaves_hand", "turn_begins", "turn_begins",
    ),
    "uno.window_closes": (
        "next_turn_over", "next_draws_or_lifts_card", "next_touches_pile", "next_plays_or_draws",
        "next_draws_or_lifts_card",
    ),  # C18
    "uno.catch_words": ("any", "any", "any", "uno", "any"),  # C17
    "uno.penalty": (2, 2, 2, 4, 2),  # C19
    "uno.referee_catches": (False,) * 5,  # J2
    "uno.self_correction": ("safe",) * 5,  # J6, G10
    "uno.after_hand_change": ("call_needed",) * 5,  # I4, G09
    "uno.false_call": (0,) * 5,  # J9, G11
    "uno.false_catch": (0,) * 5,  # J9, G11
    "finish.last_draw_applies": (True,) * 5,  # K2
    "finish.action_card": ("allowed",) * 5,  # K3
    "score.to": ("round_winner", "round_winner", "round_winner", "each_own_hand", "round_winner"),  # C11
    "score.winner": (
        "first_to_target", "first_to_target", "first_to_target", "lowest_when_target_hit", "first_to_target",
    ),  # C11
    "score.target": (500,) * 5,  # L6
    "score.reach": ("at_least",) * 5,  # L7, C20
    "score.elimination": ("none",) * 5,  # L10, C22
    "score.tie": ("extra_round",) * 5,  # L12, G15
    "two_player.reverse_is_skip": (True,) * 5,  # M1
    "partners.enabled": (False,) * 5,  # N1
    "finish.hands_card": ("plain_wild",) * 5,  # I3, G08
    "reshuffle.when_exhausted": ("draw_what_is_left",) * 5,  # G2, G03
    "start_card.wild_swap_hands": (
        "first_player_names_colour_and_swaps", "redraw", "redraw", "redraw", "redraw",
    ),  # E6
    "start_card.wild_customizable": ("first_player_names_colour", "redraw", "redraw", "redraw", "redraw"),  # E7
    "house.stacking": ("none",) * 5,  # H16
    "house.jump_in": ("none",) * 5,  # O5
    "house.seven_zero": ("none",) * 5,  # O4
    "speech.language": ("pt", "pt", "ro", "es", "en"),
}  # fmt: skip

# profile, option, value, where it is said: what variants and the other sheets change
VARIANTS = [
    ("seed-000", "start_card.wild_swap_hands", "first_player_names_colour_and_swaps", "seed-000 0:33"),
    ("seed-000", "start_card.wild_customizable", "first_player_names_colour", "seed-000 0:34"),
    ("seed-000", "finish.hands_card", "plain_wild", "seed-000 0:44"),
    ("seed-000-classic", "deck.edition", "classic_108", "seed-000 0:31"),
    ("seed-000-classic", "turn.drawn_card", "must_play", "seed-000 0:9"),
    ("seed-000-elimination", "score.elimination", "to_two_then_duel", "seed-000 0:66"),
    ("seed-001", "wild_draw_four.innocent", 6, "assumed G05"),
    ("seed-001-old-start", "start_card.reverse", "dealer_plays", "seed-001 1:24"),
    ("seed-001-old-start", "start_card.wild", "first_player_names_colour", "seed-001 1:24"),
    ("seed-001-old-start", "turn.draw", "one", "seed-001 1:38"),
    ("seed-001-low-score", "score.reach", "more_than", "seed-001 1:86"),
    ("seed-001-low-score", "score.winner", "lowest_when_target_hit", "seed-001 1:86"),
    ("seed-003-short", "score.target", 200, "seed-003 3:83"),
    ("seed-004-wild-start", "start_card.wild_draw_four", "first_player_names_colour", "seed-004 4:24"),
    ("seed-004-elimination", "score.elimination", "to_one", "seed-004 4:37"),
    ("seed-004-elimination", "uno.penalty", 4, "seed-004 4:27"),
    ("classic-108", "foul.remedy", "take_back_draw_two_lose_turn", "O1"),
    ("classic-108", "foul.advice_draws", 2, "O1"),
    ("four-card-penalty", "uno.penalty", 4, "O3"),
    ("four-card-penalty", "start_card.draw_two", "draw_and_play", "O3"),
    ("four-card-penalty", "start_card.reverse", "right_of_dealer_plays", "O3"),
    ("four-card-penalty", "foul.remedy", "take_back_draw_two_lose_turn", "O1"),
    ("112-card", "foul.remedy", "take_back", "assumed G16"),
    ("mattel-2022", "start_card.skip", "redraw", "seed-001 1:24"),
    ("mattel-2022", "score.to", "nobody", "seed-001 1:88"),
    ("mattel-2022", "finish.hands_card", "plain_wild", "assumed G08"),
    ("mattel-2022-scored", "score.to", "round_winner", "seed-001 1:9"),
    ("two-player", "players.max", 2, "O1"),
    ("partners", "partners.enabled", True, "seed-000 0:76"),
    ("party", "house.stacking", "four_on_two", "seed-001 1:103"),
    ("party", "house.seven_zero", "both", "seed-001 1:105"),
    ("party", "house.jump_in", "identical", "seed-001 1:106"),
    ("party", "turn.draw", "until_playable", "seed-001 1:104"),
]


@pytest.mark.parametrize("option", ROWS)
def test_what_each_document_says(option: str) -> None:
    profiles = ("seed-000", "seed-001", "seed-003", "seed-004", "classic-108")
    assert tuple(load_profile(name).value(option) for name in profiles) == ROWS[option]


@pytest.mark.parametrize(("profile", "option", "value", "source"), VARIANTS)
def test_what_a_variant_changes_and_keeps(profile: str, option: str, value: object, source: str) -> None:
    loaded = load_profile(profile)
    assert loaded.value(option) == value
    assert loaded.source_of(option)[0] == source


def test_no_preset_is_missing() -> None:
    assert set(preset_names()) == PRESETS
    assert "reported" in load_profile("mattel-2022").title, "no full sheet of that year was at hand"


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_option_a_preset_sets_says_where_it_stands(name: str) -> None:
    data = tomllib.loads((files("referee.rules.profiles") / "presets" / f"{name}.toml").read_text(encoding="utf-8"))
    said = data.pop("lines", {})
    not_rules = {"source", "rows", "extends"}
    silent = [
        f"{group}.{leaf}"
        for group in data.keys() - not_rules
        for leaf in data[group]
        if leaf not in said.get(group, {}) and name not in ("seed-000", "seed-001", "seed-003", "seed-004")
    ]
    assert not silent


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_source_can_be_looked_up(name: str) -> None:
    profile = load_profile(name)
    for option, sources in profile.documents.items():
        for source in sources:
            citation = cite(source)
            assert citation.words != source, f"{option}: {source} leads nowhere"
            if citation.line is not None:
                assert 1 <= citation.line <= LINES_OF_FILE[citation.document]
                assert citation.file == seed_titles()[citation.document][1]


@pytest.mark.parametrize("name", ["seed-000", "seed-001", "seed-003", "seed-004"])
def test_a_seed_profile_bears_its_documents_title_and_file(name: str) -> None:
    profile = load_profile(name)
    assert (profile.title, profile.source.file) == seed_titles()[name]
    assert profile.source.kind == "seed"


@pytest.mark.parametrize(
    ("profile", "row", "line"),
    [
        ("seed-000", "H1", "seed-000 0:26"),
        ("seed-001", "H5", "seed-001 1:64"),
        ("seed-001-low-score", "P4", "seed-001 1:122"),
        ("seed-003", "H9", "seed-003 3:67"),
        ("seed-004", "J5", "seed-004 4:28"),
        ("classic-108", "H3", "O1"),
    ],
)
def test_rules_without_an_option_have_their_line_too(profile: str, row: str, line: str) -> None:
    assert load_profile(profile).source_of(row) == (line,)
