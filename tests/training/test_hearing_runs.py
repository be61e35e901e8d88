"""A training of the spotter, from spoken lines to a model that OpenCV runs: does every step fit the next?"""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra 'train' is not installed")
pytest.importorskip("onnx", reason="the extra 'train' is not installed")
pytest.importorskip("py_nanotts", reason="the voices are not installed (extra 'synth')")

from referee.faults import InputFault
from referee.hearing.spotter import KIND, CallSpotter
from referee.synth.table_talk import CALLS
from referee.training import hearing
from referee.training.call_clips import TRAINING_CAST, Cast, Clips, clips_of, spoken
from referee.training.call_windows import LABELS, STORED_FRAMES, WindowDrawer
from referee.training.hearing import HearingRun, train_spotter
from referee.training.hearing_export import publish_spotter
from referee.training.manifest import enter, write_manifest

pytestmark = pytest.mark.train

PICO = next(cast for cast in TRAINING_CAST if cast.name == "pico")


@pytest.fixture(scope="module")
def clips() -> Clips:
    return spoken(PICO, 3, lambda: None, 60)


def small(cast: Cast) -> Cast:
    return replace(cast, clips=600)


def test_clips_are_lines_that_the_voice_reads_rightly(clips: Clips, tmp_path: Path) -> None:
    assert {line.accent[:2] for line in clips.lines} <= {"en", "es", "it"}
    assert {line.kind for line in clips.lines} & set(CALLS)
    for index in range(len(clips)):
        assert np.abs(clips.sound(index)).max() > 19_000
    clips.save(tmp_path / "clips.npz")
    again = Clips.load(tmp_path / "clips.npz")
    assert again.lines == clips.lines
    assert np.array_equal(again.samples, clips.samples)


def test_clips_of_a_voice_that_weighs_more_are_there_more_often(tmp_path: Path) -> None:
    def said(weight: int) -> Clips:
        return clips_of(tmp_path, (replace(PICO, weight=weight),), 1, lambda _voice, _total: None, share=0.001)

    once, thrice = said(1), said(3)
    assert thrice.lines == once.lines * 3
    assert np.array_equal(thrice.sound(len(once)), once.sound(0))


def test_windows_hold_every_class_and_come_from_the_seed(clips: Clips) -> None:
    one, same, other = (WindowDrawer(clips, seed, 0.2).draw(40) for seed in (1, 1, 2))
    assert one.pictures.shape == (40, STORED_FRAMES, 40)
    assert np.array_equal(one.pictures, same.pictures)
    assert not np.array_equal(one.labels, other.labels)
    assert 0.25 < np.mean(one.labels == 0) < 0.75
    assert set(one.labels) <= set(range(len(LABELS)))
    assert np.isfinite(one.pictures).all()


def test_from_lines_to_a_model_that_the_listener_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearing, "TRAINING_CAST", (small(PICO),))
    monkeypatch.setattr(hearing, "UNSEEN_CAST", (small(PICO),))
    run = HearingRun(0.05, tmp_path / "run", 1, windows=200, unseen_windows=60)
    steps: list[int] = []
    train_spotter(run, lambda _part, _total: None, lambda step: steps.append(step.number))
    train_spotter(replace(run, resume=True), lambda _part, _total: None, lambda step: steps.append(step.number))
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    first, second = (stretch["windows"] for stretch in record["stretches"])
    assert first == 200
    assert second >= 200, "a training that is carried on also learns the windows it mistook"
    assert steps[0] == 1
    models = tmp_path / "models"
    assert publish_spotter(tmp_path / "run", models) < 0.01
    spotter = CallSpotter(models / "manifest.toml")
    assert spotter.calls == LABELS
    shares = spotter.track(np.random.default_rng(0).normal(0, 500, 16_000).astype(np.int16)).shares
    assert shares.shape[1] == len(LABELS)
    assert shares.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    (models / "call-spotter.onnx").write_bytes(b"x")
    with pytest.raises(InputFault, match="not the one that the manifest names"):
        CallSpotter(models / "manifest.toml")


def test_an_entry_takes_the_place_of_the_one_of_its_kind_and_leaves_the_others(tmp_path: Path) -> None:
    def table(name: str, kind: str) -> str:
        return f'[[model]]\nname = "{name}"\nkind = "{kind}"\n[model.figures]\nx = 1\n'

    manifest = tmp_path / "manifest.toml"
    write_manifest(manifest, [table("card", "card_detector")])
    for name in ("first", "second"):
        enter(manifest, table(name, KIND))
    write_manifest(manifest, [table("newer", "card_detector")])
    models = tomllib.loads(manifest.read_text(encoding="utf-8"))["model"]
    assert [model["name"] for model in models] == ["newer", "second"]


def test_a_folder_without_a_training_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="no finished training"):
        publish_spotter(tmp_path, tmp_path)
