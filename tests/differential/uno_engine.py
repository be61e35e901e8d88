"""uno-engine in its Node process: one JSON object a line each way."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from referee.cards import Card, Colour


class UnoEngine:
    """A process that answers requests; use it as a context manager. See `node/driver.cjs` for the requests."""

    def __init__(self, node: str, driver: Path) -> None:
        self._process = subprocess.Popen(
            [node, str(driver)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.version: str = self.ask(op="version")["version"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate(timeout=30)

    def ask(self, **request: Any) -> Mapping[str, Any]:
        """The engine's answer; AssertionError when the process failed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the engine's process ended at {request}"
        answer: dict[str, Any] = json.loads(line)
        return answer


def named(card: Card, colour: Colour) -> str:
    """A card as the driver reads it: a wild with the colour named for it, `W>B`."""
    return f"{card}>{colour}" if card.is_wild else card.code
