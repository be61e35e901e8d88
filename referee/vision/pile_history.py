"""What the discard pile looked like: settled pictures to compare with, and the recent past.

The recent past tells when a card came to rest, and under whose hand.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from referee.cards import Seat
from referee.observations import CardReading
from referee.vision.quads import Image, Quad
from referee.vision.view import Mask, changed_between, difference, gain_between, relit

_KEPT = 6
_MATCH_LEVEL = 24
_MATCHING_SHARE = 0.3
_MOST_PAST_S = 12.0
_AROUND_REST_S = 0.3
_NEARLY = 0.5


@dataclass(slots=True)
class Settled:
    """The pile at rest. `small`: the whole picture at working size; `laid`: the cards that came with this change.

    `laid` is in the order they lie, the top card last; empty when what came was no card.
    """

    small: Image
    laid: tuple[CardReading, ...]

    @property
    def top(self) -> CardReading | None:
        """The top card's reading."""
        return self.laid[-1] if self.laid else None


class PileMemory:
    """The last settled pictures of the pile, newest last."""

    def __init__(self) -> None:
        self._settled: deque[Settled] = deque(maxlen=_KEPT)

    def __len__(self) -> int:
        return len(self._settled)

    @property
    def now(self) -> Settled:
        """How the pile lay when it last rested."""
        return self._settled[-1]

    @property
    def before(self) -> Settled | None:
        """How it lay before its last change."""
        return self._settled[-2] if len(self._settled) > 1 else None

    @property
    def codes(self) -> frozenset[str]:
        """The faces that came with the changes remembered."""
        return frozenset(reading.code for settled in self._settled for reading in settled.laid)

    def add(self, settled: Settled) -> None:
        """The pile has changed and rests again."""
        self._settled.append(settled)

    def renew(self, small: Image, top: CardReading | None = None) -> None:
        """The same cards in a newer picture; `top` replaces the top card's reading when it has moved."""
        now = self.now
        laid = (*now.laid[:-1], top) if top is not None and now.laid else now.laid
        self._settled[-1] = Settled(small, laid)

    def earlier_like(self, small: Image, where: Mask, most_px: float) -> int:
        """How many changes must be undone for the pile to look like `small`; 0 when it never looked so."""
        for back in range(1, len(self._settled)):
            picture = self._settled[-1 - back].small
            if cv2.countNonZero(changed_between(picture, small, where)) <= most_px:
                return back
        return 0

    def undo(self, changes: int) -> list[CardReading]:
        """Drop the last changes; returns the cards that left, the top one first."""
        gone: list[CardReading] = []
        for _ in range(changes):
            gone += reversed(self._settled.pop().laid)
        return gone

    def forget(self) -> None:
        """The pictures are of no use any more (the camera moved)."""
        self._settled.clear()


class PileFilm:
    """The pile's pictures since it was last at rest, with whose hands were over it."""

    def __init__(self) -> None:
        self._frames: deque[tuple[float, Image, dict[Seat | None, float]]] = deque()

    @property
    def since_s(self) -> float | None:
        """Time of the first frame, None without any."""
        return self._frames[0][0] if self._frames else None

    @property
    def touched(self) -> bool:
        """Whether any hand was over the pile or near it."""
        return any(hands for _, _, hands in self._frames)

    def add(self, t_s: float, small: Image, hands: dict[Seat | None, float]) -> None:
        """One frame: `hands` maps each arm over the pile to the share of its hand there, one near it to far less."""
        self._frames.append((t_s, small, hands))
        while t_s - self._frames[0][0] > _MOST_PAST_S:
            self._frames.popleft()

    def clear(self) -> None:
        """The pile rests."""
        self._frames.clear()

    def rest_s(self, small: Image, where: Mask, otherwise_s: float) -> float:
        """Since when the pixels `where`, as far as they were in view, look as they do in `small`."""
        ys, xs = np.nonzero(where)
        if ys.size == 0:
            return otherwise_s
        box = (slice(int(ys.min()), int(ys.max()) + 1), slice(int(xs.min()), int(xs.max()) + 1))
        inside = where[box] > 0
        rest_s = otherwise_s
        for t_s, picture, _ in reversed(self._frames):
            even = relit(np.ascontiguousarray(picture[box]), gain_between(picture, small))
            alike = difference(even, np.ascontiguousarray(small[box])) <= _MATCH_LEVEL
            if float(alike[inside].mean()) < _MATCHING_SHARE:
                break
            rest_s = min(rest_s, t_s)
        return rest_s

    def seat_at(self, t_s: float) -> Seat | None:
        """Whose hand was over the pile when something came to rest at `t_s`, else whose was there last before."""
        return next(iter(self.seats_at(t_s)), None)

    def seats_at(self, t_s: float) -> list[Seat]:
        """As `seat_at`, with the seats whose hands were there nearly as much, the likeliest first."""
        shares: dict[Seat | None, float] = {}
        for at_s, _, hands in self._frames:
            if abs(at_s - t_s) <= _AROUND_REST_S:
                for seat, share in hands.items():
                    shares[seat] = shares.get(seat, 0.0) + share
        if not shares:  # a hand that came only afterwards brought nothing
            shares = next((hands for at_s, _, hands in reversed(self._frames) if hands and at_s <= t_s), {})
        most = max(shares.values(), default=0.0)
        near = [seat for seat in shares if seat is not None and shares[seat] >= _NEARLY * most]
        return sorted(near, key=lambda seat: -shares[seat])


def filled(quad: Quad, scale: float, shape: tuple[int, int], shrink_px: int = 0) -> Mask:
    """A frame's outline as a mask at working size; `shrink_px` keeps clear of its rim."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(quad * scale).astype(np.int32), 255)
    if shrink_px:
        mask = cv2.erode(mask, np.ones((2 * shrink_px + 1,) * 2, np.uint8), borderValue=0).astype(np.uint8)
    return mask
