"""Written games: bad lines are collected, the rest is judged; one night under other rules."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from referee.cards import Seat
from referee.faults import InputFault
from referee.rules.entries import Entry, Play, Word
from referee.rules.record import Record
from referee.rules.ugn import parse_entry

NIGHT = """
[UGN "1"] [Profile "classic-108"] [P1 "Ana"] [P2 "Bo"] [P3 "Cai"]
[Pos "R5 R > P1 P1:RS,R1,B9 P2:5 P3:5"]
1. P1: RS
2. P3: YS
3. P2: Y1
"""

BAD = {
    "an unknown card": ("P1: Q7", 1, 5, "cannot read 'Q7' here"),
    "a seat that does not exist": ("P11: R5", 1, 1, "cannot read 'P11' here"),
    "no colon": ("P1 R5", 1, 4, "cannot read 'R5' here"),
    "nothing after the colon": ("P1:", 1, 4, "the entry breaks off"),
    "a negative count": ("P1: +-2", 1, 6, "cannot read '-2' here"),
    "an absurd count": ("P1: +9999999999", 1, 6, "cannot read '9999999999' here"),
    "an unknown cause": ("P1: +2:luck", 1, 8, "cannot read 'luck' here"),
    "an unknown colour": ("P1: W>Q", 1, 6, "cannot read '>Q' here"),
    "an unknown verdict": ("P2: UNO?P1 =perhaps", 1, 13, "cannot read 'perhaps' here"),
    "a bracket left open": ("P1: show(R5", 1, 12, "the entry breaks off"),
    "a quote left open": ('P1: say("hello', 1, 9, "cannot read '\"hello' here"),
    "a comment left open": ("P1: R5 {one\nP2: B5", 1, 8, "cannot read '{one' here"),
    "a tag left open": ('[P1 "Ana"', 1, 10, "the entry breaks off"),
    "an impossible confidence": ("P1: R6|R9~1.5", 1, 12, "cannot read '.' here"),
    "a version of the future": ('[UGN "7"]', 1, 1, "[UGN] version '7' is not known"),
    "a dealer who is no seat": ('[Dealer "Ana"]', 1, 1, "[Dealer] 'Ana' is not a seat: write P1 to P10"),
    "a position with a hand below nothing": (
        '[Pos "R5 R > P1 P1:-1 P2:3"]', 1, 1, "[Pos] P1 cannot hold -1 cards",
    ),
    "later in the file": ("\n\nP1: R5\n  P2: what", 4, 7, "cannot read 'what' here"),
    "after a semicolon": ("P1: R5; P2: ?", 1, 13, "cannot read '?' here"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_line_is_named_with_line_and_column(case: str) -> None:
    text, line, column, what = BAD[case]
    [fault] = Record.read(text).errors
    assert (fault.line, fault.column) == (line, column)
    assert fault.what.startswith(what)


def test_the_rest_of_a_record_with_bad_lines_is_judged() -> None:
    record = Record.read('[Pos "R8 R > P1 P1:4 P2:4 P3:4"]\nP1: R3\nP2: nonsense\nP2: B4\n??\nP3: B5')
    assert [fault.line for fault in record.errors] == [3, 5]
    assert [(i.line, i.code) for i in record.replay().incidents] == [(4, "illegal_play")]


def test_after_a_position_that_cannot_be_nobody_is_accused_of_what_nobody_knows() -> None:
    record = Record.read('[Pos "R0 R > P1 P1:R0,R1 P2:3"]\nP2: B4\nP1: B5\nP2: Y9')
    replay = record.replay()
    assert [fault.what for fault in replay.faults] == ["[Pos] the position shows 2 R0, the deck holds 1"]
    assert [(i.line, i.code) for i in replay.incidents] == [(4, "illegal_play")]


def test_one_night_two_rules() -> None:
    record = Record.read(NIGHT)
    assert record.replay().incidents == ()
    [incident] = record.replay("seed-004").incidents
    assert (incident.line, incident.code, incident.rule) == (
        5,
        "illegal_play",
        "match.symbol = false (seed-004 4:21, seed-004 4:22, seed-004 4:23)",
    )


def test_tags_seats_and_text() -> None:
    record = Record.read(NIGHT)
    assert (record.tags["P2"], record.profile_name) == ("Bo", "classic-108")
    assert record.seats == Seat.first(3)
    assert Record.read(record.text()).items == record.items


def test_canonical_form_is_the_same_however_it_was_written() -> None:
    one = Record.read(
        '[Pos "R8 R > P1 P1:4 P2:4 P3:4"]\n1. @0:12.5 P1: rd {ouch}\n@0:14 P2: +2 -- !x\nP3:R5;P1:+1=(?)\n'
    )
    other = Record.read('[Pos "R8 R > P1 P1:4 P2:4 P3:4"]\nP1: RD\nP2:  +2:d2   --  # drawn\nP3: R5\nP1: +1:turn=(?)')
    assert one.canonical() == other.canonical()
    assert one.canonical().splitlines()[1:] == ["P1: RD", "P2: +2:d2 --", "P3: R5", "P1: +1:turn=(?)"]


def test_comments_quotes_and_semicolons() -> None:
    record = Record.read(
        '{a; comment\nover lines} P1: say("a; b # c") R5 # end ; of line\nP2: B5!illegal_play[x;y {z}]'
    )
    assert not record.errors
    first, second = record.entries
    assert isinstance(first, Entry)
    assert first.events[0] == Word("a; b # c")
    assert (first.line, second.line) == (2, 3)
    assert second.flags[0].detail == "x;y {z}"


def test_a_colour_said_later_stays_apart_from_the_card() -> None:
    spoken = parse_entry("P1: W >G")
    named = parse_entry("P1: W>G")
    assert isinstance(spoken, Entry)
    assert isinstance(named, Entry)
    assert (len(spoken.events), len(named.events)) == (2, 1)


@pytest.mark.parametrize("text", ["", "P1: R5\nP2: B5", '[P1 "Ana"]', "nonsense"])
def test_one_entry_is_wanted(text: str) -> None:
    with pytest.raises(InputFault):
        parse_entry(text)


def test_files(tmp_path: Path) -> None:
    game = tmp_path / "night.ugn"
    game.write_text("\ufeff" + NIGHT, encoding="utf-8")
    assert Record.read(game).items == Record.read(NIGHT).items == Record.read(io.StringIO(NIGHT)).items
    game.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputFault, match="is not a text file"):
        Record.read(game)
    with pytest.raises(InputFault, match="cannot be read"):
        Record.read(tmp_path / "missing.ugn")


def test_an_empty_record() -> None:
    record = Record.read("")
    assert (record.items, record.errors) == ((), ())
    assert record.replay().incidents == ()


def test_a_profile_that_does_not_exist() -> None:
    with pytest.raises(InputFault, match="there is no profile 'nobody'"):
        Record.read('[Profile "nobody"]\nP1: R5').replay()


def test_readings_and_flags_are_kept() -> None:
    entry = parse_entry("3. @1:02:03.5 P1: ^R6|R9~0.55>B*P2 !a[b] !c")
    assert isinstance(entry, Entry)
    [play] = entry.events
    assert isinstance(play, Play)
    assert [card.code for card in play.readings] == ["R6", "R9"]
    assert (play.confidence, play.jump, play.target, entry.time_s, entry.number) == (0.55, True, Seat.P2, 3723.5, 3)
    assert [(flag.code, flag.detail) for flag in entry.flags] == [("a", "b"), ("c", "")]
