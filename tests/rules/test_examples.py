"""The examples in the documentation of the rules do what they say."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from referee.rules import record, table


@pytest.mark.parametrize("module", [table, record])
def test_examples(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
