"""What is to be judged: a session folder with its `session.toml`, or a bare video with sensible assumptions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.direction import SeatDelay
from referee.hearing.own_words import OwnWords, checked_words

SESSION_FILE = "session.toml"


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """Everything a replay needs to know besides the pixels and the samples.

    players: name by seat, clockwise from P1. calibration: the zones' TOML, None to guess from the whole frame.
    recorded: media are the pieces that a recorder left, with their times in their names; there may be none any more.
    deck: name or file of the enrolled deck that is played with, if any. words: the table's own words for the calls.
    language: the phrase pack's name. dealer and position: both None means that hands are unknown (a bare video).
    voices: from where each player is heard, where that was learnt.
    """

    title: str
    media: tuple[Path, ...]
    players: dict[Seat, str]
    profile: str
    language: str
    calibration: Path | None = None
    dealer: Seat | None = None
    position: str | None = None
    folder: Path | None = None
    recorded: bool = False
    deck: str | None = None
    words: OwnWords | None = None
    voices: dict[Seat, SeatDelay] | None = None

    def name(self, seat: Seat | None) -> str:
        """The player's name at `seat`; the seat itself where nobody gave a name."""
        if seat is None:
            return "somebody"
        return self.players.get(seat) or str(seat)


class HeardFrom(BaseModel):
    """From where a player is heard: how much later on the second channel, and how much that varies."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    delay_ms: Annotated[float, Field(ge=-2, le=2)]
    spread_ms: Annotated[float, Field(gt=0, le=2)]


class _SessionFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    format: Literal[1]
    title: str = ""
    profile: str = "classic-108"
    calibration: str | None = None
    media: list[str] = []
    recorded: bool = False
    language: str = "stand-in"
    dealer: str | None = None
    position: str | None = None
    deck: str | None = None
    words: dict[str, Any] = {}
    voices: dict[str, HeardFrom] = {}
    players: Annotated[dict[str, str], Field(min_length=2, max_length=10)]
    began: dict[str, Any] = {}
    versions: dict[str, str] = {}
    model: list[dict[str, str]] = []


def open_plan(
    path: Path, *, seats: int | None = None, profile: str | None = None, language: str | None = None
) -> SessionPlan:
    """The plan of `path`: a session folder, its `session.toml`, or a video file.

    `profile` and `language` replace what the session says; `seats` is for a bare video. Raises InputFault with file,
    line and mend when the session file is missing, broken or names a file that is not there.
    """
    if path.is_dir() or path.name == SESSION_FILE:
        plan = _read_session(path / SESSION_FILE if path.is_dir() else path)
        if seats is not None and seats != len(plan.players):
            raise InputFault(
                f"has {len(plan.players)} players, not {seats}", where=str(path), mend="leave --seats out"
            )
    else:
        plan = SessionPlan(
            title=path.name,
            media=(path,),
            players=dict.fromkeys(Seat.first(seats or 4), ""),
            profile="classic-108",
            language="stand-in",
        )
    return replace(plan, profile=profile or plan.profile, language=language or plan.language)


def _read_session(path: Path) -> SessionPlan:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputFault(
            f"has no {SESSION_FILE}", where=str(path.parent), mend="give a session folder or a video file"
        ) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise InputFault(f"cannot be read: {fault}", where=str(path), mend="save it as UTF-8 text") from None
    try:
        data = _SessionFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as fault:
        raise InputFault(f"is not TOML: {fault}", where=str(path), mend="mend that line") from None
    except ValidationError as fault:
        first = fault.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        where = f"{path}:{_line_of(text, str(first['loc'][0]))}"
        raise InputFault(f"{key}: {first['msg']}", where=where, mend="see the session format in the README") from None
    return _checked(path, data)


def _checked(path: Path, data: _SessionFile) -> SessionPlan:
    folder = path.parent
    try:
        players = {Seat.parse(seat): name for seat, name in data.players.items()}
        dealer = Seat.parse(data.dealer) if data.dealer else None
    except ValueError as fault:
        raise InputFault(str(fault), where=str(path), mend="seats are P1 to P10, clockwise") from None
    if sorted(players) != list(Seat.first(len(players))):
        raise InputFault("players must sit at P1, P2, … without a gap", where=str(path), mend="renumber the seats")
    if dealer and dealer not in players:
        raise InputFault(f"dealer {dealer} is not a player", where=str(path), mend="name one of the players' seats")
    if not data.media and not data.recorded:
        where = f"{path}:{_line_of(path.read_text(encoding='utf-8'), 'media')}"
        raise InputFault("media: names no recording", where=where, mend="list its files, or say recorded = true")
    media = tuple(folder / name for name in data.media) or tuple(sorted((folder / "media").glob("*.mkv")))
    calibration = folder / data.calibration if data.calibration else None
    for file in (*media, *([calibration] if calibration else [])):
        if not file.exists():
            raise InputFault(f"names {file.name}, which is not there", where=str(path), mend="restore the file")
    return SessionPlan(
        title=data.title or folder.name,
        media=media,
        players={seat: players[seat] for seat in sorted(players)},
        profile=str(own) if (own := folder / data.profile).suffix == ".toml" and own.exists() else data.profile,
        language=data.language,
        calibration=calibration,
        dealer=dealer,
        position=data.position,
        folder=folder,
        recorded=data.recorded,
        deck=str(folder / data.deck) if data.deck and data.deck.endswith(".deck") else data.deck,
        words=checked_words(data.words, str(path)) or None,
        voices=seat_delays(data.voices, str(path)) or None,
    )


def seat_delays(voices: Mapping[str, HeardFrom], where: str) -> dict[Seat, SeatDelay]:
    """By seat what a file says of its players' voices. Raises InputFault for a seat that there is not."""
    try:
        return {Seat.parse(seat): SeatDelay(one.delay_ms, one.spread_ms) for seat, one in voices.items()}
    except ValueError as fault:
        raise InputFault(f"voices: {fault}", where=where, mend="seats are P1 to P10, clockwise") from None


def _line_of(text: str, key: str) -> int:
    found = re.search(rf"^\s*\[?\s*{re.escape(key)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.end()) + 1 if found else 1
