"""The pages and what they ask for: a Starlette application over one table."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    Response,
)
from starlette.routing import Route

from referee.rules.messages import LANGUAGES
from referee.session.corrections import INSERTS, Correction, read_correction
from referee.web.answers import faults_in_json, json_of
from referee.web.api_json import answer_json, case_json, move_json
from referee.web.board_routes import BoardRoutes
from referee.web.guard import Guard, Keys, Rate
from referee.web.key_routes import KeyRoutes, static_files
from referee.web.live_marks import mark_in_words
from referee.web.qr import code_of
from referee.web.stream import Stream
from referee.web.table_link import TableLink
from referee.web.wording import words

PAGES = {"/": "scoreboard", "/table": "table", "/review": "review", "/right": "put_right", "/join": "join"}
STATIC = {
    "style.css": "text/css",
    **{f"{name}.js": "text/javascript" for name in ("live", "scoreboard", "table", "review", "put_right")},
}


class Pages:
    """The routes over `table`. address: how phones reach this server, `http://192.168.1.5:8400`."""

    def __init__(self, table: TableLink, keys: Keys, address: str) -> None:
        self.table, self.keys, self.address = table, keys, address
        self.stream = Stream(table)
        self._live = BoardRoutes(self.stream, table.plan.language)
        self._cutting, self._clips = asyncio.Lock(), Rate(1.0, 10.0)
        loader = PackageLoader("referee.web", "templates")
        self._pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)

    def app(self, hosts: list[str]) -> Starlette:
        """The application, answering to these host names."""

        @asynccontextmanager
        async def running(_app: Starlette) -> AsyncIterator[None]:
            self.stream.start()
            yield
            await self.stream.stop()

        get, post = ["GET"], ["POST"]
        routes = [Route(path, partial(self.page, name=name), methods=get) for path, name in PAGES.items()]
        routes += [
            *KeyRoutes(self.keys, PAGES).routes(),
            static_files(STATIC),
            Route("/events", self._live.events, methods=get),
            Route("/board.json", self._live.board, methods=get),
            Route("/picture.jpg", self.picture, methods=get),
            Route("/marks.json", self.marks, methods=get),
            Route("/incidents.json", self.incidents, methods=get),
            Route("/incidents/{number:int}/clip.mp4", self.clip, methods=get),
            Route("/incidents/{number:int}/{word}", self.settle, methods=post),
            Route("/moves.json", self.moves, methods=get),
            Route("/corrections", self.correct, methods=post),
            Route("/voice/{word}", self.voice, methods=post),
        ]
        guard = Middleware(Guard, keys=self.keys, hosts=hosts)
        faults = faults_in_json(self._live.language)
        return Starlette(routes=routes, middleware=[guard], exception_handlers=faults, lifespan=running)

    async def page(self, request: Request, name: str) -> Response:
        """One of the pages, in the language of the device."""
        language = self._live.language(request)
        referee = request.scope["role"] == "referee"
        joining = {}
        if name == "join":
            link = f"{self.address}/enter?key={self.keys.viewer}"
            joining = {"link": link, "code": code_of(link)}
        text = self._pages.get_template(f"{name}.html").render(
            words=words(language),
            language=language,
            languages=[(code, words(code)["language"]) for code in LANGUAGES],
            page=name,
            pages=list(PAGES.items()),
            path=request.url.path,
            title=self.table.plan.title,
            recording=self.table.recording,
            referee=referee,
            **joining,
        )
        return HTMLResponse(text)

    async def picture(self, _request: Request) -> Response:
        """The newest frame."""
        picture = await run_in_threadpool(self.table.picture)
        if picture is None:
            raise HTTPException(404)
        return Response(picture.jpeg, media_type="image/jpeg", headers={"X-Taken-At": f"{picture.t_s:.3f}"})

    async def marks(self, request: Request) -> Response:
        """What was seen on the newest frame, in fractions of it."""
        picture = await run_in_threadpool(self.table.picture)
        if picture is None:
            return JSONResponse({"t_s": None, "marks": []})
        language = self._live.language(request)
        marks = [mark_in_words(mark, language) for mark in picture.marks]
        return JSONResponse({"t_s": round(picture.t_s, 3), "marks": marks})

    async def incidents(self, request: Request) -> Response:
        """The incidents with their evidence and rules."""
        cases = await run_in_threadpool(self.table.cases)
        board, language = self.table.board()[1], self._live.language(request)
        return JSONResponse([case_json(case, self.table.plan, board, language) for case in cases])

    async def clip(self, request: Request) -> Response:
        """The moment of an incident, cut from the recording when it is asked for."""
        if self._cutting.locked() or not self._clips.take():
            raise HTTPException(429, "A clip is being cut. Try again in a moment.")
        async with self._cutting:
            return await self._cut(request.path_params["number"])

    async def _cut(self, number: int) -> Response:
        with tempfile.TemporaryDirectory() as room:
            clip = await run_in_threadpool(self.table.clip, number, Path(room))
            data = clip.read_bytes()
        return Response(data, media_type="video/mp4")

    async def settle(self, request: Request) -> Response:
        """The table upholds or overturns an incident."""
        number, word = request.path_params["number"], request.path_params["word"]
        cases = {case.number: case for case in await run_in_threadpool(self.table.cases)}
        if word not in ("upheld", "overturned") or number not in cases:
            raise HTTPException(404)
        correction = Correction(word, about=(cases[number].line.id,), by="page")
        return JSONResponse(answer_json(await run_in_threadpool(self.table.correct, correction)))

    async def moves(self, request: Request) -> Response:
        """The last things noticed, with what they may have been."""
        language = self._live.language(request)
        moves = await run_in_threadpool(self.table.moves)
        return JSONResponse([move_json(move, self.table.plan, language) for move in moves])

    async def correct(self, request: Request) -> Response:
        """Put something right."""
        payload = {**await json_of(request), "by": "page"}
        if payload.get("what") in INSERTS and not payload.get("about"):
            payload.setdefault("at_s", self.table.now_s())  # it happened just now
        correction = read_correction(payload)
        return JSONResponse(answer_json(await run_in_threadpool(self.table.correct, correction)))

    async def voice(self, request: Request) -> Response:
        """Mute the table's own voice, or let it speak again."""
        word = request.path_params["word"]
        if word not in ("mute", "speak") or not self.table.mute(word == "mute"):
            raise HTTPException(404)
        return JSONResponse({"new": True})
