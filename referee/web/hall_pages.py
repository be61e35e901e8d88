"""The hall's page: a Starlette application over one board of all tables. It is only ever read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from jinja2 import Environment, PackageLoader, StrictUndefined
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from referee.rules.messages import LANGUAGES
from referee.web.answers import faults_in_json
from referee.web.guard import Guard, Keys
from referee.web.hall_board import HallLink
from referee.web.key_routes import LANGUAGE_COOKIE, KeyRoutes, static_files
from referee.web.qr import code_of
from referee.web.stream import BEAT_S, LISTENERS, Stream
from referee.web.wording import language_of, words

PAGES = {"/": "hall", "/join": "join"}
STATIC = {"style.css": "text/css", "hall.css": "text/css", "live.js": "text/javascript", "hall.js": "text/javascript"}


class HallPages:
    """The routes over `hall`. address: how others reach this server."""

    def __init__(self, hall: HallLink, keys: Keys, address: str) -> None:
        self.hall, self.keys, self.address = hall, keys, address
        self.stream = Stream(hall)
        loader = PackageLoader("referee.web", "templates")
        self._pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)

    def app(self, hosts: list[str]) -> Starlette:
        """The application, answering to these host names."""

        @asynccontextmanager
        async def running(_app: Starlette) -> AsyncIterator[None]:
            self.stream.start()
            yield
            await self.stream.stop()

        get = ["GET"]
        routes = [
            *(Route(path, partial(self.page, name=name), methods=get) for path, name in PAGES.items()),
            *KeyRoutes(self.keys, PAGES).routes(),
            static_files(STATIC),
            Route("/events", self.events, methods=get),
            Route("/board.json", self.board, methods=get),
        ]
        guard = Middleware(Guard, keys=self.keys, hosts=hosts)
        return Starlette(routes=routes, middleware=[guard], exception_handlers=faults_in_json(), lifespan=running)

    async def page(self, request: Request, name: str) -> Response:
        """A page in the language of the device."""
        language = self._language(request)
        joining = {}
        if name == "join":
            link = f"{self.address}/enter?key={self.keys.viewer}"
            joining = {"link": link, "code": code_of(link)}
        spoken = words(language)
        text = self._pages.get_template(f"{name}.html").render(
            words=spoken,
            language=language,
            languages=[(code, words(code)["language"]) for code in LANGUAGES],
            page=name,
            pages=list(PAGES.items()) if not self.keys.local else [],
            path=request.url.path,
            title=self.hall.board()[1].title or spoken["hall"],
            recording=False,
            referee=False,
            **joining,
        )
        return HTMLResponse(text)

    async def events(self, request: Request) -> Response:
        """The board as a stream of events."""
        if self.stream.listeners >= LISTENERS:
            raise HTTPException(503, "Too many devices.")
        return EventSourceResponse(self.stream.events(self._language(request)), ping=BEAT_S)

    async def board(self, request: Request) -> Response:
        """The board once."""
        return Response(self.stream.text(self._language(request))[1], media_type="application/json")

    def _language(self, request: Request) -> str:
        wanted, accepted = request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", "")
        return language_of(wanted, accepted, "en")
