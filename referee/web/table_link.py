"""What the pages ask of a table, and what they may change. A live table and a recorded one both answer it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from referee.session.corrections import Correction
from referee.session.incidents import CaseLine
from referee.session.plan import SessionPlan
from referee.web.board import Board


@dataclass(frozen=True, slots=True)
class LivePicture:
    """The newest frame as JPEG, when it was taken, and what was seen on it: outlines in fractions of the frame."""

    jpeg: bytes
    t_s: float
    marks: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Something that was noticed and can be put right: an observation, with its likely confusions.

    what: `card`, `drew` or `call`. others: (code, probability) of other readings, the likeliest first.
    """

    id: str
    t_s: float
    what: str
    seat: str | None
    card: str | None = None
    count: tuple[int, int] | None = None
    call: str | None = None
    others: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a correction: its id, whether it was new, and how many rulings fell away or were added."""

    id: str
    new: bool
    gone: int
    added: int


class TableLink(Protocol):
    """A table behind the pages. Everything may be called from any thread and answers at once."""

    @property
    def plan(self) -> SessionPlan:
        """Who plays, and by which rules."""

    @property
    def recording(self) -> bool:
        """Whether picture and sound are being recorded."""

    def board(self) -> tuple[int, Board]:
        """The board, and its number: it grows with every change."""

    def changed(self, seen: int, timeout_s: float) -> bool:
        """Wait until the board has another number than `seen`; False after the timeout."""

    def now_s(self) -> float:
        """How far the table has come, on the session clock."""

    def picture(self) -> LivePicture | None:
        """The newest frame; None where there is none."""

    def cases(self) -> Sequence[CaseLine]:
        """The incidents, numbered."""

    def moves(self) -> Sequence[Move]:
        """The last things noticed, the newest first."""

    def clip(self, number: int, into: Path) -> Path:
        """Cut the clip of an incident into the folder `into`. Raises InputFault when it cannot be had."""

    def correct(self, correction: Correction) -> Answer:
        """Put something right. Raises InputFault when it makes no sense."""

    def mute(self, muted: bool) -> bool:
        """Silence the table's own voice, or let it speak again; False where it has none."""
