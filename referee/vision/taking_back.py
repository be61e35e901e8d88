"""Outlines that were told in the table's own picture, taken back to pixels of the camera's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.observations import CardLanded, CardLifted, CardReading, CardsShown, Observation
from referee.vision.planes import Homography, mapped


def taken_back(observation: Observation, back: Homography) -> Observation:
    """The same with its outlines in pixels of the camera's own picture."""
    match observation:
        case CardLanded() | CardLifted():
            return replace(observation, reading=_reading_back(observation.reading, back))
        case CardsShown():
            return replace(observation, readings=tuple(_reading_back(r, back) for r in observation.readings))
        case _:
            return observation


def _reading_back(reading: CardReading, back: Homography) -> CardReading:
    corners = mapped(back, np.array(reading.quad_px, np.float64))
    return replace(reading, quad_px=tuple((float(x), float(y)) for x, y in corners))
