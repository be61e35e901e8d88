"""Judges a session again from its log alone: the logged observations, the corrections that stand, any rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee.fusion.scribe import TableStart, Written
from referee.fusion.time_order import TimeOrder
from referee.observations import Observation, to_json
from referee.rules.entries import Item
from referee.rules.profiles import Profile, load_profile
from referee.rules.ruling import Incident
from referee.rules.scoring import SheetLine
from referee.session.corrected import CorrectedScribe, observation_of
from referee.session.corrections import Standing, standing_corrections
from referee.session.log import LogLine
from referee.session.plan import SessionPlan
from referee.session.telling import Entered, Ruled, Teller, Told, json_records


@dataclass(frozen=True, slots=True)
class LogJudging:
    """What a log was judged to say. told: everything in order; items: the game as UGN with its tags;
    standing: the incidents that no later entry took back; sheet: the score, a line a round."""

    profile: Profile
    told: list[Told]
    items: list[Item]
    standing: tuple[Incident, ...]
    sheet: tuple[SheetLine, ...]

    @property
    def entries(self) -> list[Entered]:
        """The entries of the game."""
        return [told for told in self.told if isinstance(told, Entered)]

    @property
    def rulings(self) -> list[Ruled]:
        """The rulings, those that were taken back among them."""
        return [told for told in self.told if isinstance(told, Ruled)]

    def ruling_records(self) -> list[dict[str, Any]]:
        """Rulings and questions as JSON objects."""
        records = [record for told in self.told for record in json_records(told)]
        return [record for record in records if record["type"] == "ruling"]


def table_start(plan: SessionPlan) -> TableStart:
    """How the game of `plan` begins."""
    return TableStart(tuple(plan.players), plan.dealer, plan.position)


def judge_log(
    lines: Iterable[LogLine],
    plan: SessionPlan,
    profile: Profile | str | None = None,
    corrections: Sequence[Standing] | None = None,
) -> LogJudging:
    """Judge the observations in `lines` as the live table did, with the corrections that stand (or those given).

    profile: other rules than the plan's. Raises InputFault for an unknown profile.
    """
    lines = list(lines)
    rules = profile if isinstance(profile, Profile) else load_profile(profile or plan.profile)
    standing = standing_corrections(lines) if corrections is None else corrections
    scribe = CorrectedScribe(rules, table_start(plan), standing, by_id=True)
    teller = Teller(plan, rules, scribe)
    told = [t for step in steps_of(lines, scribe) for t in teller.tell(step)]
    return LogJudging(rules, told, teller.record(), teller.standing(), teller.sheet)


def steps_of(lines: Sequence[LogLine], scribe: CorrectedScribe) -> Iterator[Observation | Written]:
    """The observations of a log and what `scribe` writes of them, in the order of the live table, to the end."""
    order = TimeOrder()
    yield from feed(lines, scribe, order)
    for observation in order.flush():
        yield from scribe.take(observation)
    if lines:
        yield from scribe.close(max(line.t_s for line in lines))


def feed(lines: Sequence[LogLine], scribe: CorrectedScribe, order: TimeOrder) -> Iterator[Observation | Written]:
    """As `steps_of`, but what was still held when the log ends stays in `order`.

    `judged_to_s` says how far the live table had judged when an observation came: so what came late is late again.
    """
    for line in lines:
        if line.type != "observation" or (observation := observation_of(line)) is None:
            continue
        for earlier in order.release(float("-inf"), float(line.payload.get("judged_to_s", line.t_s))):
            yield from scribe.take(earlier)
        order.put(observation)
        yield observation


def noticed_line(observation: Observation, judged_to_s: float, n: int) -> LogLine:
    """What a live table writes into its log of `observation`, noticed when all up to `judged_to_s` was judged."""
    fields = to_json(observation)
    payload = {name: value for name, value in fields.items() if name not in ("id", "t_s")}
    payload["judged_to_s"] = max(-1.0, round(judged_to_s, 6))
    return LogLine(n, observation.id, "observation", observation.t_s, payload, "")
