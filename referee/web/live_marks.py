"""What is drawn over the live picture: the piles and seats, arms, and the cards that were read, with how sure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from referee.cards import Card
from referee.observations import CardLanded, CardLifted, CardReading, CardsShown, Observation
from referee.rules.messages import card_words
from referee.session.plan import SessionPlan
from referee.vision.outlines import ArmOutline
from referee.vision.planes import inverse, mapped
from referee.vision.zones import TableZones

Point = tuple[float, float]
Place = Callable[[Sequence[Point]], list[list[float]]]
"""From pixels of the picture that was judged to fractions of the camera's picture."""


def as_seen(size_px: tuple[int, int]) -> Place:
    """For a table that is judged in the camera's own picture of (width, height) px."""
    return lambda points: [[round(x / size_px[0], 4), round(y / size_px[1], 4)] for x, y in points]


def through_plane(zones: TableZones) -> Place | None:
    """For a table that is judged in its top-down picture; None where there is no plane."""
    plane = zones.plane
    if plane is None:
        return None
    back, (width, height) = inverse(plane.to_table()), plane.frame_px

    def place(points: Sequence[Point]) -> list[list[float]]:
        seen = mapped(back, np.array(points, np.float64)) / (width, height)
        return [[round(float(x), 4), round(float(y), 4)] for x, y in seen]

    return place


def zone_marks(zones: TableZones, plan: SessionPlan, place: Place) -> list[dict[str, Any]]:
    """The piles and the seats' own places. A label that begins with `:` is a word of the pages."""
    size = (zones.width_px, zones.height_px)
    found = [(":discard_pile", zones.discard), *([(":draw_pile", zones.draw)] if zones.draw else [])]
    found += [(plan.name(seat.seat), seat.place) for seat in zones.seats if seat.seat in plan.players]
    return [
        {"quad": place([(x * size[0], y * size[1]) for x, y in polygon]), "label": label, "zone": True}
        for label, polygon in found
    ]


def marks_on(observations: Iterable[Observation], place: Place) -> list[dict[str, Any]]:
    """The card on top and the hands that lie open, outlined and named."""
    top: CardReading | None = None
    hands: dict[str, CardsShown] = {}
    for seen in sorted(observations, key=lambda o: o.t_s):
        match seen:
            case CardLanded(reading=reading):
                top = reading
                hands.clear()
            case CardLifted():
                top = None
            case CardsShown(seat=seat):
                hands[str(seat)] = seen
            case _:
                pass
    readings = [*([top] if top else []), *(r for shown in hands.values() for r in shown.readings)]
    return [_mark(reading, place) for reading in readings if len(reading.quad_px) == 4]


def arm_marks(arms: Iterable[ArmOutline], plan: SessionPlan) -> list[dict[str, Any]]:
    """The arms over the table, each with the name of whom it belongs to, empty where that cannot be told."""
    return [
        {
            "quad": [[round(x, 4), round(y, 4)] for x, y in arm.polygon],
            "label": ":arm_of" if arm.seat else ":arm",
            "name": plan.name(arm.seat) if arm.seat else "",
            "zone": False,
            "arm": True,
        }
        for arm in arms
    ]


def mark_in_words(mark: Mapping[str, Any], language: str) -> dict[str, Any]:
    """A mark as it is sent to a device: a card is named in its language, with how sure it is."""
    code, confidence = mark.get("code"), mark.get("confidence", 0.0)
    if code is None:
        return dict(mark)
    try:
        words = card_words(Card.parse(code), language)
    except ValueError:  # `back` and other readings that are no face
        words = code
    return {"quad": mark["quad"], "label": f"{words} {confidence:.0%}", "zone": False}


def _mark(reading: CardReading, place: Place) -> dict[str, Any]:
    return {"quad": place(reading.quad_px), "code": reading.code, "confidence": reading.confidence, "zone": False}
