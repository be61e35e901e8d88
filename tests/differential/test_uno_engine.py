"""The judge beside uno-engine 2.0.3: which card fits on which, what cards count, and the order of two players.

Where uno-engine cannot be trusted (found by reading and playing it; none of it is compared):

- **Wild Draw Four**: it fits always, whatever the hand holds (row H6), and knows no challenge. The referee is shown
  no hand here; it then has nothing to say either, but for the note that a later card showed the bluff.
- **After a draw** any card of the hand may be laid (F7): here only the drawn card is, if it fits.
- **The last card**: a Draw Two or Wild Draw Four laid last makes nobody draw (K2), so that such a score is too low.
- **The refill** brings back all 108 cards, those in hands too (G1). A round ends here when it comes near.
- **The opening**: action cards are never turned up, and who begins is chosen by lot (D1, E0). The referee takes up
  the position after it.
- **UNO calls**: the second call by a player with two cards or fewer is taken for a catch (J1, J2).
- Three players or more are left to the other engine.

Everything else counts: any disagreement fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from referee.cards import Card, Colour, Seat, Symbol, all_faces
from referee.rules import entries as e
from referee.rules.hand import Hand
from referee.rules.profiles import load_profile
from referee.rules.scoring import score_round
from referee.rules.table import Table
from tests.differential.situations import Situation, random_situation
from tests.differential.uno_engine import UnoEngine, named

pytestmark = pytest.mark.differential

SEATS = (Seat.P1, Seat.P2)
POSITIONS = 12_000
ROUNDS = 300
LAST_DRAWS = (Symbol.DRAW_TWO, Symbol.WILD_DRAW_FOUR)


def test_every_card_counts_the_same(uno_engine: UnoEngine) -> None:
    values = load_profile("classic-108").score.values
    cards = [named(card, Colour.RED) for card in all_faces()]
    scores = uno_engine.ask(op="scores", cards=cards)["scores"]
    assert {card: values.of(card) for card in all_faces()} == {
        card: scores[code] for card, code in zip(all_faces(), cards, strict=True)
    }


def test_every_card_on_every_card(uno_engine: UnoEngine) -> None:
    """54 faces on 52 coloured faces and on two wilds in four colours."""
    cards = {named(card, Colour.RED): card for card in all_faces()}
    tops = [(top, colour) for top in all_faces() for colour in ([top.colour] if top.colour else Colour)]
    pairs = 0
    for top, colour in tops:
        matches = uno_engine.ask(op="matches", cards=list(cards), top=named(top, colour))["matches"]
        table = Table.from_pos(f"{top} {colour} > P1 P1:5 P2:5")
        assert set(table.legal(Seat.P1)) == {card for code, card in cards.items() if matches[code]}, (top, colour)
        pairs += len(matches)
    assert pairs == 54 * 60


def test_random_positions(uno_engine: UnoEngine) -> None:
    """12,000 positions: every card of the hand laid, and the table after it."""
    rng = Random("uno-engine")
    wrong: list[str] = []
    laid = 0
    for _ in range(POSITIONS):
        situation = random_situation(rng, 2, draw_four_in_hand=True)
        codes = {card: named(card, rng.choice(list(Colour))) for card in all_faces()}
        plays = uno_engine.ask(
            op="position",
            hands=[[codes[card] for card in situation.hands[seat]] for seat in SEATS],
            top=named(situation.top, situation.colour),
            turn=SEATS.index(situation.turn),
        )["plays"]
        table = situation.table()
        for card in dict.fromkeys(situation.hand):
            after = plays[codes[card]]
            ruling = table.push(_play(situation.turn, codes[card]))
            verdict = [incident.code for incident in ruling.incidents]
            if verdict != ([] if after else ["illegal_play"]):
                wrong.append(f"{situation.position(*SEATS)}, {card}: ruled {verdict}, uno-engine {after}")
            elif after:
                laid += 1
                wrong += _difference(table, situation, card, after)
            while table.rulings:
                table.pop()
    assert wrong == []
    assert laid > POSITIONS, "hardly a card fits: the positions compare nothing"


def test_whole_rounds(uno_engine: UnoEngine) -> None:
    """The referee follows rounds that uno-engine deals, with draws and passes, to the score of the winner."""
    rng = Random("uno-engine rounds")
    moves = finished = 0
    for seed in range(ROUNDS):
        now = uno_engine.ask(op="deal", seed=seed)
        top = Card.parse(now["top"])
        table = Table.from_pos(f"{top} {top.colour} > {SEATS[now['turn']]} P1:7 P2:7")
        while not now["over"] and now["unseen"] > 10:
            where = f"deal {seed}, move {moves}: {table.pos()}"
            seat, hand = SEATS[now["turn"]], [Card.parse(code) for code in now["hands"][now["turn"]]]
            assert (table.to_act, table.hands[seat].count) == (seat, len(hand)), where
            fitting = table.legal(seat)  # by the top card alone: the engine does not ask about the hand
            choice = [card for card in hand if card in fitting]
            if choice and rng.random() < 0.9:
                now = _lay(uno_engine, table, seat, rng.choice(choice), rng)
            else:
                now = _draw(uno_engine, table, seat, rng)
            moves += 1
        if now["over"]:
            finished += _scored(table, now)
    assert moves > 10_000
    assert finished > ROUNDS // 3, "hardly a round was finished: no score was compared"


def _play(seat: Seat, code: str) -> e.Entry:
    face, _, colour = code.partition(">")
    return e.Entry(seat, (e.Play((Card.parse(face),), colour=Colour(colour) if colour else None),))


def _difference(table: Table, situation: Situation, card: Card, after: Mapping[str, Any]) -> list[str]:
    where = f"{situation.position(*SEATS)}, {card}"
    if table.over != after["over"]:
        return [f"{where}: over is {table.over}, by uno-engine {after['over']}"]
    if table.over:
        return [] if card.symbol in LAST_DRAWS else _score_difference(table.winner, after, where)
    _serve(table)
    ours = (table.to_act, [table.hands[seat].count for seat in SEATS])
    theirs = (SEATS[after["turn"]], [len(hand) for hand in after["hands"]])
    return [] if ours == theirs else [f"{where}: {ours}, by uno-engine {theirs}"]


def _score_difference(winner: Seat | None, after: Mapping[str, Any], where: str) -> list[str]:
    """What the referee writes for the winner, from the hands that the engine ends with, against its own sum."""
    if winner is None:
        return [f"{where}: nobody won"]
    hands = {seat: Hand.open(tuple(map(Card.parse, held))) for seat, held in zip(SEATS, after["hands"], strict=True)}
    score = score_round(load_profile("classic-108"), e.Result(winner), hands, SEATS)
    ours = (score.points[winner], score.certain)
    return [] if ours == (after["score"], True) else [f"{where}: {ours} points, by uno-engine {after['score']}"]


def _serve(table: Table) -> None:
    """The cards owed are drawn, as the engine does by itself."""
    for debt in table.owed:
        assert not table.push(e.Entry(debt.seat, (e.Draw(debt.left),))).incidents


def _lay(engine: UnoEngine, table: Table, seat: Seat, card: Card, rng: Random) -> Mapping[str, Any]:
    code = named(card, rng.choice(list(Colour)))
    told = {incident.code for incident in table.push(_play(seat, code)).incidents}
    assert told <= {"wd4_bluff_shown"}, table.pos()
    if not table.over:
        _serve(table)
    now = engine.ask(op="lay", card=code)
    assert now["over"] == table.over
    return now


def _draw(engine: UnoEngine, table: Table, seat: Seat, rng: Random) -> Mapping[str, Any]:
    """Draw one; lay it if it fits, or pass."""
    now = engine.ask(op="draw")
    drawn = Card.parse(now["hands"][now["turn"]][-1])
    assert not table.push(e.Entry(seat, (e.Draw(1, "turn", (drawn,)),))).incidents
    if drawn in table.legal(seat) and rng.random() < 0.7:
        return _lay(engine, table, seat, drawn, rng)
    assert not table.push(e.Entry(seat, (e.Pass(),))).incidents
    return engine.ask(op="pass")


def _scored(table: Table, now: Mapping[str, Any]) -> int:
    """1 if the score of the finished round was compared."""
    last = table.top
    if last is None or last.symbol in LAST_DRAWS:
        return 0
    assert _score_difference(table.winner, now, table.pos()) == []
    return 1
