"""Situations on the discard pile of a small drawn table, and what the watcher must make of them."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cards import Card, Seat
from referee.observations import (
    BACK,
    EMPTY_PILE,
    ArmSeen,
    CardLanded,
    CardReading,
    CardsDrawn,
    Observation,
    ViewChanged,
    ViewState,
    Zone,
)
from tests.vision.drawn_table import DISCARD_AT, DRAW_AT, HEIGHT, WIDTH, DrawnTable, Lying, landed, lifted, started

SEATS = (Seat.P1, Seat.P2, Seat.P3, Seat.P4)
OFF = (DISCARD_AT[0] + 0.03, DISCARD_AT[1] + 0.02)


def states(table: DrawnTable) -> list[ViewState]:
    return [o.state for o in table.observed if isinstance(o, ViewChanged)]


def test_the_start_card_lands_with_no_seat() -> None:
    assert landed(started("R7")) == [("R7", None)]


@pytest.mark.parametrize("seat", SEATS)
def test_a_card_laid_is_seen_with_its_seat_and_when_it_came_to_rest(seat: Seat) -> None:
    """Two seats share the upper edge: where the arm enters tells them apart."""
    table = started("R7")
    laid_s = table.lay(seat, "G7", degrees=-12)
    table.rest()
    assert landed(table)[1:] == [("G7", seat)]
    play = table.of(CardLanded)[1]
    assert play.t_s == pytest.approx(laid_s, abs=0.25)
    assert play.t_s <= play.seen_s <= laid_s + 1.5


def test_nothing_is_told_from_before_what_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started()
    see, settled_s = table.watcher.see, [table.watcher.settled_s]

    def checked(image: np.ndarray, t_s: float) -> list[Observation]:
        found = see(image, t_s)
        assert all(o.t_s >= settled_s[-1] for o in found)
        settled_s.append(table.watcher.settled_s)
        return found

    monkeypatch.setattr(table.watcher, "see", checked)
    table.lay(Seat.P1, "B2", degrees=20)
    assert settled_s[-1] < table.t_s - 0.3  # the pile is not read yet
    table.rest(0.6)
    table.draw(Seat.P3)
    table.rest(1)
    assert len(landed(table)) == 2
    assert table.of(CardsDrawn)
    assert settled_s[-1] == pytest.approx(table.t_s - 0.1)
    assert settled_s == sorted(settled_s)


def test_nothing_is_judged_under_a_hand() -> None:
    table = started("R7")
    table.take(Seat.P1, Lying("G7", DISCARD_AT, 20))
    table.reach(Seat.P1, DISCARD_AT)
    table.drop(Seat.P1)
    table.rest(4)
    assert landed(table) == [("R7", None)]
    assert states(table)[-1] is ViewState.HAND_OVER
    table.leave(Seat.P1)
    table.rest()
    assert landed(table)[1:] == [("G7", Seat.P1)]
    assert states(table)[-1] is ViewState.READY


def test_g4_a_card_carried_over_the_pile_and_away_is_no_play() -> None:
    """G4: a card seen in mid-move must not count; only one that rests without a hand does."""
    table = started("R7")
    table.take(Seat.P1, Lying("G7", DISCARD_AT, 20))
    table.reach(Seat.P1, DISCARD_AT)
    table.tick(3)
    table.leave(Seat.P1)
    table.rest()
    assert landed(table) == [("R7", None)]
    assert lifted(table) == []


def test_a_card_that_slides_without_a_hand_counts_once_it_rests() -> None:
    """A tossed card: the last hand over the pile threw it."""
    table = started("R7")
    table.take(Seat.P2, Lying("B4", DISCARD_AT, 33))
    table.reach(Seat.P2, (0.5, 0.5))
    table.drop(Seat.P2)
    table.leave(Seat.P2, frames=2)
    for x in (0.52, 0.53, 0.54, 0.545):
        table.cards[-1].at = (x, 0.5)
        table.tick()
    table.rest()
    assert landed(table)[1:] == [("B4", Seat.P2)]


@pytest.mark.parametrize("degrees", [25, -30, 80])
def test_the_same_face_on_the_same_face_is_a_play(degrees: float) -> None:
    """Red 5 on red 5: told by where the pixels changed, not by the face."""
    table = started("R5", degrees=0)
    table.lay(Seat.P1, "R5", OFF, degrees)
    table.rest()
    assert landed(table)[1:] == [("R5", Seat.P1)]


def test_the_same_face_squarely_on_the_same_face_is_a_play_when_a_hand_brought_it() -> None:
    table = started("R5", degrees=0)
    table.lay(Seat.P1, "R5", (DISCARD_AT[0] + 0.008, DISCARD_AT[1]), 4)
    table.rest()
    assert landed(table)[1:] == [("R5", Seat.P1)]


@pytest.mark.parametrize(("dx", "turn"), [(0.008, 4), (0.02, 0), (0, 12), (-0.03, -9)])
def test_a_pile_squared_up_is_no_play(dx: float, turn: float) -> None:
    table = started("R5", degrees=20)
    table.reach(Seat.P3, DISCARD_AT)
    table.cards[-1].degrees += turn
    table.cards[-1].at = (DISCARD_AT[0] + dx, DISCARD_AT[1])
    table.tick(2)
    table.leave(Seat.P3)
    table.rest()
    assert landed(table) == [("R5", None)]
    assert lifted(table) == []


def test_a_play_after_the_pile_was_squared_up_is_still_seen() -> None:
    table = started("R5", degrees=20)
    table.reach(Seat.P3, DISCARD_AT)
    table.cards[-1].degrees = 0
    table.leave(Seat.P3)
    table.rest()
    table.lay(Seat.P3, "R5", OFF, -25)
    table.rest()
    assert landed(table)[1:] == [("R5", Seat.P3)]


def test_a_card_taken_back_is_lifted_by_that_seat() -> None:
    table = started("R7")
    table.lay(Seat.P3, "B6", OFF, 30)
    table.rest()
    table.reach(Seat.P3, DISCARD_AT)
    table.take(Seat.P3, table.cards.pop())
    table.tick()
    table.leave(Seat.P3)
    table.rest()
    assert landed(table)[1:] == [("B6", Seat.P3)]
    assert lifted(table) == [("B6", Seat.P3)]


def test_after_a_card_was_taken_back_it_can_be_laid_again() -> None:
    table = started("R7")
    for _ in range(2):
        table.lay(Seat.P1, "R2", OFF, 30)
        table.rest()
        table.reach(Seat.P1, DISCARD_AT)
        table.take(Seat.P1, table.cards.pop())
        table.leave(Seat.P1)
        table.rest()
    assert landed(table)[1:] == [("R2", Seat.P1)] * 2
    assert lifted(table) == [("R2", Seat.P1)] * 2


def test_two_cards_laid_in_one_reach_are_both_seen_the_top_one_last() -> None:
    table = started("R7")
    table.reach(Seat.P1, DISCARD_AT)
    table.cards.append(Lying("G2", (DISCARD_AT[0] - 0.05, DISCARD_AT[1]), 10))
    table.tick(2)
    table.cards.append(Lying("Y2", (DISCARD_AT[0] + 0.04, DISCARD_AT[1]), -8))
    table.tick(2)
    table.leave(Seat.P1)
    table.rest()
    assert sorted(landed(table)[1:]) == [("G2", Seat.P1), ("Y2", Seat.P1)]


def test_a_hand_that_only_hovers_changes_nothing() -> None:
    table = started("R7")
    table.reach(Seat.P2, DISCARD_AT)
    table.rest(0.5)
    table.leave(Seat.P2)
    table.rest()
    assert landed(table) == [("R7", None)]
    arms = [o for o in table.observed if isinstance(o, ArmSeen)]
    assert [(o.seat, o.zone) for o in arms] == [(Seat.P2, Zone.DISCARD)]


def test_what_is_no_card_is_not_invented() -> None:
    """A cup on the pile: the picture changed and no card explains it."""
    table = started("R7")
    table.reach(Seat.P1, DISCARD_AT)
    table.things.append((DISCARD_AT, 30))
    table.tick()
    table.leave(Seat.P1)
    table.rest()
    assert landed(table) == [("R7", None)]
    last = table.of(ViewChanged)[-1]
    assert isinstance(last, ViewChanged)
    assert (last.state, last.reason) == (ViewState.READY, "a change that shows no card")
    table.reach(Seat.P1, DISCARD_AT)
    table.things.pop()
    table.leave(Seat.P1)
    table.rest()
    assert landed(table) == [("R7", None)]
    assert lifted(table) == []


def test_a_pile_that_was_taken_up_is_told_from_one_that_cannot_be_read() -> None:
    table = started("R7")
    table.reach(Seat.P1, DISCARD_AT)
    table.cards = [card for card in table.cards if card.code == BACK]
    table.leave(Seat.P1)
    table.rest()
    last = table.of(ViewChanged)[-1]
    assert isinstance(last, ViewChanged)
    assert (last.state, last.reason) == (ViewState.READY, EMPTY_PILE)
    table.lay(Seat.P2, "R7")
    table.rest()
    assert landed(table) == [("R7", None), ("R7", Seat.P2)]


def test_a_doubtful_reading_is_reported_as_doubtful() -> None:
    """G3: glare on the card makes it hard to read; the doubt is handed on, not dropped and not settled."""
    table = started("R7")
    table.readings["R6"] = CardReading(Card.parse("R6"), 0.5, (), (("R6", 0.52), ("R9", 0.46)))
    table.lay(Seat.P1, "R6", OFF, 30)
    table.rest()
    play = table.of(CardLanded)[-1]
    assert isinstance(play, CardLanded)
    assert [(code, round(p, 3)) for code, p in play.reading.alternatives] == [("R6", 0.52), ("R9", 0.46)]
    assert play.confidence == pytest.approx(0.5, abs=0.02)


def test_two_arms_at_once_keep_their_seats() -> None:
    """P2 waits with a hand half way while P4 plays."""
    table = started("R7")
    table.reach(Seat.P2, (0.22, 0.5))
    table.lay(Seat.P4, "R1", OFF, 15)
    table.rest(0.5)
    table.leave(Seat.P2)
    table.rest()
    assert landed(table)[1:] == [("R1", Seat.P4)]


def test_arms_are_outlined_and_gone_when_they_left() -> None:
    """For those who look at the live picture: whose arm, and where, in fractions of the frame."""
    table = started("R7")
    table.reach(Seat.P2, (0.22, 0.5))
    (arm,) = table.watcher.arms
    assert arm.seat is Seat.P2
    xs, ys = [x for x, _ in arm.polygon], [y for _, y in arm.polygon]
    assert min(xs) < 0.02
    assert max(xs) == pytest.approx(0.22, abs=0.05)
    assert 0.4 < min(ys) < max(ys) < 0.6
    table.leave(Seat.P2)
    table.rest(0.5)
    assert table.watcher.arms == ()


def test_ten_plays_in_a_row_under_drifting_light_and_noise() -> None:
    """Auto-exposure steps and slow drift of 20 % must neither make nor hide a play."""
    table = started("W", noise=4.0)
    laid: list[tuple[str, Seat | None]] = [("W", None)]
    for n in range(10):
        table.light *= 0.98 if n % 2 else 0.97
        seat = SEATS[n % 4]
        code = f"{'RYGB'[n % 4]}{n}"
        table.lay(seat, code, (DISCARD_AT[0] + 0.01 * (n % 3), DISCARD_AT[1]), 37 * n)
        table.rest(1.2)
        laid.append((code, seat))
    assert landed(table) == laid
    assert lifted(table) == []


def test_a_still_table_is_not_read_again() -> None:
    table = started("R7", noise=4.0)
    reads = table.reads
    for _ in range(30):
        table.light *= 1.003
        table.tick(3)
    assert table.reads == reads
    assert landed(table) == [("R7", None)]


def test_an_empty_table_yields_nothing_but_its_state() -> None:
    table = DrawnTable()
    table.rest(3)
    assert {type(o) for o in table.observed} == {ViewChanged}


def test_a_dark_picture_is_lost_and_regained() -> None:
    table = started("R7")
    seen = table.frame
    dark = np.zeros_like(seen)
    said = table.watcher.see(dark, table.t_s)
    assert [o.state for o in said if isinstance(o, ViewChanged)] == [ViewState.LOST]
    table.t_s += 1
    assert table.watcher.see(dark, table.t_s) == []
    table.t_s += 0.1
    table.rest()
    assert states(table)[-1] is ViewState.READY
    assert landed(table) == [("R7", None)]
    table.lay(Seat.P1, "R2", OFF, 30)
    table.rest()
    assert landed(table)[1:] == [("R2", Seat.P1)]


def test_a_card_laid_while_the_lens_was_covered_is_found_afterwards() -> None:
    table = started("R7")
    blank = np.full_like(table.frame, 120)
    table.watcher.see(blank, table.t_s)
    table.t_s += 0.5
    table.cards.append(Lying("R2", OFF, 40))
    table.rest(1.0)
    assert landed(table)[1:] == [], "what no hand brought may be a camera that was pushed: that is known in a second"
    table.rest()
    assert landed(table)[1:] == [("R2", None)]


def test_a_bumped_camera_is_named_and_the_table_looked_at_anew() -> None:
    table = started("R7", grain=500.0)
    table.shift_px = (25, 18)
    table.rest(3)
    assert ViewState.LOST in states(table)
    assert states(table)[-1] is ViewState.READY
    assert landed(table) == [("R7", None)]


def test_a_change_of_frame_size_keeps_the_game() -> None:
    table = started("R7")
    table.enlarged = 2
    table.rest()
    assert landed(table) == [("R7", None)]
    table.lay(Seat.P1, "R2", OFF, 30)
    table.rest()
    assert landed(table)[1:] == [("R2", Seat.P1)]


def test_the_end_of_the_film_ends_a_reach() -> None:
    table = started("R7")
    table.reach(Seat.P2, DISCARD_AT)
    table.rest(0.6)
    said = table.watcher.close(table.t_s)
    assert [(o.seat, o.zone) for o in said if isinstance(o, ArmSeen)] == [(Seat.P2, Zone.DISCARD)]


def test_ids_are_never_given_twice() -> None:
    table = started("R7")
    table.lay(Seat.P1, "R2", OFF, 30)
    table.draw(Seat.P2)
    table.rest()
    ids = [o.id for o in table.observed]
    assert len(ids) == len(set(ids)) > 5


@pytest.mark.parametrize(
    "frame",
    [
        np.zeros((HEIGHT, WIDTH), np.uint8),
        np.zeros((HEIGHT, WIDTH, 3), np.float32),
        np.zeros((0, WIDTH, 3), np.uint8),
    ],
)
def test_what_is_no_frame_is_refused(frame: np.ndarray) -> None:
    with pytest.raises(ValueError, match="a frame is uint8"):
        DrawnTable().watcher.see(frame, 0.0)


def test_frames_out_of_order_are_refused() -> None:
    table = started("R7")
    with pytest.raises(ValueError, match="comes after"):
        table.watcher.see(table.frame, 0.2)


def test_a_pile_that_was_hidden_by_nobodys_arm_is_a_draw_of_somebody_perhaps() -> None:
    """What cannot be told from the table may still hide the draw pile: then nobody is told off for the turn."""
    table = started("R7")
    table.things.append((DRAW_AT, 24))
    table.rest(0.4)
    table.things.clear()
    table.rest(1.2)
    draws = [o for o in table.of(CardsDrawn) if isinstance(o, CardsDrawn)]
    assert [(o.seat, o.at_least, o.at_most) for o in draws] == [(None, 0, 2)]
