"""In what standing a seat lays a card: on its turn, jumping in, stacking, or without right (F10, H16, O1, O5)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.cards import Seat, Symbol
from referee.rules.entries import Play
from referee.rules.judge.bench import Bench
from referee.rules.ruling import Debt

Standing: TypeAlias = Literal["turn", "jump", "stack", "discard", "victim", "skipped", "again", "opening", "foreign"]

_DRAW_CARDS = (Symbol.DRAW_TWO, Symbol.WILD_DRAW_FOUR)
_STACKS = {
    "none": frozenset[tuple[str, Symbol]](),
    "draw_two": frozenset({("d2", Symbol.DRAW_TWO)}),
    "same_kind": frozenset({("d2", Symbol.DRAW_TWO), ("w4", Symbol.WILD_DRAW_FOUR)}),
    "four_on_two": frozenset({("d2", Symbol.DRAW_TWO), ("w4", Symbol.WILD_DRAW_FOUR), ("d2", Symbol.WILD_DRAW_FOUR)}),
    "any": frozenset({(cause, symbol) for cause in ("d2", "w4") for symbol in _DRAW_CARDS}),
}
"""Which card may answer which debt, by `house.stacking`."""


def lost_turn_debt(b: Bench, seat: Seat) -> Debt | None:
    """The draw that is all of this seat's turn, if it still owes one."""
    return next((debt for debt in b.state.debts if debt.seat is seat and debt.loses_turn), None)


def standing_of(b: Bench, seat: Seat, play: Play) -> Standing:
    """By what right `seat` lays this card now."""
    s = b.state
    debt = lost_turn_debt(b, seat) if s.debts else None
    if debt is not None:
        if may_jump_in(b, play) and play.jump:
            return "jump"
        return "stack" if _stacks(b, debt, play) else "victim"
    if s.turn is seat:
        return "turn"
    if may_jump_in(b, play) and (play.jump or seat is not s.mover):
        return "jump"
    if s.discards is not None and any(_discardable(s.discards, card.symbol, card.colour) for card in play.readings):
        return "discard"
    if seat is s.mover:
        return "again"
    if s.start is not None and s.moves == 0:
        return "opening"
    return "skipped" if seat in s.skipped else "foreign"


def may_jump_in(b: Bench, play: Play) -> bool:
    """Whether the table jumps in, and the card is identical to the one on top (row O5)."""
    return b.profile.house.jump_in == "identical" and any(card in b.state.top for card in play.readings)


def _stacks(b: Bench, debt: Debt, play: Play) -> bool:
    """Whether the card may answer the debt; once the first card is drawn nothing can."""
    cause = "d2" if debt.cause == "start" else debt.cause
    allowed = _STACKS[b.profile.house.stacking]
    return debt.left == debt.total and any((cause, card.symbol) in allowed for card in play.readings)


def _discardable(rule: object, symbol: Symbol, colour: object) -> bool:
    return symbol.is_wild if rule is Symbol.WILD else colour is rule


def tell_standing(b: Bench, seat: Seat, play: Play, standing: Standing) -> None:
    """Bring up a card laid without the right to lay it."""
    s = b.state
    card, due = play.card, s.to_act
    if standing == "again":
        b.flag("multiple_cards", seat, card=card)
    elif standing == "victim":
        debt = lost_turn_debt(b, seat)
        if debt is not None:
            _tell_victim(b, seat, play, debt)
    elif standing == "skipped":
        b.flag("played_while_skipped", seat, card=card)
    elif standing == "opening":
        _tell_opening(b, seat)
    elif standing == "foreign":
        jumped_wrong = play.jump and b.profile.house.jump_in != "none"
        variant = "jump_in" if jumped_wrong else "direction" if _wrong_way(b, seat) else ""
        option = "house.jump_in" if play.jump else ""
        b.flag(
            "out_of_turn",
            seat,
            variant=variant,
            option=option,
            other=due,
            card=card,
            top=s.top[0] if s.top else None,
        )


def _tell_victim(b: Bench, seat: Seat, play: Play, debt: Debt) -> None:
    s, card = b.state, play.card
    top = s.top[0] if s.top else None
    if debt.cause == "start" and s.start is not None:
        b.flag("start_effect_missed", seat, card=s.start.card, option=s.start.option)
    elif card.symbol in _DRAW_CARDS and debt.cause in ("d2", "w4") and debt.left == debt.total:
        remedy = b.profile.foul.remedy
        b.flag("stacked_not_allowed", seat, card=card, top=top, owed=debt.left, remedy=remedy)
    else:
        b.flag("played_while_skipped", seat, card=card, option="house.stacking")


def _tell_opening(b: Bench, seat: Seat) -> None:
    start = b.state.start
    if start is None:
        return
    if start.effect in ("apply", "draw_and_skip") and seat is start.first:
        b.flag("start_effect_missed", seat, card=start.card, option=start.option)
    else:
        option = start.option if start.card.is_action else ""
        b.flag("wrong_first_player", seat, other=b.state.to_act, option=option)


def _wrong_way(b: Bench, seat: Seat) -> bool:
    """Whether `seat` would be next if play went the other way."""
    s = b.state
    return len(s.active) > 2 and seat is s.preceding(s.preceding(s.turn))
