"""What is heard, weighed by the game as it stands: a call, a question, or a doubt that keeps from accusing anybody.

A penalty needs a clear channel and a confident catch; inside an UNO window the benefit of the doubt is the player's.
"""

from __future__ import annotations

from collections import deque
from typing import TypeAlias

from referee.cards import Colour, Seat
from referee.fusion.calls import EARLY_COLOUR_SURE, Attributed, colour_of, count_of, uno_caller
from referee.fusion.desk import Desk, Judged, Question
from referee.fusion.drawing import Drawing
from referee.fusion.speakers import Unsure, meaning
from referee.observations import CallHeard, Observation
from referee.rules.entries import Catch, Challenge, SayUno
from referee.rules.state import State

COLOUR_BEFORE_S = 3.0
"""A colour said so long before the wild lands is meant for it."""

DOUBT_S = 15.0
"""So long what was perhaps an UNO keeps its player from being told that there was none."""

EARLY_S = 1.5
"""So long before the last but one card lies on the pile its player begins to say UNO, where that is not heard."""

_SPANS_KEPT = 64

Heard: TypeAlias = Judged | Question


class Listening:
    """The ear's part of the record. uno_catches: whether at this table the word that catches is UNO itself."""

    def __init__(self, *, uno_catches: bool) -> None:
        self._uno_catches = uno_catches
        self._early_colour: tuple[Colour, CallHeard] | None = None
        self._perhaps_uno: dict[Seat, CallHeard] = {}
        self._unheard: deque[CallHeard] = deque(maxlen=_SPANS_KEPT)
        self._opened_s: dict[Seat, float] = {}

    def colour_before(self, t_s: float) -> tuple[Colour, str] | None:
        """The colour that was said for a wild that lands now, and the id of that call."""
        early = self._early_colour
        return (early[0], early[1].id) if early and t_s - early[1].t_s <= COLOUR_BEFORE_S else None

    def forget_colour(self) -> None:
        """A card was laid: a colour said before it is not meant for a later one."""
        self._early_colour = None

    def follow(self, state: State, t_s: float) -> None:
        """What was noticed at `t_s` is written: windows opened or closed by it."""
        still = {last.seat for last in state.last_cards if last.status == "open"}
        self._opened_s = {seat: self._opened_s.get(seat, t_s) for seat in still}

    def clear(self, observation: Observation) -> bool:
        """Whether nobody with an open UNO window may have called unheard, and a call itself came through whole."""
        if isinstance(observation, CallHeard) and observation.channel != "clear":
            return False
        now_s = observation.t_s
        return not any(
            (seat in self._perhaps_uno and now_s - self._perhaps_uno[seat].t_s <= DOUBT_S)
            or any(span.end_s >= opened_s - EARLY_S and span.t_s <= now_s for span in self._unheard)
            for seat, opened_s in self._opened_s.items()
        )

    def take(self, call: CallHeard, desk: Desk, drawing: Drawing) -> list[Heard]:
        """Write what a call means; provisional ones, withdrawn ones and the referee's own voice mean nothing (A9)."""
        if not desk.state.top or call.phase != "confirmed":
            return []
        if call.certainty == "maybe" or (call.certainty, call.channel) == ("likely", "noisy"):
            self._doubt(call, desk.state)  # the room itself makes such sounds now and then
            return []
        meant = meaning(call, desk.state, uno_catches=self._uno_catches)
        if isinstance(meant, Unsure):
            self._perhaps_uno[meant.seat] = call
            return [Question(meant.text, call.t_s, (call.id,))]
        if call.certainty == "likely":
            return self._half_heard(call, meant, desk)
        if meant is not None:
            return list(desk.write(meant.subject, meant.event, t_s=call.t_s, evidence=(call.id,)))
        self._unheard.append(call)  # what means nothing now may be an UNO that was taken for it
        if (colour := colour_of(call)) is not None and call.confidence >= EARLY_COLOUR_SURE:
            self._early_colour = (colour, call)
        if (count := count_of(call)) is not None:
            drawing.say(count, call.t_s)
        return []

    def _doubt(self, call: CallHeard, state: State) -> None:
        if call.call != "uno":
            return
        if not call.heard_by:
            self._unheard.append(call)
        if (call.heard_by or call.channel == "lost") and (caller := uno_caller(state)):
            self._perhaps_uno[caller] = call

    def _half_heard(self, call: CallHeard, meant: Attributed | None, desk: Desk) -> list[Heard]:
        """Enough to believe a player who calls UNO, enough to ask about what costs cards, else nothing.

        A colour that was named otherwise would make the next player's card look wrong: it counts as not heard.
        """
        match meant:
            case Attributed(event=SayUno()):
                return list(desk.write(meant.subject, meant.event, t_s=call.t_s, evidence=(call.id,)))
            case Attributed(event=Catch(seat=target)) if target in self._opened_s:
                return [Question(f"Did anyone say that {target} did not call UNO?", call.t_s, (call.id,))]
            case Attributed(event=Challenge()):
                return [Question(f"Did {meant.subject} challenge the Wild Draw Four?", call.t_s, (call.id,))]
            case _:
                self._unheard.append(call)
                return []
