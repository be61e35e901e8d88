"""Films for the table benchmark: each drawn from its number, judged from pixels and sound alone, kept as JSON."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from table_facts import Miss, arms_right, between_rounds, compare, facts_of, marks_right, round_marks, rulings_right

from referee.capture.media import MediaWriter, frames
from referee.fusion.desk import Question
from referee.observations import Observation
from referee.rules.entries import Entry, Opening, Play, Result
from referee.rules.ugn import format_items, read_items
from referee.session.plan import open_plan
from referee.session.replaying import Entered, Replaying, Ruled
from referee.session.senses import open_senses
from referee.synth.film import Film, film
from referee.synth.film_folder import write_session
from referee.synth.film_random import RandomScript, random_script
from referee.synth.film_style import hard_style

SEEDS_FROM = 770_000
"""Films of the benchmark are numbered from here; nothing else is drawn from these numbers."""

_PRINTINGS_FROM = 2_200_000_000
_FOUL_RATES = (0.08, 0.35)
_MOVES = (11, 20)
_MOVES_OF_SEVERAL = (8, 14)
"""Fewest and most moves of a round where a film has more than one."""

_LATER_S = 0.45


@dataclass(frozen=True, slots=True)
class Drawn:
    """A film of the benchmark before it is judged."""

    number: int
    made: Film
    script: RandomScript


def film_of(number: int, faces: Path | None, size_px: tuple[int, int] = (960, 720), rounds: int = 1) -> Drawn:
    """The film of a number: a whole round of three to six players, everything about it drawn from the number.

    faces: a folder of photographed faces to be filmed instead of a printing of its own. rounds: played in it, each
    dealt anew.
    """
    seed = SEEDS_FROM + number
    rng = np.random.default_rng([101, seed])
    seats = int(rng.choice([3, 4, 5, 6], p=[0.35, 0.35, 0.15, 0.15]))
    hand_size = int(rng.integers(3, 6)) if seats < 5 else 3
    style = replace(hard_style(seed, size_px), faces=faces or _PRINTINGS_FROM + seed)
    for attempt in range(20):
        try:
            script = random_script(
                seed + 100_000 * attempt,
                seats,
                foul_rate=_FOUL_RATES[number % 2],
                hand_size=hand_size,
                moves=_MOVES if rounds == 1 else _MOVES_OF_SEVERAL,
                rounds=rounds,
            )
            return Drawn(number, film(script.items, style, seed, profile=script.profile), script)
        except ValueError:  # a face that the folder lacks, a hand too large for its place, no round of that length
            continue
    raise ValueError(f"film {number} cannot be drawn")


def draw(drawn: Drawn, folder: Path) -> float:
    """Write the session folder; returns the processor seconds it took."""
    begun_s = time.process_time()
    width, height = drawn.made.style.size_px
    write_session(
        drawn.made,
        folder,
        lambda path: MediaWriter(
            path,
            width_px=width,
            height_px=height,
            frame_rate_hz=drawn.made.style.frame_rate_hz,
            video_crf=26,
            video_preset="veryfast",
        ),
        format_items(drawn.made.truth()),
        title=f"film {drawn.number}",
        command="benchmarks/table.py",
        profile_toml=drawn.script.profile_toml,
    )
    return time.process_time() - begun_s


def judge(folder: Path, keep: Path | None = None) -> dict[str, Any]:
    """Judge a session folder with its truth through the real pipeline; what came of it, as JSON.

    keep: where a picture of each miss goes.
    """
    items = read_items((folder / "truth.ugn").read_text(encoding="utf-8")).items
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    begun_s = time.process_time()
    plan = open_plan(folder)
    replaying = Replaying(plan, open_senses(plan), folder / "judged")
    observed: list[Observation] = []
    known_s: list[tuple[float, float]] = []
    ruled: list[tuple[str, str, float, str]] = []
    told_rounds: list[Opening | Result] = []
    questions: list[tuple[float, str]] = []
    now_s = 0.0

    def on_time(t_s: float) -> None:
        nonlocal now_s
        now_s = t_s

    for told in replaying.run(on_time):
        match told:
            case Observation():
                observed.append(told)
            case Entered(judged=judged):
                if isinstance(judged.entry, Entry) and any(isinstance(e, Play) for e in judged.entry.events):
                    known_s.append((judged.t_s, now_s))
                told_rounds += round_marks([judged.entry])
            case Ruled(incident=incident, judged=judged):
                if incident.kind == "foul":
                    ruled.append((incident.code, str(incident.seat), judged.t_s, incident.say()))
                elif incident.kind == "question":
                    questions.append((judged.t_s, incident.code))
            case Question(text=text, t_s=t_s):
                questions.append((t_s, text))
    took_s = time.process_time() - begun_s
    outcome = compare(list(facts_of(items)), [o for o in observed if not between_rounds(items, o)])
    seen, right, unseen, arm_misses = arms_right(truth["arms"], observed)
    found, accused = rulings_right(truth["fouls"], [r[:3] for r in ruled])
    words = {r[:3]: r[3] for r in ruled}
    missed_fouls = [f for f in truth["fouls"] if f not in found]
    misses = [*outcome.misses, *outcome.false, *arm_misses]
    misses += [Miss("foul missed", f["t_s"], f"{f['seat']} {f['code']} ({f['certainty']})") for f in missed_fouls]
    misses += [Miss("accused falsely", a[2], f"{a[1]} {a[0]}: {words[a]}") for a in accused]
    if keep is not None:
        _picture(folder, misses, keep)
    true_rounds = round_marks(items)
    marks_found = sum(map(int, marks_right(true_rounds, told_rounds)))
    rests_s = [e["t_s"] for e in truth["events"] if e["kind"] == "play"]
    return {
        "duration_s": truth["duration_s"],
        "judge_cpu_s": round(took_s, 2),
        "recorded": dict(outcome.recorded),
        "found": dict(outcome.found),
        "exact_draws": outcome.exact_draws,
        "false": len(outcome.false),
        "round_marks": {"recorded": len(true_rounds), "found": marks_found},
        "seen_after_s": [round(s, 2) for s in outcome.late_s],
        "off_s": [round(s, 2) for s in outcome.off_s],
        "ruled_after_s": [round(now - rest, 2) for at, now in known_s if (rest := _nearest(rests_s, at)) is not None],
        "arms": {"seen": seen, "right": right, "unseen": unseen},
        "fouls": truth["fouls"],
        "fouls_found": found,
        "accused": [{"code": a[0], "seat": a[1], "t_s": round(a[2], 2), "text": words[a]} for a in accused],
        "questions": [[round(t, 2), text] for t, text in questions],
        "misses": [asdict(miss) for miss in misses],
    }


def run(number: int, faces: Path | None, results: Path, keep: Path | None, rounds: int = 1) -> dict[str, Any]:
    """Draw and judge the film of a number, unless its result is there already; returns the result.

    keep: where pictures of the misses go; the film is kept as well then. rounds: as in `film_of`.
    """
    name = f"film-{number:03}" if rounds == 1 else f"film-{number:03}-rounds-{rounds}"
    path = results / f"{name}.json"
    if path.exists():
        return dict(json.loads(path.read_text(encoding="utf-8")))
    drawn = film_of(number, faces, rounds=rounds)
    style = drawn.made.style
    folder = results / name
    drawn_in = folder / "drawn-in.json"
    if not drawn_in.exists():  # a film that was kept is judged again without being drawn again
        drawn_in.parent.mkdir(parents=True, exist_ok=True)
        drawn_in.write_text(json.dumps(round(draw(drawn, folder), 2)), encoding="utf-8")
    result = {
        "number": number,
        "seed": drawn.made.seed,
        "seats": len(drawn.made.layout.seats),
        "elevation_deg": round(style.elevation_deg),
        "bumps": style.bumps,
        "surface": style.surface,
        "tossed": round(style.manners.toss, 2),
        "draw_cpu_s": json.loads(drawn_in.read_text(encoding="utf-8")),
        **judge(folder, keep / name if keep else None),
    }
    path.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if keep is None:
        shutil.rmtree(folder)
    return result


def _nearest(rests_s: list[float], at_s: float) -> float | None:
    near = [rest for rest in rests_s if abs(rest - at_s) <= 1.0]
    return min(near, key=lambda rest: abs(rest - at_s), default=None)


def _picture(folder: Path, misses: list[Miss], keep: Path) -> None:
    """A picture of each miss, a little after its time."""
    due = sorted((miss.t_s + _LATER_S, number) for number, miss in enumerate(misses))
    if not due:
        return
    keep.mkdir(parents=True, exist_ok=True)
    for frame in frames(folder / "media" / "table.mkv"):
        while due and frame.t_s >= due[0][0]:
            miss = misses[due.pop(0)[1]]
            picture = frame.image_bgr.copy()
            cv2.putText(
                picture, miss.text[:90], (8, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 255, 255), 2, cv2.LINE_AA
            )
            name = f"{miss.kind.replace(' ', '-').replace(chr(39), '')}-{miss.t_s:06.2f}.jpg"
            cv2.imwrite(str(keep / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
        if not due:
            return
