"""Learns from where each player is heard, and how: everybody says UNO a few times, before the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.direction import Direction, SeatDelay, learn
from referee.hearing.speakers import BothSides, Encoder, LastSound, TellingEar, TwoSided, word_print
from referee.hearing.voiceprint import MEND, VoicePrint, mean_print
from referee.observations import CallHeard

LEAST_CALLS = 2


@dataclass(frozen=True, slots=True)
class SaidUno:
    """What was heard of one player: how many UNOs, how many of them with a direction, and what they teach."""

    heard: int
    directed: int
    delay: SeatDelay | None


class SeatLearner:
    """Listens while players say UNO in turn. Give it every chunk and the calls that were heard in it."""

    def __init__(self) -> None:
        self._both = BothSides()
        self._directions: dict[Seat, list[Direction]] = {}
        self._heard: dict[Seat, int] = {}

    def keep(self, chunk: TwoSided) -> None:
        """Take in sound, before the calls in it."""
        self._both.keep(chunk)

    def said(self, seat: Seat, call: CallHeard) -> SaidUno:
        """`seat` said this UNO; returns all that is known of the seat."""
        self._heard[seat] = self._heard.get(seat, 0) + 1
        direction = self._both.direction(call.t_s, call.end_s)
        found = self._directions.setdefault(seat, [])
        if direction is not None:
            found.append(direction)
        return SaidUno(self._heard[seat], len(found), learn(found))


class VoiceLearner:
    """Learns the players' voices from the same words."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder, self._sound = encoder, LastSound()
        self._words: dict[Seat, list[VoicePrint]] = {}

    def keep(self, chunk: TwoSided) -> None:
        """Take in sound, before the calls in it."""
        self._sound.keep(chunk.t_s, chunk.samples, chunk.rate_hz)

    def said(self, seat: Seat, call: CallHeard) -> None:
        """`seat` said this UNO."""
        if (word := word_print(self._sound, call, self._encoder)) is not None:
            self._words.setdefault(seat, []).append(word)

    def prints(self) -> dict[Seat, VoicePrint]:
        """What is known of everybody who said it often enough."""
        return {seat: mean_print(words) for seat, words in self._words.items() if len(words) >= LEAST_CALLS}


def learn_seats(
    recordings: Mapping[Seat, tuple[str, Iterable[TwoSided]]], ear: TellingEar, voices: VoiceLearner | None = None
) -> dict[Seat, SeatDelay]:
    """What recordings of each player saying UNO teach; each comes with its name, to be named in a fault.

    The times of one recording begin some seconds after the last one's end, so that no call is taken for an echo.
    voices: learns the voices too; then a recording with one channel, or without a direction, is not in vain.

    Raises InputFault, with the file and what to do, where too few calls are heard or nothing is learnt of them.
    """
    learnt: dict[Seat, SeatDelay] = {}
    ear.set_expected({"uno"})
    for seat, (name, chunks) in recordings.items():
        learner, said = SeatLearner(), SaidUno(0, 0, None)
        two = False
        for chunk in chunks:
            two = two or chunk.sides is not None
            learner.keep(chunk)
            if voices is not None:
                voices.keep(chunk)
            for call in _unos(ear.hear(chunk)):
                said = _said(seat, call, learner, voices)
        for call in _unos(ear.close()):
            said = _said(seat, call, learner, voices)
        if not two and voices is None:
            mend = f"record with two microphones, as stereo; or learn the voices: {MEND}"
            raise InputFault("has one channel", where=name, mend=mend)
        if said.heard < LEAST_CALLS:
            mend = f"let {seat} say UNO three or four times, two seconds apart"
            raise InputFault(f"UNO is heard {said.heard} times in it", where=name, mend=mend)
        if said.delay is None and voices is None:
            mend = "put the microphones in the middle of the table, further apart, and record in quiet"
            raise InputFault("both channels sound alike, or too blurred, to tell a direction", where=name, mend=mend)
        if said.delay is not None:
            learnt[seat] = said.delay
    return learnt


def _said(seat: Seat, call: CallHeard, learner: SeatLearner, voices: VoiceLearner | None) -> SaidUno:
    if voices is not None:
        voices.said(seat, call)
    return learner.said(seat, call)


def _unos(calls: Sequence[CallHeard]) -> list[CallHeard]:
    return [call for call in calls if call.call == "uno" and call.phase == "confirmed" and call.certainty == "sure"]
