"""The session folder: what lies where, how its pieces are named, and its closing (docs/session-folder.md)."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee import __version__
from referee.bundled import bundled
from referee.faults import InputFault
from referee.rules.ugn import format_items
from referee.session.clock import anchor
from referee.session.log import LOG_FILE, LogLine, read_log
from referee.session.plan import SESSION_FILE, SessionPlan
from referee.session.rejudging import LogJudging, judge_log

MEDIA_FOLDER = "media"
GAME_FILE = "game.ugn"
SCORE_FILE = "score.json"
CALIBRATION_FILE = "calibration.toml"
_SEGMENT_NAME = re.compile(r"(\d{6})-(\d{9})\.mkv")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of the recording: its file, its number from 1, and where on the session clock its times begin."""

    path: Path
    number: int
    begin_s: float


def segment_name(number: int, begin_s: float) -> str:
    """`000012-000240000.mkv`: the 12th piece, from 240 s on."""
    return f"{number:06d}-{round(begin_s * 1000):09d}.mkv"


def segments_of(folder: Path, *, empty: bool = False) -> list[Segment]:
    """The pieces in the folder's `media/`, in order; empty ones, which a crash leaves, only where wanted."""
    found = [
        Segment(path, int(name[1]), int(name[2]) / 1000)
        for path in (folder / MEDIA_FOLDER).glob("*.mkv")
        if (name := _SEGMENT_NAME.fullmatch(path.name)) and (empty or path.stat().st_size)
    ]
    return sorted(found, key=lambda segment: segment.number)


def create_session(folder: Path, plan: SessionPlan, *, calibration: Path | None) -> None:
    """Makes the folder of a new session: `session.toml`, a copy of the calibration, and a place for media.

    Raises InputFault when the folder already holds something or cannot be made.
    """
    if (folder / SESSION_FILE).exists() or (folder / LOG_FILE).exists():
        raise InputFault(
            "already holds a session", where=str(folder), mend=f"name a new folder, or use --resume {folder}"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputFault("is not an empty folder", where=str(folder), mend="name a new folder with --record")
    try:
        (folder / MEDIA_FOLDER).mkdir(parents=True, exist_ok=True)
        if calibration is not None:
            _copy_calibration(calibration, folder)
        profile = plan.profile
        if profile.endswith(".toml") and Path(profile).is_file():
            profile = "profile.toml"
            shutil.copyfile(plan.profile, folder / profile)
        text = _session_toml(plan, profile, has_calibration=calibration is not None)
        (folder / SESSION_FILE).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise InputFault(
            f"cannot be written: {fault.strerror}", where=str(folder), mend="name another folder"
        ) from None


def close_session(folder: Path, plan: SessionPlan, lines: Sequence[LogLine]) -> LogJudging:
    """Writes `game.ugn` and `score.json` anew from the log, corrections applied, and seals the log."""
    judging = judge_log(lines, plan)
    write_whole(folder / GAME_FILE, format_items(judging.items))
    score = score_record(judging.profile.name, [line.to_json() for line in judging.sheet])
    if lines:
        score["log"] = {"lines": len(lines), "hash": lines[-1].hash}
    write_whole(folder / SCORE_FILE, json.dumps(score, ensure_ascii=False, indent=2) + "\n")
    return judging


def score_record(profile: str, rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """What `score.json` holds, without the seal."""
    return {"format": 1, "profile": profile, "rounds": rounds}


def seal_of(folder: Path) -> tuple[int, str]:
    """How many lines the log had when the session was closed, and the hash of the last; (0, "") if never closed."""
    try:
        seal = json.loads((folder / SCORE_FILE).read_text(encoding="utf-8"))["log"]
        return int(seal["lines"]), str(seal["hash"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0, ""


def log_of(folder: Path) -> list[LogLine]:
    """The lines of the folder's log that can be read. Raises InputFault when there is none."""
    return read_log(folder / LOG_FILE).lines


def write_whole(path: Path, text: str) -> None:
    """Write a file so that at every moment either the old or the new one is there, whole."""
    half = path.with_name(path.name + ".new")
    half.write_text(text, encoding="utf-8")
    half.replace(path)


def _copy_calibration(calibration: Path, folder: Path) -> None:
    """The calibration, and the picture of the table that it may name."""
    shutil.copyfile(calibration, folder / CALIBRATION_FILE)
    plane = tomllib.loads(calibration.read_text(encoding="utf-8")).get("plane", {})
    picture = plane.get("reference") if isinstance(plane, dict) else None
    if isinstance(picture, str) and (calibration.parent / picture).is_file():
        (folder / picture).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(calibration.parent / picture, folder / picture)


def _session_toml(plan: SessionPlan, profile: str, *, has_calibration: bool) -> str:
    top: dict[str, Any] = {"format": 1, "title": plan.title, "recorded": True, "profile": profile}
    if has_calibration:
        top["calibration"] = CALIBRATION_FILE
    top["language"] = plan.language
    if plan.deck:
        top["deck"] = plan.deck
    if plan.dealer:
        top["dealer"] = str(plan.dealer)
    if plan.position:
        top["position"] = plan.position
    tables = [
        *((("[words]", {json.dumps(call): list(said) for call, said in plan.words.items()}),) if plan.words else ()),
        ("[players]", {str(seat): name for seat, name in plan.players.items()}),
        *(
            (f"[voices.{seat}]", {"delay_ms": one.delay_ms, "spread_ms": one.spread_ms})
            for seat, one in (plan.voices or {}).items()
        ),
        ("[began]", anchor()),
        ("[versions]", _versions()),
        *(("[[model]]", model) for model in _models()),
    ]
    parts = [_toml(top), *(f"{head}\n{_toml(values)}" for head, values in tables)]
    return "\n".join(parts)


def _toml(values: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {"referee": __version__}
    for name in ("opencv-python", "vosk", "av"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _models() -> list[dict[str, str]]:
    manifest = tomllib.loads(bundled("models/manifest.toml").read_text(encoding="utf-8"))
    return [{"name": str(m["name"]), "sha256": str(m["sha256"])} for m in manifest.get("model", []) if "sha256" in m]
