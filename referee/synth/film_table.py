"""The bare table of a film as its camera sees it, before cards and arms."""

from __future__ import annotations

import cv2
import numpy as np

from referee.synth.compositing import Image
from referee.synth.film_style import FilmStyle
from referee.synth.film_view import FilmView
from referee.synth.surfaces import table_top
from referee.synth.tabletop import Layout
from referee.synth.tableware import set_table

_BEYOND_SHARE = 0.3
"""How much wider than the layout the painted table is on each side; beyond that it is mirrored."""

_FLAT_THINGS_DEG = 70.0
"""From lower down, things drawn flat would look flat."""


def bare_table(style: FilmStyle, layout: Layout, view: FilmView, seed: int) -> Image:
    """BGR uint8 (height, width, 3) of the view's size, evenly lit."""
    if view.straight:
        top = table_top(style.surface, layout.size_px, seed)
        return set_table(top, layout, seed) if style.tableware else top
    width, height = layout.size_px
    beyond = round(_BEYOND_SHARE * width)
    wide = table_top(style.surface, (width + 2 * beyond, height + 2 * beyond), seed)
    if style.tableware and style.elevation_deg >= _FLAT_THINGS_DEG:
        inner = np.ascontiguousarray(wide[beyond : beyond + height, beyond : beyond + width])
        wide[beyond : beyond + height, beyond : beyond + width] = set_table(inner, layout, seed)
    soft = cv2.GaussianBlur(wide, (0, 0), 0.5)
    place = view.plane @ np.array([[1, 0, -beyond], [0, 1, -beyond], [0, 0, 1]], np.float64)
    return np.asarray(
        cv2.warpPerspective(soft, place, view.size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101),
        np.uint8,
    )
