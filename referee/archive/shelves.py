"""Where sessions lie: a folder, or what a URL names. A worker is given the session as a folder of its own machine."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Protocol

from referee.faults import InputFault
from referee.session.folder import GAME_FILE, MEDIA_FOLDER
from referee.session.log import LOG_FILE, RESERVE_FILE
from referee.session.plan import SESSION_FILE

_PASSED_OVER = frozenset({GAME_FILE, RESERVE_FILE, "session.lock"})
"""Files that follow from the others, or that a running referee keeps for itself."""


class Shelf(Protocol):
    """Sessions in one place. root: the folder or URL, as any worker opens it."""

    root: str

    def sessions(self) -> list[str]:
        """The names of the sessions, sorted: their paths below the root. Raises InputFault when it cannot be read."""
        ...

    def read(self, name: str, file: str) -> bytes | None:
        """The content of a file of a session, None if there is none. Raises InputFault when it cannot be read."""
        ...

    def prints(self, name: str, *, media: bool) -> list[tuple[str, str]]:
        """A session's files, sorted: SHA-256 of small ones, sizes of media. Raises InputFault."""
        ...

    def at_hand(self, name: str, room: Path, *, media: bool) -> Path:
        """The session as a folder on this machine, copied into `room` if need be. Raises InputFault, OSError."""
        ...


def open_shelf(root: str) -> Shelf:
    """The shelf at a folder or a URL (`sftp://host/archive`). Raises InputFault when there is none."""
    if "://" in root or "::" in root:
        from referee.archive.remote_shelf import RemoteShelf

        return RemoteShelf(root)
    return FolderShelf(root)


def names_in(walk: Iterable[tuple[str, list[str], list[str]]], root: str) -> list[str]:
    """The sessions that a walk (folder, its folders, its files) from `root` meets; it goes into none of them."""
    found = []
    for folder, folders, files in walk:
        if SESSION_FILE in files or LOG_FILE in files:
            below = PurePosixPath(Path(folder).as_posix()).relative_to(PurePosixPath(Path(root).as_posix()))
            found.append(str(below))
            folders[:] = []
        else:
            folders[:] = [name for name in folders if not name.startswith(".")]
    return sorted(found)


def is_hashed(file: str) -> bool:
    """Whether a file beside a session's log bears on how it is judged."""
    return file not in _PASSED_OVER and not file.startswith("log.tail")


class FolderShelf:
    """Sessions below a folder of this machine, or one that every worker sees under the same path."""

    def __init__(self, root: str) -> None:
        path = Path(root).resolve()
        if not path.is_dir():
            raise InputFault("is no folder", where=root, mend="name a folder of recorded sessions")
        self.root = str(path)

    def sessions(self) -> list[str]:
        """The names of the sessions, sorted."""
        return names_in(os.walk(self.root), self.root)

    def read(self, name: str, file: str) -> bytes | None:
        """The content of a file of a session, None if there is none."""
        with _readable(f"{name}/{file}"):
            try:
                return (Path(self.root) / name / file).read_bytes()
            except FileNotFoundError:
                return None

    def prints(self, name: str, *, media: bool) -> list[tuple[str, str]]:
        """A session's files, sorted: SHA-256 of small ones, sizes of media."""
        folder = Path(self.root) / name
        with _readable(name):
            small = [path for path in folder.iterdir() if path.is_file() and is_hashed(path.name)]
            found = [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in small]
            if media and (folder / MEDIA_FOLDER).is_dir():
                pieces = (path for path in (folder / MEDIA_FOLDER).iterdir() if path.is_file())
                found += [(f"{MEDIA_FOLDER}/{path.name}", str(path.stat().st_size)) for path in pieces]
        return sorted(found)

    def at_hand(self, name: str, room: Path, *, media: bool) -> Path:  # noqa: ARG002 - it lies here already
        """The session's own folder: nothing is copied and nothing written into it."""
        return Path(self.root) / name


@contextmanager
def _readable(where: str) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise InputFault(f"cannot be read: {fault.strerror}", where=where, mend="check its rights") from None
