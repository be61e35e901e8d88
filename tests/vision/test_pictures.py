"""Picture files of every kind, good and bad; each bad one is told in one line."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import cv2
import numpy as np
import PIL.Image
import pytest

from referee.cards import Card
from referee.faults import InputFault
from referee.observations import CardReading
from referee.vision.pictures import annotated, open_picture, read_picture, save_picture

# Red in the left half, blue in the right: tells a turned picture and exchanged channels.
HALVES = np.zeros((60, 80, 3), np.uint8)
HALVES[:, :40] = (0, 0, 255)
HALVES[:, 40:] = (255, 0, 0)


def encoded(suffix: str, image: np.ndarray = HALVES) -> bytes:
    return cv2.imencode(suffix, image)[1].tobytes()


def with_exif(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF block that holds nothing but an orientation."""
    tiff = b"II*\0\x08\0\0\0" + struct.pack("<HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def moving(kind: str) -> bytes:
    """Three pictures in one file, the first with red and blue halves, the others black."""
    first = PIL.Image.fromarray(HALVES[..., ::-1])
    black = PIL.Image.new("RGB", first.size)
    out = io.BytesIO()
    first.save(out, kind, save_all=True, append_images=[black, black], duration=100)
    return out.getvalue()


def cmyk() -> bytes:
    """A JPEG in four printing colours."""
    out = io.BytesIO()
    PIL.Image.fromarray(HALVES[..., ::-1]).convert("CMYK").save(out, "JPEG", quality=95)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("moving.gif", moving("GIF")),
        ("moving.webp", moving("WEBP")),
        ("moving.png", moving("PNG")),
        ("a.jpg", encoded(".jpg")),
        ("a.png", encoded(".png")),
        ("deep.png", encoded(".png", HALVES.astype(np.uint16) * 257)),
        ("clear.png", encoded(".png", np.dstack([HALVES, np.full((60, 80), 99, np.uint8)]))),
        ("a.bmp", encoded(".bmp")),
        ("a.webp", encoded(".webp")),
        ("wrong-ending.txt", encoded(".png")),
    ],
)
def test_kinds_of_picture(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    image = read_picture(tmp_path / name)
    assert image.shape == (60, 80, 3)
    assert image.dtype == np.uint8
    assert image[30, 15].tolist() == pytest.approx([0, 0, 255], abs=12)
    assert image[30, 65].tolist() == pytest.approx([255, 0, 0], abs=12)


@pytest.mark.parametrize("deep", [False, True], ids=["8 bits", "16 bits"])
def test_grey_pictures_become_three_channels(tmp_path: Path, deep: bool) -> None:
    grey = np.full((50, 40), 200, np.uint8)
    (tmp_path / "g.png").write_bytes(encoded(".png", grey.astype(np.uint16) * 257 if deep else grey))
    image = read_picture(tmp_path / "g.png")
    assert image.shape == (50, 40, 3)
    assert (image == 200).all()


def test_exif_turn_is_applied(tmp_path: Path) -> None:
    """Orientation 6: the camera was turned, the picture must be turned clockwise; its left becomes its top."""
    (tmp_path / "a.jpg").write_bytes(with_exif(encoded(".jpg"), 6))
    image = read_picture(tmp_path / "a.jpg")
    assert image.shape == (80, 60, 3)
    assert image[15, 30].tolist() == pytest.approx([0, 0, 255], abs=12)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("zero.jpg", b"", "empty"),
        ("text.jpg", b"this is a letter", "no picture"),
        ("cut.jpg", encoded(".jpg")[:-30], "cut off"),
        ("head.jpg", encoded(".jpg")[:40], "cut off"),
        ("cut.png", encoded(".png")[:-30], "cut off"),
        ("cut.webp", encoded(".webp")[:-30], "cut off"),
        ("cut.bmp", encoded(".bmp")[:-30], "cut off"),
        ("cut.gif", moving("GIF")[:-30], "cut off"),
        ("vast.png", encoded(".png")[:16] + struct.pack(">II", 20_000, 20_000) + encoded(".png")[24:], "too large"),
        ("junk.png", encoded(".png")[:60] + bytes(40) + encoded(".png")[100:], "no picture"),
        ("dot.png", encoded(".png", HALVES[:1, :1]), "1x1 px"),
    ],
)
def test_bad_files_are_told_in_one_line_that_names_them(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, content: bytes, words: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputFault, match=words) as caught:
        read_picture(tmp_path / name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", ""), "the codec's own complaint must not reach the user"


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="not there"):
        read_picture(tmp_path / "no.jpg")
    with pytest.raises(InputFault, match="folder"):
        read_picture(tmp_path)


def test_a_thumbnail_with_its_own_end_does_not_hide_a_cut(tmp_path: Path) -> None:
    thumbnail = b"\xff\xe2" + struct.pack(">H", 40) + b"x" * 20 + b"\xff\xd9" + b"x" * 16
    whole = encoded(".jpg")
    (tmp_path / "cut.jpg").write_bytes(whole[:2] + thumbnail + whole[2:-30])
    with pytest.raises(InputFault, match="cut off"):
        read_picture(tmp_path / "cut.jpg")


def test_annotated_draws_on_a_copy(tmp_path: Path) -> None:
    image = np.full((200, 200, 3), 90, np.uint8)
    reading = CardReading(Card.parse("R5"), 0.97, ((50, 40), (120, 40), (120, 150), (50, 150)), (("R5", 0.97),))
    drawn = annotated(image, [reading])
    assert (image == 90).all()
    assert (drawn[35:155, 45:125] != 90).any()
    save_picture(tmp_path / "new" / "a.png", drawn)
    np.testing.assert_array_equal(read_picture(tmp_path / "new" / "a.png"), drawn)


def test_labels_do_not_hide_each_other_and_doubtful_outlines_stay_thin() -> None:
    """The label of the second card moves above it; a third, hardly believed, gets none."""
    image = np.full((1000, 1000, 3), 90, np.uint8)
    quad = ((400, 300), (600, 300), (600, 620), (400, 620))
    cards = [CardReading(Card.parse(code), p, quad) for code, p in (("R5", 0.97), ("B7", 0.4), ("G1", 0.02))]
    drawn = annotated(image, cards)
    for part, hue in ((drawn[430:490, 420:580], (60, 220, 60)), (drawn[250:295, 420:580], (60, 60, 255))):
        assert (np.abs(part.astype(int) - hue).sum(axis=2) < 40).sum() > 40
    thin = annotated(image, cards[2:])
    assert 900 < (thin != 90).any(axis=2).sum() < 5000


def test_annotation_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputFault, match="cannot be written"):
        save_picture(tmp_path / "file" / "a.jpg", HALVES)


def test_cmyk_is_read_in_its_colours(tmp_path: Path) -> None:
    (tmp_path / "print.jpg").write_bytes(cmyk())
    image = read_picture(tmp_path / "print.jpg")
    assert image[30, 15].tolist() == pytest.approx([0, 0, 255], abs=40)
    assert image[30, 65].tolist() == pytest.approx([255, 0, 0], abs=40)


def test_a_hundred_megapixels_are_shrunk_while_they_are_decoded(tmp_path: Path) -> None:
    (tmp_path / "huge.jpg").write_bytes(encoded(".jpg", np.full((10_000, 10_000), 90, np.uint8)))
    picture = open_picture(tmp_path / "huge.jpg")
    assert (picture.image.shape, picture.shrunk) == ((5000, 5000, 3), 2)
    reading = CardReading(Card.parse("R5"), 0.9, ((1.0, 2.0), (3.0, 2.0), (3.0, 5.0), (1.0, 5.0)), ())
    assert picture.in_file(reading).quad_px[2] == (6.0, 10.0)
