"""Checks that what was recorded is what is there: a session folder, or a case bundle on its own."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from pathlib import Path

from referee.faults import InputFault
from referee.session.case_bundle import SUMS_FILE
from referee.session.folder import seal_of, segments_of
from referee.session.log import LOG_FILE, read_log, verify


def check_session(folder: Path) -> list[str]:
    """What is wrong with the log and the media of a session, a line each; empty if nothing. Raises InputFault."""
    lines, last_hash = seal_of(folder)
    log = folder / LOG_FILE
    found = [f"{LOG_FILE}: {problem}" for problem in verify(log, lines=lines, last_hash=last_hash)]
    written = {
        Path(str(line.payload.get("file", ""))).name: str(line.payload.get("sha256", ""))
        for line in read_log(log).lines
        if line.type == "segment"
    }
    for segment in segments_of(folder):
        name = segment.path.name
        if name in written and written[name] != _sha256(segment.path.read_bytes()):
            found.append(f"media/{name}: is not the file that was recorded")
    return found


def check_case(bundle: Path) -> list[str]:
    """What is wrong with a case bundle, a line each; empty if nothing. Raises InputFault when it is no bundle."""
    try:
        with zipfile.ZipFile(bundle) as files:
            names = set(files.namelist())
            if SUMS_FILE not in names or LOG_FILE not in names:
                raise InputFault(
                    "is no case bundle", where=str(bundle), mend="name a zip that `referee export` wrote"
                )
            sums = dict(_sum(line) for line in files.read(SUMS_FILE).decode().splitlines())
            found = [f"{name}: is missing" for name in sorted(sums.keys() - names)]
            found += [f"{name}: is not listed" for name in sorted(names - sums.keys() - {SUMS_FILE})]
            found += [f"{n}: was changed" for n in sorted(sums.keys() & names) if _sha256(files.read(n)) != sums[n]]
            found += _log_problems(files.read(LOG_FILE))
            return found
    except FileNotFoundError:
        raise InputFault("is not there", where=str(bundle), mend="name a session or a case bundle") from None
    except (zipfile.BadZipFile, OSError, UnicodeDecodeError, ValueError) as fault:
        raise InputFault(f"cannot be read: {fault}", where=str(bundle), mend="ask for the bundle again") from None


def _log_problems(log: bytes) -> list[str]:
    with tempfile.TemporaryDirectory() as room:
        path = Path(room) / LOG_FILE
        path.write_bytes(log)
        return [f"{LOG_FILE}: {problem}" for problem in verify(path)]


def _sum(line: str) -> tuple[str, str]:
    digest, _, name = line.partition("  ")
    return name, digest


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
