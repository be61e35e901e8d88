"""Turns the frames of a table into observations: who reached where, which card landed, who drew, what was shown.

A still table costs a resize and a comparison of thumbnails. While an arm is over the table only small pictures are
looked at; the card reader runs when a pile or a place has come to rest and looks different.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from referee.observations import (
    ArmSeen,
    CardLanded,
    CardLifted,
    CardsDrawn,
    CardsShown,
    Observation,
    ViewChanged,
    ViewState,
)
from referee.vision.arms import Arm, find_arms
from referee.vision.draws import Draw, DrawPile
from referee.vision.holding import Holdings
from referee.vision.looking import CardLength, Looker
from referee.vision.motion import MotionGate, RestingTable, Scene
from referee.vision.outlines import ArmOutline, outlines_of
from referee.vision.piles import DiscardPile, PileEvent, PileState
from referee.vision.placing import places_of
from referee.vision.quads import Image
from referee.vision.reaches import Reaches, Visit
from referee.vision.reader import CardReader
from referee.vision.seat_votes import SeatVotes
from referee.vision.shown import OwnPlace, Shown
from referee.vision.view import MORE_ARMS, View, view_of
from referee.vision.zones import TableZones

_FOREIGN_TABLE = 0.6
_LOST_AFTER_S = 0.4
_NEW_TABLE_S = 1.0
_LOOSE_SHARE = 0.002
_MOST_AT_ONCE = 3
_GAP_S = 0.7

_STATES = {
    PileState.RESTING: ViewState.READY,
    PileState.COVERED: ViewState.HAND_OVER,
    PileState.MOVING: ViewState.SETTLING,
    PileState.READING: ViewState.SETTLING,
}


class TableWatcher:
    """Watches one table through one camera that stands still.

    expected_card_px: length of a card in a frame of the calibrated size; learnt from the first cards when None.
    ids: gives each observation its id (`v1`, `v2` … by default). Frames must come in the order of their times.
    """

    def __init__(
        self,
        zones: TableZones,
        reader: CardReader,
        *,
        expected_card_px: float | None = None,
        ids: Callable[[], str] | None = None,
    ) -> None:
        count = itertools.count(1)
        self._ids = ids or (lambda: f"v{next(count)}")
        self._zones = zones
        self._looker = Looker(reader, sparing=zones.guessed)
        self._card_px = expected_card_px
        self._gate = MotionGate()
        self._size_px: tuple[int, int] | None = None
        self._state: tuple[ViewState, str] | None = None
        self._lost_since_s: float | None = None
        self._now_s = float("-inf")
        self._busy = True
        self._arms: tuple[Arm, ...] = ()

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        """Take in the frame taken at `t_s`, uint8 (h, w, 3); returns what has become certain with it.

        Raises ValueError when it is no such picture or is older than the one before.
        """
        if t_s < self._now_s:
            raise ValueError(f"frame at {t_s:.3f} s comes after one at {self._now_s:.3f} s")
        if t_s - self._now_s > _GAP_S:
            self._busy = True
            if self._state is not None and self._state[0] is not ViewState.LOST:
                self._state = None  # whether the table rests has to be said anew
        self._now_s = t_s
        view = view_of(image_bgr, t_s)
        if reason := view.lost_reason:
            return self._lost(reason)
        if self._size_px != image_bgr.shape[:2]:
            self._begin(view)
        if self._gate.still(view) and not self._busy:
            return []
        scene = self._table.compare(view)
        if scene.foreign_share > _FOREIGN_TABLE:
            return self._another_table(scene)
        self._lost_since_s = None
        return self._watch(scene)

    @property
    def arms(self) -> tuple[ArmOutline, ...]:
        """The arms over the table in the newest frame; from any thread."""
        return outlines_of(self._arms)

    @property
    def settled_s(self) -> float:
        """Nothing that is still to be reported happened before this, hands laid open excepted."""
        if self._size_px is None:
            return self._now_s
        parts = [reach.settled_s for reach in self._reaches.under_way.values()]
        parts += [self._pile.settled_s, self._draw_pile.settled_s if self._draw_pile else None]
        return min([self._now_s, *(t_s for t_s in parts if t_s is not None)])

    def close(self, t_s: float) -> list[Observation]:
        """No more frames: ends the reaches under way. A pile that has not settled stays unjudged."""
        self._now_s = max(self._now_s, t_s)
        if self._size_px is None:
            return []
        ended = self._reaches.close(t_s)
        draws = self._draw_pile.close(ended) if self._draw_pile else []
        return [*self._arms_seen(ended), *self._drawn(draws)]

    def _begin(self, view: View) -> None:
        card_px = None if self._card_px is None else self._card_px * view.image.shape[1] / self._zones.width_px
        self._looker.length = CardLength(card_px)
        self._places = places_of(view, self._zones, card_px)
        self._table = RestingTable(view)
        self._reaches = Reaches(self._places)
        self._votes = SeatVotes(self._places)
        self._holdings = Holdings(self._places)
        if self._size_px is None:
            make = (self._places, self._looker)
            self._pile = DiscardPile(self._zones.discard, *make)
            draw, guessed = self._zones.draw, self._zones.guessed
            self._draw_pile = DrawPile(draw, *make, guessed=guessed) if draw else None
            self._own = [OwnPlace(zone, *make) for zone in self._zones.seats]
        else:
            self._rebase()
        self._size_px = (view.image.shape[0], view.image.shape[1])

    def _rebase(self) -> None:
        self._pile.rebase(self._places)
        if self._draw_pile:
            self._draw_pile.rebase(self._places)
        for own in self._own:
            own.rebase(self._places)
        self._busy = True

    def _watch(self, scene: Scene) -> list[Observation]:
        t_s = scene.view.t_s
        at_border = find_arms(scene, self._places)
        if len(at_border.arms) > min(len(self._zones.seats), _MOST_AT_ONCE):
            # Whose hand does what cannot be told: nothing is judged until they leave.
            self._busy = True
            self._arms = tuple(replace(arm, seat=None) for arm in at_border.arms)
            self._table.take_up(scene, at_border.mask)
            return self._changed(ViewState.HAND_OVER, MORE_ARMS)
        arms = self._votes.step(at_border.arms, t_s)
        self._arms = tuple(arms)
        ended = self._reaches.step(arms, t_s)
        self._holdings.step(scene.view, self._reaches.under_way)
        landed = self._pile.step(scene, arms, self._holdings)
        resting = self._pile.state is PileState.RESTING and not arms
        draws: list[Draw] = []
        if self._draw_pile:
            draws = self._draw_pile.step(scene, self._reaches.under_way, ended)
            if resting:
                self._draw_pile.learn(scene.view)
        shown = self._shown(scene, arms)
        self._table.take_up(scene, at_border.mask)
        loose = scene.foreign_share - cv2.countNonZero(at_border.parked) / at_border.parked.size
        waiting = any(own.busy for own in self._own)
        self._busy = bool(self._reaches.under_way) or not resting or waiting or loose > _LOOSE_SHARE
        state = self._changed(_STATES[self._pile.state], self._pile.note)
        return [*self._arms_seen(ended), *self._drawn(draws), *self._laid(landed), *self._laid_open(shown), *state]

    def _shown(self, scene: Scene, arms: list[Arm]) -> list[Shown]:
        found = [own.step(scene, arms) for own in self._own]
        return [shown for shown in found if shown is not None]

    def _lost(self, reason: str) -> list[Observation]:
        """Nothing can be seen. Said at once: a frame in the dark judges nothing."""
        self._arms = ()
        self._busy = True
        return self._changed(ViewState.LOST, reason)

    def _another_table(self, scene: Scene) -> list[Observation]:
        """Most of the picture differs: something large is before the lens, or the camera was moved."""
        t_s = scene.view.t_s
        self._busy, self._arms = True, ()
        if self._lost_since_s is None:
            self._lost_since_s = t_s
        everywhere = np.full_like(scene.foreign, 255)
        if scene.still_s(everywhere) >= _NEW_TABLE_S and t_s - self._lost_since_s >= _NEW_TABLE_S:
            self._lost_since_s = None
            self._table.reset(scene.view)
            self._reaches = Reaches(self._places)
            self._rebase()
            return self._changed(ViewState.SETTLING, "the camera or the light has changed: looking again")
        if t_s - self._lost_since_s >= _LOST_AFTER_S:
            return self._changed(ViewState.LOST, "most of the table is hidden or the camera was moved")
        return []

    def _changed(self, state: ViewState, reason: str) -> list[Observation]:
        if self._state == (state, reason):
            return []
        self._state = (state, reason)
        return [ViewChanged(id=self._ids(), t_s=self._now_s, seen_s=self._now_s, state=state, reason=reason)]

    def _arms_seen(self, visits: list[Visit]) -> list[Observation]:
        return [
            ArmSeen(id=self._ids(), t_s=v.t_s, seen_s=self._now_s, seat=v.seat, zone=v.zone, until_s=v.until_s)
            for v in visits
            if v.touched
        ]

    def _drawn(self, draws: list[Draw]) -> list[Observation]:
        return [
            CardsDrawn(
                id=self._ids(),
                t_s=draw.left_s,
                seen_s=self._now_s,
                seat=draw.seat,
                at_least=draw.at_least,
                at_most=draw.at_most,
                perhaps=draw.perhaps,
            )
            for draw in draws
        ]

    def _laid(self, events: list[PileEvent]) -> list[Observation]:
        return [self._card_of(event) for event in events]

    def _card_of(self, event: PileEvent) -> CardLanded | CardLifted:
        reading = event.reading
        if event.lifted:
            return CardLifted(
                id=self._ids(),
                t_s=event.rest_s,
                seen_s=self._now_s,
                confidence=reading.confidence,
                reading=reading,
                seat=event.seat,
            )
        return CardLanded(
            id=self._ids(),
            t_s=event.rest_s,
            seen_s=self._now_s,
            confidence=reading.confidence,
            reading=reading,
            seat=event.seat,
            perhaps=event.perhaps,
            found=event.found,
        )

    def _laid_open(self, shown: list[Shown]) -> list[Observation]:
        return [
            CardsShown(
                id=self._ids(),
                t_s=hand.rest_s,
                seen_s=self._now_s,
                confidence=min(r.confidence for r in hand.readings),
                seat=hand.seat,
                readings=hand.readings,
                complete=hand.complete,
            )
            for hand in shown
        ]
