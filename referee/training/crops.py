"""Straightened crops of drawn cards, with a margin around each, as one array: what the classifier learns from.

The margin lets training move the outline about, as a detector's outline is never exact.
"""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import Card
from referee.synth.faces import BACK
from referee.synth.scenes import FaceStock, Scene, SceneCard, SceneMix, draw_scene
from referee.training.scene_files import VALIDATION_PRINTINGS, can_be_read
from referee.vision.quads import grown, overlap, straighten, turned

NONE = "none"
SYMBOLS = (*"0123456789SRD", "W", "W4", "WX", "WM", "WC", BACK, NONE)
COLOURS = ("R", "Y", "G", "B", NONE)
SIZE_PX = (64, 96)
MARGIN = 1.25
"""Stored crops show the outline grown by this factor, at `SIZE_PX` times the same factor."""
STORED_PX = (80, 120)
LEGIBLE = 0.55
ILLEGIBLE = 0.25
"""A crop is named when this much of its best sign is seen; with less than the other it shows no face to name."""
MOST_PER_SCENE = 7
CHUNK = 250
FRAME_PX = 288
Rng = np.random.Generator
Crop = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class CropSet:
    """Crops uint8 (n, 120, 80, 3) BGR with indices into `SYMBOLS` and `COLOURS` (n,)."""

    crops: NDArray[np.uint8]
    symbols: NDArray[np.int64]
    colours: NDArray[np.int64]

    def save(self, path: Path) -> None:
        """Write the set as one .npz file."""
        np.savez(path, crops=self.crops, symbols=self.symbols, colours=self.colours)

    @classmethod
    def joined(cls, sets: list[CropSet]) -> CropSet:
        """All crops of several sets."""
        return cls(
            np.concatenate([s.crops for s in sets]),
            np.concatenate([s.symbols for s in sets]),
            np.concatenate([s.colours for s in sets]),
        )

    @classmethod
    def load(cls, path: Path) -> CropSet:
        """Read a set written by `save`."""
        with np.load(path) as held:
            return cls(held["crops"], held["symbols"], held["colours"])


def labels_of(code: str) -> tuple[int, int]:
    """Indices of a code's symbol and colour; wilds, `back` and `none` have the colour `none`."""
    if code in (BACK, NONE):
        return SYMBOLS.index(code), COLOURS.index(NONE)
    card = Card.parse(code)
    return SYMBOLS.index(card.symbol.value), COLOURS.index(card.colour.value if card.colour else NONE)


ChunkJob: TypeAlias = tuple[int, int, int, bool]
"""Seed, number of the first crop, how many, whether for validation."""


def draw_crops(count: int, seed: int, *, validating: bool, workers: int, on_crops: Callable[[int], None]) -> CropSet:
    """Draw `count` crops; the same arguments give the same crops whatever the number of processes."""
    return drawn_in_chunks(_chunk, chunks_of(count, seed, validating), workers, on_crops)


def chunks_of(count: int, seed: int, validating: bool) -> list[ChunkJob]:
    """The jobs that draw `count` crops between them."""
    return [(seed, start, min(CHUNK, count - start), validating) for start in range(0, count, CHUNK)]


def drawn_in_chunks(
    draw: Callable[[ChunkJob], CropSet], jobs: list[ChunkJob], workers: int, on_crops: Callable[[int], None]
) -> CropSet:
    """All that `draw` makes of the jobs, in their order, in as many processes; `on_crops` hears how many came."""
    parts: list[CropSet] = []
    if workers > 1:
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            for part in pool.imap(draw, jobs):
                parts.append(part)
                on_crops(len(part.symbols))
    else:
        for job in jobs:
            parts.append(draw(job))
            on_crops(len(parts[-1].symbols))
    return CropSet.joined(parts)


def _chunk(job: ChunkJob) -> CropSet:
    seed, start, count, validating = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, int(validating), start])
    first = (VALIDATION_PRINTINGS if validating else 500_000) + seed * 20_000 + start
    stock = FaceStock(first, printings=8, face_px=200)
    found: list[tuple[str, Crop]] = []
    mix = SceneMix(smallest=0.12, largest=0.9, empty_share=0.12, harshness=0.95)
    for number in itertools.count():
        if len(found) >= count:
            break
        if number % 8 == 7:
            stock.renew()
        scene = draw_scene(rng, stock, FRAME_PX, FRAME_PX, mix)
        found += crops_of(scene, rng)
    found = found[:count]
    labels = [labels_of(code) for code, _ in found]
    return CropSet(
        np.stack([crop for _, crop in found]),
        np.array([s for s, _ in labels], np.int64),
        np.array([c for _, c in labels], np.int64),
    )


def crops_of(scene: Scene, rng: Rng) -> list[tuple[str, Crop]]:
    """Codes and stored crops of a scene: its cards, and about one in eight of what is no card face."""
    found: list[tuple[str, Crop]] = []
    shown = [c for c in scene.cards if can_be_read(c) and c.legible >= LEGIBLE]
    for i in rng.permutation(len(shown))[:MOST_PER_SCENE]:
        card = shown[i]
        found.append((card.code, straighten(scene.image_bgr, grown(card.quad, MARGIN), STORED_PX)))
    for quad in _not_faces(scene, rng):
        found.append((NONE, straighten(scene.image_bgr, grown(quad, MARGIN), STORED_PX)))
    return found


def _not_faces(scene: Scene, rng: Rng) -> Iterator[NDArray[np.float32]]:
    """Outlines that hold no readable face: clutter, playing cards, parts of cards, cards on their side."""
    height, width = scene.image_bgr.shape[:2]
    cards = [c.quad for c in scene.cards]
    others = [q for q in scene.others if (q.mean(axis=0) > 0).all() and (q.mean(axis=0) < (width, height)).all()]
    for quad in others[: 1 if cards else 3]:
        if all(overlap(quad, c) < 0.1 for c in cards):
            yield quad
    if (hidden := [c.quad for c in scene.cards if _shows_no_sign(c, cards)]) and rng.random() < 0.4:
        yield hidden[int(rng.integers(len(hidden)))]
    if not cards:
        yield _anywhere(rng, width, height)
        return
    if rng.random() < 0.25:
        quad = _anywhere(rng, width, height)
        if all(overlap(quad, c) < 0.12 for c in cards):
            yield quad
    if rng.random() < 0.22:
        quad = _part_of(cards[int(rng.integers(len(cards)))], rng)
        if all(overlap(quad, c) < 0.35 for c in cards):
            yield quad
    if rng.random() < 0.08:
        yield turned(cards[int(rng.integers(len(cards)))], 1)


def _shows_no_sign(card: SceneCard, cards: list[NDArray[np.float32]]) -> bool:
    """True when field and border of a card can be seen, but no sign, and its outline holds no other card's face."""
    if card.visible < 0.1 or card.legible >= ILLEGIBLE or card.code == BACK:
        return False
    return all(quad is card.quad or overlap(quad, card.quad) < 0.4 for quad in cards)


def _anywhere(rng: Rng, width: int, height: int) -> NDArray[np.float32]:
    long_side = float(np.exp(rng.uniform(np.log(0.1), np.log(0.8)))) * height
    centre = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
    box = cv2.boxPoints((centre, (long_side * 0.64, long_side), float(rng.uniform(0, 360))))
    return np.asarray(np.roll(box, 1, axis=0), np.float32)


def _part_of(quad: NDArray[np.float32], rng: Rng) -> NDArray[np.float32]:
    """Half a card, a corner sign, the oval, or several cards' width."""
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    kind = rng.random()
    if kind < 0.5:
        shift = across * rng.uniform(-0.8, 0.8) + down * rng.choice([-1, 1]) * rng.uniform(0.4, 0.8)
        return np.asarray(quad + shift, np.float32)
    if kind < 0.8:
        return np.asarray(grown(quad, float(rng.uniform(0.2, 0.5))) + across * rng.uniform(-0.2, 0.2), np.float32)
    return grown(quad, float(rng.uniform(1.8, 2.8)))
