"""From a game record to the script of a film: which entries can be seen or heard at the table, and how."""

from __future__ import annotations

from collections.abc import Sequence

from referee.cards import Card, Colour, Seat, Symbol
from referee.rules.entries import (
    Catch,
    Challenge,
    ColourCall,
    Entry,
    Event,
    Item,
    Opening,
    Pass,
    Play,
    Reshuffle,
    Result,
    SayUno,
    Tag,
    Touch,
    Verdict,
    Word,
)
from referee.rules.entries import Draw as DrawEvent
from referee.rules.entries import Show as ShowEvent
from referee.rules.entries import TakeBack as TakeBackEvent
from referee.synth.film_script import Beat, Call, Draw, Lay, NextRound, Refill, Show, Start, TakeBack


def seats_of(items: Sequence[Item]) -> tuple[Seat, ...]:
    """The seats that the record's tags name, clockwise. ValueError when they are not P1, P2, … without a gap."""
    named = {item.name.upper() for item in items if isinstance(item, Tag)}
    seats = tuple(seat for seat in Seat if seat.name in named)
    if seats != Seat.first(max(len(seats), 1)):
        raise ValueError('the record names no seats, or leaves one out: write a tag for each, as [P1 "Ana"]')
    return seats


def first_dealer(items: Sequence[Item]) -> Seat:
    """Who deals the first round: as a tag says, else the last of the seats."""
    named = next((item.value for item in items if isinstance(item, Tag) and item.name == "Dealer"), None)
    return Seat.parse(named) if named else seats_of(items)[-1]


def beats_of(items: Sequence[Item], dealers: Sequence[Seat] = ()) -> tuple[Beat, ...]:
    """The script of a record; each beat carries the index of its item.

    The hands that a result lists are laid open at the end of the round. Verdicts, passes, flags and other speech
    need no picture. The dealer reshuffles. dealers: of each round; of the first alone when empty. Raises ValueError
    for an entry that needs a player and has none, and for a round without a dealer.
    """
    beats: list[Beat] = []
    waiting = list(dealers) or [first_dealer(items)]
    dealer, over = waiting.pop(0), False
    for index, item in enumerate(items):
        if isinstance(item, Entry):
            for position, event in enumerate(item.events):
                if over and isinstance(event, Opening):
                    if not waiting:
                        raise ValueError("it is not known who deals the next round")
                    dealer, over = waiting.pop(0), False
                    beats += [NextRound(index, dealer), Start(index, event.card, dealer)]
                    continue
                beats += _of_event(index, item, position, event, beats, dealer)
        elif isinstance(item, Result):
            over = True
            beats += [Show(index, hand.seat, hand.cards, stays=True) for hand in item.hands if hand.cards is not None]
    return tuple(beats)


def _of_event(
    index: int, entry: Entry, position: int, event: Event, so_far: Sequence[Beat], dealer: Seat
) -> list[Beat]:
    match event:
        case Opening():
            return [Start(index, event.card)]
        case Verdict() | Pass() | Word() | Touch():
            return []
        case Reshuffle():
            return [Refill(index, dealer)]
    seat = entry.subject
    if not isinstance(seat, Seat):
        raise ValueError(f"a drawn film cannot show what {seat or 'nobody'} does")
    match event:
        case Play():
            return [_lay(index, entry, position, event, seat)]
        case SayUno():
            with_card = any(isinstance(other, Play) for other in entry.events)
            return [] if with_card else [Call(index, seat, "uno")]
        case DrawEvent():
            return [Draw(index, seat, event.count)] if event.count else []
        case TakeBackEvent():
            return [TakeBack(index, seat, event.card)]
        case Catch():
            return [Call(index, seat, "catch")]
        case Challenge():
            return [Call(index, seat, "challenge")]
        case ColourCall():
            return [Call(index, seat, f"colour:{event.colour}")] if isinstance(event.colour, Colour) else []
        case ShowEvent():
            return [_show(index, entry, event, seat, so_far)]


def _lay(index: int, entry: Entry, position: int, play: Play, seat: Seat) -> Lay:
    said = [number for number, other in enumerate(entry.events) if isinstance(other, SayUno)]
    uno = None if not said else ("before" if said[0] < position else "after")
    colour = play.colour.value if isinstance(play.colour, Colour) else None
    return Lay(index, seat, play.card, colour, uno)  # type: ignore[arg-type]


def _show(index: int, entry: Entry, event: ShowEvent, seat: Seat, so_far: Sequence[Beat]) -> Show:
    if any(isinstance(other, Challenge) for other in entry.events):
        doubted = Card(Symbol.WILD_DRAW_FOUR)
        laid = [beat.seat for beat in so_far if isinstance(beat, Lay) and beat.card == doubted]
        if not laid:
            raise ValueError("a challenge comes before any Wild Draw Four was laid")
        seat = laid[-1]
    return Show(index, seat, event.cards)
