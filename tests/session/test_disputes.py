"""Handing a case on, checking what was recorded, and deleting it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from referee.capture.media import MediaWriter, probe
from referee.faults import InputFault
from referee.session.case_bundle import write_case
from referee.session.checking import check_case, check_session
from referee.session.folder import MEDIA_FOLDER, log_of, segment_name
from referee.session.forgetting import forget_all, forget_media
from referee.session.incidents import incidents_of
from referee.session.keeping import keep_moment
from referee.session.lock import SessionLock
from referee.session.recorded_frames import frames_at
from referee.session.rejudging import judge_log
from tests.session.drawn_log import PLAN
from tests.session.recorded_evening import record
from tests.session.test_putting_right import NINE_FOR_SIX

PIECE_S, RATE_HZ = 4.0, 10


def shade(t_s: float) -> int:
    """How bright the made-up picture is: it tells its own time."""
    return 30 + round(t_s * 25)


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of two pieces, 8 s in all, with one foul at 2 s."""
    folder = record(tmp_path_factory.mktemp("filmed") / "evening", NINE_FOR_SIX)
    for n in range(2):
        path = folder / MEDIA_FOLDER / segment_name(n + 1, n * PIECE_S)
        with MediaWriter(path, width_px=160, height_px=120, frame_rate_hz=RATE_HZ) as writer:
            for i in range(round(PIECE_S * RATE_HZ)):
                t_s = n * PIECE_S + i / RATE_HZ
                writer.picture(np.full((120, 160, 3), shade(t_s), np.uint8))
                writer.sound(np.zeros(1600, np.int16))
    return folder


@pytest.fixture
def evening(filmed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filmed, tmp_path / "evening"))


@pytest.fixture(scope="module")
def bundle(filmed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("case") / "case-1.zip"
    lines = log_of(filmed)
    assert write_case(filmed, PLAN, lines, incidents_of(lines, PLAN)[0], out) == []
    return out


def test_frames_are_those_of_the_moments(filmed: Path) -> None:
    found = frames_at(filmed, [0.5, 3.95, 4.2, 7.9, 20.0])
    assert sorted(found) == [0.5, 3.95, 4.2, 7.9]
    for t_s, image in found.items():
        assert float(image.mean()) == pytest.approx(shade(t_s), abs=5)


def test_a_bundle_holds_all_that_the_ruling_rests_on(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as files:
        names = set(files.namelist())
        facts = json.loads(files.read("case.json"))
    assert {"index.html", "clip.mp4", "frame-1-v1.jpg", "case.json", "log.jsonl", "session.toml"} < names
    assert facts["ruling"]["incident"] == "illegal_play"
    assert [row["id"] for row in facts["observations"]] == ["v1"]
    assert facts["rule"]["sources"]
    assert facts["versions"]["referee"]
    assert all(len(model["sha256"]) == 64 for model in facts["models"])


def test_the_clip_shows_the_moment(bundle: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(bundle) as files:
        files.extract("clip.mp4", tmp_path)
        facts = json.loads(files.read("case.json"))
    clip = probe(tmp_path / "clip.mp4")
    assert clip.has_video
    assert clip.has_audio
    assert facts["clip"]["from_s"] <= 2.0 <= facts["clip"]["until_s"]


def test_the_page_needs_nothing_from_outside(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as files:
        page, names = files.read("index.html").decode(), set(files.namelist())

    class Sources(HTMLParser):
        found: list[str] = []  # noqa: RUF012

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.found += [str(value) for name, value in attrs if name in ("src", "href")]

    parser = Sources()
    parser.feed(page)
    assert parser.found
    assert set(parser.found) <= names
    assert "Ana (P1)" in page


def test_the_same_case_twice_is_the_same_file(filmed: Path, bundle: Path, tmp_path: Path) -> None:
    lines = log_of(filmed)
    write_case(filmed, PLAN, lines, incidents_of(lines, PLAN)[0], tmp_path / "again.zip")
    with zipfile.ZipFile(bundle) as one, zipfile.ZipFile(tmp_path / "again.zip") as two:
        for name in one.namelist():
            assert one.read(name) == two.read(name), name


def test_anyone_can_check_the_bundle_without_this_software(bundle: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(bundle) as files:
        files.extractall(tmp_path)
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path, check=True)
    page = (tmp_path / "index.html").read_text()
    script = page.split("<pre>")[1].split("</pre>")[0].replace("&#34;", '"').replace("&quot;", '"')
    said = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "lines, the last hash is" in said.stdout
    assert "changed" not in said.stdout


def rewrite(bundle: Path, change: Callable[[str, bytes], bytes]) -> None:
    with zipfile.ZipFile(bundle) as files:
        content = {name: files.read(name) for name in files.namelist()}
    with zipfile.ZipFile(bundle, "w") as files:
        for name, data in content.items():
            files.writestr(name, change(name, data))


def test_a_changed_bundle_is_named(bundle: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(bundle, tmp_path / "case.zip"))
    assert check_case(copy) == []
    rewrite(copy, lambda name, data: data.replace(b'"G9"', b'"G6"', 1) if name == "log.jsonl" else data)
    assert check_case(copy) == ["log.jsonl: was changed", "log.jsonl: line 1: was changed after it was written"]


def test_a_changed_byte_of_the_log_is_named_and_an_older_bundle_still_verifies(evening: Path, bundle: Path) -> None:
    log = evening / "log.jsonl"
    assert check_session(evening) == []
    log.write_bytes(log.read_bytes().replace(b'"card":"G6"', b'"card":"G7"', 1))
    assert check_session(evening) == ["log.jsonl: line 2: was changed after it was written"]
    assert check_case(bundle) == []


def test_no_bundle(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK rubbish")
    with pytest.raises(InputFault, match="cannot be read"):
        check_case(tmp_path / "x.zip")


def test_a_case_can_be_handed_on_after_its_media_are_gone(evening: Path, tmp_path: Path) -> None:
    forget_media(evening)
    lines = log_of(evening)
    remarks = write_case(evening, PLAN, lines, incidents_of(lines, PLAN)[0], tmp_path / "case.zip")
    assert any("no picture of the moment is left" in remark for remark in remarks)
    assert check_case(tmp_path / "case.zip") == []


def test_media_are_forgotten_and_the_log_says_so(evening: Path) -> None:
    fouls = len(judge_log(log_of(evening), PLAN).rulings)
    assert forget_media(evening) > 1000
    assert list((evening / MEDIA_FOLDER).iterdir()) == []
    last = log_of(evening)[-1]
    assert (last.type, last.payload["what"], last.payload["files"]) == ("state", "media deleted", 2)
    assert len(judge_log(log_of(evening), PLAN).rulings) == fouls
    assert check_session(evening) == []


def test_all_is_forgotten(evening: Path) -> None:
    forget_all(evening)
    assert not evening.exists()


def test_only_a_session_is_ever_deleted(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(InputFault, match="no recorded session"):
        forget_all(tmp_path)
    assert (tmp_path / "letters.txt").exists()


def test_a_session_in_use_is_not_deleted(evening: Path) -> None:
    with SessionLock(evening), pytest.raises(InputFault, match="in use"):
        forget_all(evening)
    assert (evening / "log.jsonl").exists()


def test_an_exported_moment_is_marked_to_be_kept_once(evening: Path) -> None:
    case = incidents_of(log_of(evening), PLAN)[0]
    assert keep_moment(evening, case)
    assert keep_moment(evening, case)
    marks = [line.payload for line in log_of(evening) if line.type == "mark"]
    assert [(mark["from_s"], mark["until_s"]) for mark in marks] == [(0.0, 17.0)]
