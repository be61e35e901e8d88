"""Traces of use on a printed card: scratches, rubbed edges, yellowing, uneven ink."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.synth.printings import Printing


def aged(bgr: NDArray[np.uint8], printing: Printing, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The face after `printing.wear` (0 new .. 1 worn out); same shape, uint8."""
    wear = printing.wear
    if wear < 0.02:
        return bgr
    h, w = bgr.shape[:2]
    white = np.array(printing.white, np.float32)
    rubbed = np.zeros((h, w), np.uint8)
    for _ in range(int(rng.poisson(10 * wear))):
        x, y = rng.uniform(0, (w, h))
        dx, dy = rng.normal(0, 0.14 * h, 2)
        width = int(rng.integers(1, 3))
        cv2.line(rubbed, (int(x), int(y)), (int(x + dx), int(y + dy)), int(rng.uniform(60, 220)), width, cv2.LINE_AA)
    specks = cv2.resize(rng.random((h // 6, w // 6), dtype=np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    fine = rng.random((h, w), dtype=np.float32)
    patchy = (specks > 0.8).astype(np.float32) * (fine > 0.5) * (0.55 * wear)
    edge = np.full((h, w), 255, np.uint8)
    edge[2:-2, 2:-2] = 0
    edge_blur = cv2.GaussianBlur(edge, (0, 0), 0.012 * h).astype(np.float32) / 255
    cover = np.clip(rubbed.astype(np.float32) / 255 * 0.7 + patchy + edge_blur * wear * 0.8, 0, 1)[..., None]
    faded = bgr * (1 - cover) + white * cover
    if rng.random() < 0.5:
        faded *= np.array([1 - 0.16 * wear, 1 - 0.04 * wear, 1.0], np.float32)
    if rng.random() < 0.4 * wear:
        x = rng.uniform(0, w)
        cv2.line(faded, (int(x), 0), (int(x + rng.normal(0, 0.4 * w)), h), (215.0, 220.0, 225.0), 2, cv2.LINE_AA)
    return np.clip(faded, 0, 255).astype(np.uint8)
