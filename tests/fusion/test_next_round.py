"""The next round begins where cards were gathered and dealt: hands thrown together are no plays."""

from __future__ import annotations

import pytest

from referee.cards import Seat
from referee.fusion.rounds import NEXT_ROUND_S
from referee.fusion.scribe import Scribe
from referee.observations import Observation, Zone
from referee.rules.entries import Tag
from referee.rules.profiles import load_profile
from referee.rules.record import Record
from referee.rules.replay import replay_items
from referee.rules.ugn import format_items
from tests.fusion.scripted import drew, emptied, laid, lifted, reached, said, showed
from tests.fusion.test_scribe import scribe, write

COUNTED = [laid("P1", "R9", 1), showed("P2", "G1 G2", 3), showed("P3", "B5 W", 5)]
THROWN_IN = [laid("P2", "G1", 9), laid("P3", "W", 12)]
DEALT = [reached("P1", Zone.DRAW, t_s) for t_s in (20, 24, 28)] + [drew("P1", 29, 1, 3)]
NEXT = [laid("P1", "Y5", 40), laid("P2", "Y7", 43)]
ENDS = ["P1: R9", "wins P1 P2=3(G1 G2) P3=55(B5 W)"]
BEGINS = ["dealer: start Y5", "P2: Y7"]
HANDS = {Seat.P1: (7, 7), Seat.P2: (6, 6), Seat.P3: (7, 7)}


def _over() -> Scribe:
    return scribe("R3 R > P1 P1:1! P2:2 P3:2", dealer=Seat.P3)


@pytest.mark.parametrize(
    "between",
    [
        [*THROWN_IN, emptied(15), *DEALT],
        [*THROWN_IN, lifted("P1", "W", 14), lifted("P1", "G1", 14), emptied(15), *DEALT],
        [*THROWN_IN, *DEALT],
        [emptied(8), *DEALT],
        DEALT,
    ],
    ids=["thrown in, taken up", "taken up one by one", "not seen cleared", "handed over", "only the deal seen"],
)
def test_hands_thrown_together_begin_no_round(between: list[Observation]) -> None:
    """The first hand pushed to the middle was taken for the card turned up, the others for cards out of turn."""
    table = _over()
    assert write(table, [*COUNTED, *between, *NEXT]) == ([*ENDS, *BEGINS], [], [])
    assert table.desk.counts() == HANDS
    assert (table.desk.in_step, table.desk.state.to_act) == (True, Seat.P3)


@pytest.mark.parametrize("between", [[emptied(7), *THROWN_IN, emptied(15), *DEALT], [emptied(7), *THROWN_IN]])
def test_hands_thrown_onto_a_cleared_pile_accuse_nobody(between: list[Observation]) -> None:
    """By then the pile was cleared, so that the first of them is taken for a new first card."""
    table = _over()
    entries, incidents, _ = write(table, [*COUNTED, *between, *NEXT, laid("P3", "Y9", 46), laid("P1", "B9", 49)])
    assert incidents == []
    assert entries[: len(ENDS)] == ENDS
    if len(between) > 3:
        assert entries[-4:] == [*BEGINS, "P3: Y9", "P1: B9"]


def test_a_long_wait_without_a_deal_begins_a_round_in_which_order_has_to_show_first() -> None:
    late = [laid("P1", "Y5", 100), laid("P3", "G9", 103), laid("P2", "Y9", 106)]
    table = _over()
    entries, incidents, questions = write(table, [*COUNTED, *late])
    assert entries[: len(ENDS) + 1] == [*ENDS, "dealer: start Y5"]
    assert incidents == []
    assert not table.desk.in_step
    assert table.desk.waits_for
    assert questions


@pytest.mark.parametrize(("seat", "tag"), [("P1", []), ("P2", ["P2"])], ids=["who is next", "somebody else"])
def test_the_record_names_a_dealer_whom_the_rules_do_not(seat: str, tag: list[str]) -> None:
    """Judged again from its text, the record had the round begun by the wrong player."""
    table = _over()
    following = {"P1": "P2", "P2": "P3"}[seat]
    write(table, [*COUNTED, emptied(9), *DEALT, laid(seat, "Y5", 40), laid(following, "Y7", 43)])
    items = table.desk.items
    assert [item.value for item in items if isinstance(item, Tag) and item.name == "Dealer"] == tag
    head = '[UGN "1"]\n[P1 "A"]\n[P2 "B"]\n[P3 "C"]\n[Dealer "P3"]\n[Pos "R3 R > P1 P1:1! P2:2 P3:2"]\n'
    again = Record.read(head + format_items(tuple(items)))
    replay = replay_items(again.items, load_profile("classic-108"), Seat.first(3))
    assert [i for i in replay.incidents if i.kind == "foul"] == []


def test_words_between_the_rounds_mean_nothing() -> None:
    said_between = [said("uno", 7), said("catch", 10), said("colour:R", 22), said("draw:2", 24)]
    observed = sorted([*COUNTED, *THROWN_IN, emptied(15), *DEALT, *said_between], key=lambda o: o.t_s)
    assert write(_over(), [*observed, *NEXT]) == ([*ENDS, *BEGINS], [], [])


def test_a_first_card_soon_after_hands_were_thrown_in_is_none() -> None:
    observed = [*COUNTED, *THROWN_IN, reached("P1", Zone.DRAW, 14), laid("P1", "Y5", 12 + NEXT_ROUND_S - 1)]
    entries, incidents, _ = write(_over(), observed)
    assert (entries, incidents) == (ENDS, [])


def test_of_two_arms_over_the_first_card_the_one_whose_deal_it_is_turned_it_up() -> None:
    table = _over()
    turned_up = laid("P3", "Y5", 40, perhaps=(Seat.P1,))
    assert write(table, [*COUNTED, emptied(9), *DEALT, turned_up, laid("P2", "Y7", 43)])[1:] == ([], [])
    assert (table.desk.in_step, table.desk.state.dealer) == (True, Seat.P1)


@pytest.mark.parametrize(
    ("first", "entries", "in_turn"),
    [("Y6~0.6|Y9", ["dealer: start Y6", "P2: Y7"], Seat.P3), ("Y6~0.6|G6", ["dealer: start Y7"], None)],
    ids=["a six or a nine", "yellow or green"],
)
def test_a_first_card_in_doubt(first: str, entries: list[str], in_turn: Seat | None) -> None:
    """Nobody took it for turned up, and the card that was laid on it was taken for the first."""
    table = _over()
    observed = [*COUNTED, emptied(9), *DEALT, laid("P1", first, 40), laid("P2", "Y7", 43)]
    told, incidents, questions = write(table, observed)
    assert incidents == []
    assert questions == ["Which card was turned up first? Show it again."]
    assert told[len(ENDS) :] == entries
    if in_turn:
        assert table.desk.state.to_act is in_turn


def test_hands_at_the_pile_before_the_first_card_have_laid_nothing_on_it() -> None:
    """P2 had pushed the hand in: whether a card of P2's lay unseen was asked, and P3's foul was not told."""
    pushed = [reached("P2", Zone.DISCARD, 9), *THROWN_IN, emptied(15), *DEALT]
    wrong = [laid("P3", "Y7", 43), lifted("P3", "Y7", 45)]
    _, incidents, questions = write(_over(), [*COUNTED, *pushed, laid("P1", "Y5", 40), *wrong])
    assert incidents == [("foul", "wrong_first_player", "P3")]
    assert len(questions) == 1


def test_a_slow_game_that_goes_on_after_its_supposed_end_is_no_next_round() -> None:
    """Only the count said that P1 was out: somebody drew and thought for long, and hands of seven were supposed."""
    goes_on = [laid("P2", "R4", 5), reached("P3", Zone.DRAW, 20), drew("P3", 21), laid("P3", "R8", 40)]
    entries, incidents, questions = write(_over(), [COUNTED[0], *goes_on])
    assert (entries, incidents) == (["P1: R9"], [])
    assert questions[0] == "By my count P1 has laid the last card. How many cards does P1 hold?"


@pytest.mark.parametrize(("last", "kind"), [("RD", "foul"), ("RD~0.62", "question")])
def test_what_the_last_card_costs_another_rests_on_its_reading(last: str, kind: str) -> None:
    """A red 2 that ended the round was read as a +2 of 0.62: P2 was told to draw before the hands are counted."""
    _, incidents, _ = write(_over(), [laid("P1", last, 1), *COUNTED[1:]])
    assert incidents == [(kind, "last_draw_not_served", "P2")]
