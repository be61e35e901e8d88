"""The log: lines only added, each vouching for the one before; nothing changed, cut or lost goes unnoticed."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.session.log import SessionLog, read_log, verify

DOCS = Path(__file__).parents[2] / "docs" / "session-folder.md"


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    log = SessionLog(tmp_path / "log.jsonl")
    for i in range(6):
        log.append("observation", i * 1.5, {"id": f"v{i}", "kind": "arm_seen", "words": "é"})
    log.close()
    return log.path


def test_what_was_written_is_read_back(log_file: Path) -> None:
    read = read_log(log_file)
    assert read.problems == []
    assert [(line.n, line.id, line.t_s) for line in read.lines] == [(i + 1, f"v{i}", i * 1.5) for i in range(6)]
    assert read.lines[3].payload == {"kind": "arm_seen", "words": "é"}


def test_a_changed_byte_is_reported_with_its_line(log_file: Path) -> None:
    data = log_file.read_bytes()
    starts = [0, *(i + 1 for i, byte in enumerate(data) if byte == 10)]
    for position in range(0, len(data) - 1, 7):
        if data[position] == 10:
            continue
        changed = bytearray(data)
        changed[position] ^= 1
        log_file.write_bytes(changed)
        number = sum(start <= position for start in starts)
        assert number in {problem.line for problem in verify(log_file)}, position


@pytest.mark.parametrize("gone", [0, 2, 4])
def test_a_missing_line_shows_at_the_next(log_file: Path, gone: int) -> None:
    rows = log_file.read_bytes().splitlines(keepends=True)
    log_file.write_bytes(b"".join(rows[:gone] + rows[gone + 1 :]))
    assert [problem.line for problem in verify(log_file)] == [gone + 1]


def test_lines_cut_off_at_the_end_break_the_seal(log_file: Path) -> None:
    seal = read_log(log_file).lines[-1]
    rows = log_file.read_bytes().splitlines(keepends=True)
    log_file.write_bytes(b"".join(rows[:-2]))
    assert verify(log_file) == []
    assert [str(p) for p in verify(log_file, lines=6, last_hash=seal.hash)] == [
        "line 5: lines from here to 6 are missing"
    ]


def test_a_log_written_anew_breaks_the_seal(log_file: Path) -> None:
    seal = read_log(log_file).lines[-1]
    log_file.unlink()
    log = SessionLog(log_file)
    for i in range(7):
        log.append("observation", i, {"kind": "arm_seen"})
    log.close()
    assert verify(log_file) == []
    assert [p.line for p in verify(log_file, lines=6, last_hash=seal.hash)] == [6]


def test_the_check_in_the_docs_finds_the_same(log_file: Path) -> None:
    script = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert script is not None

    def says() -> str:
        run = [sys.executable, "-c", script[1], str(log_file)]
        return subprocess.run(run, capture_output=True, text=True, check=True, timeout=30).stdout

    assert says().startswith("6 lines, the last hash is " + read_log(log_file).lines[-1].hash)
    log_file.write_bytes(log_file.read_bytes().replace(b'"v3"', b'"w3"'))
    assert "line 4 was changed" in says()


def test_a_half_written_last_line_is_set_aside_and_named(log_file: Path) -> None:
    whole = log_file.read_bytes()
    for cut in (1, 30, 200):
        log_file.write_bytes(whole[: len(whole) - cut])
        log = SessionLog(log_file)
        log.close()
        assert [problem.line for problem in log.problems] == [6]
        last = read_log(log_file).lines[-1]
        assert (last.n, last.payload["what"]) == (6, "half line set aside")
        aside = log_file.with_name(last.payload["file"])
        assert whole.endswith(aside.read_bytes() + whole[len(whole) - cut :])
        assert verify(log_file) == []


def test_zeros_after_a_power_cut_are_set_aside(log_file: Path) -> None:
    log_file.write_bytes(log_file.read_bytes() + bytes(512) + b"\n" + bytes(100))
    log = SessionLog(log_file)
    assert (log.lines, log.path.with_name("log.tail-1").stat().st_size) == (7, 613)
    log.close()
    assert verify(log_file) == []


def test_a_log_is_continued_where_it_ended(log_file: Path) -> None:
    log = SessionLog(log_file)
    assert log.append("gap", 12.0, {"what": "stopped"}) == "L7"
    with pytest.raises(ValueError, match="already has a line 'v3'"):
        log.append("observation", 13.0, {"id": "v3"})
    log.close()
    assert verify(log_file) == []


@pytest.mark.parametrize(
    ("kind", "payload", "says"),
    [("opinion", {}, "unknown kind"), ("state", {"hash": "x"}, "own key"), ("state", {"v": float("nan")}, "JSON")],
)
def test_what_is_no_line_is_refused(log_file: Path, kind: str, payload: dict[str, object], says: str) -> None:
    log = SessionLog(log_file)
    with pytest.raises(ValueError, match=says):
        log.append(kind, 1.0, payload)
    log.close()
    assert verify(log_file) == []


def test_a_log_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="is not there"):
        read_log(tmp_path / "log.jsonl")


def test_s4_disk_full_while_the_log_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reserve goes first; then lines wait in memory; when there is room again nothing is missing."""
    log = SessionLog(tmp_path / "log.jsonl")
    reserve = tmp_path / "log.reserve"
    write, room = os.write, 700

    def full(file: int, data: bytes) -> int:
        nonlocal room
        if len(data) > room and reserve.exists():
            wrote = write(file, data[:room])  # a disk may take half of a line
            room = 0
            return wrote
        if not reserve.exists() and room == 0:
            room = 600  # what the reserve gave back
        if len(data) > room:
            raise OSError(errno.ENOSPC, "No space left on device")
        room -= len(data)
        return write(file, data)

    monkeypatch.setattr("referee.session.log.os.write", full)
    for i in range(10):
        log.append("ruling", float(i), {"text": "x" * 60})
    assert not reserve.exists()
    assert 0 < log.waiting < 10
    assert verify(log.path) == []  # whole lines only, at every moment
    monkeypatch.setattr("referee.session.log.os.write", write)
    log.append("state", 10.0, {"what": "room again"})
    assert log.waiting == 0
    log.close()
    assert [line.n for line in read_log(log.path).lines] == list(range(1, 12))
    assert verify(log.path) == []
