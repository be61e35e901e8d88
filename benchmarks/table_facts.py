"""What happened at a recorded table by its own record, held against what was seen: plays, draws, hands, arms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.cards import Seat
from referee.observations import ArmSeen, CardLanded, CardLifted, CardsDrawn, CardsShown, Observation
from referee.rules.entries import Challenge, Draw, Entry, Event, Item, Opening, Play, Result, Show, TakeBack

WITHIN_S = 0.5


@dataclass(frozen=True, slots=True)
class Fact:
    """What the record says happened: a play, a card taken back, a draw, a hand laid open."""

    kind: str
    seat: Seat
    t_s: float
    until_s: float
    codes: tuple[str, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class Miss:
    """Something recorded that was not found, or found that was not recorded."""

    kind: str
    t_s: float
    text: str


@dataclass
class Outcome:
    """What was found of what was recorded, and what was seen that is not recorded."""

    recorded: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    exact_draws: int = 0
    late_s: list[float] = field(default_factory=list)
    off_s: list[float] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)
    false: list[Miss] = field(default_factory=list)

    def note(self, fact: Fact, good: bool, seen: str) -> None:
        self.recorded[fact.kind] += 1
        if good:
            self.found[fact.kind] += 1
        else:
            said = " ".join(fact.codes) or str(fact.count)
            text = f"{fact.seat} {fact.kind} {said}: saw {seen or 'nothing'}"
            self.misses.append(Miss(fact.kind, fact.t_s, text))


def facts_of(items: Sequence[Item]) -> Iterator[Fact]:
    """The recorded facts that can be seen, each with the time until which it may show."""
    timed = [item for item in items if isinstance(item, Entry | Result) and item.time_s is not None]
    last: Seat | None = None
    for item, following in zip(timed, [*timed[1:], None], strict=True):
        t_s = item.time_s or 0.0
        until_s = (following.time_s if following else None) or float("inf")
        if isinstance(item, Result):
            for hand in item.hands:
                if hand.cards is not None:
                    codes = tuple(sorted(card.code for card in hand.cards if card))
                    yield Fact("hand shown", hand.seat, t_s - 12, until_s, codes)
            continue
        if not isinstance(item.subject, Seat):
            continue
        challenged = any(isinstance(event, Challenge) for event in item.events)
        for event in item.events:
            fact = _fact(event, last if challenged and last else item.subject, t_s, until_s)
            if fact is not None:
                yield fact
                if fact.kind == "play":
                    last = item.subject


def between_rounds(items: Sequence[Item], seen: Observation) -> bool:
    """Whether a card landed, left or was drawn after a round was counted: cards are gathered and dealt."""
    over_s = float("inf")
    for item in items:
        if isinstance(item, Result):
            over_s = item.time_s or 0.0
        elif isinstance(item, Entry) and any(isinstance(event, Opening) for event in item.events):
            if over_s < seen.t_s <= (item.time_s or 0.0) + WITHIN_S:
                return isinstance(seen, CardLanded | CardLifted | CardsDrawn)
            over_s = float("inf")
    return False


def round_marks(items: Sequence[Item]) -> list[Opening | Result]:
    """What begins and ends each round: the card turned up first, and the hands counted."""
    found: list[Opening | Result] = []
    for item in items:
        if isinstance(item, Result):
            found.append(item)
        elif isinstance(item, Entry):
            found += [event for event in item.events if isinstance(event, Opening)]
    return found


def marks_right(true: Sequence[Opening | Result], told: Sequence[Opening | Result]) -> list[bool]:
    """Whether each mark was told in its place: the same first card, the same winner with the same points."""
    right = [_mark(one) == _mark(other) for one, other in zip(true, told, strict=False)]
    return right + [False] * (len(true) - len(right))


def _mark(mark: Opening | Result) -> tuple[object, ...]:
    if isinstance(mark, Opening):
        return (mark.card,)
    return (mark.winner, frozenset((hand.seat, hand.points) for hand in mark.hands))


def _fact(event: Event, seat: Seat, t_s: float, until_s: float) -> Fact | None:
    match event:
        case Play():
            return Fact("play", seat, t_s, until_s, (event.card.code,))
        case TakeBack():
            return Fact("taken back", seat, t_s, until_s, (event.card.code,))
        case Draw() if event.count:
            return Fact("draw", seat, t_s, until_s, count=event.count)
        case Show():
            return Fact("hand shown", seat, t_s, until_s + 2, tuple(sorted(card.code for card in event.cards)))
        case _:
            return None


def compare(facts: Sequence[Fact], observed: Sequence[Observation]) -> Outcome:
    """Match each fact with what was seen of it; every play that is left over is false."""
    outcome = Outcome()
    plays = [o for o in observed if isinstance(o, CardLanded) and o.t_s > 1.0]
    lifts = [o for o in observed if isinstance(o, CardLifted)]
    for fact in facts:
        match fact.kind:
            case "play":
                _match_card(fact, plays, outcome)
            case "taken back":
                _match_card(fact, lifts, outcome)
            case "draw":
                _match_draw(fact, observed, outcome)
            case _:
                _match_hand(fact, observed, outcome)
    outcome.false += [
        Miss("false play", o.t_s, f"{o.seat} lays {o.reading.code} ({o.confidence:.2f})") for o in plays
    ]
    outcome.false += [Miss("false lift", o.t_s, f"{o.seat} takes back {o.reading.code}") for o in lifts]
    return outcome


def _match_card(fact: Fact, seen: list[CardLanded] | list[CardLifted], outcome: Outcome) -> None:
    near = [o for o in seen if abs(o.t_s - fact.t_s) <= max(WITHIN_S, 1.0)]
    best = min(near, key=lambda o: abs(o.t_s - fact.t_s), default=None)
    if best is None:
        outcome.note(fact, False, "")
        return
    seen.remove(best)  # type: ignore[arg-type]
    off_s = best.t_s - fact.t_s
    outcome.off_s.append(abs(off_s))
    outcome.late_s.append(best.seen_s - fact.t_s)
    good = best.reading.code == fact.codes[0] and best.seat == fact.seat and abs(off_s) <= WITHIN_S
    outcome.note(fact, good, f"{best.seat} {best.reading.code} ({best.confidence:.2f}) {off_s:+.2f} s")


def _match_draw(fact: Fact, observed: Sequence[Observation], outcome: Outcome) -> None:
    seen = [
        o
        for o in observed
        if isinstance(o, CardsDrawn) and o.seat == fact.seat and fact.t_s - 1 <= o.t_s < fact.until_s - 0.2
    ]
    least, most = sum(o.at_least for o in seen), sum(o.at_most for o in seen)
    outcome.exact_draws += least == most == fact.count
    outcome.note(fact, least <= fact.count <= most, f"{least} to {most}")


def _match_hand(fact: Fact, observed: Sequence[Observation], outcome: Outcome) -> None:
    seen = [
        o
        for o in observed
        if isinstance(o, CardsShown) and o.seat == fact.seat and fact.t_s - 1 <= o.t_s < fact.until_s
    ]
    codes = tuple(sorted(r.code for r in seen[-1].readings)) if seen else ()
    outcome.note(fact, codes == fact.codes, " ".join(codes))


def arms_right(
    told_arms: Sequence[dict[str, Any]], observed: Sequence[Observation]
) -> tuple[int, int, int, list[Miss]]:
    """(arms seen at a pile, of those with the right seat, arms that were at a pile and not seen, the misses).

    told_arms: `arms` of a film's truth. An arm seen is right when an arm of that seat was over the table then.
    """
    seen = [o for o in observed if isinstance(o, ArmSeen)]
    right, misses = 0, []
    for arm in seen:
        over = [a for a in told_arms if a["from_s"] - 0.3 <= arm.until_s and arm.t_s <= a["until_s"] + 0.3]
        if any(a["seat"] == str(arm.seat) for a in over):
            right += 1
        else:
            truly = " ".join(a["seat"] for a in over) or "nobody"
            misses.append(Miss("arm's seat", arm.t_s, f"{arm.seat} at {arm.zone.value}: was {truly}"))
    unseen = 0
    for told in told_arms:
        for zone in set(told["at"]) & {"discard", "draw"}:
            if not any(
                str(o.seat) == told["seat"]
                and o.zone.value == zone
                and o.t_s <= told["until_s"]
                and o.until_s >= told["from_s"]
                for o in seen
            ):
                unseen += 1
                misses.append(Miss("arm not seen", told["from_s"], f"{told['seat']} at {zone}"))
    return len(seen), right, unseen, misses


def rulings_right(
    told: Sequence[dict[str, Any]], ruled: Sequence[tuple[str, str, float]], within_s: float = 6.0
) -> tuple[list[dict[str, Any]], list[tuple[str, str, float]]]:
    """(fouls told that were ruled, rulings of something that did not happen).

    told: `fouls` of a film's truth; ruled: (code, seat, time) of every foul that was announced.
    """
    left, found = list(ruled), []
    for foul in told:
        fits = [
            r for r in left if r[0] == foul["code"] and r[1] == foul["seat"] and abs(r[2] - foul["t_s"]) <= within_s
        ]
        if fits:
            found.append(foul)
            left.remove(min(fits, key=lambda r: abs(r[2] - foul["t_s"])))
    return found, left
