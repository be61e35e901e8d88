"""What counts as movement and what does not: noise, light, arms, and things that have come to lie still."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.motion import ABSORB_S, MotionGate, RestingTable
from referee.vision.quads import Image
from referee.vision.view import View, changed_between, gain_between, relit, view_of

RNG = np.random.default_rng(3)
NOISE = [RNG.normal(0, 1, (480, 640, 3)).astype(np.float32) for _ in range(3)]
TABLE = cv2.GaussianBlur(RNG.integers(40, 200, (480, 640, 3)).astype(np.uint8), (0, 0), 2)


def table(*, light: float = 1.0, noise: float = 0.0, card: tuple[int, int] | None = None) -> Image:
    picture = TABLE.astype(np.float32)
    if card is not None:
        x, y = card
        picture[y : y + 90, x : x + 60] = (30, 30, 220)
    picture = picture * np.float32(light) + np.float32(noise) * NOISE[int(RNG.integers(3))]
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def nothing(view: View) -> np.ndarray:
    return np.zeros(view.small.shape[:2], np.uint8)


@pytest.mark.parametrize(
    ("frame", "still"),
    [
        (table(), True),
        (table(noise=6), True),
        (table(light=1.03), True),
        (table(light=0.97, noise=3), True),
        (table(card=(300, 200)), False),
        (table(light=1.03, noise=4, card=(300, 200)), False),
    ],
    ids=["the same", "sensor noise", "brighter", "darker and noisy", "a card", "a card in noise"],
)
def test_the_gate_lets_changes_through_and_nothing_else(frame: Image, still: bool) -> None:
    gate = MotionGate()
    assert not gate.still(view_of(table(), 0.0)), "the first frame is always news"
    assert gate.still(view_of(frame, 0.1)) is still


def test_the_gate_sees_what_creeps() -> None:
    """Slower than any difference from one frame to the next: compared with the last frame let through."""
    gate = MotionGate()
    still = [gate.still(view_of(table(card=(200 + n, 200)), 0.05 * n)) for n in range(12)]
    assert not all(still[1:])


def test_the_gate_looks_again_every_second() -> None:
    gate = MotionGate()
    still = [gate.still(view_of(table(), 0.1 * n)) for n in range(22)]
    assert still.count(False) == 3


@pytest.mark.parametrize("light", [0.7, 1.0, 1.3])
def test_a_change_of_light_is_no_change_of_the_table(light: float) -> None:
    before, now = view_of(table(), 0).small, view_of(table(light=light, noise=3), 1).small
    where = np.full(now.shape[:2], 255, np.uint8)
    assert cv2.countNonZero(changed_between(before, now, where)) < 0.002 * where.size


def test_a_card_is_a_change_in_any_light() -> None:
    before = view_of(table(), 0)
    now = view_of(table(light=1.25, noise=3, card=(300, 200)), 1)
    where = np.full(now.small.shape[:2], 255, np.uint8)
    changed = cv2.countNonZero(changed_between(before.small, now.small, where))
    assert changed == pytest.approx(60 * 90 * before.scale**2, rel=0.15)


def test_gain_is_the_light_and_not_the_hand() -> None:
    before, now = view_of(table(), 0).small, view_of(table(light=1.2, card=(0, 0)), 1).small
    np.testing.assert_allclose(gain_between(before, now), 1.2, rtol=0.03)
    np.testing.assert_allclose(gain_between(np.zeros_like(before), now), 1.0)
    assert int(np.abs(relit(before, np.full(3, 1.2, np.float32)).astype(int) - now).mean()) < 5


def test_what_lies_still_belongs_to_the_table_after_a_while() -> None:
    resting = RestingTable(view_of(table(), 0.0))
    foreign = []
    for n in range(1, 16):
        scene = resting.compare(view_of(table(noise=2, card=(300, 200)), 0.1 * n))
        foreign.append(scene.foreign_share > 0.01)
        resting.take_up(scene, nothing(scene.view))
    assert foreign[: round(ABSORB_S * 10)] == [True] * round(ABSORB_S * 10)
    assert not any(foreign[-6:])


def test_an_arm_never_belongs_to_the_table_however_still() -> None:
    resting = RestingTable(view_of(table(), 0.0))
    for n in range(1, 30):
        scene = resting.compare(view_of(table(noise=2, card=(300, 200)), 0.1 * n))
        resting.take_up(scene, scene.foreign)
    assert scene.foreign_share > 0.01


def test_the_table_follows_slow_light() -> None:
    resting = RestingTable(view_of(table(), 0.0))
    for n in range(1, 100):
        scene = resting.compare(view_of(table(light=1 - 0.002 * n, noise=3), 0.1 * n))
        resting.take_up(scene, nothing(scene.view))
        assert scene.foreign_share < 0.005


def test_stillness_is_told_apart_by_place() -> None:
    resting = RestingTable(view_of(table(), 0.0))
    for n in range(1, 8):
        scene = resting.compare(view_of(table(noise=2, card=(100 + 10 * n, 50)), 0.1 * n))
    moving, quiet = nothing(scene.view), nothing(scene.view)
    moving[:80, :160], quiet[120:, 160:] = 255, 255
    assert scene.still_s(moving) < 0.05
    assert scene.still_s(quiet) > 0.6
    assert scene.still_s(nothing(scene.view)) == float("inf")


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (np.full((480, 640, 3), 3, np.uint8), "dark"),
        (np.full((480, 640, 3), 120, np.uint8), "covered"),
        (table(light=0.5, card=(300, 200)), ""),
    ],
)
def test_a_frame_that_shows_nothing_says_why(frame: Image, reason: str) -> None:
    assert view_of(frame, 0.0).lost_reason == reason


def test_what_hardly_differs_from_the_table_belongs_to_what_surely_does() -> None:
    """A dark hand on dark wood: only its rim and its nails stand out. Alone, so small a difference is noise."""
    table = np.full((240, 320, 3), 90, np.uint8)
    resting = RestingTable(view_of(table, 0.0))
    hand = table.copy()
    hand[80:180, 200:320] = 108
    hand[80:120, 200:320] = 150
    assert resting.compare(view_of(hand, 0.1)).foreign[100:170, 210:310].all()
    shade = table.copy()
    shade[80:180, 200:320] = 108
    assert not RestingTable(view_of(table, 0.0)).compare(view_of(shade, 0.1)).foreign.any()


@pytest.mark.parametrize(
    ("levels", "seen"), [((52, 66, 104), True), ((54, 72, 90), False)], ids=["a hand", "a shadow"]
)
def test_a_hand_as_dark_as_the_table_is_told_by_its_tint(levels: tuple[int, int, int], seen: bool) -> None:
    """A brown hand drew twice from a walnut table unseen, and the next player was told off."""
    table = np.full((240, 320, 3), (60, 80, 100), np.uint8)
    frame = table.copy()
    frame[80:180, 200:320] = levels
    assert RestingTable(view_of(table, 0.0)).compare(view_of(frame, 0.1)).foreign[100:170, 210:310].all() == seen
