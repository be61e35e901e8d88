"""Starts recorders and kills each at a random instant; run as a script: `kill_nursery.py FOLDER COUNT SEED`.

A process of its own, because it forks: everything is imported once, before. Each recorder writes into FOLDER/N and
keeps in FOLDER/N.given what it had surely been given: the time of its last frame and the number of its last log line.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

from referee.capture.media import Frame, SoundChunk
from referee.observations import to_json
from referee.session.live_folder import LiveFolder
from referee.session.recorder import Recorder
from tests.session.drawn_log import PLAN, drew

RATE_HZ = 16_000
FRAME_RATE_HZ = 15
AT_ONCE = 10
LIFE_S = (0.15, 4.0)


def record(folder: Path) -> None:
    """Record in real time until killed: small frames, sound, a log line a frame; pieces of a second."""
    live = LiveFolder.begin(folder, PLAN)
    recorder = Recorder(folder, live.tell, size_px=(64, 48), rate_hz=RATE_HZ, segment_s=1.0)
    given = os.open(folder.with_name(f"{folder.name}.given"), os.O_WRONLY | os.O_CREAT)
    sound = np.random.default_rng(1).integers(-40, 40, RATE_HZ // 10).astype(np.int16)
    began_s, number = time.monotonic(), 0
    while True:
        t_s = round(number / FRAME_RATE_HZ, 3)
        time.sleep(max(0.0, began_s + t_s - time.monotonic()))
        recorder.picture(Frame(t_s, number, np.full((48, 64, 3), 20 + number * 7 % 200, np.uint8)))
        if number * 10 % FRAME_RATE_HZ < 10:
            recorder.sound(SoundChunk(number * 10 // FRAME_RATE_HZ / 10, sound, RATE_HZ))
        seen = drew(f"v{number}", t_s, PLAN.dealer or next(iter(PLAN.players)), 1)
        live.tell("observation", t_s, {**to_json(seen), "judged_to_s": max(-1.0, t_s - 1)})
        os.pwrite(given, f"{t_s:10.3f} {live.log.lines:10d}\n".encode(), 0)
        number += 1


def main(folder: Path, count: int, seed: int) -> None:
    """`count` recorders, ten at a time."""
    chance = random.Random(seed)
    import av  # noqa: F401 - loaded once for all

    for first in range(0, count, AT_ONCE):
        ends: list[tuple[float, int]] = []
        for number in range(first, min(first + AT_ONCE, count)):
            pid = os.fork()
            if pid == 0:
                record(folder / f"{number}")
            ends.append((time.monotonic() + chance.uniform(*LIFE_S), pid))
        for at_s, pid in sorted(ends):
            time.sleep(max(0.0, at_s - time.monotonic()))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
