"""What other rooms word in English, in the language of a page."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import referee
from referee.calibration.board import Board
from referee.calibration.solving import solve_by_corners, solve_by_markers
from referee.faults import InputFault
from referee.rules.messages import LANGUAGES
from referee.rules.profiles import load_profile, preset_names
from referee.rules.profiles.documents import seed_titles
from referee.web.lines import fault_in, line_in

LINES = tomllib.loads((files("referee.web") / "words" / "lines.toml").read_text(encoding="utf-8"))["line"]
SOURCE = " ".join(
    path.read_text(encoding="utf-8")
    for pattern in ("*.py", "rules/profiles/presets/*.toml")
    for path in sorted(Path(referee.__file__).parent.rglob(pattern))
    if path.name != "lines.py"
)
MADE_UP_OF_PARTS = {"1 spot", "{a} spots", "1 seat", "{a} seats", "draw", "discard"}
"""Words within other lines, which the source puts together from smaller ones."""


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["says"])
def test_every_line_stands_in_the_source_and_in_every_language(line: dict[str, str]) -> None:
    """A line that was worded anew would be English again on every page."""
    if line["says"] not in MADE_UP_OF_PARTS:
        for part in re.split(r"\{[a-z]\},? ?", re.sub(r"^table\.\w+: ", "", line["says"])):
            assert part in SOURCE, part
    for language in set(LANGUAGES) - {"en"}:
        assert set(re.findall(r"\{[a-z]\}", line[language])) <= set(re.findall(r"\{[a-z]\}", line["says"]))


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_rules_have_a_title_in_every_language(name: str, language: str) -> None:
    title = load_profile(name).title
    if title not in {title for title, _ in seed_titles().values()}:
        assert line_in(title, language) != title
    assert line_in(title, "en") == title


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("pt", "a imagem está escura"),
        ("es", "la imagen está oscura"),
        ("ro", "imaginea este întunecată"),
        ("en", "dark"),
    ],
)
def test_a_fault_says_what_and_what_to_do(language: str, says: str) -> None:
    with pytest.raises(InputFault) as dark:
        solve_by_markers([np.zeros((480, 640, 3), np.uint8)], Board())
    assert says in fault_in(dark.value, language)


def test_a_page_names_no_option_of_the_command_line() -> None:
    grey = np.full((480, 640, 3), 120, np.uint8)
    with pytest.raises(InputFault, match="in order") as crossed:
        solve_by_corners([grey], [(0.1, 0.1), (0.1, 0.9), (0.9, 0.9), (0.9, 0.1)])
    assert "--" not in fault_in(crossed.value, "en")


def test_parts_are_in_the_language_too() -> None:
    assert line_in("draw and P1 lie on one another", "es").startswith("El mazo y P1 quedan")
    assert line_in("Las reglas de UNO, a Wild may open", "pt") == "Las reglas de UNO, um coringa pode abrir"


def test_what_it_does_not_know_is_left_as_it_is() -> None:
    assert line_in("something else", "pt") == "something else"
    assert fault_in(InputFault("is odd", where="here", mend="do it"), "pt") == "here: is odd (do it)"
