"""Who works on a session: one referee at a time, and whether the last one ended well (S7)."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from referee.faults import InputFault
from referee.session.clock import boot_id

LOCK_FILE = "session.lock"


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds or held a session. boot: the machine's boot it ran in."""

    pid: int
    boot: str


class SessionLock:
    """Holds the session in `folder` until `release`; a context manager.

    crashed: who held it before and did not release it, None after a clean end. Raises InputFault while another
    process holds it. The system drops a dead process's lock, so a stale file (another boot, a pid that is now
    somebody else's) never keeps anybody out.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK_FILE
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        except OSError as fault:
            raise InputFault(
                f"cannot be written: {fault.strerror}", where=str(folder), mend="check its rights"
            ) from None
        before = _read(self._file)
        if not _taken(self._file):
            os.close(self._file)
            by = f"process {before.pid}" if before else "another process"
            raise InputFault(f"is in use by {by}", where=str(folder), mend="end that one first")
        if not self._path.exists() or os.fstat(self._file).st_ino != self._path.stat().st_ino:
            os.close(self._file)  # its holder ended just now and removed it
            self.__init__(folder)  # type: ignore[misc]
            return
        self.crashed = before
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, json.dumps({"pid": os.getpid(), "boot_id": boot_id()}).encode() + b"\n", 0)

    def release(self) -> None:
        """The end was clean: leaves no file behind."""
        self._path.unlink(missing_ok=True)
        os.close(self._file)

    def __enter__(self) -> SessionLock:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.release()


def was_cut_off(folder: Path) -> bool:
    """Whether a referee that worked on `folder` ended without closing it and none works on it now."""
    try:
        file = os.open(folder / LOCK_FILE, os.O_RDWR)
    except OSError:
        return False
    try:
        return _taken(file)
    finally:
        os.close(file)


def _read(file: int) -> Holder | None:
    try:
        data = json.loads(os.pread(file, 1000, 0))
        return Holder(int(data["pid"]), str(data.get("boot_id", "")))
    except (ValueError, KeyError, TypeError, OSError):
        return None


def _taken(file: int) -> bool:
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
