"""A case bundle: everything about one ruling in one zip that a person without this software can open and check.

It holds a page (`index.html`), a clip of picture and sound, the frames with what was seen drawn on them, the lines of
the log that the ruling rests on, the whole log up to then, and the SHA-256 of each file.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
from jinja2 import Environment, PackageLoader, StrictUndefined

from referee.capture.clips import Clip, Piece, cut_clip
from referee.faults import InputFault
from referee.observations import Observation
from referee.rules.profiles import Profile, load_profile
from referee.rules.profiles.catalogue import entries as options
from referee.rules.profiles.documents import cite
from referee.session.corrected import observation_of
from referee.session.findings import marks_of, names_for_seats
from referee.session.folder import segments_of
from referee.session.incidents import CaseLine
from referee.session.log import LOG_FILE, LogLine
from referee.session.moment_picture import draw_moment
from referee.session.plan import SESSION_FILE, SessionPlan
from referee.session.recorded_frames import frames_at

BEFORE_S, AFTER_S = 8.0, 5.0
"""How much of the recording a clip shows around the moment."""

AROUND_S = 15.0
SUMS_FILE = "SHA256SUMS"
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule that a ruling rests on, in words, with where each word of it comes from."""

    option: str
    question: str
    saying: str
    sources: tuple[str, ...]


def write_case(folder: Path, plan: SessionPlan, lines: Sequence[LogLine], case: CaseLine, out: Path) -> list[str]:
    """Write the bundle of `case` to `out` and return remarks on what could not be put in (deleted media).

    Raises InputFault when `out` cannot be written.
    """
    with tempfile.TemporaryDirectory() as work:
        room = Path(work)
        evidence = _evidence(lines, case)
        remarks: list[str] = []
        clip = _clip(folder, evidence, case, room, remarks)
        pictures = _pictures(folder, plan, evidence, case, room)
        if evidence and not pictures:
            remarks.append("no picture of the moment is left: the media were deleted or never recorded")
        facts = _facts(folder, plan, lines, case, clip)
        (room / "case.json").write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        (room / LOG_FILE).write_bytes((folder / LOG_FILE).read_bytes())
        for name in (SESSION_FILE, "calibration.toml", "profile.toml"):
            if (folder / name).is_file():
                (room / name).write_bytes((folder / name).read_bytes())
        (room / "index.html").write_text(_page(plan, case, facts, clip, pictures, remarks), encoding="utf-8")
        _zip(room, out)
    return remarks


def rule_of(profile: Profile, case: CaseLine, language: str = "en") -> Rule | None:
    """The rule in the profile's words; None where the ruling rests on no option."""
    option = str(case.line.payload.get("rule") or "").partition(" ")[0]
    entry = options(language).get(option)
    if entry is None:
        return None
    value = dict(profile.options()).get(option)
    sources = profile.source_of(option)
    words = tuple(f"{source}: {cite(source).words}" for source in sources)
    return Rule(option, entry.question, entry.saying(value), words)


def _evidence(lines: Sequence[LogLine], case: CaseLine) -> list[Observation]:
    wanted = set(case.line.payload.get("evidence") or ())
    return [o for line in lines if line.id in wanted and (o := observation_of(line)) is not None]


def _clip(
    folder: Path, evidence: Sequence[Observation], case: CaseLine, room: Path, remarks: list[str]
) -> Clip | None:
    from_s = min([case.t_s, *(o.t_s for o in evidence)]) - BEFORE_S
    until_s = max([case.t_s, *(o.seen_s for o in evidence)]) + AFTER_S
    pieces = [Piece(segment.path, segment.begin_s) for segment in segments_of(folder)]
    try:
        return cut_clip(pieces, max(0.0, from_s), until_s, room / "clip.mp4")
    except InputFault as fault:
        remarks.append(fault.what)
        return None


def _pictures(
    folder: Path, plan: SessionPlan, evidence: Sequence[Observation], case: CaseLine, room: Path
) -> list[tuple[str, str]]:
    seen = frames_at(folder, [o.seen_s for o in evidence])
    written = []
    said = case.line.payload
    for n, observation in enumerate((o for o in evidence if o.seen_s in seen), 1):
        title = names_for_seats(str(said.get("text", "")), plan)
        moment = f"{observation.seen_s:.2f} s on the session clock · {observation.id}"
        picture = draw_moment(
            seen[observation.seen_s],
            kind=str(said.get("kind", "note")),
            title=title,
            lines=[moment],
            marks=marks_of(observation, "en"),
        )
        name = f"frame-{n}-{observation.id}.jpg"
        cv2.imwrite(str(room / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
        written.append((name, moment))
    return written


def _facts(
    folder: Path, plan: SessionPlan, lines: Sequence[LogLine], case: CaseLine, clip: Clip | None
) -> dict[str, Any]:
    session = tomllib.loads((folder / SESSION_FILE).read_text(encoding="utf-8"))
    profile = load_profile(plan.profile)
    rule = rule_of(profile, case)
    wanted = set(case.line.payload.get("evidence") or ())
    around = [line for line in lines if abs(line.t_s - case.t_s) <= AROUND_S and line.type in ("entry", "ruling")]
    corrections = [line for line in lines if line.type == "correction"]
    return {
        "format": 1,
        "session": plan.title,
        "began": session.get("began", {}),
        "players": {str(seat): name for seat, name in plan.players.items()},
        "profile": {"name": profile.name, "title": profile.title},
        "ruling": case.to_json(),
        "rule": rule
        and {"option": rule.option, "question": rule.question, "says": rule.saying, "sources": list(rule.sources)},
        "observations": [_row(line) for line in lines if line.id in wanted],
        "around": [_row(line) for line in around],
        "corrections": [_row(line) for line in corrections],
        "clip": clip and {"file": clip.path.name, "from_s": round(clip.from_s, 3), "until_s": round(clip.until_s, 3)},
        "versions": session.get("versions", {}),
        "models": session.get("model", []),
        "log": {"lines": lines[-1].n, "hash": lines[-1].hash} if lines else None,
    }


def _row(line: LogLine) -> dict[str, Any]:
    return {"n": line.n, "id": line.id, "type": line.type, "t_s": line.t_s, **line.payload}


def _page(
    plan: SessionPlan,
    case: CaseLine,
    facts: dict[str, Any],
    clip: Clip | None,
    pictures: Sequence[tuple[str, str]],
    remarks: Sequence[str],
) -> str:
    loader = PackageLoader("referee.session", "pages")
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    pages.filters["named"] = lambda text: names_for_seats(str(text), plan)
    return pages.get_template("case.html").render(
        case=case, facts=facts, clip=clip, pictures=pictures, remarks=remarks
    )


def _zip(room: Path, out: Path) -> None:
    """Pack the folder's files, with their sums, the same bytes for the same content."""
    names = sorted(path.name for path in room.iterdir())
    sums = "".join(f"{hashlib.sha256((room / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (room / SUMS_FILE).write_text(sums, encoding="utf-8")
    half = out.with_name(out.name + ".part")
    try:
        with zipfile.ZipFile(half, "w") as bundle:
            for name in (*names, SUMS_FILE):
                entry = zipfile.ZipInfo(name, _DATE)
                packed = name.endswith((".mp4", ".jpg"))
                entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                bundle.writestr(entry, (room / name).read_bytes())
        half.replace(out)
    except OSError as fault:
        half.unlink(missing_ok=True)
        raise InputFault(f"cannot be written: {fault.strerror}", where=str(out), mend="name another file") from None
