"""When table and record part: hidden tables, piles taken up, uncertain draws, the next round. Nobody is accused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from referee.cards import Seat
from referee.fusion.desk import Judged, Question
from referee.fusion.scribe import Scribe, TableStart
from referee.observations import CardLanded, Observation, ViewChanged, ViewState, Zone
from tests.fusion.rough_rounds import observed, on_purpose, rough_round, watched
from tests.fusion.scripted import back, drew, emptied, laid, lifted, lost, reached, said, showed
from tests.fusion.test_scribe import scribe, write

START = "R3 R > P1 P1:5 P2:5 P3:5"
THEN_IN_ORDER = [laid("P1", "R4", 30), laid("P2", "R5", 33)]
OUT_OF_TURN = [laid("P3", "R9", 30), lifted("P3", "R9", 32)]


@pytest.mark.parametrize(
    ("gap_s", "after", "incidents", "questions"),
    [
        (0.3, OUT_OF_TURN, [("foul", "out_of_turn", "P3")], 1),
        (3.0, THEN_IN_ORDER, [], 0),
        (3.0, [laid("P2", "R5", 33)], [], 0),  # P1 may have drawn in the dark
        (8.0, OUT_OF_TURN, [], 1),
        (8.0, [laid("P2", "R9", 30), laid("P3", "B4", 33)], [("foul", "illegal_play", "P3")], 1),
    ],
    ids=["a blink", "a short gap", "somebody may have drawn", "a long gap", "what lies open is told"],
)
def test_a_table_out_of_view(
    gap_s: float, after: list[Observation], incidents: list[tuple[str, str, str]], questions: int
) -> None:
    """A darkness that is over before anyone can do anything costs nothing; a long one pauses the rulings."""
    table = scribe(START)
    told = write(table, [lost(20), back(20 + gap_s), *after])
    assert told[1] == incidents
    assert len(told[2]) == questions
    assert bool(table.desk.waits_for) is not table.desk.in_step


def test_a_blink_under_a_hand_costs_nothing() -> None:
    """The camera was pushed while P1 laid: back in 0.4 s, but at rest only later, and a foul of P1's was not told."""
    table = scribe(START)
    under_a_hand = ViewChanged(id="v", t_s=20.4, seen_s=20.4, state=ViewState.HAND_OVER)
    _, incidents, questions = write(table, [lost(20), under_a_hand, laid("P1", "R4", 21.5), *OUT_OF_TURN])
    assert incidents == [("foul", "out_of_turn", "P3")]
    assert len(questions) == 1
    assert table.desk.in_step


def test_a_card_seen_before_the_table_rested_again_puts_the_record_out_of_step() -> None:
    """Another may have been laid in the dark, below it."""
    table = scribe(START)
    assert write(table, [lost(20), laid("P2", "B4", 22)])[1] == []
    assert not table.desk.in_step


def test_while_nothing_is_in_view_nothing_is_ruled() -> None:
    table = scribe("R3 R > P1 P1:2 P2:5 P3:5")
    for observation in (laid("P1", "R9", 10), lost(11)):
        table.take(observation)
    assert all(not judged.ruling.incidents for judged in table.take(said("catch", 12)) if hasattr(judged, "ruling"))


def test_a_card_that_came_while_nobody_looked_puts_the_record_out_of_step() -> None:
    table = scribe(START)
    _, incidents, questions = write(table, [lost(20), back(22), laid(None, "G7", 23), laid("P3", "G9", 30)])
    assert incidents == []
    assert questions == ["Another card lies on the pile, and I did not see how it came there. Whose turn is it?"]
    assert table.desk.waits_for == questions[0]


def test_the_same_card_found_again_is_no_news() -> None:
    table = scribe(START)
    assert write(table, [laid(None, "R3", 5, found=True), laid("P1", "R4", 9)]) == (["P1: R4"], [], [])


@pytest.mark.parametrize("other", ["G7", "R4"])
def test_another_card_found_is_asked_about(other: str) -> None:
    table = scribe(START)
    _, incidents, questions = write(table, [laid(None, other, 5, found=True), laid("P3", "R9", 9)])
    assert [code for _, code, _ in incidents] == (["illegal_play"] if other == "G7" else [])
    assert len(questions) == 1


def test_two_arms_over_the_pile_at_once_do_not_prove_who_laid() -> None:
    nearer = laid("P2", "R9", 10, perhaps=(Seat.P1,))
    assert write(scribe(START), [nearer]) == (["P1: R9"], [], [])
    nearer = laid("P3", "R9", 10, perhaps=(Seat.P2,))
    assert write(scribe(START), [nearer, lifted("P3", "R9", 12)])[1] == [("foul", "out_of_turn", "P3")]


@pytest.mark.parametrize(
    ("between", "incidents", "questions"),
    [
        ([], [("foul", "out_of_turn", "P2")], 1),
        ([reached("P1", Zone.HAND, 3)], [], 1),
        ([reached("P1", Zone.DRAW, 3)], [], 1),
        ([reached("P1", Zone.HAND, 6.8)], [("foul", "out_of_turn", "P2")], 1),  # still there, as hands are
        ([reached("P3", Zone.HAND, 3)], [("foul", "out_of_turn", "P2")], 1),
        ([drew("P1", 3), drew("P2", 5, 0, 1)], [], 0),
    ],
    ids=["nobody else's arm", "an arm at its own place", "at the pile", "an arm that stays", "another's", "drew"],
)
def test_a_player_who_may_have_drawn_unseen_makes_nobody_out_of_turn(
    between: list[Observation], incidents: list[tuple[str, str, str]], questions: int
) -> None:
    """A dark hand on dark wood drew a card that nobody saw, and the next player was told off."""
    told = write(scribe(START), [*between, laid("P2", "R9", 7), lifted("P2", "R9", 9)])
    assert [i for i in told[1] if i[1] != "took_back_played_card"] == incidents
    assert len(told[2]) == questions


def test_a_draw_perhaps_made_by_the_next_after_one_who_drew() -> None:
    observed = [drew("P1", 3), drew("P2", 5, 0, 1), laid("P3", "R9", 9)]
    entries, incidents, questions = write(scribe(START), observed)
    assert entries == ["P1: +1:turn", "P1: --", "P2: +0..1:turn", "P2: --", "P3: R9"]
    assert incidents == []
    assert questions == ["Did P2 draw a card and pass? I did not see it."]


def test_who_perhaps_drew_while_nobody_looked_may_still_draw_and_lay() -> None:
    """The player was taken to have drawn in the gap, and what was then seen for certain became two fouls."""
    observed = [lost(2), back(4), drew("P1", 6), laid("P1", "R4", 8), laid("P2", "R9", 10)]
    assert write(scribe(START), observed)[1] == []


def test_an_arm_that_may_be_either_neighbours_is_that_of_whoever_has_to_draw() -> None:
    table = scribe(START)
    neighbours = drew("P2", 3, perhaps=(Seat.P1,))
    assert write(table, [neighbours, laid("P2", "R4", 7)]) == (["P1: +1:turn", "P1: --", "P2: R4"], [], [])
    told = write(scribe(START), [drew("P2", 3)])
    assert told[1] == []
    assert told[2] == ["Did I miss a move? By my record: P2 had nothing to draw, and drew 1. Whose turn is it?"]


@pytest.mark.parametrize(
    ("drawn", "incidents", "questions"),
    [
        ([drew("P2", 3), drew("P2", 4)], [], 0),
        ([drew("P2", 3)], [], 1),  # two cards held together look like one
        ([drew("P2", 3, 1, 2)], [], 0),
        ([], [], 1),  # a draw that was hidden altogether
    ],
    ids=["one by one", "one seen", "one or two", "none"],
)
def test_cards_taken_together_are_never_too_few(
    drawn: list[Observation], incidents: list[tuple[str, str, str]], questions: int
) -> None:
    told = write(scribe(START), [laid("P1", "RD", 1), *drawn, laid("P3", "R4", 7)])
    assert told[1] == incidents
    assert len(told[2]) == questions


def test_a_price_for_a_wrong_card_may_be_drawn_in_one_go_too() -> None:
    observed = [laid("P1", "Y4", 1), lifted("P1", "Y4", 2), drew("P1", 4), drew("P2", 7)]
    told = write(scribe(START), observed)
    assert told[1] == [("foul", "illegal_play", "P1")]
    assert told[2] == ["Did P1 draw all 2 cards? I saw 1."]


def test_a_number_said_with_a_draw_tightens_its_bounds() -> None:
    table = scribe(START)
    write(table, [laid("P1", "RD", 1), said("draw:2", 3), drew("P2", 4, 1, 2), laid("P3", "R4", 7)])
    assert table.desk.counts() == {Seat.P1: (4, 4), Seat.P2: (7, 7), Seat.P3: (4, 4)}
    table = scribe(START)
    write(table, [said("draw:4", 3), drew("P1", 4, 1, 2)])  # the eye excludes it
    assert table.desk.counts()[Seat.P1] == (6, 7)


def test_a_penalty_drawn_by_another_does_not_end_the_turn_of_one_who_has_drawn() -> None:
    """P3 pays for a missed call while P1 still looks at the card just drawn, and then lays it."""
    first = [laid("P1", "R9", 1), laid("P2", "R8", 3), laid("P3", "R7", 5), said("catch", 6), drew("P1", 8)]
    observed = [*first, drew("P3", 9), drew("P3", 10), laid("P1", "R1", 12)]
    _, incidents, _ = write(scribe("R3 R > P1 P1:5 P2:5 P3:2"), observed)
    assert "out_of_turn" not in [code for _, code, _ in incidents]


def test_the_pile_taken_up_and_its_top_card_laid_again_is_a_refill() -> None:
    table = scribe(START)
    observed = [emptied(20), laid("P2", "R3", 24), laid("P1", "R4", 30)]
    assert write(table, observed) == (["table: reshuffle", "P1: R4"], [], [])
    table = scribe(START)
    _, incidents, questions = write(table, [emptied(20), laid("P2", "G7", 24), laid("P3", "G4", 30)])
    assert incidents == []
    assert len(questions) == 1


def test_hands_that_refill_the_draw_pile_have_neither_drawn_nor_laid() -> None:
    """On a film of a refill it was asked whether the player who shuffled had laid a card, and how many were drawn."""
    table = scribe(START)
    up = [reached("P1", Zone.DISCARD, 11), emptied(12), drew("P1", 15, 0, 2), reached("P1", Zone.DRAW, 15)]
    down = [reached("P1", Zone.DISCARD, 17), laid("P1", "R3", 18), laid("P2", "R4", 22)]
    observed = [drew("P1", 8), *up, *down]
    assert write(table, observed) == (["P1: +1:turn", "table: reshuffle", "P1: --", "P2: R4"], [], [])
    assert table.desk.counts()[Seat.P1] == (6, 6)


ROUND_OVER = [laid("P1", "R9", 1), showed("P2", "G1 G2", 3), showed("P3", "B5 W", 5)]


def test_the_next_round_begins_with_the_next_card_turned_up() -> None:
    table = scribe("R3 R > P1 P1:1! P2:2 P3:2", dealer=Seat.P3)
    following = [emptied(20), laid("P1", "Y5", 40), laid("P2", "Y7", 45)]
    entries, incidents, questions = write(table, [*ROUND_OVER, *following])
    assert entries == ["P1: R9", "wins P1 P2=3(G1 G2) P3=55(B5 W)", "dealer: start Y5", "P2: Y7"]
    assert (incidents, questions) == ([], [])
    assert table.desk.counts() == {Seat.P1: (7, 7), Seat.P2: (6, 6), Seat.P3: (7, 7)}


def test_while_cards_are_taken_up_and_dealt_nothing_is_ruled_or_asked() -> None:
    """The pile taken up card by card looked like cards taken back, and the deal like cards drawn without cause."""
    table = scribe("R3 R > P1 P1:1! P2:2 P3:2", dealer=Seat.P3)
    taken_up = [lifted("P2", "R9", 10), lifted("P2", "R3", 11), reached("P2", Zone.DISCARD, 12), emptied(13)]
    dealt = [drew("P1", 16.0 + n, 1, 3) for n in range(7)] + [drew(None, 24, 0, 2), lost(25), back(27)]
    entries, incidents, questions = write(table, [*ROUND_OVER, *taken_up, *dealt, laid("P1", "Y5", 40)])
    assert entries == ["P1: R9", "wins P1 P2=3(G1 G2) P3=55(B5 W)", "dealer: start Y5"]
    assert (incidents, questions) == ([], [])
    assert (table.desk.in_step, table.desk.state.to_act) == (True, Seat.P2)


@pytest.mark.parametrize("numbers", [(0, 6), (1, 4), (2, 5)], ids=str)
def test_rounds_one_after_the_other_are_ruled_as_by_themselves(numbers: tuple[int, int]) -> None:
    """Whole rounds of rough play in one recording, with the cards taken up and dealt between them."""
    games = [rough_round(number, most_entries=300) for number in numbers]
    assert all(game.finished for game in games)
    table = Scribe(games[0].profile, TableStart(games[0].seats, games[0].dealer))
    told: list[Counter[tuple[str, str]]] = []
    expected: list[Counter[tuple[str, str]]] = []
    begin_s = 0.0
    for number, game in enumerate(games):
        seen = watched(observed(game))
        if number:
            dealer = str(game.dealer)
            between = [lifted(dealer, "R9", 2), emptied(4), *(drew(dealer, 6.0 + n, 1, 2) for n in range(5))]
            seen = [*between, *(replace(o, t_s=o.t_s + 30) for o in seen)]
            turned_up = next(o for o in seen if isinstance(o, CardLanded))
            seen[seen.index(turned_up)] = replace(turned_up, seat=game.dealer, found=False)
        fouls = [i for o in seen for w in table.take(replace(o, t_s=o.t_s + begin_s)) for i in _fouls(w)]
        told.append(Counter(fouls))
        expected.append(Counter((code, seat) for code, seat, _ in on_purpose(game)))
        begin_s += seen[-1].t_s + 10
    assert all(not found - true for found, true in zip(told, expected, strict=True))
    assert all(found.total() >= 0.9 * true.total() for found, true in zip(told, expected, strict=True))


def _fouls(written: Judged | Question) -> list[tuple[str, str]]:
    if isinstance(written, Question):
        return []
    return [(i.code, str(i.seat)) for i in written.ruling.incidents if i.kind == "foul"]


def test_a_next_round_before_all_hands_were_counted_asks_for_them() -> None:
    table = scribe("R3 R > P1 P1:1! P2:2 P3:2", dealer=Seat.P3)
    _, _, questions = write(table, [*ROUND_OVER[:2], emptied(20), laid("P1", "Y5", 40)])
    assert questions == ["The round is over, but the hand of P3 was not seen whole: count it by hand."]
    assert table.desk.state.phase == "play"


def test_a_game_that_goes_on_after_its_counted_end_is_asked_about_once() -> None:
    table = scribe("R3 R > P1 P1:1! P2:2 P3:2")
    _, incidents, questions = write(table, [laid("P1", "R9", 1), laid("P2", "B4", 5), laid("P3", "B7", 9)])
    assert incidents == []
    assert questions[0] == "By my count P1 has laid the last card. How many cards does P1 hold?"
    assert len(questions) == 2  # and the hands at the end


def test_the_first_card_is_turned_up_by_whoever_dealt() -> None:
    assert write(scribe(dealer=Seat.P3), [laid("P3", "R7", 9), laid("P1", "R5", 12)])[0] == [
        "dealer: start R7",
        "P1: R5",
    ]


def test_a_first_card_that_must_go_back_is_followed_by_another() -> None:
    table = scribe(dealer=Seat.P3)
    entries, incidents, _ = write(table, [laid("P3", "W4", 9), laid("P3", "R5", 12), laid("P1", "R6", 15)])
    assert entries == ["dealer: start W4", "dealer: start R5", "P1: R6"]
    assert not [i for i in incidents if i[0] == "foul"]


def test_a_card_taken_back_after_a_gap_still_goes_back() -> None:
    observed = [laid("P1", "B4", 1), lost(2), back(4), lifted("P1", "B4", 6)]
    assert "P1: <B4" in write(scribe(START), observed)[0]
