"""Drawn scenes as files: pictures, oriented labels in the form Ultralytics reads, and the full truth beside them."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth.faces import BACK
from referee.synth.scenes import FaceStock, Scene, SceneCard, SceneMix, draw_scene

CLASSES = ("card", "back")
LEAST_VISIBLE = 0.3
LEAST_WITH_SIGN = 0.12
CLEAR_SIGN = 0.9
"""Cards of which less than `LEAST_VISIBLE` is seen are labelled only if a whole sign is left: those can be read."""
FRAMES_PX = ((320, 320), (320, 240), (320, 180), (240, 320), (320, 213))
CHUNK = 100
VALIDATION_PRINTINGS = 10_000_000
"""Printings from this seed on are kept for validation; training never draws them."""


@dataclass(frozen=True, slots=True)
class ScenePlan:
    """How many scenes are drawn for one part (`train` or `val`), and from which seed."""

    folder: Path
    part: str
    count: int
    seed: int


def write_scenes(plan: ScenePlan, workers: int, on_scenes: Callable[[int], None]) -> Path:
    """Draw the scenes of a plan in `workers` processes and return the data file for Ultralytics.

    on_scenes is called with the number of scenes just finished. Each hundred depends on the seed alone, so the
    same plan gives the same files whatever the number of processes.
    """
    for kind in ("images", "labels", "truth"):
        (plan.folder / kind / plan.part).mkdir(parents=True, exist_ok=True)
    jobs = [(plan, start) for start in range(0, plan.count, CHUNK)]
    if workers > 1:
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            for done in pool.imap_unordered(_write_chunk, jobs):
                on_scenes(done)
    else:
        for job in jobs:
            on_scenes(_write_chunk(job))
    data = plan.folder / "data.yaml"
    names = "\n".join(f"  {i}: {name}" for i, name in enumerate(CLASSES))
    data.write_text(f"path: {plan.folder.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}\n")
    return data


def _write_chunk(job: tuple[ScenePlan, int]) -> int:
    plan, start = job
    cv2.setNumThreads(1)
    validating = plan.part == "val"
    rng = np.random.default_rng([plan.seed, int(validating), start])
    first = (VALIDATION_PRINTINGS if validating else 0) + plan.seed * 20_000 + start
    stock = FaceStock(first, printings=8)
    count = min(CHUNK, plan.count - start)
    for i in range(start, start + count):
        if i % 6 == 5:
            stock.renew()
        width, height = FRAMES_PX[int(rng.integers(len(FRAMES_PX)))]
        few_small = SceneMix(smallest=0.045 if rng.random() < 0.2 else 0.11)
        scene = draw_scene(rng, stock, width, height, few_small)
        name = f"{i:06d}"
        cv2.imwrite(str(plan.folder / "images" / plan.part / f"{name}.jpg"), scene.image_bgr, [1, 93])
        (plan.folder / "labels" / plan.part / f"{name}.txt").write_text(label_lines(scene))
        truth = [
            {
                "code": c.code,
                "quad": c.quad.round(2).tolist(),
                "visible": round(c.visible, 3),
                "legible": round(c.legible, 3),
            }
            for c in scene.cards
        ]
        (plan.folder / "truth" / plan.part / f"{name}.json").write_text(json.dumps(truth))
    return count


def label_lines(scene: Scene) -> str:
    """Labels of a scene: class and four corners as fractions of the frame, a line a card that can be seen."""
    height, width = scene.image_bgr.shape[:2]
    lines = []
    for card in scene.cards:
        box = label_box(card, width, height)
        if box is not None:
            numbers = " ".join(f"{v:.5f}" for v in (box / (width, height)).ravel())
            lines.append(f"{int(card.code == BACK)} {numbers}\n")
    return "".join(lines)


def can_be_read(card: SceneCard) -> bool:
    """True for a card of which enough is left, or little with a whole sign on it, as in a fan."""
    return card.visible >= LEAST_VISIBLE or (card.visible >= LEAST_WITH_SIGN and card.legible >= CLEAR_SIGN)


def label_box(card: SceneCard, width: int, height: int) -> NDArray[np.float32] | None:
    """Corners (4, 2) px of the oriented box around the part of a card inside the frame; None if hardly visible."""
    if not can_be_read(card):
        return None
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    _, inside = cv2.intersectConvexConvex(card.quad, frame)
    if inside is None or len(inside) < 3:
        return None
    if len(inside) == 4 and ((card.quad >= 0) & (card.quad <= (width, height))).all():
        box = card.quad
    else:
        box = np.asarray(cv2.boxPoints(cv2.minAreaRect(np.asarray(inside, np.float32))), np.float32)
    return np.clip(box, 0, (width, height)).astype(np.float32)
