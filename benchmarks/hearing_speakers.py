"""Who said UNO, by the direction of the voice: how often right, asked and wrong, at drawn tables.

Rooms, tables, microphones, voices and the babble of other people are drawn (`referee.synth.two_microphones`); no real
table is in it. Every player says UNO four times in a quiet room to be learnt, then again in a game: leaning about,
with others talking in the room. Where two players cannot be told apart the microphone is turned, up to three times.

    python -m benchmarks.hearing_speakers [--tables 5] [--first 0] [--noise-db 10]

Constants were chosen on the first few rooms of each size: measure with --first 100 on rooms that nothing was chosen
on.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import product

import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat
from referee.fusion.speakers import SURE
from referee.hearing.direction import Direction, SeatDelay, alike, direction_of, learn, shares
from referee.synth.speech import CHATTER
from referee.synth.two_microphones import Point, Room, around_table, pair_of_microphones
from referee.synth.voices import SPEAKERS, VOICE_RATE_HZ, synthesise

SEATS, SPACINGS_M, ECHOES_S = (3, 4, 6), (0.08, 0.2, 0.4), (0.2, 0.4, 0.7)
LEARNT_FROM, CALLS_EACH = 4, 4
SWAY_M, LEAN_M = 0.05, 0.06
BEFORE = VOICE_RATE_HZ // 2
_VOICES = list(SPEAKERS.values())


class DrawnTable:
    """One table in one room, with its players, and people who talk elsewhere in it."""

    def __init__(self, seats: int, spacing_m: float, echo_s: float, seed: int) -> None:
        self._rng = rng = np.random.default_rng(seed)
        size_m = (float(rng.uniform(3.6, 6.5)), float(rng.uniform(3.2, 5.0)), float(rng.uniform(2.4, 3.0)))
        centre = (size_m[0] / 2 + float(rng.uniform(-0.4, 0.4)), size_m[1] / 2 + float(rng.uniform(-0.3, 0.3)), 0.78)
        self._size_m, self._echo_s, self._centre, self._spacing_m = size_m, echo_s, centre, spacing_m
        self._seats = Seat.first(seats)
        self._mouths = around_table(seats, centre, float(rng.uniform(0.65, 0.9)), float(rng.uniform(0, 6.3)))
        self._said = [int(rng.integers(len(_VOICES))) for _ in range(seats)]
        self.turn()

    def turn(self) -> None:
        """Put the microphone down anew, anyhow."""
        at = self._moved(self._centre, 0.08, flat=True)
        pair = pair_of_microphones(at, self._spacing_m, float(self._rng.uniform(0, 6.3)))
        self._room = Room(self._size_m, self._echo_s, pair)
        self._babble = self._talk()

    def learnt(self) -> dict[Seat, SeatDelay]:
        """Everybody says UNO, in turn."""
        found = {}
        for index, seat in enumerate(self._seats):
            calls = [self._heard(index, self._mouths[index], 25.0) for _ in range(LEARNT_FROM)]
            if known := learn([call for call in calls if call]):
                found[seat] = known
        return found

    def answers(self, seats: dict[Seat, SeatDelay], noise_db: float) -> Counter[str]:
        """Who it is taken to be, over the calls of a game."""
        told: Counter[str] = Counter()
        for index, seat in enumerate(self._seats):
            leans = self._moved(self._mouths[index], LEAN_M)
            for _ in range(CALLS_EACH):
                said = shares(self._heard(index, leans, noise_db), seats)
                sure = said[0][0] if said and said[0][1] >= SURE else None
                told["asked" if sure is None else "right" if sure is seat else "wrong"] += 1
        return told

    def _heard(self, player: int, mouth: Point, noise_db: float) -> Direction | None:
        language = ("es-ES", "it-IT")[player % 2]
        voice = synthesise("uno", language, _VOICES[self._said[player]]).astype(np.float64)
        heard = self._room.heard(voice, self._moved(mouth, SWAY_M), self._rng, VOICE_RATE_HZ)
        around = np.zeros((BEFORE + len(voice) + 1600, 2))
        around[BEFORE:] += heard[: len(voice) + 1600]
        first = int(self._rng.integers(len(self._babble) - len(around)))
        noise = self._babble[first : first + len(around)]
        level = np.sqrt(np.mean(heard[: len(voice)] ** 2)) / np.sqrt(np.mean(noise**2)) * 10 ** (-noise_db / 20)
        mixed = around + noise * level
        sides = (mixed / np.abs(mixed).max() * 9000).astype(np.int16)
        begins = BEFORE - VOICE_RATE_HZ // 20
        return direction_of(sides[begins:], VOICE_RATE_HZ, sides[:begins])

    def _talk(self) -> NDArray[np.float64]:
        """Four who talk elsewhere in the room, not to be understood: (n, 2)."""
        total = np.zeros((6 * VOICE_RATE_HZ, 2))
        for _ in range(4):
            at = (
                float(self._rng.uniform(0.3, self._size_m[0] - 0.3)),
                float(self._rng.choice([0.3, self._size_m[1] - 0.3])),
                float(self._rng.uniform(1.1, 1.7)),
            )
            lines = [CHATTER[int(i)] for i in self._rng.integers(len(CHATTER), size=4)]
            voice = _VOICES[int(self._rng.integers(len(_VOICES)))]
            spoken = np.concatenate([synthesise(one.text, one.language, voice)[::-1] for one in lines])
            heard = self._room.heard(spoken.astype(np.float64), at, self._rng, VOICE_RATE_HZ)
            total += np.resize(heard, total.shape) / np.sqrt(np.mean(heard**2))
        return total

    def _moved(self, at: Point, by_m: float, *, flat: bool = False) -> Point:
        x, y, z = self._rng.normal(scale=by_m, size=3)
        return (at[0] + float(x), at[1] + float(y), at[2] + (0.0 if flat else float(z)))


def measure(
    seats: int, spacing_m: float, echo_s: float, tables: int, noise_db: float, first: int = 0
) -> tuple[Counter[str], int]:
    """The answers over some tables, and at how many of them somebody could not be told apart in three attempts."""
    told: Counter[str] = Counter()
    mixed_up = 0
    for number in range(first, first + tables):
        table = DrawnTable(seats, spacing_m, echo_s, seed=1000 * number + seats)
        learnt = table.learnt()
        for _ in range(2):
            if len(learnt) == seats and not alike(learnt):
                break
            table.turn()
            learnt = table.learnt()
        mixed_up += bool(len(learnt) < seats or alike(learnt))
        told += table.answers(learnt, noise_db)
    return told, mixed_up


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="the number of the first table of each kind")
    parser.add_argument("--noise-db", type=float, default=10.0, help="level of the voice over the babble")
    wanted = parser.parse_args()
    print("seats  apart cm  echo s  right  asked  wrong  tables where two sound alike")
    whole: Counter[str] = Counter()
    for seats, spacing_m, echo_s in product(SEATS, SPACINGS_M, ECHOES_S):
        told, mixed_up = measure(seats, spacing_m, echo_s, wanted.tables, wanted.noise_db, wanted.first)
        whole += told
        cells = "  ".join(f"{told[name] / told.total():5.1%}" for name in ("right", "asked", "wrong"))
        print(f"{seats:5}  {spacing_m * 100:8.0f}  {echo_s:6.1f}  {cells}  {mixed_up}/{wanted.tables}", flush=True)
    print(f"all {whole.total()} calls: " + ", ".join(f"{name} {n / whole.total():.1%}" for name, n in whole.items()))
    print("one microphone: every call that matters is asked (no direction is ever given)")


if __name__ == "__main__":
    main()
