"""Losing one part never stops the others: each is pulled out while a scripted table plays, on a clock of its own."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from referee.capture.media import Frame, MediaFacts, SoundChunk
from referee.cards import Seat
from referee.observations import CallHeard, Observation
from referee.session.clock import SessionClock
from referee.session.corrections import Correction
from referee.session.devices import LiveDevices, open_devices
from referee.session.folder import log_of
from referee.session.frame_memory import Image
from referee.session.live_folder import LiveFolder
from referee.session.plan import SessionPlan
from referee.session.recorder import Recorder
from referee.session.senses import Senses
from referee.session.settings import Settings
from referee.session.watching import Watching
from referee.testing.scripted_camera import ScriptedCamera
from referee.testing.scripted_microphone import ScriptedMicrophone
from referee.testing.shared_clock import SharedClock
from referee.vision.zones import TableZones
from tests.session.drawn_log import PLAN, landed, said
from tests.session.test_pipeline import ScriptedEye

P1, P2 = Seat.P1, Seat.P2
ENDS_S = 22.0
PLAYS = [landed("v1", 3.0, "R9", P1), landed("v2", 14.0, "R3", P2), landed("v3", 18.0, "G9", P1)]
"""The green 9 on the red 3 is a foul, after whatever was pulled out is back."""

FOUL = "P1: green 9 does not fit red 3."


class ScriptedEar:
    """Hears each call with the first sound after it was known; none of those that nobody could hear."""

    def __init__(self, calls: list[CallHeard]) -> None:
        self._calls = calls

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        now_s = chunk.t_s + chunk.duration_s
        found = [call for call in self._calls if call.seen_s <= now_s]
        self._calls = [call for call in self._calls if call.seen_s > now_s]
        return found if chunk.samples.any() else []

    def close(self) -> list[CallHeard]:
        return []


class Failing:
    """A sense that fails from `from_s` to `until_s`."""

    def __init__(self, sense: Any, from_s: float, until_s: float) -> None:
        self._sense, self._from_s, self._until_s = sense, from_s, until_s

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        self._fail(t_s)
        return cast(list[Observation], self._sense.see(image_bgr, t_s))

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        self._fail(chunk.t_s)
        return cast(list[CallHeard], self._sense.hear(chunk))

    def close(self, *args: float) -> list[Any]:
        return cast(list[Any], self._sense.close(*args))

    def _fail(self, t_s: float) -> None:
        if self._from_s <= t_s < self._until_s:
            raise RuntimeError("the model fell over")


class Table:
    """A table on scripted devices. The clock moves on whenever a device or the judge waits for it."""

    def __init__(
        self,
        folder: Path,
        plays: Sequence[Observation],
        calls: list[CallHeard] | None = None,
        plan: SessionPlan = PLAN,
    ) -> None:
        self.clock = SharedClock()
        self.cameras = ScriptedCamera(self.clock, rate_hz=4.0)
        self.microphones = ScriptedMicrophone(self.clock)
        self.devices: LiveDevices = open_devices(
            None,
            None,
            Settings(),
            self.clock,
            pacing=cast(SessionClock, self.clock),
            cameras=lambda: self.cameras,
            microphones=lambda: self.microphones,
        )
        self.eye: Any = ScriptedEye(plays)
        self.ear: Any = ScriptedEar(calls or [])
        self.live = LiveFolder.begin(folder, plan)
        self.folder = folder
        self.recorder: Recorder | None = None
        self.follow: Callable[[], float] | None = None

    def pull(self, device: Any, out_s: float, in_s: float) -> None:
        """A device is pulled out and put in again."""
        self.clock.at(out_s, device.unplug)
        self.clock.at(in_s, device.plug)

    def play(self, until_s: float = ENDS_S) -> list[dict[str, Any]]:
        """Watch to the end; the log's lines as JSON."""
        zones = TableZones.whole_frame_guess(64, 48, 2)
        senses = Senses(self.eye, self.ear, zones, MediaFacts(0.0, True, True, 64, 48, 10.0), ())
        self.watching = Watching(
            self.live.plan,
            self.devices.camera,
            self.devices.microphone,
            senses,
            clock=self.clock,
            live=self.live,
            recorder=self.recorder,
            parts=self.devices.events.parts,
        )
        self.devices.events.on_deaf = self.watching.sound_missing
        self.devices.events.on_state = self.watching.part_is
        self.clock.follow = self.follow or (lambda: self.watching.reached_s)
        self.clock.at(until_s, self.watching.stop)
        for _ in self.watching.run():
            pass
        return [{"type": line.type, "t_s": line.t_s, **line.payload} for line in log_of(self.folder)]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge's own look at the clock is in real time: here it looks often."""
    monkeypatch.setattr("referee.session.watching._LOOK_S", 0.005)


def fouls(lines: list[dict[str, Any]]) -> list[str]:
    return [
        line["text"].partition(" Take")[0] for line in lines if line["type"] == "ruling" and line["kind"] == "foul"
    ]


def asked(lines: list[dict[str, Any]]) -> list[float]:
    return [line["t_s"] for line in lines if line["type"] == "observation" and line.get("call") == "whose_turn"]


def states(lines: list[dict[str, Any]]) -> list[str]:
    return [line["what"] for line in lines if line["type"] == "state"]


def spans(lines: list[dict[str, Any]], what: str) -> list[tuple[float, float]]:
    return [(line["from_s"], line["until_s"]) for line in lines if line["type"] == "gap" and line["what"] == what]


def test_nothing_lost_nothing_told(tmp_path: Path) -> None:
    lines = Table(tmp_path / "evening", PLAYS).play()
    assert fouls(lines) == [FOUL]
    assert states(lines) == ["opened", "closed"]


def test_without_a_camera_the_table_is_heard_and_put_right_by_taps(tmp_path: Path) -> None:
    table = Table(tmp_path / "evening", PLAYS, [said("a1", 9.0, "whose_turn")])
    table.pull(table.cameras, 5.0, 8.0)
    tapped: list[Any] = []

    def tap() -> None:
        card = Correction("played", at_s=6.0, card=PLAYS[1].reading.card, seat=P2, by="page")
        threading.Thread(target=lambda: tapped.append(table.watching.correct(card)), daemon=True).start()

    table.clock.at(8.0, tap)
    lines = table.play()
    assert states(lines) == ["opened", "camera lost", "camera running", "closed"]
    (gap,) = spans(lines, "picture")
    assert gap[0] == pytest.approx(5.0, abs=0.3)
    assert gap[1] >= 8.0
    assert asked(lines) == [9.0]
    assert [answer.new for answer in tapped] == [True]
    assert [line["what"] for line in lines if line["type"] == "correction"] == ["played"]


def test_a1_without_a_microphone_plays_are_refereed_and_silence_is_a_question(tmp_path: Path) -> None:
    table = Table(tmp_path / "evening", PLAYS)
    table.pull(table.microphones, 5.0, 8.0)
    lines = table.play()
    assert fouls(lines) == [FOUL]
    assert states(lines) == ["opened", "microphone lost", "microphone running", "closed"]
    told = spans(lines, "sound")
    assert min(begin for begin, _ in told) == pytest.approx(5.0, abs=0.3)
    assert max(end for _, end in told) >= 8.0
    assert table.devices.events.parts.states["microphone"] == "running"


@pytest.mark.parametrize("sense", ["eye", "ear"])
def test_a_sense_that_fails_is_tried_again(tmp_path: Path, sense: str) -> None:
    table = Table(tmp_path / "evening", PLAYS, [said("a1", 16.0, "whose_turn")])
    setattr(table, sense, Failing(getattr(table, sense), 6.0, 8.5))
    lines = table.play()
    assert states(lines) == ["opened", f"{sense} lost", f"{sense} running", "closed"]
    assert [line["t_s"] for line in lines if line["type"] == "observation" and line.get("call") == "whose_turn"] == [
        16.0
    ]
    assert "v3" in [line["id"] for line in lines if line["type"] == "observation" and "id" in line] or fouls(lines)


class FullDisk(Recorder):
    """A recorder whose thread has died and whose disk is full."""

    def __init__(self) -> None:
        self.dropped = 0

    def picture(self, frame: Frame) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def sound(self, chunk: SoundChunk) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    @property
    def nudged(self) -> int:
        return 0

    def close(self) -> None:
        pass


def test_s4_a_recorder_that_fails_costs_the_recording_alone(tmp_path: Path) -> None:
    table = Table(tmp_path / "evening", PLAYS)
    table.recorder = FullDisk()
    lines = table.play()
    assert fouls(lines) == [FOUL]
    assert states(lines) == ["opened", "recorder lost", "closed"]


@pytest.mark.parametrize("source", ["camera", "microphone"])
def test_a_source_that_breaks_for_good_leaves_the_other(tmp_path: Path, source: str) -> None:
    table = Table(tmp_path / "evening", PLAYS, [said("a1", 6.0, "whose_turn")])
    whole = getattr(table.devices, source)
    method = "frames" if source == "camera" else "chunks"

    class Broken:
        def __getattr__(self, name: str) -> Any:
            return getattr(whole, name)

    def breaking(items: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        for item in items():
            if item.t_s > 3.0:
                raise RuntimeError("the library fell over")
            yield item

    broken = Broken()
    setattr(broken, method, lambda: breaking(getattr(whole, method)))
    table.devices = replace(table.devices, **cast(Any, {source: broken}))
    lines = table.play(ENDS_S if source == "microphone" else 9.0)
    assert f"{source} lost" in states(lines)
    if source == "microphone":
        assert fouls(lines) == [FOUL]
    else:
        assert asked(lines) == [6.0]


def test_a_microphone_that_hangs_does_not_hold_the_game_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread stands still within the library: the judge, who waits for sound, goes on without."""
    table = Table(tmp_path / "evening", PLAYS)
    for_ever = threading.Event()
    opened = table.microphones.inputs

    def hang() -> Any:
        if table.clock.now_s() > 5.0:
            for_ever.wait()
        return opened()

    monkeypatch.setattr(table.microphones, "inputs", hang)
    table.clock.at(6.0, table.microphones.unplug)
    table.clock.at(ENDS_S - 1.0, for_ever.set)
    lines = table.play()
    assert fouls(lines) == [FOUL]
    assert "microphone lost" in states(lines)


def test_an_ear_that_hangs_holds_neither_pictures_nor_rulings_up(tmp_path: Path) -> None:
    """The recogniser never comes back from one run of sound: plays are judged, and silence is no fault."""
    table = Table(tmp_path / "evening", PLAYS)
    for_ever, ear = threading.Event(), table.ear

    class Stuck(ScriptedEar):
        def hear(self, chunk: SoundChunk) -> list[CallHeard]:
            if chunk.t_s > 5.0:
                for_ever.wait(20.0)
            return cast(list[CallHeard], ear.hear(chunk))

    table.ear = Stuck([])
    table.follow = lambda: table.watching.looking_at_s
    table.clock.at(ENDS_S - 1.0, for_ever.set)
    lines = table.play()
    assert fouls(lines) == [FOUL]
    assert states(lines)[:2] == ["opened", "ear lost"]
    assert min(begin for begin, _ in spans(lines, "sound")) == pytest.approx(5.0, abs=0.3)


def test_every_part_says_how_it_is(tmp_path: Path) -> None:
    table = Table(tmp_path / "evening", PLAYS)
    table.pull(table.cameras, 5.0, 30.0)
    table.clock.at(10.0, lambda: seen.update(table.devices.events.parts.states))
    seen: dict[str, str] = {}
    table.play(12.0)
    assert seen == {"camera": "lost", "microphone": "running", "eye": "running", "ear": "running"}


def test_no_camera_at_all(tmp_path: Path) -> None:
    """`--camera off`: what is heard is kept, and Ctrl-C ends it."""
    table = Table(tmp_path / "evening", [], [said("a1", 2.0, "whose_turn")])
    table.devices = open_devices(
        "off",
        None,
        Settings(),
        table.clock,
        pacing=cast(SessionClock, table.clock),
        microphones=lambda: table.microphones,
    )
    lines = table.play(5.0)
    assert asked(lines) == [2.0]
    assert table.devices.events.parts.states["camera"] == "off"
