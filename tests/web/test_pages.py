"""What the pages answer: boards, incidents, moves, corrections, languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from referee.rules.messages import LANGUAGES
from referee.session.folder import log_of
from referee.web.app import PAGES
from referee.web.guard import Keys
from referee.web.wording import language_of, words

PATHS = list(PAGES)
HOLE = re.compile(r"\{\w+\}")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_in_every_language(viewer: TestClient, path: str, language: str) -> None:
    answer = viewer.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text
    assert words(language)[PAGES[path]] in answer.text


def test_every_language_has_every_word() -> None:
    for language in LANGUAGES:
        assert set(words(language)) == set(words("en")), language
    for name, text in words("en").items():
        for language in LANGUAGES:
            assert set(HOLE.findall(words(language)[name])) == set(HOLE.findall(text)), (language, name)


@pytest.mark.parametrize(
    ("wanted", "accepted", "spoken"),
    [
        (None, "pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("ro", "pt", "ro"),
        (None, "de,fr", "en"),
        ("xx", "es", "es"),
        (None, "", "en"),
    ],
)
def test_the_language_of_a_device(wanted: str | None, accepted: str, spoken: str) -> None:
    assert language_of(wanted, accepted, "stand-in") == spoken


def test_a_device_keeps_its_language(viewer: TestClient) -> None:
    answer = viewer.get("/language/es?back=/review")
    assert (answer.status_code, answer.headers["location"]) == (303, "/review")
    assert '<html lang="es">' in viewer.get("/review", headers={"accept-language": "en"}).text


@pytest.mark.parametrize("back", ["https://elsewhere.example", "//elsewhere.example", "/nowhere"])
def test_a_language_link_leads_nowhere_else(viewer: TestClient, back: str) -> None:
    assert viewer.get("/language/es", params={"back": back}).headers["location"] == "/"


def test_the_board_tells_the_game_and_no_hand(viewer: TestClient) -> None:
    board = viewer.get("/board.json").json()
    assert board["top"] == {"code": "RD", "words": "red +2"}
    assert [(s["name"], s["cards"]) for s in board["seats"]] == [("Ana", [2, 2]), ("Bruno", [5, 5])]
    assert next(said["kind"] for said in board["said"]) == "foul"
    assert "hands" not in board


def test_the_board_speaks_the_device_s_language(viewer: TestClient) -> None:
    board = viewer.get("/board.json", headers={"accept-language": "pt"}).json()
    assert board["top"]["words"] == "+2 vermelho"
    assert "não combina" in board["said"][0]["text"]


def test_incidents_come_with_rule_and_source(viewer: TestClient) -> None:
    (case, *_) = viewer.get("/incidents.json").json()
    assert (case["number"], case["state"], case["kind"]) == (1, "open", "foul")
    assert case["rule"]["sources"]
    assert "Ana (P1)" in case["text"]


def test_moves_come_with_likely_confusions(viewer: TestClient) -> None:
    moves = {move["id"]: move for move in viewer.get("/moves.json").json()}
    assert list(moves) == ["v4", "v3", "a1", "v2", "v1"]
    assert [card["code"] for card in moves["v1"]["others"]][:2] == ["G6", "R9"]
    assert moves["v4"]["count"] == [2, 2]


def test_a_tap_puts_a_card_right_and_the_score_follows(referee: TestClient, folder: Path) -> None:
    number = referee.get("/board.json").json()
    answer = referee.post("/corrections", json={"what": "card", "about": ["v1"], "card": "R9"})
    assert answer.json() | {"id": ""} == {"id": "", "new": True, "gone": 1, "added": 0}
    assert referee.get("/incidents.json").json()[0]["state"] == "gone"
    assert referee.get("/board.json").json()["said"] != number["said"]
    assert [line.payload["by"] for line in log_of(folder) if line.type == "correction"] == ["page"]


def test_g5_a_second_tap_counts_once(referee: TestClient, folder: Path) -> None:
    for _ in range(2):
        answer = referee.post("/corrections", json={"what": "never", "about": ["v3"]})
    assert answer.json()["new"] is False
    assert sum(line.type == "correction" for line in log_of(folder)) == 1


@pytest.mark.parametrize("word", ["upheld", "overturned"])
def test_an_incident_is_settled(referee: TestClient, word: str) -> None:
    assert referee.post(f"/incidents/1/{word}").status_code == 200
    assert referee.get("/incidents.json").json()[0]["state"] == word


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("{", "no JSON"),
        ("[]", "no correction"),
        ("{}", "no correction"),
        ('{"what": "card", "about": ["v1"], "card": "Q7"}', "no correction"),
        ('{"what": "card", "about": ["v99"], "card": "R7"}', "no line"),
        ('{"what": "seat", "about": ["v1"], "seat": "P9000"}', "no correction"),
    ],
)
def test_what_makes_no_sense_is_said_so(referee: TestClient, folder: Path, body: str, says: str) -> None:
    lines = len(log_of(folder))
    answer = referee.post("/corrections", content=body)
    assert answer.status_code == 422
    assert says in answer.json()["fault"]
    assert len(log_of(folder)) == lines


@pytest.mark.parametrize("path", ["/incidents/9/upheld", "/incidents/1/guessed"])
def test_no_such_incident(referee: TestClient, path: str) -> None:
    assert referee.post(path).status_code == 404


def test_media_that_are_gone_are_no_fault(viewer: TestClient) -> None:
    assert viewer.get("/picture.jpg").status_code == 404
    assert viewer.get("/marks.json").json() == {"t_s": None, "marks": []}
    assert viewer.get("/incidents/1/clip.mp4").status_code == 422


def test_the_code_to_join_holds_the_viewers_key_only(viewer: TestClient, keys: Keys) -> None:
    page = viewer.get("/join").text
    assert f"/enter?key={keys.viewer}" in page
    assert keys.referee not in page
