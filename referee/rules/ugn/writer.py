"""Writes UGN: an entry to a line, and the canonical form in which equal games are equal texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from referee.cards import Card, Symbol
from referee.rules import entries as e


def format_items(items: Iterable[e.Item]) -> str:
    """A whole record as text: one item a line, ending with a line break."""
    return "".join(f"{format_item(item)}\n" for item in items)


def format_item(item: e.Item) -> str:
    """One tag, entry or result as UGN. Reading it again gives an equal item."""
    if isinstance(item, e.Tag):
        return f'[{item.name} "{item.value}"]'
    parts = [] if item.number is None else [f"{item.number}."]
    if item.time_s is not None:
        parts.append(_clock(item.time_s))
    if isinstance(item, e.Result):
        parts += ["wins", str(item.winner), *(_hand(hand) for hand in item.hands)]
    elif item.subject is not None:
        parts += [f"{item.subject}:", *(format_event(event) for event in item.events)]
    parts += [f"!{flag.code}[{flag.detail}]" if flag.detail else f"!{flag.code}" for flag in item.flags]
    return " ".join(parts)


def canonical_text(items: Iterable[e.Item]) -> str:
    """The record for hashing and comparing: no times, numbers or flags, every draw with its cause.

    A draw whose cause nobody wrote counts as one of the turn; `Record.canonical` fills the causes by the rules.
    """
    return format_items(_bare(item) for item in items if not isinstance(item, e.Entry) or item.subject is not None)


def format_event(event: e.Event) -> str:
    """One event as UGN."""
    match event:
        case e.Play():
            return _play(event)
        case e.Draw():
            cause = f":{event.cause}" if event.cause else ""
            cards = "" if event.cards is None else f"=({' '.join(c.code if c else '?' for c in event.cards)})"
            most = "" if event.most is None else f"..{event.most}"
            return f"+{event.count}{most}{cause}{cards}"
        case e.Pass():
            return "--"
        case e.SayUno():
            return "UNO!"
        case e.Catch():
            return f"UNO?{event.seat}"
        case e.Challenge():
            return "W4?"
        case e.Verdict():
            return f"={event.word}"
        case e.ColourCall():
            return f">{event.colour}"
        case e.TakeBack():
            return f"<{event.card}"
        case e.Show():
            return f"show({_codes(event.cards)})"
        case e.Touch():
            return f"touch({event.zone})"
        case e.Reshuffle():
            return "reshuffle" if event.count is None else f"reshuffle({event.count})"
        case e.Opening():
            return f"start {event.card}" + (f">{event.colour}" if event.colour else "")
        case e.Word():
            return f'say("{event.text}")'


def _play(play: e.Play) -> str:
    codes = "|".join(_code(card, play.blank) for card in play.readings)
    sure = "" if play.confidence is None else f"~{_fraction(play.confidence)}"
    colour = f">{play.colour}" if play.colour else ""
    target = f"*{play.target}" if play.target else ""
    return f"{'^' if play.jump else ''}{codes}{sure}{colour}{target}"


def _code(card: Card, blank: int | None) -> str:
    return f"WC{blank}" if blank and card.symbol is Symbol.WILD_CUSTOMIZABLE else card.code


def _codes(cards: Iterable[Card]) -> str:
    return " ".join(card.code for card in cards)


def _hand(hand: e.HandCount) -> str:
    return f"{hand.seat}={hand.points}" + ("" if hand.cards is None else f"({_codes(hand.cards)})")


def _fraction(value: float) -> str:
    text = format(Decimal(repr(value)), "f")
    return text if "." in text or text in "01" else f"{text}.0"


def _clock(time_s: float) -> str:
    whole, seconds = divmod(Decimal(repr(time_s)), 60)
    hours, minutes = divmod(int(whole), 60)
    text = format(seconds, "f")
    text = text if len(text.partition(".")[0]) > 1 else f"0{text}"
    return f"@{hours}:{minutes:02}:{text}" if hours else f"@{minutes}:{text}"


def _bare(item: e.Item) -> e.Item:
    if isinstance(item, e.Tag):
        return item
    item = replace(item, time_s=None, number=None, flags=())
    if isinstance(item, e.Result):
        return item
    return replace(item, events=tuple(_with_cause(event) for event in item.events))


def _with_cause(event: e.Event) -> e.Event:
    return replace(event, cause="turn") if isinstance(event, e.Draw) and event.cause is None else event
