"""How well the watcher sees a filmed round: its observations against the session's own record (`truth.ugn`).

    python benchmarks/table.py FOLDER... [--card-px N] [--misses]

FOLDER is a session folder with session.toml, a calibration, media and truth.ugn. Prints plays, cards taken back,
draws and laid-open hands found against those recorded, false plays, and milliseconds of processor time per frame
(of all threads, so that a busy machine does not change them).
"""

from __future__ import annotations

import argparse
import statistics
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from referee.cards import Seat
from referee.observations import CardLanded, CardLifted, CardsDrawn, CardsShown, Observation
from referee.rules.entries import Challenge, Draw, Entry, Event, Item, Play, Result, Show, TakeBack
from referee.rules.ugn import read_items

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


@dataclass
class Outcome:
    """What was found of what was recorded, and what was seen that is not recorded."""

    recorded: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    exact_draws: int = 0
    late_s: list[float] = field(default_factory=list)
    off_s: list[float] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)

    def note(self, fact: Fact, good: bool, seen: str) -> None:
        self.recorded[fact.kind] += 1
        if good:
            self.found[fact.kind] += 1
        else:
            said = " ".join(fact.codes) or str(fact.count)
            self.misses.append(f"{fact.t_s:7.2f} s {fact.seat} {fact.kind} {said}: saw {seen or 'nothing'}")


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
                    yield Fact("hand shown", hand.seat, t_s - 12, float("inf"), codes)
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
    outcome.false += [f"{o.t_s:7.2f} s {o.seat} lays {o.reading.code} ({o.confidence:.2f})" for o in plays]
    outcome.false += [f"{o.t_s:7.2f} s {o.seat} takes back {o.reading.code}" for o in lifts]
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


def watch(folder: Path, card_px: float | None) -> tuple[list[Observation], list[float]]:
    """The watcher's observations of a session folder, and the processor milliseconds that each frame took."""
    from referee.capture.media import frames
    from referee.vision.reader import open_reader
    from referee.vision.watcher import TableWatcher
    from referee.vision.zones import TableZones

    session = tomllib.loads((folder / "session.toml").read_text(encoding="utf-8"))
    zones = TableZones.from_toml(folder / session["calibration"])
    watcher = TableWatcher(zones, open_reader(), expected_card_px=card_px)
    observed: list[Observation] = []
    took_ms: list[float] = []
    t_s = 0.0
    for frame in frames(folder / session["media"][0]):
        begun_s = time.process_time()
        observed += watcher.see(frame.image_bgr, frame.t_s)
        took_ms.append((time.process_time() - begun_s) * 1000)
        t_s = frame.t_s
    return observed + watcher.close(t_s), took_ms


def report(outcome: Outcome, took_ms: Sequence[float], *, misses: bool) -> None:
    """Print one session's figures."""
    for kind, count in outcome.recorded.items():
        print(f"{kind:<12} {outcome.found[kind]:>4} of {count}")
    print(f"{'exact draws':<12} {outcome.exact_draws:>4}")
    print(f"{'false':<12} {len(outcome.false):>4}")
    if outcome.off_s:
        late = sorted(outcome.late_s)
        print(f"off by       {statistics.median(outcome.off_s):.2f} s median, {max(outcome.off_s):.2f} s at most")
        print(f"known after  {statistics.median(late):.2f} s median, {_high(late):.2f} s at 95 %")
    still = [ms for ms in took_ms if ms < 2.0]
    print(f"ms per frame {statistics.mean(took_ms):.1f} mean, {statistics.median(took_ms):.1f} median, "
          f"{_high(took_ms):.1f} at 95 %, {max(took_ms):.0f} at most; "
          f"{len(still)} of {len(took_ms)} frames under 2 ms")  # fmt: skip
    if misses:
        print(*outcome.misses, *(f"false: {line}" for line in outcome.false), sep="\n")


def _high(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(values)[int(0.95 * (len(values) - 1))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--card-px", type=float, help="length of a card in the picture")
    parser.add_argument("--misses", action="store_true", help="print each miss and each false play")
    given = parser.parse_args()
    for folder in given.folders:
        truth = read_items((folder / "truth.ugn").read_text(encoding="utf-8")).items
        observed, took_ms = watch(folder, given.card_px)
        print(f"== {folder.name}")
        report(compare(list(facts_of(truth)), observed), took_ms, misses=given.misses)


if __name__ == "__main__":
    main()
