"""The board as events: each change once, and a phone that is up to date costs nothing."""

from __future__ import annotations

import asyncio

import pytest

from referee.web.recorded_table import RecordedTable
from referee.web.stream import Stream


def test_a_phone_that_is_ahead_of_the_watch_waits_without_stopping_the_others(table: RecordedTable) -> None:
    """A board that changed between two looks made the stream turn in place: no page was answered any more."""

    async def follow() -> None:
        stream = Stream(table)  # it was not started: it knows of no change yet
        events = stream.events("en")
        await anext(events)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(events), 0.05)

    asyncio.run(asyncio.wait_for(follow(), 5))


def test_each_change_is_told_once(table: RecordedTable) -> None:
    async def follow() -> list[str | None]:
        stream = Stream(table)
        stream.start()
        events = stream.events("en")
        first = await anext(events)
        waiting = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0.02)
        with table._changed:
            table._number += 1
            table._changed.notify_all()
        second = await asyncio.wait_for(waiting, 2)
        await stream.stop()
        return [first.id, second.id]

    assert asyncio.run(follow()) == ["1", "2"]
