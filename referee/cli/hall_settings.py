"""The hall's broker as the settings and the command line name it, and a watched table's voice there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from referee.hall.broker import Broker
    from referee.session.parts import Parts
    from referee.session.settings import Settings
    from referee.web.hall_state import HasBoard


def broker_of(settings: Settings, address: str | None, *, user: str | None = None) -> Broker | None:
    """The broker at `address`, else the settings' own; None where neither names one. Raises InputFault."""
    from referee.hall.broker import Tls, open_broker

    part = settings.hall
    where = address or part.broker
    if not where:
        return None
    files = [
        Path(file).expanduser() if file else None for file in (part.ca_file, part.certificate_file, part.key_file)
    ]
    return open_broker(
        where,
        tls=Tls(*files) if any(files) else None,
        username=user or part.username,
        password=part.password,
        password_variable=part.password_variable,
        password_file=part.password_file,
        prefix=part.prefix,
    )


@contextmanager
def told_to_hall(broker: Broker | None, name: str, table: HasBoard, parts: Parts, out: Console) -> Iterator[None]:
    """While inside, the table's public state is published. Whatever the broker does, the table goes on."""
    if broker is None:
        yield
        return
    from rich.markup import escape

    from referee.hall.publishing import Publisher
    from referee.session.clock import SessionClock
    from referee.web.hall_state import HALL_PART, BoardSource

    def told(state: str, why: str) -> None:
        parts.set(HALL_PART, state, why)
        if state != "running":
            out.print(f"[yellow]Note:[/] hall: {escape(why)}. The table goes on.", soft_wrap=True)

    publisher = Publisher(broker, name, BoardSource(table), clock=SessionClock(), on_state=told)
    out.print(
        f"Told to the hall at {broker.address} as [bold]{escape(publisher.table)}[/bold]: scores, rulings, health."
    )
    publisher.start()
    try:
        yield
    finally:
        publisher.stop()
