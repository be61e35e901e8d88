"""The board as server-sent events: each change is put into words once a language and sent to every phone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Protocol

from sse_starlette import ServerSentEvent

BEAT_S = 15
"""So often something is sent to a phone even if nothing changes: it notices a broken connection by its absence."""

LISTENERS = 400
WAIT_S = 0.1
"""So long one look for a change waits at most; a change itself wakes it at once."""


class InWords(Protocol):
    """A board that can be put into words."""

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The board for pages, with its texts in one language."""


class Changing(Protocol):
    """A board that changes: a table's, as `TableLink` gives it, or the hall's."""

    def board(self) -> tuple[int, InWords]:
        """The board, and its number: it grows with every change."""

    def changed(self, seen: int, timeout_s: float) -> bool:
        """Wait until the board has another number than `seen`; False after the timeout."""


class Stream:
    """Tells asyncio's side of every change of a board. `start` it within the running loop."""

    def __init__(self, table: Changing) -> None:
        self._table = table
        self._changed = asyncio.Condition()
        self._texts: dict[str, tuple[int, str]] = {}
        self._ending = False
        self._watch: asyncio.Task[None] | None = None
        self.listeners = 0

    def start(self) -> None:
        """Begin to watch the table."""
        self._watch = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        """Stop watching; open streams end."""
        self._ending = True
        if self._watch is not None:
            await self._watch

    async def events(self, language: str) -> AsyncIterator[ServerSentEvent]:
        """The board now, then after each change."""
        self.listeners += 1
        sent = -1
        try:
            while not self._ending:
                number, text = self.text(language)
                if number != sent:
                    sent = number
                    yield ServerSentEvent(text, id=str(number))
                    continue
                async with self._changed:
                    # Asked of the table itself: what was sent may be newer than what `_follow` has told.
                    while self._table.board()[0] == sent and not self._ending:
                        await self._changed.wait()
        finally:
            self.listeners -= 1

    def text(self, language: str) -> tuple[int, str]:
        """The board's number and its JSON in a language; made once for all phones."""
        number, board = self._table.board()
        kept = self._texts.get(language)
        if kept is None or kept[0] != number:
            text = json.dumps(board.to_json(language), ensure_ascii=False, separators=(",", ":"))
            self._texts[language] = kept = (number, text)
        return kept

    async def _follow(self) -> None:
        seen = -1
        while not self._ending:
            if not await asyncio.to_thread(self._table.changed, seen, WAIT_S):
                continue
            seen = self._table.board()[0]
            async with self._changed:
                self._changed.notify_all()
        async with self._changed:
            self._changed.notify_all()
