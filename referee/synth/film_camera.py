"""The camera of a drawn film: lens, lamp, exposure, noise of the sensor, and the push that it gets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_NOISE_FIELDS = 6
_LIGHT_KEPT_S = 1.0  # drifting light is worked out anew so often
_EXPOSURE_LAG_S = 0.5  # a webcam's automatic exposure follows a change of light about so fast
_BUMP_S = 0.45
_SHAKES_HZ = 5.0


@dataclass(frozen=True, slots=True)
class Bump:
    """The camera is pushed at `t_s`: the picture shakes and stays shifted (pixels) and turned (degrees) for good."""

    t_s: float
    shift_px: tuple[float, float]
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Sensor:
    """What a camera does to its picture besides projecting it.

    noise: standard deviation in grey levels; drift: relative change of the lamp's light; auto_exposure: how much of a
    change of the picture's brightness the camera takes back (0: none); flicker: relative amplitude of a lamp that
    beats with the frame rate; blur_px: of the lens; contrast: 1 as drawn.
    """

    noise: float = 2.0
    drift: float = 0.02
    auto_exposure: float = 0.0
    flicker: float = 0.0
    blur_px: float = 0.6
    contrast: float = 1.0
    brightness: float = 1.0


class Camera:
    """Turns drawn frames into pictures of a plain webcam; the same seed gives the same noise.

    Frames are to be given in the order of their times. margin_px: how much larger than the picture the drawn frames
    are on each side, so that a bumped camera sees what was beside its picture.
    """

    def __init__(
        self,
        size_px: tuple[int, int],
        seed: int,
        sensor: Sensor | None = None,
        *,
        bumps: tuple[Bump, ...] = (),
        margin_px: int = 0,
    ) -> None:
        self._sensor = sensor or Sensor()
        self._size_px = size_px
        self._bumps, self._margin_px = bumps, margin_px
        self._rng = np.random.default_rng([59, seed])
        self._phase = self._rng.uniform(0, 2 * np.pi, 4)
        self._lamp = np.repeat(_lamp(size_px)[..., None], 3, axis=2) * self._sensor.brightness
        self._light: tuple[float, Image] | None = None
        self._seen: tuple[Image, object, Image] | None = None
        self._gain, self._exposed_s = 1.0, -math.inf
        self._first_level: float | None = None
        width, height = size_px
        # Fields a little larger than the frame: a random cut of a random field is new noise at little cost.
        self._fields = []
        for _ in range(_NOISE_FIELDS if self._sensor.noise > 0 else 0):
            field = self._rng.standard_normal((height + 64, width + 64, 3)).astype(np.float32)
            field = cv2.GaussianBlur(field, (0, 0), 0.55) * self._sensor.noise * 1.7
            self._fields.append((np.clip(field, 0, 60).astype(np.uint8), np.clip(-field, 0, 60).astype(np.uint8)))

    def picture(self, drawn: Image, t_s: float) -> Image:
        """One frame as the camera gives it, uint8 (height, width, 3)."""
        seen = self._through_lens(drawn, t_s)
        gain = self._exposure(seen, t_s) * (1 + self._flicker(t_s))
        if abs(gain - 1) > 1e-3:
            seen = np.asarray(cv2.convertScaleAbs(seen, alpha=gain), np.uint8)
        if not self._fields:
            return seen
        top, left = self._rng.integers(0, 64, 2)
        more, less = self._fields[int(self._rng.integers(_NOISE_FIELDS))]
        width, height = self._size_px
        seen = np.asarray(cv2.add(seen, more[top : top + height, left : left + width]), np.uint8)
        return np.asarray(cv2.subtract(seen, less[top : top + height, left : left + width]), np.uint8)

    def _through_lens(self, drawn: Image, t_s: float) -> Image:
        """Cropped, softened and lit; kept while the same frame is given again under the same light."""
        light = self._lit(t_s)
        pose = self._pose(t_s)
        key = (self._light[0] if self._light else 0.0, *pose)
        if self._seen is not None and self._seen[0] is drawn and self._seen[1] == key:
            return self._seen[2]
        seen = cv2.GaussianBlur(self._framed(drawn, pose), (0, 0), self._sensor.blur_px)
        seen = cv2.multiply(seen, light, scale=1 / 200)
        if self._sensor.contrast != 1:
            seen = cv2.convertScaleAbs(seen, alpha=self._sensor.contrast, beta=110 * (1 - self._sensor.contrast))
        self._seen = (drawn, key, np.asarray(seen, np.uint8))
        return self._seen[2]

    def _framed(self, drawn: Image, pose: tuple[float, float, float]) -> Image:
        width, height = self._size_px
        margin = self._margin_px
        if pose == (0.0, 0.0, 0.0):
            return drawn[margin : margin + height, margin : margin + width]
        turn = cv2.getRotationMatrix2D((width / 2 + margin, height / 2 + margin), pose[2], 1.0)
        turn[:, 2] += np.array((pose[0] - margin, pose[1] - margin))
        return np.asarray(
            cv2.warpAffine(drawn, turn, self._size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
            np.uint8,
        )

    def _pose(self, t_s: float) -> tuple[float, float, float]:
        """Shift in pixels and turn in degrees of the camera's picture at a time."""
        x = y = turn = 0.0
        for bump in self._bumps:
            since = t_s - bump.t_s
            if since < 0:
                continue
            share = 1.0
            if since < 2 * _BUMP_S:  # swings to its new place
                share = 1 - math.exp(-4 * since / _BUMP_S) * math.cos(2 * math.pi * _SHAKES_HZ * since)
            x, y = x + share * bump.shift_px[0], y + share * bump.shift_px[1]
            turn += share * bump.turn_deg
        return (x, y, turn)

    def _lit(self, t_s: float) -> Image:
        """The lamp's light, 200 where it is as bright as drawn."""
        if self._light is None or not self._light[0] <= t_s < self._light[0] + _LIGHT_KEPT_S:
            since = math.floor(t_s / _LIGHT_KEPT_S) * _LIGHT_KEPT_S
            slow = math.sin(2 * np.pi * since / 41 + self._phase[0])
            slow += 0.4 * math.sin(2 * np.pi * since / 13 + self._phase[1])
            warm = 0.3 * math.sin(2 * np.pi * since / 57 + self._phase[2])
            gains = 1 + self._sensor.drift * np.array((slow - warm, slow, slow + warm), np.float32)
            self._light = (since, np.clip(self._lamp * gains * 200 + 0.5, 0, 255).astype(np.uint8))
        return self._light[1]

    def _exposure(self, seen: Image, t_s: float) -> float:
        if self._sensor.auto_exposure == 0:
            return 1.0
        level = float(seen[::24, ::24].mean())
        if self._first_level is None:
            self._first_level = level
        wanted = (self._first_level / max(level, 1.0)) ** self._sensor.auto_exposure
        passed = min(t_s - self._exposed_s, 1.0)
        self._gain += (wanted - self._gain) * (1 - math.exp(-passed / _EXPOSURE_LAG_S))
        self._exposed_s = t_s
        return self._gain

    def _flicker(self, t_s: float) -> float:
        if self._sensor.flicker == 0:
            return 0.0
        return self._sensor.flicker * math.sin(2 * math.pi * 3.7 * t_s + float(self._phase[3]))


def _lamp(size_px: tuple[int, int]) -> NDArray[np.float32]:
    """Fall of light from a lamp left above the middle: 1.03 beneath it, about 0.8 in the far corner."""
    width, height = size_px
    x = (np.arange(width, dtype=np.float32) / width - 0.42) * (width / height)
    y = np.arange(height, dtype=np.float32) / height - 0.38
    return np.asarray(1.03 - 0.23 * (x[None, :] ** 2 + y[:, None] ** 2), np.float32)
