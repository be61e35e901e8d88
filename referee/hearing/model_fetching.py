"""Fetches a speech model once: the only module of the referee that opens a connection, and only `models get` uses it.

What arrives is kept in `NAME.zip.part`, so that a broken download goes on from where it stopped. The archive is
checked before it is unpacked, and unpacked beside its final place, so that there is never half a model.
"""

from __future__ import annotations

import errno
import hashlib
import http.client
import os
import shutil
import stat
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from referee.faults import InputFault
from referee.hearing.model_catalogue import SpeechModel
from referee.hearing.model_folder import checked_model_folder
from referee.hearing.model_store import UNPACKING

Progress = Callable[[int, int], None]
"""(bytes that are here, bytes in all or 0)."""

_PIECE = 1 << 16
_TIMEOUT_S = 30.0
_UNPACKED_TIMES = 4
"""A model takes about twice its archive when unpacked: more than this is refused."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A model that is in place. sha256: of the archive that came; expected: whether it was known beforehand."""

    folder: Path
    sha256: str
    expected: bool
    size_bytes: int


def fetch(model: SpeechModel, store: Path, progress: Progress | None = None) -> Fetched:
    """Fetch, verify and unpack `model` into `store / model.name`.

    Raises InputFault, one line each, for an unreachable or failing server, a broken connection (what came is kept),
    a full disk, an archive with another hash, one that is cut or would write outside its folder, and one that holds
    no usable model.
    """
    if not model.url.startswith(("https://", "http://")):
        raise InputFault("is no web address", where=model.url, mend="give one that begins with https://")
    part = store / f"{model.name}.zip.part"
    try:
        store.mkdir(parents=True, exist_ok=True)
        _check_room(store, model.size_bytes)
        _download(model.url, part, progress or (lambda *_: None))
        found = _hash(part)
        if model.sha256 and found != model.sha256:
            part.unlink()
            raise InputFault(
                f"another archive came than the known one (sha256 {found[:12]}…, known {model.sha256[:12]}…)",
                where=model.url,
                mend="it was thrown away; try again, or over another network",
            )
        size_bytes = part.stat().st_size
        folder = _unpack(part, store / model.name)
        part.unlink()
        _tag_of(part).unlink(missing_ok=True)
    except OSError as fault:
        if fault.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _full(store, part) from fault
        raise InputFault(f"cannot be written: {fault.strerror}", where=str(store), mend="check the folder") from fault
    return Fetched(folder, found, bool(model.sha256), size_bytes)


def _download(url: str, part: Path, progress: Progress) -> None:
    here = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "uno-table-referee"})
    if here:
        request.add_header("Range", f"bytes={here}-")
        if tag := _read(_tag_of(part)):
            request.add_header("If-Range", tag)  # another file by now: it comes from its beginning
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
            goes_on = answer.status == 206
            _tag_of(part).write_text(answer.headers.get("ETag") or answer.headers.get("Last-Modified") or "")
            here = here if goes_on else 0
            length = int(answer.headers.get("Content-Length") or 0)
            _copy(answer, part, here, here + length if length else 0, progress)
    except urllib.error.HTTPError as fault:
        fault.close()
        if fault.code == 416 and here:  # everything is here already, or another file is: the hash tells
            return
        raise InputFault(f"the server answers {fault.code} {fault.reason}", where=url, mend="try later") from fault
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as fault:
        raise _broken(url, part, str(getattr(fault, "reason", None) or fault)) from fault


def _copy(answer: Any, part: Path, here: int, whole: int, progress: Progress) -> None:
    progress(here, whole)
    with part.open("ab" if here else "wb") as file:
        while piece := answer.read(_PIECE):
            file.write(piece)
            here += len(piece)
            progress(here, whole)
    if here < whole:
        raise ConnectionError(f"{(whole - here) / 1e6:.1f} MB did not come")


def _unpack(archive: Path, final: Path) -> Path:
    beside = final.with_name(final.name + UNPACKING)
    shutil.rmtree(beside, ignore_errors=True)
    try:
        with zipfile.ZipFile(archive) as packed:
            _check_members(packed, archive.stat().st_size)
            packed.extractall(beside)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError) as fault:
        shutil.rmtree(beside, ignore_errors=True)
        archive.unlink()
        raise InputFault(
            f"the archive is damaged: {fault}", where=archive.name, mend="it was thrown away; fetch it again"
        ) from fault
    except InputFault:
        archive.unlink()
        raise
    except OSError:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    try:
        inner = [child for child in beside.iterdir() if child.is_dir()]
        model = inner[0] if len(inner) == 1 and not (beside / "am").is_dir() else beside
        checked_model_folder(model)
        shutil.rmtree(final, ignore_errors=True)
        os.replace(model, final)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return final


def _check_members(packed: zipfile.ZipFile, packed_bytes: int) -> None:
    for member in packed.infolist():
        path = PurePosixPath(member.filename.replace("\\", "/"))
        is_link = stat.S_ISLNK(member.external_attr >> 16)
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[0] or is_link:
            raise InputFault(
                f"the archive would write outside its folder ({member.filename!r})",
                where=str(packed.filename),
                mend="do not use it",
            )
    if sum(member.file_size for member in packed.infolist()) > max(10_000_000, _UNPACKED_TIMES * packed_bytes):
        raise InputFault(
            "the archive is far larger inside than out", where=str(packed.filename), mend="do not use it"
        )


def _check_room(store: Path, size_bytes: int) -> None:
    if shutil.disk_usage(store).free < 3 * size_bytes:
        raise InputFault(
            f"the disk has no room for it ({3 * size_bytes // 1_000_000} MB are needed while unpacking)",
            where=str(store),
            mend="free some, or choose another folder with --into",
        )


def _full(store: Path, part: Path) -> InputFault:
    kept = f"; {part.stat().st_size // 1000} kB are kept" if part.exists() else ""
    return InputFault(f"the disk is full{kept}", where=str(store), mend="free some and run it again: it goes on")


def _broken(url: str, part: Path, why: str) -> InputFault:
    here = part.stat().st_size if part.exists() else 0
    if not here:
        return InputFault(f"cannot be reached: {why}", where=url, mend="check the network and run it again")
    return InputFault(
        f"the connection broke after {here / 1e6:.1f} MB: {why}",
        where=url,
        mend="run it again: it goes on from there",
    )


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _tag_of(part: Path) -> Path:
    return part.with_suffix(".tag")


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""
