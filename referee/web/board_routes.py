"""The routes of a board that is shown live: as a stream of events, and once; in the language of the device."""

from __future__ import annotations

from sse_starlette import EventSourceResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee.web.key_routes import LANGUAGE_COOKIE
from referee.web.stream import BEAT_S, LISTENERS, Stream
from referee.web.wording import language_of


class BoardRoutes:
    """Routes over `stream`. spoken: the language where a device asks for none of ours."""

    def __init__(self, stream: Stream, spoken: str) -> None:
        self.stream, self._spoken = stream, spoken

    async def events(self, request: Request) -> Response:
        """The board as a stream of events."""
        if self.stream.listeners >= LISTENERS:
            raise HTTPException(503, "Too many devices.")
        return EventSourceResponse(self.stream.events(self.language(request)), ping=BEAT_S)

    async def board(self, request: Request) -> Response:
        """The board once."""
        return Response(self.stream.text(self.language(request))[1], media_type="application/json")

    def language(self, request: Request) -> str:
        """The language of the device."""
        wanted, accepted = request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", "")
        return language_of(wanted, accepted, self._spoken)
