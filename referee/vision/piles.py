"""The discard pile: from arms over it and pictures at rest to cards that landed or left.

Nothing is judged while an arm covers the pile or anything on it moves (G4): a card counts once it has rested and the
readings of successive frames agree.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.cards import Seat
from referee.observations import EMPTY_PILE, UNREAD_CHANGE, CardReading
from referee.vision.arms import Arm
from referee.vision.holding import Holdings
from referee.vision.joining import ReadingJoiner, quad_of
from referee.vision.looking import Looker
from referee.vision.motion import Scene
from referee.vision.pile_history import PileFilm, PileMemory, Settled, filled
from referee.vision.pile_judging import Change, judge_change, lies_in, top_of
from referee.vision.placing import Places
from referee.vision.view import Mask, View, changed_between
from referee.vision.zones import Polygon

SETTLE_S = 0.12
"""A pile has come to rest when nothing on it moved for so long; until then its readings are only collected."""

_READ_FROM_S = 0.05
_CHANGED_CARDS = 0.07
_LEAST_FRAMES = 2
_MOST_FRAMES = 4
_MOST_FRAMES_IN_DOUBT = 8
_SURE = 0.85
_SAME_OUTLINE = 0.8
_BARED = 0.6
_MAY_BE = 0.6
_NEAR_CARDS = 3.5
_NEAR_SHARE = 0.02
_FADES = 0.4
_UNTOUCHED_S = 0.9
_THROWN_S = 0.4
"""So long a change without any hand at the pile must last, and one just after an arm was in view that may have thrown
a card: a camera that was pushed is noticed within half a second while it swings."""

_FLIGHT_S = 0.8
"""From the last sight of the arm that threw a card to its rest."""

_ARMS_KEPT_S = 12.0

_LIKE_THE_TABLE = 25.0
_MARGINS_CARDS = (0.5, 0.8, 0.35, 1.1, 0.65, 0.45, 0.95)


class PileState(enum.Enum):
    """What can be said of the pile just now."""

    RESTING = "resting"
    COVERED = "covered"
    MOVING = "moving"
    READING = "reading"


@dataclass(frozen=True, slots=True)
class PileEvent:
    """A card landed, or left (`lifted`). `rest_s`: when the picture came to be as it is.

    perhaps: other seats whose hands were there nearly as much; found: it lay there when the pile came into view.
    """

    reading: CardReading
    seat: Seat | None
    rest_s: float
    lifted: bool = False
    perhaps: tuple[Seat, ...] = ()
    found: bool = False


class DiscardPile:
    """Watches one discard pile. `note` says in a few words what the last change was when it was no play."""

    def __init__(self, area: Polygon, places: Places, looker: Looker) -> None:
        self._area = area
        self._looker = looker
        self._memory = PileMemory()
        self._film = PileFilm()
        self._joiner = ReadingJoiner()
        self._last_top: CardReading | None = None
        self._lately: deque[tuple[float, frozenset[Seat]]] = deque()
        self._handled = False
        self.rebase(places)

    def rebase(self, places: Places) -> None:
        """The picture has another size or another view: forget how the pile looked, not what lay on top."""
        self._places = places
        if len(self._memory) and self._memory.now.top is not None:
            self._last_top = self._memory.now.top
        self._memory.forget()
        self._film.clear()
        away = cv2.distanceTransform(cv2.bitwise_not(places.discard), cv2.DIST_L2, 3)
        self._away_cards = away / max(places.card_px, 1.0)
        self._unsettle(PileState.MOVING)

    def step(self, scene: Scene, arms: Sequence[Arm], holdings: Holdings) -> list[PileEvent]:
        """Take in one frame; returns what has become certain with it, in the order it lies."""
        view = scene.view
        where = self._places.discard
        self._note_arms(arms, view.t_s)
        over = [arm for arm in arms if arm.covers_px(where) > 0.04 * self._places.card_area_px]
        if over:
            self._unsettle(PileState.COVERED)
            self._handled = True
        still_s = scene.still_s(where)
        if not over and still_s < _READ_FROM_S:
            self._unsettle(PileState.MOVING)
        if self.state is PileState.RESTING:
            return []
        self._film.add(view.t_s, view.small, _hands(over, where) or self._near(arms))
        if over or still_s < _READ_FROM_S:
            return []
        if not self._film.touched and len(self._memory):
            wait_s = _THROWN_S if self._thrown_by(view.t_s - still_s) else _UNTOUCHED_S
            if still_s < wait_s and self._changed(view):
                return []
        return self._at_rest(view, holdings, settled=still_s >= SETTLE_S)

    def _near(self, arms: Sequence[Arm]) -> dict[Seat | None, float]:
        """Hands near the pile: a card may be thrown from some way off."""
        near: dict[Seat | None, float] = {}
        for arm in arms:
            cards = float(self._away_cards[arm.hand > 0].min(initial=np.inf))
            if cards <= _NEAR_CARDS:
                for seat in (arm.seat, *arm.perhaps):
                    near[seat] = max(_NEAR_SHARE * _FADES**cards, near.get(seat, 0.0))
        return near

    def _note_arms(self, arms: Sequence[Arm], t_s: float) -> None:
        seats = frozenset(seat for arm in arms for seat in (arm.seat, *arm.perhaps) if seat is not None)
        if seats:
            self._lately.append((t_s, seats))
        while self._lately and t_s - self._lately[0][0] > _ARMS_KEPT_S:
            self._lately.popleft()

    def _thrown_by(self, rest_s: float) -> list[Seat]:
        """Whose arm, anywhere over the table, was the last in view before a card flew in; none if several were."""
        lately = next((seats for t_s, seats in reversed(self._lately) if 0 <= rest_s - t_s <= _FLIGHT_S), frozenset())
        return list(lately) if len(lately) == 1 else []

    def _changed(self, view: View) -> bool:
        changed = changed_between(self._memory.now.small, view.small, self._places.discard)
        return cv2.countNonZero(changed) >= self._least_px

    def _unsettle(self, state: PileState) -> None:
        self.state = state
        self.note = ""
        self._joiner = ReadingJoiner()

    def _at_rest(self, view: View, holdings: Holdings, *, settled: bool) -> list[PileEvent]:
        changed: Mask | None = None
        if len(self._memory):
            changed = changed_between(self._memory.now.small, view.small, self._places.discard)
            if cv2.countNonZero(changed) < self._least_px:
                if not settled:
                    return []
                self._memory.renew(view.small)
                return self._settle()
            if back := self._memory.earlier_like(view.small, self._places.discard, self._least_px):
                return self._undo(back, view, changed) if settled else []
        self.state = PileState.READING
        if not self._looker.due(self._area, view.t_s):
            return []
        if self._joiner.frames < _MOST_FRAMES:
            self._joiner.add(self._read(view))
        if not settled or self._joiner.frames < _LEAST_FRAMES:
            return []
        joined = [(card.reading(), card) for card in self._joiner.cards()]
        cards = [reading for reading, _ in joined]
        agreed = self._joiner.agreed(_LEAST_FRAMES, _SURE, self._memory.codes, ghosts=False)
        enough = agreed or self._joiner.frames >= _MOST_FRAMES
        if changed is None:
            return self._begin(cards, view) if enough else []
        seat = self._film.seat_at(view.t_s)
        change = judge_change(
            cards,
            changed,
            self._memory,
            self._places,
            view.scale,
            small=view.small,
            brought=lambda card: holdings.brought(seat, view, card),
            thrown=not self._handled and self._film.touched,
        )
        if change.doubtful and self._joiner.frames < _MOST_FRAMES_IN_DOUBT:
            self._joiner.add(self._read(view))
            return []
        firm = all(self._joiner.firm(card, _SURE) for reading, card in joined if reading in change.rests_on)
        if not (enough and firm) and self._joiner.frames < _MOST_FRAMES:
            return []
        if not cards and self._bared(changed, view):
            change = replace(change, note=EMPTY_PILE)
        if not self._film.touched and any(reading.confidence < _MAY_BE for reading, _ in change.landed):
            change = Change(note=UNREAD_CHANGE)  # hardly read, and brought by nobody
        return self._act(change, view, changed)

    def _bared(self, changed: Mask, view: View) -> bool:
        """Whether the place of the top card looks otherwise all over, and like the table around it."""
        top = self._memory.now.top
        if top is None:
            return False
        place = filled(quad_of(top), view.scale, (changed.shape[0], changed.shape[1]), 2)
        gone = cv2.countNonZero(cv2.bitwise_and(place, changed)) > _BARED * max(1, cv2.countNonZero(place))
        wider = round(0.3 * self._places.card_px)
        around = cv2.dilate(place, np.ones((2 * wider + 1,) * 2, np.uint8)) > 0
        ring = around & (cv2.dilate(place, np.ones((9, 9), np.uint8)) == 0)
        if not gone or not ring.any():
            return False
        here, there = (np.median(view.small[where], axis=0) for where in (place > 0, ring))
        return float(np.abs(here - there).max()) <= _LIKE_THE_TABLE

    @property
    def settled_s(self) -> float | None:
        """Since when something may be happening that is not told yet; None when nothing is."""
        return None if self.state is PileState.RESTING else self._film.since_s

    @property
    def _least_px(self) -> float:
        return _CHANGED_CARDS * self._places.card_area_px

    def _read(self, view: View) -> list[CardReading]:
        """The cards on the pile; each frame is cut a little differently, so that errors differ too."""
        length = self._places.card_px / view.scale
        margin_px = _MARGINS_CARDS[self._joiner.frames % len(_MARGINS_CARDS)] * length
        found = self._looker.look(view, self._area, margin_px, same_outline=_SAME_OUTLINE)
        return [card for card in found if lies_in(card, self._places.discard, view.scale)]

    def _begin(self, cards: Sequence[CardReading], view: View) -> list[PileEvent]:
        top = top_of(cards, self._places.discard, view.scale)
        self._memory.add(Settled(view.small, (top,) if top else ()))
        known = self._last_top is not None and top is not None and top.code == self._last_top.code
        events = [PileEvent(top, None, view.t_s, found=True)] if top and not known else []
        return self._settle(events)

    def _act(self, change: Change, view: View, changed: Mask) -> list[PileEvent]:
        if change.lifted:
            return self._undo(change.lifted, view, changed)
        if change.moved:
            old = self._memory.now.top
            self._memory.renew(view.small, replace(old, quad_px=change.moved.quad_px) if old else None)
            return self._settle(note=change.note)
        events = self._landed(change, view)
        self._memory.add(Settled(view.small, tuple(event.reading for event in events)))
        return self._settle(events, change.note)

    def _landed(self, change: Change, view: View) -> list[PileEvent]:
        events: list[PileEvent] = []
        for reading, pixels in change.landed:
            rest_s = self._film.rest_s(view.small, pixels, view.t_s)
            seats = self._film.seats_at(rest_s) or self._thrown_by(rest_s)
            events.append(PileEvent(reading, seats[0] if seats else None, rest_s, perhaps=tuple(seats[1:])))
        return events

    def _undo(self, changes: int, view: View, changed: Mask) -> list[PileEvent]:
        rest_s = self._film.rest_s(view.small, changed, view.t_s)
        seat = self._film.seat_at(rest_s)
        gone = self._memory.undo(changes)
        self._memory.renew(view.small)
        return self._settle([PileEvent(reading, seat, rest_s, lifted=True) for reading in gone])

    def _settle(self, events: Sequence[PileEvent] = (), note: str = "") -> list[PileEvent]:
        self.state, self.note = PileState.RESTING, note
        self._joiner = ReadingJoiner()
        self._film.clear()
        self._handled = False
        return list(events)


def _hands(over: Sequence[Arm], where: Mask) -> dict[Seat | None, float]:
    """Which seats' hands are over the pile, by the share of the hand; less for seats whose arm it only may be."""
    hands: dict[Seat | None, float] = {}
    for arm in over:
        share = arm.hand_share(where)
        hands[arm.seat] = max(share, hands.get(arm.seat, 0.0))
        for seat in arm.perhaps:
            hands[seat] = max(_MAY_BE * share, hands.get(seat, 0.0))
    return hands
