"""Whose move it is: the end of a turn, the turn that a card takes away, and draws that must come first."""

from __future__ import annotations

from referee.cards import Card, Colour, Seat, Symbol
from referee.rules.entries import Cause
from referee.rules.judge import uno
from referee.rules.judge.bench import Bench
from referee.rules.judge.matching import fits_pile
from referee.rules.ruling import Debt
from referee.rules.state import Drawn, State

CAUSE_OPTIONS = {
    "d2": "house.stacking",
    "w4": "house.stacking",
    "uno": "uno.penalty",
    "bluff": "wild_draw_four.guilty",
    "doubt": "wild_draw_four.innocent",
    "foul": "foul.remedy",
    "tip": "foul.advice_draws",
    "house": "deck.custom_rules",
    "start": "start_card.draw_two",
    "turn": "turn.draw",
}
"""The option that says how many cards a debt of this cause is."""


def nothing_to_draw(b: Bench) -> bool:
    """Both piles are certainly empty: every card but the top one is in a hand (gap G03)."""
    s = b.state
    return sum([s.hands[seat].least for seat in s.active]) + 1 >= b.cards


def end_silently(b: Bench, seat: Seat) -> None:
    """`seat` acts: if it is next after a player who drew and did not say so, that player has passed."""
    s = b.state
    if s.start is not None:
        begin_round(b, seat)
    if s.drawn and seat is not s.turn and s.drawn.seat is s.turn and seat is s.following(s.turn):
        end_turn(b, s.turn, entry=s.drawn.entry)


def begin_round(b: Bench, seat: Seat) -> None:
    """Where the youngest begins (row C5) nobody but the players knows who that is: whoever moves first is right."""
    s = b.state
    if s.moves or s.drawn or s.start is None or b.profile.setup.first_player != "youngest":
        return
    if s.start.effect in ("number", "ignore", "redraw", "first_player_names_colour"):
        s.turn = seat
        s.namer = seat if s.namer is not None else None


def end_turn(b: Bench, seat: Seat, *, entry: int | None = None) -> None:
    """`seat` ends its turn without laying a card; `entry` is where a fault of that turn belongs."""
    s = b.state
    if s.drawn and s.drawn.seat is seat:
        _kept_cards(b, s.drawn, entry)
    if s.early_call and s.early_call.seat is seat:
        early, s.early_call = s.early_call, None
        uno.needless(b, seat, early.entry, s.hands[seat].least)
    if s.last_cards:
        uno.begin(b, seat, "over")
    s.turn = s.following(seat)
    s.drawn = None
    s.mover = None
    s.start = None
    s.strayed = None
    s.skipped = ()


def _kept_cards(b: Bench, drawn: Drawn, entry: int | None) -> None:
    """A drawn card that should have been played, or drawing that stopped too soon (rows F5, F6, F8)."""
    s, turn, last = b.state, b.profile.turn, drawn.cards[-1]
    if turn.drawn_card != "must_play" and turn.draw != "until_playable":
        return
    if last is None or not s.top or nothing_to_draw(b):
        return  # a hidden card proves nothing
    if playable_draw(b, last):
        if turn.drawn_card == "must_play":
            b.flag("drawn_card_not_played", drawn.seat, entry=entry, card=last)
    elif turn.draw == "until_playable":
        b.flag("drawn_card_not_played", drawn.seat, entry=entry, option="turn.draw")


def playable_draw(b: Bench, card: Card) -> bool:
    """Whether a drawn card certainly may be played; a Wild Draw Four depends on the hidden hand and never counts."""
    s = b.state
    if card.symbol is Symbol.WILD_DRAW_FOUR:
        return b.profile.wild_draw_four.condition == "none"
    if not card.is_wild and not all(top.colour or isinstance(s.colour, Colour) for top in s.top):
        return False
    return fits_pile(b.profile, card, s)


def draws_first(b: Bench, seat: Seat) -> None:
    """`seat` moves on although cards are still to be drawn."""
    s = b.state
    if s.taking is not None:
        # nobody saw the wrong card go back, so nobody insists on what it costs
        s.debts = tuple(debt for debt in s.debts if debt.cause != "foul" or debt.seat is not s.taking[0])
    due = [debt for debt in s.debts if not debt.told]
    if not due or nothing_to_draw(b):
        return
    for debtor in dict.fromkeys(debt.seat for debt in due):
        mine = [debt for debt in due if debt.seat is debtor]
        owed = sum(debt.left for debt in mine)
        if mine[0].cause == "start" and s.start:
            b.flag("start_effect_missed", debtor, card=s.start.card, option=s.start.option)
        elif debtor is seat:
            b.flag("penalty_not_drawn", seat, remedy="draw", count=owed, option=CAUSE_OPTIONS[mine[0].cause])
        else:
            b.flag(
                "penalty_not_drawn", seat, other=debtor, owed=owed, count=owed, option=CAUSE_OPTIONS[mine[0].cause]
            )
    s.tell_debts(frozenset(debt.seat for debt in due))


def colour_missing(b: Bench, seat: Seat) -> bool:
    """`seat` acts while a wild lies without its colour: True if the colour is certainly not named (row F14).

    The fault is the namer's and belongs to the entry of the wild. Where a colour was perhaps said and not heard, the
    referee asks, and whatever comes next is taken to fit.
    """
    s = b.state
    if s.namer is None or not b.profile.wild.must_name:
        return False
    if s.start is not None and seat is s.namer:
        s.namer = None  # whoever opens on a wild names the colour by the card
        return False
    unnamed = s.colour is None
    if s.namer_entry >= 0:
        b.flag("no_colour_named", s.namer, kind="foul" if unnamed else "question", entry=s.namer_entry)
        s.namer_entry = -1  # told once
    if not unnamed:
        s.namer = None
    return unnamed


def advance(s: State, seat: Seat, card: Card, *, carried: int, reverse_is_skip: bool) -> Seat:
    """Give the move on after `seat` laid `card` (rows H1 to H5, M1 to M4), and return whom the card meets.

    carried: cards of the stack below it.
    """
    victim = s.following(seat)
    s.turn = victim
    if card.symbol not in _EFFECTS:
        return victim
    if card.symbol is Symbol.REVERSE:
        if len(s.active) == 2 and reverse_is_skip:
            s.turn = seat
        else:
            s.direction = -s.direction
            s.turn = s.following(seat)
    else:
        s.turn = s.following(victim)
        if card.symbol is Symbol.SKIP:
            s.skipped = (victim,)
        else:
            cause: Cause = "d2" if card.symbol is Symbol.DRAW_TWO else "w4"
            count = (2 if cause == "d2" else 4) + carried
            s.add_debt(Debt(victim, count, cause, count, loses_turn=True))
    return victim


_EFFECTS = frozenset({Symbol.REVERSE, Symbol.SKIP, Symbol.DRAW_TWO, Symbol.WILD_DRAW_FOUR})


def end_turn_after_foul(b: Bench, seat: Seat) -> None:
    """`seat` loses the rest of its turn for a wrong card."""
    s = b.state
    s.turn = s.following(seat)
    s.drawn = None
