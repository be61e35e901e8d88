"""A budget for the recordings of all sessions side by side: the oldest media go first, a log never does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.faults import InputFault
from referee.session.folder import MEDIA_FOLDER, Segment, segments_of
from referee.session.lock import SessionLock
from referee.session.log import LOG_FILE, LogLine, SessionLog, read_log

Tell = Callable[[str, float, Mapping[str, Any]], object]


@dataclass(frozen=True, slots=True)
class Span:
    """Seconds on a session's clock whose media are kept."""

    from_s: float
    until_s: float


class DiskBudget:
    """Keeps the media of all sessions beside `folder` within `budget_bytes`.

    Only what lies in finished pieces is deleted; pieces that a `mark` line protects are kept, whatever it costs.
    tell: writes into the log of `folder`, the running session.
    """

    def __init__(self, folder: Path, tell: Tell, budget_bytes: int) -> None:
        self._folder = folder.resolve()
        self._tell = tell
        self._budget_bytes = budget_bytes

    def make_room(self) -> list[Path]:
        """Delete the oldest unprotected pieces until the rest fits; returns what was deleted."""
        sessions = [path.parent for path in self._folder.parent.glob(f"*/{LOG_FILE}")]
        pieces = [(segment, session) for session in sessions for segment in segments_of(session)]
        sizes = {segment.path: segment.path.stat().st_size for segment, _ in pieces}
        over = sum(sizes.values()) - self._budget_bytes
        deleted: dict[Path, list[Segment]] = {}
        kept: dict[Path, list[Span]] = {}
        for segment, session in sorted(pieces, key=lambda piece: (piece[0].path.stat().st_mtime, piece[0].path)):
            if over <= 0:
                break
            if session not in kept:
                kept[session] = protected(read_log(session / LOG_FILE).lines)
            until_s = _end_of(segment, [s for s, home in pieces if home == session])
            if any(span.from_s < until_s and segment.begin_s < span.until_s for span in kept[session]):
                continue
            segment.path.unlink()
            over -= sizes[segment.path]
            deleted.setdefault(session, []).append(segment)
        for session, gone in deleted.items():
            self._note(session, gone)
        return [segment.path for gone in deleted.values() for segment in gone]

    def _note(self, session: Path, gone: list[Segment]) -> None:
        files = [f"{MEDIA_FOLDER}/{segment.path.name}" for segment in gone]
        line = {"what": "media deleted", "why": "the disk budget", "files": files}
        if session == self._folder:
            self._tell("state", gone[-1].begin_s, line)
            return
        with suppress(InputFault), SessionLock(session):
            log = SessionLog(session / LOG_FILE)
            log.append("state", gone[-1].begin_s, line)
            log.close()


def protected(lines: Iterable[LogLine]) -> list[Span]:
    """The spans that `mark` lines keep; one with `keep` false takes back those that it names or covers."""
    spans: list[Span] = []
    for line in lines:
        if line.type != "mark":
            continue
        try:
            span = Span(float(line.payload["from_s"]), float(line.payload["until_s"]))
        except (KeyError, TypeError, ValueError):
            continue
        if line.payload.get("keep", True):
            spans.append(span)
        else:
            spans = [s for s in spans if not (span.from_s <= s.from_s and s.until_s <= span.until_s)]
    return spans


def _end_of(segment: Segment, all_of_session: list[Segment]) -> float:
    later = [other.begin_s for other in all_of_session if other.number > segment.number]
    return min(later, default=float("inf"))
