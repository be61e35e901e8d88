"""The book of evenings: an index that can be lost, and what it says of a written game."""

from __future__ import annotations

import csv
import itertools
import sqlite3
from pathlib import Path

import pytest

from referee.session.book import INDEX_FILE, Book
from referee.session.evening import Tally, read_evening
from referee.session.score_sheet import plot_of, score_csv, score_page

ROUND = """[Pos "R5 R > P1 P1:2 P2:2"]
P1: R7 UNO!
P2: R1
P1: R9
wins P1 P2={p2}
"""
"""P1 calls and goes out by two red cards; P2 lays her last but one without calling (nobody catches it)."""

FOUL = """[Pos "R5 R > P1 P1:4 P2:3"]
P1: B7
P1: <B7 +2:foul
P2: R2
"""


def session(root: Path, name: str, *rounds: str, when: str = "2026-11-30T19:02:11+00:00", players: str = "") -> Path:
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "session.toml").write_text(f'format = 1\ntitle = "{name}"\n[began]\nwall = "{when}"\n')
    tags = players or '[P1 "Ana"]\n[P2 "Bruno"]\n'
    (folder / "game.ugn").write_text(f'[UGN "1"]\n[Profile "classic-108"]\n{tags}' + "".join(rounds))
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    session(tmp_path, "friday", ROUND.format(p2=30), ROUND.format(p2=20), when="2026-11-27T20:00:00+00:00")
    session(tmp_path, "monday", ROUND.format(p2=45), FOUL)
    return tmp_path


def test_an_evening_counts_points_cards_calls_and_sure_fouls(tmp_path: Path) -> None:
    evening = read_evening(session(tmp_path, "friday", ROUND.format(p2=30), FOUL))
    assert [(line.winner, line.points, line.totals) for line in evening.rounds] == [
        ("Ana", {"Ana": 30}, {"Ana": 30, "Bruno": 0})
    ]
    assert evening.tallies["Ana"] == Tally(plays=3, draws=2, fouls=1, calls_made=1, calls_missed=0)
    assert evening.tallies["Bruno"].plays == 2
    assert evening.started.startswith("2026-11-30")


def test_two_players_of_one_name_stay_two(tmp_path: Path) -> None:
    folder = session(tmp_path, "twins", ROUND.format(p2=30), players='[P1 "Ana"]\n[P2 "Ana"]\n')
    assert read_evening(folder).players == ("Ana (P1)", "Ana (P2)")


def test_a_table_with_rules_of_its_own_is_judged_by_them(tmp_path: Path) -> None:
    folder = session(tmp_path, "house", ROUND.format(p2=30))
    (folder / "house.toml").write_text('extends = "classic-108"\n[score]\nto = "nobody"\nwinner = "single_round"\n')
    (folder / "session.toml").write_text('format = 1\nprofile = "house.toml"\n')
    assert read_evening(folder).rounds[0].points == {}


def test_the_book_holds_what_the_folders_say(root: Path) -> None:
    with Book(root) as book:
        book.refresh()
        kept = book.evenings()
        assert [evening.title for evening in kept] == ["friday", "monday"]
        assert kept == [read_evening(root / name) for name in ("friday", "monday")]
        ana = book.standings()[0]
    assert (ana.name, ana.evenings, ana.rounds_won, ana.points) == ("Ana", 2, 3, 95)


def test_a_changed_record_is_read_again_and_a_deleted_session_leaves(root: Path) -> None:
    with Book(root) as book:
        book.refresh()
        game = root / "friday" / "game.ugn"
        game.write_text(game.read_text().replace("P2=30", "P2=31"))
        for file in (root / "monday").iterdir():
            file.unlink()
        (root / "monday").rmdir()
        book.refresh()
        assert [e.rounds[0].points for e in book.evenings()] == [{"Ana": 31}]


@pytest.mark.parametrize("harm", ["deleted", "cut", "rubbish", "half"])
def test_s5_the_index_can_be_lost_or_broken(root: Path, harm: str) -> None:
    with Book(root) as book:
        book.refresh()
        before = book.evenings()
    index = root / INDEX_FILE
    content = index.read_bytes()
    match harm:
        case "deleted":
            index.unlink()
        case "cut":
            index.write_bytes(content[: len(content) // 2])
        case "rubbish":
            index.write_bytes(b"no database" * 500)
        case _:
            index.write_bytes(content[:2000] + bytes(len(content) - 2000))
    with Book(root) as book:
        book.refresh()
        assert book.evenings() == before


def test_s5_one_writer_with_a_log_ahead_and_normal_sync(root: Path) -> None:
    with Book(root) as book:
        book.refresh()
    with sqlite3.connect(root / INDEX_FILE) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_session_without_a_record_is_named_and_the_rest_is_kept(root: Path) -> None:
    (root / "open").mkdir()
    (root / "open" / "session.toml").write_text("format = 1\n")
    with Book(root) as book:
        book.refresh()
        assert len(book.evenings()) == 2
        assert book.remarks == [f"{root / 'open'}: has no game.ugn: it was not closed (run `referee repair` on it)"]


def test_csv_has_a_row_for_each_player_and_round(root: Path) -> None:
    rows = list(csv.DictReader(score_csv([read_evening(root / "friday")]).splitlines()))
    assert [(r["round"], r["player"], r["points"], r["total"], r["won_round"]) for r in rows] == [
        ("1", "Ana", "30", "30", "1"),
        ("1", "Bruno", "0", "0", "0"),
        ("2", "Ana", "20", "50", "1"),
        ("2", "Bruno", "0", "0", "0"),
    ]


def test_the_page_escapes_names_and_draws_every_total(tmp_path: Path) -> None:
    folder = session(tmp_path, "x", ROUND.format(p2=30), players='[P1 "<b>Ana"]\n[P2 "Bruno"]\n')
    page = score_page([read_evening(folder)])
    assert "<b>Ana" not in page
    assert "&lt;b&gt;Ana 30" in page
    assert "http" not in page.replace("http-equiv", "")


def test_names_at_the_ends_of_the_curves_never_overlap(tmp_path: Path) -> None:
    seats = "".join(f'[P{i} "N{i}"]\n' for i in range(1, 11))
    plot = plot_of(read_evening(session(tmp_path, "ten", ROUND.format(p2=30), players=seats)))
    assert plot is not None
    heights = sorted(curve.label_y for curve in plot.curves)
    assert min(b - a for a, b in itertools.pairwise(heights)) >= 14.9
    assert heights[0] > 0
    assert heights[-1] < plot.height
