"""Each player says UNO at set-up: whether that is heard, from where it comes, and, if they wish, in whose voice."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.capture.media import SoundChunk
from referee.cards import Seat
from referee.faults import InputFault
from referee.hearing.direction import SeatDelay, alike
from referee.hearing.learning_seats import SeatLearner, VoiceLearner
from referee.hearing.speakers import Encoder
from referee.hearing.voiceprint import MEND
from referee.observations import CallHeard
from referee.session.voiceprints import forget_voices, known_voices, remember_voices

UNO_TEST_S = 5.0

_CALLS_KEPT = 50
_SLACK_S = 0.3  # who presses the button and speaks at once


class SayingUno:
    """What is heard of the players who are asked to say UNO, one after the other.

    players: their names, by seat, as they are known at that moment. keep: writes what was learnt into the settings.
    encoder: tells voices apart, None where it is not installed. A voice is personal: none is learnt before
    `learn_voices` says that they agree, and it leaves this machine never.
    """

    def __init__(
        self,
        players: Callable[[], Mapping[Seat, str]],
        keep: Callable[[Mapping[str, Mapping[str, Any]]], None],
        encoder: Encoder | None,
    ) -> None:
        self._players, self._keep, self._encoder = players, keep, encoder
        self._heard_s = 0.0
        self._calls: list[CallHeard] = []
        self._tests: dict[Seat, float] = {}
        self._learner = SeatLearner()
        self._learnt: dict[Seat, SeatDelay] = {}
        self._by_voice: VoiceLearner | None = None
        self._voices: frozenset[str] = frozenset()
        with contextlib.suppress(InputFault):  # told by `referee watch`, and when voices are to be learnt
            self._voices = frozenset(players()[seat] for seat in known_voices(players()))
        if self._voices and encoder is not None:
            self._by_voice = VoiceLearner(encoder)

    def ask(self, seat: Seat) -> None:
        """Listen for this player's UNO from now on, for some seconds."""
        self._tests[seat] = self._heard_s

    def hear(self, chunk: SoundChunk, listen: Callable[[SoundChunk], list[CallHeard]]) -> None:
        """Take in sound; `listen` finds the calls in it."""
        self._heard_s = chunk.t_s + chunk.duration_s
        self._learner.keep(chunk)
        if (by_voice := self._by_voice) is not None:
            by_voice.keep(chunk)
        found = listen(chunk)
        self._calls = [*self._calls[-_CALLS_KEPT:], *found]
        for call in found:
            self._learn(call)

    def learn_voices(self, agreed: bool) -> None:
        """Whether the players' voices may be learnt; if not, what is known of these players' voices is deleted.

        Raises InputFault where no encoder is installed, or the file of voices is none.
        """
        if not agreed:
            self._by_voice = None
            forget_voices(set(self._players().values()))
            self._voices = frozenset()
        elif self._encoder is None:
            raise InputFault("nothing is installed that tells voices apart", mend=MEND)
        elif self._by_voice is None:
            known_voices({})
            self._by_voice = VoiceLearner(self._encoder)

    def store_voices(self) -> None:
        """Keep the voices of the players whose names are known; a name may be written after its player was heard."""
        by_voice, names = self._by_voice, self._players()
        learnt = by_voice.prints() if by_voice is not None else {}
        prints = {names[seat]: one for seat, one in learnt.items() if names.get(seat)}
        if prints:
            remember_voices(prints)
            self._voices |= prints.keys()

    def state(self) -> dict[str, Any]:
        """By seat what was heard (`uno`) and by what the player is known (`known`); whether voices are learnt."""
        names = self._players()
        by_voice = {seat for seat, name in names.items() if name in self._voices}
        known = {
            str(seat): [
                *(["direction"] if seat in self._learnt else []),
                *(["voice"] if seat in by_voice else []),
            ]
            for seat in Seat
        }
        return {
            "uno": {str(seat): self._result(seat) for seat in list(self._tests)},
            "known": {seat: ways for seat, ways in known.items() if ways},
            "voices": {"can": self._encoder is not None, "learn": self._by_voice is not None},
        }

    def alike(self) -> Sequence[tuple[Seat, Seat]]:
        """Players whom the microphone hears from the same side."""
        return alike(dict(self._learnt))

    def _result(self, seat: Seat) -> str:
        begun_s = self._tests[seat]
        found = [call for call in list(self._calls) if call.call == "uno" and call.t_s >= begun_s - _SLACK_S]
        if any(call.certainty == "sure" for call in found):
            return "heard"
        over = self._heard_s - begun_s > UNO_TEST_S
        return "listening" if not over else "perhaps" if found else "not_heard"

    def _learn(self, call: CallHeard) -> None:
        """Of the player who was just asked to say UNO: known after the second time, kept at once."""
        asked = [(begun_s, seat) for seat, begun_s in list(self._tests.items()) if call.t_s >= begun_s - _SLACK_S]
        if not asked or (call.call, call.certainty) != ("uno", "sure"):
            return
        begun_s, seat = max(asked)
        if call.t_s > begun_s + UNO_TEST_S:
            return
        delay = self._learner.said(seat, call).delay
        if (by_voice := self._by_voice) is not None:
            by_voice.said(seat, call)
        with contextlib.suppress(InputFault):  # the page tells of a file that cannot be written when it saves
            self.store_voices()
            if delay is not None:
                self._learnt[seat] = delay
                self._keep({"voices": {str(seat): {"delay_ms": delay.delay_ms, "spread_ms": delay.spread_ms}}})
