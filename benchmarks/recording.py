"""What recording costs, and how fast a recording is read and judged again.

    python benchmarks/recording.py [--seconds 40] [--preset ultrafast] [--noise 4] [--replay [SESSION]] [--kills 50]

Recording: 1280x720, 15 frames a second, with 16 kHz sound, from the bundled film with sensor noise on it, through the
recorder as a live table uses it. Seconds of processor are of the whole process, without those that made the frames;
the share is of one core. --replay also judges a session (the bundled one) from its pixels, which takes minutes.
--kills runs the test that kills recorders. Seconds by the clock mean something on a quiet machine only.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console

from referee.bundled import bundled
from referee.capture import segment_writer
from referee.capture.media import Frame, SoundChunk, frames, probe, sound_chunks
from referee.session.folder import segments_of
from referee.session.plan import open_plan
from referee.session.recorder import Recorder

FILM = bundled("fixtures/first-light")
SIZE_PX = (1280, 720)
RATE_HZ = 15
KEPT_FRAMES = 60


def noisy_frames(film: Path, noise: float) -> list[np.ndarray]:
    """Four seconds of the film at 720p with noise of a sensor; repeated, they are as hard to code as a long film."""
    chance = np.random.default_rng(1)
    made = []
    for frame in frames(film):
        image = cv2.resize(frame.image_bgr, SIZE_PX).astype(np.float32)
        grain = chance.normal(0, noise, (SIZE_PX[1], SIZE_PX[0], 1)).astype(np.float32)
        made.append(np.clip(image + grain, 0, 255).astype(np.uint8))
        if len(made) == KEPT_FRAMES:
            break
    return made


def record(seconds: float, noise: float, out: Console) -> None:
    """Print the cost of recording."""
    images = noisy_frames(FILM / "media" / "table.mkv", noise)
    sound = [chunk for chunk, _ in zip(sound_chunks(FILM / "media" / "table.mkv"), range(300), strict=False)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "media").mkdir()
        recorder = Recorder(folder, lambda *_: None, size_px=SIZE_PX, rate_hz=16_000, patient=True)
        cpu_s, clock_s = time.process_time(), time.perf_counter()
        for i in range(round(seconds * RATE_HZ)):
            recorder.picture(Frame(round(i / RATE_HZ, 3), i, images[i % len(images)]))
            if i * 10 % RATE_HZ < 10:
                tenth = i * 10 // RATE_HZ
                recorder.sound(SoundChunk(tenth / 10, sound[tenth % len(sound)].samples, 16_000))
        recorder.close()
        cpu_s, clock_s = time.process_time() - cpu_s, time.perf_counter() - clock_s
        size = sum(segment.path.stat().st_size for segment in segments_of(folder))
        out.print(
            f"recording {seconds:.0f} s of {SIZE_PX[0]}x{SIZE_PX[1]} at {RATE_HZ}/s with sound, "
            f"{segment_writer.ENCODER_OPTIONS['preset']}: "
            f"[bold]{cpu_s / seconds:.1%}[/bold] of one core ({cpu_s:.1f} s processor, {clock_s:.1f} s clock), "
            f"{size / seconds * 3600 / 1e6:.0f} MB an hour, {recorder.nudged} times nudged"
        )
        read_back(folder, seconds, out)


def read_back(folder: Path, seconds: float, out: Console) -> None:
    """Print how fast the pictures of a recording are decoded, once and in order."""
    cpu_s, clock_s, count = time.process_time(), time.perf_counter(), 0
    for segment in segments_of(folder):
        count += sum(1 for _ in frames(segment.path))
    cpu_s, clock_s = time.process_time() - cpu_s, time.perf_counter() - clock_s
    out.print(
        f"decoding its {count} frames: {seconds / cpu_s:.0f} times real time by processor, "
        f"{seconds / clock_s:.0f} by clock"
    )


def judge_again(session: Path, out: Console) -> None:
    """Print how fast a session is judged from its pixels and samples, against real time."""
    from referee.session.replaying import Replaying
    from referee.session.senses import open_senses

    plan = open_plan(session)
    senses = open_senses(plan)
    length_s = sum(probe(media).duration_s for media in plan.media)
    with tempfile.TemporaryDirectory() as name:
        cpu_s, clock_s = time.process_time(), time.perf_counter()
        count = sum(1 for _ in Replaying(plan, senses, Path(name)).run())
        cpu_s, clock_s = time.process_time() - cpu_s, time.perf_counter() - clock_s
    out.print(
        f"judging {plan.title!r} again, {length_s:.0f} s, {count} things told: "
        f"[bold]{length_s / cpu_s:.2f}[/bold] times real time by processor ({cpu_s:.0f} s), "
        f"{length_s / clock_s:.2f} by clock ({clock_s:.0f} s)"
    )


def kill(count: int, out: Console) -> None:
    """Run the test that kills so many recorders at random instants."""
    test = Path(__file__).parents[1] / "tests" / "session" / "test_killed_recorder.py"
    command = [sys.executable, "-m", "pytest", "-q", "--timeout=900", str(test)]
    done = subprocess.run(command, env={**os.environ, "REFEREE_KILLS": str(count)}, check=False, capture_output=True)
    out.print(f"{count} recorders killed: {done.stdout.decode().strip().splitlines()[-1]}")


def presets(wanted: str | None) -> Iterator[str]:
    """The encoder's presets to measure."""
    if wanted:
        yield from wanted.split(",")
    else:
        yield str(segment_writer.ENCODER_OPTIONS["preset"])


def main() -> None:
    """Measure and print."""
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--seconds", type=float, default=40.0)
    cli.add_argument("--preset", help="of x264, several separated by commas")
    cli.add_argument("--noise", type=float, default=4.0, help="of the sensor, in grey levels")
    cli.add_argument("--replay", type=Path, nargs="?", const=FILM, metavar="SESSION")
    cli.add_argument("--kills", type=int, default=0)
    options = cli.parse_args()
    cv2.setNumThreads(1)
    out = Console(highlight=False, soft_wrap=True)
    for preset in presets(options.preset):
        segment_writer.ENCODER_OPTIONS["preset"] = preset
        record(options.seconds, options.noise, out)
    free = shutil.disk_usage(tempfile.gettempdir()).free
    out.print(f"(free disk: {free / 1e9:.0f} GB)")
    if options.replay:
        judge_again(options.replay, out)
    if options.kills:
        kill(options.kills, out)


if __name__ == "__main__":
    main()
