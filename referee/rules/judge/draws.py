"""Cards drawn: debts served one card at a time, the draw of a turn, and passing (rows F4 to F9, H3, H5)."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import Card, Seat
from referee.rules.entries import Draw
from referee.rules.hand import Hand
from referee.rules.judge import challenge, turns, uno
from referee.rules.judge.bench import Bench
from referee.rules.ruling import Debt
from referee.rules.state import Drawn


def draw(b: Bench, seat: Seat, event: Draw) -> None:
    """`seat` takes cards from the draw pile."""
    s = b.state
    if seat not in s.hands:
        b.causes += (event.cause or "turn",)
        return
    if event.cause in ("bluff", "doubt"):
        challenge.implied(b, seat, event.cause)
    mine = _due(b, seat, event)
    if event.count == 0 and not mine:
        _perhaps(b, seat, event)
        return
    if not mine:
        turns.end_silently(b, seat)
    b.causes += (event.cause or (mine[0].cause if mine else "turn"),)
    cards = _cards(event)
    if mine:
        _serve(b, seat, event, mine, cards)
    elif allowed := [debt for debt in s.allowed if debt.seat is seat and event.cause in (None, debt.cause)]:
        _serve_allowed(b, seat, event, allowed[0], cards)
    elif s.turn is seat and s.phase == "play" and event.cause in (None, "turn"):
        _draw_in_turn(b, seat, cards, event.unsure)
    else:
        b.flag("drew_without_cause", seat, drawn=event.count, count=event.count)
        s.strayed = seat
        _take(b, seat, cards, kept=0, unsure=event.unsure)


def _perhaps(b: Bench, seat: Seat, event: Draw) -> None:
    """Perhaps nothing was drawn: the hand may be larger, and that is all. Nobody has moved by it."""
    s, cards = b.state, _cards(event)
    b.causes += (event.cause or "turn",)
    if s.turn is seat and s.phase == "play" and event.unsure:
        before, doubtful = (s.drawn.cards, s.drawn.unsure) if s.drawn and s.drawn.seat is seat else ((), 0)
        s.drawn = Drawn(seat, before + cards, b.index, doubtful + event.unsure)
    _take(b, seat, cards, kept=0, unsure=event.unsure)


def _cards(event: Draw) -> tuple[Card | None, ...]:
    """One place for each card that was drawn, or perhaps was; None for a card that was not seen."""
    most = event.count + event.unsure
    if event.cards is None:
        return (None,) * most
    seen = event.cards[: event.count]
    return (*seen, *[None] * (most - len(seen)))


def _due(b: Bench, seat: Seat, event: Draw) -> list[Debt]:
    """The debts that this draw serves; a wrongly named cause still serves what is owed.

    A debt that was told and that the table let pass waits for draws that nothing else explains.
    """
    s, cause = b.state, event.cause
    if not s.debts:
        return []
    mine = [debt for debt in s.debts if debt.seat is seat]
    insisted = [debt for debt in mine if not debt.told]
    if insisted and event.count <= sum(debt.left for debt in insisted):
        mine = insisted
    if not mine:
        return mine
    if cause is None:
        begins = s.turn is seat and s.phase == "play" and s.drawn is None
        explained = begins and (event.count == 1 or b.profile.turn.draw == "until_playable")
        return mine if insisted or not explained else []
    if cause == "turn":
        return [debt for debt in mine if debt.loses_turn]
    return [debt for debt in mine if debt.cause == cause] or mine


def _serve(b: Bench, seat: Seat, event: Draw, mine: list[Debt], cards: tuple[Card | None, ...]) -> None:
    """Whoever may have drawn enough owes nothing more; what was perhaps not drawn may still be drawn."""
    s = b.state
    owed = sum(debt.left for debt in mine)
    loses_turn = any(debt.loses_turn for debt in mine)
    if loses_turn:
        if s.to_act is seat and b.profile.uno.forced_draw_closes:
            uno.begin(b, seat, "draw")
        challenge.penalty_begins(b, seat, owed - len(cards))
        s.mover = None
    left = len(cards)
    debts = []
    for debt in s.debts:
        if debt not in mine:
            debts.append(debt)
        elif left < debt.left:
            debts.append(replace(debt, left=debt.left - left) if left else debt)
            left = 0
        else:
            left -= debt.left
    s.debts = tuple(debts)
    if event.count > owed:
        option = turns.CAUSE_OPTIONS[mine[0].cause]
        b.flag("drew_too_many", seat, owed=owed, drawn=event.count, count=event.count - owed, option=option)
    elif event.unsure:
        may = min(event.unsure, owed - event.count)
        s.allowed = (*s.allowed, *([Debt(seat, may, mine[0].cause, may)] if may else []))
    if loses_turn and not any(debt.seat is seat and debt.loses_turn for debt in s.debts):
        s.skipped = (*s.skipped, seat)
        uno.begin(b, seat, "over")
    _take(b, seat, cards, kept=min(len(cards), owed), unsure=event.unsure)


def _serve_allowed(b: Bench, seat: Seat, event: Draw, debt: Debt, cards: tuple[Card | None, ...]) -> None:
    """A draw that nobody insists on, but that the rules or the table's own verdict allow."""
    s = b.state
    rest = tuple(other for other in s.allowed if other is not debt)
    more = event.count - debt.left
    s.allowed = rest if more >= 0 else (*rest, replace(debt, left=-more))
    if more > 0:
        option = turns.CAUSE_OPTIONS[debt.cause]
        b.flag("drew_too_many", seat, owed=debt.left, drawn=event.count, count=more, option=option)
    _take(b, seat, cards, kept=min(len(cards), debt.left), unsure=event.unsure)


def _draw_in_turn(b: Bench, seat: Seat, cards: tuple[Card | None, ...], unsure: int) -> None:
    s, turn = b.state, b.profile.turn
    turns.colour_missing(b, seat)
    if s.last_cards:
        uno.begin(b, seat, "draw")
    if s.debts:
        turns.draws_first(b, seat)
    before, doubtful = (s.drawn.cards, s.drawn.unsure) if s.drawn and s.drawn.seat is seat else ((), 0)
    if not turn.may_decline:
        _declined(b, seat, fresh=not before)
    drawn = before + cards
    allowed = 1 if turn.draw == "one" else _until_playable(b, drawn)
    kept = max(min(len(drawn), allowed) - len(before), 0)
    certain = len(drawn) - doubtful - unsure
    if certain > allowed and kept < len(cards):
        b.flag("drew_too_many", seat, owed=allowed, drawn=certain, count=min(len(cards) - kept, certain - allowed))
    if drawn:
        s.drawn = Drawn(seat, drawn, b.index, doubtful + unsure)
        s.mover = None
    _take(b, seat, cards, kept=kept, unsure=unsure)
    if turn.drawn_card == "keep" and turn.draw == "one" and certain:
        turns.end_turn(b, seat)


def _until_playable(b: Bench, drawn: tuple[Card | None, ...]) -> int:
    """How many of these cards might be drawn: up to the first that certainly could be played."""
    for number, card in enumerate(drawn, start=1):
        if card is not None and turns.playable_draw(b, card):
            return number
    return len(drawn)


def _declined(b: Bench, seat: Seat, *, fresh: bool) -> None:
    """Drawing while holding a card that fits, where the table does not allow it (row F4)."""
    if not fresh or not b.state.top:
        return
    if any(turns.playable_draw(b, card) for card in b.state.hands[seat].known):
        b.flag("drew_without_cause", seat, certainty="hidden", option="turn.may_decline", drawn=1, count=1)


def _take(b: Bench, seat: Seat, cards: tuple[Card | None, ...], *, kept: int, unsure: int) -> None:
    """Put drawn cards into the hand; the last `unsure` of them are perhaps none.

    Cards beyond `kept` that nobody saw may have gone back to the pile.
    """
    s = b.state
    if not cards:
        return
    if s.early_call and s.early_call.seat is seat and len(cards) > unsure:
        early, s.early_call = s.early_call, None  # the call is spent by the draw (row J7)
        uno.needless(b, seat, early.entry, s.hands[seat].least)
    hand = s.hands[seat].with_cards(len(cards), cards)
    doubtful = max(cards[kept:].count(None), unsure)
    if doubtful:
        hand = Hand(hand.least - doubtful, hand.most, hand.known)
    s.set_hand(seat, hand)
    if s.last_cards and hand.least > 1:
        s.set_last_card(seat, None)
    elif unsure and (last := s.last_card(seat)) is not None and last.status == "open":
        s.set_last_card(seat, replace(last, status="doubtful"))
    if s.bluffs:
        challenge.drew(b, seat, cards)


def pass_turn(b: Bench, seat: Seat) -> None:
    """`seat` says that it is done without laying a card."""
    s = b.state
    if seat not in s.hands:
        return
    debt = next((debt for debt in s.debts if debt.seat is seat and not debt.told), None) if s.debts else None
    if debt is not None and not turns.nothing_to_draw(b):
        option = turns.CAUSE_OPTIONS[debt.cause]
        b.flag("drew_too_few", seat, drawn=debt.total - debt.left, owed=debt.total, count=debt.left, option=option)
        return
    turns.end_silently(b, seat)
    if s.turn is not seat or s.phase != "play":
        return
    turns.colour_missing(b, seat)
    drew = (s.drawn and s.drawn.seat is seat) or s.strayed is seat
    if not drew and b.profile.turn.pass_without_draw == "forbidden" and not turns.nothing_to_draw(b):
        b.flag("passed_without_drawing", seat, count=1)
        s.allowed = (*s.allowed, Debt(seat, 1, "turn", 1))
    if s.debts:
        turns.draws_first(b, seat)
    turns.end_turn(b, seat)
