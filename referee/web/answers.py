"""Reading what a page sends, and answering faults in JSON."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.faults import InputFault


async def json_of(request: Request) -> dict[str, Any]:
    """The JSON object that a request carries. Raises InputFault."""
    try:
        payload = await request.json()
    except (ValueError, RecursionError):
        raise InputFault("is no JSON", where="the request") from None
    if not isinstance(payload, dict):
        raise InputFault("is no correction", where="the request")
    return payload


def point_of(value: Any) -> tuple[float, float]:
    """A point in fractions of the picture. Raises InputFault."""
    if not (isinstance(value, list) and len(value) == 2 and all(isinstance(v, int | float) for v in value)):
        raise InputFault(f"{value!r} is no point", where="the request", mend="send [x, y] in fractions from 0 to 1")
    return float(value[0]), float(value[1])


def faults_in_json() -> Any:
    """Handlers for Starlette: a fault is one clear line in JSON, never a traceback."""
    return {InputFault: _fault, HTTPException: _plain}


async def _fault(_request: Request, fault: Exception) -> Response:
    return JSONResponse({"fault": str(fault)}, 422)


async def _plain(_request: Request, fault: Exception) -> Response:
    status = fault.status_code if isinstance(fault, HTTPException) else 500
    detail = fault.detail if isinstance(fault, HTTPException) else "fault"
    return JSONResponse({"fault": detail}, status)
