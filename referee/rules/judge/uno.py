"""The UNO call, the catch, and the window between them (rows J1 to J11, gaps G09 to G11).

A missed call costs nothing until a player catches it: the referee answers "was it called in time?" and penalises by
itself only where the table wants that (`uno.referee_catches`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

from referee.cards import Seat
from referee.rules.entries import VerdictWord
from referee.rules.hand import Hand
from referee.rules.judge.bench import Bench
from referee.rules.ruling import Debt, Kind
from referee.rules.state import CallStatus, EarlyCall, LastCard

CLOCK_S = 0.08
"""Two shouts closer than this cannot be told apart: word times of the recogniser step by 0.03 s."""

REST_S = 0.5
"""A card that landed has come to rest after this time, and its player's turn is over."""

Beginning: TypeAlias = Literal["reach", "lift", "draw", "land", "over"]
Outcome: TypeAlias = Literal["caught", "early", "late", "false", "undecided", "again"]

_CLOSES: dict[str, frozenset[str]] = {
    "next_draws_or_lifts_card": frozenset({"lift", "draw", "land", "over"}),
    "next_touches_pile": frozenset({"reach", "draw", "land", "over"}),
    "next_plays_or_draws": frozenset({"draw", "land", "over"}),
    "next_turn_over": frozenset({"over"}),
}

_AGREES: dict[Outcome, frozenset[str]] = {
    "caught": frozenset({"caught"}),
    "false": frozenset({"safe", "void"}),
    "late": frozenset({"late", "void", "safe"}),
    "early": frozenset({"void", "safe"}),
    "undecided": frozenset({"caught", "safe", "late", "void"}),
    "again": frozenset({"caught", "safe", "late", "void"}),
}


def begin(b: Bench, seat: Seat, how: Beginning) -> None:
    """The next player has begun in this way: close the windows that it closes (row J3, contradiction C18)."""
    s = b.state
    if not s.last_cards:
        return
    option = b.profile.uno.window_closes
    rests = how == "land" and option == "next_turn_over"
    if how not in _CLOSES[option] and not rests:
        return
    for last in s.last_cards:
        if last.status not in ("open", "doubtful"):
            continue
        if rests and b.time_s is not None and last.seat is not seat and last.until_s is None:
            s.set_last_card(last.seat, replace(last, until_s=b.time_s + REST_S))
        else:
            _escape(b, last)


def _escape(b: Bench, last: LastCard) -> None:
    b.state.set_last_card(last.seat, replace(last, status="escaped"))
    if last.status != "open":
        return
    if b.profile.uno.referee_catches and b.clear:
        penalty = b.profile.uno.penalty
        b.flag("missed_uno", last.seat, count=penalty, entry=last.entry)
        b.state.add_debt(Debt(last.seat, penalty, "uno", penalty))
    else:
        b.remark("missed_uno", last.seat, variant="escaped", entry=last.entry)


def landed(b: Bench, seat: Seat, hand: Hand) -> None:
    """A card of `seat` landed and left it with `hand`: open its window, or settle it by a call made before."""
    s = b.state
    early = s.early_call if s.early_call and s.early_call.seat is seat else None
    if early:
        s.early_call = None
    if hand.most == 0 or hand.least > 1:
        if s.last_cards:
            s.set_last_card(seat, None)
        if early and hand.least > 1:
            needless(b, seat, early.entry, hand.least)
        return
    status: CallStatus = "open" if hand.count == 1 else "doubtful"
    if early:
        status = _early_status(b, early, status)
    if not b.profile.uno.repeat and seat in s.callers:
        status = "called"
    _keep(b, seat, status, early.time_s if early else None)


def _early_status(b: Bench, early: EarlyCall, unless: CallStatus) -> CallStatus:
    """How a call made before the card landed counts (row J1, contradiction C16)."""
    call_from = b.profile.uno.call_from
    if call_from == "card_lands":
        return unless
    # said in an earlier entry: before or after the card left the hand? nobody can tell
    return "doubtful" if call_from == "card_leaves_hand" and early.entry != b.index else "called"


def _keep(b: Bench, seat: Seat, status: CallStatus, call_s: float | None) -> None:
    if status == "called":
        b.state.callers |= {seat}
    b.state.set_last_card(seat, LastCard(seat, status, b.index, call_s=call_s))


def hand_changed(b: Bench, seat: Seat) -> None:
    """`seat` got another hand by a swap, a shuffle or a rotation (row I4, gap G09)."""
    s = b.state
    hand = s.hands[seat]
    s.set_last_card(seat, None)
    if hand.least > 1 or hand.most == 0:
        return
    if b.profile.uno.after_hand_change == "not_needed":
        _keep(b, seat, "called", None)
        return
    early = s.early_call is not None and s.early_call.seat is seat
    _keep(b, seat, "called" if early else "open" if hand.count == 1 else "doubtful", None)


def say(b: Bench, seat: Seat, verdict: VerdictWord | None = None) -> None:
    """`seat` says UNO. `verdict`: what was ruled on it, where the word was meant as a catch."""
    s = b.state
    last = s.last_card(seat)
    if last is None and b.profile.uno.catch_words == "uno" and (target := _catchable(b, seat)):
        catch(b, seat, target, verdict)
        return
    if last is None:
        if s.hands[seat].least <= 2 and (s.turn is seat or b.profile.house.jump_in != "none"):
            s.early_call = EarlyCall(seat, b.index, b.time_s)
        else:
            needless(b, seat, b.index, s.hands[seat].least)
        return
    if last.status in ("open", "doubtful"):
        _late_call(b, last)
    elif last.status == "escaped":
        b.remark("late_uno", seat)
    elif last.status == "caught":
        _call_beside_catch(b, last)


def _catchable(b: Bench, seat: Seat) -> Seat | None:
    """Whom an UNO by `seat` catches where the catch word is UNO itself (row J2); None if it may be its own call."""
    s = b.state
    if s.turn is seat and s.hands[seat].least <= 2:
        return None
    return next((c.seat for c in s.last_cards if c.status == "open"), None)


def _late_call(b: Bench, last: LastCard) -> None:
    uno = b.profile.uno
    if uno.call_until == "card_lands" or uno.self_correction == "penalty":
        option = "uno.call_until" if uno.call_until == "card_lands" else "uno.self_correction"
        b.flag("late_uno", last.seat, variant="penalty", option=option)
        return
    b.state.callers |= {last.seat}
    b.state.set_last_card(last.seat, replace(last, status="called", call_s=b.time_s))
    b.remark("late_uno", last.seat)


def _call_beside_catch(b: Bench, last: LastCard) -> None:
    """A call a moment after the catch: if the clock cannot separate them, `uno.tie` decides."""
    tie = b.profile.uno.tie
    if not _same_moment(last.catch_s, b.time_s) or tie == "favours_catcher":
        return
    b.withdraw("missed_uno", last.catch_entry)
    b.state.drop_debts(last.seat, "uno")
    if tie == "undecided":
        b.flag("missed_uno", last.seat, variant="undecided", kind="question", remedy="", option="uno.tie")
    b.state.set_last_card(last.seat, replace(last, status="called", call_s=b.time_s))


def _same_moment(one_s: float | None, other_s: float | None) -> bool:
    return one_s is not None and other_s is not None and abs(one_s - other_s) < CLOCK_S


def needless(b: Bench, seat: Seat, entry: int, left: int) -> None:
    """UNO was said with two or more cards left (row J9, gap G11): no sheet punishes it, a table may."""
    penalty = b.profile.uno.false_call
    if penalty and left > 1:
        b.flag("false_uno", seat, entry=entry, count=penalty)
        b.state.add_debt(Debt(seat, penalty, "uno", penalty))
    elif left > 1:
        b.remark("false_uno", seat, entry=entry)


def catch(b: Bench, catcher: Seat | None, target: Seat, verdict: VerdictWord | None) -> None:
    """`catcher` says that `target` did not call; `verdict` is what the table ruled, if it did.

    Nothing comes up when the table ruled as the referee does. When it ruled otherwise, play follows the table.
    """
    s = b.state
    if target not in s.hands:
        return
    if catcher is target:
        say(b, target)
        return
    outcome = _outcome(b, target)
    agreed = verdict in _AGREES[outcome]
    last = s.last_card(target)
    if outcome == "caught" or verdict == "caught":
        _owe(b, target, last, due=agreed or verdict is None)
    if outcome == "false" and b.profile.uno.false_catch and catcher is not None:
        penalty = b.profile.uno.false_catch
        b.flag("false_catch", catcher, kind="foul", remedy="draw", other=target, count=penalty)
        s.add_debt(Debt(catcher, penalty, "uno", penalty))
    elif not agreed and outcome != "again":
        _answer(b, outcome, catcher, target)
    if outcome == "caught" and verdict is not None and not agreed and last:
        s.set_last_card(target, replace(last, status="called"))


def _owe(b: Bench, target: Seat, last: LastCard | None, *, due: bool) -> None:
    """The target draws the penalty, or may draw it where only the table holds it for due."""
    s = b.state
    if last and last.status == "caught":
        return
    debt = Debt(target, b.profile.uno.penalty, "uno", b.profile.uno.penalty)
    if due:
        s.add_debt(debt)
    else:
        s.allowed = (*s.allowed, debt)
    if last:
        s.set_last_card(target, replace(last, status="caught", catch_s=b.time_s, catch_entry=b.index))


def _answer(b: Bench, outcome: Outcome, catcher: Seat | None, target: Seat) -> None:
    if outcome in ("caught", "undecided"):
        sure = outcome == "caught"
        b.flag(
            "missed_uno",
            target,
            variant=outcome,
            kind=None if sure else "question",
            remedy=None if sure else "",
            other=catcher,
            count=b.profile.uno.penalty,
        )
        return
    code = {"early": "catch_early", "late": "catch_late", "false": "false_catch"}[outcome]
    kind: Kind = "note"
    b.flag(code, catcher, kind=kind, other=target)


def _outcome(b: Bench, target: Seat) -> Outcome:
    s = b.state
    last, hand = s.last_card(target), s.hands[target]
    if last is None:
        if hand.least > 1 or hand.most == 0:
            return "early" if hand.least == 2 and s.turn is target else "false"
        return "late" if hand.count == 1 else "undecided"
    if last.status == "caught":
        return "again"
    if last.status == "called":
        tie = b.profile.uno.tie
        if tie == "favours_player" or not _same_moment(last.call_s, b.time_s):
            return "false"
        return "undecided" if tie == "undecided" or not b.clear else "caught"
    if last.status == "escaped":
        return "late"
    if last.until_s is not None and (b.time_s is None or b.time_s >= last.until_s):
        _escape(b, last)
        return "late"
    return "caught" if last.status == "open" and b.clear else "undecided"


def overruled(b: Bench) -> None:
    """The table ruled, after the referee, that the latest catch does not count: play follows the table."""
    caught = [last for last in b.state.last_cards if last.status == "caught"]
    if caught:
        last = max(caught, key=lambda one: one.catch_entry)
        b.state.drop_debts(last.seat, "uno")
        b.state.set_last_card(last.seat, replace(last, status="called"))
