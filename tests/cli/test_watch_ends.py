"""Ctrl-C at a live table: it ends in order, and says where the session lies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.session.log import verify
from tests.cli.test_replay import grey_film


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "kill"])
def test_a_table_that_is_served_and_recorded_ends_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    grey_film(tmp_path / "table.mkv", sound=False, seconds=60)
    said = tmp_path / "said"
    command = [sys.executable, "-c", "from referee.cli.main import app; app()", "watch", "--camera", "table.mkv"]
    with said.open("w", encoding="utf-8") as out:
        table = subprocess.Popen(
            [*command, "--record", "friday", "--port", "0"],
            cwd=tmp_path,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "XDG_CONFIG_HOME": str(tmp_path)},
        )
        try:
            end_s = time.monotonic() + 60
            while "The referee's page: http://127.0.0.1:" not in said.read_text(encoding="utf-8"):
                assert table.poll() is None, said.read_text(encoding="utf-8")
                assert time.monotonic() < end_s
                time.sleep(0.1)
            time.sleep(1.0)
            table.send_signal(number)
            assert table.wait(20) == 0
        finally:
            table.kill()
    text = said.read_text(encoding="utf-8")
    assert "The session lies in friday" in " ".join(text.split())
    assert "Traceback" not in text
    log = tmp_path / "friday" / "log.jsonl"
    assert verify(log) == []
    assert json.loads(log.read_text(encoding="utf-8").splitlines()[-1])["what"] == "closed"
