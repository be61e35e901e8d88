"""A picture of every event of a judging: the frame with zones, arms and cards drawn as they were understood."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from referee.cards import Card, Seat
from referee.faults import InputFault
from referee.fusion.desk import Judged, Question
from referee.observations import (
    ArmSeen,
    CallHeard,
    CardLanded,
    CardLifted,
    CardReading,
    CardsDrawn,
    CardsShown,
    Observation,
    ViewChanged,
    Zone,
)
from referee.rules.entries import Entry, Result
from referee.rules.messages import card_words
from referee.rules.ugn import format_item
from referee.session.frame_memory import FrameMemory
from referee.session.moment_picture import Mark, Way, draw_moment
from referee.session.plan import SessionPlan
from referee.session.telling import Entered, Told
from referee.vision.planes import inverse, mapped
from referee.vision.zones import Point, Polygon, TableZones, centre_of

_QUALITY = 85
_ARMS_S = 1.5
_WORDS = {Zone.DRAW: "draw pile", Zone.DISCARD: "discard pile", Zone.HAND: "own place"}


class EventFrames:
    """Writes one JPEG an event into `folder`, named by time and event, and an index of them.

    observations: filled by the judging; memory: holds the frames of the last seconds. Raises InputFault when the
    folder cannot be made.
    """

    def __init__(
        self,
        folder: Path,
        memory: FrameMemory,
        plan: SessionPlan,
        zones: TableZones,
        observations: Mapping[str, Observation],
        language: str,
    ) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise InputFault(
                f"cannot be made: {fault.strerror}", where=str(folder), mend="name another folder with --frames"
            ) from None
        self.folder = folder
        self._memory = memory
        self._plan = plan
        self._zones = zones
        self._observations = observations
        self._language = language
        self._arms: list[ArmSeen] = []
        self._written: list[tuple[str, str]] = []

    def note(self, told: Told) -> Path | None:
        """Draw what is told now, if it is an event: an entry, a question, a view that was lost or found again."""
        match told:
            case ArmSeen():
                self._arms = [arm for arm in self._arms if told.t_s - arm.until_s < 10.0] + [told]
            case ViewChanged(reason=reason) if reason:
                return self._draw(told.t_s, "view", "note", f"{told.state.value}: {reason}", [], (told,))
            case Entered(judged=judged):
                return self._entry(judged)
            case Question(text=text, t_s=t_s, evidence=evidence):
                seen = tuple(self._observations[i] for i in evidence if i in self._observations)
                return self._draw(t_s, "question", "question", text, [], seen)
            case _:
                pass
        return None

    def close(self) -> Path:
        """Write `index.html`, the events in their order; returns its path."""
        title = html.escape(self._plan.title)
        rows = [
            f'<figure><img src="{name}" loading="lazy" alt=""><figcaption>{html.escape(text)}</figcaption></figure>'
            for name, text in self._written
        ]
        style = "body{font:16px sans-serif;margin:2em auto;max-width:70em}img{width:100%}figure{margin:0 0 2em}"
        head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{style}</style>'
        path = self.folder / "index.html"
        path.write_text("\n".join([f"{head}<h1>{title}</h1>", *rows, "</html>"]), encoding="utf-8")
        return path

    def _entry(self, judged: Judged) -> Path | None:
        seen = tuple(self._observations[i] for i in judged.evidence if i in self._observations)
        ugn = format_item(judged.entry).partition(": ")[2] or format_item(judged.entry)
        incidents = judged.ruling.incidents
        kind = next((k for k in ("foul", "question") if any(i.kind == k for i in incidents)), "note")
        lines = [incident.say(self._language) for incident in incidents]
        lines += [line for o in seen for line in self._says(o)]
        who = judged.entry.winner if isinstance(judged.entry, Result) else judged.entry.subject
        name = self._plan.name(who) if isinstance(who, Seat) else str(who)
        title = f"{name} ({who}): {ugn}" if isinstance(who, Seat) and name != str(who) else f"{name}: {ugn}"
        word = "-".join([str(who or "table"), ugn]) if isinstance(judged.entry, Entry) else "wins"
        return self._draw(judged.t_s, word, kind, title, lines[:4], seen)

    def _draw(
        self, t_s: float, word: str, kind: str, title: str, lines: list[str], seen: tuple[Observation, ...]
    ) -> Path | None:
        moment_s = max((_moment_s(o) for o in seen), default=t_s)
        image = self._memory.at(moment_s)
        if image is None:
            return None
        size_px = image.shape[1], image.shape[0]
        picture = draw_moment(
            np.ascontiguousarray(image),
            kind=kind,
            title=title,
            lines=[_clock(t_s), *lines],
            marks=[_mark(reading, self._language) for o in seen for reading in _readings(o)],
            areas=self._areas(size_px),
            ways=self._ways(size_px, moment_s, seen),
        )
        safe = re.sub(r"[^A-Za-z0-9+=]+", "-", word).strip("-")[:40]
        path = self.folder / f"{t_s:08.2f}-{len(self._written) + 1:03}-{safe}.jpg"
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        self._written.append((path.name, f"{_clock(t_s)}  {title}"))
        return path

    def _says(self, seen: Observation) -> list[str]:
        match seen:
            case CardLanded() | CardLifted():
                others = "  ".join(f"{code} {p:.0%}" for code, p in seen.reading.alternatives[:3])
                by = f"{seen.seat}'s arm" if seen.seat else "no arm seen"
                return [f"read {others}  ·  {by}  ·  known {seen.seen_s - seen.t_s:.1f} s later"]
            case CardsDrawn():
                count = str(seen.at_least) if seen.at_least == seen.at_most else f"{seen.at_least} to {seen.at_most}"
                return [f"{count} drawn by {seen.seat}"]
            case CallHeard():
                return [f"heard \u201c{seen.call}\u201d ({seen.confidence:.0%})"]
            case CardsShown():
                more = "" if seen.complete else ", perhaps not all in view"
                return [f"{len(seen.readings)} cards laid open{more}"]
            case _:
                return []

    def _areas(self, size_px: tuple[int, int]) -> list[Mark]:
        named = [(self._zones.discard, "discard"), *((s.place, str(s.seat)) for s in self._zones.seats)]
        if self._zones.draw is not None:
            named.append((self._zones.draw, "draw"))
        return [Mark(self._in_frame(area, size_px), name) for area, name in named]

    def _ways(self, size_px: tuple[int, int], moment_s: float, seen: tuple[Observation, ...]) -> list[Way]:
        arms = [o for o in seen if isinstance(o, ArmSeen)]
        seats = {getattr(o, "seat", None) for o in seen}
        arms += [a for a in self._arms if a.seat in seats and a.t_s <= moment_s and a.until_s >= moment_s - _ARMS_S]
        latest = {(arm.seat, arm.zone): arm for arm in arms}
        return [way for arm in latest.values() if (way := self._way(arm, size_px)) is not None]

    def _way(self, arm: ArmSeen, size_px: tuple[int, int]) -> Way | None:
        own = next((s for s in self._zones.seats if s.seat is arm.seat), None)
        if own is None:
            return None
        area = {Zone.DRAW: self._zones.draw, Zone.DISCARD: self._zones.discard, Zone.HAND: own.place}[arm.zone]
        if area is None:
            return None
        start, end = self._in_frame((own.root, centre_of(area)), size_px)
        return Way(start, end, f"{arm.seat} at the {_WORDS[arm.zone]} {arm.t_s:.1f}-{arm.until_s:.1f} s")

    def _in_frame(self, points: Polygon | tuple[Point, ...], size_px: tuple[int, int]) -> tuple[Point, ...]:
        """Fractions of the calibrated picture as pixels of the frame."""
        plane = self._zones.plane
        scaled = np.array(points, np.float64) * (size_px if plane is None else plane.size_px)
        if plane is not None:
            scaled = mapped(inverse(plane.to_table(size_px)), scaled)
        return tuple((float(x), float(y)) for x, y in scaled)


def _moment_s(seen: Observation) -> float:
    """When what was observed is in the picture: a resting card once it was read, a draw with the card in the hand."""
    match seen:
        case CardLanded() | CardLifted() | CardsShown():
            return seen.seen_s
        case CallHeard():
            return seen.end_s
        case _:
            return seen.t_s


def _readings(seen: Observation) -> tuple[CardReading, ...]:
    match seen:
        case CardLanded(reading=reading):
            return (reading,)
        case CardsShown(readings=readings):
            return readings
        case _:
            return ()


def _mark(reading: CardReading, language: str) -> Mark:
    words = card_words(reading.card, language) if isinstance(reading.card, Card) else reading.code
    return Mark(reading.quad_px, f"{words}  {reading.confidence:.0%}")


def _clock(t_s: float) -> str:
    minutes, seconds = divmod(t_s, 60)
    return f"{int(minutes)}:{seconds:04.1f}"
