"""The hall's page: a Starlette application over one board of all tables. It is only ever read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from referee.rules.messages import LANGUAGES
from referee.web.answers import faults_in_json
from referee.web.board_routes import BoardRoutes
from referee.web.guard import Guard, Keys
from referee.web.hall_board import HallLink
from referee.web.key_routes import KeyRoutes, static_files
from referee.web.qr import code_of
from referee.web.stream import Stream
from referee.web.wording import words

PAGES = {"/": "hall", "/join": "join"}
STATIC = {"style.css": "text/css", "hall.css": "text/css", "live.js": "text/javascript", "hall.js": "text/javascript"}


class HallPages:
    """The routes over `hall`. address: how others reach this server."""

    def __init__(self, hall: HallLink, keys: Keys, address: str) -> None:
        self.hall, self.keys, self.address = hall, keys, address
        self.stream = Stream(hall)
        self._live = BoardRoutes(self.stream, "en")
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
            Route("/events", self._live.events, methods=get),
            Route("/board.json", self._live.board, methods=get),
        ]
        guard = Middleware(Guard, keys=self.keys, hosts=hosts)
        faults = faults_in_json(self._live.language)
        return Starlette(routes=routes, middleware=[guard], exception_handlers=faults, lifespan=running)

    async def page(self, request: Request, name: str) -> Response:
        """A page in the language of the device."""
        language = self._live.language(request)
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
