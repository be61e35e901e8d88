"""The marker sheet that the camera is shown, and finding it in a picture.

A ChArUco board of our own: an odd number of rows, so that both patterns that OpenCV has had for such boards are the
same. Somebody's own board with even rows is looked for in both (C13), and which one it is, is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.faults import InputFault
from referee.vision.planes import Points, fitted
from referee.vision.quads import Image

DICTIONARIES = {
    name: getattr(cv2.aruco, f"DICT_{name}")
    for name in ("4X4_50", "4X4_100", "5X5_50", "5X5_100", "6X6_50", "6X6_250", "APRILTAG_36h11")
}
TAG_IDS = (40, 41, 42, 43)
"""Markers of the second page, which may stay at the table's corners: texture to hold on to on a plain cloth."""

LEAST_MARKERS = 3
_OUTLIER_PX = 2.5
_BOARD_FORM = re.compile(r"(\d+)x(\d+):([\d.]+):([\d.]+)(?::(\w+))?")


@dataclass(frozen=True, slots=True)
class Board:
    """A ChArUco board: columns by rows of squares, lengths in mm. legacy: the pattern before OpenCV 4.6."""

    columns: int = 4
    rows: int = 5
    square_mm: float = 45.0
    marker_mm: float = 34.0
    dictionary: str = "4X4_50"
    legacy: bool = False

    @classmethod
    def parse(cls, text: str) -> Board:
        """A board written as `COLUMNSxROWS:SQUARE_MM:MARKER_MM[:DICTIONARY]`. Raises InputFault when it is not."""
        form = _BOARD_FORM.fullmatch(text)
        mend = "write COLUMNSxROWS:SQUARE_MM:MARKER_MM[:DICTIONARY], as in 8x6:30:22:5X5_100"
        if form is None:
            raise InputFault(f"{text!r} is no board", mend=mend)
        board = cls(int(form[1]), int(form[2]), float(form[3]), float(form[4]), (form[5] or "4X4_50").upper())
        board = replace(board, dictionary=board.dictionary.replace("36H11", "36h11"))
        if board.dictionary not in DICTIONARIES:
            raise InputFault(f"no dictionary is called {form[5]!r}", mend=f"known: {', '.join(DICTIONARIES)}")
        if min(board.columns, board.rows) < 3 or not 0 < board.marker_mm < board.square_mm:
            raise InputFault(f"{text!r} is no board", mend="3 or more squares a side, markers smaller than squares")
        return board

    @property
    def size_mm(self) -> tuple[float, float]:
        """(width, height) of the squares' area."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    @property
    def made(self) -> cv2.aruco.CharucoBoard:
        """OpenCV's own form of it."""
        dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARIES[self.dictionary])
        board = cv2.aruco.CharucoBoard((self.columns, self.rows), self.square_mm, self.marker_mm, dictionary)
        board.setLegacyPattern(self.legacy)
        return board


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """A board in one picture.

    board: with the pattern it was found in; board_mm, seen_px: the same points on the board and in the picture,
    float64 (n, 2); markers: how many of them.
    """

    board: Board
    board_mm: Points
    seen_px: Points
    markers: int


@dataclass(frozen=True, slots=True)
class NotSeen:
    """Why no board was found: how many of its markers were, and how light and how sharp the picture is."""

    markers: int
    brightness: float
    sharpness: float


def find_board(image_bgr: Image, board: Board) -> BoardSeen | NotSeen:
    """The board in a picture uint8 (h, w, 3), in whichever of the two patterns it was printed."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    best: BoardSeen | None = None
    marker_count, most = 0, 0
    for pattern in _patterns(board):
        finder = _finder(pattern)
        inner, inner_ids, corners, ids = finder.detectBoard(grey)
        marker_count = max(marker_count, 0 if ids is None else len(ids))
        if ids is None or len(ids) < LEAST_MARKERS:
            continue
        mm, px = _points(pattern, inner, inner_ids, corners, ids)
        _, fit = fitted(mm, px, _OUTLIER_PX)
        # In the wrong one of the two patterns every other row of markers lies a square off.
        if fit.sum() >= 12 and fit.sum() > most:
            best, most = BoardSeen(pattern, mm, px, len(ids)), int(fit.sum())
    if best is not None:
        return best
    sharpness = float(cv2.Laplacian(cv2.resize(grey, (640, 480)), cv2.CV_32F).std())
    return NotSeen(marker_count, float(grey.mean()), sharpness)


def _patterns(board: Board) -> tuple[Board, ...]:
    """Both patterns where they differ, the board's own first."""
    return (board,) if board.rows % 2 else (board, replace(board, legacy=not board.legacy))


def _finder(board: Board) -> cv2.aruco.CharucoDetector:
    finder = cv2.aruco.CharucoDetector(board.made)
    finder.setDetectorParameters(_parameters())
    return finder


def _parameters() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    # A sheet in the middle of a large table is small, and flat from the side.
    parameters.minMarkerPerimeterRate = 0.015
    parameters.adaptiveThreshWinSizeMax = 33
    return parameters


def _points(board: Board, inner: object, inner_ids: object, corners: object, ids: object) -> tuple[Points, Points]:
    """Inner corners of the squares and outer corners of the markers: the same points in mm and in pixels."""
    made = board.made
    known = np.asarray(made.getChessboardCorners(), np.float64)[:, :2]
    mm, px = [np.zeros((0, 2))], [np.zeros((0, 2))]
    if inner_ids is not None:  # only where markers on both sides of a corner are seen
        mm, px = [known[np.asarray(inner_ids).ravel()]], [np.asarray(inner, np.float64).reshape(-1, 2)]
    outlines = {
        int(i): np.asarray(o, np.float64)[:, :2] for i, o in zip(made.getIds(), made.getObjPoints(), strict=True)
    }
    for number, outline in zip(np.asarray(ids).ravel(), np.asarray(corners, np.float64), strict=True):
        if int(number) in outlines:
            mm.append(outlines[int(number)])
            px.append(outline.reshape(-1, 2))
    # OpenCV counts pixel centres, a picture's own coordinates begin at the edge of its first pixel.
    return np.vstack(mm), np.vstack(px) + 0.5


def marker_bits(number: int, dictionary: str = "4X4_50") -> NDArray[np.uint8]:
    """The modules of a marker with its black rim, uint8 (n, n) of 0 and 255."""
    made = cv2.aruco.getPredefinedDictionary(DICTIONARIES[dictionary])
    side = int(made.markerSize) + 2
    return np.asarray(cv2.aruco.generateImageMarker(made, number, side), np.uint8)
