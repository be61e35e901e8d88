"""The end of a round: the last draw, the winner, and the hands that were counted (rows K1 to K4, L1 to L4)."""

from __future__ import annotations

from collections import Counter

from referee.rules.entries import HandCount, Result
from referee.rules.judge.bench import Bench
from referee.rules.judge.turns import nothing_to_draw


def close(b: Bench, result: Result) -> None:
    """`wins P3 P1=27(R7 YS)`: check the end of the round and every hand that was counted."""
    s = b.state
    if s.phase == "over":
        _last_draws(b)
    _winner(b, result)
    for hand in result.hands:
        if hand.seat in s.hands and not (hand.seat is result.winner and hand.cards is None):
            _hand(b, hand)
    _announced(b, result)
    _copies(b, result)
    s.phase, s.winner, s.debts, s.namer = "scored", result.winner, (), None


def _last_draws(b: Bench) -> None:
    """The +2 or +4 that ended the round is drawn before the hands are counted (row K2, mistake P5)."""
    due = [debt for debt in b.state.debts if debt.cause in ("d2", "w4", "doubt") and not debt.told]
    if due and not nothing_to_draw(b):
        debt = due[0]
        b.flag("last_draw_not_served", debt.seat, other=debt.seat, owed=debt.left, count=debt.left)


def _winner(b: Bench, result: Result) -> None:
    s = b.state
    hand = s.hands.get(result.winner)
    gave_up = len(s.active) < len(s.seats)
    if hand is not None and hand.least > 0 and not gave_up:
        b.flag("hand_count_mismatch", result.winner, count=0, number=hand.count)


def _hand(b: Bench, counted: HandCount) -> None:
    """The cards against the ledger, and the points against the cards."""
    hand, values = b.state.hands[counted.seat], b.profile.score.values
    if counted.cards is None:
        if hand.complete and (points := sum(map(values.of, hand.known))) != counted.points:
            b.flag(
                "score_mismatch",
                counted.seat,
                kind="question",
                certainty="likely",
                count=counted.points,
                number=points,
            )
        return
    if not hand.least <= len(counted.cards) <= hand.most:
        b.flag("hand_count_mismatch", counted.seat, count=len(counted.cards), number=hand.count)
    points = sum(map(values.of, counted.cards))
    if points != counted.points:
        b.flag("score_mismatch", counted.seat, count=counted.points, number=points)


def _announced(b: Bench, result: Result) -> None:
    """Points said for the winner without cards are the winner's score of the round: the other hands' sum."""
    said = next((hand for hand in result.hands if hand.seat is result.winner and hand.cards is None), None)
    if said is None or b.profile.score.to != "round_winner":
        return
    others = [hand for hand in result.hands if hand.seat is not result.winner]
    total = sum(hand.points for hand in others)
    if others and said.points != total:
        b.flag("score_mismatch", result.winner, count=said.points, number=total)


def _copies(b: Bench, result: Result) -> None:
    """More copies laid open than the deck holds: one of them was misread."""
    shown = Counter(card for hand in result.hands for card in hand.cards or ())
    for card, copies in shown.items():
        if copies + b.state.seen.get(card, 0) > b.deck.get(card, 0):
            b.flag("impossible_card", None, card=card)
