"""Observations leave in the order in which they happened, whatever the order of arrival."""

import random

from hypothesis import given
from hypothesis import strategies as st

from referee.fusion.time_order import TimeOrder
from referee.observations import CallHeard, Observation


def call(t_s: float, known_s: float) -> Observation:
    return CallHeard(id=f"h{t_s}", t_s=t_s, seen_s=known_s, call="uno", end_s=t_s + 0.3)


def test_a_call_before_the_card_is_judged_before_it_although_it_is_known_later() -> None:
    order = TimeOrder(lag_s=1.0)
    order.put(call(10.3, 10.4))
    assert order.release(10.5) == []
    order.put(call(10.0, 10.6))
    assert [o.t_s for o in order.release(11.4)] == [10.0, 10.3]


def test_nothing_waits_for_a_sense_that_has_come_past_it() -> None:
    order = TimeOrder(lag_s=1.0)
    order.put(call(10.0, 10.1))
    order.put(call(10.2, 10.3))
    assert [o.t_s for o in order.release(10.4, settled_s=10.1)] == [10.0]
    assert [o.t_s for o in order.release(10.5, settled_s=10.3)] == [10.2]


def test_a_sense_that_does_not_settle_holds_nothing_back_for_longer_than_the_lag() -> None:
    order = TimeOrder(lag_s=1.0)
    order.put(call(10.0, 10.1))
    assert order.release(10.9, settled_s=9.0) == []
    assert [o.t_s for o in order.release(11.1, settled_s=9.0)] == [10.0]


@given(st.lists(st.floats(0, 100), max_size=30), st.integers(0, 2**32))
def test_nothing_is_lost_and_all_is_in_order(times: list[float], seed: int) -> None:
    order = TimeOrder(lag_s=0.5)
    shuffled = times.copy()
    random.Random(seed).shuffle(shuffled)
    for t_s in shuffled:
        order.put(call(t_s, t_s))
    out = [o.t_s for o in order.release(50)]
    assert all(t_s <= 49.5 for t_s in out)
    assert out + [o.t_s for o in order.flush()] == sorted(times)
