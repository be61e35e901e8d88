"""Who may look and who may change: tokens, Host and Origin, sizes, rates, and the headers that keep a page to itself.

Reading needs the viewers' key unless the server is bound to this machine alone; changing always needs the referee's.
Keys come once by a link and then as a cookie that scripts cannot read.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "referee_key"
BODY_BYTES = 16_384
OPEN_PATHS = ("/enter", "/static/")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Keys:
    """The referee's key and the viewers'. local: bound to this machine alone, where reading needs no key."""

    referee: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    viewer: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    local: bool = True

    def role(self, key: str) -> str | None:
        """`referee`, `viewer`, or None for a key that is neither."""
        if hmac.compare_digest(key.encode(), self.referee.encode()):
            return "referee"
        if hmac.compare_digest(key.encode(), self.viewer.encode()):
            return "viewer"
        return None


class Rate:
    """A bucket of `burst` permissions that refills at `rate_hz`. now_s: the clock to go by."""

    def __init__(self, rate_hz: float, burst: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self._rate_hz, self._burst, self._now_s = rate_hz, burst, now_s
        self._left, self._at_s = burst, now_s()

    def take(self) -> bool:
        """Whether one more is permitted now."""
        now_s = self._now_s()
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._rate_hz)
        self._at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Middleware. hosts: the names (without port) under which this server may be addressed."""

    def __init__(self, app: ASGIApp, keys: Keys, hosts: Iterable[str]) -> None:
        self._app = app
        self._keys = keys
        self._hosts = {host.lower() for host in hosts}
        self._writes = Rate(5.0, 20.0)
        self._guesses = Rate(2.0, 20.0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through with `scope["role"]` set, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        await self._app(scope, _limited(receive), send_guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "").lower()
        if _name(host) not in self._hosts:
            return _no(421, "This is not the address of the table.")
        key = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        role = self._keys.role(key)
        if key and role is None and not self._guesses.take():
            return _no(429, "Too many wrong keys. Wait a little.")
        scope["role"] = role or ("viewer" if self._keys.local else None)
        if scope["method"] in ("GET", "HEAD"):
            if scope["role"] is None and not scope["path"].startswith(OPEN_PATHS):
                return _no(403, "Scan the code that the table shows to join.")
            return None
        return self._refused_write(scope, headers, host)

    def _refused_write(self, scope: Scope, headers: Headers, host: str) -> PlainTextResponse | None:
        origin = headers.get("origin", "")
        if origin and origin.partition("://")[2].lower() != host:
            return _no(403, "The request comes from another site.")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return _no(403, "The request comes from another site.")
        if scope["role"] != "referee":
            return _no(403, "Only the referee's device can change this.")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > BODY_BYTES:
            return _no(413, "Too long.")
        if not self._writes.take():
            return _no(429, "Too many changes at once. Wait a little.")
        return None


def _limited(receive: Receive) -> Receive:
    """A body longer than allowed is cut, whatever its header said; what is read of it then fails as bad JSON."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > BODY_BYTES:
                return {"type": "http.request", "body": b"", "more_body": False}
        return message

    return limited


def _name(host: str) -> str:
    """The host without its port: `table.local:8000`, `[::1]:8000`."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _no(status: int, why: str) -> PlainTextResponse:
    return PlainTextResponse(why + "\n", status)
