"""Draws a film plan: the table as it stands at a time, with the arms and flying cards over it and their shadows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat
from referee.synth.arm_looks import ArmLook
from referee.synth.arms import ArmPicture, arm_picture
from referee.synth.compositing import (
    Box,
    Image,
    Matrix,
    around,
    covered,
    darken,
    lay_over,
    overlap,
    premultiplied,
    shadow_in,
    shrunk,
    smeared,
    warped,
)
from referee.synth.film_plan import BACK, FilmPlan
from referee.synth.film_view import FilmView
from referee.synth.motion import LIFT_MM, Flight, Reach, ahead
from referee.synth.tabletop import Layout, Point

LIGHT_FROM_DEG = -35.0  # the lamp stands left above the middle: shadows fall right and down
SHADOW_DIRECTION: Point = (0.62, 0.78)
_OVERSAMPLING = 2.0
_CARDS_PER_LAYER = 6.0  # of the draw pile, as its side is drawn
_CARD_MM = 0.3
_ARM_RISES = 0.2  # height per length from the fingertips to the elbow
_SHADE_MARGIN_PX = 24

DrawFace = Callable[[str, int], NDArray[np.uint8]]
"""The picture of a face or `back` at a height in pixels: BGRA uint8 (h, w, 4)."""

Item = tuple[str, int]
"""What lies on the table: ("stack", cards left) or ("card", index in the plan)."""


@dataclass
class Stage:
    """A table with its cards and arms, drawn at any time of the plan.

    top: the bare table as the camera sees it; stock: cards on the draw pile at the start; exposure_s: how long the
    camera looks at each frame. Frames are BGR uint8 (height, width, 3), before the camera's own noise.
    """

    plan: FilmPlan
    layout: Layout
    view: FilmView
    top: Image
    draw_face: DrawFace
    looks: dict[Seat, ArmLook]
    stock: int
    seed: int
    exposure_s: float = 0.02
    _sprites: dict[tuple[str, int], Image] = field(default_factory=dict)
    _shades: dict[int, Image] = field(default_factory=dict)
    _arms: dict[Seat, ArmPicture] = field(default_factory=dict)
    _lying: tuple[Item, ...] = ()
    _still: Image | None = None

    def frame(self, t_s: float) -> Image:
        """The table as a camera exposes it until `t_s`: what moves is blurred. Not to be written to."""
        flying = [flight for flight in self.plan.flights if flight.from_s <= t_s < flight.until_s]
        reaching = [reach for reach in self.plan.reaches if reach.begin_s <= t_s < reach.end_s]
        if not flying and not reaching:
            return self.still(t_s)
        picture = self.still(t_s).copy()
        for flight in flying:
            self._draw_flight(picture, flight, t_s)
        for reach in reaching:
            self._draw_arm(picture, reach, t_s)
        return picture

    def still(self, t_s: float) -> Image:
        """The table without arms; the same array until something on it changes."""
        lying = self._items(t_s)
        if self._still is None:
            self._still = self.top.copy()
            self._draw_items(self._still, lying, self._whole)
        elif lying != self._lying:
            self._still = self._still.copy()
            kept = self._lying == lying[: len(self._lying)]
            if kept:
                self._draw_items(self._still, lying[len(self._lying) :], self._whole)
            else:
                self._repaint(self._still, set(lying) ^ set(self._lying), lying)
        self._lying = lying
        return self._still

    @property
    def _whole(self) -> Box:
        return (0, 0, self.top.shape[1], self.top.shape[0])

    def _items(self, t_s: float) -> tuple[Item, ...]:
        lying = [i for i, p in enumerate(self.plan.placed) if p.from_s <= t_s < p.until_s]
        lying.sort(key=lambda i: (self.plan.placed[i].from_s, i))
        return (("stack", self.plan.stock_at(t_s, self.stock)), *(("card", i) for i in lying))

    def _repaint(self, picture: Image, changed: set[Item], lying: tuple[Item, ...]) -> None:
        boxes = [box for item in changed if (box := self._box_of(item)) is not None]
        if boxes:
            left, top, right, bottom = box = around(boxes)
            picture[top:bottom, left:right] = self.top[top:bottom, left:right]
            self._draw_items(picture, lying, box)

    def _box_of(self, item: Item) -> Box | None:
        kind, number = item
        at = self.layout.draw_px if kind == "stack" else self.plan.placed[number].centre_px
        reach = self.layout.card_px[1] * 0.85
        corners = [self.view.point((at[0] + dx, at[1] + dy)) for dx in (-reach, reach) for dy in (-reach, reach)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        box = (math.floor(min(xs)), math.floor(min(ys)), math.ceil(max(xs)), math.ceil(max(ys)))
        return overlap(box, self._whole)

    def _draw_items(self, picture: Image, items: tuple[Item, ...], within: Box) -> None:
        for item in items:
            box = self._box_of(item)
            if box is None or overlap(box, within) is None:
                continue
            if item[0] == "stack":
                self._draw_stack(picture, item[1], within)
            else:
                card = self.plan.placed[item[1]]
                self._shade_card(picture, card.centre_px, card.turn_deg, 1.4, 0.42, within)
                self._paste_card(picture, card.code, (*card.centre_px, 0.0), card.turn_deg, within=within)

    def _draw_stack(self, picture: Image, left: int, within: Box) -> None:
        if left <= 0:
            return
        layers = max(1, round(left / _CARDS_PER_LAYER))
        x, y = self.layout.draw_px
        mm = self.layout.px_per_mm
        jitter = np.random.default_rng([53, self.seed]).normal(0, 0.3 * mm, (40, 2))
        self._shade_card(picture, (x, y), 0.0, 2 + left * 0.06, 0.5, within)
        for layer in range(layers):
            # The pile's lower cards peep out on the side turned away from the middle of the picture.
            below = (layers - 1 - layer) * 0.25 * mm
            height = left * _CARD_MM * mm * (layer + 1) / layers
            at = (x + below + jitter[layer % 40, 0], y + 1.4 * below + jitter[layer % 40, 1], height)
            dim = 1.0 if layer == layers - 1 else 0.78
            self._paste_card(picture, BACK, at, float(jitter[layer % 40, 0]), within=within, brightness=dim)

    def _draw_flight(self, picture: Image, flight: Flight, t_s: float) -> None:
        pose = flight.pose(t_s)
        before = flight.pose(t_s - self.exposure_s)
        mm = self.layout.px_per_mm
        away = 1.6 + pose.height_px / mm * 0.5
        self._shade_card(picture, pose.centre_px, pose.turn_deg, away, 0.42, self._whole)
        at = (*pose.centre_px, pose.height_px)
        seen, was = self.view.point(pose.centre_px, at[2]), self.view.point(before.centre_px, before.height_px)
        way = (seen[0] - was[0], seen[1] - was[1])
        tumbled = pose.tumble_deg % 360
        code = BACK if (90 < tumbled < 270) != (flight.code == BACK) else flight.code
        if flight.code == BACK and code == BACK and 90 < tumbled < 270:
            code = flight.code
        self._paste_card(picture, code, at, pose.turn_deg, within=self._whole, tumble_deg=pose.tumble_deg, way_px=way)

    def _draw_arm(self, picture: Image, reach: Reach, t_s: float) -> None:
        arm = self._arm(reach.seat)
        mm = self.layout.px_per_mm
        grip, lift = reach.grip(t_s)
        direction = reach.direction_deg(t_s)
        was, was_lift = reach.grip(t_s - self.exposure_s)
        height = LIFT_MM * mm * lift
        seen, before = self.view.point(grip, height), self.view.point(was, LIFT_MM * mm * was_lift)
        way = (seen[0] - before[0], seen[1] - before[1])
        matrix = self._placing(arm.grip_px, (*grip, height), direction, 1.0, (0.0, _ARM_RISES))
        away = mm * (9 + 16 * lift)
        fallen = (grip[0] + SHADOW_DIRECTION[0] * away, grip[1] + SHADOW_DIRECTION[1] * away)
        shade = self._placing(arm.grip_px, (*fallen, 0.0), direction, 1.0)
        size = arm.sprite.shape
        if (box := covered(size, shade, self._whole)) is not None:
            darken(picture, shadow_in(arm.shadow, shade, box), box, 0.46)
        carry = reach.carried(t_s)
        if carry is not None:
            twist, lead = carry.pose(t_s)
            centre = ahead(grip, direction, lead)
            self._shade_card(picture, centre, direction + twist, 1.6 + 9 * lift, 0.42, self._whole)
            near = self._placing(arm.grip_px, (grip[0] + 4 * mm, grip[1] + 5 * mm, height), direction, 1.0)
            self._paste_card(
                picture,
                carry.code,
                (*centre, height),
                direction + twist,
                within=self._whole,
                way_px=way,
                under=(arm.shadow, near),
            )
        margin = math.ceil(max(abs(way[0]), abs(way[1])))
        box = covered(size, matrix, self._whole, margin)
        if box is not None:
            lay_over(picture, smeared(warped(arm.sprite, matrix, box), way), box)

    def _arm(self, seat: Seat) -> ArmPicture:
        if seat not in self._arms:
            facing = self.layout.at(seat).facing_deg
            look = self.looks[seat]
            self._arms[seat] = arm_picture(look, self.layout.px_per_mm, LIGHT_FROM_DEG - facing, self.seed + seat)
        return self._arms[seat]

    def _placing(
        self,
        pivot: Point,
        at: tuple[float, float, float],
        turn_deg: float,
        scale: float,
        rises: tuple[float, float] = (0.0, 0.0),
        narrow: float = 1.0,
    ) -> Matrix:
        """Matrix (3, 3) from a sprite's pixels to the picture, its pivot at a point (x, y, height) of the table.

        scale: layout pixels per sprite pixel; rises: height per layout pixel along the sprite's x and y; narrow:
        share of its width that a sprite turned about its long axis shows from above.
        """
        turn = math.radians(turn_deg)
        cos, sin = scale * math.cos(turn), scale * math.sin(turn)
        along_x = np.array([cos * narrow, sin * narrow, scale * rises[0], 0.0])
        along_y = np.array([-sin, cos, scale * rises[1], 0.0])
        origin = np.array([*at, 1.0]) - pivot[0] * along_x - pivot[1] * along_y
        return np.asarray(self.view.matrix @ np.stack([along_x, along_y, origin], axis=1), np.float64)

    def _paste_card(
        self,
        picture: Image,
        code: str,
        at: tuple[float, float, float],
        turn_deg: float,
        *,
        within: Box,
        brightness: float = 1.0,
        tumble_deg: float = 0.0,
        way_px: Point = (0.0, 0.0),
        under: tuple[Image, Matrix] | None = None,
    ) -> None:
        """Lay a card over the picture. way_px: how far it moved during the exposure; under: a shadow upon it."""
        level = max(1, round(2 * self.view.scale_at((at[0], at[1]))))
        sprite = self._sprite(code, level)
        scale = self.layout.card_px[1] / sprite.shape[0]
        tumble = math.radians(tumble_deg)
        matrix = self._placing(
            (sprite.shape[1] / 2, sprite.shape[0] / 2), at, turn_deg, scale, (math.sin(tumble), 0.0), math.cos(tumble)
        )
        margin = math.ceil(max(abs(way_px[0]), abs(way_px[1])))
        box = covered(sprite.shape, matrix, within, margin)
        if box is None:
            return
        layer = warped(sprite, matrix, box)
        if brightness != 1:
            layer[..., :3] = cv2.convertScaleAbs(layer[..., :3], alpha=brightness)
        if under is not None:
            darken(layer, shadow_in(*under, box), (0, 0, layer.shape[1], layer.shape[0]), 0.25)
        lay_over(picture, smeared(layer, way_px), box)

    def _sprite(self, code: str, level: int) -> Image:
        """A face as it is seen where a layout pixel is `level` half picture pixels long, softened for turning."""
        if (code, level) not in self._sprites:
            height = round(self.layout.card_px[1] * _OVERSAMPLING * level / 2)
            face = self.draw_face(code, height).astype(np.float32)
            soft = np.asarray(cv2.GaussianBlur(face[..., :3], (0, 0), 0.75), np.float32)
            self._sprites[code, level] = premultiplied(soft, face[..., 3] / np.float32(255))
        return self._sprites[code, level]

    def _shade_card(
        self, picture: Image, centre: Point, turn_deg: float, away_mm: float, strength: float, within: Box
    ) -> None:
        """A card's shadow when it lies or hangs `away_mm` from where it falls."""
        away = away_mm * self.layout.px_per_mm
        soft = self._shade(max(1, round(away)))
        at = (centre[0] + SHADOW_DIRECTION[0] * away, centre[1] + SHADOW_DIRECTION[1] * away)
        pivot = (self.layout.card_px[0] / 2 + _SHADE_MARGIN_PX, self.layout.card_px[1] / 2 + _SHADE_MARGIN_PX)
        matrix = self._placing(pivot, (*at, 0.0), turn_deg, 1.0)
        size = (round(2 * pivot[1]), round(2 * pivot[0]))
        if (box := covered(size, matrix, within)) is not None:
            darken(picture, shadow_in(soft, matrix, box), box, strength)

    def _shade(self, away_px: int) -> Image:
        if away_px not in self._shades:
            width, height = (round(side + 2 * _SHADE_MARGIN_PX) for side in self.layout.card_px)
            alpha = np.zeros((height, width), np.float32)
            margin = _SHADE_MARGIN_PX
            alpha[margin : height - margin, margin : width - margin] = 1
            self._shades[away_px] = shrunk(
                np.asarray(
                    cv2.GaussianBlur(alpha, (0, 0), min(2.5 + 0.6 * away_px, _SHADE_MARGIN_PX / 2.7)), np.float32
                )
            )
        return self._shades[away_px]
