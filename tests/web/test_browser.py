"""The pages in a real browser: a phone beside the table, a second one, the referee's device.

Screenshots of every page are left in `build/screens/` for people to look at.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.cards import Seat
from referee.observations import CallHeard, Observation
from referee.session.folder import log_of
from referee.vision.outlines import ArmOutline
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

READY = {
    "/": "#rulings li.foul",
    "/table": "#marks .arm",
    "/review": "#cases li",
    "/right": "#moves > li",
    "/join": ".code",
}
"""What shows that a page is whole."""

NAMES = re.compile(r"^(Two at a table|Ana|Bruno|(QR: )?http\S+)$")
SAME_IN = {"pt": frozenset[str](), "es": frozenset[str](), "ro": frozenset[str]()}
"""Words that are the same in that language and in English."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield opened
        opened.close()


@contextmanager
def pages_of(folder: Path) -> Iterator[PageServer]:
    """The pages of a table that plays SCRIPT, with an arm over it."""
    arms = [ArmOutline(P2, ((0.42, 0.0), (0.5, 0.0), (0.47, 0.3), (0.41, 0.34), (0.38, 0.28)))]
    with ScriptedTable(folder, PLAN, SCRIPT, arms=arms) as table:
        server = PageServer(table, port=0)
        serving = server.start()
        yield server
        server.stop()
        serving.join(5.0)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[PageServer]:
    """A table that begins to play now."""
    with pages_of(tmp_path / "evening") as server:
        yield server


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    """One table for all tests that look, or change what the others do not look at."""
    with pages_of(tmp_path_factory.mktemp("table") / "evening") as server:
        yield server


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
    browser: Any, fresh: PageServer, tmp_path: Path
) -> None:
    phones = [device(browser, fresh.address), device(browser, fresh.address, color_scheme="dark")]
    for phone in phones:
        phone.wait_for_selector("#rulings li.foul", timeout=15_000)
        assert "green 9 does not fit red 6" in phone.inner_text("#rulings")
    shot(phones[0], "scoreboard")
    shot(phones[1], "scoreboard-dark")
    referee = device(browser, fresh.referee_link)
    referee.goto(f"{fresh.address}/right")
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
    page.wait_for_selector("#marks .arm", state="attached")
    assert "Bruno's arm" in page.text_content("#marks")
    assert "camera: running" in page.inner_text("#health")
    shot(page, "table")


def test_dark_mode_is_dark(browser: Any, served: PageServer) -> None:
    page = device(browser, served.address, color_scheme="dark")
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in colour.strip("rgb()").split(",")) < 60


def test_axe_finds_no_serious_fault(browser: Any, served: PageServer) -> None:
    """In the light all of it, in the dark the colours, which alone are others."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = device(browser, served.referee_link)
    page.wait_for_selector("#rulings li.foul", timeout=15_000)
    for path, ready in READY.items():
        page.goto(f"{served.address}{path}")
        page.wait_for_selector(ready, state="attached", timeout=10_000)
        for scheme, rules in (("light", None), ("dark", {"runOnly": ["color-contrast"]})):
            page.emulate_media(color_scheme=scheme)
            found = axe.run(page, options=rules).response["violations"]
            serious = [
                (v["id"], v["nodes"][0]["html"][:120]) for v in found if v["impact"] in ("serious", "critical")
            ]
            assert serious == [], (path, scheme)


def texts(page: Any) -> set[str]:
    """Every piece of text that can be read or is read aloud, but for names and what has no letters."""
    found = page.evaluate(
        """() => {
          const all = [];
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode;
            if (!node.parentElement.closest("script, .languages")) all.push(node.textContent);
          }
          for (const one of document.querySelectorAll("[aria-label], [alt]")) {
            all.push(one.getAttribute("aria-label") ?? one.alt);
          }
          return all;
        }"""
    )
    return {text.strip() for text in found if re.search("[a-z]{2}", text) and not NAMES.search(text)}


@pytest.mark.parametrize("language", ["pt", "es", "ro"])
def test_nothing_on_a_page_is_left_in_english(browser: Any, served: PageServer, language: str) -> None:
    """What reads the same in two languages is a name, or was forgotten."""
    own, english = (device(browser, served.referee_link, locale=name) for name in (language, "en"))
    own.wait_for_selector("#rulings li.foul", timeout=15_000)
    for path, ready in READY.items():
        for page in (own, english):
            page.goto(f"{served.address}{path}")
            page.wait_for_selector(ready, state="attached", timeout=10_000)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        same = texts(own) & texts(english)
        assert same - SAME_IN[language] == set(), path
        shot(own, f"{language}{path.replace('/', '-').rstrip('-')}")


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
