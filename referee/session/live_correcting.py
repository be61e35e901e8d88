"""Putting a table right while it is watched: asked from any thread, done between two frames, judged anew."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from referee.faults import InputFault
from referee.fusion.time_order import TimeOrder
from referee.rules.profiles import Profile
from referee.session.corrected import CorrectedScribe
from referee.session.corrections import Correction, add_correction, standing_corrections
from referee.session.incidents import State, incidents_of
from referee.session.live_folder import LiveFolder
from referee.session.log import LogLine, read_log
from referee.session.plan import SessionPlan
from referee.session.putting_right import lines_of_what_is_new
from referee.session.rejudging import feed, table_start
from referee.session.telling import Teller, Told, json_records


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """What came of a correction. told: everything of the evening, as it is judged now; empty if nothing is new."""

    id: str
    new: bool
    gone: int = 0
    added: int = 0
    told: tuple[Told, ...] = ()


class Request:
    """A correction on its way to the judge's thread, and its answer on the way back."""

    def __init__(self, correction: Correction) -> None:
        self.correction = correction
        self._done = threading.Event()
        self._answer: LiveAnswer | None = None
        self._fault: InputFault | None = None

    def answer(self, answer: LiveAnswer) -> None:
        """It was done."""
        self._answer = answer
        self._done.set()

    def refuse(self, fault: InputFault) -> None:
        """It makes no sense."""
        self._fault = fault
        self._done.set()

    def result(self, timeout_s: float) -> LiveAnswer:
        """Wait for the answer. Raises InputFault when it was refused, or when nobody answers in time."""
        self._done.wait(timeout_s)
        if self._fault is not None:
            raise self._fault
        if self._answer is None:
            raise InputFault(
                "the referee is busy and has not answered", mend="look whether it was noted, then try again"
            )
        return self._answer


@dataclass(frozen=True, slots=True)
class Rejudged:
    """The evening judged anew: what goes on from here, and the answer."""

    scribe: CorrectedScribe
    teller: Teller
    order: TimeOrder
    answer: LiveAnswer


def correct_live(
    live: LiveFolder, plan: SessionPlan, profile: Profile, correction: Correction, now_s: float, judged_to_s: float
) -> Rejudged | LiveAnswer:
    """Write `correction` into the log of `live` and judge its evening from the start; an answer alone if it is old.

    judged_to_s: so far the live table had judged: as much is judged now, what came later stays in `order`.
    What is ruled besides goes into the log, each line with `since`. Raises InputFault as `add_correction` does.
    """
    before = read_log(live.log.path).lines
    name, new = add_correction(live.log, before, correction, now_s)
    if not new:
        return LiveAnswer(name, False)
    lines = read_log(live.log.path).lines
    scribe, teller, order, told = _judged(plan, profile, lines, judged_to_s)
    records = [record for t in told for record in json_records(t)]
    added = lines_of_what_is_new(lines, records, teller.sheet, name)
    for kind, t_s, payload in added:
        live.tell(kind, t_s, payload)
    was_gone = {case.number for case in incidents_of(before, plan) if case.state is State.GONE}
    cases = incidents_of(read_log(live.log.path).lines, plan)
    gone = sum(case.state is State.GONE and case.number not in was_gone for case in cases)
    rulings = sum(kind == "ruling" for kind, _, _ in added)
    return Rejudged(scribe, teller, order, LiveAnswer(name, True, gone, rulings, tuple(told)))


def _judged(
    plan: SessionPlan, profile: Profile, lines: Sequence[LogLine], judged_to_s: float
) -> tuple[CorrectedScribe, Teller, TimeOrder, list[Told]]:
    scribe = CorrectedScribe(profile, table_start(plan), standing_corrections(lines), by_id=True)
    teller, order = Teller(plan, profile, scribe), TimeOrder()
    told = [t for step in feed(lines, scribe, order) for t in teller.tell(step)]
    late = order.release(float("-inf"), judged_to_s)
    told += [t for observation in late for step in scribe.take(observation) for t in teller.tell(step)]
    return scribe, teller, order, told
