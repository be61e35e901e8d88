"""Reads picture files of any kind OpenCV knows, upright, as BGR of 8 bits; draws readings back onto them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from referee.faults import InputFault
from referee.observations import CardReading
from referee.vision.quads import Image

SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".ppm", ".pgm", ".gif", ".jp2", ".avif"}
)
"""Endings of the files that are taken from a folder."""

_LEAST_SIDE_PX = 16
_MEND = "give a photo as JPEG or PNG"


def read_picture(path: Path) -> Image:
    """The picture in `path`, uint8 (height, width, 3) BGR, turned as its EXIF data says, transparency dropped.

    Of an animated file the first picture. Raises InputFault when the file is missing, empty, cut off, no picture, or
    too small to hold a card.
    """
    if path.is_dir():
        raise InputFault("is a folder", where=str(path), mend="name the pictures in it")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputFault("is not there", where=str(path), mend="check the name") from None
    except OSError as fault:
        raise InputFault(f"cannot be opened: {fault.strerror}", where=str(path)) from fault
    if not content:
        raise InputFault("is empty (0 bytes)", where=str(path), mend="take the photo again")
    if _is_cut_off(content):
        raise InputFault("is cut off before its end", where=str(path), mend="copy the file again")
    with _codecs_silent():
        try:
            image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
    if image is None:
        raise InputFault("is no picture that can be read", where=str(path), mend=_MEND)
    if min(image.shape[:2]) < _LEAST_SIDE_PX:
        height, width = image.shape[:2]
        raise InputFault(f"is only {width}x{height} px: too small to hold a card", where=str(path), mend=_MEND)
    return np.asarray(image, np.uint8)


@contextmanager
def _codecs_silent() -> Iterator[None]:
    """Keeps the codecs' own complaints off stderr: they write past Python, and the fault is told in one line."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _is_cut_off(content: bytes) -> bool:
    """True for a JPEG without its end marker or a PNG without its last chunk, which decode to grey in part."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return b"IEND" not in content[-4096:]
    if not content.startswith(b"\xff\xd8"):
        return False
    at = 2
    while at + 4 <= len(content) and content[at] == 0xFF:
        marker, length = content[at + 1], int.from_bytes(content[at + 2 : at + 4], "big")
        if marker == 0xDA:  # start of scan: from here on FF D9 can only be the end, what a thumbnail holds is past
            return content.find(b"\xff\xd9", at + 2 + length) < 0
        at += 2 + length
    return True


def annotated(image: Image, readings: Sequence[CardReading]) -> Image:
    """A copy of the picture: each card outlined, a dot at the glyph's top-left, its code and confidence."""
    drawn = image.copy()
    scale = max(image.shape[:2]) / 1000
    thick = max(1, round(3 * scale))
    for reading in readings:
        quad = np.array(reading.quad_px, np.float32)
        hue = (
            (60, 220, 60)
            if reading.confidence >= 0.9
            else (0, 200, 255)
            if reading.confidence >= 0.5
            else (60, 60, 255)
        )
        cv2.polylines(drawn, [np.rint(quad).astype(np.int32)], True, hue, thick, cv2.LINE_AA)
        corner = (round(float(quad[0, 0])), round(float(quad[0, 1])))
        cv2.circle(drawn, corner, 2 * thick, hue, -1, cv2.LINE_AA)
        _write(drawn, f"{reading.code} {reading.confidence:.2f}", quad.mean(axis=0), 0.8 * scale)
    return drawn


def save_picture(path: Path, image: Image) -> None:
    """Write a picture (the ending of `path` says how); InputFault when the place cannot be written."""
    done, content = cv2.imencode(path.suffix or ".jpg", image)
    try:
        if not done:
            raise OSError("no such kind of picture")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.tobytes())
    except OSError as fault:
        raise InputFault(f"cannot be written: {fault}", where=str(path), mend="name another folder") from fault


def _write(image: Image, text: str, centre: np.ndarray, size: float) -> None:
    thick = max(1, round(2 * size))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    x = int(np.clip(centre[0] - width / 2, 0, max(0, image.shape[1] - width)))
    y = int(np.clip(centre[1] + height / 2, height, image.shape[0]))
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), thick * 3, cv2.LINE_AA)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), thick, cv2.LINE_AA)
