"""Every scenario gets exactly its rulings, from the words of the game alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.rules.situations import assert_ruled

SCENARIOS = tomllib.loads((Path(__file__).parent / "scenarios.toml").read_text(encoding="utf-8"))["scenario"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{s['id']} {s['title']}" for s in SCENARIOS])
def test_a_real_quarrel_is_ruled_as_it_should_be(scenario: dict[str, str]) -> None:
    assert_ruled(scenario["ugn"], scenario["profile"])


def test_all_scenarios_are_there() -> None:
    assert len(SCENARIOS) == 44
