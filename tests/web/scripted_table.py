"""A live table without devices: a script of what eye and ear notice, played in real time through the real judge."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from referee.capture.media import Frame, MediaFacts
from referee.observations import Observation
from referee.session.clock import SessionClock
from referee.session.frame_memory import Image
from referee.session.live_folder import LiveFolder
from referee.session.parts import Parts
from referee.session.plan import SessionPlan
from referee.session.senses import Senses
from referee.session.source import TappedCamera
from referee.session.watching import Watching
from referee.vision.outlines import ArmOutline
from referee.vision.zones import TableZones
from referee.web.live_table import LiveTable
from tests.session.test_pipeline import ScriptedEye

SIZE_PX = (320, 240)


class StillCamera:
    """Grey pictures, ten a second, until it is stopped."""

    width_px, height_px = SIZE_PX
    frame_rate_hz = 10.0

    def __init__(self, clock: SessionClock) -> None:
        self._clock = clock
        self._stopped = threading.Event()

    def frames(self) -> Iterator[Frame]:
        for number in range(100_000):
            if self._stopped.wait(max(0.0, number / 10 - self._clock.now_s())):
                return
            image = np.full((*SIZE_PX[::-1], 3), 120 + number % 3, np.uint8)
            yield Frame(round(self._clock.now_s(), 3), number, image)

    def stop(self) -> None:
        self._stopped.set()


class SettledEye(ScriptedEye):
    """Says how far it has come, so that nobody waits for what can still come."""

    LATE_S = 0.4
    """So long after it happened everything of the scripts is known."""

    settled_s = float("-inf")

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        self.settled_s = t_s - self.LATE_S
        return super().see(image_bgr, t_s)


class ScriptedTable:
    """Use as a context: the table plays while inside. `table` is what the pages are given."""

    def __init__(
        self, folder: Path, plan: SessionPlan, script: list[Observation], *, arms: Sequence[ArmOutline] = ()
    ) -> None:
        clock = SessionClock()
        camera = TappedCamera(StillCamera(clock))
        zones = TableZones.whole_frame_guess(*SIZE_PX, len(plan.players))
        facts = MediaFacts(0.0, True, False, *SIZE_PX, 10.0)
        senses = Senses(cast(Any, SettledEye(script)), None, zones, facts, ())
        live = LiveFolder.begin(folder, plan)
        self.parts = Parts()
        self.parts.set("camera", "running")
        self.parts.set("microphone", "running")
        self.watching = Watching(live.plan, camera, None, senses, clock=clock, live=live)
        self.table = LiveTable(
            self.watching, camera, folder=folder, zones=zones, parts=self.parts, arms=lambda _px: arms
        )
        self._thread = threading.Thread(target=self._play, name="scripted table", daemon=True)

    def __enter__(self) -> LiveTable:
        self._thread.start()
        return self.table

    def __exit__(self, *_exc: object) -> None:
        self.watching.stop()
        self._thread.join(5.0)

    def _play(self) -> None:
        for _ in self.table.run():
            pass


def wait_until(condition: Any, within_s: float = 8.0) -> None:
    """Fails when `condition` does not come true in time."""
    end_s = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end_s, "it did not come true in time"
        time.sleep(0.01)
