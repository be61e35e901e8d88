"""Reading what a page sends, and answering faults in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.faults import InputFault
from referee.web.lines import fault_in


async def json_of(request: Request) -> dict[str, Any]:
    """The JSON object that a request carries. Raises InputFault for what no log or TOML file can hold."""
    try:
        payload = json.loads(await request.body(), parse_constant=_no_number)
        json.dumps(payload, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise InputFault("is no JSON", where="the request") from None
    if not isinstance(payload, dict):
        raise InputFault("is no correction", where="the request")
    return payload


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def point_of(value: Any) -> tuple[float, float]:
    """A point in fractions of the picture. Raises InputFault."""
    if not (isinstance(value, list) and len(value) == 2 and all(_is_fraction(v) for v in value)):
        raise InputFault(f"{value!r} is no point", where="the request", mend="send [x, y] in fractions from 0 to 1")
    return float(value[0]), float(value[1])


def _is_fraction(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0


def faults_in_json(language_of: Callable[[Request], str]) -> Any:
    """Handlers for Starlette: a fault is one clear line in JSON, in the language of the page, never a traceback."""

    async def told(request: Request, fault: Exception) -> Response:
        line = fault_in(fault, language_of(request)) if isinstance(fault, InputFault) else str(fault)
        return JSONResponse({"fault": line}, 422)

    return {InputFault: told, HTTPException: _plain}


async def _plain(_request: Request, fault: Exception) -> Response:
    status = fault.status_code if isinstance(fault, HTTPException) else 500
    detail = fault.detail if isinstance(fault, HTTPException) else "fault"
    return JSONResponse({"fault": detail}, status)
