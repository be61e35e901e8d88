"""Speakers of a neural voice that lie in a folder: which of them training may hear."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.faults import InputFault
from referee.synth import voices_neural
from referee.synth.voices_neural import UNHEARD, drawn_manner, kokoro_speakers


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(voices_neural, "kokoro_styles", lambda: tmp_path)
    for name in ("bf_lily", UNHEARD[0], "af_heart"):
        np.arange(3 * 256, dtype="<f4").tofile(tmp_path / f"{name}.bin")
    (tmp_path / "README.md").write_text("voices")
    return tmp_path


def test_speakers_kept_for_measuring_are_not_trained_on(folder: Path) -> None:
    assert kokoro_speakers() == ("af_heart", "bf_lily")


def test_a_style_is_read_by_length_of_the_line(folder: Path) -> None:
    style = voices_neural._style("af_heart")
    assert style.shape == (3, 1, 256)
    assert style[1, 0, 0] == 256


def test_a_speaker_that_is_not_there_is_named_with_where_to_get_it(folder: Path) -> None:
    with pytest.raises(InputFault, match="no such speaker") as fault:
        voices_neural._style("xf_nobody")
    assert "kokoro-js" in fault.value.mend


def test_manners_reach_from_a_deep_voice_to_a_childs() -> None:
    rng = np.random.default_rng(0)
    manners = [drawn_manner(rng) for _ in range(500)]
    pitches = [manner.pitch for manner in manners]
    assert min(pitches) < 0.6
    assert max(pitches) > 1.7
    assert all(0.78 <= manner.formants <= 1.28 for manner in manners)
