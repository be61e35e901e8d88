"""The picture of a moment keeps the frame, outlines what was read and adds the caption below."""

from collections import Counter

import numpy as np
import pytest

from referee.session.moment_picture import WIDTH_PX, Mark, draw_moment

QUAD = ((100.0, 200.0), (156.0, 200.0), (156.0, 287.0), (100.0, 287.0))


@pytest.mark.parametrize("width_px", [320, 640, 1920])
def test_size_and_frame(width_px: int) -> None:
    frame = np.full((width_px * 3 // 4, width_px, 3), 90, np.uint8)
    picture = draw_moment(frame, kind="foul", title="P1: red 5 does not fit.", lines=["Take it back."])
    assert picture.shape[1] == WIDTH_PX
    assert picture.shape[0] > WIDTH_PX * 3 // 4
    assert (picture[: WIDTH_PX * 3 // 4 - 2] == 90).all()


def test_the_kind_has_a_colour_and_a_word_and_marks_are_outlined() -> None:
    frame = np.full((480, 640, 3), 90, np.uint8)
    pictures = {
        kind: draw_moment(frame, kind=kind, title="x", lines=[], marks=[Mark(QUAD, "red 5  98%")])
        for kind in ("foul", "question", "note")
    }
    edges = Counter(tuple(picture[487, 200].tolist()) for picture in pictures.values())
    assert len(edges) == 3
    assert all((picture[:960] != 90).any() for picture in pictures.values())


def test_a_long_title_is_made_to_fit() -> None:
    frame = np.full((480, 640, 3), 90, np.uint8)
    picture = draw_moment(frame, kind="note", title="a very long sentence " * 8, lines=["one", "two", "three"])
    assert picture.shape[0] == 960 + 92 + 3 * 34
