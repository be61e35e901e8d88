"""Keeps a watched table in its place: rectifies oblique pictures, and notices when the camera was bumped.

`SteadyEye` stands between the camera and the table watcher. Every frame reaches the watcher as the same top-down
table picture; after a bump, rulings pause until the table is found again, and then the frames are brought back to
where they were, so that the watcher sees no change at all.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from referee.faults import InputFault
from referee.observations import Observation, ViewChanged, ViewState
from referee.vision.looks import Looks
from referee.vision.outlines import ArmOutline
from referee.vision.pictures import read_picture
from referee.vision.planes import Homography, corners_of, inverse, mapped, same_aspect, warped
from referee.vision.quads import Image
from referee.vision.reader import CardReader
from referee.vision.standing import AT_PLACE_PX, STANDING_WIDTH_PX, Reference, Standing
from referee.vision.taking_back import taken_back
from referee.vision.view import (
    CAMERA_AWAY,
    CAMERA_FOUND,
    CAMERA_MOVED,
    OTHER_SHAPE,
    Cells,
    Mask,
    cells_of,
    lost_reason_of,
    still_between,
    turned_between,
)
from referee.vision.watcher import TableWatcher
from referee.vision.watching_eye import WatchingEye
from referee.vision.zones import Polygon, TableZones

CHECK_EVERY_S = 1.0
_CHECK_SOON_S = 0.2
_CHECK_MOVING_S = 0.4
_TOLERANCE = AT_PLACE_PX / STANDING_WIDTH_PX
_GIVE_UP_S = 3.0
_AWAY_AFTER_S = 3.0
_PATIENCE_S = 1.0
_CONFIRMING = 3
_PROVEN = 3
_SAME_PLACE = 0.003
_RENEW_S = 30.0
_RENEW_UNCLEAR_S = 5.0
_SAME_FRAME_S = 0.5
_CARDS_STICK_OUT = 0.5


def steady_eye(zones: TableZones, reader: CardReader) -> SteadyEye:
    """The whole eye for a calibrated table: steadied and, where the calibration has a plane, rectified.

    Raises InputFault when the calibration's picture cannot be read.
    """
    count = itertools.count(1)

    def ids() -> str:
        return f"v{next(count)}"

    card_px = zones.plane.card_px if zones.plane else None
    watcher = TableWatcher(zones, reader, expected_card_px=card_px, ids=ids)
    return SteadyEye(zones, watcher, reference=read_picture(zones.reference) if zones.reference else None, ids=ids)


def require_same_camera(zones: TableZones, frame_px: tuple[int, int], calibration: Path) -> None:
    """Raises InputFault when pictures of `frame_px` cannot come from the calibrated camera: another shape.

    The same shape in another size is understood by its fractions.
    """
    if not same_aspect(frame_px, zones.frame_px):
        raise InputFault(
            f"is for pictures of {zones.frame_px[0]}x{zones.frame_px[1]} px, these are {frame_px[0]}x{frame_px[1]}",
            where=str(calibration),
            mend="it belongs to another camera: calibrate this one",
        )


class SteadyEye:
    """Hands each frame on as the calibrated picture of the table, and nothing while the camera is out of place.

    watching: the watcher, which works in the zones' own picture; reference: a picture of the calibrated table, else
    the first frame in which nothing moves is taken. ids: as the watcher's, so that no id is given twice.
    """

    def __init__(
        self,
        zones: TableZones,
        watching: WatchingEye,
        *,
        reference: Image | None = None,
        ids: Callable[[], str] | None = None,
    ) -> None:
        count = itertools.count(1)
        self._ids = ids or (lambda: f"s{next(count)}")
        self._zones = zones
        self._watching = watching
        self._frame_px = zones.frame_px if zones.plane or not zones.guessed else None
        self._given = reference
        self._reference: Reference | None = None
        self._bump: Homography = np.eye(3)  # from fractions of the frame to those of the calibrated picture
        self._reference_bump: Homography = np.eye(3)
        self._moved_s: float | None = None
        self._unclear_since_s: float | None = None
        self._stood = 0
        self._agreed: list[Homography] = []
        self._waiting: list[tuple[float, Image]] = []  # frames of a moved camera that seems to stand again
        self._checked_s = float("-inf")
        self._renewed_s = float("-inf")
        self._said: tuple[ViewState, str] | None = None
        self._watcher_says: ViewChanged | None = None
        self._cells: Cells | None = None
        self._looks = Looks()
        self._unclear = False
        self._last: tuple[float, Cells, Image] | None = None
        self._began_s: float | None = None
        self._now_s = float("-inf")

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        """Take in the frame taken at `t_s`; returns what has become certain with it, outlines in its own pixels."""
        self._now_s = t_s
        self._began_s = t_s if self._began_s is None else self._began_s
        size_px = image_bgr.shape[1], image_bgr.shape[0]
        if self._frame_px is None or (self._zones.guessed and not same_aspect(size_px, self._frame_px)):
            self._frame_px, self._reference, self._bump, self._stood = size_px, None, np.eye(3), 0
        if not same_aspect(size_px, self._frame_px):
            return self._say(ViewState.LOST, OTHER_SHAPE.format(*size_px, *self._frame_px))
        cells = cells_of(image_bgr)
        before, self._cells = self._cells, cells
        if lost_reason_of(cells):
            return self._handed_on(image_bgr, size_px, cells)
        still = before is not None and still_between(before, cells)
        turned = before is not None and turned_between(before, cells)
        said = self._stand(image_bgr, still=still, turned=turned)
        if self._moved_s is not None:
            if not self._agreed:
                self._waiting = []
            else:
                self._waiting.append((t_s, image_bgr))
            return said
        return [*said, *self._caught_up(size_px), *self._handed_on(image_bgr, size_px, cells)]

    @property
    def settled_s(self) -> float:
        """Nothing that is still to be reported happened before this; seconds on the session clock."""
        return self._watching.settled_s

    def close(self, t_s: float) -> list[Observation]:
        """No more frames."""
        return self._watching.close(max(t_s, self._now_s))

    def arms(self, size_px: tuple[int, int]) -> tuple[ArmOutline, ...]:
        """The arms over the table in the newest frame, in fractions of a frame of `size_px`; from any thread."""
        seen: tuple[ArmOutline, ...] = getattr(self._watching, "arms", ())
        plane = self._zones.plane
        if self._moved_s is not None:
            return ()
        if plane is None and np.array_equal(self._bump, np.eye(3)):
            return seen
        back, (width, height) = inverse(self.to_picture(size_px)), plane.size_px if plane else size_px
        return tuple(
            ArmOutline(
                arm.seat,
                tuple(
                    (float(x) / size_px[0], float(y) / size_px[1])
                    for x, y in mapped(back, np.array(arm.polygon, np.float64) * (width, height))
                ),
            )
            for arm in seen
        )

    def to_picture(self, size_px: tuple[int, int]) -> Homography:
        """From pixels of a frame of `size_px` to pixels of the picture that the watcher sees just now."""
        in_frame = self._bump_px(size_px)
        plane = self._zones.plane
        return in_frame if plane is None else plane.to_table(size_px) @ in_frame

    # Frames on to the watcher ----------------------------------------------------------------------------------

    def _handed_on(self, image_bgr: Image, size_px: tuple[int, int], cells: Cells) -> list[Observation]:
        plane = self._zones.plane
        untouched = plane is None and np.array_equal(self._bump, np.eye(3))
        if untouched:
            return self._heard_from_watcher(self._watching.see(image_bgr, self._now_s), None)
        matrix = self.to_picture(size_px)
        last = self._last
        if last is not None and self._now_s - last[0] < _SAME_FRAME_S and still_between(last[1], cells):
            picture = last[2]  # nothing moved: the warp would cost more than all the rest
        else:
            picture = warped(image_bgr, matrix, plane.size_px if plane else size_px)
            self._last = self._now_s, cells, picture
        return self._heard_from_watcher(self._watching.see(picture, self._now_s), inverse(matrix))

    def _caught_up(self, size_px: tuple[int, int]) -> list[Observation]:
        """Hand on what was filmed while it was made sure where the camera stands now: a hand was not idle then."""
        now_s, frames, self._waiting = self._now_s, self._waiting, []
        told: list[Observation] = []
        for self._now_s, image_bgr in frames:
            told += self._handed_on(image_bgr, size_px, cells_of(image_bgr))
        self._now_s = now_s
        return told

    def _heard_from_watcher(self, seen: list[Observation], back: Homography | None) -> list[Observation]:
        for observation in seen:
            if isinstance(observation, ViewChanged):
                self._watcher_says = observation
        if self._said is not None and self._moved_s is None:
            # The watcher saw nothing of the trouble: its own state holds again and has to be said.
            self._said = None
            if not any(isinstance(o, ViewChanged) for o in seen) and self._watcher_says is not None:
                again = replace(self._watcher_says, id=self._ids(), t_s=self._now_s, seen_s=self._now_s)
                seen = [*seen, again]
        return seen if back is None else [taken_back(o, back) for o in seen]

    # Where the camera stands -----------------------------------------------------------------------------------

    def _stand(self, image_bgr: Image, *, still: bool, turned: bool) -> list[Observation]:
        if self._reference is None and not self._begin(image_bgr, still):
            return []
        soon = self._moved_s is not None or self._stood < _PROVEN
        wait_s = _CHECK_SOON_S if soon else CHECK_EVERY_S if still else _CHECK_MOVING_S
        if not turned and self._now_s - self._checked_s < wait_s:
            return []
        self._checked_s = self._now_s
        if self._moved_s is None:
            return self._check(image_bgr, still)
        return self._find_again(image_bgr, still)

    def _begin(self, image_bgr: Image, still: bool) -> bool:
        """Take up the reference: the calibration's own picture, or the first frame in which nothing moves.

        True when there is one that this frame is not itself.
        """
        given, self._given = self._given, None
        if given is not None and (reference := Reference(given, self._piles())).usable:
            self._reference = reference
            return True
        if not still or not self._armless or self._now_s - self._checked_s < CHECK_EVERY_S:
            return False
        self._checked_s = self._now_s
        if (reference := Reference(image_bgr, self._piles())).usable:
            self._reference, self._renewed_s = reference, self._now_s
        return False

    def _check(self, image_bgr: Image, still: bool) -> list[Observation]:
        assert self._reference is not None
        assert self._began_s is not None
        unproven = self._renewed_s == float("-inf")  # the calibration's picture may be of another day
        # Following the points fails after a large bump: then the table is looked for, once nothing moves.
        search = unproven or (still and self._unclear_since_s is not None)
        size_px = image_bgr.shape[1], image_bgr.shape[0]
        arms = [np.array(arm.polygon, np.float64) for arm in self.arms(size_px)]
        standing = self._reference.compare(image_bgr, search=search, guess=self._guess(), hidden=arms)
        place = self._place_of(standing)
        if place is not None and _apart(place, self._bump, self._reference.size_px) > _TOLERANCE:
            self._moved_s, self._unclear_since_s, self._unclear = self._now_s, None, False
            return self._say(ViewState.LOST, CAMERA_MOVED)
        if place is not None:
            self._stood, self._unclear_since_s = self._stood + 1, None
            if still and self._cells is not None:
                self._looks.keep(image_bgr, self._cells, self._bump, armless=self._armless)
        elif not still or self._stood < _PROVEN:
            pass  # hands are over the table, or it has nothing to hold on to
        elif self._as_it_was():
            self._unclear_since_s = None
            if self._armless and self._now_s - self._renewed_s >= _RENEW_UNCLEAR_S:
                self._renew(image_bgr)  # what it held on to is gone
        elif self._unclear_since_s is None:
            self._unclear_since_s = self._now_s
        elif self._now_s - self._unclear_since_s >= _AWAY_AFTER_S:
            self._moved_s, self._unclear_since_s, self._unclear = self._now_s, None, True
            return self._say(ViewState.LOST, CAMERA_AWAY)
        trusted = place is not None or (unproven and self._now_s - self._began_s >= _GIVE_UP_S)
        if still and self._armless and trusted and self._now_s - self._renewed_s >= _RENEW_S:
            self._renew(image_bgr)
        return []

    def _as_it_was(self) -> bool:
        """Whether the picture off the piles and places looks as it did when the camera last stood for certain."""
        places = [seat.place for seat in self._zones.seats]
        return self._cells is not None and self._looks.like(self._cells, self._piles(places))

    @property
    def _armless(self) -> bool:
        """No arm is over the table: one that lies still is nothing to hold on to."""
        return not getattr(self._watching, "arms", ())

    def _renew(self, image_bgr: Image) -> None:
        """Light, cups and cards change over an evening: what is held on to is taken anew while the camera stands."""
        renewed = Reference(image_bgr, self._piles())
        if renewed.usable:
            self._reference, self._reference_bump, self._renewed_s = renewed, self._bump, self._now_s

    def _find_again(self, image_bgr: Image, still: bool) -> list[Observation]:
        assert self._reference is not None
        assert self._moved_s is not None
        place = self._place_now(image_bgr)
        patient = self._unclear or self._now_s - self._moved_s >= _PATIENCE_S
        if place is None and patient and still and self._as_it_was():
            place = self._bump  # nothing to hold on to, and nothing is otherwise
        if place is None:
            self._agreed = []
            if self._now_s - self._moved_s >= _AWAY_AFTER_S:
                return self._say(ViewState.LOST, CAMERA_AWAY)
            return []
        if any(_apart(earlier, place, self._reference.size_px) > _SAME_PLACE for earlier in self._agreed):
            self._agreed, self._waiting = [], []  # what was filmed before shows the table elsewhere
        self._agreed.append(place)
        if len(self._agreed) < _CONFIRMING:
            return []
        if _apart(place, self._bump, self._reference.size_px) > _TOLERANCE:
            self._bump = place
        self._moved_s, self._agreed, self._last = None, [], None
        self._renewed_s = self._now_s - _RENEW_S  # as soon as nothing moves
        return self._say(ViewState.SETTLING, CAMERA_FOUND, since_s=self._waiting[0][0] if self._waiting else None)

    def _place_now(self, image_bgr: Image) -> Homography | None:
        """Where the camera stands now, by the reference or else by the last picture before it was moved."""
        assert self._reference is not None
        last = self._agreed[-1] if self._agreed else self._bump
        place = self._place_of(self._reference.compare(image_bgr, search=True, guess=self._guess(last)))
        lately = self._looks.lately() if place is None else None
        if lately is None:
            return place
        reference, stood = lately
        standing = reference.compare(image_bgr, search=True, guess=_normed(inverse(stood) @ last))
        return None if standing.to_reference is None else _normed(stood @ standing.to_reference)

    def _place_of(self, standing: Standing) -> Homography | None:
        """Where the frame lies against the calibrated picture."""
        if standing.to_reference is None:
            return None
        return _normed(self._reference_bump @ standing.to_reference)

    def _guess(self, place: Homography | None = None) -> Homography | None:
        guess = inverse(self._reference_bump) @ (self._bump if place is None else place)
        return None if np.allclose(guess, np.eye(3), atol=1e-6) else _normed(guess)

    def _bump_px(self, size_px: tuple[int, int]) -> Homography:
        scale = np.diag([*size_px, 1.0])
        return np.asarray(scale @ self._bump @ inverse(scale), np.float64)

    def _piles(self, places: Sequence[Polygon] = ()) -> Mask:
        """Where cards come and go, in the camera's picture of now: about the piles, and at `places`."""
        assert self._frame_px is not None
        width, height = self._frame_px
        mask = np.zeros((height, width), np.uint8)
        back = inverse(self.to_picture(self._frame_px))
        size = self._zones.plane.size_px if self._zones.plane else self._frame_px
        piles = [_grown(area, _CARDS_STICK_OUT) for area in (self._zones.discard, self._zones.draw) if area]
        for area in (*piles, *places):
            corners = mapped(back, np.array(area) * size)
            cv2.fillPoly(mask, [np.rint(corners).astype(np.int32)], 255)
        return mask

    def _say(self, state: ViewState, reason: str, *, since_s: float | None = None) -> list[Observation]:
        if self._said == (state, reason):
            return []
        self._said = state, reason
        t_s = self._now_s if since_s is None else since_s
        return [ViewChanged(id=self._ids(), t_s=t_s, seen_s=self._now_s, state=state, reason=reason)]


def _grown(area: Polygon, share: float) -> Polygon:
    """The area with a rim of `share` of its size around it."""
    middle = np.mean(area, axis=0)
    return tuple((float(x), float(y)) for x, y in middle + (np.array(area) - middle) * (1 + share))


def _normed(matrix: Homography) -> Homography:
    return np.asarray(matrix / matrix[2, 2], np.float64)


def _apart(a: Homography, b: Homography, size_px: tuple[int, int]) -> float:
    """How far two places lie apart at the quarter points of the picture, in fractions of its width."""
    quarters = corners_of((1, 1)) / 2 + 0.25
    away = (mapped(a, quarters) - mapped(b, quarters)) * (1, size_px[1] / size_px[0])
    return float(np.linalg.norm(away, axis=1).max())
