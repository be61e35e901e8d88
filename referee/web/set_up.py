"""Setting a table up: who plays by which rules, where things lie in the picture, and whether the calls are heard."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from referee.calibration.board import Board
from referee.calibration.places import Wanted, placed_zones
from referee.calibration.preview import draw_preview, preview_lines
from referee.calibration.solving import Solved, sharpest, solve_by_corners, solve_by_markers
from referee.calibration.table_file import save_table
from referee.calibration.watched import table_point
from referee.capture.media import SoundChunk
from referee.capture.sound_events import Level
from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.speakers import Encoder
from referee.rules.profiles import load_profile, preset_names
from referee.rules.profiles.catalogue import entries
from referee.rules.profiles.differences import differences
from referee.session.devices import LiveDevices
from referee.session.frame_memory import Image
from referee.session.pipeline import Ear
from referee.session.settings import Settings, load_settings, save_settings
from referee.session.source import TappedCamera
from referee.vision.reader import CardReader
from referee.web.house_rules import HOUSE_RULES_FILE, write_house_rules
from referee.web.saying_uno import SayingUno

OFFICIAL = "classic-108"
CALIBRATION_FILE = "calibration.toml"
Point = tuple[float, float]


class SetUp:
    """What the set-up page shows and changes. file: the settings; ear: what listens, None where nothing can.

    encoder: tells voices apart, where it is installed.

    `start` begins to take pictures and sound, `stop` ends it. Everything else may be called from any thread.
    """

    def __init__(
        self,
        file: Path,
        devices: LiveDevices,
        ear: Ear | None,
        reader: CardReader | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        self._file, self._devices, self._ear, self._reader = file, devices, ear, reader
        self._camera = TappedCamera(devices.camera)
        self._frames: list[Image] = []
        self._guard, self._writing = threading.Lock(), threading.Lock()
        self._solved: Solved | None = None
        self._preview: bytes | None = None
        self._level: Level | None = None
        self._saying = SayingUno(self._names, self.change, encoder)
        self._threads = [threading.Thread(target=self._look, name="camera", daemon=True)]
        if devices.microphone is not None:
            self._threads.append(threading.Thread(target=self._listen, name="microphone", daemon=True))
            devices.events.on_level = self._take_level

    @property
    def settings(self) -> Settings:
        """As the file says now; the defaults before there is one."""
        return load_settings(self._file) if self._file.exists() else Settings()

    def start(self) -> None:
        """Begin to look and to listen."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End it."""
        self._devices.camera.stop()
        if self._devices.microphone is not None:
            self._devices.microphone.stop()
        for thread in self._threads:
            thread.join(3.0)

    def state(self) -> dict[str, Any]:
        """Everything the page shows, but for the picture."""
        level = self._level
        return {
            "settings": self.settings.model_dump(exclude={"hall"}),
            "rules": [{"name": name, "title": load_profile(name).title} for name in self._rules()],
            "parts": dict(self._devices.events.parts.states),
            "remarks": [*self._devices.remarks, *self._alike()],
            "level": level and {"rms_dbfs": round(level.rms_dbfs, 1), "peak_dbfs": round(level.peak_dbfs, 1)},
            "calibration": self._calibration_state(),
            **self._saying.state(),
            "hears": self._ear is not None,
        }

    def change(self, changes: Mapping[str, Mapping[str, Any]]) -> None:
        """Write settings. Raises InputFault, and changes nothing, when one is not valid."""
        with self._writing:
            save_settings(self._file, changes)
        with contextlib.suppress(InputFault):  # was told when they were to be learnt
            self._saying.store_voices()

    def rules_against_the_official(self, name: str, language: str = "en") -> list[str]:
        """What these rules do otherwise than the official ones, a sentence each. Raises InputFault."""
        said = entries(language)
        return [
            f"{said[one.option].question}: {said[one.option].saying(one.right.value, unlike=one.left.value)}."
            for one in differences(load_profile(OFFICIAL), load_profile(name))
        ]

    def picture(self) -> bytes | None:
        """The newest frame as JPEG."""
        frame = self._camera.newest
        if frame is None:
            return None
        return cv2.imencode(".jpg", frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()

    def solve(self, corners: Sequence[Point] | None) -> list[str]:
        """Find the table's plane, by the marker sheet or by its four corners in fractions of the picture.

        Returns what is worth telling. Raises InputFault when it is not found, with what to do.
        """
        frames = self._recent()
        if corners is None:
            solved = solve_by_markers(frames, Board())
        else:
            solved = solve_by_corners(frames, corners, reader=self._reader)
        with self._guard:
            self._solved, self._preview = solved, None
        return list(solved.notes)

    def place(self, discard: Point | None, draw: Point | None, seats: Mapping[Seat, Point]) -> list[str]:
        """Put piles and seats where they were tapped in the picture, store the calibration, and draw it.

        Raises InputFault when the plane was not found before, or the places do not fit beside one another.
        """
        solved = self._solved
        if solved is None:
            raise InputFault("the table was not found yet", mend="find it by the sheet or by its corners first")
        plane = solved.plane
        at = {seat: table_point(plane, point) for seat, point in seats.items()}
        piles = [None if point is None else table_point(plane, point) for point in (discard, draw)]
        count = len(at) or max(2, len(self.settings.table.players))
        zones = placed_zones(plane, Wanted(count, solved.middle, piles[0], piles[1], at or None))
        picture = sharpest(self._recent())
        file = self._file.with_name(CALIBRATION_FILE)
        save_table(zones, file, picture)
        lines = preview_lines(zones, solved.notes)
        drawn = draw_preview(picture, zones, self._names(), lines)
        with self._guard:
            self._preview = cv2.imencode(".png", drawn)[1].tobytes()
        self.change({"table": {"calibration": str(file)}})
        return lines

    def write_house_rules(self, base: object, answers: Mapping[str, object]) -> str:
        """Rules of one's own over a preset, chosen for this table; returns their name. Raises InputFault."""
        path = self._file.with_name(HOUSE_RULES_FILE)
        write_house_rules(path, base, answers)
        self.change({"table": {"profile": str(path)}})
        return str(path)

    def _rules(self) -> list[str]:
        own = self.settings.table.profile
        return [*preset_names(), *([] if own in preset_names() or not Path(own).is_file() else [own])]

    def preview(self) -> bytes | None:
        """What was understood of the table, as PNG; None before it was placed."""
        with self._guard:
            return self._preview

    def test_uno(self, seat: Seat) -> None:
        """Listen for this player's UNO from now on, for some seconds."""
        if self._ear is None:
            raise InputFault("nothing can be heard", mend="connect a microphone; `referee doctor` looks it over")
        self._saying.ask(seat)

    def learn_voices(self, agreed: bool) -> None:
        """Whether the players' voices may be learnt and kept; see `SayingUno`. Raises InputFault."""
        with self._writing:
            self._saying.learn_voices(agreed)

    def _calibration_state(self) -> dict[str, Any]:
        table = self.settings.table.calibration
        return {"stored": bool(table and Path(table).exists()), "solved": self._solved is not None}

    def _recent(self) -> list[Image]:
        with self._guard:
            frames = list(self._frames)
        if not frames:
            raise InputFault("there is no picture yet", mend="wait for the camera, or look at `referee doctor`")
        return frames

    def _look(self) -> None:
        for number, frame in enumerate(self._camera.frames()):
            if number % 5 == 0:
                with self._guard:
                    self._frames = [*self._frames[-5:], frame.image_bgr]

    def _listen(self) -> None:
        for chunk in self._chunks():
            if self._ear is not None:
                self._saying.hear(chunk, self._ear.hear)

    def _alike(self) -> list[str]:
        names = self._names()
        return [
            f"{names.get(one, one)} and {names.get(other, other)} sound alike to this microphone: move or turn it"
            for one, other in self._saying.alike()
        ]

    def _names(self) -> dict[Seat, str]:
        return dict(zip(Seat.first(10), self.settings.table.players, strict=False))

    def _chunks(self) -> Iterator[SoundChunk]:
        if self._devices.microphone is not None:
            yield from self._devices.microphone.chunks()

    def _take_level(self, level: Level) -> None:
        self._level = level
