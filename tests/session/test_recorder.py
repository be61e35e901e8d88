"""The recorder: pieces that follow each other, a disk that fills, a budget, and never a wait for the referee."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from referee.capture.media import Frame, SoundChunk
from referee.capture.segment_writer import SegmentWriter
from referee.session.budget import DiskBudget
from referee.session.folder import segments_of
from referee.session.log import SessionLog
from referee.session.plan import SessionPlan
from referee.session.recorder import DiskRoom, Recorder
from referee.session.recording import recorded_frames, recorded_sound
from tests.session.drawn_log import PLAN

RATE_HZ = 16_000
SIZE_PX = (64, 48)
SOUND = np.random.default_rng(3).integers(-50, 50, RATE_HZ * 40).astype(np.int16)


class Told(list[tuple[str, float, dict[str, Any]]]):
    """Log lines, as the recorder tells them."""

    def __call__(self, kind: str, t_s: float, payload: Mapping[str, Any]) -> None:
        self.append((kind, t_s, dict(payload)))

    def states(self) -> list[str]:
        return [payload["what"] for kind, _, payload in self if kind == "state"]


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "media").mkdir()
    return tmp_path


def make(folder: Path, told: Callable[..., None], **more: Any) -> Recorder:
    settings: dict[str, Any] = {"size_px": SIZE_PX, "rate_hz": RATE_HZ, "segment_s": 2.0, "patient": True, **more}
    return Recorder(folder, told, **settings)


def frame(t_s: float) -> Frame:
    level = 30 + int(t_s * 40) % 200
    return Frame(round(t_s, 3), 0, np.full((SIZE_PX[1], SIZE_PX[0], 3), level, np.uint8))


def play(recorder: Recorder, from_s: float, until_s: float) -> None:
    """As a camera and a microphone would: each tenth of a second of sound after its frames."""
    for tenth in range(round(from_s * 10), round(until_s * 10)):
        recorder.picture(frame(tenth / 10))
        at = tenth * RATE_HZ // 10
        recorder.sound(SoundChunk(tenth / 10, SOUND[at : at + RATE_HZ // 10], RATE_HZ))


def plan(folder: Path) -> SessionPlan:
    return SessionPlan(
        **{**{name: getattr(PLAN, name) for name in PLAN.__slots__}, "folder": folder, "recorded": True}
    )


def test_pieces_follow_each_other_without_a_seam(folder: Path, told: Told) -> None:
    recorder = make(folder, told)
    play(recorder, 0.0, 7.0)
    recorder.close()
    assert [round(s.begin_s, 2) for s in segments_of(folder)] == [0.0, 2.0, 4.0, 6.0]
    seen = [f.t_s for f in recorded_frames(plan(folder), None)]
    assert seen == [round(i / 10, 3) for i in range(70)]
    heard = np.concatenate([c.samples for c in recorded_sound(plan(folder))])
    assert np.array_equal(heard, SOUND[: 7 * RATE_HZ])
    lines = [payload for kind, _, payload in told if kind == "segment"]
    assert [line["frames"] for line in lines] == [20, 20, 20, 10]
    assert all(len(line["sha256"]) == 64 and line["nudged"] == 0 and line["silence_s"] == 0 for line in lines)


@pytest.mark.parametrize("hole_s", [0.05, 2.0])
def test_sound_that_a_crash_lost_does_not_shift_what_follows(folder: Path, told: Told, hole_s: float) -> None:
    """An ear counts samples: silence stands for the lost ones, few or many."""
    first = make(folder, told)
    play(first, 0.0, 3.0)
    first.close()
    second = make(folder, told, first_number=9)
    begin_s = 3.0 + hole_s
    for tenth in range(20):
        second.picture(frame(begin_s + tenth / 10))
        at = tenth * RATE_HZ // 10
        second.sound(SoundChunk(begin_s + tenth / 10, SOUND[at : at + RATE_HZ // 10], RATE_HZ))
    second.close()
    chunks = list(recorded_sound(plan(folder)))
    assert [c.t_s for c in chunks] == pytest.approx([i / 10 for i in range(len(chunks))], abs=0.001)
    heard = np.concatenate([c.samples for c in chunks])
    hole = round(hole_s * RATE_HZ)
    assert np.array_equal(heard[: 3 * RATE_HZ], SOUND[: 3 * RATE_HZ])
    assert not heard[3 * RATE_HZ : 3 * RATE_HZ + hole].any()
    assert np.array_equal(heard[3 * RATE_HZ + hole :], SOUND[: 2 * RATE_HZ])


def test_replay_can_begin_in_the_middle(folder: Path, told: Told) -> None:
    recorder = make(folder, told)
    play(recorder, 0.0, 5.0)
    recorder.close()
    assert next(f.t_s for f in recorded_frames(plan(folder), None, from_s=2.5)) == 2.0


def test_what_cannot_be_written_in_time_is_dropped_and_told(
    folder: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest pictures go, the sound stays, the referee never waits (C16)."""
    stuck, free = threading.Event(), threading.Event()

    def wait_for_the_disk() -> None:
        stuck.set()
        free.wait(60)

    recorder = make(folder, told, patient=False, make_room=wait_for_the_disk)
    recorder.picture(frame(0.0))
    assert stuck.wait(60)
    play(recorder, 0.1, 12.0)
    assert recorder.dropped == 120 - 30 - 1  # one is in the writer's hands
    free.set()
    recorder.close()
    hole = next(payload for kind, _, payload in told if kind == "gap")
    assert (hole["what"], hole["from_s"], hole["until_s"]) == ("recording", 0.1, 8.9)
    heard = np.concatenate([c.samples for c in recorded_sound(plan(folder))])
    assert len(heard) == round(11.9 * RATE_HZ)


def disk(monkeypatch: pytest.MonkeyPatch, free_bytes: list[int]) -> None:
    """A disk that has so much room at each look, the last for ever."""

    def usage(_path: Path) -> SimpleNamespace:
        return SimpleNamespace(free=free_bytes.pop(0) if len(free_bytes) > 1 else free_bytes[0])

    monkeypatch.setattr("referee.session.recorder.shutil.disk_usage", usage)


def test_s4_video_stops_first_then_sound(folder: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    disk(monkeypatch, [1000, 90, 30, 5, 5])
    recorder = make(folder, told, room=DiskRoom(video_bytes=60, sound_bytes=10))
    play(recorder, 0.0, 12.0)
    recorder.close()
    assert told.states() == ["video stopped", "sound stopped"]
    assert max(f.t_s for f in recorded_frames(plan(folder), None)) == pytest.approx(3.9)
    seconds = sum(len(c.samples) for c in recorded_sound(plan(folder))) / RATE_HZ
    assert 5.5 <= seconds <= 6.5


def test_s4_video_comes_back_when_there_is_room(folder: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    disk(monkeypatch, [1000, 30, 100, 1000])
    recorder = make(folder, told, room=DiskRoom(video_bytes=60, sound_bytes=10))
    play(recorder, 0.0, 10.0)
    recorder.close()
    assert told.states() == ["video stopped", "video goes on"]
    hole = next(payload for kind, _, payload in told if kind == "gap")
    assert (hole["what"], hole["from_s"], hole["why"]) == ("video", 2.0, "the disk was full")
    seen = [f.t_s for f in recorded_frames(plan(folder), None)]
    assert [t for t in seen if hole["from_s"] < t < hole["until_s"]] == []
    assert seen[-1] == 9.9


def test_s4_the_disk_is_full_while_media_are_written(
    folder: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ENOSPC out of the blue: what was written stays readable, and sound goes on if it finds room."""
    write, left = os.write, [24_000]

    def full(file: int, data: bytes) -> int:
        if left[0] < len(data):
            raise OSError(errno.ENOSPC, "No space left on device")
        left[0] -= len(data)
        return write(file, data)

    monkeypatch.setattr("referee.capture.segment_writer.os.write", full)
    recorder = make(folder, told)
    play(recorder, 0.0, 3.0)
    recorder.close()
    assert told.states()[:2] == ["piece not closed", "video stopped"]
    assert [f.t_s for f in recorded_frames(plan(folder), None)][:5] == [0.0, 0.1, 0.2, 0.3, 0.4]


def test_a_codec_that_fails_costs_a_piece_not_the_recording(
    folder: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = SegmentWriter.picture

    def fails_once(writer: SegmentWriter, image_bgr: np.ndarray, t_s: float) -> None:
        if 3.0 <= t_s < 3.05:
            raise RuntimeError("no such codec")
        picture(writer, image_bgr, t_s)

    monkeypatch.setattr(SegmentWriter, "picture", fails_once)
    recorder = make(folder, told)
    play(recorder, 0.0, 6.0)
    recorder.close()
    assert told.states() == ["a piece failed"]
    seen = [f.t_s for f in recorded_frames(plan(folder), None)]
    assert (seen[0], seen[-1]) == (0.0, 5.9)
    assert len(seen) >= 60 - 11  # the frame itself, and the cluster that was open


def test_the_oldest_media_go_first_and_marked_ones_stay(tmp_path: Path, told: Told) -> None:
    def session(name: str, age: int) -> Path:
        folder = tmp_path / name
        (folder / "media").mkdir(parents=True)
        for number in (1, 2, 3):
            piece = folder / "media" / f"{number:06d}-{(number - 1) * 20_000:09d}.mkv"
            piece.write_bytes(bytes(1000))
            os.utime(piece, (1_000_000 - age * 1000 + number, 1_000_000 - age * 1000 + number))
        return folder

    old, new = session("old", 2), session("new", 1)
    for folder, marks in ((old, [(25.0, 30.0)]), (new, [])):
        log = SessionLog(folder / "log.jsonl")
        for from_s, until_s in marks:
            log.append("mark", from_s, {"from_s": from_s, "until_s": until_s, "why": "disputed"})
        log.close()
    deleted = DiskBudget(new, told, budget_bytes=3500).make_room()
    assert [(p.parent.parent.name, p.name[:6]) for p in deleted] == [
        ("old", "000001"),
        ("old", "000003"),
        ("new", "000001"),
    ]
    assert told.states() == ["media deleted"]
    assert '"media deleted"' in (old / "log.jsonl").read_text()
    assert DiskBudget(new, told, budget_bytes=3500).make_room() == []
