"""Setting a table up in the browser: settings are written, the table is found and placed, calls are tried."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from referee.capture.media import Image, SoundChunk
from referee.capture.sound_events import Level
from referee.cards import Card, Seat
from referee.hearing.voiceprint import VoicePrint
from referee.observations import CallHeard, CardReading
from referee.rules.profiles import load_profile
from referee.session.clock import SessionClock
from referee.session.devices import DeviceEvents, LiveDevices
from referee.session.parts import Parts
from referee.session.settings import load_settings
from referee.session.voiceprints import FILE_VARIABLE
from referee.vision.zones import TableZones
from referee.web.guard import COOKIE, Keys
from referee.web.set_up import SetUp
from referee.web.set_up_app import SetUpPages
from tests.web.conftest import HOST
from tests.web.scripted_table import StillCamera, wait_until

CARD_QUAD = ((150.0, 100.0), (170.0, 100.0), (170.0, 131.0), (150.0, 131.0))


class BigCamera(StillCamera):
    """The same pictures, large enough to calibrate on."""

    width_px, height_px = 640, 480

    def frames(self) -> Iterator[object]:  # type: ignore[override]
        for frame in super().frames():
            yield type(frame)(frame.t_s, frame.index, np.full((480, 640, 3), 120, np.uint8))


class OneCard:
    """A reader that sees a card in the middle."""

    def read(self, _image: Image, expected_card_px: float | None = None) -> list[CardReading]:
        quad = tuple((2 * x, 2 * y) for x, y in CARD_QUAD)
        return [CardReading(Card.parse("R5"), 0.99, quad, (("R5", 0.99),))]


class Microphone:
    """Ten chunks a second."""

    rate_hz, counts_samples = 16_000, True

    def __init__(self, clock: SessionClock) -> None:
        self._clock, self._stopped = clock, False

    def chunks(self) -> Iterator[SoundChunk]:
        number = 0
        while not self._stopped:
            yield SoundChunk(number / 10, np.zeros(1600, np.int16), 16_000)
            number += 1
            self._clock.sleep(0.02)

    def stop(self) -> None:
        self._stopped = True


class Ear:
    """Hears what the test says."""

    def __init__(self) -> None:
        self.next: list[tuple[str, str]] = []

    def hear(self, chunk: SoundChunk) -> list[CallHeard]:
        said, self.next = self.next, []
        t_s = chunk.t_s
        return [
            CallHeard(id=f"a{n}", t_s=t_s, seen_s=t_s, end_s=t_s, call=call, certainty=sure)
            for n, (call, sure) in enumerate(said)
        ]

    def close(self) -> list[CallHeard]:
        return []


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def devices() -> LiveDevices:
    clock = SessionClock()
    return LiveDevices(BigCamera(clock), Microphone(clock), DeviceEvents(Parts()), ())  # type: ignore[arg-type]


class Encoder:
    """All voices are alike to it."""

    def print_of(self, _samples: object) -> VoicePrint | None:
        return np.full(256, 1 / 16, np.float32)


@pytest.fixture
def table(tmp_path: Path, ear: Ear, devices: LiveDevices, monkeypatch: pytest.MonkeyPatch) -> Iterator[SetUp]:
    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "evening" / "voices.json"))
    made = SetUp(tmp_path / "table.toml", devices, ear, OneCard(), Encoder())
    made.start()
    wait_until(made.picture)
    yield made
    made.stop()


@pytest.fixture
def page(table: SetUp) -> Iterator[TestClient]:
    keys = Keys(referee="referee-key", viewer="viewer-key")
    app = SetUpPages(table, keys).app(["127.0.0.1"])
    with TestClient(app, base_url=f"http://{HOST}") as client:
        client.cookies.set(COOKIE, keys.referee)
        yield client


CORNERS = [[0.05, 0.05], [0.95, 0.05], [0.95, 0.95], [0.05, 0.95]]
PLACES = {"discard": [0.58, 0.5], "draw": [0.4, 0.5], "seats": {"P1": [0.5, 0.88], "P2": [0.5, 0.12]}}


def test_who_plays_by_which_rules_is_written(page: TestClient, tmp_path: Path) -> None:
    said = {"players": ["Ana", "Bo"], "dealer": "P2", "profile": "party", "language": "pt", "strictness": "coach"}
    assert page.post("/settings", json={"table": said}).status_code == 200
    kept = load_settings(tmp_path / "table.toml").table
    assert kept.model_dump() | said == kept.model_dump()
    assert page.get("/state.json").json()["settings"]["table"]["players"] == ["Ana", "Bo"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"table": {"players": ["Ana"]}}, "too few"),
        ({"table": {"strictness": "cruel"}}, "strictness"),
        ({"tabel": {"title": "x"}}, "did you mean table?"),
        ({"table": "x"}, "no change of settings"),
    ],
)
def test_what_is_not_valid_is_refused_with_its_mend(
    page: TestClient, tmp_path: Path, changes: object, says: str
) -> None:
    answer = page.post("/settings", json=changes)
    assert answer.status_code == 422
    assert says in answer.json()["fault"]
    assert not (tmp_path / "table.toml").exists()


def test_rules_are_shown_as_what_they_do_otherwise(page: TestClient) -> None:
    assert page.get("/rules/classic-108").json() == []
    assert any("stack" in sentence.lower() or "+2" in sentence for sentence in page.get("/rules/party").json())
    assert page.get("/rules/../../etc/passwd").status_code == 404
    assert page.get("/rules/nothing").status_code == 422


def test_house_rules_are_plain_questions_and_become_a_file(page: TestClient, tmp_path: Path) -> None:
    asked = {one["option"]: one for one in page.get("/questions/classic-108").json()}
    assert asked["turn.draw"]["question"] == "When you can't play"
    assert asked["turn.draw"]["value"] == "one"
    assert [answer["says"] for answer in asked["turn.draw"]["answers"]] == [
        "draws one card",
        "keeps drawing until one fits",
    ]
    answers = {"turn.draw": "until_playable", "uno.penalty": 4, "score.to": asked["score.to"]["value"]}
    written = page.post("/house-rules", json={"base": "classic-108", "answers": answers})
    assert written.status_code == 200, written.text
    profile = load_profile(tmp_path / "house-rules.toml")
    assert (profile.turn.draw, profile.uno.penalty, profile.parents) == ("until_playable", 4, ("classic-108",))
    state = page.get("/state.json").json()
    assert state["settings"]["table"]["profile"] == written.json()["name"] == state["rules"][-1]["name"]
    told = page.get("/rules/" + written.json()["name"]).json()
    assert "When you can't play: keeps drawing until one fits." in told
    assert len(told) == 2


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"base": "/etc/passwd", "answers": {}}, "there are no rules"),
        ({"base": "party", "answers": {"turn.draw": "never"}}, "is no answer"),
        ({"base": "party", "answers": {"source.title": "x"}}, "is no answer"),
        ({"base": "party", "answers": {"uno.penalty": [4]}}, "is no answer"),
        ({"base": "party", "answers": []}, "is no table"),
    ],
)
def test_an_answer_that_was_not_offered_is_refused(page: TestClient, tmp_path: Path, body: object, says: str) -> None:
    answer = page.post("/house-rules", json=body)
    assert answer.status_code == 422
    assert says in answer.json()["fault"]
    assert list(tmp_path.iterdir()) == []


def test_the_table_is_found_by_corners_placed_by_taps_and_stored(page: TestClient, tmp_path: Path) -> None:
    solved = page.post("/calibration/solve", json={"corners": CORNERS})
    assert solved.status_code == 200, solved.text
    assert "the table is" in solved.json()["notes"][0]
    assert page.get("/preview.png").status_code == 404
    placed = page.post("/calibration/place", json=PLACES)
    assert placed.status_code == 200, placed.text
    assert page.get("/preview.png").content[:8] == b"\x89PNG\r\n\x1a\n"
    zones = TableZones.from_toml(tmp_path / "calibration.toml")
    assert [str(seat.seat) for seat in zones.seats] == ["P1", "P2"]
    assert load_settings(tmp_path / "table.toml").table.calibration == str(tmp_path / "calibration.toml")
    assert page.get("/state.json").json()["calibration"] == {"stored": True, "solved": True}


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("/calibration/solve", {"corners": None}, "no marker is found"),
        ("/calibration/solve", {"corners": CORNERS[:3]}, "3 corners"),
        ("/calibration/solve", {"corners": [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]}, "not in order"),
        ("/calibration/solve", {"corners": [["x", 1]] * 4}, "is no point"),
        ("/calibration/place", PLACES, "was not found yet"),
        ("/calibration/place", {"seats": {"P99": [0.5, 0.5]}}, "P99"),
        ("/uno/P0", {}, "P0"),
        ("/voices", {"learn": "yes"}, "neither true nor false"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_mend(page: TestClient, path: str, body: object, says: str) -> None:
    answer = page.post(path, json=body)
    assert answer.status_code == 422
    assert says in answer.json()["fault"]


@pytest.mark.parametrize(
    ("said", "result"),
    [(("uno", "sure"), "heard"), (("uno", "maybe"), "perhaps"), (("colour:R", "sure"), "not_heard")],
)
def test_each_player_says_uno(page: TestClient, ear: Ear, said: tuple[str, str], result: str) -> None:
    assert page.post("/uno/P1").status_code == 200
    ear.next = [said]
    wait_until(lambda: page.get("/state.json").json()["uno"]["P1"] == result)


def test_the_level_is_shown(page: TestClient, devices: LiveDevices) -> None:
    devices.events.of_sound(Level(1.0, -31.4, -12.0))
    assert page.get("/state.json").json()["level"] == {"rms_dbfs": -31.4, "peak_dbfs": -12.0}


def test_without_the_referee_s_key_nothing_is_changed(table: SetUp, tmp_path: Path) -> None:
    app = SetUpPages(table, Keys()).app(["127.0.0.1"])
    with TestClient(app, base_url=f"http://{HOST}") as client:
        assert client.get("/").status_code == 200
        for path in ("/settings", "/calibration/solve", "/calibration/place", "/uno/P1", "/voices"):
            assert client.post(path, json={}).status_code == 403
    assert not (tmp_path / "table.toml").exists()


class TwoMicrophones(Microphone):
    """Hears noise that comes to the second one 0.25 ms later."""

    def chunks(self) -> Iterator[SoundChunk]:
        noise = (np.random.default_rng(2).normal(size=160_000) * 3000).astype(np.int16)
        for chunk in super().chunks():
            at = round(chunk.t_s * 16_000) % 150_000 + 4
            yield SoundChunk(
                chunk.t_s, chunk.samples, 16_000, np.stack([noise[at:][:1600], noise[at - 4 :][:1600]], axis=1)
            )


def test_who_says_uno_is_known_afterwards_by_direction(tmp_path: Path, ear: Ear) -> None:
    clock = SessionClock()
    two = LiveDevices(BigCamera(clock), TwoMicrophones(clock), DeviceEvents(Parts()), ())  # type: ignore[arg-type]
    table = SetUp(tmp_path / "table.toml", two, ear, OneCard())
    table.start()
    try:
        for seat in (Seat.P1, Seat.P2):
            wait_until(lambda: table._saying._heard_s > 1.0)
            table.test_uno(seat)
            for _ in range(2):
                ear.next = [("uno", "sure")]
                wait_until(lambda: not ear.next)
                before_s = table._saying._heard_s
                wait_until(lambda before_s=before_s: table._saying._heard_s > before_s + 0.3)
        wait_until(lambda: "P2" in table.settings.voices)
        assert table.settings.voices["P1"].delay_ms == pytest.approx(0.25, abs=0.01)
        assert any("P1 and P2 sound alike" in remark for remark in table.state()["remarks"])
    finally:
        table.stop()
