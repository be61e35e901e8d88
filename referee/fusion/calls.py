"""Who said it: one microphone hears a word, the state of the game tells whose word it can be.

Nobody is accused by this guess. A call that fits no one is kept as speech; where two players could have called, the
benefit goes to the one whom silence would cost cards.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cards import Colour, Seat
from referee.observations import CallHeard
from referee.rules.entries import Catch, Challenge, ColourCall, Event, SayUno, Subject, Verdict, VerdictWord
from referee.rules.state import State

_VERDICTS: dict[str, VerdictWord] = {"guilty": "guilty", "innocent": "innocent"}


@dataclass(frozen=True, slots=True)
class Attributed:
    """A call as an entry: who said it (`table` when only somebody is known) and what it does."""

    subject: Subject
    event: Event


EARLY_COLOUR_SURE = 0.8
"""So sure must a colour be that is heard before there is a wild to name it for."""


def colour_of(call: CallHeard) -> Colour | None:
    """The colour that a call names, None if it names none."""
    kind, _, letter = call.call.partition(":")
    return Colour(letter) if kind == "colour" else None


def count_of(call: CallHeard) -> int | None:
    """How many cards a call says are drawn (`draw:2`), None if it says no number."""
    kind, _, number = call.call.partition(":")
    return int(number) if kind == "draw" and number.isdigit() else None


def attribute(call: CallHeard, state: State) -> Attributed | None:
    """What `call` means in this state of the game; None if it can mean nothing (chatter, a repeated word)."""
    if (colour := colour_of(call)) is not None:
        return Attributed(state.namer, ColourCall(colour)) if state.namer else None
    match call.call:
        case "uno":
            caller = uno_caller(state)
            return Attributed(caller, SayUno()) if caller else None
        case "catch":
            target = catch_target(state)
            return Attributed("table", Catch(target)) if target else None
        case "challenge":
            doubt = state.draw_four
            if doubt and doubt.status == "open" and not doubt.last:
                return Attributed(doubt.victim, Challenge())
            return None
        case "guilty" | "innocent":
            doubt = state.draw_four
            if doubt and doubt.status == "asked" and doubt.challenger:
                return Attributed(doubt.challenger, Verdict(_VERDICTS[call.call]))
            return None
        case _:
            return None


def uno_caller(state: State) -> Seat | None:
    """Whose call an UNO can be: a seat with one card that has not called, else the mover if two cards are left."""
    uncalled = [last.seat for last in state.last_cards if last.status == "open"]
    if uncalled:
        return uncalled[-1]
    actor = state.to_act
    if actor and state.hands[actor].least <= 2 <= state.hands[actor].most and not _has_called(state, actor):
        return actor
    return None


def catch_target(state: State) -> Seat | None:
    """Whom a catch can mean: the seat with one card whose call is open, else the last that has one card."""
    if not state.last_cards:
        return None
    uncalled = [last.seat for last in state.last_cards if last.status == "open"]
    return uncalled[-1] if uncalled else state.last_cards[-1].seat


def _has_called(state: State, seat: Seat) -> bool:
    return state.early_call is not None and state.early_call.seat is seat
