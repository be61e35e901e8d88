"""Input that no command can use: one line that says what, where and how to mend it; exit status 2, no traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Referee

SESSION = 'format = 1\nprofile = "classic-108"\nmedia = ["table.mkv"]\n[players]\nP1 = "Ana"\nP2 = "Bruno"\n'
TABLE = "watch --camera off --microphone off --no-pages"
NO_LOG = "log.jsonl: is not there (name a recorded session folder)"
NO_PROFILE = "there is no profile 'nowhere' (`referee rules list` names them"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a folder, an empty one, TOML that is none, text that is nothing else, and half a session."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "wrong.toml").write_text("table = [\n", encoding="utf-8")
    (tmp_path / "text.txt").write_text("hello\n", encoding="utf-8")
    (tmp_path / "game.ugn").write_text('[UGN "1"]\nP1: R5\n', encoding="utf-8")
    for name, text in (("half", SESSION), ("broken", "format = 1\nmedia = [\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "session.toml").write_text(text, encoding="utf-8")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "own"))
    return tmp_path


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("replay missing", "missing: is not there (check the name)"),
        ("replay folder", "folder: has no session.toml (give a session folder or a video file)"),
        ("replay broken", "broken/session.toml: is not TOML"),
        ("replay half", "half/session.toml: names table.mkv, which is not there (restore the file)"),
        ("read missing.jpg", "missing.jpg: is not there"),
        ("read folder", "folder: holds no pictures"),
        ("read text.txt", "text.txt: is no picture that can be read"),
        ("read text.txt --deck none", "no deck 'none' is enrolled"),
        ("accuracy missing", "missing: holds no pictures"),
        ("hear missing.wav", "missing.wav: is not there"),
        ("hear folder", "folder: is a folder, not a recording (name a file in it)"),
        ("hear text.txt --language la", "no phrase pack for 'la' (choose one of"),
        ("hear text.txt --words wrong.toml", "wrong.toml: is no valid TOML"),
        ("hear text.txt --model missing", "missing: there is no such speech model folder (check --model)"),
        ("judge missing.ugn", "missing.ugn: cannot be read: no such file or directory (check the path)"),
        ("judge folder", "folder: cannot be read: is a directory (check the path)"),
        ("judge game.ugn --profile nowhere", NO_PROFILE),
        ("judge game.ugn --profile wrong.toml", "wrong.toml:1: is not TOML: Invalid value (mend that line)"),
        ("judge game.ugn --profile folder", "folder: cannot be read: is a directory"),
        ("rules show nowhere", NO_PROFILE),
        ("rules show missing.toml", "missing.toml: cannot be read: no such file or directory"),
        ("rules diff classic-108 nowhere", NO_PROFILE),
        ("score missing", "missing: is no folder"),
        ("score folder", "folder: holds no finished session"),
        ("review missing", f"missing/{NO_LOG}"),
        ("review text.txt", f"text.txt/{NO_LOG}"),
        ("correct text.txt undo", f"text.txt/{NO_LOG}"),
        ("export folder --incident 1", "folder: has no session.toml"),
        ("serve text.txt", f"text.txt/{NO_LOG}"),
        ("verify missing", "missing: is not there (name a session or a case bundle)"),
        ("verify text.txt", "text.txt: cannot be read: File is not a zip file"),
        ("forget missing --yes", "missing: is no recorded session"),
        ("forget folder --yes", "folder: is no recorded session"),
        ("repair folder", "folder: has no session.toml"),
        ("archive missing rejudge", "missing: is no folder"),
        ("archive folder rejudge", "holds no session: no folder with a session.toml"),
        (f"{TABLE} --config missing.toml", "missing.toml: is not there"),
        (f"{TABLE} --config folder", "folder: cannot be read: Is a directory (name a file you may read)"),
        (f"{TABLE} --config wrong.toml", "wrong.toml: is not TOML"),
        (f"{TABLE} --profile nowhere", NO_PROFILE),
        (f"{TABLE} --language la", "no phrase pack for 'la' (choose one of"),
        (f"{TABLE} --players Ana", "--players: 1 player (2 to 10 can play)"),
        (f"{TABLE} --players Ana,Bo --dealer P9", "--dealer: P9 does not sit at this table"),
        (f"{TABLE} --calibration missing.toml", "missing.toml: is not there (run `referee calibrate`)"),
        (f"{TABLE} --calibration folder", "folder: is a folder, not a calibration (run `referee calibrate`)"),
        (f"{TABLE} --record text.txt/new", "text.txt/new: cannot be written: Not a directory (name another folder)"),
        ("watch --camera missing.mkv --no-pages", "missing.mkv: is not there (check the name)"),
        ("config check missing.toml", "missing.toml: is not there"),
        ("deck enrol missing --name mine", "missing: is no folder (name the folder with a photo of each face)"),
        ("export half", "Missing option '--incident' (`referee export --help`)"),
        ("review half --overtrun 2", "No such option: --overtrun"),
        ("serve half --port 99999", "Invalid value for '--port'"),
        ("train detector --out text.txt", "Invalid value for '--out'"),
        ("juge game.ugn", "No such command 'juge'"),
        ("deck enrol folder --name ../mine", "a deck cannot be called '../mine'"),
        ("models get xx", "no speech model is called 'xx' (choose"),
        ("calibrate sheet --out sheet.gif", "sheet.gif: is no form of the sheet (end it with .pdf, .svg, .png)"),
        ("calibrate solve missing.mp4", "missing.mp4: is not there"),
        ("calibrate verify missing.toml text.txt", "missing.toml: cannot be read: No such file or directory"),
        ("calibrate voices P11=text.txt", "'P11' is not a seat"),
        ("tournament new night.toml --title X --players missing.csv", "missing.csv: cannot be read"),
        ("tournament pair missing.toml", "missing.toml: is not there (begin one with `referee tournament new FILE`)"),
        ("tournament standings wrong.toml", "wrong.toml: is not TOML"),
        ("hall --broker nonsense", "nonsense: is no address of a broker (give mqtt://HOST"),
        ("synth film missing.ugn --out film", "missing.ugn: cannot be read as text (give a .ugn file)"),
    ],
)
def test_one_line_says_what_is_wrong(referee: Referee, desk: Path, command: str, says: str) -> None:
    done = referee(*command.split(), cwd=desk)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("referee: ")
    assert says in done.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="whoever may read everything is refused nothing")
@pytest.mark.parametrize("command", ["judge shut.ugn", "rules show shut.ugn", "replay shut.ugn", "read shut.ugn"])
def test_a_file_that_one_may_not_read(referee: Referee, desk: Path, command: str) -> None:
    (desk / "shut.ugn").write_text("P1: R5\n", encoding="utf-8")
    (desk / "shut.ugn").chmod(0)
    done = referee(*command.split(), cwd=desk)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "shut.ugn" in done.stderr
    assert "read" in done.stderr or "Permission denied" in done.stderr
