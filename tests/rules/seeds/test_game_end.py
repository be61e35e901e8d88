"""Points, totals and the end of the game under each document: whose points, how far, who wins, who is out."""

import pytest

from referee.cards import Seat
from referee.faults import InputFault
from referee.rules.profiles import load_profile
from referee.rules.record import Record
from referee.rules.scoring import SheetLine
from referee.rules.table import Table

# rounds, then for each profile: the totals after them, who has won the game, who is out
GAMES = {
    "C11 A6 L5 L8 the winner collects, or each keeps the own hand": (
        "wins P1 P2=300 P3=250",
        {
            "seed-000": ("P1=550 P2=0 P3=0", "P1", ""),
            "seed-001": ("P1=550 P2=0 P3=0", "P1", ""),
            "seed-003": ("P1=550 P2=0 P3=0", "P1", ""),
            "seed-004": ("P1=0 P2=300 P3=250", "", ""),
            "seed-001-low-score": ("P1=0 P2=300 P3=250", "", ""),
        },
    ),
    "C11 A6 L8 the lowest wins when somebody gets there": (
        "wins P1 P2=300 P3=250; wins P3 P1=20 P2=210",
        {
            "seed-004": ("P1=20 P2=510 P3=250", "P1", ""),
            "seed-001-low-score": ("P1=20 P2=510 P3=250", "P1", ""),
            "seed-000": ("P1=550 P2=0 P3=230", "P1", ""),
        },
    ),
    "C20 L7 exactly at the target": (
        "wins P1 P2=500 P3=0",
        {
            "seed-000": ("P1=500 P2=0 P3=0", "P1", ""),
            "seed-001": ("P1=500 P2=0 P3=0", "P1", ""),
            "seed-003": ("P1=500 P2=0 P3=0", "P1", ""),
            "seed-004": ("P1=0 P2=500 P3=0", "", ""),
            "seed-001-low-score": ("P1=0 P2=500 P3=0", "", ""),
        },
    ),
    "C20 L7 at the target, one player lowest": (
        "wins P1 P2=500 P3=20",
        {
            "seed-004": ("P1=0 P2=500 P3=20", "P1", ""),
            "seed-001-low-score": ("P1=0 P2=500 P3=20", "", ""),
        },
    ),
    "L13 L5 every round is added": (
        "wins P1 P2=10 P3=20; wins P2 P1=5 P3=7; wins P1 P2=1 P3=2",
        {
            "seed-000": ("P1=33 P2=12 P3=0", "", ""),
            "seed-001": ("P1=33 P2=12 P3=0", "", ""),
            "seed-003": ("P1=33 P2=12 P3=0", "", ""),
            "seed-004": ("P1=5 P2=11 P3=29", "", ""),
        },
    ),
    "L6 O9 a shorter game": (
        "wins P1 P2=150 P3=60",
        {
            "seed-003-short": ("P1=210 P2=0 P3=0", "P1", ""),
            "seed-003": ("P1=210 P2=0 P3=0", "", ""),
        },
    ),
    "C21 L9 single rounds without points": (
        "wins P1 P2=150 P3=60",
        {
            "mattel-2022": ("P1=0 P2=0 P3=0", "P1", ""),
            "mattel-2022-scored": ("P1=210 P2=0 P3=0", "", ""),
            "seed-001": ("P1=210 P2=0 P3=0", "", ""),
        },
    ),
    "C22 L10 the first to get there is out": (
        "wins P1 P2=500 P3=30 P4=40",
        {
            "seed-000-elimination": ("P1=0 P2=500 P3=30 P4=40", "", "P2"),
            "seed-004-elimination": ("P1=0 P2=500 P3=30 P4=40", "", "P2"),
        },
    ),
    "C22 L10 O10 elimination to two and a duel, or to one": (
        "wins P1 P2=500 P3=30 P4=40; wins P1 P3=480 P4=10; wins P1 P4=460",
        {
            "seed-000-elimination": ("P1=0 P2=500 P3=510 P4=510", "P1", "P2 P3 P4"),
            "seed-004-elimination": ("P1=0 P2=500 P3=510 P4=510", "P1", "P2 P3 P4"),
        },
    ),
    "L12 level at the end: another round": (
        "wins P1 P2=500 P3=0",
        {"seed-004": ("P1=0 P2=500 P3=0", "", "")},
    ),
    "N1 partners score both opposing hands": (
        "wins P1 P2=10 P3=5 P4=20",
        {"partners": ("P1=30 P2=0 P3=30 P4=0", "", "")},
    ),
}  # fmt: skip

CASES = [(game, profile) for game, (_, tables) in GAMES.items() for profile in tables]


def sheet(rounds: str, profile: str) -> tuple[SheetLine, ...]:
    record = Record.read(rounds)
    assert not record.errors
    return record.replay(load_profile(profile)).sheet


@pytest.mark.parametrize(("game", "profile"), CASES)
def test_how_the_game_stands(game: str, profile: str) -> None:
    rounds, tables = GAMES[game]
    totals, winners, out = tables[profile]
    last = sheet(rounds, profile)[-1]
    assert " ".join(f"{seat}={points}" for seat, points in sorted(last.totals.items())) == totals
    assert " ".join(map(str, last.winners)) == winners
    assert " ".join(map(str, sorted(last.out))) == out


def test_the_last_two_of_seed_000_play_a_duel() -> None:
    """0:66: out until two are left; they go on until one reaches 500 and loses (C22, L10)."""
    rounds = "wins P1 P2=500 P3=30 P4=40; wins P1 P3=480 P4=10"
    after_two = sheet(rounds, "seed-000-elimination")
    assert (after_two[0].duel, after_two[0].over) == (False, False)
    assert (after_two[1].duel, after_two[1].over) == (True, False)
    assert not sheet(rounds, "seed-004-elimination")[1].duel, "4:37 knows no duel"


def test_players_level_at_the_end_play_on() -> None:
    """L12, gap G15: P1 and P3 have the same lowest score when P2 gets to 500."""
    last = sheet("wins P1 P2=500 P3=0", "seed-004")[-1]
    assert set(last.tied) == {Seat.P1, Seat.P3}


@pytest.mark.parametrize("profile", ["seed-000", "seed-001", "seed-003", "seed-004"])
def test_two_to_ten_players(profile: str) -> None:
    """A3: 0:3, 3:9; the other two documents do not say."""
    assert Table(profile, 2).to_act == Seat.P1
    assert len(Table(profile, 10).hands) == 10
    with pytest.raises(InputFault):
        Table(profile, 1)
