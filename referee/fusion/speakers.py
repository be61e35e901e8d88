"""Who said UNO, where the microphone can tell where a voice comes from, and what to ask where it cannot.

What is heard of the speaker never accuses anybody: where it does not go with the game as it stands, or where the
word of the one with one card and the word of the one who catches are the same (row J2), the referee asks.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cards import Seat
from referee.fusion.calls import Attributed, attribute, uno_caller
from referee.observations import CallHeard
from referee.rules.entries import Catch, SayUno
from referee.rules.state import State

SURE = 0.97
"""Below this probability nobody is taken to have spoken."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """Who called cannot be told. seat: who may have called and must not be told that they did not; text: to ask."""

    seat: Seat
    text: str


def speaker_of(call: CallHeard) -> Seat | None:
    """Whose voice it surely was; None where the sound does not say."""
    if not call.speakers:
        return None
    seat, share = max(call.speakers, key=lambda one: one[1])
    return seat if share >= SURE else None


def meaning(call: CallHeard, state: State, *, uno_catches: bool) -> Attributed | Unsure | None:
    """What `call` means and whose it is, as `attribute` tells, by the voice where it is an UNO.

    uno_catches: whether at this table the word that catches is UNO itself.
    """
    meant = attribute(call, state)
    if call.call != "uno":
        return meant
    expected, speaker = uno_caller(state), speaker_of(call)
    if expected is None:
        return meant
    uncalled = {last.seat for last in state.last_cards if last.status == "open"}
    if call.voice is expected:
        # Two that disagree prove nothing; the voice alone only ever speaks for the player.
        if speaker in (None, expected):
            return Attributed(expected, SayUno())
        speaker = None
    if speaker is expected or speaker in uncalled:
        return Attributed(speaker, SayUno())
    if not (uno_catches and expected in uncalled):
        # Nobody else's UNO can mean anything here: a prompt, a joke, or the microphone errs.
        return meant if speaker is None else Unsure(expected, f"Who said UNO? It seemed to be {speaker}.")
    if speaker is None:
        return Unsure(expected, f"Who said UNO: {expected}, or somebody who catches {expected}?")
    if _may_mean_itself(state, speaker):
        return Unsure(expected, f"Did {speaker} say UNO to catch {expected}, or for the own last card?")
    return Attributed(speaker, Catch(expected))


def _may_mean_itself(state: State, seat: Seat) -> bool:
    return state.to_act is seat and state.hands[seat].least <= 2
