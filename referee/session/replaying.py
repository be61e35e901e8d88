"""Judges a recorded session from its pixels and samples, and tells each step as it becomes known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from referee.capture.media import frames, sound_chunks
from referee.fusion.desk import Judged, Question
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CardLanded, Observation
from referee.rules.entries import Entry, Item, Opening, Play, Result, Tag
from referee.rules.profiles import Profile, load_profile
from referee.rules.ruling import Incident
from referee.rules.scoring import SheetLine, score_round
from referee.rules.scoring_sheet import Match
from referee.rules.table import standing_incidents
from referee.rules.ugn import format_items
from referee.session.findings import Findings
from referee.session.frame_memory import FrameMemory
from referee.session.pipeline import Pipeline, Step
from referee.session.plan import SessionPlan
from referee.session.senses import Senses

FRAME_RATE_HZ = 12.5


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry of the game; confidence: of the card that was seen, None where the entry rests on something else."""

    judged: Judged
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling; picture: where its annotated picture lies, for fouls and questions that rest on a frame."""

    incident: Incident
    judged: Judged
    picture: Path | None


@dataclass(frozen=True, slots=True)
class Scored:
    """The score after a round."""

    line: SheetLine
    t_s: float


Told: TypeAlias = Observation | Entered | Ruled | Question | Scored


class Replaying:
    """One judging of `plan` by `profile`; `run` may be called once. Pictures and texts go into `out`."""

    def __init__(self, plan: SessionPlan, senses: Senses, out: Path) -> None:
        self.plan = plan
        self.profile: Profile = load_profile(plan.profile)
        self._senses = senses
        self._memory = FrameMemory()
        self.findings = Findings(out, self._memory, plan, self.profile.speech.language)
        seats = tuple(plan.players)
        self._scribe = Scribe(self.profile, TableStart(seats, plan.dealer, plan.position))
        self._match = Match(self.profile, seats)
        self._observations: dict[str, Observation] = {}

    def run(self, on_time: Callable[[float], None] = lambda _t_s: None) -> Iterator[Told]:
        """Everything in the order in which it becomes known. Raises InputFault when the recording cannot be read."""
        media = self.plan.media[0]
        pipeline = Pipeline(self._scribe, self._senses.eye, self._senses.ear, self._memory)
        chunks = sound_chunks(media) if self._senses.ear else ()
        for step in pipeline.run(frames(media, FRAME_RATE_HZ), chunks, on_time):
            yield from self._tell(step)
        self.findings.write_text("game.ugn", format_items(self.record()))
        self.findings.write_json("score.json", [line.to_json() for line in self._match.lines])

    def record(self) -> list[Item]:
        """The game as it was seen and heard, with its tags."""
        names = [Tag(str(seat), name) for seat, name in self.plan.players.items() if name]
        dealer = [Tag("Dealer", str(self.plan.dealer))] if self.plan.dealer else []
        tags = [Tag("UGN", "1"), Tag("Profile", self.profile.name), *names, *dealer]
        return [*tags, *self._scribe.desk.items]

    def standing(self) -> tuple[Incident, ...]:
        """The incidents that no later entry took back."""
        return standing_incidents(judged.ruling for judged in self._scribe.desk.judged)

    @property
    def sheet(self) -> tuple[SheetLine, ...]:
        """The score, a line a round."""
        return self._match.lines

    def _tell(self, step: Step) -> Iterator[Told]:
        match step:
            case Observation():
                self._observations[step.id] = step
                yield step
            case Question():
                yield step
            case Judged():
                yield Entered(step, self._confidence(step))
                for incident in step.ruling.incidents:
                    drawn = incident.kind in ("foul", "question")
                    picture = self.findings.picture_of(incident, step, self._observations) if drawn else None
                    yield Ruled(incident, step, picture)
                if isinstance(step.entry, Result):
                    yield Scored(self._score(step.entry), step.t_s)

    def _confidence(self, judged: Judged) -> float | None:
        first = self._observations.get(judged.evidence[0]) if judged.evidence else None
        laid = isinstance(judged.entry, Entry) and any(isinstance(e, Play | Opening) for e in judged.entry.events)
        return first.reading.confidence if laid and isinstance(first, CardLanded) else None

    def _score(self, result: Result) -> SheetLine:
        hands = self._scribe.desk.state.hands
        return self._match.add(score_round(self.profile, result, hands, tuple(self.plan.players)))
