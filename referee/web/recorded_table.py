"""A recorded session behind the pages: what the board said at its end, its incidents, and putting it right."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import cv2

from referee.capture.clips import Piece, cut_clip
from referee.fusion.desk import Question
from referee.observations import Observation
from referee.rules.profiles import load_profile
from referee.session.case_bundle import AFTER_S, BEFORE_S
from referee.session.corrected import CorrectedScribe
from referee.session.corrections import Correction, standing_corrections
from referee.session.folder import log_of, segments_of
from referee.session.incidents import CaseLine, incidents_of, numbered
from referee.session.log import LogLine
from referee.session.plan import SessionPlan
from referee.session.putting_right import put_right
from referee.session.recorded_frames import frames_at
from referee.session.rejudging import steps_of, table_start
from referee.session.telling import Ruled, Teller
from referee.vision.zones import TableZones
from referee.web.board import Board, Health, Said
from referee.web.live_marks import as_seen, marks_on, through_plane, zone_marks
from referee.web.moves import moves_of
from referee.web.table_link import Answer, LivePicture, Move


class RecordedTable:
    """`TableLink` over a session folder that nobody records into any more. Raises InputFault when it has no log."""

    recording = False

    def __init__(self, folder: Path, plan: SessionPlan) -> None:
        self._folder, self._plan = folder, plan
        self._changed = threading.Condition()
        self._number = 0
        self._picture: LivePicture | None = None
        self._read(log_of(folder))

    @property
    def plan(self) -> SessionPlan:
        """See `TableLink`."""
        return self._plan

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
        return self.board()[1].t_s

    def picture(self) -> LivePicture | None:
        """The last frame on which a card was seen to land; it is looked up once."""
        if self._picture is None:
            self._picture = self._last_picture()
        return self._picture

    def _last_picture(self) -> LivePicture | None:
        last = max((move for move in self._moves if move.what == "card"), key=lambda m: m.t_s, default=None)
        if last is None:
            return None
        seen_s = next(o.seen_s for o in self._observations if o.id == last.id)
        image = frames_at(self._folder, [seen_s]).get(seen_s)
        if image is None:
            return None
        zones = TableZones.from_toml(self._plan.calibration) if self._plan.calibration else None
        own = as_seen((image.shape[1], image.shape[0]))  # outlines of cards are told in the camera's own pixels
        place = (through_plane(zones) if zones else None) or own
        marks = marks_on([o for o in self._observations if o.t_s <= last.t_s], own)
        marks = [*(zone_marks(zones, self._plan, place) if zones else []), *marks]
        return LivePicture(cv2.imencode(".jpg", image)[1].tobytes(), seen_s, tuple(marks))

    def cases(self) -> Sequence[CaseLine]:
        """See `TableLink`."""
        return self._cases

    def moves(self) -> Sequence[Move]:
        """See `TableLink`."""
        return self._moves

    def clip(self, number: int, into: Path) -> Path:
        """See `TableLink`."""
        case = numbered(self._cases, number, self._folder)
        pieces = [Piece(segment.path, segment.begin_s) for segment in segments_of(self._folder)]
        return cut_clip(pieces, max(0.0, case.t_s - BEFORE_S), case.t_s + AFTER_S, into / "clip.mp4").path

    def correct(self, correction: Correction) -> Answer:
        """See `TableLink`."""
        done = put_right(self._folder, self._plan, correction)
        if done.new:
            self._read(log_of(self._folder))
        return Answer(done.id, done.new, len(done.gone), len(done.added))

    def mute(self, muted: bool) -> bool:  # noqa: ARG002
        """See `TableLink`: what was recorded does not speak."""
        return False

    def _read(self, lines: list[LogLine]) -> None:
        profile = load_profile(self._plan.profile)
        scribe = CorrectedScribe(profile, table_start(self._plan), standing_corrections(lines), by_id=True)
        teller = Teller(self._plan, profile, scribe)
        told = [t for step in steps_of(lines, scribe) for t in teller.tell(step)]
        cases = incidents_of(lines, self._plan)
        ends_s = max((line.t_s for line in lines), default=0.0)
        standing = teller.standing()
        said = tuple(
            Said(t, t.judged.t_s, standing=t.incident in standing) if isinstance(t, Ruled) else Said(t, t.t_s)
            for t in told
            if isinstance(t, Ruled | Question)
        )
        board = Board.of(
            self._plan, scribe.desk, ends_s, sheet=teller.sheet, said=said, ended=True, health=Health({})
        )
        self._observations: list[Observation] = list(teller.observations.values())
        self._picture = None
        with self._changed:
            self._board, self._cases, self._moves = board, cases, moves_of(self._observations)
            self._number += 1
            self._changed.notify_all()
