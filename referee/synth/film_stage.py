"""Draws a film plan: the table as it stands at a time, with the arms over it and their shadows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from referee.cards import Seat
from referee.synth.arms import LOOKS, ArmPicture, arm_picture
from referee.synth.compositing import Affine, Image, Sprite, darken, paste, shift, turned
from referee.synth.faces import Printing, draw_face
from referee.synth.film_plan import FilmPlan, Placed
from referee.synth.motion import Reach, ahead
from referee.synth.tabletop import Layout, Point

EXPOSURE_S = 0.02  # of a webcam under a room's lamp
_BLUR_STEP_PX = 2.5
_MOST_MOMENTS = 11
LIGHT_FROM_DEG = -35.0  # the lamp stands left above the middle: shadows fall right and down
SHADOW_DIRECTION: Point = (0.62, 0.78)
_FACE_OVERSAMPLING = 2
_CARDS_PER_LAYER = 9.0  # of the draw pile, as its side is drawn


@dataclass
class Stage:
    """A table with its cards and arms, drawn at any time of the plan.

    stock: cards on the draw pile at the start. Frames are BGR uint8 (height, width, 3), before the camera's own
    noise.
    """

    plan: FilmPlan
    layout: Layout
    top: Image
    faces: Printing
    stock: int
    seed: int
    _sprites: dict[str, tuple[Sprite, Sprite]] = field(default_factory=dict)
    _arms: dict[Seat, ArmPicture] = field(default_factory=dict)
    _still: dict[tuple[int, ...], Image] = field(default_factory=dict)

    def frame(self, t_s: float) -> Image:
        """The table as a camera exposes it until `t_s`: what moves is blurred. Not to be written to."""
        moving = [reach for reach in self.plan.reaches if reach.begin_s - EXPOSURE_S <= t_s < reach.end_s]
        if not moving:
            return self.still(t_s)
        way = max(math.dist(reach.grip(t_s)[0], reach.grip(t_s - EXPOSURE_S)[0]) for reach in moving)
        moments = min(1 + round(way / _BLUR_STEP_PX), _MOST_MOMENTS)
        if moments == 1:
            return self._moment(moving, t_s)
        total = np.zeros(self.top.shape, np.float32)
        for index in range(moments):
            cv2.accumulate(self._moment(moving, t_s - EXPOSURE_S * index / moments), total)
        return np.asarray(total / moments + 0.5, np.uint8)

    def _moment(self, moving: list[Reach], t_s: float) -> Image:
        picture = self.still(t_s).copy()
        for reach in moving:
            if reach.begin_s <= t_s < reach.end_s:
                self._draw_arm(picture, reach, t_s)
        return picture

    def still(self, t_s: float) -> Image:
        """The table without arms; kept until something on it changes."""
        lying = [i for i, p in enumerate(self.plan.placed) if p.from_s <= t_s < p.until_s]
        lying.sort(key=lambda i: self.plan.placed[i].from_s)
        left = self.stock - sum(1 for drawn_s in self.plan.draws_s if drawn_s <= t_s)
        key = (left, *lying)
        if key not in self._still:
            picture = self.top.copy()
            self._draw_stack(picture, left)
            for index in lying:
                self._draw_placed(picture, self.plan.placed[index])
            self._still = dict([*self._still.items(), (key, picture)][-2:])  # an exposure may span a change
        return self._still[key]

    def _draw_stack(self, picture: Image, left: int) -> None:
        if left <= 0:
            return
        layers = max(1, round(left / _CARDS_PER_LAYER))
        x, y = self.layout.draw_px
        mm = self.layout.px_per_mm
        jitter = np.random.default_rng([53, self.seed]).normal(0, 0.3 * mm, (layers, 2))
        for layer in range(layers):
            up = layer  # the pile's lower cards peep out on the side turned away from the middle of the picture
            centre = (
                x + (layers - up) * 0.35 * mm + jitter[layer, 0],
                y + (layers - up) * 0.5 * mm + jitter[layer, 1],
            )
            if layer == 0:
                self._shade_card(picture, centre, 0.0, away_px=(2 + layers * 0.5) * mm, strength=0.5)
            self._paste_card(
                picture, "back", centre, jitter[layer, 0], brightness=1.0 if layer == layers - 1 else 0.78
            )

    def _draw_placed(self, picture: Image, card: Placed) -> None:
        self._shade_card(picture, card.centre_px, card.turn_deg, away_px=1.4 * self.layout.px_per_mm, strength=0.42)
        self._paste_card(picture, card.code, card.centre_px, card.turn_deg)

    def _draw_arm(self, picture: Image, reach: Reach, t_s: float) -> None:
        arm = self._arm(reach.seat)
        grip, lift = reach.grip(t_s)
        direction = reach.direction_deg(t_s)
        matrix = turned(direction, arm.grip_px, grip)
        away = self.layout.px_per_mm * (9 + 16 * lift)
        carry = reach.carried(t_s)
        if carry is not None:
            twist, lead = carry.pose(t_s)
            centre = ahead(grip, direction, lead)
            self._shade_card(
                picture, centre, direction + twist, away_px=(1.6 + 9 * lift) * self.layout.px_per_mm, strength=0.42
            )
        aside = shift(SHADOW_DIRECTION[0] * away, SHADOW_DIRECTION[1] * away)
        darken(picture, arm.shadow, matrix + aside, 0.46)
        if carry is not None:
            self._paste_card(picture, carry.code, centre, direction + twist, size=1 + 0.05 * lift)
            darken(picture, arm.shadow, matrix + 0.35 * aside, 0.25)
        paste(picture, arm.bgr, arm.alpha, matrix)

    def _arm(self, seat: Seat) -> ArmPicture:
        if seat not in self._arms:
            facing = self.layout.at(seat).facing_deg
            look = LOOKS[(seat - 1) % len(LOOKS)]
            self._arms[seat] = arm_picture(look, self.layout.px_per_mm, LIGHT_FROM_DEG - facing, self.seed + seat)
        return self._arms[seat]

    def _sprite(self, code: str) -> tuple[Sprite, Sprite]:
        """(bgr, alpha) of a face at twice its size in the picture, softened for turning."""
        if code not in self._sprites:
            face = draw_face(code, self.faces, round(self.layout.card_px[1] * _FACE_OVERSAMPLING)).astype(np.float32)
            alpha = face[..., 3] / 255
            bgr = cv2.GaussianBlur(face[..., :3], (0, 0), 0.75)
            self._sprites[code] = (np.asarray(bgr, np.float32), np.asarray(alpha, np.float32))
        return self._sprites[code]

    def _card_matrix(self, sprite: Sprite, centre: Point, turn_deg: float, size: float) -> Affine:
        height, width = sprite.shape
        scale = size / _FACE_OVERSAMPLING
        return turned(turn_deg, (width / 2, height / 2), centre, scale)

    def _paste_card(
        self, picture: Image, code: str, centre: Point, turn_deg: float, *, size: float = 1.0, brightness: float = 1.0
    ) -> None:
        bgr, alpha = self._sprite(code)
        paste(
            picture,
            bgr * brightness if brightness != 1 else bgr,
            alpha,
            self._card_matrix(alpha, centre, turn_deg, size),
        )

    def _shade_card(self, picture: Image, centre: Point, turn_deg: float, *, away_px: float, strength: float) -> None:
        _, alpha = self._sprite("back")
        wider = cv2.copyMakeBorder(alpha, 24, 24, 24, 24, cv2.BORDER_CONSTANT)
        soft = np.asarray(cv2.GaussianBlur(wider, (0, 0), 2.5 + away_px), np.float32)
        at = (centre[0] + SHADOW_DIRECTION[0] * away_px, centre[1] + SHADOW_DIRECTION[1] * away_px)
        darken(picture, soft, self._card_matrix(soft, at, turn_deg, 1.0), strength)
