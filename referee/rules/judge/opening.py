"""The first card turned up (rows E0 to E8), the refill of the draw pile (G1, G2), and a player who leaves (G19)."""

from __future__ import annotations

from referee.cards import Colour, Seat, Symbol
from referee.rules.entries import UNHEARD, Opening, Reshuffle
from referee.rules.hand import Hand
from referee.rules.judge import challenge, deck
from referee.rules.judge.bench import Bench
from referee.rules.profiles import Profile
from referee.rules.ruling import Debt
from referee.rules.state import Start, State

_OPTIONS = {
    Symbol.SKIP: "skip",
    Symbol.REVERSE: "reverse",
    Symbol.DRAW_TWO: "draw_two",
    Symbol.WILD: "wild",
    Symbol.WILD_DRAW_FOUR: "wild_draw_four",
    Symbol.WILD_SWAP_HANDS: "wild_swap_hands",
    Symbol.WILD_SHUFFLE_HANDS: "wild_shuffle_hands",
    Symbol.WILD_CUSTOMIZABLE: "wild_customizable",
}


def turn_up(b: Bench, event: Opening) -> None:
    """A first card is turned up: at the opening, in place of one that had to be replaced, or after a refill."""
    s = b.state
    if s.refilled:
        _after_refill(b, event)
        return
    if s.start is not None:
        if s.undo is not None:
            s = b.state = s.undo.copy()  # another first card follows: the one before went back
    elif s.moves or s.phase != "play":
        s = b.state = next_round(b.profile, s)
    first = s.turn
    hand_size = b.profile.setup.hand_size
    for seat in s.active:
        count = s.hands[seat].count
        if count is not None and count != hand_size:
            b.flag("deal_miscount", seat, count=count, number=hand_size)
    _apply(b, event, first)


def _apply(b: Bench, event: Opening, first: Seat) -> None:
    s = b.state
    before = s.copy()
    before.rivals = ()
    card = event.card
    name = _OPTIONS.get(card.symbol)
    option = f"start_card.{name}" if name else "setup.first_player"
    effect = str(b.profile.value(option)) if name else "number"
    s.top, s.colour, s.namer = (card,), None, None
    s.seen = {card: 1}
    s.start = Start(card, effect, option, first, b.index)
    s.undo = before
    if effect == "redraw":
        b.flag("start_card_must_be_replaced", None, option=option, card=card)
        s.colour = UNHEARD if card.is_wild else None
    elif card.is_wild:
        _wild(b, event, first, effect)
    elif effect in ("dealer_plays", "right_of_dealer_plays"):
        dealer = s.dealer or s.preceding(first)
        s.direction = -s.direction
        s.turn = dealer if effect == "dealer_plays" else s.following(dealer)
    elif effect == "apply":
        s.skipped = (first,)
        s.turn = s.following(first)
    elif effect in ("draw_and_skip", "draw_and_play"):
        skip = effect == "draw_and_skip"
        s.add_debt(Debt(first, 2, "start", 2, loses_turn=skip))
        s.turn = s.following(first) if skip else first


def _wild(b: Bench, event: Opening, first: Seat, effect: str) -> None:
    """Whoever begins names the colour (rows E4 to E7), with Swap Hands perhaps taking another hand as well."""
    s = b.state
    s.colour = event.colour
    if not isinstance(event.colour, Colour):
        s.namer, s.namer_entry = first, b.index
    if effect == "first_player_names_colour_and_swaps":
        # with whom is not written: nothing is known of any hand from here on
        s.hands = {seat: hand.unseen() for seat, hand in s.hands.items()}


def _after_refill(b: Bench, event: Opening) -> None:
    """A card turned up after the discard pile became the draw pile: only where the top card goes too (row G1)."""
    s = b.state
    s.refilled = False
    if b.profile.reshuffle.keep_top:
        b.flag("top_card_moved", None)
    s.top, s.colour, s.namer = (event.card,), None, None
    s.seen = {}
    deck.count(s, event.card)
    if event.card.is_wild:
        s.colour = event.colour if isinstance(event.colour, Colour) else UNHEARD


def refill(b: Bench, event: Reshuffle) -> None:
    """The discard pile becomes the draw pile: counting copies begins anew.

    That the top card went with it shows in the number of cards, or is told by whoever wrote the entry: there is no
    other way to write it down.
    """
    s = b.state
    total = b.cards
    held = sum(hand.least for hand in s.hands.values())
    too_many = event.count is not None and event.count > total - held - 1
    told = getattr(b.entry, "flags", ()) and any(flag.code == "top_card_moved" for flag in b.entry.flags)
    if b.profile.reshuffle.keep_top and (too_many or told):
        b.flag("top_card_moved", None, certainty="sure" if too_many else "heard")
    s.seen = dict.fromkeys(s.top[:1], 1)
    s.refilled = True


def leave(b: Bench, seat: Seat) -> None:
    """A player leaves the round: the cards are set aside, the next in order goes on (assumed: no sheet says)."""
    s = b.state
    if seat not in s.active or len(s.active) < 2:
        return
    after = s.following(seat)
    if s.namer is seat:
        s.namer, s.colour = None, s.colour_before or UNHEARD
    if s.turn is seat:
        s.turn, s.drawn = after, None
    s.active = tuple(other for other in s.active if other is not seat)
    s.debts = tuple(debt for debt in s.debts if debt.seat is not seat)
    s.set_last_card(seat, None)
    s.rivals = ()
    if s.draw_four and seat in (s.draw_four.player, s.draw_four.victim):
        s.draw_four = None
    challenge.forget(b, (seat,))


def new_round(
    active: tuple[Seat, ...],
    dealer: Seat,
    *,
    hand_size: int,
    direction: int,
    seats: tuple[Seat, ...] | None = None,
) -> State:
    """The state after the deal, before a first card is turned up.

    active: who plays. seats: the ring they sit in, where others sit as well.
    """
    s = State(seats=seats or active, active=active, turn=dealer, hands={seat: Hand.of(hand_size) for seat in active})
    s.dealer, s.direction = dealer, direction
    s.turn = s.following(dealer)
    return s


def next_round(profile: Profile, s: State) -> State:
    """The round after `s`: the next dealer deals (row C4). Who left does not come back."""
    rotation = profile.setup.dealer_rotation
    dealer = s.dealer or s.preceding(s.turn)
    if rotation == "winner" and s.winner is not None:
        dealer = s.winner
    elif rotation == "clockwise" or dealer not in s.active:
        forward = s.copy()
        forward.direction = 1
        dealer = forward.following(dealer)
    direction = 1 if profile.setup.direction == "clockwise" else -1
    return new_round(s.active, dealer, hand_size=profile.setup.hand_size, direction=direction, seats=s.seats)
