"""Drawn table scenes with exact labels: what the card detector and classifier are trained on.

A scene is one picture: background, clutter, cards in perspective with shadows and glare, hands over and under
them, light and camera. Everything follows from the random generator handed in.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth import layouts
from referee.synth.backgrounds import background
from referee.synth.clutter import cable, flat_thing
from referee.synth.faces import draw_face, printing
from referee.synth.hands import HandPainter, any_grip
from referee.synth.light import glare, photographed
from referee.synth.playing_cards import draw_playing_card
from referee.synth.sleeves import SLEEVE_SCALE, draw_sleeve
from referee.synth.table_prints import picture_card

Picture = NDArray[np.uint8]
Quad = NDArray[np.float32]
Rng = np.random.Generator
_STRAIGHT_PX = (56, 87)
_SIGNS = ((16, 26, 40, 61), (4, 4, 17, 18), (39, 69, 52, 83))
"""Where a straightened card of that size has its middle sign and those in two corners: left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A card in a scene: quad (4, 2) px upper left, upper right, lower right, lower left of its face.

    visible: share 0..1 of the whole card that is inside the frame and not covered.
    legible: share 0..1 of that sign which can be seen best: the middle one, or one in a corner.
    signs: share 0..1 seen of each of its signs: in the middle, in the upper left and in the lower right corner.
    """

    code: str
    quad: Quad
    visible: float
    legible: float = 1.0
    signs: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Scene:
    """A drawn picture BGR uint8 (h, w, 3), its cards, and the quads of card-like things that are no UNO card."""

    image_bgr: Picture
    cards: tuple[SceneCard, ...]
    others: tuple[Quad, ...]


@dataclass(frozen=True, slots=True)
class SceneMix:
    """Which scenes are drawn: range of the long side (share of the frame height), share of empty scenes.

    crowded_share: share of the others in which cards lie on and under each other.
    """

    smallest: float = 0.045
    largest: float = 0.95
    empty_share: float = 0.15
    harshness: float = 1.0
    crowded_share: float = 0.0


class FaceStock:
    """Drawn faces of a few printings, kept for reuse; new printings come in as old ones are worn out."""

    def __init__(self, first_seed: int, printings: int = 10, face_px: int = 256, capacity: int = 900) -> None:
        self._seeds = [first_seed + i for i in range(printings)]
        self._next = first_seed + printings
        self._face_px = face_px
        self._capacity = capacity
        self._faces: OrderedDict[tuple[str, int], Picture] = OrderedDict()

    def renew(self) -> None:
        """Replace the oldest printing by a new one."""
        self._seeds = [*self._seeds[1:], self._next]
        self._next += 1

    def any_deck(self, rng: Rng) -> int:
        """Seed of one of the printings at hand."""
        return self._seeds[int(rng.integers(len(self._seeds)))]

    def face(self, code: str, deck: int) -> Picture:
        """The BGRA face of `code` in printing `deck`."""
        key = (code, deck)
        if key not in self._faces:
            self._faces[key] = draw_face(code, printing(deck), self._face_px)
            if len(self._faces) > self._capacity:
                self._faces.popitem(last=False)
        return self._faces[key]


@dataclass(slots=True)
class _Canvas:
    image: Picture
    owner: NDArray[np.int16]
    quads: list[tuple[str, Quad, float]] = field(default_factory=list)
    others: list[Quad] = field(default_factory=list)


def draw_scene(rng: Rng, stock: FaceStock, width_px: int, height_px: int, mix: SceneMix | None = None) -> Scene:
    """Draw one scene of `width_px` by `height_px`; the same generator state gives the same scene."""
    mix = mix or SceneMix()
    image = background(rng, width_px, height_px)
    canvas = _Canvas(image, np.full(image.shape[:2], -1, np.int16))
    camera = layouts.any_camera(rng)
    long_side = float(np.exp(rng.uniform(np.log(mix.smallest), np.log(mix.largest))))
    empty = rng.random() < mix.empty_share
    aspect = width_px / height_px
    _lay_clutter(canvas, rng, camera, long_side, more=empty)
    if not empty:
        held = long_side > 0.16 and rng.random() < 0.3
        if held:
            _hold_cards(canvas, rng, stock, long_side)
        else:
            crowded = mix.crowded_share > 0 and rng.random() < mix.crowded_share
            places = _crowded_layout(rng, long_side, aspect) if crowded else _any_layout(rng, long_side, aspect)
            quads = [_in_frame(canvas, camera, layouts.corners(p, long_side)) for p in places]
            _lay_cards(canvas, rng, stock, [p.code for p in places], quads, 0.08 * mix.harshness)
    _cover(canvas, rng, long_side, often=empty)
    image = photographed(canvas.image, rng, harshness=mix.harshness)
    return Scene(image, _visible_cards(canvas), tuple(canvas.others))


def _any_layout(rng: Rng, long_side: float, aspect: float) -> list[layouts.Place]:
    reach = max(0.0, 0.62 - 0.5 * long_side)
    at = (float(rng.uniform(-reach, reach) * aspect), float(rng.uniform(-reach, reach)))
    kind = rng.random()
    if long_side > 0.5 or kind < 0.24:
        places = [layouts.Place(layouts.any_code(rng, 0.1), at[0], at[1], float(rng.uniform(0, 2 * np.pi)))]
        if rng.random() < 0.2:
            places = layouts.pile(rng, long_side, at, int(rng.integers(2, 5)))
        return places
    if kind < 0.36:
        return layouts.pile(rng, long_side, at, int(rng.integers(2, 9)), backs=rng.random() < 0.15)
    if kind < 0.43:
        return layouts.row(rng, long_side, at, int(rng.integers(2, 9)), float(rng.uniform(0, 2 * np.pi)))
    if kind < 0.54:
        return layouts.fan(rng, long_side, at, int(rng.integers(2, 9)))
    if kind < 0.72:
        return layouts.open_hand(rng, long_side, at, int(rng.integers(2, 6)), float(rng.uniform(0, 2 * np.pi)))
    if kind < 0.90 and long_side < 0.3:
        return layouts.table_in_play(rng, long_side, aspect)
    return layouts.scattered(rng, long_side, aspect)


def _crowded_layout(rng: Rng, long_side: float, aspect: float) -> list[layouts.Place]:
    at = (float(rng.normal(0, 0.12)) * aspect, float(rng.normal(0, 0.12)))
    kind = rng.random()
    if kind < 0.3 and long_side < 0.3:
        return layouts.table_in_play(rng, long_side, aspect)
    if kind < 0.75:
        return layouts.open_hand(rng, long_side, at, int(rng.integers(2, 7)), float(rng.uniform(0, 2 * np.pi)))
    if kind < 0.9:
        return layouts.fan(rng, long_side, at, int(rng.integers(2, 9)))
    return layouts.pile(rng, long_side, at, int(rng.integers(2, 6)))


def _in_frame(canvas: _Canvas, camera: layouts.Camera, points: NDArray[np.float64]) -> Quad:
    h, w = canvas.owner.shape
    return np.asarray(camera.project(points) * h + (w / 2, h / 2), np.float32)


def _long_px(quad: Quad) -> float:
    sides = np.hypot(*(quad - np.roll(quad, -1, axis=0)).T)
    return float(max(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def _stamp(canvas: _Canvas, texture: Picture, quad: Quad, mark: int, rng: Rng, *, lift: float, gloss: float) -> bool:
    """Warp a BGRA texture into the picture with its shadow; False when it lies wholly outside the frame."""
    frame_h, frame_w = canvas.owner.shape
    size = _long_px(quad)
    margin = 3 + 0.12 * size
    x0, y0 = np.maximum(0, np.floor(quad.min(axis=0) - margin)).astype(int)
    x1, y1 = np.minimum((frame_w, frame_h), np.ceil(quad.max(axis=0) + margin)).astype(int)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return False
    fit = 1.25 * size / max(texture.shape[:2])
    if fit < 0.8:
        texture = np.asarray(cv2.resize(texture, None, fx=fit, fy=fit, interpolation=cv2.INTER_AREA), np.uint8)
    th, tw = texture.shape[:2]
    source = np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, (quad - (x0, y0)).astype(np.float32))
    warped = np.asarray(
        cv2.warpPerspective(texture, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR), np.float32
    )
    cover = warped[..., 3:] / 255
    part = canvas.image[y0:y1, x0:x1].astype(np.float32)
    if lift > 0:
        shift = np.array([[1, 0, rng.normal(0, 0.03) * size * lift], [0, 1, 0.03 * size * lift]], np.float32)
        dark = cv2.warpAffine(cover[..., 0], shift, (int(x1 - x0), int(y1 - y0)))
        dark = cv2.GaussianBlur(dark, (0, 0), max(0.5, 0.015 * size * lift))
        part *= 1 - np.asarray(dark, np.float32)[..., None] * np.float32(rng.uniform(0.1, 0.65))
    paint = warped[..., :3] * np.float32(rng.uniform(0.88, 1.08))
    if rng.random() < gloss:
        paint = paint + glare(rng, int(x1 - x0), int(y1 - y0))[..., None]
    blended = part * (1 - cover) + paint * cover
    canvas.image[y0:y1, x0:x1] = np.clip(blended, 0, 255).astype(np.uint8)
    canvas.owner[y0:y1, x0:x1][cover[..., 0] > 0.5] = mark
    return True


def _add_card(
    canvas: _Canvas, rng: Rng, face: Picture, code: str, quad: Quad, *, lift: float, sleeve: Picture | None = None
) -> None:
    area = float(abs(cv2.contourArea(quad)))
    if area > 16 and _stamp(canvas, face, quad, len(canvas.quads), rng, lift=lift, gloss=0.22):
        canvas.quads.append((code, quad, area))
        if sleeve is not None:
            middle = quad.mean(axis=0)
            around = np.asarray(middle + (quad - middle) * SLEEVE_SCALE, np.float32)
            _stamp(canvas, sleeve, around, len(canvas.quads) - 1, rng, lift=0.0, gloss=0.5)


def _lay_cards(
    canvas: _Canvas, rng: Rng, stock: FaceStock, codes: list[str], quads: list[Quad], sleeved_share: float
) -> None:
    deck, lift = stock.any_deck(rng), 0.0 if rng.random() < 0.15 else float(rng.uniform(0.1, 1.5))
    mixed = rng.random() < 0.15
    sleeve = draw_sleeve(rng, 200) if rng.random() < sleeved_share else None
    for code, quad in zip(codes, quads, strict=True):
        if mixed:
            deck = stock.any_deck(rng)
        _add_card(canvas, rng, stock.face(code, deck), code, quad, lift=lift, sleeve=sleeve)


def _hold_cards(canvas: _Canvas, rng: Rng, stock: FaceStock, long_side: float) -> None:
    """Cards held before the camera, alone or fanned, with palm and fingers behind and a thumb before them."""
    h, w = canvas.owner.shape
    aspect = w / h
    camera = layouts.any_camera(rng, steepest=0.85)
    reach = max(0.05, 0.42 - 0.4 * long_side)
    shift = np.array([rng.uniform(-reach, reach) * w, rng.uniform(-reach, reach) * h], np.float32)
    turn = rng.normal(0, 0.5) + (np.pi if rng.random() < 0.2 else 0.0)
    if rng.random() < 0.7 or long_side > 0.6 * aspect:
        places = [layouts.Place(layouts.any_code(rng), 0.0, 0.0, float(turn))]
    else:
        places = layouts.fan(rng, long_side, (0.0, 0.0), int(rng.integers(2, 8)))
    quads = [_in_frame(canvas, camera, layouts.corners(p, long_side)) + shift for p in places]
    grip = any_grip(rng, quads[-1])
    hand = HandPainter(canvas.image, canvas.owner, rng)
    hand.palm_below(grip)
    deck = stock.any_deck(rng)
    for place, quad in zip(places, quads, strict=True):
        _add_card(canvas, rng, stock.face(place.code, deck), place.code, quad, lift=float(rng.uniform(0, 0.6)))
    if rng.random() < 0.9:
        hand.thumb_above(grip)


def _lay_clutter(canvas: _Canvas, rng: Rng, camera: layouts.Camera, long_side: float, *, more: bool) -> None:
    count = int(rng.poisson(2.6 if more else 1.3))
    for _ in range(count):
        size = float(np.exp(rng.uniform(np.log(0.08), np.log(1.6))))
        _lay_thing(canvas, rng, camera, flat_thing(rng, 160), size)
    if rng.random() < (0.45 if more else 0.15):
        _lay_other_cards(canvas, rng, camera, long_side)
    for _ in range(int(rng.poisson(0.5))):
        cable(canvas.image, rng)


def _lay_other_cards(canvas: _Canvas, rng: Rng, camera: layouts.Camera, long_side: float) -> None:
    """Cards of another game, sometimes with a hand that is laying one down."""
    all_of_one_kind = rng.random()
    for _ in range(int(rng.integers(1, 6))):
        texture = picture_card(rng, 200) if all_of_one_kind < 0.3 else draw_playing_card(rng, 200)
        quad = _lay_thing(canvas, rng, camera, texture, long_side * rng.uniform(0.8, 1.2))
        canvas.others.append(quad)
    if rng.random() < 0.3:
        HandPainter(canvas.image, canvas.owner, rng).touch(any_grip(rng, canvas.others[-1]))


def _lay_thing(canvas: _Canvas, rng: Rng, camera: layouts.Camera, texture: Picture, size: float) -> Quad:
    h, w = canvas.owner.shape
    x, y = rng.uniform(-0.6, 0.6) * w / h, rng.uniform(-0.6, 0.6)
    place = layouts.Place("", float(x), float(y), float(rng.choice([rng.uniform(0, 2 * np.pi), rng.normal(0, 0.08)])))
    ratio = texture.shape[1] / texture.shape[0]
    corners = layouts.corners(place, size)
    middle = corners.mean(axis=0)
    across = (corners[1] - corners[0]) / 2 * ratio * size / float(np.hypot(*(corners[1] - corners[0])))
    down = (corners[3] - corners[0]) / 2
    square = np.array(
        [middle - across - down, middle + across - down, middle + across + down, middle - across + down]
    )
    quad = _in_frame(canvas, camera, square)
    _stamp(canvas, texture, quad, -1, rng, lift=float(rng.uniform(0, 1.5)), gloss=0.1)
    return quad


def _cover(canvas: _Canvas, rng: Rng, long_side: float, *, often: bool) -> None:
    """Arms reaching across the table and loose fingers on cards that lie there."""
    size_px = canvas.owner.shape[0] * float(np.clip(long_side * rng.uniform(0.9, 1.6), 0.12, 0.6))
    if rng.random() < (0.3 if often else 0.1):
        HandPainter(canvas.image, canvas.owner, rng).reach_in(size_px)
    if canvas.quads and rng.random() < 0.1:
        quad = canvas.quads[int(rng.integers(len(canvas.quads)))][1]
        HandPainter(canvas.image, canvas.owner, rng).touch(any_grip(rng, quad))


def _visible_cards(canvas: _Canvas) -> tuple[SceneCard, ...]:
    seen = np.bincount(canvas.owner[canvas.owner >= 0].ravel(), minlength=len(canvas.quads))
    cards = []
    for i, (code, quad, area) in enumerate(canvas.quads):
        signs = _seen_signs(canvas.owner, i, quad)
        # Wilds other than +4 carry the same sign in their corners.
        legible = signs[0] if code in ("W", "WX", "WM", "WC") else max(signs)
        cards.append(SceneCard(code, quad, float(min(1.0, seen[i] / area)), legible, signs))
    return tuple(cards)


def _seen_signs(owner: NDArray[np.int16], mark: int, quad: Quad) -> tuple[float, float, float]:
    """How much of a card's sign in the middle and of those in its two corners is left in the picture, each 0..1."""
    width, height = _STRAIGHT_PX
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    move = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    seen = cv2.warpPerspective(owner, move, _STRAIGHT_PX, flags=cv2.INTER_NEAREST, borderValue=-1) == mark
    middle, upper, lower = (float(seen[y0:y1, x0:x1].mean()) for x0, y0, x1, y1 in _SIGNS)
    return middle, upper, lower
