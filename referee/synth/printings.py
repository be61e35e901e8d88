"""How one printing of the deck looks: everything that differs from one edition or box to the next."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Literal

import numpy as np

from referee.synth import typefaces

BGR = tuple[int, int, int]
Layout = Literal["oval", "ring", "flip", "flat", "circle", "rays"]
LAYOUTS: tuple[Layout, ...] = ("oval", "ring", "flip", "flat", "circle", "rays")

BASE_BGR: dict[str, BGR] = {"R": (38, 34, 218), "Y": (24, 206, 246), "G": (62, 160, 66), "B": (190, 108, 20)}
"""Middle of the printed colours; a printing moves each of them a little."""


@dataclass(frozen=True, slots=True)
class Printing:
    """Look of a deck. Lengths are fractions of the card's height, colours BGR 0..255, angles degrees.

    layout: oval (filled white, coloured sign), ring (white outline, white sign), flip (ring and a logo in one
    corner), flat (no oval), circle (filled white, round), rays (white disc amid light rays).
    """

    name: str
    seed: int
    layout: Layout
    colours: tuple[tuple[str, BGR], ...]
    white: BGR
    black: BGR
    border: float
    corner_radius: float
    border_black: bool
    oval_half: tuple[float, float]
    oval_tilt_deg: float
    ring_width: float
    typeface: str
    slant: float
    outline: float
    shadow: float
    shadow_side: int
    sign_height: float
    corner_height: float
    underline: bool
    wild_word: bool
    wild_white_rim: bool
    wild_order: tuple[str, str, str, str]
    draw_fan: bool
    sign_text: bool
    back_word: bool
    back_red: bool
    wear: float

    def colour(self, letter: str) -> BGR:
        """Printed BGR colour of `R`, `Y`, `G` or `B`."""
        return dict(self.colours)[letter]


def printing(name_or_seed: str | int) -> Printing:
    """A printing by layout name (`oval`, `ring`, `flip`, `flat`, `circle`, `rays`) or drawn from a seed.

    A name gives a typical deck of that layout, new and unworn; an integer gives any deck. The same argument
    gives the same printing on every machine that has the same fonts. ValueError for an unknown name.
    """
    if isinstance(name_or_seed, int):
        rng = np.random.default_rng([71, name_or_seed])
        layout = LAYOUTS[int(rng.choice(6, p=[0.36, 0.30, 0.08, 0.12, 0.06, 0.08]))]
        return _drawn(f"seed-{name_or_seed}", layout, rng, spread=1.0)
    if name_or_seed not in LAYOUTS:
        raise ValueError(f"{name_or_seed!r} is not a printing: {', '.join(LAYOUTS)} or a number")
    rng = np.random.default_rng(zlib.crc32(name_or_seed.encode()))
    return _drawn(name_or_seed, name_or_seed, rng, spread=0.15)


def _drawn(name: str, layout: Layout, rng: np.random.Generator, *, spread: float) -> Printing:
    def near(low: float, high: float) -> float:
        middle, half = (low + high) / 2, (high - low) / 2
        return float(middle + half * spread * rng.uniform(-1, 1))

    def chance(p: float) -> bool:
        return bool(rng.random() < (p if spread == 1.0 else float(p >= 0.5)))

    def tint(colour: BGR, amount: float) -> BGR:
        b, g, r = (int(np.clip(c + rng.uniform(-amount, amount) * spread, 0, 255)) for c in colour)
        return b, g, r

    filled = layout in ("oval", "circle")
    half_short = near(0.215, 0.275)
    half = (half_short, half_short) if layout in ("circle", "rays") else (half_short, near(0.36, 0.47))
    outline = near(0.006, 0.016) if chance(0.85 if filled else 0.6) else 0.0
    shadow = near(0.006, 0.022) if chance(0.7 if layout != "flat" else 0.2) else 0.0
    orders = ("RBGY", "RBYG", "BGYR", "RYGB", "YRBG", "GBRY")
    order = orders[0 if spread < 1 else int(rng.integers(len(orders)))]
    faces = typefaces.names()
    typeface = faces[int(rng.integers(len(faces)))]
    return Printing(
        name=name,
        seed=int(rng.integers(2**31)),
        layout=layout,
        colours=tuple((k, tint(v, 28)) for k, v in BASE_BGR.items()),
        white=tint((246, 248, 248), 8),
        black=tint((26, 24, 26), 16),
        border=near(0.024, 0.062),
        corner_radius=near(0.035, 0.062),
        border_black=chance(0.12),
        oval_half=half,
        oval_tilt_deg=near(18, 38),
        ring_width=near(0.012, 0.03),
        typeface=typeface,
        slant=0.0 if "talic" in typeface or "blique" in typeface or chance(0.3) else near(0.05, 0.3),
        outline=outline,
        shadow=shadow,
        shadow_side=-1 if chance(0.7) else 1,
        sign_height=near(0.27, 0.36),
        corner_height=near(0.075, 0.125),
        underline=chance(0.96),
        wild_word=chance(0.35),
        wild_white_rim=chance(0.6),
        wild_order=(order[0], order[1], order[2], order[3]),
        draw_fan=chance(0.4),
        sign_text=chance(0.15),
        back_word=chance(0.8),
        back_red=chance(0.75),
        wear=float(rng.uniform(0, 1) ** 2) if spread == 1.0 else 0.0,
    )
