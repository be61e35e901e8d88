"""What is said aloud: a legal play is silent, a sure foul is told at once, a doubt asks once and waits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.cards import Seat
from referee.fusion.desk import Desk, Question
from referee.observations import CallHeard
from referee.rules.entries import Draw, Entry, Play, plays_of
from referee.rules.judge.matching import colour_in_force
from referee.rules.messages import Fact, render
from referee.rules.profiles.catalogue import entries
from referee.rules.ruling import Incident
from referee.session.plan import SessionPlan
from referee.session.questions import asked_in
from referee.session.settings import Strictness
from referee.session.telling import Ruled, Told

Why: TypeAlias = Literal["foul", "question", "note", "answer"]

SPOKEN: dict[Strictness, frozenset[str]] = {
    "coach": frozenset({"foul", "question", "note"}),
    "friendly": frozenset({"foul", "question"}),
    "strict": frozenset({"foul", "question"}),
}
UNSURE = frozenset({"likely", "hidden"})
ASKED_AGAIN_S = 20.0
"""The same question is not put again before this."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A sentence to be said, at `t_s` on the session clock."""

    text: str
    t_s: float
    why: Why


class Announcer:
    """Decides what of a table's story is said. Nothing is said twice.

    strictness: `coach` also tells what is worth knowing, and what to do; `friendly` tells fouls that are sure and
    what to do; `strict` tells every foul with its rule.
    """

    def __init__(self, plan: SessionPlan, language: str, strictness: Strictness = "friendly") -> None:
        self._plan, self._language, self._strictness = plan, language, strictness
        self._said: set[tuple[object, ...]] = set()
        self._asked: dict[str, float] = {}

    def of(self, told: Told, desk: Desk) -> Announcement | None:
        """What `told` is worth saying; None for what is left unsaid. desk: the game after it."""
        match told:
            case Ruled(incident=incident, judged=judged):
                return self._ruling(incident, judged.t_s, judged.evidence)
            case Question(text=text, t_s=t_s):
                return self._question(asked_in(text, self._language), t_s)
            case CallHeard(call=call, phase="confirmed", certainty="sure", t_s=t_s):
                return self._answer(call, t_s, desk)
            case _:
                return None

    def skip(self, told: Iterable[Told]) -> None:
        """These were told before, or are known by a correction: they are not said any more."""
        for one in told:
            if isinstance(one, Ruled):
                self._said.add(_key(one.incident, one.judged.evidence))

    def _ruling(self, incident: Incident, t_s: float, evidence: tuple[str, ...]) -> Announcement | None:
        key = _key(incident, evidence)
        if key in self._said or incident.kind not in SPOKEN[self._strictness]:
            return None
        self._said.add(key)
        if incident.kind == "question":
            return self._question(incident.say_fault(self._language), t_s)
        if self._strictness != "strict" and incident.kind == "foul" and incident.certainty in UNSURE - {"hidden"}:
            return None
        rule = entries(self._language).get(incident.rule.partition(" ")[0]) if self._strictness == "strict" else None
        text = incident.say(self._language) + (f" [{rule.question}]" if rule else "")
        return Announcement(self._named(text), t_s, "foul" if incident.kind == "foul" else "note")

    def _question(self, text: str, t_s: float) -> Announcement | None:
        if t_s - self._asked.get(text, float("-inf")) < ASKED_AGAIN_S:
            return None
        self._asked[text] = t_s
        return Announcement(self._named(text), t_s, "question")

    def _answer(self, call: str, t_s: float, desk: Desk) -> Announcement | None:
        match call:
            case "whose_turn":
                state = desk.state
                sure = desk.in_step and bool(state.top)
                facts: dict[str, Fact] = {"player": state.to_act, "colour": colour_in_force(state)} if sure else {}
                return self._say("whose_turn", facts, t_s)
            case "last_play":
                return self._last_play(t_s, desk)
            case _:
                return None

    def _last_play(self, t_s: float, desk: Desk) -> Announcement:
        for item in reversed(desk.items):
            if not isinstance(item, Entry) or not isinstance(item.subject, Seat):
                continue
            if drawn := [event for event in item.events if isinstance(event, Draw)]:
                return self._say("drew", {"player": item.subject, "count": drawn[0].count}, t_s)
            if played := list(plays_of(item)):
                play: Play = played[-1]
                return self._say("last_play", {"player": item.subject, "card": play.card}, t_s)
        return self._say("last_play", {}, t_s)

    def _say(self, code: str, facts: dict[str, Fact], t_s: float) -> Announcement:
        return Announcement(self._named(render(f"answer.{code}", self._language, **facts)), t_s, "answer")

    def _named(self, text: str) -> str:
        """Players by their names alone: seats are for those who look at a page."""
        for seat, name in sorted(self._plan.players.items(), reverse=True):
            if name:
                text = text.replace(str(seat), name)
        return text


def _key(incident: Incident, evidence: tuple[str, ...]) -> tuple[object, ...]:
    return incident.code, incident.variant, incident.seat, evidence
