"""The end of a round, the points, and who wins the game."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cards import Card, Seat
from referee.rules.entries import HandCount, Result
from referee.rules.profiles import load_profile
from referee.rules.scoring import RoundScore, hand_points, score_round
from referee.rules.scoring_sheet import Match
from tests.rules.situations import assert_ruled, house, ruled

P1, P2, P3, P4 = Seat.first(4)

RULED: dict[str, tuple[str, dict[str, Any], str]] = {
    "K1 5:1 the round ends with the last card": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:R6! P2:R1,B2 P3:YS"]
        P1: R6
        wins P1 P2=3(R1 B2) P3=20(YS)
        """,
    ),
    "K2 P5 1:80 1:123 the last +2 is forgotten": (
        "seed-001",
        {},
        """
        [Pos "R5 R > P1 P1:RD! P2:R1,B2 P3:YS"]
        P1: RD
        wins P1 P2=3(R1 B2) P3=20(YS) !last_draw_not_served
        """,
    ),
    "K2 L11 0:55 the last +2 is drawn and counted": (
        "seed-000",
        {},
        """
        [Pos "R5 R > P1 P1:RD! P2:R1,B2 P3:YS"]
        P1: RD
        P2: +2:d2=(G1 G2)
        wins P1 P2=6(R1 B2 G1 G2) P3=20(YS)
        """,
    ),
    "K2 the last +2 is not drawn at this table": (
        "classic-108",
        {"finish.last_draw_applies": False},
        """
        [Pos "R5 R > P1 P1:RD! P2:R1,B2 P3:YS"]
        P1: RD
        wins P1 P2=3(R1 B2) P3=20(YS)
        """,
    ),
    "L1 announced wrongly": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:R6! P2:R1,B2 P3:YS"]
        P1: R6
        wins P1 P2=4(R1 B2) P3=20(YS) !score_mismatch
        """,
    ),
    "L5 the winner's own cards do not count": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:R6! P2:R1,B2 P3:YS"]
        P1: R6
        wins P1 P1=30 P2=3(R1 B2) P3=20(YS) !score_mismatch
        """,
    ),
    "a hand of which every card is known, and other points": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:R6! P2:R1,B2 P3:YS"]
        P1: R6
        wins P1 P2=9 P3=20(YS) !score_mismatch
        """,
    ),
    "H a hand with a card too many": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:R6! P2:2 P3:1"]
        P1: R6
        wins P1 P2=6(R1 B2 B3) P3=20(YS) !hand_count_mismatch
        """,
    ),
    "somebody wins with cards in the hand": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:3 P2:2 P3:1"]
        P1: R6
        wins P1 !hand_count_mismatch
        """,
    ),
    "B3 five Wilds laid open": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:R6! P2:3 P3:2"]
        P1: R6
        wins P1 P2=150(W W W) P3=100(W W) !impossible_card
        """,
    ),
    "K1 nobody plays after the end": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:R6! P2:2 P3:2"]
        P1: R6
        P2: R7 !out_of_turn
        """,
    ),
    "F14 the last Wild names no colour": (
        "classic-108",
        {},
        """
        [Pos "R5 R > P1 P1:W! P2:R1,B2 P3:YS"]
        P1: W
        wins P1 P2=3(R1 B2) P3=20(YS)
        """,
    ),
}


@pytest.mark.parametrize("situation", RULED)
def test_the_end_of_a_round(situation: str) -> None:
    profile, options, game = RULED[situation]
    assert_ruled(game, house(profile, options))


VALUES = {
    # L1 to L4, from 0:59 to 0:62 and 4:34 to 4:36
    "R0": 0, "B9": 9, "GD": 20, "YS": 20, "RR": 20, "W": 50, "W4": 50, "WX": 40, "WM": 40, "WC": 40,
}  # fmt: skip


@pytest.mark.parametrize("code", VALUES)
def test_l1_to_l4_points_of_a_card(code: str) -> None:
    assert hand_points(load_profile("classic-108").score.values, [Card.parse(code)]) == VALUES[code]


def counted(winner: Seat, **hands: str) -> Result:
    values = load_profile("classic-108").score.values
    found = []
    for name, codes in hands.items():
        cards = tuple(Card.parse(code) for code in codes.split())
        found.append(HandCount(Seat[name], hand_points(values, cards), cards))
    return Result(winner, tuple(found))


ROUNDS: dict[str, tuple[str, dict[str, Any], dict[str, int]]] = {
    "L5 0:55 the winner takes all": ("seed-000", {}, {"P1": 111}),
    "L5 4:31 each keeps its own": ("seed-004", {}, {"P1": 0, "P2": 41, "P3": 50, "P4": 20}),
    "L5 1:86 each keeps its own": ("seed-001-low-score", {}, {"P1": 0, "P2": 41, "P3": 50, "P4": 20}),
    "L9 C21 1:88 nobody counts": ("mattel-2022", {}, {}),
    "N1 0:76 both opposing hands, the partner's own does not count": ("partners", {}, {"P1": 61, "P3": 61}),
}


@pytest.mark.parametrize("case", ROUNDS)
def test_whose_account_the_points_go_to(case: str) -> None:
    profile, options, points = ROUNDS[case]
    result = counted(P1, P2="R1 GS BD", P3="W", P4="YR")
    score = score_round(house(profile, options), result, {}, Seat.first(4))
    assert {str(seat): count for seat, count in score.points.items()} == points
    assert score.certain


def test_a_hand_that_nobody_counted_leaves_the_score_open() -> None:
    score = score_round(load_profile("classic-108"), counted(P1, P2="R1"), {}, Seat.first(3))
    assert (dict(score.points), score.certain) == ({P1: 1}, False)


def test_a_hand_known_card_by_card_is_counted_by_the_referee() -> None:
    [line] = ruled('[Pos "R5 R > P1 P1:R6! P2:R1,B2 P3:YS"]\nP1: R6\nwins P1').sheet
    assert (dict(line.score.points), line.score.certain) == ({P1: 23}, True)


def played(profile: str, options: dict[str, Any], *rounds: dict[Seat, int], seats: int = 3) -> Match:
    """A game in which each round writes these points; the winner is the one with none of its own, or the only one."""
    match = Match(house(profile, options), Seat.first(seats))
    for points in rounds:
        winner = next((seat for seat in match.playing if points.get(seat, 0) == 0), P1)
        if match.profile.score.to == "round_winner":
            winner = next(iter(points))
        match.add(RoundScore(winner, {}, points))
    return match


GAMES: dict[str, tuple[str, dict[str, Any], list[dict[Seat, int]], tuple[Seat, ...] | None]] = {
    "L6 L8 0:55 the first to 500": ("seed-000", {}, [{P1: 300}, {P2: 400}, {P1: 200}], (P1,)),
    "L7 499 is not 500": ("seed-000", {}, [{P1: 499}], None),
    "L7 C20 reached": ("seed-000", {}, [{P1: 500}], (P1,)),
    "L7 C20 1:86 passed, not only reached": (
        "seed-001-low-score",
        {},
        [{P1: 500, P2: 10, P3: 0}],
        None,
    ),
    "L8 C11 1:86 the lowest wins when one passes 500": (
        "seed-001-low-score",
        {},
        [{P1: 501, P2: 10, P3: 0}],
        (P3,),
    ),
    "L8 C11 4:32 the lowest wins when one reaches 500": (
        "seed-004",
        {},
        [{P1: 500, P2: 10, P3: 20}],
        (P2,),
    ),
    "L6 3:83 a short game to 200": ("seed-003-short", {}, [{P2: 200}], (P2,)),
    "L6 O9 300": ("seed-003", {"score.target": 300}, [{P2: 299}, {P2: 1}], (P2,)),
    "L9 single rounds": ("mattel-2022", {}, [{P2: 0}], (P1,)),
    "L12 G15 a tie for the lowest: another round": (
        "seed-004",
        {},
        [{P1: 500, P2: 10, P3: 10}],
        None,
    ),
    "L12 a tie is shared": (
        "seed-004",
        {"score.tie": "shared"},
        [{P1: 500, P2: 10, P3: 10}],
        (P2, P3),
    ),
    "L12 a tie goes to whoever had fewer points before": (
        "seed-004",
        {"score.tie": "fewer_points_before"},
        [{P1: 400, P2: 10, P3: 5}, {P1: 100, P2: 0, P3: 5}],
        (P3,),
    ),
    "L12 another round decides": (
        "seed-004",
        {},
        [{P1: 500, P2: 10, P3: 10}, {P1: 0, P2: 5, P3: 9}],
        (P2,),
    ),
    "L10 O10 4:37 out at 500, until one is left": (
        "seed-004-elimination",
        {},
        [{P1: 500, P2: 10, P3: 0}, {P2: 490, P3: 0}],
        (P3,),
    ),
    "L10 C22 0:66 out at 500, until two play it out": (
        "seed-000-elimination",
        {},
        [{P1: 500, P2: 10, P3: 0}, {P2: 489, P3: 0}, {P2: 0, P3: 500}],
        (P2,),
    ),
    "L10 0:66 two of three reach 500 at once: the two with the fewest are left": (
        "seed-000-elimination",
        {},
        [{P1: 520, P2: 510, P3: 0}],
        None,
    ),
}


@pytest.mark.parametrize("case", GAMES)
def test_who_wins_the_game(case: str) -> None:
    profile, options, rounds, winners = GAMES[case]
    match = played(profile, options, *rounds)
    assert match.over == (winners is not None)
    assert match.lines[-1].winners == (winners or ())


def test_n1_partners_win_together() -> None:
    match = Match(load_profile("partners"), Seat.first(4))
    line = match.add(RoundScore(P2, {}, {P2: 510, P4: 510}))
    assert (line.over, line.winners) == (True, (P2, P4))


def test_l10_who_is_out_is_not_dealt_to_and_two_play_a_duel() -> None:
    game = """
        [Dealer "P3"] [Pos "R5 R > P1 P1:R6! P2:W,W,W,W,W4,W4,W4,W4,YS,YR,YD,GS,GR P3:R2"]
        P1: R6
        wins P1 P2=500(W W W W W4 W4 W4 W4 YS YR YD GS GR) P3=2(R2)
        dealer: start R5
        P3: R1
        P1: R3
        P2: R4 !out_of_turn
    """
    replay = ruled(game, "seed-000-elimination")
    [line] = replay.sheet
    assert (line.out, line.duel, line.over) == ((P2,), True, False)


def test_the_sheet_as_json() -> None:
    [line] = ruled('[Pos "R5 R > P1 P1:R6! P2:R1,B2 P3:YS"]\nP1: R6\nwins P1 P2=3(R1 B2) P3=20(YS)').sheet
    assert line.to_json() == {
        "type": "score",
        "line": 3,
        "round": 1,
        "winner": "P1",
        "hands": {"P2": 3, "P3": 20},
        "points": {"P1": 23},
        "totals": {"P1": 23, "P2": 0, "P3": 0},
        "certain": True,
        "out": [],
        "game_over": False,
        "game_winners": [],
    }
