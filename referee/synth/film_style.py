"""How a film looks and sounds: table, cards, light, camera, players' manners; by hand or all drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from referee.synth.film_camera import Sensor
from referee.synth.film_manners import NEAT, Manners, any_manners
from referee.synth.film_plan import Pace
from referee.synth.surfaces import SURFACES, Surface

SIZE_PX = (960, 720)
FRAME_RATE_HZ = 10


@dataclass(frozen=True, slots=True)
class FilmStyle:
    """How a film looks and sounds.

    faces: a printing by name or number, or a folder of photographs; elevation_deg, azimuth_deg, roll_deg: where the
    camera stands (90: straight above); exposure_s: of a frame; bumps: how often the camera is pushed; any_arms: arms
    drawn from the seed instead of one known look a seat; snr_db: voices against the room; chatter: lines of talk a
    minute that are no calls; music: its level against the rest of the room's noise, 0 for none.
    """

    surface: Surface = "walnut"
    tableware: bool = True
    faces: str | int | Path = "oval"
    size_px: tuple[int, int] = SIZE_PX
    frame_rate_hz: int = FRAME_RATE_HZ
    elevation_deg: float = 90.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    sensor: Sensor = field(default_factory=Sensor)
    exposure_s: float = 0.02
    bumps: int = 0
    any_arms: bool = False
    pace: Pace = field(default_factory=Pace)
    manners: Manners = NEAT
    snr_db: float = 26.0
    chatter: float = 0.0
    music: float = 0.0


def hard_style(seed: int, size_px: tuple[int, int] = SIZE_PX) -> FilmStyle:
    """Everything mixed: any table, printing, light, camera and players, all from the seed."""
    rng = np.random.default_rng([83, seed])
    oblique = bool(rng.random() < 0.6)
    tempo = float(rng.uniform(0.8, 1.25))
    elevation = float(rng.uniform(30, 88)) if oblique else 90.0
    return FilmStyle(
        surface=SURFACES[int(rng.integers(len(SURFACES)))],
        tableware=bool(rng.random() < 0.5),
        faces=int(rng.integers(10_000, 10_000_000)),
        size_px=size_px,
        frame_rate_hz=15,
        elevation_deg=elevation,
        azimuth_deg=float(rng.uniform(-9, 9)) if oblique else 0.0,
        roll_deg=float(rng.normal(0, 1.2)) if oblique else 0.0,
        sensor=Sensor(
            noise=float(rng.uniform(1.0, 4.0)),
            drift=float(rng.uniform(0.0, 0.04)),
            auto_exposure=float(rng.uniform(0.2, 0.8)) if rng.random() < 0.6 else 0.0,
            flicker=float(rng.uniform(0.004, 0.015)) if rng.random() < 0.4 else 0.0,
            blur_px=float(rng.uniform(0.4, 0.9)),
            contrast=float(rng.uniform(0.85, 1.1)),
            brightness=float(rng.uniform(0.8, 1.1)),
        ),
        exposure_s=float(rng.uniform(0.008, 0.033)),
        bumps=1 if rng.random() < 0.25 else 0,
        any_arms=True,
        pace=Pace(
            reach_s=0.72 * tempo,
            withdraw_s=0.62 * tempo,
            dwell_s=0.2 * tempo,
            rest_s=float(rng.uniform(0.6, 1.0)),
            turn_spread=float(rng.uniform(6, 14)),
        ),
        manners=any_manners(rng),
        snr_db=float(rng.uniform(14, 28)),
        chatter=float(rng.uniform(0, 3)) if rng.random() < 0.5 else 0.0,
        music=float(rng.uniform(0.3, 1.0)) if rng.random() < 0.3 else 0.0,
    )
