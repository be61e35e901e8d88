"""Takes the events of an entry one by one, each to the part of the judge that knows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.cards import Card, Colour, Seat
from referee.rules import entries as e
from referee.rules.judge import challenge, draws, finish, opening, plays, uno, words, worlds
from referee.rules.judge.bench import Bench
from referee.rules.profiles import Profile
from referee.rules.ruling import Debt, Incident, Ruling
from referee.rules.state import State


def judge(
    profile: Profile,
    state: State,
    item: e.Entry | e.Result,
    index: int,
    lines: Sequence[int | None],
    *,
    clear: bool = True,
) -> tuple[State, Ruling]:
    """Judge one entry. `state` is left as it is. `index`, `lines`: its place in the game and earlier file lines.

    clear: whether the sound of this moment can be trusted; if not, a missed call is asked about, never ruled.
    """
    b = Bench(profile, state.copy(), item, index, lines, clear=clear)
    b.origin = state
    if isinstance(item, e.Result):
        result = item
        worlds.settle(b, lambda bench: finish.close(bench, result))
    else:
        if state.phase == "scored" and any(isinstance(event, _MOVES) for event in item.events):
            b.state = opening.next_round(profile, b.state)  # dealt, and nobody wrote it down
        _events(b, item)
    found = b.state
    incidents = b.incidents if len(b.incidents) < 2 else _once(b.incidents)
    return found, Ruling(item, incidents, found.debts, found.to_act, b.remarks, b.withdrawn, b.causes)


def _once(incidents: tuple[Incident, ...]) -> tuple[Incident, ...]:
    """One incident for one fault of a seat in one entry, with the latest facts: three draws too many are one."""
    found: dict[object, Incident] = {}
    for number, incident in enumerate(incidents):
        found[(incident.code, incident.seat, incident.entry) if incident.seat else number] = incident
    return tuple(found.values())


def _events(b: Bench, entry: e.Entry) -> None:
    """Judge one event after the other; calls take their verdict and the hand shown for them out of the rest."""
    rest = list(entry.events)
    while rest:
        event = rest.pop(0)
        if (handler := _HANDLERS.get(type(event))) is not None:
            handler(b, entry, event)
        elif isinstance(event, e.Catch):
            _catch(b, entry, event, _word(rest))
        elif isinstance(event, e.SayUno):
            _say_uno(b, entry, _word(rest))
        elif isinstance(event, e.Challenge):
            shown = _shown(rest)
            _challenge(b, entry, shown, _word(rest))
        b.origin = None


def _word(events: list[e.Event]) -> e.VerdictWord | None:
    """The verdict that follows in the same entry, taken out of it."""
    for event in events:
        if isinstance(event, e.Verdict):
            events.remove(event)
            return event.word
        if isinstance(event, (e.Play, e.Catch, e.Challenge)):
            return None
    return None


def _shown(events: list[e.Event]) -> tuple[Card, ...] | None:
    """The hand laid open in the same entry, taken out of it."""
    for event in events:
        if isinstance(event, e.Show):
            events.remove(event)
            return event.cards
    return None


def _actor(b: Bench, entry: e.Entry) -> Seat:
    """Who acted; where nobody saw whose hand it was, the one whose move it is: no blame on doubt."""
    return entry.subject if isinstance(entry.subject, Seat) else b.state.to_act or b.state.turn


def _play(b: Bench, entry: e.Entry, event: e.Play) -> None:
    if not b.state.rivals:  # the common case, without a detour
        plays.lay(b, _actor(b, entry), event)
        return
    worlds.settle(b, lambda bench: plays.lay(bench, _actor(bench, entry), event))


def _draw(b: Bench, entry: e.Entry, event: e.Draw) -> None:
    if not b.state.rivals:
        draws.draw(b, _actor(b, entry), event)
        return
    # What perhaps did not happen shows nothing about where a wrong card lies.
    judged = worlds.settle if event.count else worlds.everywhere
    judged(b, lambda bench: draws.draw(bench, _actor(bench, entry), event))


def _pass(b: Bench, entry: e.Entry, _event: e.Pass) -> None:
    if not b.state.rivals:
        draws.pass_turn(b, _actor(b, entry))
        return
    worlds.settle(b, lambda bench: draws.pass_turn(bench, _actor(bench, entry)))


def _say_uno(b: Bench, entry: e.Entry, verdict: e.VerdictWord | None) -> None:
    if isinstance(entry.subject, Seat) and entry.subject in b.state.hands:
        seat = entry.subject
        worlds.everywhere(b, lambda bench: uno.say(bench, seat, verdict))


def _catch(b: Bench, entry: e.Entry, event: e.Catch, verdict: e.VerdictWord | None) -> None:
    catcher = entry.subject if isinstance(entry.subject, Seat) else None
    uno.catch(b, catcher, event.seat, verdict)


def _challenge(b: Bench, entry: e.Entry, shown: tuple[Card, ...] | None, verdict: e.VerdictWord | None) -> None:
    worlds.settle(b, lambda bench: challenge.challenge(bench, _actor(bench, entry), shown, verdict))


def _verdict(b: Bench, _entry: e.Entry, event: e.Verdict) -> None:
    if event.word in ("guilty", "innocent", "late", "void"):
        challenge.answer(b, None, event.word)
    if event.word in ("safe", "void", "late"):
        uno.overruled(b)


def _colour_call(b: Bench, entry: e.Entry, event: e.ColourCall) -> None:
    worlds.everywhere(b, lambda bench: _name_colour(bench, entry.subject, event.colour))


def _name_colour(b: Bench, subject: e.Subject | None, colour: e.NamedColour) -> None:
    """A colour is said: it counts for the wild on top until the next move, from whoever named none yet."""
    s = b.state
    if not s.top or not s.top[0].is_wild or s.phase != "play":
        return
    owner = s.laid[0] if s.laid else None
    named = isinstance(s.colour, Colour)
    if s.namer is None and subject is not owner and isinstance(subject, Seat):
        return
    if not isinstance(colour, Colour):
        s.colour = s.colour if named else colour
        return
    before = s.colour_before
    if colour is before and not b.profile.wild.may_keep_colour and isinstance(subject, Seat) and s.laid:
        b.flag("colour_not_changed", subject, colour=colour)
    s.colour, s.namer = colour, None


def _take_back(b: Bench, entry: e.Entry, event: e.TakeBack) -> None:
    s = b.state
    seat = _actor(b, entry)
    if not isinstance(entry.subject, Seat) and (card := s.taking or s.laid):
        seat = card[0]
    if s.taking is not None and s.taking[0] is seat:
        s.taking, s.rivals, s.laid = None, (), None
        return
    if b.profile.foul.window == "round_end" and (seat, event.card) in s.lapsed:
        s.lapsed = tuple(old for old in s.lapsed if old != (seat, event.card))
        s.set_hand(seat, s.hands[seat].with_cards(1, (event.card,)))
        return
    b.flag("took_back_played_card", seat, card=event.card)
    if s.laid == (seat, event.card) and s.undo is not None:
        b.state = s.undo.copy()
        b.state.rivals, b.state.taking = (), None


def _show(b: Bench, entry: e.Entry, event: e.Show) -> None:
    s = b.state
    four = s.draw_four
    if four and four.status == "asked":
        challenge.answer(b, event.cards, None)
        return
    seat = entry.subject
    challenge.shown_openly(b, seat if isinstance(seat, Seat) else None, event.cards)
    if not isinstance(seat, Seat) or seat not in s.hands:
        return
    hand = s.hands[seat]
    if len(event.cards) > hand.most:
        b.flag("hand_count_mismatch", seat, count=len(event.cards), number=hand.count)


def _touch(b: Bench, entry: e.Entry, event: e.Touch) -> None:
    seat = entry.subject
    if isinstance(seat, Seat) and seat in (b.state.turn, b.state.to_act):
        uno.begin(b, seat, "lift" if event.zone == "hand" else "reach")


def _reshuffle(b: Bench, _entry: e.Entry, event: e.Reshuffle) -> None:
    opening.refill(b, event)


def _opening(b: Bench, _entry: e.Entry, event: e.Opening) -> None:
    worlds.settle(b, lambda bench: opening.turn_up(bench, event))


def _say(b: Bench, entry: e.Entry, event: e.Word) -> None:
    if entry.subject is None:
        return
    s = b.state
    if (seat := words.leaver(entry.subject, event.text)) is not None and s.phase == "play":
        worlds.everywhere(b, lambda bench: opening.leave(bench, seat))
        return
    count = b.profile.foul.advice_draws
    speaker = entry.subject
    if count and isinstance(speaker, Seat) and speaker is not s.turn and words.is_advice(event.text):
        b.flag("advice", speaker, count=count)
        s.allowed = (*s.allowed, Debt(speaker, count, "tip", count))


_MOVES = (e.Play, e.Draw, e.Pass)

_HANDLERS: dict[type, Callable[[Bench, e.Entry, Any], None]] = {
    e.Play: _play,
    e.Draw: _draw,
    e.Pass: _pass,
    e.Verdict: _verdict,
    e.ColourCall: _colour_call,
    e.TakeBack: _take_back,
    e.Show: _show,
    e.Touch: _touch,
    e.Reshuffle: _reshuffle,
    e.Opening: _opening,
    e.Word: _say,
}
