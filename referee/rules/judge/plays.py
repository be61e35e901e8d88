"""A card lands: every fault of the play at once (rows F1 to F12, H16, O1, O5, O6), then what the card does.

A card that must go back leaves two states to reckon with: the one in which it goes back, which the referee takes for
the state of the table, and those in which the table lets it lie. `worlds` decides by what happens next.
"""

from __future__ import annotations

from dataclasses import replace

from referee.cards import Card, Colour, Seat
from referee.rules.entries import Play
from referee.rules.judge import challenge, deck, landing, turns, uno
from referee.rules.judge.bench import Bench
from referee.rules.judge.codes import TAKEN_BACK
from referee.rules.judge.matching import colour_in_force, condition_code, fits_pile
from referee.rules.judge.standing import Standing, standing_of, tell_standing
from referee.rules.ruling import Debt
from referee.rules.state import LetLie

SURE_READING = 0.8
"""A single reading below this confidence makes a question, never a foul (principle 4)."""


def lay(b: Bench, seat: Seat, play: Play) -> None:
    """`seat` laid a card."""
    s = b.state
    if seat not in s.hands:
        return
    if s.phase != "play":
        b.flag("out_of_turn", seat, card=play.card)
        return
    if s.drawn is not None or s.start is not None:
        turns.end_silently(b, seat)
    standing = standing_of(b, seat, play)
    if standing == "discard":
        _discard(b, seat, play)
        return
    found = len(b.incidents)
    lawful = standing in ("turn", "jump", "stack")
    if lawful and s.last_cards:
        uno.begin(b, seat, "land")
    early = s.namer is not None and (turns.colour_missing(b, seat) if lawful else s.colour is None)
    if early and lawful:
        b.flag("early_play", seat, other=s.namer, card=play.card)
    if not lawful:
        tell_standing(b, seat, play, standing)
    elif s.debts and standing != "stack":
        turns.draws_first(b, seat)
    _match(b, seat, play, standing, skip=early)
    if standing == "turn" and s.drawn is not None:
        _after_draw(b, seat, play)
    if play.card.is_wild or s.hands[seat].most == 1:
        _card_rules(b, seat, play, lawful=lawful)
    deck.check(b, seat, play)
    new = b.incidents[found:]
    fouls = {i.code for i in new if i.kind == "foul" and i.code in TAKEN_BACK and i.seat is seat} if new else None
    if fouls and not (b.profile.foul.remedy == "announce_only" and fouls <= {"illegal_play", "stacked_not_allowed"}):
        _goes_back(b, seat, play, standing, fouls)
    elif len(play.readings) == 1:
        landing.land(b, seat, play, standing)
    else:
        _lies(b, seat, play, standing)


def _match(b: Bench, seat: Seat, play: Play, standing: Standing, *, skip: bool) -> None:
    s = b.state
    if skip or standing == "jump" or (standing == "foreign" and play.jump) or not s.top:
        return
    if standing == "victim" and any(i.code == "stacked_not_allowed" and i.entry == b.index for i in b.incidents):
        return
    if len(play.readings) == 1 and fits_pile(b.profile, play.readings[0], s):
        return
    fitting = [fits_pile(b.profile, card, s) for card in play.readings]
    if all(fitting):
        return
    card, top = play.card, s.top[0]
    unsure = len(play.readings) == 1 and play.confidence is not None and play.confidence < SURE_READING
    if any(fitting) or unsure:
        other = next((r for r in play.readings[1:]), None)
        b.flag(
            "illegal_play",
            seat,
            kind="question",
            certainty="likely",
            remedy="show_card",
            card=card,
            top=top,
            colour=colour_in_force(s),
            detail=other.code if other else None,
        )
        return
    symbol = not b.profile.match.symbol and card.symbol is top.symbol
    b.flag(
        "illegal_play",
        seat,
        variant="symbol" if symbol else "",
        certainty="likely" if len(play.readings) > 1 else "heard" if top.is_wild else "sure",
        remedy=b.profile.foul.remedy,
        card=card,
        top=top,
        colour=colour_in_force(s),
    )


def _after_draw(b: Bench, seat: Seat, play: Play) -> None:
    """Only the drawn card may be laid after a draw (row F7); sure only where the drawn card was seen."""
    s = b.state
    drawn = s.drawn
    if drawn is None or drawn.seat is not seat or b.profile.turn.hand_card_after_draw == "allowed":
        return
    if play.card in drawn.cards or any(card in drawn.cards for card in play.readings):
        return
    if None not in drawn.cards:
        b.flag("hand_card_after_draw", seat, card=play.card, other=None)
        return
    hand = s.hands[seat]
    unseen = sum(card is None for card in drawn.cards)
    others_known = hand.count is not None and len(hand.known) + unseen >= hand.count
    if others_known and all(card in hand.known for card in play.readings):
        b.flag("hand_card_after_draw", seat, kind="question", certainty="likely", remedy="", card=play.card)


def _card_rules(b: Bench, seat: Seat, play: Play, *, lawful: bool) -> None:
    """The conditions of single cards: a Wild Draw Four that is forbidden, a last card, a colour that must change."""
    s = b.state
    card, last = play.card, s.hands[seat].most == 1
    if last and lawful and b.profile.finish.action_card == "forbidden" and all(c.is_action for c in play.readings):
        b.flag("action_finish_forbidden", seat, card=card, remedy=b.profile.finish.forbidden_remedy, count=1)
    if not card.is_wild:
        return
    colour = colour_in_force(s)
    top = s.top[0] if len(s.top) == 1 else None
    if held := challenge.forbidden_by(b, seat, play, colour, top):
        code = condition_code(b.profile)
        b.flag(code, seat, remedy="take_back", colour=colour, card=held, top=top)
    kept = play.colour is colour and isinstance(colour, Colour)
    if kept and not b.profile.wild.may_keep_colour and not last:
        b.flag("colour_not_changed", seat, colour=colour)


def _lies(b: Bench, seat: Seat, play: Play, standing: Standing) -> None:
    """The card stays. Readings that would move the game on differently make a state each."""
    s = b.state
    groups: dict[object, list[Card]] = {}
    for card in play.readings:
        groups.setdefault(landing.effect_of(b.profile, card), []).append(card)
    if len(groups) == 1:
        landing.land(b, seat, play, standing)
        return
    first, *rest = (replace(play, readings=tuple(cards)) for cards in groups.values())
    others = [b.trial(s) for _ in rest]
    landing.land(b, seat, first, standing)
    for other, reading in zip(others, rest, strict=True):
        landing.land(other, seat, reading, standing)
    s.rivals, s.lean = tuple(other.state for other in others), "self"


def _goes_back(b: Bench, seat: Seat, play: Play, standing: Standing, fouls: set[str]) -> None:
    """The card goes back; keep the states in which the table lets it lie."""
    s = b.state
    lawful = standing in ("turn", "jump", "stack")
    ways: list[tuple[Standing, bool]] = [(standing, True)] if lawful else [(standing, False), (standing, True)]
    if "stacked_not_allowed" in fouls:
        ways.insert(0, ("stack", True))  # the table stacks
    before = s.copy()
    before.rivals = ()
    s.rivals = tuple(LetLie(before, b.entry, b.index, seat, play, way, moves_on) for way, moves_on in ways)
    s.lean = "rivals"
    s.taking = (seat, play.card)
    s.laid = (seat, play.card)
    _remedy(b, seat, standing, fouls)


def _remedy(b: Bench, seat: Seat, standing: Standing, fouls: set[str]) -> None:
    s = b.state
    whole = b.profile.foul.remedy == "take_back_draw_two_lose_turn"
    wrong_card = bool(fouls & {"illegal_play", "stacked_not_allowed"})
    if wrong_card and whole and standing in ("turn", "victim"):
        s.debts = (Debt(seat, 2, "foul", 2), *s.debts)
        if standing == "turn":
            turns.end_turn_after_foul(b, seat)
    elif "action_finish_forbidden" in fouls:
        count = 1 if b.profile.finish.forbidden_remedy == "take_back_draw_one" else 2
        s.add_debt(Debt(seat, count, "foul", count))
        turns.end_turn_after_foul(b, seat)
    elif whole:
        s.allowed = (*s.allowed, Debt(seat, 2, "foul", 2))


def _discard(b: Bench, seat: Seat, play: Play) -> None:
    """A card thrown off because a customizable card says so: it goes under the pile and moves nothing (row I6)."""
    s = b.state
    hand = s.hands[seat].without(play.card)
    s.set_hand(seat, hand)
    uno.landed(b, seat, hand)
    deck.count(s, play.card)
