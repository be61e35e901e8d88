"""A session file names players, rules and media; a mistake in it is told with file and line."""

from pathlib import Path

import pytest

from referee.cards import Seat
from referee.faults import InputFault
from referee.session.plan import open_plan

GOOD = """\
format = 1
title = "Friday"
profile = "seed-003"
media = ["media/a.mkv"]
dealer = "P2"

[players]
P1 = "Ana"
P2 = "Bruno"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "a.mkv").write_bytes(b"x")
    (tmp_path / "session.toml").write_text(GOOD, encoding="utf-8")
    return tmp_path


def test_session_folder(folder: Path) -> None:
    plan = open_plan(folder)
    assert (plan.title, plan.profile, plan.dealer) == ("Friday", "seed-003", Seat.P2)
    assert plan.players == {Seat.P1: "Ana", Seat.P2: "Bruno"}
    assert plan.media == (folder / "media" / "a.mkv",)
    assert open_plan(folder / "session.toml") == plan
    assert open_plan(folder, profile="seed-004").profile == "seed-004"


def test_a_bare_video_assumes_four_unnamed_seats_and_unknown_hands(tmp_path: Path) -> None:
    plan = open_plan(tmp_path / "evening.mp4")
    assert (len(plan.players), plan.dealer, plan.position, plan.calibration) == (4, None, None, None)
    assert plan.name(Seat.P3) == "P3"
    assert len(open_plan(tmp_path / "evening.mp4", seats=6).players) == 6


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("format = 1", "format = 2"), ":1: format"),
        (("dealer =", "deeler ="), ":5: deeler"),
        (('dealer = "P2"', 'dealer = "P7"'), "P7 is not a player"),
        (('P2 = "Bruno"', 'P3 = "Bruno"\n'), "without a gap"),
        (('dealer = "P2"', 'dealer = "east"'), "P1 to P10"),
        (("media/a.mkv", "media/b.mkv"), "b.mkv, which is not there"),
        (("[players]", "[players"), "is not TOML"),
        (('media = ["media/a.mkv"]', "media = []"), ":4: media"),
    ],
)
def test_a_mistake_is_told_with_its_place(folder: Path, change: tuple[str, str], says: str) -> None:
    (folder / "session.toml").write_text(GOOD.replace(*change), encoding="utf-8")
    with pytest.raises(InputFault) as fault:
        open_plan(folder)
    assert says in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_folder_that_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"has no session\.toml"):
        open_plan(tmp_path)
    (tmp_path / "a.mkv").write_bytes(b"x")
    (tmp_path / "session.toml").write_text(GOOD.replace("media/", ""), encoding="utf-8")
    with pytest.raises(InputFault, match="2 players, not 5"):
        open_plan(tmp_path, seats=5)
