"""A table that is being watched, behind the pages: its board follows what is told, its picture the newest frame."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import cv2

from referee.capture.clips import Piece, cut_clip
from referee.fusion.desk import Question
from referee.observations import Observation, ViewChanged
from referee.session.case_bundle import AFTER_S, BEFORE_S
from referee.session.corrections import Correction
from referee.session.folder import log_of, segments_of
from referee.session.frame_memory import Image
from referee.session.incidents import CaseLine, incidents_of, numbered
from referee.session.parts import Parts
from referee.session.plan import SessionPlan
from referee.session.source import TappedCamera
from referee.session.telling import Ruled, Told
from referee.session.watching import Watching
from referee.vision.outlines import ArmOutline
from referee.vision.zones import TableZones
from referee.web.board import Board, Health, Said, View
from referee.web.live_marks import arm_marks, as_seen, marks_on, through_plane, zone_marks
from referee.web.moves import moves_of
from referee.web.table_link import Answer, LivePicture, Move

Arms: TypeAlias = Callable[[tuple[int, int]], Sequence[ArmOutline]]
PICTURE_WIDTH_PX = 960
JPEG_QUALITY = 75
REMEMBERED = 400


class LiveTable:
    """`TableLink` over a running `Watching`, which `run` drives. folder: where it is written to.

    arms: those over the table now, for a frame of (width, height) px; called on the pages' threads.
    """

    def __init__(
        self,
        watching: Watching,
        camera: TappedCamera,
        *,
        folder: Path | None,
        zones: TableZones | None = None,
        parts: Parts | None = None,
        arms: Arms = lambda _size_px: (),
    ) -> None:
        self._watching, self._camera, self._folder, self._zones = watching, camera, folder, zones
        self._parts = parts or watching.parts
        self._arms = arms
        self.recording = folder is not None
        self._changed = threading.Condition()
        self._number = 0
        self._t_s = 0.0
        self._view = View()
        self._seen: deque[Observation] = deque(maxlen=REMEMBERED)
        self._said: list[tuple[Ruled | Question, float]] = []
        self._ended = False
        self._jpeg: tuple[float, bytes] | None = None
        self._board = Board(self.plan)
        self._publish()
        self._parts.on_change = self._publish_health
        watching.on_corrected = self._begin_anew
        self._drawing, self._reading = threading.Lock(), threading.Lock()
        self._cases: tuple[int, Sequence[CaseLine]] = (-1, [])
        self.on_mute: Callable[[bool], None] | None = None

    @property
    def plan(self) -> SessionPlan:
        """See `TableLink`."""
        return self._watching.plan

    def run(self) -> Iterator[Told]:
        """Watch the table to its end; every step updates the board before it is passed on."""
        for told in self._watching.run():
            self._take((told,))
            yield told
        self._ended = True
        for part in self._parts.states:
            self._parts.set(part, "stopped")
        self._publish()

    def board(self) -> tuple[int, Board]:
        """See `TableLink`."""
        with self._changed:
            return self._number, self._board

    def changed(self, seen: int, timeout_s: float) -> bool:
        """See `TableLink`."""
        with self._changed:
            return self._changed.wait_for(lambda: self._number != seen, timeout_s)

    def now_s(self) -> float:
        """See `TableLink`."""
        return self._watching.now_s

    def picture(self) -> LivePicture | None:
        """See `TableLink`. A frame is made into a JPEG once, whoever asks for it."""
        frame = self._camera.newest
        if frame is None:
            return None
        with self._drawing:
            kept = self._jpeg
            if kept is None or kept[0] != frame.t_s:
                self._jpeg = kept = (frame.t_s, _jpeg(frame.image_bgr))
        height, width = frame.image_bgr.shape[:2]
        zones = self._zones
        place = (through_plane(zones) if zones else None) or as_seen((width, height))
        piles = zone_marks(zones, self.plan, place) if zones else []
        # Outlines of cards are told in the camera's own pixels, through a plane or not.
        cards = marks_on(list(self._seen), as_seen((width, height)))
        return LivePicture(kept[1], frame.t_s, (*piles, *arm_marks(self._arms((width, height)), self.plan), *cards))

    def cases(self) -> Sequence[CaseLine]:
        """See `TableLink`. The log is read once a change of the board, however many ask."""
        if self._folder is None:
            return []
        with self._reading:
            number, cases = self._cases
            if number != (now := self._number):
                cases = incidents_of(log_of(self._folder), self.plan)
                self._cases = (now, cases)
            return cases

    def moves(self) -> Sequence[Move]:
        """See `TableLink`."""
        return moves_of(list(self._seen))

    def clip(self, number: int, into: Path) -> Path:
        """See `TableLink`."""
        folder = self._folder or into
        case = numbered(list(self.cases()), number, folder)
        pieces = [Piece(segment.path, segment.begin_s) for segment in segments_of(folder)]
        return cut_clip(pieces, max(0.0, case.t_s - BEFORE_S), case.t_s + AFTER_S, into / "clip.mp4").path

    def correct(self, correction: Correction) -> Answer:
        """See `TableLink`."""
        done = self._watching.correct(correction)
        return Answer(done.id, done.new, done.gone, done.added)

    def mute(self, muted: bool) -> bool:
        """See `TableLink`."""
        if self.on_mute is None:
            return False
        self.on_mute(muted)
        return True

    def _begin_anew(self, told: Sequence[Told]) -> None:
        """Something was put right: the whole evening as it is judged now, on the judge's thread like all else."""
        self._seen.clear()
        self._said.clear()
        self._take(told)

    def _take(self, told: Iterable[Told]) -> None:
        for one in told:
            match one:
                case ViewChanged():
                    self._view = View(one.state.value, one.reason)
                    self._t_s = max(self._t_s, one.seen_s)
                case Observation():
                    self._seen.append(one)
                    self._t_s = max(self._t_s, one.seen_s)
                case Ruled():
                    self._said.append((one, one.judged.t_s))
                case Question():
                    self._said.append((one, one.t_s))
                case _:
                    pass
        self._publish()

    def _publish_health(self) -> None:
        """On the thread of whichever part has changed: the game itself is left alone."""
        with self._changed:
            self._board = replace(self._board, health=Health(self._parts.states))
            self._number += 1
            self._changed.notify_all()

    def _publish(self) -> None:
        standing = self._watching.standing()
        said = tuple(
            Said(told, t_s, standing=isinstance(told, Question) or told.incident in standing)
            for told, t_s in self._said
        )
        board = Board.of(
            self.plan,
            self._watching.desk,
            self._t_s,
            sheet=self._watching.sheet,
            said=said,
            view=self._view,
            health=Health(self._parts.states),
            ended=self._ended,
        )
        with self._changed:
            self._board = board
            self._number += 1
            self._changed.notify_all()


def _jpeg(image_bgr: Image) -> bytes:
    height, width = image_bgr.shape[:2]
    if width > PICTURE_WIDTH_PX:
        size = (PICTURE_WIDTH_PX, round(height * PICTURE_WIDTH_PX / width))
        image_bgr = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA).astype(image_bgr.dtype)
    return cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
