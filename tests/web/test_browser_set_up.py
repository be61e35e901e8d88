"""A family sets its table up in a real browser on a phone: names, house rules, corners and places by taps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.rules.profiles import load_profile
from referee.session.settings import load_settings
from referee.vision.zones import TableZones
from referee.web.server import PageServer
from referee.web.set_up import SetUp
from tests.web.test_browser import browser, device, pytestmark, shot, texts  # noqa: F401  (the same Chromium)
from tests.web.test_set_up import CORNERS, PLACES, Ear, devices, ear, table  # noqa: F401  (a table to set up)

DOCUMENTS = ("As Regras Completas para o Jogo", "Regras do UNO: como", "Joc de masa UNO (", "Las reglas de UNO (")
"""Names of documents, which no language changes."""


@pytest.fixture
def served(table: SetUp) -> Iterator[PageServer]:  # noqa: F811
    server = PageServer(table, port=0)
    serving = server.start()
    yield server
    server.stop()
    serving.join(5.0)


def tap(page: Any, points: list[Any]) -> None:
    box = page.locator("#picture").bounding_box()
    for x, y in points:
        page.locator("#tapped").click(position={"x": x * box["width"], "y": y * box["height"]})


def test_a_family_sets_its_table_up(browser: Any, served: PageServer, ear: Ear, tmp_path: Path) -> None:  # noqa: F811
    page = device(browser, served.referee_link)
    page.wait_for_selector("#picture:not([hidden])", timeout=15_000)
    page.get_by_role("button", name="Remove Player 3").click()
    page.get_by_label("Player 1", exact=True).fill("Ana")
    page.get_by_label("Player 2", exact=True).fill("Bruno")
    page.click("#questions summary")
    page.get_by_label("When you can't play").select_option("keeps drawing until one fits")
    page.get_by_role("button", name="Play by these answers").click()
    page.wait_for_selector("text=Saved.")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Find it by its four corners").click()
    tap(page, CORNERS)
    page.wait_for_selector("#by-taps:not([hidden])", timeout=15_000)
    page.locator("#by-taps").click()
    places: Any = PLACES
    tap(page, [places["discard"], places["draw"], places["seats"]["P1"], places["seats"]["P2"]])
    page.wait_for_selector("#preview:not([hidden])", timeout=15_000)
    page.get_by_label("Know the players by their voices, too").check()
    for said in ("heard ✓, once more", "heard ✓, voice known"):
        page.get_by_role("button", name="Ana: say UNO").click()
        ear.next = [("uno", "sure")]
        page.wait_for_selector(f"text={said}")
    shot(page, "set-up")
    kept = load_settings(tmp_path / "table.toml").table
    assert kept.players == ["Ana", "Bruno"]
    assert load_profile(kept.profile).turn.draw == "until_playable"
    assert len(TableZones.from_toml(Path(kept.calibration)).seats) == 2


@pytest.mark.parametrize("language", ["pt", "es", "ro"])
def test_nothing_on_it_is_left_in_english(browser: Any, served: PageServer, language: str) -> None:  # noqa: F811
    """Rules, questions and answers, and what it says when no table is found, too."""
    looks = [{"locale": language, "color_scheme": "dark"}, {"locale": "en"}]
    own, english = (device(browser, served.referee_link, **look) for look in looks)
    for page in (own, english):
        page.wait_for_selector("#picture:not([hidden])", timeout=15_000)
        page.wait_for_selector("#asked select", state="attached")
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.select_option("#profile", "party")
        page.wait_for_selector("#differences li:nth-child(5)")
        page.locator("#by-sheet").click()
        page.wait_for_selector("#done.fault")
    same = {text for text in texts(own) & texts(english) if not text.startswith(DOCUMENTS)}
    assert same - {"English", "Português", "Español", "Română", "referee watch"} == set()
    shot(own, f"{language}-set-up-dark")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault_on_it(browser: Any, served: PageServer, scheme: str) -> None:  # noqa: F811
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = device(browser, served.referee_link, color_scheme=scheme)
    page.wait_for_selector("#picture:not([hidden])", timeout=15_000)
    page.click("#questions summary")
    found = axe.run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"][:120]) for v in found if v["impact"] in ("serious", "critical")] == []
