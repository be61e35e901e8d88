"""Bad input to `replay` and `demo`: one clear line on stderr, exit status 2, no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from referee.capture.media import MediaWriter
from tests.cli.conftest import Referee

SESSION = """\
format = 1
profile = "{profile}"
media = ["table.mkv"]
dealer = "P2"
[players]
P1 = "Ana"
P2 = "Bruno"
"""


def grey_film(path: Path, *, sound: bool, seconds: float = 1.5) -> None:
    with MediaWriter(path, width_px=320, height_px=240, frame_rate_hz=10) as writer:
        for _ in range(round(10 * seconds)):
            writer.picture(np.full((240, 320, 3), 120, np.uint8))
            if sound:
                writer.sound(np.zeros(1600, np.int16))


def session(folder: Path, profile: str = "classic-108") -> None:
    (folder / "session.toml").write_text(SESSION.format(profile=profile), encoding="utf-8")
    grey_film(folder / "table.mkv", sound=False)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("missing.mkv", None, "is not there"),
        ("empty.mkv", b"", "is empty"),
        ("text.mkv", b"hello " * 99, "cannot be read as video"),
    ],
)
def test_a_file_that_is_no_recording(
    referee: Referee, tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = referee("replay", name, "--json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert name in done.stderr
    assert says in done.stderr


def test_sound_alone_cannot_be_replayed(referee: Referee, tmp_path: Path) -> None:
    import wave

    with wave.open(str(tmp_path / "talk.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes(np.zeros(16000, np.int16).tobytes())
    done = referee("replay", "talk.wav", cwd=tmp_path)
    assert done.returncode == 2
    assert "holds no picture" in done.stderr


def test_an_unknown_profile_is_named_before_the_work_begins(referee: Referee, tmp_path: Path) -> None:
    session(tmp_path, profile="seed-005")
    done = referee("replay", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert "seed-005" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_video_without_sound_is_judged_without_hearing_and_says_so(referee: Referee, tmp_path: Path) -> None:
    session(tmp_path)
    done = referee("replay", ".", "--json", "--out", "found", cwd=tmp_path)
    assert done.returncode == 0
    assert {json.loads(line)["type"] for line in done.stdout.splitlines()} <= {"observation"}
    assert "no sound: calls are not judged" in done.stderr
    assert (tmp_path / "found" / "game.ugn").read_text(encoding="utf-8").startswith('[UGN "1"]')


def test_a_folder_that_is_no_session(referee: Referee, tmp_path: Path) -> None:
    done = referee("replay", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert "has no session.toml" in done.stderr
