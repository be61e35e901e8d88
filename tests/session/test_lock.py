"""One referee at a session, and no false alarm about how the last one ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.session.lock import LOCK_FILE, SessionLock, was_cut_off

HOLD = """
import sys, time
from pathlib import Path
from referee.session.lock import SessionLock
SessionLock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def test_two_processes_on_one_session(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InputFault, match=f"in use by process {holder.pid}"):
            SessionLock(tmp_path)
        assert not was_cut_off(tmp_path)
    finally:
        holder.kill()
        holder.wait()
        if holder.stdout:
            holder.stdout.close()
    # killed, it keeps nobody out, and its end is known
    assert was_cut_off(tmp_path)
    with SessionLock(tmp_path) as lock:
        assert lock.crashed is not None
        assert lock.crashed.pid == holder.pid


def test_a_clean_end_leaves_nothing(tmp_path: Path) -> None:
    with SessionLock(tmp_path) as lock:
        assert lock.crashed is None
        assert json.loads((tmp_path / LOCK_FILE).read_text())["pid"] == os.getpid()
    assert list(tmp_path.iterdir()) == []
    assert not was_cut_off(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"pid": 1, "boot_id": "another boot"}),  # the machine was started anew
        json.dumps({"pid": os.getpid(), "boot_id": ""}),  # the number is somebody else's now
        "{",  # cut off itself
        "",
    ],
    ids=["another boot", "another process", "cut off", "empty"],
)
def test_s7_a_stale_lock_keeps_nobody_out(tmp_path: Path, content: str) -> None:
    """A false "in use" after a power cut (obs-studio #10833): the file is there, its process is not."""
    (tmp_path / LOCK_FILE).write_text(content)
    with SessionLock(tmp_path) as lock:
        assert (lock.crashed is None) is (len(content) < 3)
    assert not (tmp_path / LOCK_FILE).exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="cannot be written"):
        SessionLock(tmp_path / "nowhere")
