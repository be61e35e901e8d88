"""The first-light fixture: what it says of itself is true, and it can be drawn again."""

from __future__ import annotations

import hashlib
import itertools
import tomllib

import numpy as np
import pytest

from referee.capture.media import frames, probe, sound_chunks
from referee.synth.film import Film, FilmStyle, film
from referee.synth.film_calibration import calibration_toml
from tests.synth.film_scripts import FIRST_LIGHT, items


@pytest.fixture(scope="module")
def source() -> dict[str, object]:
    return tomllib.loads((FIRST_LIGHT / "SOURCE.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def drawn_again(source: dict[str, object]) -> Film:
    script = items((FIRST_LIGHT / "truth.ugn").read_text(encoding="utf-8"), tags="")
    style = FilmStyle(faces=str(source["faces"]), surface=source["table_top"])  # type: ignore[arg-type]
    return film(script, style, seed=int(str(source["seed"])))


def test_every_file_has_the_hash_that_its_source_note_gives(source: dict[str, object]) -> None:
    hashes = source["sha256"]
    assert isinstance(hashes, dict)
    assert set(hashes) == {"session.toml", "calibration.toml", "media/table.mkv", "truth.ugn"}
    for name, sha256 in hashes.items():
        assert hashlib.sha256((FIRST_LIGHT / name).read_bytes()).hexdigest() == sha256, name


def test_it_says_that_it_is_synthetic(source: dict[str, object]) -> None:
    assert source["synthetic"] is True
    assert source["licence"]


def test_it_is_small_enough_to_ship() -> None:
    assert sum(p.stat().st_size for p in FIRST_LIGHT.rglob("*") if p.is_file()) <= 5_000_000


def test_the_film_is_as_long_and_wide_as_the_note_says(source: dict[str, object]) -> None:
    facts = probe(FIRST_LIGHT / "media" / "table.mkv")
    assert (facts.width_px, facts.height_px) == tuple(source["size_px"])  # type: ignore[arg-type]
    assert facts.has_audio
    assert facts.duration_s == pytest.approx(float(str(source["duration_s"])), abs=0.2)
    assert 80 <= facts.duration_s <= 130


def test_drawing_its_truth_again_gives_the_same_times_and_zones(drawn_again: Film) -> None:
    assert drawn_again.truth() == drawn_again.items
    assert (FIRST_LIGHT / "calibration.toml").read_text(encoding="utf-8") == calibration_toml(drawn_again.layout)


def test_its_pictures_are_those_that_the_program_draws(drawn_again: Film) -> None:
    stage = drawn_again.stage()
    for frame in itertools.islice(frames(FIRST_LIGHT / "media" / "table.mkv"), 0, 60, 15):
        drawn = drawn_again.camera().picture(stage.frame(frame.t_s), frame.t_s)
        assert np.abs(frame.image_bgr.astype(int) - drawn).mean() < 6.0, frame.t_s


def test_sound_and_picture_are_equally_long() -> None:
    samples = sum(len(chunk.samples) for chunk in sound_chunks(FIRST_LIGHT / "media" / "table.mkv"))
    assert samples / 16000 == pytest.approx(probe(FIRST_LIGHT / "media" / "table.mkv").duration_s, abs=0.25)
