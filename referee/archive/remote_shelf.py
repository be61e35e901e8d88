"""The only door to fsspec: sessions on another machine or in a store, copied to the worker that judges them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from referee.archive.shelves import is_hashed, names_in
from referee.archive.tasks import NotDone
from referee.faults import InputFault
from referee.session.folder import MEDIA_FOLDER

SPARE_BYTES = 200_000_000
"""Room that stays free on a worker's disk."""


class RemoteShelf:
    """Sessions below a URL that fsspec opens. Raises InputFault when it cannot."""

    def __init__(self, root: str) -> None:
        self.root = root
        try:
            import fsspec
        except ImportError:
            raise InputFault(
                "fsspec is not installed", where=root, mend="pip install 'uno-table-referee[cluster]'"
            ) from None
        with _reached(root):
            self._files, self._path = fsspec.core.url_to_fs(root)

    def sessions(self) -> list[str]:
        """The names of the sessions, sorted."""
        with _reached(self.root):
            if not self._files.isdir(self._path):
                raise FileNotFoundError(f"no folder {self._path}")
            return names_in(self._files.walk(self._path, on_error="raise"), self._path)

    def read(self, name: str, file: str) -> bytes | None:
        """The content of a file of a session, None if there is none."""
        with _reached(f"{self.root}/{name}/{file}"):
            try:
                return bytes(self._files.cat_file(f"{self._place(name)}/{file}"))
            except FileNotFoundError:
                return None

    def prints(self, name: str, *, media: bool) -> list[tuple[str, str]]:
        """A session's files, sorted: SHA-256 of small ones, sizes of media."""
        found = []
        for file, size in self._listed(name, media=media):
            own = PurePosixPath(file).relative_to(PurePosixPath(self._place(name)))
            if str(own.parent) == MEDIA_FOLDER:
                found.append((str(own), str(size)))
            elif is_hashed(str(own)) and (content := self.read(name, str(own))) is not None:
                found.append((str(own), hashlib.sha256(content).hexdigest()))
        return sorted(found)

    def at_hand(self, name: str, room: Path, *, media: bool) -> Path:
        """A copy of the session in `room`. Raises NotDone when the disk has no room for it."""
        files = self._listed(name, media=media)
        size, free = sum(size for _, size in files), shutil.disk_usage(room).free
        if free < size + SPARE_BYTES:
            raise NotDone("left", f"no room for it on this worker's disk: it needs {_mb(size)}, {_mb(free)} are free")
        folder = room / "session"
        for file, _ in files:
            to = folder / PurePosixPath(file).relative_to(PurePosixPath(self._place(name)))
            to.parent.mkdir(parents=True, exist_ok=True)
            with _reached(f"{self.root}/{name}"):
                self._files.get_file(file, str(to))
        return folder

    def _place(self, name: str) -> str:
        return self._path if name == "." else f"{self._path.rstrip('/')}/{name}"

    def _listed(self, name: str, *, media: bool) -> list[tuple[str, int]]:
        """Path and size of the session's own files, and of its media where they are wanted."""
        place = self._place(name)
        with _reached(f"{self.root}/{name}"):
            entries: list[dict[str, Any]] = self._files.ls(place, detail=True)
            if media and self._files.isdir(f"{place}/{MEDIA_FOLDER}"):
                entries += self._files.ls(f"{place}/{MEDIA_FOLDER}", detail=True)
        return sorted((str(e["name"]), int(e["size"] or 0)) for e in entries if e["type"] == "file")


def _mb(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:,.0f} MB"


@contextmanager
def _reached(where: str) -> Iterator[None]:
    """Every store has its own faults: each is told as what cannot be read; a full disk stays what it is."""
    try:
        yield
    except (InputFault, NotDone):
        raise
    except Exception as fault:
        if isinstance(fault, OSError) and fault.errno is not None and not isinstance(fault, FileNotFoundError):
            raise
        raise InputFault(
            f"cannot be reached: {fault or type(fault).__name__}", where=where, mend="check the URL and its access"
        ) from None
