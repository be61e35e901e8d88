"""From the pipeline's steps to what is told: entries, rulings, questions and scores, as objects and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from referee.fusion.desk import Judged, Question
from referee.fusion.scribe import Scribe, Written
from referee.observations import CardLanded, Observation, to_json
from referee.rules.entries import Entry, Item, Opening, Play, Result, Tag
from referee.rules.profiles import Profile
from referee.rules.ruling import Incident
from referee.rules.scoring import SheetLine, score_round
from referee.rules.scoring_sheet import Match
from referee.rules.table import standing_incidents
from referee.rules.ugn import format_item
from referee.session.plan import SessionPlan


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
Picturing: TypeAlias = Callable[[Incident, Judged, Mapping[str, Observation]], Path | None]


class Teller:
    """Tells the steps of one judging of `plan` by `profile`, and keeps its score sheet.

    picturing: draws the moment of a foul or a question and says where the picture lies.
    """

    def __init__(
        self, plan: SessionPlan, profile: Profile, scribe: Scribe, picturing: Picturing | None = None
    ) -> None:
        self._plan = plan
        self._profile = profile
        self._scribe = scribe
        self.picturing = picturing
        self._seats = tuple(plan.players)
        self._match = Match(profile, self._seats)
        self.observations: dict[str, Observation] = {}

    def tell(self, step: Observation | Written) -> Iterator[Told]:
        """What one step of the pipeline says."""
        match step:
            case Observation():
                self.observations[step.id] = step
                yield step
            case Question():
                yield step
            case Judged():
                yield Entered(step, self._confidence(step))
                for incident in step.ruling.incidents:
                    yield Ruled(incident, step, self._picture(incident, step))
                if isinstance(step.entry, Result):
                    yield Scored(self._score(step.entry), step.t_s)

    def record(self) -> list[Item]:
        """The game as it was seen and heard, with its tags."""
        names = [Tag(str(seat), name) for seat, name in self._plan.players.items() if name]
        dealer = [Tag("Dealer", str(self._plan.dealer))] if self._plan.dealer else []
        tags = [Tag("UGN", "1"), Tag("Profile", self._profile.name), *names, *dealer]
        return [*tags, *self._scribe.desk.items]

    def standing(self) -> tuple[Incident, ...]:
        """The incidents that no later entry took back."""
        return standing_incidents(judged.ruling for judged in self._scribe.desk.judged)

    @property
    def sheet(self) -> tuple[SheetLine, ...]:
        """The score, a line a round."""
        return self._match.lines

    def _confidence(self, judged: Judged) -> float | None:
        first = self.observations.get(judged.evidence[0]) if judged.evidence else None
        laid = isinstance(judged.entry, Entry) and any(isinstance(e, Play | Opening) for e in judged.entry.events)
        return first.reading.confidence if laid and isinstance(first, CardLanded) else None

    def _picture(self, incident: Incident, judged: Judged) -> Path | None:
        if self.picturing is None or incident.kind not in ("foul", "question"):
            return None
        return self.picturing(incident, judged, self.observations)

    def _score(self, result: Result) -> SheetLine:
        hands = self._scribe.desk.state.hands
        return self._match.add(score_round(self._profile, result, hands, self._seats))


def json_records(told: Told) -> list[dict[str, Any]]:
    """The JSON objects for one step: `observation`, `entry`, `ruling` or `score`, each with `t_s`."""
    match told:
        case Observation():
            return [{"type": "observation", **to_json(told)}]
        case Entered(judged=judged):
            entry = {
                "ugn": format_item(judged.entry),
                "legal": judged.ruling.legal,
                "evidence": list(judged.evidence),
            }
            return [{"type": "entry", "t_s": round(judged.t_s, 3), **entry}]
        case Ruled(incident=incident, judged=judged, picture=picture):
            more = {"evidence": list(judged.evidence), "picture": picture and str(picture)}
            return [{**incident.to_json(), "t_s": round(judged.t_s, 3), **more}]
        case Question():
            ruling = {
                "line": None,
                "seat": None,
                "incident": "cannot_tell",
                "kind": "question",
                "certainty": "likely",
            }
            asked = {"remedy": None, "rule": None, "t_s": round(told.t_s, 3), "text": told.text}
            return [{"type": "ruling", **ruling, **asked, "evidence": list(told.evidence)}]
        case Scored(line=line, t_s=t_s):
            return [{**line.to_json(), "t_s": round(t_s, 3)}]
