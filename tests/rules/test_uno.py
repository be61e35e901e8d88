"""The UNO call, the catch and the window between them."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.table import Table
from tests.rules.situations import assert_ruled, house, ruled

CLASSIC = {
    "J1 called before the card": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: UNO!
        P1: R1
        P3: UNO?P1 =safe
    """,
    "J4 O1 caught in time: two cards": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 !missed_uno
        P1: +2:uno
        P2: R2
    """,
    "J4 caught, and nobody draws": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 =caught
        P2: R2 !penalty_not_drawn
    """,
    "J2 the table says caught where the call was made": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: UNO! R1
        P3: UNO?P1 =caught !false_catch
    """,
    "J2 the table says safe where nobody called": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 =safe !missed_uno
        P2: R2
    """,
    "J5 1:76 nobody noticed: escaped": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: R2
        P3: R3
    """,
    "J3 too late for a catch": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: R2
        P3: UNO?P1 !catch_late
        P3: R3
    """,
    "J3 too late, and the table knows it": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P2: R2
        P3: UNO?P1 =late
    """,
    "J3 too early": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P3: UNO?P1 !catch_early
        P1: R1 UNO!
    """,
    "J9 G11 nothing to catch": """
        [Pos "R5 R > P1 P1:4 P2:5 P3:5"]
        P1: R1
        P3: UNO?P2 !false_catch
    """,
    "J7 0:19 after a draw the call is due again": """
        [Pos "R5 R > P1 P1:B1! P2:5 P3:5"]
        P1: +1=(R9) R9
        P3: UNO?P1 =caught
        P1: +2:uno
    """,
    "J7 the call before the draw is spent, the one after it counts": """
        [Pos "R5 R > P1 P1:B1! P2:5 P3:5"]
        P1: UNO! +1=(R9) UNO! R9
        P3: UNO?P1 =safe
    """,
    "J3 O1 a +2 victim's first card closes the window": """
        [Pos "R5 R > P1 P1:RD,B9 P2:5 P3:5"]
        P1: RD
        P2: +1:d2
        P3: UNO?P1 =late
        P2: +1:d2
    """,
    "J3 whoever is skipped has not begun: the next mover closes the window": """
        [Pos "R5 R > P1 P1:RS,B9 P2:5 P3:5"]
        P1: RS
        P2: UNO?P1 =caught
        P1: +2:uno
        P3: R1
    """,
    "J3 M5 with two players the own next card closes the window": """
        [Pos "R5 R > P1 P1:RS,R9,R8 P2:5"]
        P1: RS
        P1: R9
        P2: UNO?P1 =caught
        P1: +2:uno
    """,
    "J3 a card out of turn closes nothing": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: R2 !out_of_turn
        P3: <R2
        P2: UNO?P1 =caught
        P1: +2:uno
    """,
    "two catch at once: one penalty": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 =caught
        P2: UNO?P1
        P1: +2:uno
        P2: R2
    """,
    "J8 4:29 calling does not win": """
        [Pos "R5 R > P1 P1:B1! P2:5 P3:5"]
        P1: +1 --
        P2: R2
    """,
    "J3 two players with one card: the first escaped, the second is caught": """
        [Pos "R5 R > P1 P1:R1,B9 P2:R2,B8 P3:5"]
        P1: R1
        P2: R2
        P3: UNO?P1 =late UNO?P2 =caught
        P2: +2:uno
        P3: R3
    """,
    "the table takes its catch back": """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 !missed_uno
        table: =safe
        P2: R2
    """,
    "a hand of unknown size is not accused": """
        [Pos "R5 R > P1 P1:? P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 !missed_uno
    """,
}

WINDOW = """
[Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
P1: R1
P2: {begins}
P3: UNO?P1 ={ruling}
"""
BEGINS = ("touch(draw)", "touch(hand)", "+1", "R3", "+1 --")
WINDOWS = {
    # row J3, contradiction C18: caught where the beginning leaves the window open, late where it closes it
    "classic-108": ("caught", "late", "late", "late", "late"),
    "seed-001": ("caught", "late", "late", "late", "late"),
    "seed-003": ("late", "caught", "late", "late", "late"),
    "seed-004": ("caught", "caught", "late", "late", "late"),
    "seed-000": ("caught", "caught", "caught", "late", "late"),
}

OTHERS: dict[str, tuple[str, dict[str, Any], str]] = {
    "J4 C19 4:27 four cards": (
        "seed-004",
        {},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO?P1 =caught
        P1: +2:uno -- !drew_too_few
        """,
    ),
    "J2 C17 4:27 another player says UNO": (
        "seed-004",
        {},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P3: UNO! =caught
        P1: +4:uno
        P2: R2
        """,
    ),
    "J1 C16 1:76 a call in the turn before is doubtful where it must be made while playing": (
        "seed-001",
        {},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: UNO!
        P1: R1
        P3: UNO?P1 !missed_uno
        """,
    ),
    "J1 a call before the card has landed does not count": (
        "classic-108",
        {"uno.call_from": "card_lands"},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: UNO! R1
        P3: UNO?P1 =caught
        """,
    ),
    "J1 a call after the card has landed is too late": (
        "classic-108",
        {"uno.call_until": "card_lands"},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P1: UNO! !late_uno
        P3: UNO?P1 =caught
        """,
    ),
    "J6 G10 P4 1:122 a late call does not help": (
        "seed-001",
        {"uno.self_correction": "penalty"},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1
        P1: UNO! !late_uno
        P3: UNO?P1 =caught
        """,
    ),
    "J3 a +2 victim's draw leaves the window open": (
        "classic-108",
        {"uno.forced_draw_closes": False},
        """
        [Pos "R5 R > P1 P1:RD,B9 P2:5 P3:5"]
        P1: RD
        P2: +1:d2
        P3: UNO?P1 =caught
        P1: +2:uno
        P2: +1:d2
        """,
    ),
    "J9 G11 a needless call costs two": (
        "classic-108",
        {"uno.false_call": 2},
        """
        [Pos "R5 R > P1 P1:B1,G2 P2:5 P3:5"]
        P1: UNO! +1 -- !false_uno !drew_too_few
        P1: +2:uno
        P2: R7
        """,
    ),
    "J9 G11 a false catch costs two": (
        "classic-108",
        {"uno.false_catch": 2},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: UNO! R1
        P3: UNO?P1 =safe !false_catch
        P3: +2:uno
        P2: R7
        """,
    ),
    "uno.referee_catches: the referee itself penalises": (
        "classic-108",
        {"uno.referee_catches": True},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1 !missed_uno
        P2: R7 !penalty_not_drawn
        """,
    ),
    "J7 one call a round is enough": (
        "classic-108",
        {"uno.repeat": False},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        P1: R1 UNO!
        P2: R2
        P3: R3
        P1: +1=(R9) R9
        P3: UNO?P1 =safe
        """,
    ),
    "I4 G09 no call needed for a hand that came by a swap": (
        "party",
        {"uno.after_hand_change": "not_needed"},
        """
        [Pos "R5 R > P1 P1:R7,B1,B2 P2:Y9 P3:5"]
        P1: R7*P2
        P3: UNO?P1 =safe
        """,
    ),
    "uno.tie the catch and the call in the same moment": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        @10.00 P1: R1
        @10.50 P3: UNO?P1
        @10.53 P1: UNO!
        @12.00 P2: R2
        """,
    ),
    "uno.tie favours the catcher": (
        "classic-108",
        {"uno.tie": "favours_catcher"},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        @10.00 P1: R1
        @10.50 P1: UNO!
        @10.53 P3: UNO?P1 =caught
        @11.00 P1: +2:uno
        """,
    ),
    "uno.tie undecided: a question": (
        "classic-108",
        {"uno.tie": "undecided"},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        @10.00 P1: R1
        @10.50 P3: UNO?P1
        @10.53 P1: UNO! !missed_uno
        """,
    ),
    "J3 0:19 the card has landed but not come to rest": (
        "seed-000",
        {},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        @10.00 P1: R1
        @12.00 P2: R2
        @12.20 P3: UNO?P1 =caught
        """,
    ),
    "J3 0:19 the card has come to rest": (
        "seed-000",
        {},
        """
        [Pos "R5 R > P1 P1:R1,B9 P2:5 P3:5"]
        @10.00 P1: R1
        @12.00 P2: R2
        @12.90 P3: UNO?P1 =late
        """,
    ),
}


@pytest.mark.parametrize("situation", CLASSIC)
def test_classic(situation: str) -> None:
    assert_ruled(CLASSIC[situation])


@pytest.mark.parametrize("profile", WINDOWS)
@pytest.mark.parametrize("begins", BEGINS)
def test_how_the_next_player_begins_closes_the_window_by_the_tables_own_rule(profile: str, begins: str) -> None:
    assert_ruled(WINDOW.format(begins=begins, ruling=WINDOWS[profile][BEGINS.index(begins)]), profile)


@pytest.mark.parametrize("situation", OTHERS)
def test_other_tables(situation: str) -> None:
    profile, options, game = OTHERS[situation]
    assert_ruled(game, house(profile, options))


def test_a_missed_call_that_nobody_caught_is_only_remarked() -> None:
    replay = ruled(CLASSIC["J5 1:76 nobody noticed: escaped"])
    assert [(r.code, r.variant, str(r.seat)) for r in replay.remarks] == [("missed_uno", "escaped", "P1")]


def test_a_late_call_that_saves_the_player_is_only_remarked() -> None:
    replay = ruled('[Pos "R5 R > P1 P1:R1,B9 P2:5"]\nP1: R1\nP1: UNO!\nP2: R2')
    assert not replay.incidents
    assert [r.code for r in replay.remarks] == ["late_uno"]


def test_principle_2_where_the_sound_is_not_clear_a_missed_call_is_asked_about_and_costs_nothing() -> None:
    table = Table.from_pos("R5 R > P1 P1:R1,B9 P2:5 P3:5")
    table.push("P1: R1")
    [incident] = table.push("P3: UNO?P1", heard_clearly=False).incidents
    assert (incident.code, incident.kind) == ("missed_uno", "question")
    assert not table.owed


def test_the_window_is_there_to_be_asked_for() -> None:
    table = Table.from_pos("R5 R > P1 P1:R1,B9 P2:5 P3:5")
    windows = []
    for move in ("P1: R1", "P2: +1"):
        table.push(move)
        windows.append([str(last.seat) for last in table.uno_window])
    assert windows == [["P1"], []]
