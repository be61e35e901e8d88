"""What a change of the settled pile means, told from where pixels changed and where cards lie."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.joining import quad_of
from referee.vision.pile_history import PileFilm, PileMemory, Settled, filled
from referee.vision.pile_judging import judge_change, top_of
from referee.vision.placing import Places, places_of
from referee.vision.quads import Image
from referee.vision.view import Mask, view_of
from tests.vision.drawn_table import DISCARD_AT, HEIGHT, WIDTH, quad_at, zones

TABLE = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
VIEW = view_of(TABLE, 0.0)
PLACES: Places = places_of(VIEW, zones(), 60.0)
SHAPE = (PLACES.height_px, PLACES.width_px)


def card(code: str, dx: float = 0.0, degrees: float = 0.0, p: float = 0.95, other: str = "W") -> CardReading:
    quad = tuple((float(x), float(y)) for x, y in quad_at((DISCARD_AT[0] + dx, DISCARD_AT[1]), degrees))
    return CardReading(Card.parse(code), p, quad, ((code, p), (other, round(1 - p, 3))))


def area(*cards: CardReading) -> Mask:
    mask = np.zeros(SHAPE, np.uint8)
    for each in cards:
        mask |= filled(quad_of(each), VIEW.scale, SHAPE)
    return mask


def pile(*laid: CardReading, small: Image = VIEW.small) -> PileMemory:
    memory = PileMemory()
    for each in laid:
        memory.add(Settled(small, (each,)))
    return memory


OLD = card("R5")
BESIDE = card("R5", dx=0.05, degrees=25)

CARDS = VIEW.small.copy()
CARDS[PLACES.discard > 0] = (200, 90, 60)
"""No table shows at the pile."""

SITUATIONS = {
    "another face": ([card("G7", degrees=20), OLD], area(card("G7", degrees=20)), ["G7"], 0, False),
    "the same face beside": ([BESIDE, OLD], area(BESIDE), ["R5"], 0, False),
    "the same face, and the reader sees one of them": ([BESIDE], area(BESIDE), ["R5"], 0, False),
    "the pile moved": ([BESIDE], area(BESIDE, OLD), [], 0, True),
    "turned a little": ([card("R5", degrees=12)], area(card("R5", degrees=12), OLD), [], 0, True),
    "moved and read with doubt": ([card("R6", 0.05, 25, 0.5, "R5")], area(BESIDE, OLD), [], 0, True),
    "a doubtful face beside": ([card("R6", 0.05, 25, 0.5, "R9"), OLD], area(BESIDE), ["R6"], 0, False),
    "nothing that is a card": ([OLD], area(card("B1", dx=-0.09)), [], 0, False),
    "no card at all": ([], area(OLD), [], 0, False),
    "two at once": (
        [card("Y2", dx=0.05), card("G2", dx=-0.05), OLD],
        area(card("Y2", dx=0.05), card("G2", dx=-0.05)),
        ["G2", "Y2"],
        0,
        False,
    ),
    "a ghost on a sure card": (
        [card("B1", 0.012, 20, 0.12), card("G7", degrees=20), OLD],
        area(card("B1", 0.012, 20), card("G7", degrees=20)),
        ["G7"],
        0,
        False,
    ),
    "moved off one that shows a little": (
        [BESIDE, card("B4", 0.03, 10, 0.24)],
        area(BESIDE, OLD, card("B4", 0.03, 10)),
        [],
        0,
        True,
    ),
    "far from the pile": ([card("G7", dx=0.3)], area(card("G7", dx=0.3)), [], 0, False),
}


@pytest.mark.parametrize(
    ("cards", "changed", "landed", "lifted", "moved"), SITUATIONS.values(), ids=SITUATIONS.keys()
)
def test_what_a_change_means(
    cards: list[CardReading], changed: Mask, landed: list[str], lifted: int, moved: bool
) -> None:
    change = judge_change(
        cards, changed, pile(OLD, small=CARDS), PLACES, VIEW.scale, small=CARDS, brought=lambda _: False
    )
    assert sorted(reading.code for reading, _ in change.landed) == landed
    assert change.lifted == lifted
    assert (change.moved is not None) is moved


@pytest.mark.parametrize(("since", "p"), [(3, 0.95), (0, 0.62)])
def test_a_card_that_lies_under_the_new_one_has_not_come_with_it(since: int, p: float) -> None:
    """A blue +2 of three turns ago, read on the rim of the pile with 0.62, was said to be laid with the red 2."""
    others = [card("RS"), card("RR"), card("R9")]
    memory = pile(*([card("BD", dx=0.03)] if since else []), *others[:since], OLD, small=CARDS)
    seen = [card("R2"), card("BD", dx=0.03, p=p)]
    changed = area(seen[0], card("BD", dx=0.02))  # and the shadow on what shows beside it
    change = judge_change(seen, changed, memory, PLACES, VIEW.scale, small=CARDS, brought=lambda _: False)
    assert [reading.code for reading, _ in change.landed] == ["R2"]


def test_the_card_before_on_top_again_means_that_the_last_one_left() -> None:
    """The pile was nudged when the card was taken, so its picture is not quite the earlier one."""
    before, last = card("B3"), card("G7", dx=0.06, degrees=30)
    nudged = card("B3", dx=0.004)
    change = judge_change(
        [nudged],
        area(last, before),
        pile(before, last),
        PLACES,
        VIEW.scale,
        small=VIEW.small,
        brought=lambda _: False,
    )
    assert (change.lifted, change.landed) == (1, ())


def test_the_top_card_in_the_same_place_explains_no_large_change() -> None:
    change = judge_change([OLD], area(OLD), pile(OLD), PLACES, VIEW.scale, small=VIEW.small, brought=lambda _: False)
    assert change.landed == ()
    assert change.doubtful


def test_the_same_face_in_the_same_place_is_a_play_when_the_hand_brought_it() -> None:
    asked: list[Mask] = []

    def brought(where: Mask) -> bool:
        asked.append(where)
        return True

    change = judge_change([OLD], area(OLD), pile(OLD), PLACES, VIEW.scale, small=VIEW.small, brought=brought)
    assert [reading.code for reading, _ in change.landed] == ["R5"]
    assert len(asked) == 1


def test_the_start_card_is_the_surest_face_on_the_pile() -> None:
    back = CardReading(None, 0.99, OLD.quad_px, (("back", 0.99),))
    far = card("G7", dx=0.3, p=0.99)
    assert top_of([back, far, card("B1", p=0.6), OLD], PLACES.discard, VIEW.scale) == OLD
    assert top_of([back, far], PLACES.discard, VIEW.scale) is None


def test_rest_begins_when_what_is_in_view_of_a_card_looks_as_it_does_at_last() -> None:
    """The hand lets go at 0.4 s, still hides most of the card until 0.6 s, and is gone at 0.7 s."""
    settled = np.full((*SHAPE, 3), 90, np.uint8)
    settled[area(OLD) > 0] = (40, 40, 200)
    film = PileFilm()
    for n in range(10):
        picture = settled.copy()
        if n < 4:
            picture[area(OLD) > 0] = (90, 90, 90)
        if n < 7:
            cv2.circle(picture, (round(DISCARD_AT[0] * SHAPE[1]), round(DISCARD_AT[1] * SHAPE[0]) + 12), 16, 170, -1)
        film.add(0.1 * n, picture, {})
    assert film.rest_s(settled, area(OLD), 0.9) == pytest.approx(0.4, abs=0.01)
