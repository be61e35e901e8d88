"""The manifest: valid TOML, hashes of the files it names, readable by what loads the models."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

from referee.training.manifest import Value, model_table, toml_value, write_manifest
from referee.vision.models import checked_bytes, model_entry


@pytest.mark.parametrize(
    "value", ['a "quoted" word', "ö — ß", 3, 0.25, True, [1, 2], ["a", 'b"c'], 1e-7, -2], ids=repr
)
def test_values_survive_toml(value: Value) -> None:
    assert tomllib.loads(f"key = {toml_value(value)}") == {"key": value}


def test_a_written_manifest_loads_its_models(tmp_path: Path) -> None:
    model = tmp_path / "finder.onnx"
    model.write_bytes(b"weights")
    table = model_table(
        "finder", "card_detector", model, size_px=(320, 320), facts={"classes": ["card", "back"]},
        how_made="seed 1", figures={"recall": 0.9},
    )  # fmt: skip
    write_manifest(tmp_path / "manifest.toml", [table])
    entry = model_entry("card_detector", tmp_path / "manifest.toml")
    assert entry.sha256 == hashlib.sha256(b"weights").hexdigest()
    assert entry.size_px == (320, 320)
    assert entry.labels("classes") == ("card", "back")
    assert entry.facts["figures"] == {"recall": 0.9}
    assert entry.facts["licence"] == "AGPL-3.0-or-later"
    assert checked_bytes(entry) == b"weights"
