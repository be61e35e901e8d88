"""A deck photographed with the camera: each face asked for, taken when it rests, skipped, taken again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.capture.camera import Camera
from referee.capture.media import Frame
from referee.cards import Card, deck_counts
from referee.observations import CardReading
from referee.testing.manual_clock import ManualClock
from referee.testing.scripted_camera import ScriptedCamera
from referee.training.enrol_live import RESTS, Asked, RestingCard, Told, Wish, photograph_deck
from referee.vision.quads import Image

FACES = [card.code for card in deck_counts()]
Place = tuple[float, float]


def reading(code: str, at: Place = (20, 10), confidence: float = 0.9) -> CardReading:
    x, y = at
    quad = ((x, y), (x + 22, y), (x + 22, y + 34), (x, y + 34))
    return CardReading(Card.parse(code), confidence, quad, ((code, confidence),))


@dataclass
class Table:
    """What lies before the camera, painted as a grey by which the reader knows it."""

    cards: tuple[CardReading, ...] = ()

    def picture(self, _t_s: float, number: int) -> Image:
        return np.random.default_rng(number).integers(90, 110, (48, 64, 3), np.uint8)

    def read(self, image_bgr: Image, expected_card_px: float | None = None) -> list[CardReading]:
        return list(self.cards)


class Evening:
    """A person who follows a script: for each face asked for, what they lay down."""

    def __init__(self, folder: Path, have: int = 52) -> None:
        folder.mkdir(exist_ok=True)
        for code in FACES[:have]:
            cv2.imwrite(str(folder / f"{code}.png"), np.zeros((8, 8, 3), np.uint8))
        self.folder, self.table, self.clock = folder, Table(), ManualClock()
        self.said: list[tuple[Told, str]] = []
        self.wishes: list[Wish] = []
        self.lay: Callable[[Asked], None] = lambda _: None

    def tell(self, asked: Asked) -> None:
        self.said.append((asked.told, asked.code))
        self.lay(asked)

    def wanted(self) -> list[Wish]:
        wishes, self.wishes = self.wishes, []
        return wishes

    def run(self, seconds: float = 60) -> list[str]:
        camera = Camera(ScriptedCamera(self.clock, picture=self.table.picture, rate_hz=10), self.clock)
        camera.open()

        def frames() -> Iterator[Frame]:
            for frame in camera.frames():
                if frame.t_s > seconds:
                    return
                yield frame

        return photograph_deck(frames(), self.folder, self.table, self.wanted, self.tell)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "photos")


def test_the_faces_that_are_missing_are_asked_for_and_taken(evening: Evening) -> None:
    def lay(asked: Asked) -> None:
        # The next card is laid elsewhere, as nobody meets a place to the millimetre.
        evening.table.cards = (reading(asked.code, (20 + asked.done % 2 * 8, 8)),)

    evening.lay = lay
    assert evening.run() == []
    assert evening.said == [
        (Told.SHOW, FACES[52]),
        (Told.TAKEN, FACES[52]),
        (Told.SHOW, FACES[53]),
        (Told.TAKEN, FACES[53]),
    ]
    assert {file.stem for file in evening.folder.iterdir()} == set(FACES)


def test_a_card_that_is_carried_is_not_taken(evening: Evening) -> None:
    evening.clock.at(0.05, lambda: None)
    for k in range(200):
        at = (float(k % 3 * 12), 5.0)
        evening.clock.at(0.3 * k, lambda at=at: setattr(evening.table, "cards", (reading(FACES[52], at),)))  # type: ignore[misc]
    assert evening.run(20) == FACES[52:]


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ((reading("R1", confidence=0.99),), Told.OTHER),
        ((reading(FACES[52]), reading("R1", (40, 10))), Told.SEVERAL),
    ],
    ids=["another face", "two cards"],
)
def test_what_cannot_be_taken_is_said_once(evening: Evening, shown: tuple[CardReading, ...], told: Told) -> None:
    evening.table.cards = shown
    assert evening.run(8) == FACES[52:]
    assert [kind for kind, _ in evening.said].count(told) == 1
    assert not (evening.folder / f"{FACES[52]}.png").exists()


def test_skip_and_stop(evening: Evening) -> None:
    def lay(asked: Asked) -> None:
        evening.wishes = [Wish.SKIP if asked.code == FACES[52] else Wish.STOP]

    evening.lay = lay
    assert evening.run() == FACES[52:]
    assert evening.said == [(Told.SHOW, FACES[52]), (Told.SHOW, FACES[53])]


def test_the_last_one_is_taken_again(evening: Evening) -> None:
    again = [Wish.REDO]

    def lay(asked: Asked) -> None:
        evening.table.cards = (reading(asked.code, (20 + len(evening.said) * 5, 8)),)
        if asked.told is Told.TAKEN:
            evening.wishes, again[:] = again[:], []

    evening.lay = lay
    assert evening.run() == []
    assert [code for kind, code in evening.said if kind is Told.TAKEN] == [FACES[52], FACES[52], FACES[53]]


def test_the_sharpest_look_at_a_resting_card_is_kept() -> None:
    card = RestingCard()
    rng = np.random.default_rng(1)
    sharp = rng.integers(0, 255, (48, 64, 3), np.uint8)
    blurred = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 2), np.uint8)
    looks = [blurred, sharp, *[blurred] * (RESTS - 2)]
    found = [card.see(look, reading("R5")) for look in looks]
    assert found[-1] is not None
    assert found[-1][0] is sharp
    assert card.see(sharp, reading("R5")) is None, "it lies there still"
