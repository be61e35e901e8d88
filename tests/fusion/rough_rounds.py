"""Whole rounds of rough play as eye and ear would report them: all of it, or with gaps and blurs of every kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from referee.cards import Colour, Seat
from referee.fusion.desk import Judged
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import (
    ArmSeen,
    CallHeard,
    CardLanded,
    CardLifted,
    CardsDrawn,
    CardsShown,
    Observation,
    ViewChanged,
    Zone,
)
from referee.rules import entries as e
from referee.rules.random_games import FoulKind, RandomGame, play_round
from referee.rules.table import Table
from tests.fusion.scripted import back, covered, drew, laid, lifted, lost, reached, said, showed, unread

STEP_S = 8.0
COVER_S = 0.9
KINDS: tuple[FoulKind, ...] = ("wrong_card", "wrong_seat", "two_cards", "too_many", "missed")
Foul = tuple[str, str, int]


def rough_round(number: int, foul_rate: float = 0.3, most_entries: int = 40) -> RandomGame:
    return play_round(
        Random(number), seats=3 + number % 3, foul_rate=foul_rate, foul_kinds=KINDS, most_entries=most_entries
    )


def seen(event: e.Event, who: str | None, t_s: float) -> list[Observation]:
    """What perfect eyes and ears report of one event."""
    match event:
        case e.Opening():
            return [laid(None, event.card.code, t_s, found=True)]
        case e.Play() if who:
            named = [said(f"colour:{event.colour.value}", t_s + 0.3)] if isinstance(event.colour, Colour) else []
            return [reached(who, Zone.DISCARD, t_s - 0.3), laid(who, event.card.code, t_s), *named]
        case e.Draw() if who:
            times = [t_s + 1.2 * n for n in range(event.count)]
            return [o for at_s in times for o in (reached(who, Zone.DRAW, at_s - 0.3), drew(who, at_s))]
        case e.TakeBack() if who:
            return [lifted(who, event.card.code, t_s)]
        case e.SayUno():
            return [said("uno", t_s + 0.1)]
        case e.ColourCall() if isinstance(event.colour, Colour):
            return [said(f"colour:{event.colour.value}", t_s)]
        case e.Catch():
            return [said("catch", t_s)]
        case e.Challenge():
            return [said("challenge", t_s)]
        case e.Verdict() if event.word in ("guilty", "innocent"):
            return [said(event.word, t_s)]
        case e.Show() if who:
            return [showed(who, " ".join(card.code for card in event.cards), t_s)]
        case _:
            return []


def observed(game: RandomGame) -> list[list[Observation]]:
    """What is seen and heard of every entry."""
    found: list[list[Observation]] = []
    for index, item in enumerate(game.items):
        of_entry: list[Observation] = []
        if isinstance(item, e.Entry):
            who = str(item.subject) if isinstance(item.subject, Seat) else None
            for number, event in enumerate(item.events):
                of_entry += seen(event, who, index * STEP_S + 0.01 * number)
        found.append(of_entry)
    return found


def watched(entries: Sequence[Sequence[Observation]], unseen: Iterable[int] = ()) -> list[Observation]:
    """What is left when the entries `unseen` are not seen at all; the eye says when something hides the pile.

    Whatever hid a card from it hides the pile until the next card lies there; that it goes back does not show either.
    """
    gone = _with_what_went_back(entries, unseen)
    found: list[Observation] = []
    for index, of_entry in enumerate(entries):
        kept = [] if index in gone else list(of_entry)
        for change in (o for o in of_entry if isinstance(o, CardLanded | CardLifted)):
            found.append(covered(change.t_s - COVER_S))
            found += [] if index in gone else [back(change.t_s + 0.5)]
        found += kept
    return sorted(found, key=lambda o: o.t_s)


def in_a_blind_spot(entries: Sequence[Sequence[Observation]], unseen: Iterable[int]) -> list[Observation]:
    """The same where the eye does not know that anything was hidden from it: one entry, the first of `unseen`."""
    gone = _with_what_went_back(entries, list(unseen)[:1])
    return watched([[] if index in gone else of_entry for index, of_entry in enumerate(entries)])


def _with_what_went_back(entries: Sequence[Sequence[Observation]], unseen: Iterable[int]) -> frozenset[int]:
    gone = frozenset(unseen)
    lifts = {n + 1 for n in gone if n + 1 < len(entries) and any(isinstance(o, CardLifted) for o in entries[n + 1])}
    return gone | lifts


def in_the_dark(entries: Sequence[Sequence[Observation]], unseen: Iterable[int]) -> list[Observation]:
    """The same where the lights went out for the entries `unseen`."""
    found = watched(entries)
    for index in unseen:
        begun_s, ended_s = (index - 0.3) * STEP_S, (index + 0.5) * STEP_S
        found = [o for o in found if isinstance(o, CallHeard) or not begun_s <= o.t_s <= ended_s]
        changes = [o for o in entries[index] if isinstance(o, CardLanded | CardLifted)]
        found += [lost(begun_s), *(replace(o, seat=None, t_s=ended_s - 0.1) for o in changes[-1:]), back(ended_s)]
    return sorted(found, key=lambda o: o.t_s)


def in_a_push(entries: Sequence[Sequence[Observation]], unseen: Iterable[int]) -> list[Observation]:
    """The same where the camera is pushed: gone for a second, and then a hand is over the pile."""
    gone = _with_what_went_back(entries, unseen)
    found = watched(entries, gone)
    for index in gone:
        at_s = max((o.t_s for o in entries[index]), default=index * STEP_S)
        found += [lost(at_s - 0.8), covered(at_s + 0.4)]
        found = [o for o in found if not (at_s - 0.8 < o.t_s < at_s + 0.4 and isinstance(o, ViewChanged))]
    return sorted(found, key=lambda o: o.t_s)


def plain(entries: Sequence[Sequence[Observation]], unseen: Iterable[int] = ()) -> list[Observation]:
    """The same from an eye that never says what hides the pile."""
    gone = _with_what_went_back(entries, unseen)
    kept = [o for index, of_entry in enumerate(entries) if index not in gone for o in of_entry]
    return sorted(kept, key=lambda o: o.t_s)


def blurred(observations: Sequence[Observation], rng: Random, share: float) -> list[Observation]:
    """Some of it half seen: cards that cannot be read, nobody's arm, counts as bounds, words perhaps said."""
    found: list[Observation] = []
    for o in observations:
        found += [o] if rng.random() >= share or o.t_s < STEP_S / 2 else _half_seen(o, rng)
    return found


def _half_seen(o: Observation, rng: Random) -> list[Observation]:
    match o:
        case CardLanded() | CardLifted():
            return rng.choice([[unread(o.t_s)], [replace(o, seat=None)]])
        case CardsDrawn():
            nobody = replace(o, seat=None, at_least=0, at_most=2)
            return [rng.choice([nobody, replace(o, at_least=0), replace(o, at_most=2)])]
        case CallHeard():
            return rng.choice([[], [replace(o, certainty="maybe")]])
        case CardsShown():
            return [replace(o, complete=False, readings=o.readings[:-1])]
        case ArmSeen():
            return []
        case _:
            return [o]


def told(game: RandomGame, observations: Iterable[Observation]) -> set[Foul]:
    """(code, seat, index of the entry) of every foul that the referee rules."""
    scribe = Scribe(game.profile, TableStart(game.seats, game.dealer))
    written = [w for o in observations for w in scribe.take(o) if isinstance(w, Judged)]
    return {
        (i.code, str(i.seat), int((w.t_s + 1) // STEP_S))
        for w in written
        for i in w.ruling.incidents
        if i.kind == "foul"
    }


def on_purpose(game: RandomGame) -> set[Foul]:
    """The fouls that the judge finds in the true record."""
    table = Table(game.profile, game.seats, game.dealer)
    return {
        (i.code, str(i.seat), index)
        for index, item in enumerate(game.items)
        for i in table.push(item).incidents
        if i.kind == "foul"
    }


def innocent(ruled: set[Foul], true: set[Foul]) -> set[Foul]:
    """Rulings against a player who did nothing wrong then; a card taken back proves the foul of the entry before."""
    return {
        (code, seat, at) for code, seat, at in ruled if not any(s == seat and at - 1 <= n <= at for _, s, n in true)
    }
