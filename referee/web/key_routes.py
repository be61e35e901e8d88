"""Routes that every set of pages has: entering with a key, choosing a language, and the static files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.rules.messages import LANGUAGES
from referee.web.guard import COOKIE, Keys

LANGUAGE_COOKIE = "referee_language"


class KeyRoutes:
    """Entering and languages. pages: the paths that a language link may lead back to."""

    def __init__(self, keys: Keys, pages: Collection[str]) -> None:
        self._keys, self._back = keys, pages

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            Route("/enter", self.enter, methods=["GET"]),
            Route("/language/{language}", self.set_language, methods=["GET"]),
        ]

    async def enter(self, request: Request) -> Response:
        """The link of the QR code: keeps the key as a cookie, and goes to the first page."""
        key = request.query_params.get("key", "")
        if self._keys.role(key) is None:
            return PlainTextResponse("This code is not of this table. Scan it again.\n", 403)
        response = RedirectResponse("/", 303)
        response.set_cookie(COOKIE, key, max_age=86_400, httponly=True, samesite="strict")
        return response

    async def set_language(self, request: Request) -> Response:
        """Keeps the device's language as a cookie, and goes back to where it was."""
        language = request.path_params["language"]
        if language not in LANGUAGES:
            raise HTTPException(404)
        back = request.query_params.get("back", "/")
        response = RedirectResponse(back if back in self._back else "/", 303)
        response.set_cookie(LANGUAGE_COOKIE, language, max_age=31_536_000, httponly=True, samesite="strict")
        return response


def static_files(kinds: Mapping[str, str]) -> Route:
    """Styles and scripts by name, from memory: no path of a request reaches the disk."""
    contents = {name: (files("referee.web") / "static" / name).read_bytes() for name in kinds}

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in contents:
            raise HTTPException(404)
        return Response(contents[name], media_type=kinds[name])

    return Route("/static/{name}", static, methods=["GET"])
