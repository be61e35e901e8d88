"""A small drawn table for tests: frames with cards and arms, a clock, and a reader that knows what was drawn.

Nothing here is meant to look real: it is exact, so that each situation has one right answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from referee.cards import Card, Seat
from referee.observations import BACK, CardLanded, CardLifted, CardReading, Observation
from referee.vision.quads import CARD_ASPECT, Image, Quad
from referee.vision.watcher import TableWatcher
from referee.vision.zones import TableZones

WIDTH, HEIGHT, CARD_PX, RATE_HZ = 480, 360, 60, 10.0

CALIBRATION = """
[frame]
width_px = 480
height_px = 360
[zones]
discard = [[0.45, 0.36], [0.66, 0.36], [0.66, 0.64], [0.45, 0.64]]
draw = [[0.27, 0.38], [0.39, 0.38], [0.39, 0.62], [0.27, 0.62]]
[seats.P1]
place = [[0.2, 0.76], [0.8, 0.76], [0.8, 0.98], [0.2, 0.98]]
edge = "bottom"
[seats.P2]
place = [[0.01, 0.25], [0.15, 0.25], [0.15, 0.75], [0.01, 0.75]]
edge = "left"
[seats.P3]
place = [[0.05, 0.02], [0.45, 0.02], [0.45, 0.24], [0.05, 0.24]]
edge = "top"
[seats.P4]
place = [[0.55, 0.02], [0.95, 0.02], [0.95, 0.24], [0.55, 0.24]]
edge = "top"
"""

ROOTS = {
    Seat.P1: (0.5, 1.02),
    Seat.P2: (-0.02, 0.5),
    Seat.P3: (0.25, -0.02),
    Seat.P4: (0.75, -0.02),
}
DRAW_AT = (0.33, 0.5)
DISCARD_AT = (0.555, 0.5)

_INK = {"R": (40, 40, 200), "Y": (40, 200, 220), "G": (60, 150, 40), "B": (190, 90, 30), "W": (30, 30, 30)}
_BARS = {s: (13.0 * n, 34.0 + 2 * (n % 3)) for n, s in enumerate(("W", "4", "S", "R", "D", *"0123456789"))}
_SKIN, _SLEEVE, _TABLE = (140, 170, 215), (120, 60, 60), (60, 90, 120)


@dataclass(slots=True)
class Lying:
    """A card on the table: its code (or `back`), its centre in fractions, and its turn in degrees."""

    code: str
    at: tuple[float, float]
    degrees: float = 0.0


def quad_at(at: tuple[float, float], degrees: float = 0.0, length_px: float = CARD_PX) -> Quad:
    """The outline of a card, pixels of the drawn frame."""
    x, y, a = at[0] * WIDTH, at[1] * HEIGHT, math.radians(degrees)
    half_w, half_h = length_px * CARD_ASPECT / 2, length_px / 2
    along, across = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return np.array([np.array([x, y]) + i * half_w * along + j * half_h * across for i, j in corners], np.float32)


def paint_card(image: Image, card: Lying) -> None:
    """A white rim, the suit's colour, a middle (orange on a black back), and a bar whose turn tells the symbol."""
    cv2.fillConvexPoly(image, np.rint(quad_at(card.at, card.degrees)).astype(np.int32), (245, 245, 245))
    ink = (25, 25, 25) if card.code == BACK else _INK[card.code[0]]
    cv2.fillConvexPoly(image, np.rint(quad_at(card.at, card.degrees, 52)).astype(np.int32), ink)
    middle = (30, 120, 240) if card.code == BACK else (235, 235, 235)
    cv2.fillConvexPoly(image, np.rint(quad_at(card.at, card.degrees, 40)).astype(np.int32), middle)
    if card.code != BACK:
        turn, size = _BARS[card.code[1:] or card.code]
        bar = np.array([[-0.5, -0.1], [0.5, -0.1], [0.5, 0.1], [-0.5, 0.1]], np.float32) * size
        a = math.radians(card.degrees + turn)
        bar = bar @ np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]], np.float32)
        bar += quad_at(card.at).mean(axis=0)
        cv2.fillConvexPoly(image, np.rint(bar).astype(np.int32), ink)


def paint_arm(image: Image, root: tuple[float, float], tip: tuple[float, float]) -> None:
    """A sleeve from the border and a hand at its end."""
    start = (round(root[0] * WIDTH), round(root[1] * HEIGHT))
    end = (round(tip[0] * WIDTH), round(tip[1] * HEIGHT))
    wrist = (round(0.35 * start[0] + 0.65 * end[0]), round(0.35 * start[1] + 0.65 * end[1]))
    cv2.line(image, start, wrist, _SLEEVE, 30)
    cv2.line(image, wrist, end, _SKIN, 24)


@dataclass
class DrawnTable:
    """A table that is filmed at 10 frames a second; `observed` collects what the watcher says.

    light: factor on all levels; grain: contrast of the table's pattern; enlarged: factor on the frame's size;
    things: (centre, radius) of cups; carried: card in a hand, drawn under it at its tip.
    """

    cards: list[Lying] = field(default_factory=list)
    readings: dict[str, CardReading] = field(default_factory=dict)
    light: float = 1.0
    noise: float = 2.0
    grain: float = 25.0
    enlarged: int = 1
    things: list[tuple[tuple[float, float], int]] = field(default_factory=list)
    shift_px: tuple[int, int] = (0, 0)
    t_s: float = 0.0
    arms: dict[Seat, tuple[float, float]] = field(default_factory=dict)
    carried: dict[Seat, Lying] = field(default_factory=dict)
    observed: list[Observation] = field(default_factory=list)
    reads: int = 0

    def __post_init__(self) -> None:
        rng = np.random.default_rng(7)
        grain = cv2.GaussianBlur(rng.normal(0, self.grain, (HEIGHT, WIDTH, 1)).astype(np.float32), (0, 0), 3)
        self._table = np.clip(np.array(_TABLE) + grain[..., None], 0, 255).astype(np.uint8)
        self._grains = rng.normal(0, 1, (5, HEIGHT, WIDTH, 3)).astype(np.float32)
        self.frame: Image = self._table
        self.watcher = TableWatcher(zones(), self, expected_card_px=CARD_PX)

    def on_top(self) -> list[Lying]:
        """All cards in paint order, carried ones last."""
        return [*self.cards, *self.carried.values()]

    def painted(self) -> Image:
        """The picture just now."""
        image = self._table.copy()
        for card in self.on_top():
            paint_card(image, card)
        for (x, y), radius in self.things:
            cv2.circle(image, (round(x * WIDTH), round(y * HEIGHT)), radius, (170, 60, 140), -1)
        for seat, tip in self.arms.items():
            paint_arm(image, ROOTS[seat], tip)
        if self.shift_px != (0, 0):
            image = np.roll(image, self.shift_px, axis=(1, 0))
        noisy = (
            image * np.float32(self.light) + self.noise * self._grains[round(self.t_s * RATE_HZ) % len(self._grains)]
        )
        return np.asarray(np.clip(noisy, 0, 255), np.uint8)

    def filmed(self) -> Image:
        """The painted picture in the size the camera gives."""
        return np.asarray(cv2.resize(self.painted(), None, fx=self.enlarged, fy=self.enlarged), np.uint8)

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        """The cards that were drawn where `image_bgr` was cut from this frame, if a third of them is in view."""
        self.reads += 1
        left, top = (v // self.enlarged for v in self._cut_at(image_bgr))
        height, width = (v // self.enlarged for v in image_bgr.shape[:2])
        owner = np.full((HEIGHT, WIDTH), 255, np.uint8)
        lying = self.on_top()
        for n, card in enumerate(lying):
            cv2.fillConvexPoly(owner, np.rint(quad_at(card.at, card.degrees)).astype(np.int32), n)
        for seat, tip in self.arms.items():
            covered = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
            paint_arm(covered, ROOTS[seat], tip)
            owner[covered.any(axis=2)] = 254
        for (x, y), radius in self.things:
            cv2.circle(owner, (round(x * WIDTH), round(y * HEIGHT)), radius, 253, -1)
        part = owner[top : top + height, left : left + width]
        whole = CARD_PX**2 * CARD_ASPECT
        return [self._reading(card, left, top) for n, card in enumerate(lying) if int((part == n).sum()) > whole / 3]

    def _cut_at(self, image_bgr: Image) -> tuple[int, int]:
        """Where a picture was cut from this frame: by its place in memory, or by its look where it is a copy."""
        if np.may_share_memory(self.frame, image_bgr) and image_bgr.strides == self.frame.strides:
            start = image_bgr.__array_interface__["data"][0] - self.frame.__array_interface__["data"][0]
            top, column = divmod(start, self.frame.strides[0])
            return column // self.frame.strides[1], top
        x, y = cv2.minMaxLoc(cv2.matchTemplate(self.frame, image_bgr, cv2.TM_SQDIFF))[2]
        return x, y

    def _reading(self, card: Lying, left: int, top: int) -> CardReading:
        by = self.enlarged
        corners = quad_at(card.at, card.degrees) + np.array(self.shift_px)
        quad = tuple((float(x - left) * by, float(y - top) * by) for x, y in corners)
        known = self.readings.get(card.code)
        if known is not None:
            return CardReading(known.card, known.confidence, quad, known.alternatives)
        face = None if card.code == BACK else Card.parse(card.code)
        return CardReading(face, 0.95, quad, ((card.code, 0.97), ("W", 0.03)))

    # What happens at the table -------------------------------------------------------------------------------

    def tick(self, frames: int = 1) -> None:
        """Film the table as it is for some frames."""
        for _ in range(frames):
            self.frame = self.filmed()
            self.observed += self.watcher.see(self.frame, self.t_s)
            self.t_s = round(self.t_s + 1 / RATE_HZ, 3)

    def rest(self, seconds: float = 1.5) -> None:
        """Nothing happens."""
        self.tick(round(seconds * RATE_HZ))

    def reach(self, seat: Seat, to: tuple[float, float], frames: int = 5) -> None:
        """The seat's arm moves from where it is (its border, if it is not in view) to `to`."""
        for tip in _way(self.arms.get(seat, ROOTS[seat]), to, frames):
            self.arms[seat] = tip
            if seat in self.carried:
                self.carried[seat].at = tip
            self.tick()

    def leave(self, seat: Seat, frames: int = 5) -> None:
        """The seat's arm goes back over its border, with what it carries."""
        self.reach(seat, ROOTS[seat], frames)
        self.arms.pop(seat)
        self.carried.pop(seat, None)

    def take(self, seat: Seat, card: Lying) -> None:
        """The seat's hand holds a card from now on."""
        self.carried[seat] = card

    def drop(self, seat: Seat) -> None:
        """What the seat's hand holds stays where it is."""
        self.cards.append(self.carried.pop(seat))

    def lay(self, seat: Seat, code: str, at: tuple[float, float] = DISCARD_AT, degrees: float = 0.0) -> float:
        """The seat lays a card on the discard pile; returns when it was let go of."""
        self.take(seat, Lying(code, ROOTS[seat], degrees))
        self.reach(seat, at)
        self.drop(seat)
        laid_s = self.t_s - 1 / RATE_HZ
        self.leave(seat)
        return laid_s

    def draw(self, seat: Seat, *, carry: bool = True, grip_s: float = 0.3) -> None:
        """The seat's hand goes to the draw pile and back, with a card or without one."""
        self.reach(seat, DRAW_AT)
        self.tick(round(grip_s * RATE_HZ))
        if carry:
            self.take(seat, Lying(BACK, DRAW_AT, 8.0))
        self.leave(seat)

    def of(self, kind: type[Observation]) -> list[Observation]:
        """What was observed of one kind."""
        return [o for o in self.observed if isinstance(o, kind)]


def landed(table: DrawnTable) -> list[tuple[str, Seat | None]]:
    """Code and seat of each card that landed."""
    return [(o.reading.code, o.seat) for o in table.observed if isinstance(o, CardLanded)]


def lifted(table: DrawnTable) -> list[tuple[str, Seat | None]]:
    """Code and seat of each card that left."""
    return [(o.reading.code, o.seat) for o in table.observed if isinstance(o, CardLifted)]


def zones() -> TableZones:
    """The calibration of the drawn table."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "calibration.toml")
        path.write_text(CALIBRATION, encoding="utf-8")
        return TableZones.from_toml(path)


def started(top: str = "R7", degrees: float = 5.0, **facts: float) -> DrawnTable:
    """A table at rest for a second with a draw pile and a start card, which has been observed."""
    table = DrawnTable([Lying(BACK, DRAW_AT), Lying(top, DISCARD_AT, degrees)], **facts)  # type: ignore[arg-type]
    table.rest(1.5)
    return table


def _way(start: tuple[float, float], end: tuple[float, float], frames: int) -> Iterator[tuple[float, float]]:
    for n in range(1, frames + 1):
        share = n / frames
        yield start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
