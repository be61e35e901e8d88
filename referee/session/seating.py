"""Who sits where at a table that begins to play, as it was said on the command line."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from pathlib import Path

from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.phrases import load_pack
from referee.rules.profiles import load_profile
from referee.session.plan import SessionPlan, seat_delays
from referee.session.settings import Settings, TablePart, sessions_folder, settings_path


def plan_of_table(
    *,
    title: str,
    players: str | None = None,
    dealer: str | None = None,
    profile: str | None = None,
    language: str | None = None,
    calibration: Path | None = None,
) -> SessionPlan:
    """The plan of a new session. players: names clockwise from P1, separated by commas; None is four seats.

    dealer: a name or a seat. Raises InputFault for too few or too many names, one name twice, a dealer who does not
    sit there, an unknown profile or phrase pack, and a calibration that is not there.
    """
    names = [name.strip() for name in players.split(",")] if players else [""] * 4
    if players and (not all(names) or len(set(names)) != len(names)):
        raise InputFault("a name is empty or given twice", where="--players", mend="give each player another name")
    if not 2 <= len(names) <= 10:
        many = f"{len(names)} player{'s' if len(names) > 1 else ''}"
        raise InputFault(many, where="--players", mend="2 to 10 can play")
    load_profile(profile or "classic-108")
    load_pack(language or "stand-in")
    if calibration is not None and not calibration.is_file():
        what = "is a folder, not a calibration" if calibration.is_dir() else "is not there"
        raise InputFault(what, where=str(calibration), mend="run `referee calibrate`")
    seats = Seat.first(len(names))
    return SessionPlan(
        title=title,
        media=(),
        players=dict(zip(seats, names, strict=True)),
        profile=profile or "classic-108",
        language=language or "stand-in",
        calibration=calibration,
        dealer=_dealer(dealer, names) if dealer else None,
    )


def plan_of_settings(
    settings: Settings,
    record: Path | None,
    camera: str | None,
    *,
    players: str | None = None,
    dealer: str | None = None,
    profile: str | None = None,
    language: str | None = None,
    calibration: Path | None = None,
) -> SessionPlan:
    """The plan of a table as its settings say, and as the command line says otherwise. Raises InputFault.

    A film that is watched has nothing to do with one's own table: of its settings only what speaks and who listens.
    """
    table = settings.table
    film = camera is not None and Path(camera).is_file()
    own = TablePart() if film else table
    named = record or (Path(camera) if film and camera else None)
    plan = plan_of_table(
        title=own.title or (named.resolve().stem if named else dt.date.today().isoformat()),
        players=players or ",".join(own.players) or None,
        dealer=dealer or own.dealer or None,
        profile=profile or own.profile,
        language=language or (None if film else settings.speech.pack or own.language),
        calibration=calibration or (Path(own.calibration).expanduser() if own.calibration else None),
    )
    voices = {} if film else seat_delays(settings.voices, str(settings_path()))
    return replace(plan, deck=own.deck or None, voices=voices or None)


def folder_for(settings: Settings, plan: SessionPlan, camera: str | None) -> Path | None:
    """The folder that a table's session goes to by its settings; None for a film, or where nothing is recorded."""
    if not settings.recording.on or (camera is not None and Path(camera).is_file()):
        return None
    name = re.sub(r"[^\w-]+", "-", plan.title.lower()).strip("-") or "session"
    stamp = dt.datetime.now().strftime("%Y-%m-%d-%H%M")
    return sessions_folder(settings) / f"{stamp}-{name}"


def _dealer(who: str, names: list[str]) -> Seat:
    seats = Seat.first(len(names))
    if who in names:
        return seats[names.index(who)]
    try:
        seat = Seat.parse(who)
    except ValueError:
        seat = None
    if seat not in seats or seat is None:
        raise InputFault(f"{who} does not sit at this table", where="--dealer", mend="give a player's name or seat")
    return seat
