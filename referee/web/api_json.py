"""The JSON that the pages are made of, with its texts in the device's language."""

from __future__ import annotations

from typing import Any

from referee.cards import Card, Colour, Seat
from referee.rules.messages import card_words, colour_word
from referee.rules.profiles import load_profile
from referee.session.case_bundle import rule_of
from referee.session.findings import names_for_seats
from referee.session.incidents import CaseLine, ruling_key
from referee.session.plan import SessionPlan
from referee.session.questions import asked_in
from referee.session.telling import Ruled
from referee.web.board import Board
from referee.web.table_link import Answer, Move
from referee.web.wording import words


def case_json(case: CaseLine, plan: SessionPlan, board: Board, language: str) -> dict[str, Any]:
    """An incident for the review page; one that no longer stands keeps the words in which it was told."""
    rule = rule_of(load_profile(plan.profile), case, language)
    told = {_key_of(said.told): said.told.incident for said in board.said if isinstance(said.told, Ruled)}
    incident = told.get(ruling_key(case.line.payload))
    text = incident.say(language) if incident else asked_in(case.text, language)
    facts = case.to_json()
    return {
        **{name: facts[name] for name in ("number", "t_s", "state", "kind", "certainty", "seat", "evidence")},
        "text": names_for_seats(text, plan),
        "rule": rule and {"question": rule.question, "says": rule.saying, "sources": list(rule.sources)},
    }


def move_json(move: Move, plan: SessionPlan, language: str) -> dict[str, Any]:
    """A thing noticed, for the page that puts it right."""
    return {
        "id": move.id,
        "t_s": round(move.t_s, 2),
        "what": move.what,
        "seat": move.seat,
        "name": plan.name(Seat.parse(move.seat)) if move.seat else None,
        "card": _card(move.card, language),
        "count": list(move.count) if move.count else None,
        "call": _call(move.call, language),
        "others": [_card(code, language) for code, _ in move.others],
    }


def answer_json(answer: Answer) -> dict[str, Any]:
    """What came of a correction."""
    return {"id": answer.id, "new": answer.new, "gone": answer.gone, "added": answer.added}


def _key_of(told: Ruled) -> tuple[object, ...]:
    record = {**told.incident.to_json(), "evidence": list(told.judged.evidence)}
    return ruling_key(record)


def _call(call: str | None, language: str) -> str | None:
    """A call in words; a colour that was named is named again."""
    if call is None:
        return None
    name, _, colour = call.partition(":")
    said = words(language).get(f"call_{name}", name)
    return f"{said} {colour_word(Colour(colour), language)}" if colour in ("R", "Y", "G", "B") else said


def _card(code: str | None, language: str) -> dict[str, str] | None:
    if code is None:
        return None
    try:
        return {"code": code, "words": card_words(Card.parse(code), language)}
    except ValueError:  # `back` and other readings that are no face
        return {"code": code, "words": code}
