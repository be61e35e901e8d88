"""Debian's mosquitto on a free port of this machine, as a club would run it; tests may kill it and start it again."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.hall.broker import Broker

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Mosquitto:
    """A broker of one's own. lines: of its configuration besides the listener."""

    def __init__(
        self, folder: Path, *lines: str, port: int | None = None, make_first: list[str] | None = None
    ) -> None:
        if MOSQUITTO is None:
            pytest.skip("mosquitto is not installed (Debian: apt install mosquitto)")
        if make_first:
            subprocess.run(make_first, check=True, capture_output=True)
        self.port = port or free_port()
        self._config = folder / "mosquitto.conf"
        own_user = ("user root",) if os.geteuid() == 0 else ()  # else it could not read what tests give it
        rights = () if any(line.startswith("password_file") for line in lines) else ("allow_anonymous true",)
        said = [f"listener {self.port} 127.0.0.1", *own_user, *rights, *lines]
        self._config.write_text("\n".join(said) + "\n", encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    @property
    def broker(self) -> Broker:
        return Broker("127.0.0.1", self.port)

    def __enter__(self) -> Mosquitto:
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        assert MOSQUITTO is not None
        log = self._config.with_suffix(".log")
        with log.open("ab") as out:
            self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._config)], stdout=out, stderr=out)
        try:
            wait_until(self._listens)
        except AssertionError:
            self.kill()
            raise

    def kill(self) -> None:
        """Kill it: nothing that it kept is left, for it keeps nothing on disk."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(5.0)
            self._process = None

    def _listens(self) -> bool:
        with socket.socket() as probe:
            probe.settimeout(0.2)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def wait_until(condition: Callable[[], object], within_s: float = 8.0) -> None:
    """Fails when `condition` does not come true in time."""
    end_s = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end_s, "it did not come true in time"
        time.sleep(0.01)
