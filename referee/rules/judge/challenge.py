"""The Wild Draw Four and its challenge (rows H6 to H15, gaps G04 to G07, G13).

A hidden hand is never inferred: only cards laid open, the challenger's word, or a later card prove anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.cards import Card, Colour, Seat, Symbol
from referee.rules.entries import Cause, Play, VerdictWord
from referee.rules.judge.bench import Bench
from referee.rules.judge.matching import condition_code, held_against
from referee.rules.ruling import Debt
from referee.rules.state import Bluff, DrawFour


def laid(b: Bench, seat: Seat, colour: Colour | None, top: Card | None, carried: int, *, last: bool) -> None:
    """A Wild Draw Four landed; `colour` and `top` were in force before it (None if not known)."""
    s = b.state
    symbol = top.symbol if top else None
    s.draw_four = DrawFour(seat, s.following(seat), colour, symbol, s.hands[seat], carried=carried, last=last)
    wdf = b.profile.wild_draw_four
    if colour is not None and wdf.condition != "none" and wdf.enforcement != "free":
        number = symbol if symbol and symbol.is_number and wdf.condition == "no_colour_or_number" else None
        s.bluffs = {**s.bluffs, seat: Bluff(colour, number)}


def forbidden_by(b: Bench, seat: Seat, play: Play, colour: Colour | None, top: Card | None) -> Card | None:
    """The card, known to be in hand, that forbids this Wild Draw Four outright (row H15 where it is forbidden)."""
    if colour is None or b.profile.wild_draw_four.enforcement != "forbidden":
        return None
    if any(card.symbol is not Symbol.WILD_DRAW_FOUR for card in play.readings):
        return None
    return held_against(b.profile, b.state.hands[seat].known, colour, top)


def challenge(b: Bench, seat: Seat, shown: Sequence[Card] | None, verdict: VerdictWord | None) -> None:
    """`seat` challenges. `shown`: the challenged hand if it was laid open; `verdict`: what was ruled at the table."""
    s = b.state
    if void := _void(b, seat):
        code, variant = void
        if verdict not in ("late", "void"):
            victim = s.draw_four.victim if s.draw_four else None
            b.flag(code, seat, variant=variant, other=None if victim is seat else victim)
        if s.draw_four:
            shown_openly(b, s.draw_four.player, shown or ())
        _allow_anyway(b, seat, verdict)
        return
    if s.draw_four is not None:
        s.draw_four = replace(s.draw_four, status="asked", challenger=seat)
        answer(b, shown, verdict)


def _void(b: Bench, seat: Seat) -> tuple[str, str] | None:
    """The incident of a challenge that does not count, with its variant."""
    wdf, four = b.profile.wild_draw_four, b.state.draw_four
    if wdf.challenge == "nobody" or wdf.enforcement == "free":
        return "challenge_not_entitled", "nobody"
    if four is None:
        return "challenge_not_entitled", ""
    if four.status != "open":
        return "challenge_late", ""
    entitled = seat is four.victim if wdf.challenge == "next_player" else seat is not four.player
    if not entitled or (four.last and wdf.challenge_last == "void"):
        return "challenge_not_entitled", ""
    return None


def _allow_anyway(b: Bench, seat: Seat, verdict: VerdictWord | None) -> None:
    """The table ruled on a challenge that does not count: its draws are nobody's fault."""
    s, wdf = b.state, b.profile.wild_draw_four
    if verdict == "guilty" and s.draw_four:
        s.allowed = (*s.allowed, Debt(s.draw_four.player, wdf.guilty, "bluff", wdf.guilty))
    if verdict == "innocent":
        s.allowed = (*s.allowed, Debt(seat, wdf.innocent, "doubt", wdf.innocent))


def answer(b: Bench, shown: Sequence[Card] | None, verdict: VerdictWord | None) -> None:
    """A challenge is answered by cards, by a word, or by both; the cards prove, the table's word is followed."""
    s = b.state
    four = s.draw_four
    if four is None or four.status != "asked" or four.challenger is None:
        return
    ruled = {"guilty": True, "innocent": False}.get(verdict or "")
    if verdict in ("late", "void"):
        s.draw_four = replace(four, status="closed")
        return
    card = _guilty_card(b, four, shown) if shown is not None else None
    proof = None if shown is None else True if card else _all_shown(b, four, shown)
    if proof is not None and proof is not ruled:
        _tell(b, four, card, guilty=proof)
    elif proof is None and ruled is False and four.hand.complete and (held := _guilty_card(b, four, four.hand.known)):
        _tell(b, four, held, guilty=True, doubtful=True)
    guilty = ruled if ruled is not None else proof
    if guilty is None:
        return
    _resolve(b, four, four.challenger, guilty=guilty)
    if guilty or proof is not None:
        s.bluffs = {seat: bluff for seat, bluff in s.bluffs.items() if seat is not four.player}


def _guilty_card(b: Bench, four: DrawFour, cards: Sequence[Card]) -> Card | None:
    if four.colour is None:
        return None
    top = Card(four.symbol, four.colour) if four.symbol and not four.symbol.is_wild else None
    return held_against(b.profile, cards, four.colour, top)


def _all_shown(b: Bench, four: DrawFour, shown: Sequence[Card]) -> bool | None:
    """False (innocent) if the whole hand lies open and nothing in it fits; None if cards may still be hidden."""
    if four.colour is None:
        return None
    if not four.hand.least <= len(shown) <= four.hand.most:
        count = four.hand.count
        b.flag("hand_count_mismatch", four.player, count=len(shown), number=count)
        return None
    return False


def _tell(b: Bench, four: DrawFour, card: Card | None, *, guilty: bool, doubtful: bool = False) -> None:
    wdf = b.profile.wild_draw_four
    if guilty:
        b.flag(
            condition_code(b.profile),
            four.player,
            kind="question" if doubtful else None,
            other=four.challenger,
            colour=four.colour,
            card=card,
            top=Card(four.symbol, four.colour) if four.symbol and four.colour and not four.symbol.is_wild else None,
            count=wdf.guilty + four.carried,
        )
    else:
        b.flag(
            "challenge_innocent",
            four.challenger,
            other=four.player,
            colour=four.colour,
            count=wdf.innocent + four.carried,
        )


def shown_openly(b: Bench, seat: Seat | None, cards: Sequence[Card]) -> None:
    """A player lays its hand open: where the rules forbid the Wild Draw Four outright, the cards prove the fault."""
    s = b.state
    four = s.draw_four
    if four is None or seat is not four.player or b.profile.wild_draw_four.enforcement != "forbidden":
        return
    if four.status == "open" and (card := _guilty_card(b, four, cards)):
        s.draw_four = replace(four, status="closed")
        b.flag(condition_code(b.profile), seat, remedy="take_back", colour=four.colour, card=card)


def _resolve(b: Bench, four: DrawFour, challenger: Seat, *, guilty: bool) -> None:
    """Who draws and who plays now (rows H11 to H13, gap G06); the named colour stands."""
    s, wdf = b.state, b.profile.wild_draw_four
    s.draw_four = replace(four, status="guilty" if guilty else "innocent")
    if guilty:
        s.drop_debts(four.victim, "w4")
        total = wdf.guilty + four.carried
        s.add_debt(Debt(four.player, total, "bluff", total))
        if wdf.after_guilty == "challenger_plays":
            s.turn = four.victim
        else:
            s.skipped = (four.victim,)
        if four.last:
            s.phase, s.winner = "play", None
        return
    if challenger is four.victim:
        drawn = 4 + four.carried - s.drop_debts(four.victim, "w4")  # of the penalty, before the challenge
        total = wdf.innocent + four.carried
        s.add_debt(Debt(challenger, total - drawn, "doubt", total, loses_turn=True))
    else:
        extra = max(wdf.innocent - 4, 0)
        s.add_debt(Debt(challenger, extra, "doubt", extra))


def implied(b: Bench, seat: Seat, cause: Cause) -> None:
    """Cards drawn for a challenge whose verdict nobody heard: the draw tells it."""
    four = b.state.draw_four
    if four is None or four.status != "asked" or four.challenger is None:
        return
    if cause == "bluff" and seat is four.player:
        _resolve(b, four, four.challenger, guilty=True)
    elif cause == "doubt" and seat is four.challenger:
        _resolve(b, four, four.challenger, guilty=False)


def penalty_begins(b: Bench, seat: Seat, left: int) -> None:
    """The victim draws; `left` cards remain. Closes the challenge (row H14, gap G07)."""
    s = b.state
    four = s.draw_four
    if four is None or four.status != "open" or seat is not four.victim:
        return
    if b.profile.wild_draw_four.window == "before_first_penalty_card" or left <= 0:
        s.draw_four = replace(four, status="closed")


def drew(b: Bench, seat: Seat, cards: Sequence[Card | None]) -> None:
    """Cards came into a hand: an unseen one ends what a later card could prove of a bluff."""
    s = b.state
    bluff = s.bluffs.get(seat)
    if bluff is None:
        return
    rest = {other: kept for other, kept in s.bluffs.items() if other is not seat}
    seen = tuple(card for card in cards if card is not None)
    s.bluffs = {**rest, seat: replace(bluff, drawn=bluff.drawn + seen)} if len(seen) == len(cards) else rest


def forget(b: Bench, seats: Sequence[Seat]) -> None:
    """Hands changed owner: nothing that was held can be proved any more."""
    s = b.state
    if s.bluffs:
        s.bluffs = {seat: bluff for seat, bluff in s.bluffs.items() if seat not in seats}


def proved(b: Bench, seat: Seat, play: Play) -> None:
    """A card laid now was in the hand when the Wild Draw Four was laid: the bluff shows (report only)."""
    s = b.state
    bluff = s.bluffs.get(seat)
    if bluff is None or (play.confidence is not None and len(play.readings) > 1):
        return
    card = play.card
    if card in bluff.drawn:
        drawn = list(bluff.drawn)
        drawn.remove(card)
        s.bluffs = {**s.bluffs, seat: replace(bluff, drawn=tuple(drawn))}
    elif card.colour is not None and (card.colour is bluff.colour or card.symbol is bluff.symbol):
        s.bluffs = {other: kept for other, kept in s.bluffs.items() if other is not seat}
        b.flag("wd4_bluff_shown", seat, card=card, colour=bluff.colour)
