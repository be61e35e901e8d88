"""The book and its files: what cannot be is refused in one line, what is written is read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.faults import InputFault
from referee.tournament.book import TableOfRound, Tournament
from referee.tournament.csv_rows import pairing_csv, read_names, read_pairing, read_results, standings_csv
from referee.tournament.sheet import tournament_page
from referee.tournament.standings import standings
from referee.tournament.store import book_text, read_book, write_book
from tests.tournament.nights import begun, nights, played

SIX = begun(6)
ABC, DEF = TableOfRound("1", ("Ana", "Bruno", "Carla")), TableOfRound("2", ("Dinis", "Elena", "Filipe"))
PAIRED = SIX.with_round((ABC, DEF))
POINTS = {"Ana": 50, "Bruno": 20, "Carla": 0}


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: SIX.with_players(["ana"]), "ana is in the book already"),
        (lambda: SIX.with_players(["Zé", " zé "]), "zé is in the book already"),
        (lambda: SIX.with_players(["  "]), "is no name"),
        (lambda: SIX.with_players(["a\x07b"]), "is no name"),
        (lambda: SIX.without("Brunno"), "'Brunno' does not play in this tournament (did you mean Bruno?)"),
        (lambda: SIX.without("Bruno").without("Bruno"), "Bruno has left already"),
        (lambda: SIX.with_round((ABC,)), "no table for Dinis, Elena, Filipe"),
        (
            lambda: SIX.with_round((ABC, TableOfRound("2", ("Ana", "Elena", "Filipe")))),
            "Ana sits at table 1 and at table 2",
        ),
        (lambda: SIX.with_round((ABC, TableOfRound("1", DEF.players))), "two tables are called '1'"),
        (lambda: SIX.with_round((TableOfRound("1", ("Ana", "Bruno")), DEF)), "table 1 has 2 players"),
        (lambda: SIX.with_round((ABC, TableOfRound("2", ("Dinis", "Elena", "Nobody")))), "'Nobody' does not play"),
        (lambda: SIX.without("Ana").with_round((ABC, DEF)), "Ana has left the tournament"),
        (lambda: PAIRED.with_round((ABC, DEF)), "round 1 is not over: no result of table 1, 2"),
        (lambda: SIX.with_result("1", POINTS), "no round has been paired yet"),
        (lambda: PAIRED.with_result("3", POINTS), "round 1 has no table '3'"),
        (lambda: PAIRED.with_result("1", POINTS, number=2), "there is no round 2"),
        (lambda: PAIRED.with_result("1", POINTS).with_result("1", POINTS), "table 1 has a result already"),
        (lambda: PAIRED.with_result("1", {**POINTS, "Dinis": 4}), "Dinis does not sit at table 1 this round"),
        (lambda: PAIRED.with_result("1", {**POINTS, "ANA": 4}), "Ana is told twice at table 1"),
        (lambda: PAIRED.with_result("1", {"Ana": 4}), "table 1: no points for Bruno, Carla"),
        (lambda: PAIRED.with_result("1", {**POINTS, "Ana": 10**9}), "are no result"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(act: Callable[[], Tournament], says: str) -> None:
    with pytest.raises(InputFault) as fault:
        act()
    assert says in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_result_is_corrected_only_when_that_is_said() -> None:
    once = PAIRED.with_result("1", POINTS)
    assert once.with_result("1", {**POINTS, "Carla": 90}, correct=True).table("1").points == {**POINTS, "Carla": 90}
    assert once.table("1").points == POINTS


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(nights, st.text(max_size=20))
def test_what_is_written_is_read_back(tmp_path: Path, book: Tournament, title: str) -> None:
    file = tmp_path / "night.toml"
    try:
        title.encode()
    except UnicodeEncodeError:
        title = ""
    told = Tournament(title, book.seed, book.table_size, book.counting, book.players, book.rounds)
    write_book(file, told)
    assert read_book(file) == told
    assert [path.name for path in tmp_path.iterdir()] == ["night.toml"]


GOOD = book_text(PAIRED.with_result("1", POINTS))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", "is not TOML"),
        (GOOD.replace("format = 1", "format = 2"), "has format 2, this referee reads 1"),
        (GOOD.replace("table_size = 4", "table_size = 9"), "table_size"),
        (GOOD.replace("seed", "sead"), "seed: Field required"),
        (GOOD.replace("points = [50, 20, 0]", "points = [50, 20]"), "not one result for each player"),
        (GOOD.replace('"Elena", "Filipe"]', '"Elena", "Ana"]'), "Ana sits at table 1 and at table 2"),
        (GOOD.replace('name = "Filipe"', 'name = "Ana"'), "Ana is in the book already"),
        (GOOD.replace('"Elena", "Filipe"]', '"Elena", "Philipe"]'), "did you mean Filipe?"),
        (
            GOOD + '\n[[round]]\n[[round.table]]\nname = "1"\nplayers = ["Ana", "Bruno", "Carla"]\n',
            "a later round is paired",
        ),
    ],
)
def test_a_book_that_cannot_be_true_is_refused(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "night.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputFault, match=str(file)) as fault:
        read_book(file)
    assert says in str(fault.value)


def test_a_pairing_goes_out_as_csv_and_comes_back(tmp_path: Path) -> None:
    book = played(begun(13), 2)
    file = tmp_path / "round.csv"
    file.write_text(pairing_csv(book, 2), encoding="utf-8")
    before = Tournament(book.title, 1, 4, "most", book.players, book.rounds[:1])
    assert [(t.name, t.players) for t in before.with_round(read_pairing(file, 2)).rounds[1]] == [
        (t.name, t.players) for t in book.rounds[1]
    ]
    assert read_results(file, 2) == {t.name: t.points for t in book.rounds[1]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no column table, player, points"),
        ("table,player\n1,Ana\n", ":1: has no column points"),
        ("table,player,points\n1,Ana,lots\n", ":2: 'lots' is no whole number"),
        ("table,player,points\n1,Ana,5\n1,Ana,6\n", ":3: Ana is told twice"),
        ("table,player,points\n1,,5\n", ":2: a cell is empty"),
        ("table,player,points\n", "holds no result"),
        ("table,player,points\n1,Ana,\xff\n", "is no UTF-8 text"),
    ],
)
def test_slips_in_results_are_named_by_line(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "results.csv"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputFault) as fault:
        read_results(file, 1)
    assert says in str(fault.value)


def test_spreadsheets_with_semicolons_marks_and_formulas(tmp_path: Path) -> None:
    file = tmp_path / "names.csv"
    file.write_text("\ufeffclub;player\nA;Ana\n\nB;=cmd()\n", encoding="utf-8")
    assert read_names(file) == ["Ana", "=cmd()"]
    file.write_text("Ana\nBruno\n", encoding="utf-8")
    assert read_names(file) == ["Ana", "Bruno"]
    book = Tournament("x").with_players(["Ana", "=cmd()", "Bo"])
    assert "'=cmd()" in standings_csv(standings(book))


def test_the_page_has_everything_and_escapes_it() -> None:
    page = tournament_page(played(Tournament("<Night>").with_players(["<b>", "Ana", "Bo", "Cy"]), 2))
    for text in ("&lt;Night&gt;", "&lt;b&gt;", "Round 2", "Standings", "lot: drawn"):
        assert text in page
    assert "<b>" not in page
    assert "http" not in page
