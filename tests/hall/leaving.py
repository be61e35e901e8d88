"""A table that dies without a word: publishes at the port given, tells that it does, and hangs until it is killed."""

from __future__ import annotations

import sys
import time

from referee.hall.broker import Broker
from referee.hall.publishing import NewestState, Publisher
from referee.session.clock import SessionClock
from tests.hall.states import state

if __name__ == "__main__":
    broker = Broker("127.0.0.1", int(sys.argv[1]))
    Publisher(
        broker,
        "Table 9",
        NewestState(state(4, 120)),
        clock=SessionClock(),
        on_state=lambda told, _why: print(told, flush=True),
    ).start()
    time.sleep(60)
