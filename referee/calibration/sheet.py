"""The marker sheet on paper: what is drawn where, in millimetres. `printing` turns it into SVG, PDF and PNG."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from referee.calibration.board import TAG_IDS, Board, marker_bits
from referee.faults import InputFault

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
BAR_MM = 100.0
TAG_MM = 60.0
_MARGIN_MM = 12.0


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; shade 0 is black, 255 white."""

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    shade: int = 0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text, its baseline's left end at (x, y)."""

    x_mm: float
    y_mm: float
    size_mm: float
    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its size and what is on it, in drawing order."""

    size_mm: tuple[float, float]
    boxes: list[Box] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)


def sheet_pages(paper: str = "a4", board: Board | None = None) -> tuple[Page, ...]:
    """The board with its control bar, and a page of four tags to cut out.

    Raises InputFault when the paper is unknown or the board does not fit on it.
    """
    board = board or Board()
    size_mm = PAPERS_MM.get(paper.lower())
    if size_mm is None:
        raise InputFault(f"no paper is called {paper!r}", mend=f"choose one of {', '.join(PAPERS_MM)}")
    width_mm, height_mm = board.size_mm
    if width_mm > size_mm[0] - 2 * _MARGIN_MM or height_mm > size_mm[1] - 2 * _MARGIN_MM - 30:
        raise InputFault(
            f"a board of {width_mm:g} x {height_mm:g} mm does not fit on {paper}", mend="choose smaller squares"
        )
    return _board_page(board, size_mm), _tag_page(board, size_mm)


def _board_page(board: Board, size_mm: tuple[float, float]) -> Page:
    page = Page(size_mm)
    left = (size_mm[0] - board.size_mm[0]) / 2
    top = _MARGIN_MM + 6
    page.words.append(Words(left, top - 3.5, 5, "Table sheet of the referee", bold=True))
    marked = {}
    for number, outline in zip(board.made.getIds(), board.made.getObjPoints(), strict=True):
        x, y = np.asarray(outline, np.float64)[0, :2]
        marked[int(y // board.square_mm), int(x // board.square_mm)] = int(np.asarray(number).item()), x, y
    for row in range(board.rows):
        for column in range(board.columns):
            if (row, column) in marked:
                number, x, y = marked[row, column]
                _marker(page, number, board.dictionary, left + x, top + y, board.marker_mm)
            else:
                x, y = left + column * board.square_mm, top + row * board.square_mm
                page.boxes.append(Box(x, y, board.square_mm, board.square_mm))
    bar = top + board.size_mm[1] + 6
    page.boxes.append(Box(left, bar, BAR_MM, 1.2))
    page.boxes.extend(Box(left + at - 0.2, bar - 1.6, 0.4, 4.4) for at in (0.2, BAR_MM / 2, BAR_MM - 0.2))
    page.words.append(Words(left + BAR_MM + 4, bar + 2, 3.4, f"measure this bar: {BAR_MM:g} mm", bold=True))
    lines = (
        "Print at 100 % (no fitting to the page). If the bar is longer or shorter, give its length: --bar-mm.",
        "Lay it flat in the middle of the table, its sides along the table's. Film it for a few seconds,",
        "then again at each end of the table. Take it away before you play.",
        f"{board.columns} x {board.rows} squares of {board.square_mm:g} mm, markers of {board.marker_mm:g} mm, "
        f"dictionary {board.dictionary}{', legacy pattern' if board.legacy else ''}",
    )
    page.words.extend(Words(left, bar + 8 + 4.6 * n, 3.2, line) for n, line in enumerate(lines))
    return page


def _tag_page(board: Board, size_mm: tuple[float, float]) -> Page:
    page = Page(size_mm)
    page.words.append(Words(_MARGIN_MM, _MARGIN_MM + 4, 5, "Corner tags (if the table is plain)", bold=True))
    lines = (
        "A camera needs something to hold on to, to notice that it was bumped. On a plain cloth or a bare white",
        "table cut these out and let one lie at each corner, in the picture and out of the way, while you play.",
    )
    page.words.extend(Words(_MARGIN_MM, _MARGIN_MM + 10 + 4.6 * n, 3.2, line) for n, line in enumerate(lines))
    pitch = TAG_MM + 26
    left = (size_mm[0] - pitch - TAG_MM) / 2
    for number, (column, row) in zip(TAG_IDS, ((0, 0), (1, 0), (0, 1), (1, 1)), strict=True):
        x, y = left + column * pitch, 46 + row * (pitch + 8)
        _marker(page, number, board.dictionary if "4X4" in board.dictionary else "4X4_50", x, y, TAG_MM)
        rim = 8.0
        outer = TAG_MM + 2 * rim
        for bx, by, bw, bh in (
            (x - rim, y - rim, outer, 0.15),
            (x - rim, y + TAG_MM + rim, outer, 0.15),
            (x - rim, y - rim, 0.15, outer),
            (x + TAG_MM + rim, y - rim, 0.15, outer),
        ):
            page.boxes.append(Box(bx, by, bw, bh, 150))
    return page


def _marker(page: Page, number: int, dictionary: str, x: float, y: float, side_mm: float) -> None:
    bits = marker_bits(number, dictionary)
    module = side_mm / len(bits)
    page.boxes.append(Box(x, y, side_mm, side_mm))
    for row in range(len(bits)):
        for column in range(len(bits)):
            if bits[row, column]:
                page.boxes.append(Box(x + column * module, y + row * module, module, module, 255))
