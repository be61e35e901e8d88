"""The adapter to lark: one piece of UGN in, one item out. No other module imports lark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from referee.cards import Card, Colour, Seat
from referee.rules import entries as e

_EXPECTED = {
    "CARD": "a card such as R5, GS or W4",
    "NAMED": "> and a colour R, Y, G, B or ?",
    "SEAT": "a seat P1 to P10",
    "INT": "a number",
    "STRING": 'text in "double quotes"',
    "CAUSE": "a cause: turn, d2, w4, uno, bluff, doubt, foul, tip, house or start",
    "VERDICT": "a verdict: guilty, innocent, late, caught, safe or void",
    "ZONE": "a zone: draw, discard or hand",
    "COLON": "a colon after the seat",
    "NAME": "the name of a tag",
    "RPAR": "a closing bracket )",
    "LPAR": "an opening bracket (",
    "RSQB": "a closing bracket ]",
    "EQUAL": "= and the points",
}


class UnreadableError(ValueError):
    """A piece of UGN that is no entry: `offset` into the piece, `what` is wrong, and how to `mend` it."""

    def __init__(self, offset: int, what: str, mend: str) -> None:
        super().__init__(what)
        self.offset = offset
        self.what = what
        self.mend = mend


def parse_piece(text: str) -> tuple[e.Item, ...]:
    """The item written in `text`, or several tags of one line; UnreadableError if it is none."""
    try:
        return cast("tuple[e.Item, ...]", _parser().parse(text))
    except UnexpectedInput as fault:
        raise _unreadable(text, fault) from None


@lru_cache(maxsize=1)
def _parser() -> Lark:
    grammar = (files("referee.rules.ugn") / "ugn.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", transformer=_Build())


def _unreadable(text: str, fault: UnexpectedInput) -> UnreadableError:
    offset = fault.pos_in_stream or 0
    names: set[str] = set(getattr(fault, "allowed", None) or getattr(fault, "accepts", None) or ())
    if isinstance(fault, UnexpectedCharacters):
        found = text[offset:].split(maxsplit=1)[0]
    elif isinstance(fault, UnexpectedToken) and fault.token.type != "$END":
        found = str(fault.token)
    else:
        found, offset = "", len(text)
    what = f"cannot read {found[:24]!r} here" if found else "the entry breaks off"
    wanted = [_EXPECTED[name] for name in sorted(names & _EXPECTED.keys())]
    if found.startswith(">"):
        return UnreadableError(offset, what, "a colour is R, Y, G, B or ?")
    if not wanted or "JUMP" in names:  # anything may follow: an event is missing
        return UnreadableError(offset, what, "an entry reads like `P1: R5`, `P2: +1 --` or `P3: UNO?P1`")
    return UnreadableError(offset, what, "expected " + " or ".join(wanted))


def _seconds(clock: str) -> float:
    total = Decimal(0)
    for part in clock.split(":"):
        total = total * 60 + Decimal(part)
    return float(total)


def _named(letter: str) -> e.NamedColour:
    return e.UNHEARD if letter == "?" else Colour(letter.upper())


class _Number(int):
    """An entry's number, apart from other numbers."""


@dataclass(frozen=True, slots=True)
class _LateTarget:
    """A colour said on its own, and whose hand was taken: `WX >R *P3`."""

    call: e.ColourCall
    seat: Seat


def _simple(kind: Callable[[], e.Event]) -> Callable[[_Build, list[Any]], e.Event]:
    def build(_self: _Build, _children: list[Any]) -> e.Event:
        return kind()

    return build


class _Build(Transformer[Token, Any]):
    """Turns the parts of a piece into entries as they are read."""

    def CARD(self, token: Token) -> Token:  # noqa: N802 - lark's name for a terminal's callback
        return token.update(value=token.upper())

    def SEAT(self, token: Token) -> Seat:  # noqa: N802
        return Seat.parse(token)

    def NAMED(self, token: Token) -> e.NamedColour:  # noqa: N802
        return _named(token[1:].strip())

    LATER = NAMED

    def FLAG(self, token: Token) -> e.Flag:  # noqa: N802
        code, _, detail = token[1:].partition("[")
        return e.Flag(code, detail.removesuffix("]"))

    def number(self, children: list[Any]) -> _Number:
        return _Number(children[0])

    def time(self, children: list[Any]) -> float:
        return _seconds(children[0])

    def subject(self, children: list[Any]) -> e.Subject:
        who = children[0]
        return who if isinstance(who, Seat) else cast("e.Office", str(who).lower())

    def colour(self, children: list[Any]) -> e.NamedColour:
        return cast("e.NamedColour", children[0])

    def target(self, children: list[Any]) -> tuple[str, Seat]:
        return ("target", children[0])

    def play(self, children: list[Any]) -> e.Play:
        codes = [c for c in children if isinstance(c, Token) and c.type == "CARD"]
        sure = next((float(c[1:]) for c in children if isinstance(c, Token) and c.type == "SURENESS"), None)
        return e.Play(
            readings=tuple(Card.parse(code) for code in codes),
            confidence=sure,
            colour=next((c for c in children if isinstance(c, (Colour, e.Unheard))), None),
            target=next((c[1] for c in children if isinstance(c, tuple)), None),
            jump=any(isinstance(c, Token) and c.type == "JUMP" for c in children),
            blank=int(codes[0][2]) if codes[0][:2] == "WC" and len(codes[0]) == 3 else None,
        )

    def draw(self, children: list[Any]) -> e.Draw:
        cause = next((str(c).lower() for c in children if isinstance(c, Token) and c.type == "CAUSE"), None)
        cards = next((c for c in children if isinstance(c, tuple)), None)
        bounds = sorted(int(c) for c in children if isinstance(c, Token) and c.type == "INT")
        most = bounds[-1] if bounds[-1] > bounds[0] else None
        return e.Draw(bounds[0], cast("e.Cause | None", cause), cards, most)

    def most(self, children: list[Any]) -> Token:
        return cast("Token", children[0])

    def drawn(self, children: list[Any]) -> tuple[Card | None, ...]:
        return tuple(None if c == "?" else Card.parse(c) for c in children)

    def catch(self, children: list[Any]) -> e.Catch:
        return e.Catch(next(c for c in children if isinstance(c, Seat)))

    def verdict(self, children: list[Any]) -> e.Verdict:
        return e.Verdict(cast("e.VerdictWord", str(children[0]).lower()))

    def colour_call(self, children: list[Any]) -> _LateTarget | e.ColourCall:
        call = e.ColourCall(children[0])
        return _LateTarget(call, children[1][1]) if len(children) > 1 else call

    def takeback(self, children: list[Any]) -> e.TakeBack:
        return e.TakeBack(Card.parse(children[0]))

    def show(self, children: list[Any]) -> e.Show:
        return e.Show(_cards(children))

    def touch(self, children: list[Any]) -> e.Touch:
        return e.Touch(cast("e.Zone", str(children[-1]).lower()))

    def reshuffle(self, children: list[Any]) -> e.Reshuffle:
        return e.Reshuffle(int(children[1]) if len(children) > 1 else None)

    def opening(self, children: list[Any]) -> e.Opening:
        return e.Opening(Card.parse(children[1]), children[2] if len(children) > 2 else None)

    def word(self, children: list[Any]) -> e.Word:
        return e.Word(str(children[-1])[1:-1])

    def hand(self, children: list[Any]) -> e.HandCount:
        open_hand = len(children) > 2 and children[2] == "("
        return e.HandCount(children[0], int(children[1]), _cards(children) if open_hand else None)

    def result(self, children: list[Any]) -> e.Result:
        seat = next(c for c in children if isinstance(c, Seat))
        return e.Result(seat, tuple(c for c in children if isinstance(c, e.HandCount)))

    def tag(self, children: list[Any]) -> e.Tag:
        return e.Tag(str(children[0]), str(children[1])[1:-1])

    def flag(self, children: list[Any]) -> e.Flag:
        return cast("e.Flag", children[0])

    def tags(self, children: list[Any]) -> tuple[e.Item, ...]:
        return tuple(children)

    def entry(self, children: list[Any]) -> tuple[e.Item, ...]:
        number, time_s, rest = _heading(children)
        flags = tuple(c for c in rest if isinstance(c, e.Flag))
        events = _with_late_targets([c for c in rest[1:] if not isinstance(c, e.Flag)])
        return (e.Entry(rest[0], events, flags, time_s, number),)

    def flags(self, children: list[Any]) -> tuple[e.Item, ...]:
        number, time_s, rest = _heading(children)
        return (e.Entry(None, (), tuple(rest), time_s, number),)

    def outcome(self, children: list[Any]) -> tuple[e.Item, ...]:
        number, time_s, rest = _heading(children)
        return (e.Result(rest[0].winner, rest[0].hands, tuple(rest[1:]), time_s, number),)

    pass_ = _simple(e.Pass)
    say = _simple(e.SayUno)
    challenge = _simple(e.Challenge)


setattr(_Build, "pass", _Build.pass_)


def _cards(children: list[Any]) -> tuple[Card, ...]:
    return tuple(Card.parse(c) for c in children if isinstance(c, Token) and c.type == "CARD")


def _with_late_targets(events: list[Any]) -> tuple[e.Event, ...]:
    """Events with each target that stands after a colour said on its own given to the play before it."""
    found: list[e.Event] = []
    for event in events:
        if not isinstance(event, _LateTarget):
            found.append(event)
            continue
        for place in reversed(range(len(found))):
            play = found[place]
            if isinstance(play, e.Play):
                found[place] = replace(play, target=event.seat)
                break
        found.append(event.call)
    return tuple(found)


def _heading(children: list[Any]) -> tuple[int | None, float | None, list[Any]]:
    """An entry's number, its time in seconds, and what follows them."""
    rest = list(children)
    number = int(rest.pop(0)) if isinstance(rest[0], _Number) else None
    time_s = rest.pop(0) if isinstance(rest[0], float) else None
    return number, time_s, rest
