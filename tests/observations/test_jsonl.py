"""Observations survive the trip through JSON lines: the log and `replay --json` depend on it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards import Card, Seat, all_faces
from referee.observations import (
    ArmSeen,
    CallHeard,
    CardLanded,
    CardLifted,
    CardReading,
    CardsDrawn,
    CardsShown,
    Observation,
    ViewChanged,
    ViewState,
    Zone,
    from_json,
    to_json,
)

QUAD = ((10.0, 20.0), (40.0, 20.0), (40.0, 70.0), (10.0, 70.0))


def reading(code: str, confidence: float = 0.9) -> CardReading:
    card = None if code == "back" else Card.parse(code)
    return CardReading(card, confidence, QUAD, ((code, confidence),))


EXAMPLES: list[Observation] = [
    CardLanded(id="c1", t_s=1.5, seen_s=2.0, reading=reading("R6"), seat=Seat.P2),
    CardLanded(id="c2", t_s=1.5, seen_s=2.0, reading=reading("W4")),
    CardLifted(id="c3", t_s=3.0, seen_s=3.2, reading=reading("R6"), seat=Seat.P2),
    CardsDrawn(id="c4", t_s=4.0, seen_s=4.5, seat=Seat.P10, at_least=0, at_most=2, confidence=0.6),
    ArmSeen(id="c5", t_s=4.0, seen_s=4.0, seat=Seat.P1, zone=Zone.DRAW, until_s=4.6),
    CardsShown(id="c6", t_s=5.0, seen_s=6.0, seat=Seat.P3, readings=(reading("back"), reading("G0"))),
    CallHeard(id="h1", t_s=7.0, seen_s=8.0, call="colour:B", end_s=7.4, words="azul", confidence=0.8),
    ViewChanged(id="c7", t_s=9.0, seen_s=9.0, state=ViewState.LOST, reason="the picture is dark"),
]


@pytest.mark.parametrize("observation", EXAMPLES, ids=lambda o: type(o).__name__ + o.id)
def test_reads_back(observation: Observation) -> None:
    assert from_json(json.loads(json.dumps(to_json(observation)))) == observation


@given(
    st.sampled_from(all_faces(special=True)),
    st.floats(0, 1),
    st.floats(0, 7200),
    st.sampled_from([None, *Seat]),
)
def test_any_card_at_any_time(card: Card, confidence: float, t_s: float, seat: Seat | None) -> None:
    landed = CardLanded(id="x", t_s=t_s, seen_s=t_s, reading=reading(card.code, confidence), seat=seat)
    back = from_json(to_json(landed))
    assert isinstance(back, CardLanded)
    assert (back.reading.card, back.seat) == (card, seat)
    assert back.t_s == pytest.approx(t_s, abs=0.0005)


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"kind": "smell"}, "unknown kind"),
        ({"kind": ["card_landed"]}, "unknown kind"),
        ({"kind": "arm_seen", "id": "a", "t_s": 1.0}, "missing"),
        ({**to_json(EXAMPLES[0]), "colour": "R"}, "unknown field 'colour'"),
        ({**to_json(EXAMPLES[4]), "zone": "floor"}, "floor"),
    ],
)
def test_a_broken_line_says_what_is_wrong(record: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        from_json(record)
