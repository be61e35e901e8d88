"""Draws a film plan: the table as it stands at a time, with the arms over it and their shadows."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat
from referee.synth.arms import LOOKS, ArmPicture, arm_picture
from referee.synth.faces import Printing, draw_face
from referee.synth.film_plan import FilmPlan, Placed
from referee.synth.motion import Reach, ahead
from referee.synth.tabletop import Layout, Point

Image = NDArray[np.uint8]
Sprite = NDArray[np.float32]

LIGHT_FROM_DEG = -35.0  # the lamp stands left above the middle: shadows fall right and down
SHADOW_DIRECTION: Point = (0.62, 0.78)
_FACE_OVERSAMPLING = 2
_STACK_CARDS_PER_PX = 9.0  # cards of the draw pile for each pixel of its visible side


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
        """The table at a time."""
        picture = self.still(t_s).copy()
        for reach in self.plan.reaches:
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
            self._still = {key: picture}
        return self._still[key]

    def _draw_stack(self, picture: Image, left: int) -> None:
        if left <= 0:
            return
        layers = max(1, round(left / _STACK_CARDS_PER_PX))
        x, y = self.layout.draw_px
        jitter = np.random.default_rng([53, self.seed]).normal(0, 0.45, (layers, 2))
        for layer in range(layers):
            up = layer  # the pile's lower cards peep out on the side turned away from the middle of the picture
            centre = (x + (layers - up) * 0.55 + jitter[layer, 0], y + (layers - up) * 0.8 + jitter[layer, 1])
            if layer == 0:
                self._shade_card(picture, centre, 0.0, away_px=3 + layers * 0.8, strength=0.5)
            self._paste_card(
                picture, "back", centre, jitter[layer, 0], brightness=1.0 if layer == layers - 1 else 0.78
            )

    def _draw_placed(self, picture: Image, card: Placed) -> None:
        self._shade_card(picture, card.centre_px, card.turn_deg, away_px=2.2, strength=0.42)
        self._paste_card(picture, card.code, card.centre_px, card.turn_deg)

    def _draw_arm(self, picture: Image, reach: Reach, t_s: float) -> None:
        arm = self._arm(reach.seat)
        grip, lift = reach.grip(t_s)
        direction = reach.direction_deg(t_s)
        matrix = _turned(direction, arm.grip_px, grip)
        away = self.layout.px_per_mm * (9 + 16 * lift)
        carry = reach.carried(t_s)
        if carry is not None:
            twist, lead = carry.pose(t_s)
            centre = ahead(grip, direction, lead)
            self._shade_card(picture, centre, direction + twist, away_px=2.5 + 14 * lift, strength=0.42)
        shift = np.float32([[0, 0, SHADOW_DIRECTION[0] * away], [0, 0, SHADOW_DIRECTION[1] * away]])
        _darken(picture, arm.shadow, matrix + shift, 0.46)
        if carry is not None:
            self._paste_card(picture, carry.code, centre, direction + twist, size=1 + 0.05 * lift)
            _darken(picture, arm.shadow, matrix + 0.35 * shift, 0.25)
        _paste(picture, arm.bgr, arm.alpha, matrix)

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

    def _card_matrix(self, sprite: Sprite, centre: Point, turn_deg: float, size: float) -> Sprite:
        height, width = sprite.shape
        scale = size / _FACE_OVERSAMPLING
        return _turned(turn_deg, (width / 2, height / 2), centre, scale)

    def _paste_card(
        self, picture: Image, code: str, centre: Point, turn_deg: float, *, size: float = 1.0, brightness: float = 1.0
    ) -> None:
        bgr, alpha = self._sprite(code)
        _paste(
            picture,
            bgr * brightness if brightness != 1 else bgr,
            alpha,
            self._card_matrix(alpha, centre, turn_deg, size),
        )

    def _shade_card(self, picture: Image, centre: Point, turn_deg: float, *, away_px: float, strength: float) -> None:
        _, alpha = self._sprite("back")
        soft = cv2.GaussianBlur(cv2.copyMakeBorder(alpha, 24, 24, 24, 24, cv2.BORDER_CONSTANT), (0, 0), 2.5 + away_px)
        at = (centre[0] + SHADOW_DIRECTION[0] * away_px, centre[1] + SHADOW_DIRECTION[1] * away_px)
        _darken(picture, np.asarray(soft, np.float32), self._card_matrix(soft, at, turn_deg, 1.0), strength)


def _turned(turn_deg: float, pivot: Point, at: Point, scale: float = 1.0) -> NDArray[np.float32]:
    """Affine (2, 3) that turns clockwise about `pivot`, scales, and puts the pivot at `at`."""
    turn = np.radians(turn_deg)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    return np.float32(
        [
            [cos, -sin, at[0] - cos * pivot[0] + sin * pivot[1]],
            [sin, cos, at[1] - sin * pivot[0] - cos * pivot[1]],
        ]
    )


def _region(picture: Image, shape: tuple[int, ...], matrix: NDArray[np.float32]) -> tuple[int, int, int, int] | None:
    """Part of the picture that a turned sprite covers: left, top, right, bottom; None when outside."""
    height, width = shape[:2]
    corners = matrix[:, :2] @ np.float32([[0, width, width, 0], [0, 0, height, height]]) + matrix[:, 2:]
    left, top = np.floor(corners.min(axis=1)).astype(int) - 1
    right, bottom = np.ceil(corners.max(axis=1)).astype(int) + 1
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, picture.shape[1]), min(bottom, picture.shape[0])
    return None if right <= left or bottom <= top else (int(left), int(top), int(right), int(bottom))


def _warped(sprite: Sprite, matrix: NDArray[np.float32], box: tuple[int, int, int, int]) -> Sprite:
    left, top, right, bottom = box
    local = matrix - np.float32([[0, 0, left], [0, 0, top]])
    return np.asarray(cv2.warpAffine(sprite, local, (right - left, bottom - top), flags=cv2.INTER_LINEAR), np.float32)


def _paste(picture: Image, bgr: Sprite, alpha: Sprite, matrix: NDArray[np.float32]) -> None:
    box = _region(picture, alpha.shape, matrix)
    if box is None:
        return
    left, top, right, bottom = box
    share = _warped(alpha, matrix, box)[..., None]
    local = matrix - np.float32([[0, 0, left], [0, 0, top]])
    colours = cv2.warpAffine(
        bgr, local, (right - left, bottom - top), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    under = picture[top:bottom, left:right]
    picture[top:bottom, left:right] = np.clip(under + share * (colours - under) + 0.5, 0, 255).astype(np.uint8)


def _darken(picture: Image, shadow: Sprite, matrix: NDArray[np.float32], strength: float) -> None:
    box = _region(picture, shadow.shape, matrix)
    if box is None:
        return
    left, top, right, bottom = box
    share = 1 - strength * _warped(shadow, matrix, box)[..., None]
    picture[top:bottom, left:right] = (picture[top:bottom, left:right] * share).astype(np.uint8)
