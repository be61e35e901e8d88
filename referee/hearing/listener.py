"""Hears the calls in running sound: utterance by utterance, by the recogniser in several takes and by the spotter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from typing import Protocol

from referee.faults import InputFault
from referee.hearing.channel import WORD_S, channel_of, talk_s
from referee.hearing.dead_sound import DeadSound
from referee.hearing.features import HOP, WINDOW, FrameStream
from referee.hearing.phrases import PhrasePack
from referee.hearing.provisional import PARTIAL_EVERY_S, Provisionals
from referee.hearing.recogniser import Recogniser, Samples, Word
from referee.hearing.spotter import STRIDE, CallSpotter, Track
from referee.hearing.takes import TAKES, rendered
from referee.hearing.voice_activity import Utterance, UtteranceCutter
from referee.hearing.votes import counted
from referee.hearing.weighing import Weighed, weigh
from referee.observations import CallHeard


class SoundChunk(Protocol):
    """A run of mono sound: int16 (n,), its first sample at `t_s` on the session clock."""

    @property
    def t_s(self) -> float:
        """Seconds."""

    @property
    def samples(self) -> Samples:
        """The sound."""

    @property
    def rate_hz(self) -> int:
        """Samples a second."""


REFRACTORY_S = 1.5
"""The same call again within this time is the same call (A10)."""

OWN_ECHO_S = 0.5
"""So long after the referee's own voice the room and the loudspeaker still sound of it (A9)."""

_CALL_MOST_S = 3.0  # longer utterances are talk: two takes are enough to tell
_KEPT_S = 10.0  # no call that is still to come begins longer ago
_BLOCK = 1600  # samples taken at a time: partial hearings do not depend on how sound arrives in large chunks
_LOOK_BACK = 176  # frames before an utterance that the spotter may see


class Listener:
    """Takes sound as it comes, gives calls.

    recogniser: owned by this listener's thread; only `speaking` may be called from another. pack: its words are
    checked against the model's vocabulary; `refused` holds the phrases that it cannot hear with the words it lacks,
    and InputFault is raised when a call has no wording left. ids: gives each call its id (default a1, a2, …).
    spotter: a second ear that confirms and adds. partials: also give calls while they are still being said, as
    provisional ones.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        pack: PhrasePack,
        *,
        ids: Callable[[], str] | None = None,
        spotter: CallSpotter | None = None,
        partials: bool = False,
    ) -> None:
        numbers = count(1)
        self._ids = ids or (lambda: f"a{next(numbers)}")
        self._recogniser = recogniser
        self._pack, self.refused = pack.known_by(recogniser.knows)
        self._spotter = spotter
        self._partials = partials
        self._cutter = UtteranceCutter(recogniser.rate_hz)
        self._frames = FrameStream()
        self._expected: frozenset[str] | None = None
        self._start_s: float | None = None
        self._taken = 0
        self._last_s: dict[str, float] = {}
        self._own_voice: dict[float, float] = {}
        self._dead = DeadSound(recogniser.rate_hz)
        self._said = Provisionals()
        self._looked: tuple[int, Track | None, int] = (-1, None, 0)  # utterance, what was seen, up to which frame
        recogniser.listen_for(self._pack.grammar())

    @property
    def settled_s(self) -> float:
        """No call that is still to come begins before this: the beginning of the utterance under way, if any."""
        if self._start_s is None:
            return float("-inf")
        settled, untold = self._cutter.settled, self._dead.untold
        return self._start_s + min(settled, settled if untold is None else untold) / self._recogniser.rate_hz

    def set_expected(self, calls: Iterable[str] | None) -> None:
        """Listen only for these calls, and more readily (everybody says UNO at set-up); None: for all.

        Holds from the next utterance on. In a game all calls stay in the grammar: what can mean something is known
        only when the cards of that moment were seen, after the word, and at the table that is sooner or later than in
        a replay. Nor is it a gain: with "uno" and catches alone in the grammar, limits alike, 39 old voices are found
        .95 for .92 in babble, .80 for .72 in pink noise, .85 and .56 both in quiet and beside a talker; but what the
        grammar lacks is taken for what it holds ("uno" where none was said 44 times for 36), or not heard at all.
        So how likely a call is by the game is weighed by who judges it, alike live and replayed: see
        `CallHeard.certainty`.
        """
        expected = None if calls is None else frozenset(calls) & self._pack.calls
        if expected != self._expected:
            self._expected = expected
            self._recogniser.listen_for(self._pack.grammar(expected))

    def speaking(self, start_s: float, end_s: float = float("inf")) -> None:
        """The referee itself speaks from `start_s` to `end_s`: calls in that time and `OWN_ECHO_S` after are ignored.

        They are still given, in the phase `ignored`, and a player's UNO may be hidden under them. An end that is not
        known yet may be told later with the same start. Spans of a recording may all be told before it is heard.
        """
        self._own_voice[start_s] = end_s

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        """The calls whose utterance ended in this chunk; chunks follow each other without gap, of any size.

        `seen_s` is the time of the sound that settled the call; a live caller knows it up to one chunk and
        the recogniser's time later. Raises InputFault for sound at another rate than the recogniser's.
        """
        if chunk.rate_hz != self._recogniser.rate_hz:
            raise InputFault(
                f"sound comes at {chunk.rate_hz} Hz", mend=f"resample it to {self._recogniser.rate_hz} Hz"
            )
        # A sound card's second is never quite a second: the chunks' times follow that drift, so the count does too.
        self._start_s = chunk.t_s - self._taken / chunk.rate_hz
        self._taken += len(chunk.samples)
        calls: list[CallHeard] = []
        for at in range(0, len(chunk.samples), _BLOCK):
            block = chunk.samples[at : at + _BLOCK]
            if self._spotter is not None:
                self._frames.feed(block)
            calls += [call for utterance in self._cutter.feed(block) for call in self._in(utterance)]
            calls += [self._perhaps(*span, "lost") for span in self._dead.feed(block)]
            if self._partials:
                calls += self._so_far()
        return calls

    def close(self) -> list[CallHeard]:
        """The calls of an utterance that the end of the sound cut short."""
        calls = [call for utterance in self._cutter.flush() for call in self._in(utterance)]
        return calls + self._said.withdrawn()

    def _in(self, utterance: Utterance) -> list[CallHeard]:
        """The calls of an utterance that has ended, and the provisional ones that it did not bear out."""
        few = len(utterance.samples) > _CALL_MOST_S * self._recogniser.rate_hz
        takes = [self._heard(utterance.samples, index) for index in range(2 if few else len(TAKES))]
        track = self._track(utterance.first, utterance.decided)
        voted = counted(takes, self._pack)
        weighed = weigh(voted, track, self._expected, self._pack.calls, utterance.voice_ends_s)
        channel = channel_of(utterance, [(one.start_s, one.end_s) for one in weighed])
        calls = []
        for one in weighed:
            call = self._call(one, utterance.first, utterance.decided, channel)
            if call.phase == "ignored" or call.certainty != "sure":
                calls.append(replace(call, id=self._ids()))
            elif self._is_new(call):
                early = self._said.borne_out(call.call)
                calls.append(replace(call, id=early.id if early else self._ids()))
        ended_s = (self._start_s or 0.0) + utterance.decided / self._recogniser.rate_hz
        made_out = any(call.certainty == "sure" or call.call == "uno" for call in calls)
        return calls + self._hidden(utterance, channel, made_out=made_out) + self._said.withdrawn(ended_s)

    def _hidden(self, utterance: Utterance, channel: str, *, made_out: bool) -> list[CallHeard]:
        """An UNO may have been said in this utterance unheard: under talk, under the referee's voice, clipped.

        made_out: whether a call was given. A word that is none may be an UNO in a voice that neither ear knows, and
        one so soon after another may be the next player's.
        """
        span = utterance.first, utterance.first + len(utterance.samples)
        start_s, end_s = ((self._start_s or 0.0) + at / self._recogniser.rate_hz for at in span)
        for begin in [begin for begin, end in list(self._own_voice.items()) if end < start_s - _KEPT_S]:
            self._own_voice.pop(begin, None)
        if self._speaks_itself(start_s, end_s):
            return [self._perhaps(*span, "overlapped")]
        if channel in ("overlapped", "clipped"):
            return [self._perhaps(*span, channel)]
        word = not made_out and channel == "clear" and talk_s(utterance, ()) >= WORD_S
        return [self._perhaps(*span, channel)] if word else []

    def _perhaps(self, first: int, end: int, channel: str) -> CallHeard:
        """From one sample to another an UNO may have been said that nobody could hear."""
        start_s, end_s = ((self._start_s or 0.0) + at / self._recogniser.rate_hz for at in (first, end))
        return CallHeard(
            id=self._ids(),
            t_s=round(max(start_s, 0.0), 3),
            seen_s=round(end_s, 3),
            end_s=round(end_s, 3),
            call="uno",
            confidence=0.0,
            certainty="maybe",
            heard_by="",
            channel=channel,
        )

    def _so_far(self) -> list[CallHeard]:
        """Calls that the utterance under way seems to hold: two looks or two partial hearings agree."""
        utterance = self._cutter.open_utterance
        if utterance is None or len(utterance.samples) > _CALL_MOST_S * self._recogniser.rate_hz:
            self._said.silence()
            return []
        track = self._track(utterance.first, utterance.decided)
        words: list[Word] = []
        if self._said.wants_partial(utterance.first, utterance.decided, PARTIAL_EVERY_S * self._recogniser.rate_hz):
            words = self._heard(utterance.samples, 0)
            self._said.partial(counted([words], self._pack))
        found = self._said.stable(track, self._expected, self._pack.calls)
        calls = []
        for one in found:
            call = self._call(one, utterance.first, utterance.decided, "clear")
            if call.phase != "ignored" and self._may_be_new(call):
                calls.append(self._said.given(replace(call, id=self._ids(), phase="provisional")))
        return calls

    def _track(self, first: int, decided: int) -> Track | None:
        """The spotter's looks that end in the span of samples, timed from its beginning."""
        if self._spotter is None:
            return None
        begin = max(first // HOP - _LOOK_BACK, 0) // STRIDE * STRIDE
        frames, begin = self._frames.span(begin, (decided - WINDOW) // HOP + 1)
        # While an utterance is under way it is looked at again and again: only what is new in it needs a look.
        known, seen, after = self._looked if self._looked[0] == first else (first, None, max(first // HOP - begin, 0))
        new = self._spotter.looks(frames, after)
        track = new if seen is None else seen.then(new)
        self._looked = (known, track, max(after, len(frames) // STRIDE * STRIDE))
        smooth = track.smoothed()
        return Track(smooth.shares, smooth.ends_s + (begin * HOP - first) / self._recogniser.rate_hz, smooth.calls)

    def _call(self, one: Weighed, first: int, decided: int, channel: str) -> CallHeard:
        start_s = (self._start_s or 0.0) + first / self._recogniser.rate_hz
        seen_s = (self._start_s or 0.0) + decided / self._recogniser.rate_hz
        t_s, end_s = start_s + one.start_s, start_s + one.end_s
        own = self._speaks_itself(t_s, end_s)
        return CallHeard(
            id="",
            t_s=round(t_s, 3),
            end_s=round(min(end_s, seen_s), 3),
            seen_s=round(seen_s, 3),
            confidence=round(one.confidence, 3),
            call=one.call,
            words=one.words,
            phase="ignored" if own else "confirmed",
            certainty=one.certainty,
            heard_by=one.heard_by,
            channel=channel,
        )

    def _speaks_itself(self, from_s: float, until_s: float) -> bool:
        return any(begin <= until_s and from_s <= end + OWN_ECHO_S for begin, end in list(self._own_voice.items()))

    def _heard(self, samples: Samples, index: int) -> list[Word]:
        tempo = TAKES[index].tempo
        words = self._recogniser.recognise(rendered(samples, TAKES[index]))
        return [Word(w.text, w.start_s * tempo, w.end_s * tempo, w.confidence) for w in words]

    def _may_be_new(self, call: CallHeard) -> bool:
        before_s = self._last_s.get(call.call)
        return before_s is None or call.t_s - before_s >= REFRACTORY_S

    def _is_new(self, call: CallHeard) -> bool:
        new = self._may_be_new(call)
        self._last_s[call.call] = call.t_s
        return new
