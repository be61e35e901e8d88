"""What watching costs live, and what a film of other cards shows."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from table_films import film_of

from referee.capture.media import frames, probe
from referee.observations import ArmSeen, CardLanded
from referee.synth.film import film
from referee.synth.film_calibration import calibration_toml
from referee.synth.film_manners import LIVELY
from referee.synth.film_style import FilmStyle
from referee.vision.reader import open_reader
from referee.vision.steady import steady_eye
from referee.vision.zones import TableZones

_SIZE_PX = (1280, 720)
_RATE_HZ = 15
_STILL_S = 20.0


def live_cost(play_s: float = 40.0) -> str:
    """Processor time of the eye at 1280x720 and 15 frames a second: on a still table, and in play."""
    style = FilmStyle(size_px=_SIZE_PX, frame_rate_hz=_RATE_HZ, manners=LIVELY, any_arms=True)
    script = film_of(0, None).script
    made = film(script.items, replace(style, tableware=False), 5, profile=script.profile)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "calibration.toml"
        path.write_text(calibration_toml(made.layout, made.view), encoding="utf-8")
        eye = steady_eye(TableZones.from_toml(path), open_reader())
    stage, camera = made.stage(), made.camera()
    still_s = 0.0
    for index in range(round(_STILL_S * _RATE_HZ)):
        image = camera.picture(stage.frame(0.0), index / _RATE_HZ)
        begun_s = time.process_time()
        eye.see(image, index / _RATE_HZ)
        if index > 2 * _RATE_HZ:  # the first card is read once
            still_s += time.process_time() - begun_s
    free_s, ages_ms, took_ms, skipped = 0.0, [], [], 0
    for index in range(round(min(play_s, made.duration_s) * _RATE_HZ)):
        image = camera.picture(stage.frame(index / _RATE_HZ), index / _RATE_HZ)
        taken_s = index / _RATE_HZ
        if free_s > taken_s + 1 / _RATE_HZ:  # a newer frame will be there when the eye is free
            skipped += 1
            continue
        begun_s = time.process_time()
        eye.see(image, _STILL_S + taken_s)
        spent_s = time.process_time() - begun_s
        ages_ms.append(1000 * (max(free_s, taken_s) - taken_s))
        took_ms.append(1000 * spent_s)
        free_s = max(free_s, taken_s) + spent_s
    took_ms.sort()
    return (
        f"1280x720 at {_RATE_HZ} frames a second, processor time of the eye:\n"
        f"still table: {100 * still_s / (_STILL_S - 2):.1f} % of one core\n"
        f"in play: {statistics.mean(took_ms):.1f} ms a frame, {took_ms[int(0.95 * len(took_ms))]:.0f} ms at 95 %, "
        f"{took_ms[-1]:.0f} ms at most; oldest frame when its judging begins {max(ages_ms):.0f} ms; "
        f"{skipped} of {len(took_ms) + skipped} frames skipped"
    )


def other_cards(video: Path) -> str:
    """A film in which people play with other cards: when hands were seen, and UNO cards that were claimed."""
    facts = probe(video)
    eye = steady_eye(TableZones.whole_frame_guess(facts.width_px, facts.height_px, 4), open_reader())
    observed, t_s = [], 0.0
    for frame in frames(video, _RATE_HZ):
        observed += eye.see(frame.image_bgr, frame.t_s)
        t_s = frame.t_s
    observed += eye.close(t_s)
    plays = [o for o in observed if isinstance(o, CardLanded)]
    arms = sorted((o for o in observed if isinstance(o, ArmSeen)), key=lambda o: o.t_s)
    at = Counter(f"{o.seat} at {o.zone.value}" for o in arms)
    gaps = [later.t_s - earlier.until_s for earlier, later in pairwise(arms)]
    lines = [f"{video.name}, {t_s:.0f} s: {len(plays)} UNO plays claimed, {len(arms)} hands at a pile or place seen"]
    lines += [f"  claimed {o.reading.code} ({o.confidence:.2f}) at {o.t_s:.1f} s" for o in plays]
    lines += [f"  {name}: {count}" for name, count in at.most_common()]
    lines += [f"  {o.t_s:.1f}-{o.until_s:.1f} s {o.seat} {o.zone.value}" for o in arms]
    lines += [f"  longest time without a hand: {max(gaps):.1f} s"] if gaps else []
    return "\n".join(lines)
