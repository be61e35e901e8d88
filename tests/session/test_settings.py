"""Settings: refused by line and key, written without losing a comment."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.session.settings import Settings, default_text, faults_of, load_settings, save_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def test_the_shown_defaults_are_the_defaults(file: Path) -> None:
    file.write_text(default_text())
    assert load_settings(file) == Settings()
    assert all("#" in line for line in default_text().splitlines() if line.startswith("["))


@pytest.mark.parametrize(
    ("text", "where", "says", "mend"),
    [
        ("[camera]\nnmae = 'x'\n", ":2", "camera.nmae: there is no such key", "did you mean name?"),
        ("[kamera]\n", ":1", "kamera: there is no such key", "did you mean camera?"),
        ("[camera]\n\nwidth_px = 50\n", ":3", "camera.width_px = 50", "valid value"),
        ("[table]\nstrictness = 'cruel'\n", ":2", "table.strictness = 'cruel'", "coach, friendly or strict"),
        ("[table]\nlanguage = 'de'\n", ":2", "'de' is no language", "en, pt, es, ro"),
        ("[table]\nplayers = ['Ana']\n", ":2", "too few", "two to ten"),
        ("[table]\nplayers = ['Ana', 'Ana']\n", ":2", "one name twice", "two to ten"),
        ("[table]\nplayers = ['Ana', 'Bo']\ndealer = 'Cy'\n", ":3", "'Cy' does not sit", "Ana, Bo"),
        ("[pages]\nport = 'http'\n", ":2", "pages.port = 'http'", "valid value"),
        ("[hall]\nbroker = 'mqtt://hall'\npasword = 'x'\n", ":3", "hall.pasword: there is no such key", "password"),
        ("[hall]\nbroker = 1\n", ":2", "hall.broker = 1", "empty: nothing is told"),
        ("format = 2\n", ":1", "format = 2", ""),
        ("[table\n", "", "is not TOML", "mend that line"),
    ],
)
def test_one_clear_line_for_each_fault(file: Path, text: str, where: str, says: str, mend: str) -> None:
    file.write_text(text)
    (fault,) = faults_of(file)
    assert says in fault.what
    assert fault.where == f"{file}{where}"
    assert mend in fault.mend
    with pytest.raises(InputFault):
        load_settings(file)


def test_all_faults_at_once_in_the_order_of_their_lines(file: Path) -> None:
    file.write_text("[camera]\nwidth_px = 1\n[voice]\nengine = 'opera'\n[pages]\nlan = 'yes'\n")
    assert [fault.where.rpartition(":")[2] for fault in faults_of(file)] == ["2", "4", "6"]


def test_no_file_means_the_defaults_only_where_none_was_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(file.parent))
    assert load_settings() == Settings()
    with pytest.raises(InputFault, match="is not there"):
        load_settings(file)


def test_a_change_keeps_comments_and_all_else(file: Path) -> None:
    file.write_text("# our table\n[table]\ntitle = 'Friday'  # never mind\n\n[camera] # the good one\nname = 'A'\n")
    changed = save_settings(file, {"table": {"players": ["Ana", "Bo"]}, "pages": {"lan": True}})
    assert (changed.table.players, changed.pages.lan, changed.camera.name) == (["Ana", "Bo"], True, "A")
    text = file.read_text()
    for kept in ("# our table", "# never mind", "# the good one"):
        assert kept in text


def test_a_change_that_is_not_valid_leaves_the_file_alone(file: Path) -> None:
    file.write_text("[table]\ntitle = 'Friday'\n")
    with pytest.raises(InputFault, match="strictness"):
        save_settings(file, {"table": {"strictness": "cruel"}})
    assert file.read_text() == "[table]\ntitle = 'Friday'\n"
    assert [path.name for path in file.parent.iterdir()] == ["table.toml"]


def test_the_first_change_writes_a_whole_file(file: Path) -> None:
    save_settings(file, {"table": {"title": "Monday"}})
    assert load_settings(file).table.title == "Monday"
    assert "# who deals first" in file.read_text()
