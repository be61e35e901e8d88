"""An evening of play: does memory stay flat, does any queue grow, is every loss of a device told and mended?

    python benchmarks/soak.py                 two hours on a scripted clock, as fast as the machine goes
    python benchmarks/soak.py --hours 0.5
    python benchmarks/soak.py --real 10       ten minutes in real time, pictures at 15 a second, a new one each

The real judge, log, live table and pages' board run on scripted devices and a scripted eye; camera and microphone are
pulled out ten times each. Prints figures and exits 1 when one of them is not as it should be.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
from made_up_game import plan_of, red_card

from referee.capture.media import MediaFacts, SoundChunk
from referee.capture.steady_memory import keep_memory_steady
from referee.observations import CallHeard, Observation
from referee.observations.clock import Clock
from referee.session.clock import SessionClock
from referee.session.devices import open_devices
from referee.session.frame_memory import Image
from referee.session.live_folder import LiveFolder
from referee.session.log import read_log, verify
from referee.session.senses import Senses
from referee.session.settings import Settings
from referee.session.source import TappedCamera
from referee.session.watching import Watching
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_camera import ScriptedCamera
from referee.testing.scripted_microphone import ScriptedMicrophone
from referee.testing.shared_clock import SharedClock
from referee.vision.zones import TableZones
from referee.web.live_table import LiveTable

PULLS = 10
PLAY_EVERY_S = 6.0
PLAN = plan_of("Soak")


class RealClock(SessionClock):
    """The session clock with appointments, kept by a thread."""

    def at(self, t_s: float, action: Any) -> None:
        """See `ManualClock`."""
        timer = threading.Timer(max(0.0, t_s - self.now_s()), action)
        timer.daemon = True
        timer.start()


class MadeUpEye:
    """Sees a card land every few seconds, red on red; how late it was asked is kept (`waited_s`)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._next_s, self._number = 2.0, itertools.count(1)
        self.frames = 0
        self.waited_s: list[float] = []

    def see(self, _image_bgr: Image, t_s: float) -> list[Observation]:
        """See `Eye`."""
        self.frames += 1
        if self.frames % 10 == 0:
            self.waited_s.append(self._clock.now_s() - t_s)
        if t_s < self._next_s:
            return []
        self._next_s = t_s + PLAY_EVERY_S
        return [red_card(next(self._number), t_s)]

    def close(self, _t_s: float) -> list[Observation]:
        """See `Eye`."""
        return []


class QuietEar:
    """Hears a question about the turn every half minute, while there is sound."""

    def __init__(self) -> None:
        self._next_s = 30.0
        self.chunks = 0

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        """See `Ear`."""
        self.chunks += 1
        if chunk.t_s < self._next_s or not chunk.samples.any():
            return []
        self._next_s = chunk.t_s + 30.0
        name = f"a{round(chunk.t_s * 10)}"
        return [CallHeard(id=name, t_s=chunk.t_s, seen_s=chunk.t_s, end_s=chunk.t_s, call="whose_turn")]

    def close(self) -> list[CallHeard]:
        """See `Ear`."""
        return []


@dataclass
class Figures:
    """What was measured: (session time, bytes) of memory, and the longest that any queue was."""

    resident: list[tuple[float, int]] = field(default_factory=list)
    waiting: int = 0


def soak(folder: Path, length_s: float, *, real: bool) -> bool:
    """Play an evening of `length_s` in `folder`; whether all was as it should be."""
    clock: Any = RealClock() if real else SharedClock()
    rate_hz = 15.0 if real else 4.0
    cameras = ScriptedCamera(cast(ManualClock, clock), rate_hz=rate_hz, picture=_picture(real=real))
    microphones = ScriptedMicrophone(cast(ManualClock, clock))
    devices = open_devices(
        None, None, Settings(), clock, pacing=clock, cameras=lambda: cameras, microphones=lambda: microphones
    )
    width, height = devices.camera.width_px, devices.camera.height_px
    zones = TableZones.whole_frame_guess(width, height, 2)
    eye, ear = MadeUpEye(clock), QuietEar()
    senses = Senses(cast(Any, eye), cast(Any, ear), zones, MediaFacts(0, True, True, width, height, rate_hz), ())
    live = LiveFolder.begin(folder, PLAN)
    camera = TappedCamera(devices.camera)
    watching = Watching(PLAN, camera, devices.microphone, senses, clock=clock, live=live, parts=devices.events.parts)
    devices.events.on_deaf, devices.events.on_state = watching.sound_missing, watching.part_is
    table = LiveTable(watching, camera, folder=folder, zones=zones, parts=devices.events.parts)
    if isinstance(clock, SharedClock):
        clock.follow = lambda: watching.reached_s
    for device, offset in ((cameras, 0.3), (microphones, 0.7)):
        for pull in range(PULLS):
            begin_s = length_s * (pull + offset) / (PULLS + 0.5)
            clock.at(begin_s, device.unplug)
            clock.at(begin_s + min(8.0, length_s / PULLS / 4), device.plug)
    clock.at(length_s, watching.stop)
    figures = Figures()
    begun, cpu_s = time.monotonic(), time.process_time()
    for _ in _sampled(table, watching, figures, length_s):
        pass
    took_s, cpu_s = time.monotonic() - begun, time.process_time() - cpu_s
    return _report(folder, length_s, figures, eye, ear, took_s, cpu_s, real=real)


def _picture(*, real: bool) -> Any:
    size = (480, 640, 3) if real else (48, 64, 3)
    grey = np.full(size, 100, np.uint8)

    def picture(_t_s: float, number: int) -> Image:
        image = grey.copy()
        image[0, number % size[1]] = 150
        image[1, number // size[1] % size[1]] = 150
        return image

    return picture


def _sampled(table: LiveTable, watching: Watching, figures: Figures, length_s: float) -> Iterator[object]:
    every_s, next_s = length_s / 60, 0.0
    for told in table.run():
        figures.waiting = max(figures.waiting, *(feed.waiting for feed in watching.feeds))
        if watching.now_s >= next_s:
            next_s = watching.now_s + every_s
            figures.resident.append((watching.now_s, _resident_bytes()))
            table.picture()
        yield told


def _resident_bytes() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _growth(samples: list[tuple[float, int]]) -> float:
    """How much more there is in the last quarter than in the second, as a fraction."""
    quarter = len(samples) // 4
    early = statistics.median(size for _, size in samples[quarter : 2 * quarter])
    late = statistics.median(size for _, size in samples[-quarter:])
    return late / early - 1


def _report(
    folder: Path,
    length_s: float,
    figures: Figures,
    eye: MadeUpEye,
    ear: QuietEar,
    took_s: float,
    cpu_s: float,
    *,
    real: bool,
) -> bool:
    lines = read_log(folder / "log.jsonl").lines
    gaps = {what: sum(line.type == "gap" and line.payload["what"] == what for line in lines) for what in
            ("picture", "sound", "looking")}  # fmt: skip
    told = {kind: sum(line.type == kind for line in lines) for kind in ("observation", "entry", "ruling")}
    waited = sorted(eye.waited_s)
    print(f"{length_s / 60:.0f} minutes of table time in {took_s:.0f} s ({cpu_s:.0f} s of CPU)")
    print(f"frames looked at {eye.frames}, chunks heard {ear.chunks}, log lines {len(lines)} {told}")
    states = Counter(line.payload["what"] for line in lines if line.type == "state")
    changes = {f"{part} {state}": states[f"{part} {state}"] for part in ("camera", "microphone") for state in
               ("lost", "running")}  # fmt: skip
    print(f"both pulled out {PULLS} times: {changes}; gaps told: {gaps}")
    print(f"the judge fell behind {gaps['looking']} times; frames and chunks that waited at most: {figures.waiting}")
    if real and waited:
        print(f"age of a frame when it is judged: median {statistics.median(waited) * 1000:.0f} ms, "
              f"95 % {waited[int(0.95 * len(waited))] * 1000:.0f} ms")  # fmt: skip
    resident = _growth(figures.resident)
    last_mb = figures.resident[-1][1] / 1e6
    print(f"memory of the process: {last_mb:.0f} MB at the end, {resident:+.1%} from the second quarter to the last")
    sound = verify(folder / "log.jsonl") == []
    good = sound and set(changes.values()) == {PULLS} and gaps["picture"] >= PULLS and resident <= 0.05
    print("as it should be" if good else "NOT as it should be")
    return good


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hours", type=float, default=2.0, help="table time on the scripted clock")
    parser.add_argument("--real", type=float, metavar="MINUTES", help="in real time instead")
    given = parser.parse_args()
    length_s = given.real * 60 if given.real else given.hours * 3600
    keep_memory_steady()
    with tempfile.TemporaryDirectory() as room:
        good = soak(Path(room) / "evening", length_s, real=bool(given.real))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
