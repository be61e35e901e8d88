"""A camera that is bumped, turned away, covered, in the dark, or set to another size, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faults import InputFault
from referee.observations import CardLanded, CardReading, Observation, ViewChanged, ViewState
from referee.vision.planes import TablePlane, corners_of, inverse, mapped
from referee.vision.quads import Image
from referee.vision.standing import Reference, Stance
from referee.vision.steady import SteadyEye, require_same_camera
from referee.vision.view import CAMERA_AWAY, CAMERA_FOUND, CAMERA_MOVED
from referee.vision.zones import TableZones

SIZE = (640, 480)
STEP_S = 0.2


def textured(seed: int, size: tuple[int, int] = SIZE) -> Image:
    """A table with a grain and a few things on it."""
    rng = np.random.default_rng(seed)
    width, height = size
    grain = cv2.GaussianBlur(rng.normal(0, 60, (height, width, 1)).astype(np.float32), (0, 0), 2.5)
    image = np.clip(120 + grain[..., None] * 3, 0, 255).repeat(3, axis=2).astype(np.uint8)
    for _ in range(30):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        tone = tuple(float(v) for v in rng.integers(40, 220, 3))
        cv2.rectangle(image, (x, y), (x + 40, y + 25), tone, -1)
    return image


TABLE = textured(1)
OTHER_ROOM = textured(2)


def shifted(image: Image, dx: float, dy: float = 0.0, degrees: float = 0.0) -> Image:
    """The picture after a bump, in px and degrees."""
    move = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 1.0)
    move[:, 2] += np.array([dx, dy])
    return np.asarray(cv2.warpAffine(image, move, SIZE, borderMode=cv2.BORDER_REFLECT), np.uint8)


def with_arm(image: Image, x: int = 300) -> Image:
    """A large arm from below over the middle of the picture."""
    covered = image.copy()
    cv2.line(covered, (x, SIZE[1] + 20), (x + 40, 180), (120, 150, 200), 110)
    return covered


@dataclass
class Remembering:
    """Stands for the watcher: keeps the pictures it is handed, says READY once, and reports a card when told to."""

    pictures: list[Image] = field(default_factory=list)
    report: list[Observation] = field(default_factory=list)
    settled_s: float = 0.0

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        self.pictures.append(image_bgr)
        first = len(self.pictures) == 1
        ready = [ViewChanged(id=f"w{t_s}", t_s=t_s, seen_s=t_s, state=ViewState.READY)] if first else []
        told, self.report = self.report, []
        return [*ready, *told]

    def close(self, t_s: float) -> list[Observation]:
        return []


@dataclass
class Filming:
    """Feeds frames at five a second; `states` is what was said."""

    zones: TableZones = field(default_factory=lambda: replace(TableZones.whole_frame_guess(*SIZE, 4), guessed=False))
    reference: Image | None = None
    t_s: float = 0.0
    said: list[Observation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.watcher = Remembering()
        self.eye = SteadyEye(self.zones, self.watcher, reference=self.reference)
        self.rng = np.random.default_rng(3)

    def film(self, image: Image, seconds: float = 1.6) -> list[tuple[ViewState, str]]:
        """Film a still scene; returns the states said meanwhile."""
        before = len(self.said)
        for _ in range(round(seconds / STEP_S)):
            noisy = np.clip(image + self.rng.normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)
            self.said += self.eye.see(noisy, self.t_s)
            self.t_s = round(self.t_s + STEP_S, 3)
        return [(o.state, o.reason) for o in self.said[before:] if isinstance(o, ViewChanged)]


def test_a_camera_that_stands_is_handed_on_untouched() -> None:
    filming = Filming()
    assert filming.film(TABLE, 4) == [(ViewState.READY, "")]
    assert len(filming.watcher.pictures) == 20


@pytest.mark.parametrize(("dx", "dy", "degrees"), [(6, 4, 0), (25, -12, 2), (90, 60, 6), (-140, 10, -12)])
def test_a_bump_pauses_and_the_table_is_found_again(dx: float, dy: float, degrees: float) -> None:
    """No ruling rests on a frame between; afterwards the watcher sees the table where it lay."""
    filming = Filming()
    filming.film(TABLE)
    said = filming.film(shifted(TABLE, dx, dy, degrees), 4)
    assert said == [(ViewState.LOST, CAMERA_MOVED), (ViewState.SETTLING, CAMERA_FOUND), (ViewState.READY, "")]
    inner = (slice(150, 330), slice(200, 440))
    apart = cv2.absdiff(filming.watcher.pictures[-1][inner], TABLE[inner])
    assert float(apart.mean()) < 8, "brought back to within a fraction of a pixel"


def test_a_bump_back_is_found_too() -> None:
    filming = Filming()
    filming.film(TABLE)
    filming.film(shifted(TABLE, 30, 10), 3)
    assert filming.film(TABLE, 3)[-1] == (ViewState.READY, "")
    assert np.abs(filming.eye.to_picture(SIZE) - np.eye(3)).max() < 0.5


def test_arms_over_the_table_are_no_bump() -> None:
    filming = Filming()
    filming.film(TABLE)
    for x in (60, 200, 340, 480):
        assert filming.film(with_arm(TABLE, x), 1) == []
    assert filming.film(TABLE, 2) == []


def test_light_that_changes_is_no_bump() -> None:
    filming = Filming()
    filming.film(TABLE)
    for light in (0.8, 0.6, 1.15):
        assert filming.film(np.clip(TABLE * light, 0, 255).astype(np.uint8), 1.4) == []


def test_a_camera_turned_away_is_named_and_turning_it_back_suffices() -> None:
    filming = Filming()
    filming.film(TABLE)
    handed_on = len(filming.watcher.pictures)
    said = filming.film(OTHER_ROOM, 8)
    assert said[-1] == (ViewState.LOST, CAMERA_AWAY)
    seen_elsewhere = len(filming.watcher.pictures)
    filming.film(OTHER_ROOM, 4)
    assert len(filming.watcher.pictures) == seen_elsewhere > handed_on, "another room is never judged"
    assert filming.film(TABLE, 3)[-1] == (ViewState.READY, "")


@pytest.mark.parametrize("frame", [np.zeros_like(TABLE), np.full_like(TABLE, 110)])
def test_dark_and_covered_frames_are_left_to_the_watcher_and_are_no_bump(frame: Image) -> None:
    filming = Filming()
    filming.film(TABLE)
    assert filming.film(frame, 3) == []
    assert filming.film(TABLE, 3) == []


def test_another_size_of_the_same_shape_goes_on() -> None:
    filming = Filming()
    filming.film(TABLE)
    larger = np.asarray(cv2.resize(TABLE, (960, 720), interpolation=cv2.INTER_CUBIC), np.uint8)
    assert filming.film(larger, 3) == []


def test_another_shape_in_mid_stream_is_named_and_mends_itself() -> None:
    filming = Filming()
    filming.film(TABLE)
    said = filming.film(TABLE[:360], 1)
    assert [state for state, _ in said] == [ViewState.LOST]
    assert "640x360" in said[0][1]
    assert "640x480" in said[0][1]
    assert filming.film(TABLE, 1) == [(ViewState.READY, "")]


def test_a_camera_bumped_since_it_was_calibrated_is_noticed_at_the_start() -> None:
    filming = Filming(reference=TABLE)
    said = filming.film(shifted(TABLE, 40, 20, 3), 3)
    assert (ViewState.SETTLING, CAMERA_FOUND) in said
    assert said[-1] == (ViewState.READY, "")


def test_a_reference_of_another_day_gives_way_to_the_table_of_today() -> None:
    """The calibrated picture shows nothing of what lies there now: the camera is taken to stand."""
    filming = Filming(reference=OTHER_ROOM)
    assert filming.film(TABLE, 6) == [(ViewState.READY, "")]
    assert filming.film(shifted(TABLE, 30), 3)[0] == (ViewState.LOST, CAMERA_MOVED)


def test_a_bare_table_is_never_said_to_have_moved() -> None:
    """Nothing to hold on to: the sheet's corner tags are for that."""
    bare = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    bare[:, 300:] = 140
    filming = Filming()
    filming.film(bare)
    assert filming.film(shifted(bare, 30), 3) == []


def test_a_plain_table_whose_cards_change_is_no_camera_turned_away() -> None:
    """Black cloth: all there was to hold on to lay on cards, other cards came, and rulings paused for the round."""
    cards, others = np.full_like(TABLE, 40), np.full_like(TABLE, 40)
    for picture, seed in ((cards, 5), (others, 6)):
        picture[200:290, 230:330] = textured(seed)[200:290, 230:330]
        picture[120:180, 400:450] = textured(seed)[120:180, 400:450]
    filming = Filming()
    filming.eye._piles = lambda *_: np.zeros((SIZE[1], SIZE[0]), np.uint8)  # type: ignore[method-assign]
    filming.film(cards)
    assert filming.film(others, 8) == []
    assert filming.film(OTHER_ROOM, 8)[-1] == (ViewState.LOST, CAMERA_AWAY)


def test_an_arm_that_lay_still_does_not_turn_the_camera_away() -> None:
    """White table: the last look of the standing camera had an arm in it, the next cards came, and 10 s were lost."""
    cards, others = np.full_like(TABLE, 200), np.full_like(TABLE, 200)
    for picture, seed in ((cards, 5), (others, 6)):
        picture[200:290, 230:330] = textured(seed)[200:290, 230:330]
        picture[60:120, 300:350] = textured(seed)[60:120, 300:350]
    filming = Filming()
    filming.eye._piles = lambda *_: np.zeros((SIZE[1], SIZE[0]), np.uint8)  # type: ignore[method-assign]
    filming.film(cards)
    filming.film(with_arm(cards, 500), 3)
    assert filming.film(others, 8) == []


def test_a_plain_table_that_looks_as_it_did_is_found_again_without_anything_to_hold_on_to() -> None:
    """White table: a hand made it a bump, the cards changed, and fifteen seconds of play were lost."""
    cards, others = np.full_like(TABLE, 200), np.full_like(TABLE, 200)
    for picture, seed in ((cards, 5), (others, 6)):
        picture[100:330, 130:400] = textured(seed)[100:330, 130:400]
    filming = Filming()
    filming.eye._piles = pile_here  # type: ignore[method-assign]
    filming.film(cards)
    looks = (filming.film(shifted(cards, 9), STEP_S) for _ in range(10))
    assert next(said for said in looks if said) == [(ViewState.LOST, CAMERA_MOVED)]
    assert (ViewState.SETTLING, CAMERA_FOUND) in filming.film(others, 3)


def pile_here(places: object = None) -> Image:
    """Cards come and go here, and all there is to hold on to lies here as well."""
    mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    if places is not None:
        mask[90:340, 120:410] = 255
    return mask


# Oblique cameras --------------------------------------------------------------------------------------------------

PLANE = TablePlane(SIZE, (600.0, 400.0), 1.0, ((0.25, 0.2), (0.75, 0.2), (1.02, 0.9), (-0.02, 0.9)))


def oblique_zones() -> TableZones:
    guess = TableZones.whole_frame_guess(*PLANE.size_px, 4)
    return replace(guess, guessed=False, plane=PLANE)


def test_an_oblique_picture_is_handed_on_as_seen_from_above() -> None:
    above = textured(5, PLANE.size_px)
    seen = cv2.warpPerspective(above, inverse(PLANE.to_table()), SIZE, flags=cv2.INTER_LINEAR)
    filming = Filming(zones=oblique_zones())
    filming.film(np.asarray(seen, np.uint8), 1)
    picture = filming.watcher.pictures[-1]
    assert picture.shape == (400, 600, 3)
    assert float(cv2.absdiff(picture, above)[40:-40, 60:-60].mean()) < 14


def test_outlines_are_told_in_pixels_of_the_cameras_picture() -> None:
    filming = Filming(zones=oblique_zones())
    filming.film(TABLE, 1)
    quad = ((100.0, 100.0), (156.0, 100.0), (156.0, 187.0), (100.0, 187.0))
    reading = CardReading(Card.parse("R5"), 0.9, quad)
    filming.watcher.report = [CardLanded(id="c", t_s=1.0, seen_s=1.0, reading=reading)]
    filming.film(TABLE, STEP_S)
    landed = filming.said[-1]
    assert isinstance(landed, CardLanded)
    expected = mapped(inverse(PLANE.to_table()), np.array(quad))
    assert np.array(landed.reading.quad_px) == pytest.approx(expected)


def test_a_still_picture_is_not_warped_again() -> None:
    filming = Filming(zones=oblique_zones())
    filming.film(TABLE, 1)
    assert filming.watcher.pictures[-1] is filming.watcher.pictures[-2]


def test_corners_and_table_picture_belong_together() -> None:
    corners = mapped(PLANE.to_table(), np.array(PLANE.corners) * SIZE)
    assert corners == pytest.approx(corners_of(PLANE.size_px), abs=1e-3)
    doubled = mapped(PLANE.to_table((1280, 960)), np.array(PLANE.corners) * (1280, 960))
    assert doubled == pytest.approx(corners_of(PLANE.size_px), abs=1e-3)


@pytest.mark.parametrize(("size", "fits"), [((1280, 960), True), ((320, 240), True), ((1280, 720), False)])
def test_a_calibration_of_another_camera_is_refused_in_one_line(
    size: tuple[int, int], fits: bool, tmp_path: Path
) -> None:
    if fits:
        require_same_camera(oblique_zones(), size, tmp_path / "table.toml")
        return
    with pytest.raises(InputFault, match="is for pictures of 640x480 px, these are 1280x720") as caught:
        require_same_camera(oblique_zones(), size, tmp_path / "table.toml")
    assert "calibrate this one" in caught.value.mend


def test_what_comes_and_goes_is_not_held_on_to() -> None:
    piles = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    piles[:, :320] = 255
    reference = Reference(TABLE, piles)
    assert (reference.points[:, 0] >= 318).all()
    assert reference.compare(TABLE).stance is Stance.STANDS
