"""Deletes what was recorded of an evening: its media, or all of it."""

from __future__ import annotations

import shutil
from pathlib import Path

from referee.faults import InputFault
from referee.session.folder import MEDIA_FOLDER, log_of
from referee.session.lock import LOCK_FILE, SessionLock
from referee.session.log import LOG_FILE, SessionLog
from referee.session.plan import SESSION_FILE

DERIVED = ("*.jpg", "*.zip", "clip*.mp4")
"""Pictures and clips that commands may have left in the folder: they show people too."""


def forget_media(folder: Path) -> int:
    """Delete picture and sound of a session and say so in its log; returns how many bytes went.

    The log stays: the evening can still be judged from it. Raises InputFault while another process holds it.
    """
    _check(folder)
    with SessionLock(folder):
        files = [p for p in (folder / MEDIA_FOLDER).rglob("*") if p.is_file()]
        files += [p for pattern in DERIVED for p in folder.glob(pattern)]
        size = sum(path.stat().st_size for path in files)
        for path in files:
            path.unlink()
        log = SessionLog(folder / LOG_FILE)
        last_s = max((line.t_s for line in log_of(folder)), default=0.0)
        log.append("state", last_s, {"what": "media deleted", "files": len(files), "bytes": size})
        log.close()
    return size


def forget_all(folder: Path) -> int:
    """Delete the whole session folder; returns how many bytes went. Raises InputFault as `forget_media` does."""
    _check(folder)
    with SessionLock(folder):
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        for path in sorted(folder.iterdir(), key=lambda p: p.name == LOCK_FILE):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    folder.rmdir()
    return size


def _check(folder: Path) -> None:
    """Nothing but a session's folder is ever deleted."""
    if not ((folder / SESSION_FILE).is_file() and (folder / LOG_FILE).is_file()):
        raise InputFault(
            "is no recorded session", where=str(folder), mend="name a folder with session.toml and log.jsonl"
        )
