"""Results of tables out of recorded sessions: whose they are, and when they are not taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.tournament_results import with_sessions
from referee.faults import InputFault
from referee.session.evening import Evening, Round, Tally
from referee.session.plan import SESSION_FILE
from referee.tournament.book import TableOfRound, Tournament

ABC, DEF = TableOfRound("1", ("Ana", "Bruno", "Carla")), TableOfRound("2", ("Dinis", "Elena", "Filipe"))
BOOK = Tournament("Night").with_players((*ABC.players, *DEF.players)).with_round((ABC, DEF))


def evening(folder: Path, players: tuple[str, ...], totals: tuple[int, ...], **said: object) -> Evening:
    told = dict(zip(players, totals, strict=True))
    last = Round(2, players[0], {players[0]: 9}, told, bool(said.get("certain", True)))
    return Evening(
        folder,
        folder.name,
        "",
        str(said.get("profile", "classic-108")),
        players,
        (last,) if said.get("rounds", True) else (),
        dict.fromkeys(players, Tally()),
        "",
    )


@pytest.fixture
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Evening]:
    """Sessions by folder name; what is put in here lies in `tmp_path`."""
    found: dict[str, Evening] = {}

    def read(folder: Path) -> Evening:
        return found[folder.name]

    monkeypatch.setattr("referee.session.evening.read_evening", read)
    return found


def put(sessions: dict[str, Evening], folder: Path, one: Evening) -> None:
    (folder / one.folder.name).mkdir()
    (folder / one.folder.name / SESSION_FILE).write_text("")
    sessions[one.folder.name] = one


def test_each_session_belongs_to_the_table_of_its_players(tmp_path: Path, sessions: dict[str, Evening]) -> None:
    put(sessions, tmp_path, evening(tmp_path / "a", ("CARLA", "ana", "Bruno"), (5, 120, 40)))
    put(sessions, tmp_path, evening(tmp_path / "b", ("Dinis", "Elena", "Filipe"), (0, 10, 20)))
    put(sessions, tmp_path, evening(tmp_path / "c", ("Dinis", "Elena", "Nobody"), (0, 10, 20)))
    book, entered, left_out = with_sessions(BOOK, tmp_path)
    assert book.table("1").points == {"Ana": 120, "Bruno": 40, "Carla": 5}
    assert (book.open_tables(), len(entered), len(left_out)) == ((), 2, 1)
    assert "no table of round 1 seats just these" in left_out[0]


@pytest.mark.parametrize(
    ("said", "totals", "says"),
    [
        ({"rounds": False}, (1, 2, 3), "no round was finished"),
        ({"certain": False}, (1, 2, 3), "a hand was not counted in round 2: the points may be too low"),
    ],
)
def test_what_is_in_doubt_is_not_taken(
    tmp_path: Path, sessions: dict[str, Evening], said: dict[str, object], totals: tuple[int, ...], says: str
) -> None:
    put(sessions, tmp_path, evening(tmp_path / "a", ABC.players, totals, **said))
    with pytest.raises(InputFault) as fault:
        with_sessions(BOOK, tmp_path)
    assert says in str(fault.value)


def test_points_in_doubt_are_taken_when_that_is_said(tmp_path: Path, sessions: dict[str, Evening]) -> None:
    put(sessions, tmp_path, evening(tmp_path / "a", ABC.players, (1, 2, 3), certain=False))
    book, _, _ = with_sessions(BOOK, tmp_path / "a", uncertain=True)
    assert book.table("1").points == {"Ana": 1, "Bruno": 2, "Carla": 3}


def test_two_sessions_of_one_table_are_not_both_taken(tmp_path: Path, sessions: dict[str, Evening]) -> None:
    put(sessions, tmp_path, evening(tmp_path / "a", ABC.players, (1, 2, 3)))
    put(sessions, tmp_path, evening(tmp_path / "b", ABC.players, (9, 9, 9)))
    book, entered, left_out = with_sessions(BOOK, tmp_path)
    assert book.table("1").points == {"Ana": 1, "Bruno": 2, "Carla": 3}
    assert len(entered) == 1
    assert "has a result already" in left_out[0]


def test_the_fewest_points_do_not_count_as_the_most(tmp_path: Path, sessions: dict[str, Evening]) -> None:
    put(sessions, tmp_path, evening(tmp_path / "a", ABC.players, (1, 2, 3)))
    fewest = Tournament("Night", counting="fewest", players=BOOK.players, rounds=BOOK.rounds)
    with pytest.raises(InputFault, match="by classic-108 the most points win, in this tournament the fewest"):
        with_sessions(fewest, tmp_path)
