"""The set-up page: a Starlette application over one table that is being set up."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from referee.cards import Seat
from referee.faults import InputFault
from referee.rules.messages import LANGUAGES
from referee.rules.profiles import load_profile, preset_names
from referee.web.answers import faults_in_json, json_of, point_of
from referee.web.guard import Guard, Keys
from referee.web.house_rules import questions
from referee.web.key_routes import LANGUAGE_COOKIE, KeyRoutes, static_files
from referee.web.lines import line_in
from referee.web.set_up import SetUp
from referee.web.wording import language_of, words

NOT_FROM_A_PAGE = frozenset(
    {("table", "calibration"), ("table", "deck"), ("speech", "model"), ("recording", "folder"), ("format", "format")}
)
"""Settings that name files: no path of a request reaches the disk. The hall's part has a password besides."""

FILES = {"style.css": "text/css", "live.js": "text/javascript", "set_up.js": "text/javascript"}


class SetUpPages:
    """The routes over `table`; only the referee's key opens them."""

    def __init__(self, table: SetUp, keys: Keys) -> None:
        self.table, self.keys = table, keys
        loader = PackageLoader("referee.web", "templates")
        self._pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)

    def app(self, hosts: list[str]) -> Starlette:
        """The application, answering to these host names."""
        get, post = ["GET"], ["POST"]
        routes = [
            Route("/", self.page, methods=get),
            Route("/state.json", self.state, methods=get),
            Route("/picture.jpg", self.picture, methods=get),
            Route("/preview.png", self.preview, methods=get),
            Route("/rules/{name:path}", self.rules, methods=get),
            Route("/questions/{name:path}", self.questions, methods=get),
            Route("/house-rules", self.house_rules, methods=post),
            Route("/settings", self.settings, methods=post),
            Route("/calibration/solve", self.solve, methods=post),
            Route("/calibration/place", self.place, methods=post),
            Route("/uno/{seat}", self.uno, methods=post),
            Route("/voices", self.voices, methods=post),
            *KeyRoutes(self.keys, ["/"]).routes(),
            static_files(FILES),
        ]
        guard = Middleware(Guard, keys=self.keys, hosts=hosts)
        return Starlette(routes=routes, middleware=[guard], exception_handlers=faults_in_json(self._language))

    async def page(self, request: Request) -> Response:
        """The page."""
        language = self._language(request)
        text = self._pages.get_template("set_up.html").render(
            words=words(language),
            language=language,
            languages=[(code, words(code)["language"]) for code in LANGUAGES],
            page="set_up",
            pages=[("/", "set_up")],
            path="/",
            title="",
            recording=False,
            referee=request.scope["role"] == "referee",
        )
        return HTMLResponse(text)

    async def state(self, request: Request) -> Response:
        """All that the page shows."""
        state, language = await run_in_threadpool(self.table.state), self._language(request)
        rules = [{**one, "title": line_in(one["title"], language)} for one in state["rules"]]
        remarks = [line_in(remark, language) for remark in state["remarks"]]
        return JSONResponse({**state, "rules": rules, "remarks": remarks})

    async def picture(self, _request: Request) -> Response:
        """The newest frame."""
        return _image(await run_in_threadpool(self.table.picture), "image/jpeg")

    async def preview(self, _request: Request) -> Response:
        """What was understood of the table."""
        return _image(self.table.preview(), "image/png")

    async def rules(self, request: Request) -> Response:
        """What these rules do otherwise than the official ones."""
        name = self._known_rules(request.path_params["name"])
        found = await run_in_threadpool(self.table.rules_against_the_official, name, self._language(request))
        return JSONResponse(found)

    async def questions(self, request: Request) -> Response:
        """House rules as questions, answered as these rules do."""
        profile = await run_in_threadpool(load_profile, self._known_rules(request.path_params["name"]))
        return JSONResponse(questions(profile, self._language(request)))

    async def house_rules(self, request: Request) -> Response:
        """Rules of one's own, from answers."""
        given = await json_of(request)
        answers = given.get("answers", {})
        if not isinstance(answers, dict):
            raise InputFault("answers: is no table", where="the request")
        name = await run_in_threadpool(self.table.write_house_rules, given.get("base"), answers)
        return JSONResponse({"new": True, "name": name})

    async def settings(self, request: Request) -> Response:
        """Write settings."""
        changes = await json_of(request)
        if not all(isinstance(values, dict) for values in changes.values()):
            raise InputFault("is no change of settings", where="the request")
        for part, key in ((part, key) for part, values in changes.items() for key in values):
            if part == "hall" or (part, key) in NOT_FROM_A_PAGE:
                raise InputFault(f"{part}.{key}: cannot be set from a page", mend="write it into the settings file")
        profile = changes.get("table", {}).get("profile")
        if profile is not None:
            self._known_rules(profile)
        await run_in_threadpool(self.table.change, changes)
        return JSONResponse({"new": True})

    async def solve(self, request: Request) -> Response:
        """Find the table's plane."""
        given = (await json_of(request)).get("corners")
        corners = None if given is None else _points(given)
        return self._noted(request, await run_in_threadpool(self.table.solve, corners))

    async def place(self, request: Request) -> Response:
        """Place piles and seats, and store it."""
        given = await json_of(request)
        seats = given.get("seats", {})
        if not isinstance(seats, dict):
            raise InputFault("seats: is no table of points", where="the request")
        at = {_seat(name): point_of(point) for name, point in seats.items()}
        piles = [None if given.get(name) is None else point_of(given[name]) for name in ("discard", "draw")]
        notes = await run_in_threadpool(self.table.place, piles[0], piles[1], at)
        return self._noted(request, notes)

    async def uno(self, request: Request) -> Response:
        """Listen for a player's UNO."""
        self.table.test_uno(_seat(request.path_params["seat"]))
        return JSONResponse({"new": True})

    async def voices(self, request: Request) -> Response:
        """Whether the players agree that their voices are learnt; if not, they are forgotten."""
        agreed = (await json_of(request)).get("learn")
        if not isinstance(agreed, bool):
            raise InputFault("learn: is neither true nor false", where="the request")
        await run_in_threadpool(self.table.learn_voices, agreed)
        return JSONResponse({"new": True})

    def _noted(self, request: Request, notes: list[str]) -> Response:
        language = self._language(request)
        return JSONResponse({"new": True, "notes": [line_in(note, language) for note in notes]})

    def _known_rules(self, name: Any) -> str:
        """A preset, or what the settings name already: a page opens no other file."""
        names = [*preset_names(), self.table.settings.table.profile]
        if name not in names:
            raise InputFault(f"there are no rules {name!r}", mend="choose one of " + ", ".join(preset_names()))
        return str(name)

    def _language(self, request: Request) -> str:
        wanted, accepted = request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", "")
        return language_of(wanted, accepted, self.table.settings.table.language)


def _points(given: Any) -> list[tuple[float, float]]:
    if not isinstance(given, list) or len(given) != 4:
        many = f"{len(given)} corners" if isinstance(given, list) else "is no list of corners"
        raise InputFault(f"{many}; a table has four", where="the request", mend="tap all four, clockwise")
    return [point_of(one) for one in given]


def _image(content: bytes | None, kind: str) -> Response:
    if content is None:
        raise HTTPException(404)
    return Response(content, media_type=kind)


def _seat(name: Any) -> Seat:
    try:
        return Seat.parse(str(name))
    except ValueError as fault:
        raise InputFault(str(fault), where="the request") from None
