"""What truly happens in a drawn film, as JSON: events, arms, gestures, bumps, the fouls to be found."""

from __future__ import annotations

from typing import Any

from referee.cards import Seat
from referee.rules.entries import Entry, Item, Result, Tag
from referee.rules.profiles import Profile
from referee.rules.table import Table
from referee.synth.film import Film
from referee.synth.film_beats import first_dealer
from referee.synth.film_script import Beat, Call, Draw, Lay, NextRound, Refill, Show, Start, TakeBack
from referee.synth.motion import Reach


def truth_json(film: Film) -> dict[str, Any]:
    """The film's truth; all times in seconds of the film.

    events: each with kind, seat, t_s (rest of a card, lift-off of a card taken back, begin of a word) and its cards,
    draws with the time of every card. arms: when each was on its way, and where it stayed. gestures: what is no event
    of the game. fouls: what the judge says of the record itself.
    """
    plan = film.directed.plan
    return {
        "seed": film.seed,
        "duration_s": film.duration_s,
        "seats": [{"seat": str(p.seat), "edge": p.edge} for p in film.layout.seats],
        "events": events_of(film),
        "arms": [
            {
                "seat": str(reach.seat),
                "from_s": round(reach.begin_s, 2),
                "until_s": round(reach.end_s, 2),
                "at": _places(film, reach),
            }
            for reach in sorted(plan.reaches, key=lambda r: r.begin_s)
        ],
        "gestures": [
            {"kind": g.kind, "seat": str(g.seat), "from_s": round(g.t_s, 2), "until_s": round(g.until_s, 2)}
            for g in plan.gestures
        ],
        "bumps": [
            {
                "t_s": round(bump.t_s, 2),
                "shift_px": [round(v, 1) for v in bump.shift_px],
                "turn_deg": round(bump.turn_deg, 2),
            }
            for bump in film.bumps
        ],
        "fouls": fouls_of(film.truth(), film.profile, seats=len(film.layout.seats)),
    }


def events_of(film: Film) -> list[dict[str, Any]]:
    """Every beat of the script with its time."""
    draws_s = list(film.directed.plan.draws_s)
    found = []
    for beat, t_s in zip(film.beats, film.directed.beat_s, strict=True):
        event: dict[str, Any] = {"t_s": round(t_s, 2), "entry": beat.entry, **_told(beat)}
        if isinstance(beat, Draw):
            event["times_s"] = [round(at, 2) for at in draws_s[: beat.count]]
            del draws_s[: beat.count]
        found.append(event)
    return found


def _told(beat: Beat) -> dict[str, Any]:
    match beat:
        case Start():
            return {"kind": "start", "card": beat.card.code}
        case NextRound():
            return {"kind": "dealt", "seat": str(beat.seat)}
        case Lay():
            return {"kind": "play", "seat": str(beat.seat), "card": beat.card.code, "colour": beat.colour}
        case TakeBack():
            return {"kind": "taken back", "seat": str(beat.seat), "card": beat.card.code}
        case Draw():
            return {"kind": "draw", "seat": str(beat.seat), "count": beat.count}
        case Refill():
            return {"kind": "refill", "seat": str(beat.seat)}
        case Call():
            return {"kind": "call", "seat": str(beat.seat), "call": beat.call}
        case Show():
            return {"kind": "shown", "seat": str(beat.seat), "cards": [card.code for card in beat.cards]}


def fouls_of(items: tuple[Item, ...], profile: Profile, seats: int) -> list[dict[str, Any]]:
    """The fouls in a timed record, each with code, seat, certainty, and the time of its entry."""
    table = Table(profile, seats=seats, dealer=first_dealer(items))
    found = []
    for item in items:
        if isinstance(item, Tag) and item.name == "Dealer" and table.rulings:
            table.deal(Seat.parse(item.value))
        if not isinstance(item, Entry | Result):
            continue
        for incident in table.push(item).incidents:
            if incident.kind == "foul":
                found.append(
                    {
                        "code": incident.code,
                        "seat": str(incident.seat),
                        "certainty": incident.certainty,
                        "t_s": item.time_s,
                    }
                )
    return found


def _places(film: Film, reach: Reach) -> list[str]:
    """Where the fingertips stopped: `discard`, `draw`, `hand`."""
    found = []
    for key in reach.keys[1:-1]:
        for name, quad in (
            ("discard", film.layout.zone("discard")),
            ("draw", film.layout.zone("draw")),
            ("hand", film.layout.at(reach.seat).place),
        ):
            (left, top), _, (right, bottom), _ = quad
            if left <= key.at_px[0] <= right and top <= key.at_px[1] <= bottom and name not in found:
                found.append(name)
    return found
