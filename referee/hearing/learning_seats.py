"""Learns from where each player is heard: everybody says UNO a few times, before the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.direction import Direction, SeatDelay, learn
from referee.hearing.speakers import BothSides, TellingEar, TwoSided
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


def learn_seats(recordings: Mapping[Seat, tuple[str, Iterable[TwoSided]]], ear: TellingEar) -> dict[Seat, SeatDelay]:
    """What recordings of each player saying UNO teach; each comes with its name, to be named in a fault.

    The times of one recording begin some seconds after the last one's end, so that no call is taken for an echo.
    Raises InputFault, with the file and what to do, where too few calls are heard or they have no direction.
    """
    learnt: dict[Seat, SeatDelay] = {}
    ear.set_expected({"uno"})
    for seat, (name, chunks) in recordings.items():
        learner, said = SeatLearner(), SaidUno(0, 0, None)
        two = False
        for chunk in chunks:
            two = two or chunk.sides is not None
            learner.keep(chunk)
            for call in _unos(ear.hear(chunk)):
                said = learner.said(seat, call)
        for call in _unos(ear.close()):
            said = learner.said(seat, call)
        if not two:
            raise InputFault("has one channel", where=name, mend="record with two microphones, as stereo")
        if said.heard < LEAST_CALLS:
            mend = f"let {seat} say UNO three or four times, two seconds apart"
            raise InputFault(f"UNO is heard {said.heard} times in it", where=name, mend=mend)
        if said.delay is None:
            mend = "put the microphones in the middle of the table, further apart, and record in quiet"
            raise InputFault("both channels sound alike, or too blurred, to tell a direction", where=name, mend=mend)
        learnt[seat] = said.delay
    return learnt


def _unos(calls: Sequence[CallHeard]) -> list[CallHeard]:
    return [call for call in calls if call.call == "uno" and call.phase == "confirmed" and call.certainty == "sure"]
