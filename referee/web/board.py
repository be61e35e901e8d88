"""What everybody at the table may see, as one small object: it is sent to every phone whenever it changes.

It holds no picture, no sound and no card of any hand. Texts are made for one language at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from referee.cards import Card, Seat
from referee.fusion.desk import Desk, Question
from referee.rules.hand import UNBOUNDED
from referee.rules.judge.matching import colour_in_force
from referee.rules.messages import card_words, colour_word
from referee.rules.scoring import SheetLine
from referee.rules.state import State
from referee.session.findings import names_for_seats
from referee.session.plan import SessionPlan
from referee.session.questions import asked_in
from referee.session.telling import Ruled

Phase: TypeAlias = Literal["starting", "playing", "asking", "out_of_step", "round_over", "ended"]
SHOWN_RULINGS = 4


@dataclass(frozen=True, slots=True)
class View:
    """What can be judged from the picture just now (a `ViewState` value), and why in a few words."""

    state: str = "ready"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """The parts that run beside each other, each in one word: `running`, `lost`, `restarting`, `off`, `stopped`."""

    parts: Mapping[str, str] = field(default_factory=dict)

    @property
    def hears(self) -> bool:
        """Whether calls can be judged."""
        return self.parts.get("microphone", "off") == "running"


@dataclass(frozen=True, slots=True)
class Said:
    """A ruling or a question as it was told. number: in the list of incidents, None where it is not in it."""

    told: Ruled | Question
    t_s: float
    number: int | None = None
    standing: bool = True


@dataclass(frozen=True, slots=True)
class Board:
    """One moment of the table. state: None before the first card. said: rulings and questions, the newest last."""

    plan: SessionPlan
    t_s: float = 0.0
    state: State | None = None
    in_step: bool = True
    sheet: tuple[SheetLine, ...] = ()
    said: tuple[Said, ...] = ()
    view: View = View()
    health: Health = Health()
    ended: bool = False

    @classmethod
    def of(cls, plan: SessionPlan, desk: Desk, t_s: float, **rest: Any) -> Board:
        """The board of a desk at `t_s`."""
        return cls(plan, t_s, desk.state if desk.items else None, desk.in_step, **rest)

    @property
    def phase(self) -> Phase:
        """Where the game stands, in a word for the pages."""
        if self.ended:
            return "ended"
        if self.state is None or not self.state.top:
            return "starting"
        if self.state.phase != "play":
            return "round_over"
        if not self.in_step:
            return "out_of_step"
        return "asking" if self.question is not None else "playing"

    @property
    def question(self) -> Said | None:
        """The question that still waits for an answer: the last thing said, if it was one."""
        last = self.said[-1] if self.said else None
        return last if last is not None and last.standing and _kind(last.told) == "question" else None

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The board for phones, with its texts in one language (`en`, `pt`, `es`, `ro`)."""
        state = self.state
        window = _uno_window(state)
        return {
            "title": self.plan.title,
            "language": language,
            "t_s": round(self.t_s, 2),
            "phase": self.phase,
            "view": {"state": self.view.state, "reason": self.view.reason},
            "round": max(1, len(self.sheet) + (0 if self.phase in ("round_over", "ended") else 1)),
            "turn": str(state.to_act) if state and state.to_act and self.in_step else None,
            "direction": state.direction if state else 1,
            "top": _top(state, language),
            "colour": _colour(state, language),
            "uno_window": window,
            "seats": [self._seat(seat) for seat in self.plan.players],
            "said": [said_json(said, self.plan, language) for said in self.said[-SHOWN_RULINGS:]],
            "question": said_json(self.question, self.plan, language) if self.question else None,
            "health": dict(self.health.parts),
            "calls_judged": self.health.hears,
            "sheet": [line.to_json() for line in self.sheet],
        }

    def _seat(self, seat: Seat) -> dict[str, Any]:
        state = self.state
        hand = state.hands.get(seat) if state else None
        totals = self.sheet[-1].totals if self.sheet else {}
        last = next((last for last in state.last_cards if last.seat is seat), None) if state else None
        return {
            "seat": str(seat),
            "name": self.plan.players.get(seat) or str(seat),
            "points": totals.get(seat, 0),
            "cards": None if hand is None or hand.most >= UNBOUNDED else [hand.least, hand.most],
            "in_round": state is None or seat in state.active,
            "uno": last.status if last else None,
            "owes": sum(debt.left for debt in state.debts if debt.seat is seat) if state else 0,
        }


def said_json(said: Said, plan: SessionPlan, language: str) -> dict[str, Any]:
    """A ruling or question for the pages."""
    told = said.told
    head = {"t_s": round(said.t_s, 2), "number": said.number, "standing": said.standing, "kind": _kind(told)}
    if isinstance(told, Question):
        return {
            **head,
            "text": names_for_seats(asked_in(told.text, language), plan),
            "certainty": "likely",
            "rule": None,
            "seat": None,
        }
    incident = told.incident
    return {
        **head,
        "text": names_for_seats(incident.say(language), plan),
        "certainty": incident.certainty,
        "rule": incident.rule or None,
        "seat": str(incident.seat) if incident.seat else None,
    }


def _kind(told: Ruled | Question) -> str:
    return "question" if isinstance(told, Question) else told.incident.kind


def _top(state: State | None, language: str) -> dict[str, str] | None:
    if state is None or not state.top:
        return None
    return _card(state.top[0], language)


def _card(card: Card, language: str) -> dict[str, str]:
    return {"code": card.code, "words": card_words(card, language)}


def _colour(state: State | None, language: str) -> dict[str, str] | None:
    colour = colour_in_force(state) if state and state.top else None
    return {"code": colour.value, "words": colour_word(colour, language)} if colour else None


def _uno_window(state: State | None) -> dict[str, str] | None:
    """The seat whose missing call can be caught now."""
    lasts: Sequence[Any] = state.last_cards if state else ()
    open_now = [last for last in lasts if last.status == "open"]
    return {"seat": str(open_now[-1].seat)} if open_now else None
