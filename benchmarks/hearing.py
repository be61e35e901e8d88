"""How well calls are heard: `python benchmarks/hearing.py [FOLDER] [--only real|noise|lines] [--model DIR]`.

FOLDER holds `sound.tsv` and the recordings it names; they are for measuring only and lie beside a checkout
(../shared/real), not in it. Without them only the spoken lines of drawn films are measured.
Calls are matched by time. "synthetic" is said of every figure that rests on Pico voices.
"""

from __future__ import annotations

import argparse
import csv
import resource
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from referee.capture.media import SoundChunk, sound_chunks
from referee.faults import InputFault
from referee.hearing.listener import Listener
from referee.hearing.model_folder import model_of
from referee.hearing.phrases import PhrasePack, load_pack
from referee.hearing.takes import loudness
from referee.hearing.vosk_recogniser import RATE_HZ, VoskRecogniser
from referee.observations import CallHeard
from referee.synth.rooms import mix_room
from referee.synth.speech import CALL_LINES, CHATTER, speak
from referee.synth.voices import SPEAKERS

Sound = NDArray[np.int16]
REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
LEVEL = 3000.0
"""RMS of the loud frames of a word that is put into noise."""
GAP_S = 2.5
SLACK_S = 0.25
"""A call within this time of the spoken word is that word's."""


@dataclass
class Ear:
    """A listener for each recording, and what the listening cost."""

    recogniser: VoskRecogniser
    pack: PhrasePack
    heard_s: float = 0.0
    cpu_s: float = 0.0
    delays_s: list[float] = field(default_factory=list)

    def hear(self, sound: Sound, expected: Sequence[str] | None = None) -> list[CallHeard]:
        """The calls of one recording, given in chunks of 0.1 s."""
        listener = Listener(self.recogniser, self.pack)
        listener.set_expected(expected)
        began = time.process_time()
        calls: list[CallHeard] = []
        for at in range(0, len(sound), RATE_HZ // 10):
            calls += listener.hear(SoundChunk(at / RATE_HZ, sound[at : at + RATE_HZ // 10], RATE_HZ))
        calls += listener.close()
        self.cpu_s += time.process_time() - began
        self.heard_s += len(sound) / RATE_HZ
        self.delays_s += [call.seen_s - call.end_s for call in calls]
        return calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=REAL)
    parser.add_argument("--only", choices=("real", "noise", "lines"))
    parser.add_argument("--model", type=Path)
    arguments = parser.parse_args()
    out = Console()
    pack = load_pack("stand-in")
    before_mb, began = _memory_mb(), time.perf_counter()
    try:
        ear = Ear(VoskRecogniser(model_of(pack, arguments.model)), pack)
    except InputFault as fault:
        out.print(f"skipped: {fault}")
        return
    out.print(
        f"model loaded in {time.perf_counter() - began:.1f} s, {_memory_mb() - before_mb:.0f} MB more resident",
        highlight=False,
    )
    listed = arguments.folder / "sound.tsv"
    if not listed.exists():
        out.print(f"real sounds skipped: {listed} is not there")
    elif arguments.only in (None, "real"):
        out.print(real_sounds(ear, listed))
    if listed.exists() and arguments.only in (None, "noise"):
        out.print(in_noise(ear, arguments.folder / "sound"))
    if arguments.only in (None, "lines"):
        out.print(spoken_lines(ear))
    delays_s = sorted(ear.delays_s) or [0.0]
    out.print(
        f"CPU {ear.cpu_s / max(ear.heard_s, 1e-9):.3f} of real time over {ear.heard_s / 60:.1f} min of sound; "
        f"from the end of a call to its event {statistics.median(delays_s):.2f} s, "
        f"95th percentile {delays_s[int(0.95 * (len(delays_s) - 1))]:.2f} s; at most {_memory_mb():.0f} MB",
        highlight=False,
    )


def real_sounds(ear: Ear, listed: Path) -> Table:
    """Recordings as they are: the expected call found or not, and every call that nobody made."""
    rows: dict[str, Counter[str]] = {}
    minutes: dict[str, float] = {}
    with listed.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            path = listed.parent / row["file"]
            expected = row["calls"] or ""
            kind = expected or _kind(path.stem)
            sound = _load(path)
            minutes[kind] = minutes.get(kind, 0.0) + len(sound) / RATE_HZ / 60
            count = rows.setdefault(kind, Counter())
            count["recordings"] += 1
            calls = ear.hear(sound)
            count["found"] += any(call.call == expected for call in calls)
            count.update(f"!{call.call}" for call in calls if call.call != expected)
    table = Table(title="Real recordings")
    for name in ("sound", "recordings", "minutes", "found", "false calls", "false a minute"):
        table.add_column(name)
    for kind, count in rows.items():
        false = {call[1:]: number for call, number in count.items() if call.startswith("!")}
        found = str(count["found"]) if kind in ear.pack.calls else "-"
        rate = f"{sum(false.values()) / minutes[kind]:.2f}"
        named = ", ".join(f"{number} {call}" for call, number in sorted(false.items())) or "none"
        table.add_row(kind, str(count["recordings"]), f"{minutes[kind]:.2f}", found, named, rate)
    return table


def in_noise(ear: Ear, folder: Path) -> Table:
    """ "uno" of both kinds in noise of several levels, and the same noise with the word muted."""
    words = [("synthetic", speak("uno", name, variant=variant)) for name in SPEAKERS for variant in (0, 1)]
    words += [("real", _load(path)) for path in sorted(folder.glob("uno-*"))]
    table = Table(title='"uno" in noise (12 synthetic, the real ones as they are), matched by time')
    for name in ("noise", "synthetic", "real", "expected: synthetic", "real", "muted: fires", "expected: fires"):
        table.add_column(name)
    for noise, snr_db in (("none", 60), ("babble", 20), ("babble", 10), ("pink", 20), ("pink", 10)):
        clean, marks = _in_line(words)
        bed = _bed(folder, noise, len(clean)) * LEVEL * 10 ** (-snr_db / 20)
        mixed, muted = _int16(clean + bed), _int16(bed)
        cells = [f"{noise} {snr_db} dB"]
        for expected in (None, ("uno",)):
            calls = ear.hear(mixed, expected)
            found = Counter(kind for kind, a, b in marks if _near(calls, "uno", a, b))
            cells += [f"{found[kind]}/{sum(k == kind for k, _ in words)}" for kind in ("synthetic", "real")]
        for expected in (None, ("uno",)):
            cells.append(str(sum(call.call == "uno" for call in ear.hear(muted, expected))))
        table.add_row(*cells)
    return table


def spoken_lines(ear: Ear) -> Table:
    """The lines of drawn films in a drawn room: synthetic voices, each speaker once a level."""
    levels = (25, 20, 15)
    table = Table(title=f"Spoken lines (synthetic): found of {len(SPEAKERS)} speakers / when expected / other calls")
    for name in ("call", "line", "voice", *(f"{level} dB" for level in levels)):
        table.add_column(name)
    for call, lines in CALL_LINES.items():
        for variant, line in enumerate(lines):
            words = [(name, speak(call, name, variant=variant)) for name in SPEAKERS]
            cells = [_found_in_room(ear, call, words, snr_db, variant) for snr_db in levels]
            table.add_row(call, line.meaning, line.language, *cells)
    chatter = [(name, speak(line.text, name, language=line.language)) for line in CHATTER for name in SPEAKERS]
    cells = [_found_in_room(ear, "", chatter, snr_db, 0) for snr_db in levels]
    table.add_row("none", f"chatter, {len(chatter)} sentences", "", *cells)
    return table


def _found_in_room(ear: Ear, call: str, words: Sequence[tuple[str, Sound]], snr_db: float, seed: int) -> str:
    at_s, placed, marks = GAP_S, [], []
    for _, sound in words:
        end_s = at_s + len(sound) / RATE_HZ
        placed.append((at_s, sound))
        marks.append((at_s, end_s))
        at_s = end_s + GAP_S
    room = mix_room(placed, at_s, seed=seed, snr_db=snr_db)
    calls = ear.hear(room)
    found = sum(_near(calls, call, a, b) for a, b in marks)
    others = Counter(heard.call for heard in calls if heard.call != call)
    wrong = ", ".join(f"{number} {name}" for name, number in others.items()) or "none"
    if not call:
        return wrong
    awaited = ear.hear(room, [call])
    ready = sum(_near(awaited, call, a, b) for a, b in marks)
    return f"{found} / {ready} / {wrong}"


def _near(calls: Sequence[CallHeard], call: str, start_s: float, end_s: float) -> bool:
    return any(c.call == call and c.t_s < end_s + SLACK_S and c.end_s > start_s - SLACK_S for c in calls)


def _in_line(words: Sequence[tuple[str, Sound]]) -> tuple[NDArray[np.float64], list[tuple[str, float, float]]]:
    parts, marks, at = [], [], 0
    for kind, word in words:
        sound = word.astype(np.float64)
        sound *= LEVEL / loudness(sound)
        at += round(GAP_S * RATE_HZ)
        marks.append((kind, at / RATE_HZ, (at + len(sound)) / RATE_HZ))
        parts += [np.zeros(round(GAP_S * RATE_HZ)), sound]
        at += len(sound)
    return np.concatenate([*parts, np.zeros(RATE_HZ)]), marks


def _bed(folder: Path, noise: str, count: int) -> NDArray[np.float64]:
    """Noise of RMS 1, as long as wanted."""
    if noise == "none":
        return np.random.default_rng(1).normal(size=count)
    sound = np.resize(_load(folder / f"noise-{noise}.wav").astype(np.float64), count)
    return np.asarray(sound / np.sqrt(np.mean(sound**2)))


def _int16(sound: NDArray[np.float64]) -> Sound:
    return np.clip(sound, -32768, 32767).astype(np.int16)


def _load(path: Path) -> Sound:
    return np.concatenate([chunk.samples for chunk in sound_chunks(path, RATE_HZ)])


def _kind(stem: str) -> str:
    for start, kind in (("speech", "read speech"), ("noise-", stem), ("one-", '"one"')):
        if stem.startswith(start):
            return kind
    return "digits, Spanish" if stem.endswith("-es") else "other game words"


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
