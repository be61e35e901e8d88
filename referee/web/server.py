"""Serves the pages with uvicorn: on this machine alone, or for the phones in the same network."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

import uvicorn

from referee.faults import InputFault
from referee.web.app import Pages
from referee.web.guard import Keys
from referee.web.hall_board import HallLink
from referee.web.hall_pages import HallPages
from referee.web.set_up import SetUp
from referee.web.set_up_app import SetUpPages
from referee.web.table_link import TableLink

USUAL_PORT = 8400
EVERY_ADDRESS = "0.0.0.0"
_THIS_MACHINE = ("127.0.0.1", "localhost")

RESTARTS = 5
RETRY_S = 1.0
"""Pause before the first restart; each is twice as long as the one before."""

OnState = Callable[[str, str], object]
"""Told `running`, `lost` or `stopped`, and why."""


class PageServer:
    """A server for `table`. lan: phones may join. port: None for 8400 or, if that is taken, any that is free.

    host: an address to bind, in place of what `lan` says. own: a socket that was bound before (`bound`), in place of
    a port. Raises InputFault when a port that was asked for is taken.
    """

    def __init__(
        self,
        table: TableLink | SetUp | HallLink,
        *,
        lan: bool = False,
        host: str | None = None,
        port: int | None = None,
        own: socket.socket | None = None,
    ) -> None:
        self._host = host or host_of(lan=lan)
        lan = lan or self._host not in _THIS_MACHINE
        self._socket = own or bound(self._host, port)
        number = self._socket.getsockname()[1]
        name = own_address() if lan and self._host == EVERY_ADDRESS else self._host if lan else "127.0.0.1"
        self.address = f"http://{name}:{number}"
        self.keys = Keys(local=not lan)
        hosts = ["localhost", "127.0.0.1", "[::1]", *([name] if lan else [])]
        if isinstance(table, SetUp):
            app = SetUpPages(table, self.keys).app(hosts)
        elif isinstance(table, HallLink):
            app = HallPages(table, self.keys, self.address).app(hosts)
        else:
            app = Pages(table, self.keys, self.address).app(hosts)
        # Streams never end by themselves: at the end they get a second, not for ever.
        self._config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, server_header=False
        )
        self._server = uvicorn.Server(self._config)
        self._ended = threading.Event()

    @property
    def referee_link(self) -> str:
        """The link that lets its holder put things right."""
        return f"{self.address}/enter?key={self.keys.referee}"

    def run(self) -> None:
        """Serve until Ctrl-C."""
        self._server.run([self._socket])

    def start(self, on_state: OnState = lambda _state, _why: None) -> threading.Thread:
        """Serve on a thread of its own until `stop`; begun again, some times, if it fails: the game goes on."""
        thread = threading.Thread(target=self._serve, args=(on_state,), name="pages", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """End soon, from any thread."""
        self._ended.set()
        self._server.should_exit = True

    def _serve(self, on_state: OnState) -> None:
        number = self._socket.getsockname()[1]
        for attempt in range(1 + RESTARTS):
            on_state("running", "")
            try:
                self._server.run([self._socket])
                why = "it ended by itself"
            except (Exception, SystemExit) as fault:
                why = f"{type(fault).__name__}: {fault}"
            if self._ended.is_set():
                break
            on_state("lost", why)
            if self._ended.wait(RETRY_S * 2**attempt):
                break
            self._server = uvicorn.Server(self._config)
            self._socket.close()
            try:
                self._socket = bound(self._host, number)
            except InputFault:
                continue
        self._socket.close()
        on_state("stopped", "")


def host_of(*, lan: bool) -> str:
    """The address to bind: every one of this machine for the network, else the one that only itself reaches."""
    return EVERY_ADDRESS if lan else "127.0.0.1"


def bound(host: str, port: int | None) -> socket.socket:
    """A listening socket on `port`; None: the usual one, or any that is free. Raises InputFault when it is taken."""
    if port is None:
        try:
            return bound(host, USUAL_PORT)
        except InputFault:
            return bound(host, 0)
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(256)  # who comes before the pages are served waits a moment
    except OSError as fault:
        made.close()
        raise InputFault(
            f"cannot be used: {fault.strerror}", where=f"port {port}", mend="give another one with --port"
        ) from None
    return made


def own_address() -> str:
    """This machine's address in the network that leads outward; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
