"""Corrections as people say them: "that was a 6", "P3 drew two", "undo", "the call was made", "it was Ana"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from referee.cards import Card, Colour, Seat, Symbol
from referee.faults import InputFault
from referee.observations import CallHeard, CardLanded, CardsDrawn, Observation
from referee.session.corrected import observation_of
from referee.session.corrections import Correction
from referee.session.log import LogLine
from referee.session.plan import SessionPlan

EXAMPLES = '"that was a 6", "that was blue", "it was P2", "P3 drew two", "the call was made", "undo"'
AFTER_LANDING_S = 0.05
NEAR_S = 8.0
"""A draw is about the one that was noticed for that player so near to the moment; farther away it was not noticed."""

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SYMBOLS: tuple[tuple[str, Symbol], ...] = (
    (r"wild\s*(draw\s*)?(four|4)|(plus|\+)\s*(four|4)|draw\s*(four|4)", Symbol.WILD_DRAW_FOUR),
    (r"swap\s*hands?", Symbol.WILD_SWAP_HANDS),
    (r"shuffle\s*hands?", Symbol.WILD_SHUFFLE_HANDS),
    (r"custom\w*|blank", Symbol.WILD_CUSTOMIZABLE),
    (r"wild|black", Symbol.WILD),
    (r"draw\s*(two|2)|(plus|\+)\s*(two|2)", Symbol.DRAW_TWO),
    (r"skip", Symbol.SKIP),
    (r"reverse", Symbol.REVERSE),
    *((rf"{word}|{number}", Symbol(str(number))) for number, word in enumerate(_NUMBERS[:10])),
)
_CALLS = {"uno": "uno", "challenge": "challenge", "catch": "catch", "guilty": "guilty", "innocent": "innocent"}
Kind = TypeVar("Kind", bound=Observation)


@dataclass(frozen=True, slots=True)
class Moment:
    """What is spoken about: observations up to `at_s`, or those in `evidence` where it is about a ruling."""

    lines: Sequence[LogLine]
    plan: SessionPlan
    at_s: float | None = None
    evidence: tuple[str, ...] = ()

    def last(self, kind: type[Kind], fits: Callable[[Kind], bool] = lambda _o: True) -> Kind | None:
        """The last observation of a kind in question that fits."""
        found = [o for line in self.lines if line.type == "observation" and (o := observation_of(line)) is not None]
        about = [o for o in found if o.id in self.evidence] if self.evidence else found
        until = float("inf") if self.at_s is None else self.at_s
        for some in (about, found):
            times = [o for o in some if isinstance(o, kind) and o.t_s <= until and fits(o)]
            if times:
                return max(times, key=lambda o: o.t_s)
        return None


def correction_of(said: str, moment: Moment, *, by: str = "command") -> Correction:
    """What `said` puts right at `moment`. Raises InputFault, with examples, when it cannot be understood."""
    text = said.strip().lower().rstrip(".!")
    for meant in (_undo, _call, _drew, _seat, _card):
        correction = meant(text, moment)
        if correction is not None:
            kept = ("what", "about", "at_s", "seat", "card", "count", "call")
            return Correction(**{name: getattr(correction, name) for name in kept}, said=said, by=by)
    raise InputFault(f"{said!r} was not understood", mend=f"say for example {EXAMPLES}")


def card_of(words: str, like: Card | None) -> Card | None:
    """The card that words name; what they leave out (colour or symbol) is as on `like`. None if they name none."""
    code = re.search(r"\b([rygb][0-9srd]|w4|wx|wm|wc)\b", words)
    if code:
        return Card.parse(code[1])
    colour = next((c for c in Colour if re.search(rf"\b{c.word}\b", words)), None)
    symbol = next((s for pattern, s in _SYMBOLS if re.search(rf"(?<!\w)(?:{pattern})(?!\w)", words)), None)
    if symbol is None and (colour is None or like is None or like.is_wild):
        return None
    symbol = symbol or (like.symbol if like else None)
    if symbol is None or symbol.is_wild:
        return Card(symbol) if symbol else None
    colour = colour or (like.colour if like else None)
    if colour is None:
        raise InputFault(f"{words!r} does not say which colour", mend='say it whole: "that was a red 6"')
    return Card(symbol, colour)


def seat_of(words: str, plan: SessionPlan) -> Seat | None:
    """The seat or the player that words name, None if nobody."""
    found = re.search(r"\bp(10|[1-9])\b", words)
    if found:
        seat = Seat.parse(f"P{found[1]}")
        if seat not in plan.players:
            raise InputFault(f"{seat} does not play", mend=f"the seats are {', '.join(map(str, plan.players))}")
        return seat
    named = [s for s, name in plan.players.items() if name and re.search(rf"\b{re.escape(name.lower())}\b", words)]
    return named[0] if len(named) == 1 else None


def _undo(text: str, moment: Moment) -> Correction | None:
    if not re.fullmatch(r"undo|that did not happen|that didn't happen|nothing happened|never", text):
        return None
    last = moment.last(Observation, lambda o: isinstance(o, CardLanded | CardsDrawn) or _stood(o))
    return Correction("never", about=(_wanted(last, "nothing to undo").id,))


def _stood(seen: Observation) -> bool:
    """Whether it is a call that may have counted."""
    return isinstance(seen, CallHeard) and seen.phase == "confirmed" and seen.certainty != "maybe"


def _call(text: str, moment: Moment) -> Correction | None:
    made = re.search(r"\bcall was made\b|\b(?:called|said|shouted)\b", text)
    if not made:
        return None
    call = next((c for word, c in _CALLS.items() if re.search(rf"\b{word}\b", text)), None)
    colour = next((f"colour:{c}" for c in Colour if re.search(rf"\b{c.word}\b", text)), None)
    seat = seat_of(text, moment.plan)
    landed = moment.last(CardLanded, lambda o: seat is None or o.seat in (seat, None))
    at_s = moment.at_s if moment.at_s is not None and not moment.evidence else None
    if at_s is None:
        at_s = _wanted(landed, "no card that was laid at that moment").t_s + AFTER_LANDING_S
    if seat is None and "call was made" in text and landed is not None:
        seat = landed.seat  # whoever had to call
    return Correction("call", at_s=at_s, call=call or colour or "uno", seat=seat)


def _drew(text: str, moment: Moment) -> Correction | None:
    found = re.search(rf"\bdrew\s+(?:only\s+)?(\d+|{'|'.join(_NUMBERS)}|a|nothing|none)\b", text)
    if not found:
        return None
    word = found[1]
    words = {**{w: n for n, w in enumerate(_NUMBERS)}, "a": 1, "nothing": 0, "none": 0}
    count = int(word) if word.isdigit() else words[word]
    seat = seat_of(text, moment.plan)
    drawn = moment.last(CardsDrawn, lambda o: seat is None or o.seat in (seat, None))
    near = drawn is not None and (moment.at_s is None or moment.at_s - drawn.t_s <= NEAR_S)
    if drawn is not None and near:
        return Correction("drew", about=(drawn.id,), count=count, seat=seat)
    if seat is None or moment.at_s is None:
        raise InputFault("no draw was noticed there", mend='name who and when: "P3 drew two" with --at 3:12')
    return Correction("drew", at_s=moment.at_s, seat=seat, count=count)


def _seat(text: str, moment: Moment) -> Correction | None:
    if not re.match(r"(?:it|that) was\b", text) or (seat := seat_of(text, moment.plan)) is None:
        return None
    acted = moment.last(Observation, lambda o: isinstance(o, CardLanded | CardsDrawn))
    return Correction("seat", about=(_wanted(acted, "nobody did anything there").id,), seat=seat)


def _card(text: str, moment: Moment) -> Correction | None:
    found = re.match(r"(?:(?:it|that|this) (?:was|is)|no,?|card)\s+(?:an?\s+|the\s+)?(.+)", text)
    landed = moment.last(CardLanded)
    card = card_of(found[1] if found else text, landed.reading.card if landed else None)
    if card is None:
        return None
    return Correction("card", about=(_wanted(landed, "no card that was laid at that moment").id,), card=card)


def _wanted(found: Kind | None, lack: str) -> Kind:
    if found is None:
        raise InputFault(f"there is {lack}", mend="give the moment with --at, as `referee review` shows it")
    return found
