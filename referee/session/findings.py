"""What a replay leaves behind: a picture of each foul, the game as UGN, the rulings and the score as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import cv2

from referee.cards import Card, Seat
from referee.faults import InputFault
from referee.fusion.desk import Judged
from referee.observations import CallHeard, CardLanded, CardLifted, CardReading, CardsShown, Observation
from referee.rules.messages import card_words
from referee.rules.ruling import Incident
from referee.session.frame_memory import FrameMemory
from referee.session.moment_picture import Mark, draw_moment
from referee.session.plan import SessionPlan


class Findings:
    """A folder that fills while a session is judged. Raises InputFault when it cannot be written.

    adding: number pictures after those already there (a session that is resumed).
    """

    def __init__(
        self, folder: Path, memory: FrameMemory, plan: SessionPlan, language: str, *, adding: bool = False
    ) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise InputFault(
                f"cannot be made: {fault.strerror}", where=str(folder), mend="name another folder with --out"
            ) from None
        self.folder = folder
        self._memory = memory
        self._plan = plan
        self._language = language
        self._fouls = len(list(folder.glob("*-*-*.jpg"))) if adding else 0

    def picture_of(self, incident: Incident, judged: Judged, observations: Mapping[str, Observation]) -> Path | None:
        """Draws the moment that `incident` rests on; None when no frame of it is left."""
        rests_on = [observations[i] for i in judged.evidence if i in observations]
        moment_s = max((o.seen_s if not isinstance(o, CallHeard) else o.end_s for o in rests_on), default=judged.t_s)
        image = self._memory.at(moment_s)
        if image is None:
            return None
        minutes, seconds = divmod(judged.t_s, 60)
        lines = [names_for_seats(incident.say_remedy(self._language), self._plan)] if incident.remedy else []
        seen = [f"{int(minutes)}:{seconds:04.1f}", *_heard(rests_on), f"certainty: {incident.certainty}"]
        lines += [f"Rule: {incident.rule}"] if incident.rule else []
        lines += ["  ·  ".join(seen)]
        picture = draw_moment(
            image,
            kind=incident.kind,
            title=names_for_seats(incident.say_fault(self._language), self._plan),
            lines=lines,
            marks=[mark for o in rests_on for mark in marks_of(o, self._language)],
        )
        self._fouls += 1
        path = self.folder / f"{incident.kind}-{self._fouls}-{incident.code}.jpg"
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
        return path

    def write_text(self, name: str, text: str) -> Path:
        """Write a text file into the folder."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def write_json(self, name: str, data: object) -> Path:
        """Write `data` as indented JSON into the folder."""
        return self.write_text(name, json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def names_for_seats(sentence: str, plan: SessionPlan) -> str:
    """`P3: …` as `Carla (P3): …`, for those who do not know the seats by number."""

    def name(seat: re.Match[str]) -> str:
        known = plan.players.get(Seat.parse(seat[0]))
        return f"{known} ({seat[0]})" if known else seat[0]

    return re.sub(r"\bP(?:10|[1-9])\b", name, sentence)


def marks_of(observation: Observation, language: str) -> list[Mark]:
    """The cards that an observation saw, each with its name and how sure it is."""
    return [_mark(reading, language) for reading in _readings(observation)]


def _readings(observation: Observation) -> tuple[CardReading, ...]:
    match observation:
        case CardLanded(reading=reading) | CardLifted(reading=reading):
            return (reading,)
        case CardsShown(readings=readings):
            return readings
        case _:
            return ()


def _heard(observations: list[Observation]) -> list[str]:
    return [f"heard “{o.call}” ({o.confidence:.0%})" for o in observations if isinstance(o, CallHeard)]


def _mark(reading: CardReading, language: str) -> Mark:
    words = card_words(reading.card, language) if isinstance(reading.card, Card) else reading.code
    return Mark(reading.quad_px, f"{words}  {reading.confidence:.0%}")
