"""The manifest of models: only files whose hash it names are loaded (U6)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.vision.models import CLASSIFIER, DETECTOR, checked_bytes, load_net, model_entry

CONTENT = b"not really a network"
SHA = hashlib.sha256(CONTENT).hexdigest()


def manifest(folder: Path, *, sha: str = SHA, extra: str = "") -> Path:
    (folder / "finder.onnx").write_bytes(CONTENT)
    path = folder / "manifest.toml"
    path.write_text(
        f'[[model]]\nname = "finder"\nkind = "card_detector"\nfile = "finder.onnx"\nsha256 = "{sha}"\n'
        f'licence = "AGPL-3.0-or-later"\nsize_px = 320\nclasses = ["card", "back"]\n{extra}'
    )
    return path


def test_entry_and_content(tmp_path: Path) -> None:
    entry = model_entry(DETECTOR, manifest(tmp_path))
    assert (entry.name, entry.size_px, entry.labels("classes")) == ("finder", (320, 320), ("card", "back"))
    assert checked_bytes(entry) == CONTENT


def test_altered_file_is_refused_with_both_hashes_u6(tmp_path: Path) -> None:
    path = manifest(tmp_path)
    (tmp_path / "finder.onnx").write_bytes(CONTENT + b"!")
    with pytest.raises(InputFault) as caught:
        load_net(model_entry(DETECTOR, path))
    line = str(caught.value)
    assert "finder.onnx" in line
    assert SHA in line
    assert hashlib.sha256(CONTENT + b"!").hexdigest() in line


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda folder: (folder / "finder.onnx").unlink(), "missing"),
        (lambda folder: None, "OpenCV cannot run"),
    ],
    ids=["file missing", "right hash, no network"],
)
def test_unusable_model_file(tmp_path: Path, spoil: object, words: str) -> None:
    entry = model_entry(DETECTOR, manifest(tmp_path))
    assert callable(spoil)
    spoil(tmp_path)
    with pytest.raises(InputFault, match=words):
        load_net(entry)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[model]", "cannot be read"),
        ("", "names no model of kind 'card_detector'"),
        ('[[model]]\nname = "x"\nkind = "card_detector"\nsize_px = 320\nsha256 = "0"', "file"),
        ('[[model]]\nname = "x"\nkind = "card_detector"\nfile = "a"\nsha256 = "0"\nsize_px = "big"', "model 'x'"),
    ],
    ids=["broken TOML", "no such model", "no file", "size is a word"],
)
def test_unusable_manifest(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(text)
    with pytest.raises(InputFault, match=words):
        model_entry(DETECTOR, path)


def test_missing_manifest_and_kind(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"manifest\.toml"):
        model_entry(DETECTOR, tmp_path / "manifest.toml")
    with pytest.raises(InputFault, match="card_classifier"):
        model_entry(CLASSIFIER, manifest(tmp_path))


def test_labels_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="symbols"):
        model_entry(DETECTOR, manifest(tmp_path)).labels("symbols")
