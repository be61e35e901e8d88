"""The sounds that `benchmarks/hearing.py` measures on: voices unknown to training, prompts, recordings, noises."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from referee.capture.media import sound_chunks
from referee.hearing.takes import loudness
from referee.training.call_clips import FAMILY_CAST, SPEAKERS_CAST, UNSEEN_CAST, Cast, Clips, clips_of

RATE_HZ = 16000
LEVEL = 3000.0
"""RMS of the loud frames of a word that is put into noise."""
GAP_S = 1.6

Sound = NDArray[np.int16]

CALL_OF_KIND = {
    "uno": "uno", "in_sentence": "uno", "challenge": "challenge", "catch": "catch", "red": "colour:R",
    "yellow": "colour:Y", "green": "colour:G", "blue": "colour:B",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """One spoken thing. call: "" when it is none; made: `synthetic`, `family` (synthetic, see `unseen_family`),
    `speaker` (see `new_speakers`) or `human`.
    """

    samples: Sound
    call: str
    kind: str
    made: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A word's place in a line of them, in seconds."""

    word: Word
    start_s: float
    end_s: float


def unseen_words(folder: Path | None, every: int) -> list[Word]:
    """Lines by the voices that training never hears, spoken once and kept in `folder`; each `every`-th of a kind."""
    return spoken_words(_kept(folder, UNSEEN_CAST), every)


def unseen_family(folder: Path | None, every: int) -> list[Word]:
    """As many lines by a synthesiser none of whose voices training hears."""
    return spoken_words(_kept(folder, FAMILY_CAST), every, "family")


def new_speakers(folder: Path | None, every: int) -> list[Word]:
    """As many lines by speakers that training never hears, of a synthesiser that it knows by others."""
    return spoken_words(_kept(folder, SPEAKERS_CAST), every, "speaker")


def _kept(folder: Path | None, casts: Sequence[Cast]) -> Clips:
    kept = folder or user_cache_path("referee") / "benchmark-voices"
    return clips_of(kept, casts, 1, lambda _name, _all: None)


def spoken_words(clips: Clips, every: int, made: str = "synthetic") -> list[Word]:
    """Clips as words."""
    chosen: list[Word] = []
    seen: dict[str, int] = {}
    for index, line in enumerate(clips.lines):
        seen[line.kind] = seen.get(line.kind, 0) + 1
        if seen[line.kind] % every == 0:
            samples = clips.sound(index).astype(np.int16)
            chosen.append(Word(samples, CALL_OF_KIND.get(line.kind, ""), line.kind, made))
    return chosen


def recorded_words(listed: Path) -> list[Word]:
    """The recordings of a folder with a `sound.tsv`; kind: what the file is called by, up to the first digit."""
    words = []
    with listed.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            path = listed.parent / row["file"]
            words.append(Word(load(path), row["calls"] or "", kind_of(path.stem), "human"))
    return words


def prompt_words(folder: Path, every: int) -> tuple[list[Word], list[Word], list[Word]]:
    """Human prompts of Debian's packages asterisk-core-sounds-*: each "uno", Spanish prompts, English prompts.

    folder: where the packages are, e.g. /usr/share/asterisk/sounds. Prompts that may say "uno" are left out of the
    others: numbers with a 1, menus and their parts ("press one to …"), and what the voice mail says of one message.
    """
    unos = [p for name in ("es*", "it*") for p in sorted(folder.glob(f"**/{name}/digits/1.*"))]
    spanish = _prompts(folder.glob("**/es*/**/*.*"))[::every]
    english = _prompts(folder.glob("**/en*/**/*.*"))[::every]
    return (
        [Word(load(path), "uno", "uno", "human") for path in unos],
        [Word(load(path), "", "spanish", "human") for path in spanish],
        [Word(load(path), "", "english", "human") for path in english],
    )


def _prompts(paths: Iterable[Path]) -> list[Path]:
    found = [
        path for path in sorted(set(paths)) if path.suffix in (".wav", ".gsm", ".g722") and path.stat().st_size > 2000
    ]
    silent = ("silence", "beep", "tone", "ring")
    menus = ("menu", "options", "opts", "review", "saveoper", "vm-to")  # "presione uno para …"
    left_out = [p for p in found if any(s in str(p) for s in silent) or any(m in p.stem for m in menus)]
    return [p for p in found if "1" not in p.stem and "one" not in p.stem and p not in left_out]


def kind_of(stem: str) -> str:
    """What kind of recording a file name of the list means."""
    for start, kind in (("speech", "read speech"), ("noise-", stem), ("one-", '"one"'), ("uno", "uno")):
        if stem.startswith(start):
            return kind
    return "digits, Spanish" if stem.endswith("-es") else "other game words"


def in_line(words: Sequence[Word], gap_s: float = GAP_S) -> tuple[NDArray[np.float64], list[Marked]]:
    """Words one after the other with pauses, each at the same loudness."""
    parts: list[NDArray[np.float64]] = []
    marks, at = [], 0
    for word in words:
        sound = word.samples.astype(np.float64)
        sound *= LEVEL / loudness(sound)
        at += round(gap_s * RATE_HZ)
        marks.append(Marked(word, at / RATE_HZ, (at + len(sound)) / RATE_HZ))
        parts += [np.zeros(round(gap_s * RATE_HZ)), sound]
        at += len(sound)
    return np.concatenate([*parts, np.zeros(RATE_HZ)]), marks


def bed(folder: Path, noise: str, count: int) -> NDArray[np.float64]:
    """Noise of RMS 1 of `count` samples: none, babble, pink, music, or one talker (read speech)."""
    if noise == "none":
        return np.random.default_rng(1).normal(size=count)
    paths = sorted(folder.glob("speech-*")) if noise == "talker" else [folder / f"noise-{noise}.wav"]
    sound = np.resize(np.concatenate([load(path) for path in paths]).astype(np.float64), count)
    return np.asarray(sound / np.sqrt(np.mean(sound**2)))


def int16(sound: NDArray[np.float64]) -> Sound:
    """As a microphone gives it."""
    return np.clip(sound, -32768, 32767).astype(np.int16)


def load(path: Path) -> Sound:
    """A recording at 16 kHz."""
    return np.concatenate([chunk.samples for chunk in sound_chunks(path, RATE_HZ)])
