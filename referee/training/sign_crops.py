"""Crops of the corners of drawn cards, each with the sign that stands there: what the sign classifier learns from.

Of a card that lies under others often one corner is left. It is read from that corner alone, three times as large as
in a crop of the whole card, so that the faces around it cannot speak.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import Card
from referee.synth.faces import BACK
from referee.synth.scenes import FaceStock, Scene, SceneCard, SceneMix, draw_scene
from referee.training.crops import COLOURS, NONE, ChunkJob, CropSet, chunks_of, drawn_in_chunks
from referee.training.scene_files import VALIDATION_PRINTINGS
from referee.vision.corner_signs import WILD, corner_region
from referee.vision.quads import grown, straighten, turned

SIGNS = (*"0123456789SRD", "W4", WILD, NONE)
"""What stands in a corner: a coloured card's symbol, +4, the wheel of any other wild card, or nothing to be read."""
SIGN_MARGIN = 1.5
"""Stored crops show the corner grown by this factor, at `SIGN_PX` times the same factor."""
STORED_SIGN_PX = (72, 84)
SEEN = 0.7
COVERED = 0.3
"""A corner is named when this much of its sign is seen; with less than the other there is none to read."""
LEAST_PX = 55.0
"""Signs of cards shorter than this have too few pixels."""
MOST_PER_SCENE = 14
FRAME_PX = 480
Rng = np.random.Generator
Crop = NDArray[np.uint8]
Quad = NDArray[np.float32]


def sign_of(code: str) -> tuple[int, int]:
    """Indices into `SIGNS` and `COLOURS` of what a card has in its corners; `back` and `none` have nothing."""
    if code in (BACK, NONE):
        return SIGNS.index(NONE), COLOURS.index(NONE)
    card = Card.parse(code)
    sign = card.symbol.value if card.symbol.value in SIGNS else WILD
    return SIGNS.index(sign), COLOURS.index(card.colour.value if card.colour else NONE)


def draw_sign_crops(
    count: int, seed: int, *, validating: bool, workers: int, on_crops: Callable[[int], None]
) -> CropSet:
    """Draw `count` corners; the same arguments give the same crops whatever the number of processes."""
    return drawn_in_chunks(_chunk, chunks_of(count, seed, validating), workers, on_crops)


def _chunk(job: ChunkJob) -> CropSet:
    seed, start, count, validating = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, 2 + int(validating), start])
    first = (VALIDATION_PRINTINGS if validating else 700_000) + seed * 20_000 + start
    stock = FaceStock(first, printings=6, face_px=320)
    found: list[tuple[str, Crop]] = []
    mix = SceneMix(smallest=0.13, largest=0.75, empty_share=0.06, harshness=0.9, crowded_share=0.7)
    for number in itertools.count():
        if len(found) >= count:
            break
        if number % 6 == 5:
            stock.renew()
        found += sign_crops_of(draw_scene(rng, stock, FRAME_PX, FRAME_PX, mix), rng)
    found = found[:count]
    labels = [sign_of(code) for code, _ in found]
    return CropSet(
        np.stack([crop for _, crop in found]),
        np.array([s for s, _ in labels], np.int64),
        np.array([c for _, c in labels], np.int64),
    )


def sign_crops_of(scene: Scene, rng: Rng) -> list[tuple[str, Crop]]:
    """Codes and stored crops of corners in a scene: signs that are seen, and some where none is."""
    seen: list[tuple[str, Quad]] = []
    nothing: list[Quad] = []
    for card in scene.cards:
        if card.code == BACK or not _of_size(card.quad):
            continue
        for half_turn, share in enumerate(card.signs[1:]):
            quad = turned(card.quad, 2 * half_turn)
            if share >= SEEN:
                seen.append((card.code, quad))
            elif share <= COVERED:
                nothing.append(quad)
    shown = [seen[i] for i in rng.permutation(len(seen))[:MOST_PER_SCENE]]
    nothing = [nothing[i] for i in rng.permutation(len(nothing))[: 1 + len(shown) // 4]]
    nothing += _wrong_outlines(scene, rng)
    return [(code, _stored(scene, quad)) for code, quad in [*shown, *((NONE, quad) for quad in nothing)]]


def _stored(scene: Scene, quad: Quad) -> Crop:
    return straighten(scene.image_bgr, grown(corner_region(quad), SIGN_MARGIN), STORED_SIGN_PX)


def _of_size(quad: Quad) -> bool:
    return float(np.linalg.norm(quad[0] - quad[3]) + np.linalg.norm(quad[1] - quad[2])) / 2 >= LEAST_PX


def _wrong_outlines(scene: Scene, rng: Rng) -> Iterator[Quad]:
    """Outlines that have no sign in their upper left corner: other things, cards outlined wrongly, backs."""
    height, width = scene.image_bgr.shape[:2]
    others = [q for q in scene.others if (q.mean(axis=0) > 0).all() and (q.mean(axis=0) < (width, height)).all()]
    yield from (turned(quad, 2 * int(rng.integers(2))) for quad in others[:2] if _of_size(quad))
    yield from (card.quad for card in scene.cards if card.code == BACK and rng.random() < 0.3)
    cards: list[SceneCard] = [card for card in scene.cards if _of_size(card.quad)]
    if not cards or rng.random() < 0.15:
        long_side = float(rng.uniform(0.15, 0.6)) * height
        centre = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
        box = cv2.boxPoints((centre, (long_side * 0.64, long_side), float(rng.uniform(0, 360))))
        if all(_apart(np.asarray(box, np.float32), card.quad) for card in cards):
            yield np.asarray(box, np.float32)
        return
    for _ in range(2):
        quad = cards[int(rng.integers(len(cards)))].quad
        if rng.random() < 0.3:
            wrong = turned(quad, int(rng.choice([1, 3])))
        else:
            across, down = quad[1] - quad[0], quad[3] - quad[0]
            shift = across * rng.uniform(-0.7, 0.7) + down * rng.uniform(-0.6, 0.6)
            wrong = np.asarray(quad + shift, np.float32)
        if all(_apart(wrong, card.quad) for card in cards):
            yield wrong


def _apart(quad: Quad, card: Quad) -> bool:
    """True when the upper left corner of an outline is no corner of a card that carries a sign."""
    reach = 0.16 * float(np.linalg.norm(card[3] - card[0]))
    return all(float(np.linalg.norm(quad[0] - corner)) > reach for corner in (card[0], card[2]))
