"""Reads picture files of any kind OpenCV knows, upright, as BGR of 8 bits; draws readings back onto them."""

from __future__ import annotations

import glob
import os
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
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

LARGE_PX = 25_000_000
"""Pictures with more pixels than this are decoded at a half, a quarter or an eighth of their size."""

LARGEST_PX = 200_000_000
"""Pictures with more pixels than this are refused: they would not fit into the memory of a small machine."""

_REDUCED = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
BELIEVED = 0.1
"""Readings below this are hardly more than an outline: they are not named to people."""

_Box = tuple[int, int, int, int]
_PNG = b"\x89PNG\r\n\x1a\n"
_LEAST_SIDE_PX = 16
_MEND = "give a photo as JPEG or PNG"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture uint8 (height, width, 3) BGR; `shrunk` is how many px of the file make one of its px."""

    image: Image
    shrunk: int = 1

    def in_file(self, reading: CardReading) -> CardReading:
        """A reading of `image` with its outline in pixels of the file."""
        return replace(reading, quad_px=tuple((x * self.shrunk, y * self.shrunk) for x, y in reading.quad_px))


def read_picture(path: Path) -> Image:
    """The image of `open_picture`."""
    return open_picture(path).image


def open_picture(path: Path) -> Picture:
    """The picture in `path`, turned as its EXIF data says, transparency dropped; a huge one shrunk while decoded.

    Of an animated file the first picture. Raises InputFault when the file is missing, empty, cut off, no picture, too
    large for the memory, or too small to hold a card.
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
    shrunk = _shrinking(content, path)
    with _codecs_silent():
        try:
            image = cv2.imdecode(np.frombuffer(content, np.uint8), _REDUCED.get(shrunk, cv2.IMREAD_COLOR))
        except cv2.error:
            image = None
    if image is None:
        raise InputFault("is no picture that can be read", where=str(path), mend=_MEND)
    if min(image.shape[:2]) < _LEAST_SIDE_PX:
        height, width = image.shape[:2]
        raise InputFault(f"is only {width}x{height} px: too small to hold a card", where=str(path), mend=_MEND)
    return Picture(np.asarray(image, np.uint8), shrunk)


def picture_files(names: Sequence[str]) -> Iterator[Path | InputFault]:
    """The files that `names` stand for, in order: a folder's pictures, a pattern's matches, or the name itself.

    For a folder without pictures and a pattern that fits nothing the fault itself, so that the others can go on.
    """
    for name in names:
        path = Path(name)
        if path.is_dir():
            held = sorted(f for f in path.iterdir() if f.suffix.lower() in SUFFIXES and f.is_file())
            if not held:
                yield InputFault("holds no pictures", where=name, mend="name a folder with JPEG or PNG files")
            yield from held
        elif not path.exists() and glob.has_magic(name):
            matches = sorted(glob.glob(name, recursive=True))
            if not matches:
                yield InputFault("fits no file", where=name, mend="check the pattern")
            yield from map(Path, matches)
        else:
            yield path


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


def _shrinking(content: bytes, path: Path) -> int:
    """By how much a picture must be shrunk while it is decoded; InputFault when even that takes too much memory."""
    width, height = _size_px(content)
    if width * height > LARGEST_PX:
        raise InputFault(
            f"has {width}x{height} px: too large to be read", where=str(path), mend="save it at a quarter of its size"
        )
    shrunk = 1
    while width * height > LARGE_PX * shrunk**2 and shrunk < 8:
        shrunk *= 2
    return shrunk


def _size_px(content: bytes) -> tuple[int, int]:
    """Width and height that the head of a JPEG or PNG file names; (0, 0) for other kinds."""
    if content.startswith(_PNG) and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        return int(width), int(height)
    for marker, at in _jpeg_segments(content):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and at + 9 <= len(content):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return int(width), int(height)
    return 0, 0


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, int]]:
    """The marker and the place of each segment of a JPEG file up to its start of scan."""
    if not content.startswith(b"\xff\xd8"):
        return
    at = 2
    while at + 4 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        yield marker, at
        if marker == 0xDA:
            return
        at += 2 + int.from_bytes(content[at + 2 : at + 4], "big")


def _is_cut_off(content: bytes) -> bool:
    """True for a file that ends before its own head or end mark says: it would decode to grey in part, or not."""
    if content.startswith(_PNG):
        return b"IEND" not in content[-4096:]
    if content.startswith(b"RIFF"):
        return len(content) < 8 + int.from_bytes(content[4:8], "little")
    if content.startswith(b"GIF8"):
        return not content.rstrip(b"\0").endswith(b";")
    if content.startswith(b"BM"):
        return len(content) < int.from_bytes(content[2:6], "little")
    if not content.startswith(b"\xff\xd8"):
        return False
    for marker, at in _jpeg_segments(content):
        if marker == 0xDA:  # from here on FF D9 can only be the end, what a thumbnail holds is past
            length = int.from_bytes(content[at + 2 : at + 4], "big")
            return content.find(b"\xff\xd9", at + 2 + length) < 0
    return True


def annotated(image: Image, readings: Sequence[CardReading]) -> Image:
    """A copy of the picture: each card outlined, a dot at the glyph's top-left, its code and confidence.

    Green from 0.9 on, yellow from 0.5, red below; what is hardly `BELIEVED` is a thin outline without words.
    """
    drawn = image.copy()
    scale = max(image.shape[:2]) / 1000
    thick = max(1, round(3 * scale))
    taken: list[_Box] = []
    for reading in sorted(readings, key=lambda r: r.confidence):
        believed = reading.confidence >= BELIEVED
        hue = _hue(reading.confidence)
        quad = np.array(reading.quad_px, np.float32)
        cv2.polylines(drawn, [np.rint(quad).astype(np.int32)], True, hue, thick if believed else 1, cv2.LINE_AA)
        if believed:
            corner = (round(float(quad[0, 0])), round(float(quad[0, 1])))
            cv2.circle(drawn, corner, 2 * thick, hue, -1, cv2.LINE_AA)
    for reading in sorted(readings, key=lambda r: -r.confidence):
        if reading.confidence >= BELIEVED:
            taken.append(_label(drawn, reading, 0.7 * scale, taken))
    return drawn


def _hue(confidence: float) -> tuple[int, int, int]:
    if confidence >= 0.9:
        return (60, 220, 60)
    return (0, 200, 255) if confidence >= 0.5 else (60, 60, 255)


def _label(image: Image, reading: CardReading, size: float, taken: Sequence[_Box]) -> _Box:
    """Write code and confidence in, above or below the card, where no other label lies; the label's box."""
    text = f"{reading.code} {reading.confidence:.2f}"
    thick = max(1, round(2 * size))
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    rim = max(2, height // 4)
    wide, high = width + 2 * rim, height + below + 2 * rim
    quad = np.array(reading.quad_px, np.float32)
    centre = quad.mean(axis=0)
    places = [centre[1] - high / 2, quad[:, 1].min() - high, quad[:, 1].max(), centre[1] + high / 2]
    for top in places:
        x = int(np.clip(centre[0] - wide / 2, 0, max(0, image.shape[1] - wide)))
        y = int(np.clip(top, 0, max(0, image.shape[0] - high)))
        box = (x, y, x + wide, y + high)
        if all(box[2] <= t[0] or t[2] <= box[0] or box[3] <= t[1] or t[3] <= box[1] for t in taken):
            break
    cv2.rectangle(image, box[:2], box[2:], (30, 30, 30), -1)
    foot = (box[0] + rim, box[1] + rim + height)
    cv2.putText(image, text, foot, cv2.FONT_HERSHEY_SIMPLEX, size, _hue(reading.confidence), thick, cv2.LINE_AA)
    return box


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
