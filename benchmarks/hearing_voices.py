"""Whose voice it was, by voiceprints: how often told, how often wrong, and strangers taken for players.

    python benchmarks/hearing_voices.py [FOLDER] [--seconds 0.45]

FOLDER holds `sound/speech-*` (people reading, one file each) and `sound/noise-babble.wav`; for measuring only. Four
of the people sit at a table; each is learnt from four pieces of the first half of the file and heard in pieces of the
second half, alone or in babble: the same microphone both times, and no shouting. Synthetic voices say UNO besides.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from hearing_sounds import RATE_HZ, Sound, load
from numpy.typing import NDArray

from referee.cards import Seat
from referee.hearing.voiceprint import MEND, VoiceEncoder, VoicePrint, mean_print, voice_encoder, voice_of
from referee.synth.rooms import mix_room
from referee.synth.speech import speak
from referee.synth.voices import SPEAKERS

REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
LEVELS = (None, 20, 15, 10)
TABLES, AT_TABLE, LEARNT_FROM, HEARD = 800, 4, 4, 6


def pieces(sound: Sound, count: int, half: int, length: int, rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """Pieces of one half of a recording in which somebody speaks."""
    found: list[NDArray[np.float64]] = []
    loud = 0.7 * np.sqrt(np.mean(sound.astype(np.float64) ** 2))
    begin, end = half * len(sound) // 2, (half + 1) * len(sound) // 2 - length
    while len(found) < count:
        at = int(rng.integers(begin, end))
        piece = sound[at : at + length].astype(np.float64)
        if np.sqrt(np.mean(piece**2)) > loud:
            found.append(piece)
    return found


def over(piece: NDArray[np.float64], noise: Sound, snr_db: float | None, rng: np.random.Generator) -> Sound:
    """A piece with noise so far below it."""
    if snr_db is not None:
        at = int(rng.integers(len(noise) - len(piece)))
        under = noise[at : at + len(piece)].astype(np.float64)
        piece = piece + under * np.sqrt(np.mean(piece**2) / np.mean(under**2)) * 10 ** (-snr_db / 20)
    return np.clip(piece, -32768, 32767).astype(np.int16)


def told(learnt: Sequence[VoicePrint], heard: Sequence[Sequence[VoicePrint | None]], rng: np.random.Generator) -> str:
    """What is told at drawn tables of a player's words, and of a stranger's."""
    right = wrong = strangers = 0
    for _ in range(TABLES):
        *players, stranger = rng.choice(len(learnt), AT_TABLE + 1, replace=False)
        known = {seat: learnt[who] for seat, who in zip(Seat.first(AT_TABLE), players, strict=True)}
        seat = voice_of(heard[players[0]][int(rng.integers(HEARD))], known)
        right, wrong = right + (seat is Seat.P1), wrong + (seat not in (Seat.P1, None))
        strangers += voice_of(heard[stranger][int(rng.integers(HEARD))], known) is not None
    shares = (f"{count / TABLES:5.1%}" for count in (right, wrong, strangers))
    return "told {}  wrong {}  a stranger taken for a player {}".format(*shares)


def synthetic(
    encoder: VoiceEncoder,
) -> tuple[list[VoicePrint], list[list[VoicePrint | None]]]:
    """Synthetic voices saying UNO in a drawn room: what is learnt of each, and what is heard."""
    learnt, heard = [], []
    for number, name in enumerate(SPEAKERS):
        said: list[VoicePrint | None] = []
        for take in range(LEARNT_FROM + HEARD):
            word = speak("uno", name, variant=take % 2)
            room = mix_room([(0.1, word)], 0.2 + len(word) / RATE_HZ, seed=100 * number + take, snr_db=20)
            said.append(encoder.print_of(room))
        learnt.append(_mean(said[:LEARNT_FROM]))
        heard.append(said[LEARNT_FROM:])
    return learnt, heard


def _mean(prints: Iterable[VoicePrint | None]) -> VoicePrint:
    return mean_print([one for one in prints if one is not None])


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=REAL)
    parser.add_argument("--seconds", type=float, default=0.45)
    wanted = parser.parse_args()
    encoder = voice_encoder()
    if encoder is None:
        print(f"skipped: the voice encoder is not installed ({MEND})")
        return
    rng = np.random.default_rng(4)
    files = sorted((wanted.folder / "sound").glob("speech-*"))
    if len(files) > AT_TABLE:
        length, sounds = round(wanted.seconds * RATE_HZ), [load(path) for path in files]
        babble = load(wanted.folder / "sound" / "noise-babble.wav")
        learnt = [
            _mean(
                encoder.print_of(over(piece, babble, None, rng))
                for piece in pieces(sound, LEARNT_FROM, 0, length, rng)
            )
            for sound in sounds
        ]
        for level in LEVELS:
            heard = [
                [encoder.print_of(over(piece, babble, level, rng)) for piece in pieces(sound, HEARD, 1, length, rng)]
                for sound in sounds
            ]
            noise = "alone" if level is None else f"{level} dB over babble"
            print(
                f"{len(files)} people reading, {wanted.seconds} s, {noise:18}: {told(learnt, heard, rng)}", flush=True
            )
    print(f'"uno" by {len(SPEAKERS)} synthetic voices, 20 dB over a room: {told(*synthetic(encoder), rng)}')


if __name__ == "__main__":
    main()
