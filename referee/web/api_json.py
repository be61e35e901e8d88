"""The JSON that the pages are made of, with its texts in the device's language."""

from __future__ import annotations

from typing import Any

from referee.cards import Card, Seat
from referee.rules.messages import card_words
from referee.rules.profiles import load_profile
from referee.session.case_bundle import rule_of
from referee.session.findings import names_for_seats
from referee.session.incidents import CaseLine
from referee.session.plan import SessionPlan
from referee.web.table_link import Answer, Move


def case_json(case: CaseLine, plan: SessionPlan) -> dict[str, Any]:
    """An incident for the review page."""
    rule = rule_of(load_profile(plan.profile), case)
    facts = case.to_json()
    return {
        **{name: facts[name] for name in ("number", "t_s", "state", "kind", "certainty", "seat", "evidence")},
        "text": names_for_seats(case.text, plan),
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
        "call": move.call,
        "others": [_card(code, language) for code, _ in move.others],
    }


def answer_json(answer: Answer) -> dict[str, Any]:
    """What came of a correction."""
    return {"id": answer.id, "new": answer.new, "gone": answer.gone, "added": answer.added}


def _card(code: str | None, language: str) -> dict[str, str] | None:
    if code is None:
        return None
    try:
        return {"code": code, "words": card_words(Card.parse(code), language)}
    except ValueError:  # `back` and other readings that are no face
        return {"code": code, "words": code}
