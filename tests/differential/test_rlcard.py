"""The judge beside RLCard 1.2.0: legal plays, whose move it is, and who draws what for an action card.

Where RLCard cannot be trusted (found by reading and playing it; none of it is compared):

- **Wild Draw Four in the hand of the seat to move**: RLCard offers it only when no other card may be laid, wilds
  included, whatever the colours; the printed rules ask about the colour in force (row H6).
- **Draws in a turn**: nobody may draw with a card that fits (F4); a drawn card that fits by colour is laid at once,
  one that fits by number or symbol is kept, and a drawn wild is always laid, with a colour by chance (F5, F6); a
  drawn Wild Draw Four makes nobody draw (H5).
- **The refill**: the top card is shuffled into the draw pile as well (G1). A round ends here when it comes near.
- **Two players**: a Reverse gives the move to the other player (M1). Compared with three players or more.
- **The opening**: a Draw Two turned up makes the first player draw and still play: compared with the profile's option
  for that; the colour of a Wild turned up is drawn by lot.
- It knows no UNO call, no challenge, no score, and no draw after the last card.

Everything else counts: any disagreement fails.
"""

from __future__ import annotations

from random import Random

import pytest

from referee.cards import Card, Colour, Seat
from referee.rules import entries as e
from referee.rules.profiles import load_profile
from referee.rules.ruling import Ruling
from referee.rules.table import Table
from tests.differential.rlcard_engine import RlcardEngine, RlcardRound
from tests.differential.situations import WILD_DRAW_FOUR, random_situation

pytestmark = pytest.mark.differential

POSITIONS = 1500
"""For each number of players from 3 to 10."""

ROUNDS = 100
"""For each number of players from 3 to 10."""


@pytest.mark.parametrize("players", range(3, 11))
def test_random_positions(rlcard_engine: RlcardEngine, players: int) -> None:
    """12,000 positions: the plays that fit, and the table after each of them."""
    rng = Random(f"rlcard {players}")
    wrong: list[str] = []
    laid = 0
    for _ in range(POSITIONS):
        situation = random_situation(rng, players, draw_four_in_hand=False)
        engine, where = rlcard_engine.at(situation), situation.position(situation.turn)
        table = situation.table(situation.turn)
        fitting = engine.legal_faces()
        if (told := set(table.legal(situation.turn, situation.hand))) != fitting:
            wrong.append(f"{where}: the referee allows {_codes(told)}, RLCard {_codes(fitting)}")
        for card in dict.fromkeys(situation.hand):
            colour = rng.choice(list(Colour))
            ruling = table.push(_play(situation.turn, card, colour))
            if _verdict(ruling) != ([] if card in fitting else ["illegal_play"]):
                wrong.append(f"{where}, {card}: ruled {_verdict(ruling)}, RLCard allows {_codes(fitting)}")
            elif card in fitting:
                laid += 1
                engine = rlcard_engine.at(situation)
                wrong += _difference_after(table, engine, card, colour, where)
            while table.rulings:
                table.pop()
    assert wrong == []
    assert laid > POSITIONS, "hardly a card fits: the positions compare nothing"


@pytest.mark.parametrize("players", range(3, 11))
def test_whole_rounds(rlcard_engine: RlcardEngine, players: int) -> None:
    """The referee follows rounds that RLCard deals; after a step outside the comparison it takes up the position."""
    rng = Random(f"rounds {players}")
    wrong: list[str] = []
    compared = 0
    for number in range(ROUNDS):
        engine = rlcard_engine.deal(players, seed=number)
        table = engine.situation.table()
        while engine.winner is None and engine.unseen > 10:
            situation = engine.situation
            where = f"deal {number}, {situation.position(situation.turn)}"
            fitting = engine.legal_faces()
            card = rng.choice(sorted(fitting, key=str)) if fitting else None
            colour = rng.choice(list(Colour))
            if card is None or WILD_DRAW_FOUR in situation.hand:
                engine.draw() if card is None else engine.lay(card, colour)
                if engine.winner is None:
                    table.set_position(engine.situation.position())
                continue
            compared += 1
            if (told := set(table.legal(situation.turn, situation.hand))) != fitting:
                wrong.append(f"{where}: the referee allows {_codes(told)}, RLCard {_codes(fitting)}")
            ruling = table.push(_play(situation.turn, card, colour))
            if ruling.incidents:
                wrong.append(f"{where}, {card}: ruled {_verdict(ruling)}")
            wrong += _difference_after(table, engine, card, colour, where)
            if wrong:
                break
    assert wrong == []
    assert compared > 10 * ROUNDS


@pytest.mark.parametrize("players", range(3, 11))
def test_openings(rlcard_engine: RlcardEngine, players: int) -> None:
    """Who moves first after the card that was turned up, and which way play goes; the last seat deals."""
    profile = load_profile("classic-108").changed({"start_card.draw_two": "draw_and_play"})
    seats = Seat.first(players)
    turned_up = set()
    for seed in range(150):
        engine = rlcard_engine.deal(players, seed)
        situation = engine.situation
        table = Table(profile, seats, dealer=seats[-1])
        ruling = table.push(e.Entry("dealer", (e.Opening(situation.top, situation.colour),)))
        assert not ruling.incidents
        for debt in table.owed:
            assert engine.sizes[debt.seat] == profile.setup.hand_size + debt.left
            table.push(e.Entry(debt.seat, (e.Draw(debt.left, debt.cause),)))
        assert (table.to_act, table.direction) == (situation.turn, situation.direction), (seed, situation.top)
        assert {seat: hand.count for seat, hand in table.hands.items()} == engine.sizes
        turned_up.add(situation.top.symbol)
    assert len(turned_up) >= 13, "some action card was never turned up"


def _play(seat: Seat, card: Card, colour: Colour) -> e.Entry:
    return e.Entry(seat, (e.Play((card,), colour=colour if card.is_wild else None),))


def _verdict(ruling: Ruling) -> list[str]:
    return [incident.code for incident in ruling.incidents]


def _codes(cards: set[Card] | frozenset[Card]) -> str:
    return " ".join(sorted(map(str, cards))) or "nothing"


def _difference_after(table: Table, engine: RlcardRound, card: Card, colour: Colour, where: str) -> list[str]:
    """Let RLCard lay the card that the referee has just judged, serve the draws, and say what differs."""
    before = engine.sizes
    mover = engine.turn
    engine.lay(card, colour)
    if table.winner is not engine.winner:
        return [f"{where}, {card}: {table.winner} won, by RLCard {engine.winner}"]
    drawn = {seat: size - before[seat] for seat, size in engine.sizes.items() if size > before[seat]}
    owed = {debt.seat: debt.left for debt in table.owed}
    if owed != drawn:
        return [f"{where}, {card}: {owed} are owed, by RLCard {drawn}"]
    if engine.winner is not None:
        return []
    for seat, count in owed.items():
        if table.to_act is not seat or table.push(e.Entry(seat, (e.Draw(count),))).incidents:
            return [f"{where}, {card}: the draw of {seat} is not taken for what is owed"]
    ours = (table.to_act, table.direction, table.colour)
    situation = engine.situation
    theirs = (situation.turn, situation.direction, situation.colour)
    if ours != theirs:
        return [f"{where}, {card} by {mover}: {ours}, by RLCard {theirs}"]
    sizes = {seat: hand.count for seat, hand in table.hands.items()}
    return [] if sizes == engine.sizes else [f"{where}, {card}: hands of {sizes}, by RLCard {engine.sizes}"]
