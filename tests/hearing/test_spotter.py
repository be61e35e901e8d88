"""The shipped spotter: what it is, what it says of silence, hum and spoken lines (synthetic voices), broken files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.bundled import bundled
from referee.faults import InputFault
from referee.hearing.phrases import CALLS
from referee.hearing.recogniser import Samples
from referee.hearing.spotter import CallSpotter
from tests.hearing.scripted import RATE_HZ, silence


@pytest.fixture(scope="module")
def spotter() -> CallSpotter:
    return CallSpotter()


def test_it_names_calls_of_the_packs_and_is_small(spotter: CallSpotter) -> None:
    assert spotter.calls[0] == "none"
    assert spotter.knows <= set(CALLS)
    assert "uno" in spotter.knows
    assert bundled("models/call-spotter.onnx").stat().st_size < 1_000_000


@pytest.mark.parametrize("level", [0, 3, 300, 3000])
def test_a_room_without_a_voice_holds_no_call(spotter: CallSpotter, level: float) -> None:
    room = (np.random.default_rng(2).normal(size=4 * RATE_HZ) * level).astype(np.int16)
    track = spotter.track(room).smoothed()
    assert {call: track.best(call)[0] for call in spotter.knows if track.best(call)[0] >= 0.5} == {}


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.1])
def test_too_little_sound_is_no_look(spotter: CallSpotter, seconds: float) -> None:
    assert spotter.track(silence(seconds)).best("uno") == (0.0, 0.0)


def test_looks_do_not_depend_on_how_many_are_taken_at_once(spotter: CallSpotter) -> None:
    room: Samples = (np.random.default_rng(3).normal(size=RATE_HZ * 2) * 900).astype(np.int16)
    from referee.hearing.features import log_mel

    frames = log_mel(room)
    whole = spotter.looks(frames)
    parts = spotter.looks(frames[:100]).then(spotter.looks(frames, after=100))
    assert np.allclose(whole.ends_s, parts.ends_s)
    assert np.allclose(whole.shares, parts.shares, atol=1e-5)


@pytest.mark.parametrize(("call", "speaker"), [("uno", "carla"), ("colour:B", "carla"), ("challenge", "carla")])
def test_spoken_lines_are_seen_after_they_end(spotter: CallSpotter, call: str, speaker: str) -> None:
    pytest.importorskip("py_nanotts", reason="the voices of drawn films are not installed (extra 'synth')")
    from referee.synth.rooms import mix_room
    from referee.synth.speech import speak

    line = speak(call, speaker)
    track = spotter.track(mix_room([(2.0, line)], 4.0, seed=1, snr_db=26)).smoothed()
    share, at_s = track.best(call)
    assert share > 0.5
    assert at_s - (2.0 + len(line) / RATE_HZ) == pytest.approx(0.2, abs=0.25)


@pytest.mark.parametrize(
    ("manifest", "fault"),
    [
        ("", "names no call spotter"),
        ("[[model]", "cannot be read"),
        ('[[model]]\nkind = "call_spotter"\ncalls = ["none"]\nfile = "x.onnx"\nsha256 = "0"\n', "is missing"),
    ],
)
def test_broken_manifests_are_named(tmp_path: Path, manifest: str, fault: str) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(manifest, encoding="utf-8")
    with pytest.raises(InputFault, match=fault):
        CallSpotter(path)
