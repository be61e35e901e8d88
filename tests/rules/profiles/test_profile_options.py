"""Every option has a type, a default that the type accepts, and a saying for every value it can take."""

from dataclasses import replace

import pytest

from referee.cards import Card, Symbol
from referee.rules.profiles import CardValues, CustomRule, Profile, schema
from referee.rules.profiles.catalogue import entries

GROUPS = {
    "source": "title kind",
    "deck": "edition hands_card customizable custom_rules copies",
    "players": "min max",
    "setup": "hand_size dealer dealer_action_card dealer_tie dealer_rotation first_player direction",
    "start_card": "skip reverse draw_two wild "
    "wild_draw_four wild_swap_hands wild_shuffle_hands wild_customizable return_to",
    "match": "symbol",
    "turn": "cards may_decline draw drawn_card hand_card_after_draw pass_without_draw",
    "foul": "remedy window advice_draws",
    "reshuffle": "keep_top when_exhausted",
    "wild": "must_name may_keep_colour",
    "wild_draw_four": "condition enforcement challenge window "
    "hand_shown_to guilty innocent after_guilty challenge_last",
    "uno": "call_from call_until window_closes forced_draw_closes penalty self_correction "
    "catch_words tie repeat after_hand_change false_call referee_catches false_catch",
    "finish": "action_card forbidden_remedy last_draw_applies hands_card",
    "score": "to target reach winner elimination tie values",
    "two_player": "reverse_is_skip",
    "partners": "enabled seats score",
    "house": "stacking jump_in seven_zero",
    "speech": "language",
}
OPTIONS = [f"{group}.{name}" for group, names in GROUPS.items() for name in names.split()]

PLAIN = [name for name in OPTIONS if name not in ("deck.custom_rules", "score.values")]


def test_the_eighty_options() -> None:
    assert len(OPTIONS) == 80
    assert set(schema.options()) == {*OPTIONS, "source.file"}
    assert [name for name, _ in Profile().options()] == [name for name in OPTIONS if not name.startswith("source.")]


@pytest.mark.parametrize("option", PLAIN)
def test_the_default_is_a_value_of_its_option(option: str) -> None:
    default = Profile().value(option)
    assert schema.accepts(option).check(default) == default


@pytest.mark.parametrize("option", entries())
def test_every_value_has_a_saying(option: str) -> None:
    entry = entries()[option]
    values: list[object] = [Profile().value(option)]
    if option in PLAIN:
        accepted = schema.accepts(option)
        values += accepted.choices
        values += [accepted.bounds.low, accepted.bounds.high] if accepted.bounds else []
    for value in values:
        said = entry.saying(value)
        assert said, option
        assert "{" not in said, said
        assert not said.endswith("."), "a saying follows a table's name inside a sentence"


def test_the_catalogue_covers_what_players_can_differ_on() -> None:
    assert set(entries()) == {name for name, _ in Profile().options()}
    for entry in entries().values():
        known = set(entry.says) - {"any", "none"}
        if entry.option in PLAIN:
            choices = {
                str(c).lower() if isinstance(c, bool) else str(c) for c in schema.accepts(entry.option).choices
            }
            assert known <= choices, f"{entry.option}: a saying for a value that does not exist"
        assert entry.question[0].isupper()
        assert not entry.question.endswith((".", "?", ":"))


@pytest.mark.parametrize(
    ("card", "points", "row"),
    [
        ("R0", 0, "L1 1:113"), ("B9", 9, "L1 1:113"), ("RS", 20, "L2 0:60"), ("GR", 20, "L2 3:77"),
        ("YD", 20, "L2 4:35"), ("W", 50, "L3 0:61"), ("W4", 50, "L3 3:79"), ("WX", 40, "L4 0:62"),
        ("WC", 40, "L4 0:62"), ("WM", 40, "assumed"),
    ],
)  # fmt: skip
def test_what_a_card_is_worth(card: str, points: int, row: str) -> None:
    assert Profile().score.values.of(Card.parse(card)) == points, row


def test_a_table_may_count_every_number_the_same() -> None:
    assert CardValues(number=5)[Symbol.ZERO] == CardValues(number=5)[Symbol.NINE] == 5


def test_changed_options_rest_on_this_table_and_leave_the_rest() -> None:
    changed = Profile().changed({"uno.penalty": 4, "house.stacking": "any"}, name="ours")
    assert (changed.uno.penalty, changed.house.stacking, changed.name) == (4, "any", "ours")
    assert changed.source_of("uno.penalty") == ("this table",)
    assert changed.changed({"uno.penalty": 2, "house.stacking": "none"}) == Profile()
    with pytest.raises(KeyError, match=r"uno\.penalti"):
        Profile().changed({"uno.penalti": 4})


def test_profiles_are_equal_by_their_rules_alone() -> None:
    assert replace(Profile(), name="other") == Profile()
    assert hash(replace(Profile(), name="other")) == hash(Profile())
    assert Profile().changed({"uno.penalty": 4}) != Profile()


def test_written_blank_cards_are_told() -> None:
    rules = (CustomRule("next sings or draws two", "next_draws", 2), CustomRule(effect="extra_turn"))
    assert entries()["deck.custom_rules"].saying(rules) == "has written: next sings or draws two; extra turn"
