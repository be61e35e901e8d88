"""`referee hall` and `watch --hall`: refused at the start in one line, or going on."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.main import app
from referee.cli.tournament_standings import StandingsFile
from referee.faults import InputFault
from tests.hall.mosquitto import Mosquitto
from tests.tournament.nights import begun, played


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def refused(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    assert isinstance(done.exception, InputFault), done.output
    assert "\n" not in str(done.exception)
    return str(done.exception)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("hall",), "names no broker"),
        (("hall", "--broker", "hall.local"), "is no address of a broker"),
        (("hall", "--broker", "mqtt://ana:secret@hall"), "is seen by everybody on this machine"),
        (("hall", "--broker", "mqtt://hall", "--tournament", "nowhere.toml"), "nowhere.toml: is not there"),
        (("watch", "--camera", "off", "--hall", "http://hall"), "is no address of a broker"),
    ],
)
def test_one_clear_line_for_bad_input(arguments: tuple[str, ...], says: str) -> None:
    assert says in refused(*arguments)


def test_tls_files_are_tried_at_the_start(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    (tmp_path / "ca.pem").write_text("no certificate")
    for file, says in (("ca.pem", "TLS files cannot be used"), ("other.pem", "is not there")):
        config.write_text(f'[hall]\nbroker = "mqtts://hall"\nca_file = "{tmp_path / file}"\n')
        assert says in refused("hall", "--config", config)


@pytest.mark.enable_socket
def test_a_refused_password_is_one_line_at_the_start(tmp_path: Path) -> None:
    passwords, secret = tmp_path / "passwords", tmp_path / "secret"
    secret.write_text("wrong\n")
    made = ["mosquitto_passwd", "-b", "-c", str(passwords), "ana", "right"]
    with Mosquitto(tmp_path, f"password_file {passwords}", make_first=made) as mosquitto:
        config = tmp_path / "table.toml"
        config.write_text(
            f'[hall]\nbroker = "{mosquitto.address}"\nusername = "ana"\npassword_file = "{secret}"\n',
            encoding="utf-8",
        )
        told = refused("hall", "--config", config, "--port", 0)
    assert told.startswith(f"{mosquitto.address}: the broker refuses the user's name or the password")


def test_standings_are_read_again_and_kept_while_the_book_is_broken(tmp_path: Path) -> None:
    from referee.tournament.store import write_book

    file = tmp_path / "night.toml"
    write_book(file, played(begun(6), 1))
    standings = StandingsFile(file)
    title, places, fault = standings.now()
    assert (title, [one.place for one in places], fault) == ("Club night", [1, 2, 3, 4, 5, 6], "")
    file.write_text("broken")
    assert standings.now()[1] == places
    assert "is not TOML" in standings.now()[2]
    write_book(file, played(begun(7), 2))
    assert (len(standings.now()[1]), standings.now()[2]) == (7, "")
