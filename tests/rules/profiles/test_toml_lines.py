"""Where in a TOML file a key is set."""

from referee.rules.profiles.toml_lines import key_lines, line_of

TEXT = """# a comment = 1
extends = "x"
uno.penalty = 2   # dotted

[turn]
draw = "one"
"cards" = 1

[score.values]   # of cards
skip = 20
[[deck.custom_rules]]
text = "a"
[[deck.custom_rules]]
text = "b"
[house]
inline = { stacking = "any" }
"""


def test_every_way_to_write_a_key() -> None:
    lines = key_lines(TEXT)
    assert lines["extends"] == 2
    assert (lines["uno"], lines["uno.penalty"]) == (3, 3)
    assert (lines["turn"], lines["turn.draw"], lines["turn.cards"]) == (5, 6, 7)
    assert (lines["score.values"], lines["score.values.skip"]) == (9, 10)
    assert lines["deck.custom_rules.text"] == 12, "the first place counts"
    assert "a comment" not in lines


def test_an_unknown_path_has_the_line_of_what_is_around_it() -> None:
    lines = key_lines(TEXT)
    assert line_of("house.inline.stacking", lines) == 16
    assert line_of("turn.nothing", lines) == 5
    assert line_of("nowhere.at.all", lines) == 1
