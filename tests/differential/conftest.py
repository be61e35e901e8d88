"""The engines that the judge is compared with; a test skips where one is not installed, or fails if it must be there.

`.ci/differential` installs both and sets REFEREE_ENGINES=required, so that nothing is skipped there.
"""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

import pytest

from tests.differential.rlcard_engine import RlcardEngine
from tests.differential.uno_engine import UnoEngine

NODE_FOLDER = Path(__file__).parent / "node"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "differential: compares the judge with another engine (needs it installed)")


@pytest.fixture(scope="session")
def rlcard_engine() -> RlcardEngine:
    """RLCard 1.2.0."""
    try:
        uno = importlib.import_module("rlcard.games.uno")
    except ImportError:
        _absent("RLCard is not installed: pip install '.[differential]'")
    if version("rlcard") != "1.2.0":
        _absent(f"RLCard {version('rlcard')} is installed: the mask was found for 1.2.0")
    return RlcardEngine(uno)


@pytest.fixture(scope="session")
def uno_engine() -> Iterator[UnoEngine]:
    """uno-engine 2.0.3, in a Node process of its own."""
    node = shutil.which("node")
    if node is None:
        _absent("Node is not installed: uno-engine runs on it")
    if not (NODE_FOLDER / "node_modules" / "uno-engine").is_dir():
        _absent("uno-engine is not installed: run `npm ci` in tests/differential/node")
    with UnoEngine(node, NODE_FOLDER / "driver.cjs") as engine:
        assert engine.version == "2.0.3", "the mask was found for 2.0.3"
        yield engine


def _absent(reason: str) -> NoReturn:
    if os.environ.get("REFEREE_ENGINES") == "required":
        pytest.fail(reason)
    pytest.skip(reason)
