"""Where cards lie: single, piles, fans, rows, a table in play. Table units are frame heights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.synth.faces import BACK, CARD_RATIO

Rng = np.random.Generator
COLOURED = tuple(c + s for c in "RYGB" for s in "0123456789SRD")
OFTEN = np.array([{"6": 1.7, "9": 1.7, "R": 1.5}.get(code[1], 1.0) for code in COLOURED])
"""How often a coloured code is drawn: more often where readings are confused."""
WILDS = ("W", "W4", "W", "W4", "WX", "WX", "WM", "WC", "WC")
MOST_CARDS = 20


@dataclass(frozen=True, slots=True)
class Place:
    """A card lying at (x, y) frame heights from the middle, turned clockwise by `turn` radians."""

    code: str
    x: float
    y: float
    turn: float


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole above the table: tilt from straight down, heading of the tilt, distance in frame heights."""

    tilt: float
    heading: float
    distance: float

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Table points (n, 2) to picture points (n, 2), both in frame heights about the middle."""
        c, s = np.cos(self.heading), np.sin(self.heading)
        x, y = points[:, 0] * c + points[:, 1] * s, -points[:, 0] * s + points[:, 1] * c
        depth = self.distance - y * np.sin(self.tilt)
        scale = self.distance / np.maximum(depth, 0.05 * self.distance)
        u, v = x * scale, y * np.cos(self.tilt) * scale
        return np.stack([u * c - v * s, u * s + v * c], axis=1)


def any_camera(rng: Rng, steepest: float = 0.95) -> Camera:
    """A camera view: mostly near the vertical, at most `steepest` radians from it."""
    tilt = steepest * rng.beta(1.1, 2.2)
    return Camera(float(tilt), float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(1.1, 3.0)))


def corners(place: Place, long_side: float) -> NDArray[np.float64]:
    """The card's corners (4, 2) in table units: upper left, upper right, lower right, lower left."""
    w, h = long_side * CARD_RATIO / 2, long_side / 2
    c, s = np.cos(place.turn), np.sin(place.turn)
    square = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    return np.asarray(square @ np.array([[c, s], [-s, c]]) + (place.x, place.y), np.float64)


def any_code(rng: Rng, back_share: float = 0.06) -> str:
    """A card code; wilds and backs come more often than in a deck so that all are learnt."""
    kind = rng.random()
    if kind < back_share:
        return BACK
    if kind < back_share + 0.16:
        return str(rng.choice(WILDS))
    return str(rng.choice(COLOURED, p=OFTEN / OFTEN.sum()))


def pile(rng: Rng, long_side: float, at: tuple[float, float], count: int, *, backs: bool = False) -> list[Place]:
    """Cards thrown on each other, last on top."""
    mess, turn, swing = rng.uniform(0.0, 0.4) * long_side, rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.9)
    return [
        Place(
            BACK if backs else any_code(rng, 0.02),
            at[0] + rng.normal(0, 0.5 * mess),
            at[1] + rng.normal(0, 0.5 * mess),
            turn + rng.normal(0, swing),
        )
        for _ in range(count)
    ]


def row(rng: Rng, long_side: float, at: tuple[float, float], count: int, turn: float) -> list[Place]:
    """Cards side by side, apart or overlapping, centred on `at`; `turn` is the direction the cards face."""
    step = long_side * (rng.uniform(0.68, 1.0) if rng.random() < 0.5 else rng.uniform(0.22, 0.6))
    unruly = rng.uniform(0, 0.12)
    places = []
    for i in range(count):
        along = (i - (count - 1) / 2) * step
        x, y = at[0] + along * np.cos(turn), at[1] + along * np.sin(turn)
        off = rng.normal(0, unruly * 0.4 * long_side, 2)
        half_turn = np.pi if rng.random() < 0.2 else 0.0
        places.append(Place(any_code(rng, 0.04), x + off[0], y + off[1], turn + half_turn + rng.normal(0, unruly)))
    return places


def fan(rng: Rng, long_side: float, at: tuple[float, float], count: int) -> list[Place]:
    """Cards spread about a pivot below them, as held in a hand."""
    tight = rng.random() < 0.4
    turn, step = rng.uniform(0, 2 * np.pi), rng.uniform(0.09, 0.2) if tight else rng.uniform(0.12, 0.42)
    radius = long_side * rng.uniform(0.6, 1.9 if tight else 1.3)
    pivot = (at[0] - radius * np.sin(turn), at[1] + radius * np.cos(turn))
    places = []
    for i in range(count):
        a = turn + (i - (count - 1) / 2) * step
        x, y = pivot[0] + radius * np.sin(a), pivot[1] - radius * np.cos(a)
        places.append(Place(any_code(rng, 0.04), x, y, a + rng.normal(0, 0.03)))
    return places


def open_hand(rng: Rng, long_side: float, at: tuple[float, float], count: int, turn: float) -> list[Place]:
    """A hand laid open at a seat: beside, on and half under each other in any order, each turned a little.

    What is left of a card under others is a corner sign or a strip, as when players put down their cards.
    """
    step = long_side * float(rng.choice([rng.uniform(0.62, 0.95), rng.uniform(0.16, 0.6)]))
    loose = rng.uniform(0.03, 0.4)
    along = (np.arange(count) - (count - 1) / 2) * step
    places = []
    for i in rng.permutation(count) if rng.random() < 0.4 else range(count):
        off = rng.normal(0, 0.12 * long_side * loose / 0.4, 2)
        x = at[0] + along[i] * np.cos(turn) - off[0] * np.sin(turn)
        y = at[1] + along[i] * np.sin(turn) + off[1] * np.cos(turn)
        half_turn = np.pi if rng.random() < 0.3 else 0.0
        places.append(Place(any_code(rng, 0.03), float(x), float(y), turn + half_turn + rng.normal(0, loose)))
    return places


def table_in_play(rng: Rng, long_side: float, aspect: float) -> list[Place]:
    """Discard pile and draw pile in the middle, open hands at up to four sides."""
    middle = rng.uniform(-0.08, 0.08, 2)
    places = pile(rng, long_side, (middle[0], middle[1]), int(rng.integers(1, 5)))
    if rng.random() < 0.6:
        beside = (middle[0] + long_side * rng.uniform(0.9, 1.6) * rng.choice([-1, 1]), middle[1])
        places += pile(rng, 0.2 * long_side, beside, int(rng.integers(1, 3)), backs=True)
    sides = (
        (0.0, 0.36, 0.0),
        (0.38 * aspect, 0.0, -np.pi / 2),
        (0.0, -0.36, np.pi),
        (-0.38 * aspect, 0.0, np.pi / 2),
    )
    for x, y, facing in sides:
        if rng.random() < 0.75:
            at = (x + rng.normal(0, 0.06), y + rng.normal(0, 0.04))
            count = int(rng.integers(1, 6))
            way = rng.random()
            if way < 0.3:
                places += row(rng, long_side, at, count, facing + rng.normal(0, 0.15))
            elif way < 0.85:
                places += open_hand(rng, long_side, at, count, facing + rng.normal(0, 0.15))
            else:
                places += pile(rng, long_side, at, min(3, count))
    return places[:MOST_CARDS]


def scattered(rng: Rng, long_side: float, aspect: float) -> list[Place]:
    """Loose cards anywhere, up to twenty of them when they are small."""
    room = int(np.clip(0.9 * aspect / long_side**2 * 0.5, 1, MOST_CARDS))
    count = int(rng.integers(1, room + 1))
    return [
        Place(any_code(rng), rng.uniform(-0.5, 0.5) * aspect, rng.uniform(-0.5, 0.5), rng.uniform(0, 2 * np.pi))
        for _ in range(count)
    ]
