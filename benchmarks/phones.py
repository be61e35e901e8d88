"""Many phones at one table: how late is the scoreboard, and is the game judged as without them?

    python benchmarks/phones.py                                  200 phones, 50 requests a second, 20 seconds
    python benchmarks/phones.py --phones 40 --rate 10 --seconds 8

A scripted table plays in real time in a process of its own, with the real judge, log and page server; the phones are
raw connections from this one. Both processes stamp with the machine's monotonic clock. Prints figures and exits 1
when the 95th percentile is over 300 ms, an event is missing, or a request fails.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import resource
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

import numpy as np
from made_up_game import plan_of, red_card

from referee.capture.media import Frame, MediaFacts
from referee.observations import Observation
from referee.session.clock import SessionClock
from referee.session.frame_memory import Image
from referee.session.live_folder import LiveFolder
from referee.session.senses import Senses
from referee.session.source import TappedCamera
from referee.session.watching import Watching
from referee.vision.zones import TableZones
from referee.web.live_table import LiveTable
from referee.web.server import PageServer

SIZE_PX = (640, 480)
PLAY_EVERY_S = 1.0
LATE_S = 0.3
PLAN = plan_of("Many phones")
PATHS = ("/board.json", "/", "/marks.json", "/picture.jpg", "/moves.json", "/incidents.json", "/static/style.css")


class Camera:
    """Pictures at 15 a second, until it is stopped."""

    width_px, height_px = SIZE_PX
    frame_rate_hz = 15.0

    def __init__(self, clock: SessionClock) -> None:
        self._clock, self._stopped = clock, threading.Event()

    def frames(self) -> Any:
        """See `PictureSource`."""
        for number in itertools.count():
            if self._stopped.wait(max(0.0, number / 15 - self._clock.now_s())):
                return
            yield Frame(self._clock.now_s(), number, np.full((*SIZE_PX[::-1], 3), 90 + number % 60, np.uint8))

    def stop(self) -> None:
        """See `PictureSource`."""
        self._stopped.set()


class Eye:
    """Sees a red card land every second."""

    def __init__(self) -> None:
        self._next_s, self.cards = 2.0, 0
        self.asked = 0

    def see(self, _image_bgr: Image, t_s: float) -> list[Observation]:
        """See `Eye`."""
        self.asked += 1
        if t_s < self._next_s:
            return []
        self._next_s += PLAY_EVERY_S
        self.cards += 1
        return [red_card(self.cards, t_s)]

    def close(self, _t_s: float) -> list[Observation]:
        """See `Eye`."""
        return []


class StampedTable(LiveTable):
    """Remembers when each board was there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.published: dict[int, float] = {}
        super().__init__(*args, **kwargs)

    def _publish(self) -> None:
        super()._publish()
        self.published[self._number] = time.monotonic()


def play(pipe: Connection) -> None:
    """The table's process: plays until it is told to end, then sends what it measured."""
    with tempfile.TemporaryDirectory() as room:
        clock = SessionClock()
        camera, eye = TappedCamera(Camera(clock)), Eye()
        zones = TableZones.whole_frame_guess(*SIZE_PX, 2)
        senses = Senses(cast(Any, eye), None, zones, MediaFacts(0, True, False, *SIZE_PX, 15.0), ())
        folder = Path(room) / "evening"
        watching = Watching(PLAN, camera, None, senses, clock=clock, live=LiveFolder.begin(folder, PLAN))
        table = StampedTable(watching, camera, folder=folder, zones=zones, parts=watching.parts)
        server = PageServer(table, port=0)
        server.start()
        pipe.send(server.address)
        begun_cpu_s = time.process_time()
        threading.Thread(target=_end_when_told, args=(pipe, watching), daemon=True).start()
        told = sum(1 for _ in table.run())
        server.stop()
        pipe.send(
            {
                "published": table.published,
                "cards": eye.cards,
                "frames": eye.asked,
                "skipped": sum(feed.dropped for feed in watching.feeds),
                "told": told,
                "cpu_s": time.process_time() - begun_cpu_s,
                "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "seconds": clock.now_s(),
            }
        )


def _end_when_told(pipe: Connection, watching: Watching) -> None:
    pipe.recv()
    watching.stop()


@dataclass
class Heard:
    """What the phones received: per phone the numbers of the boards in order, and when each came."""

    came: list[list[tuple[int, float]]] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    took_s: list[float] = field(default_factory=list)


async def phone(address: tuple[str, int], heard: Heard) -> None:
    """One phone on the event stream, until it ends."""
    mine: list[tuple[int, float]] = []
    heard.came.append(mine)
    reader, writer = await asyncio.open_connection(*address)
    writer.write(f"GET /events HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n\r\n".encode())
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                mine.append((int(line[4:]), time.monotonic()))
    except (ConnectionError, asyncio.CancelledError):
        pass
    finally:
        writer.close()


async def ask(address: tuple[str, int], path: str, heard: Heard) -> None:
    """One request on a connection of its own."""
    begun_s = time.monotonic()
    try:
        reader, writer = await asyncio.open_connection(*address)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        heard.statuses[int(answer.split(b" ", 2)[1])] += 1
    except (OSError, IndexError, ValueError):
        heard.statuses[0] += 1
    heard.took_s.append(time.monotonic() - begun_s)


async def crowd(address: tuple[str, int], phones: int, rate_hz: float, seconds: float) -> Heard:
    """All phones join, then requests come at `rate_hz` for `seconds`."""
    heard = Heard()
    streams = []
    for _ in range(phones):
        streams.append(asyncio.create_task(phone(address, heard)))
        await asyncio.sleep(0.005)
    asking = []
    begun_s, paths = time.monotonic(), itertools.cycle(PATHS)
    for number in itertools.count():
        due_s = begun_s + number / rate_hz
        if due_s - begun_s > seconds:
            break
        await asyncio.sleep(max(0.0, due_s - time.monotonic()))
        asking.append(asyncio.create_task(ask(address, next(paths), heard)))
    await asyncio.gather(*asking)
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return heard


def percentile(values: list[float], part: float) -> float:
    """The value that `part` of them do not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else float("nan")


def report(heard: Heard, table: dict[str, Any], phones: int) -> bool:
    """Print the figures; whether all is as it should be."""
    joined = [numbers for numbers in heard.came if numbers]
    late = [
        came_s - table["published"][number]
        for numbers in joined
        for number, came_s in numbers[1:]  # the first is what the board said before
        if number in table["published"]
    ]
    ordered = all([n for n, _ in numbers] == sorted({n for n, _ in numbers}) for numbers in joined)
    last = {numbers[-1][0] for numbers in joined}
    median, most, worst = percentile(late, 0.5), percentile(late, 0.95), max(late, default=float("nan"))
    print(f"{len(joined)} of {phones} phones joined; {len(late)} boards received, in order: {ordered}")
    print(f"scoreboard delay: median {median * 1000:.0f} ms, 95 % {most * 1000:.0f} ms, worst {worst * 1000:.0f} ms")
    print(f"requests: {json.dumps(dict(heard.statuses))}; median {percentile(heard.took_s, 0.5) * 1000:.0f} ms, "
          f"95 % {percentile(heard.took_s, 0.95) * 1000:.0f} ms")  # fmt: skip
    print(f"table: {table['cards']} cards laid, {table['frames']} of {table['seconds'] * 12.5:.0f} frames judged "
          f"({table['skipped']} skipped), {table['cpu_s']:.1f} s of CPU in {table['seconds']:.0f} s, "
          f"{table['memory_mb']:.0f} MB at most")  # fmt: skip
    served = set(heard.statuses) == {200}
    good = len(joined) == phones and ordered and max(last) - min(last) <= 2 and served and most <= LATE_S
    print("as it should be" if good else "NOT as it should be")
    return good


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--rate", type=float, default=50.0, help="requests a second besides")
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    processes = multiprocessing.get_context("spawn")
    here, there = processes.Pipe()
    table = processes.Process(target=play, args=(there,), daemon=True)
    table.start()
    host, port = str(here.recv()).removeprefix("http://").split(":")
    heard = asyncio.run(crowd((host, int(port)), given.phones, given.rate, given.seconds))
    here.send("end")
    measured = here.recv()
    table.join(10.0)
    sys.exit(0 if report(heard, measured, given.phones) else 1)


if __name__ == "__main__":
    main()
