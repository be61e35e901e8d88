"""The pages in a real browser: a phone beside the table, a second one, the referee's device.

Screenshots of every page are left in `build/screens/` for people to look at.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.cards import Seat
from referee.observations import CallHeard, Observation
from referee.session.folder import log_of
from referee.web.app import PAGES
from referee.web.server import PageServer
from tests.session.drawn_log import PLAN, drew, landed
from tests.web.scripted_table import ScriptedTable

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.enable_socket,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]
P1, P2 = Seat.P1, Seat.P2
SCREENS = Path("build/screens")
PHONE = {"width": 390, "height": 844}
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
SCRIPT: list[Observation] = [
    replace(landed("v1", 0.2, "R9", P1), seen_s=0.3),
    replace(landed("v2", 0.6, "R3", P2), seen_s=0.7),
    replace(drew("v3", 1.0, P1, 1), seen_s=1.1),
    replace(landed("v4", 1.4, "R6", P2), seen_s=1.5),
    CallHeard(id="a1", t_s=1.6, seen_s=1.7, end_s=1.6, call="uno"),
    replace(landed("v5", 2.4, "G9", P1), seen_s=2.5),
]
"""The green 9 that P1 lays on red 6 was a green 6, if one looks again."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield opened
        opened.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[PageServer]:
    """The pages of a table that plays SCRIPT."""
    with ScriptedTable(tmp_path / "evening", PLAN, SCRIPT) as table:
        server = PageServer(table, port=0)
        serving = server.start()
        yield server
        server.stop()
        serving.join(5.0)


def device(browser: Any, link: str, **look: Any) -> Any:
    """A device's page, opened by a link; fails on any error of its scripts."""
    context = browser.new_context(viewport=PHONE, bypass_csp=True, **look)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.goto(link)
    return page


def shot(page: Any, name: str) -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(SCREENS / f"{name}.png"), full_page=True)


def test_a_foul_appears_on_two_phones_and_goes_when_a_card_is_put_right(
    browser: Any, served: PageServer, tmp_path: Path
) -> None:
    phones = [device(browser, served.address), device(browser, served.address, color_scheme="dark")]
    for phone in phones:
        phone.wait_for_selector("#rulings li.foul", timeout=15_000)
        assert "green 9 does not fit red 6" in phone.inner_text("#rulings")
    shot(phones[0], "scoreboard")
    shot(phones[1], "scoreboard-dark")
    referee = device(browser, served.referee_link)
    referee.goto(f"{served.address}/right")
    move = referee.locator("#moves > li", has_text="green 9")
    shot(referee, "put-right")
    move.get_by_role("button", name="green 6", exact=True).first.click()
    referee.wait_for_selector("text=Noted. Judged again.")
    for phone in phones:
        phone.wait_for_selector("#rulings li.foul", state="detached", timeout=10_000)
    corrections = [line.payload for line in log_of(tmp_path / "evening") if line.type == "correction"]
    assert [(c["what"], c["card"], c["by"]) for c in corrections] == [("card", "G6", "page")]


def test_a_ruling_is_overturned_and_viewers_see_it(browser: Any, served: PageServer) -> None:
    referee = device(browser, served.referee_link)
    referee.wait_for_selector("#rulings li.foul", timeout=15_000)
    referee.goto(f"{served.address}/review")
    referee.get_by_role("button", name="Overturn").first.click()
    referee.wait_for_selector("text=overturned")
    shot(referee, "review")
    viewer = device(browser, f"{served.address}/review")
    viewer.wait_for_selector("text=overturned")
    assert viewer.get_by_role("button", name="Overturn").count() == 0


def test_each_device_speaks_its_own_language(browser: Any, served: PageServer) -> None:
    phone = device(browser, served.address, locale="pt-BR")
    phone.wait_for_selector("#rulings li.foul", timeout=15_000)
    assert "não combina" in phone.inner_text("#rulings")
    phone.get_by_role("link", name="Română").click()
    phone.wait_for_selector("#rulings li.foul", timeout=10_000)
    assert phone.get_attribute("html", "lang") == "ro"


def test_the_table_page_shows_the_picture_with_what_was_seen(browser: Any, served: PageServer) -> None:
    page = device(browser, served.address)
    page.wait_for_selector("#rulings li.foul", timeout=15_000)
    page.goto(f"{served.address}/table")
    page.wait_for_selector("#picture:not([hidden])", timeout=10_000)
    page.wait_for_selector("#seen li")
    assert "green 9" in page.inner_text("#seen")
    shot(page, "table")


def test_dark_mode_is_dark(browser: Any, served: PageServer) -> None:
    page = device(browser, served.address, color_scheme="dark")
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in colour.strip("rgb()").split(",")) < 60


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(browser: Any, served: PageServer, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = device(browser, served.referee_link, color_scheme=scheme)
    page.wait_for_selector("#rulings li.foul", timeout=15_000)
    for path in PAGES:
        page.goto(f"{served.address}{path}")
        page.wait_for_load_state("load")
        page.wait_for_timeout(300)
        found = axe.run(page).response["violations"]
        serious = [(v["id"], v["nodes"][0]["html"][:120]) for v in found if v["impact"] in ("serious", "critical")]
        assert serious == [], path


def test_all_can_be_done_by_keyboard(browser: Any, served: PageServer) -> None:
    page = device(browser, served.referee_link)
    page.wait_for_selector("#rulings li.foul", timeout=15_000)
    page.goto(f"{served.address}/right")
    page.wait_for_selector("#moves > li")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Noted. Judged again.")
