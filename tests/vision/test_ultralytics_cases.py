"""What others were bitten by in Ultralytics, each under its id: U1 to U6."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import weakref
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import referee.vision.reader
from referee.bundled import bundled
from referee.cards import Seat
from referee.cli.main import main
from referee.faults import InputFault
from referee.vision import models
from referee.vision.corners import Outline
from referee.vision.detector import Detection
from referee.vision.models import checked_bytes, model_entry
from referee.vision.quads import Image
from referee.vision.reader import YoloCardReader, open_reader
from tests.vision.drawn_table import started
from tests.vision.test_reader import FixedFinder, FixedScorer, card

OWN_WEIGHTS = """
import json, os, resource, socket, sys
from pathlib import Path

import numpy as np

tried = []

def refused(*args, **kwargs):
    tried.append(repr(args[-2:]))
    raise OSError("no network here")

socket.getaddrinfo = socket.create_connection = socket.socket.connect = refused
from referee.vision import yolo

late = "ultralytics" not in sys.modules
network = yolo._yolo(yolo.ARCHITECTURE).model
switches = {name: os.environ.get(name) for name in yolo.OFFLINE}
import torch

torch.set_num_threads(1)
path = Path(sys.argv[1]) / "own.pt"
torch.save({"model": network.half(), "train_args": {"task": "obb", "imgsz": 64}}, path)
own = yolo.OwnNetwork(path)
frame = np.zeros((1, 3, 64, 64), np.float32)
for _ in range(25):
    own.raw(frame)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(100):
    own.raw(frame)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
from ultralytics.utils import SETTINGS, SETTINGS_FILE
from ultralytics.utils.events import events

print(json.dumps({
    "tried": tried, "late": late, "switches": switches, "sync": SETTINGS["sync"], "file": str(SETTINGS_FILE),
    "sends": events.enabled, "grown_kb": grown if sys.platform != "darwin" else grown // 1024,
}))
"""


@pytest.fixture(scope="module")
def own_weights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A user's own weights loaded and run in a process of its own, whose environment says the wrong things."""
    if find_spec("ultralytics") is None:
        pytest.skip("needs the extra 'train'")
    wrong = {"YOLO_OFFLINE": "false", "YOLO_AUTOINSTALL": "true", "OMP_NUM_THREADS": "1"}
    folder = tmp_path_factory.mktemp("own")
    done = subprocess.run(
        [sys.executable, "-c", OWN_WEIGHTS, str(folder)],
        env={**os.environ, **wrong, "YOLO_CONFIG_DIR": str(folder / "theirs")},
        capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    facts: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    facts["theirs"] = (folder / "theirs").exists()
    return facts


@pytest.mark.train
def test_u1_nothing_is_looked_up_or_fetched(own_weights: dict[str, Any]) -> None:
    """ultralytics #1180, #1756, #7645: offline it looked up hosts, fetched a font, called pip."""
    assert own_weights["tried"] == []
    assert own_weights["late"], "switches are set before the import"
    assert own_weights["switches"]["YOLO_OFFLINE"] == "true"
    assert own_weights["switches"]["YOLO_AUTOINSTALL"] == "false"


@pytest.mark.train
def test_u2_telemetry_is_off_in_a_settings_folder_of_our_own(own_weights: dict[str, Any]) -> None:
    assert own_weights["sync"] is False
    assert own_weights["sends"] is False
    assert "referee" in own_weights["file"]
    assert not own_weights["theirs"], "a user's own settings are neither read nor written"


@pytest.mark.train
def test_u3_own_weights_keep_nothing_of_a_frame(own_weights: dict[str, Any]) -> None:
    """ultralytics #17091, #3983: results pile up. A hundred frames after a warm start: under 8 MB."""
    assert own_weights["grown_kb"] < 8192


def test_u3_nothing_of_a_thousand_frames_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.vision.reader, "near_outlines", lambda _image, quad: [Outline(quad, 1.0)])
    monkeypatch.setattr(FixedFinder, "size_px", 64)
    scorer = FixedScorer([0.99, 0, 0, 0.01], (0.99, 0.01, 0, 0, 0))
    reader = YoloCardReader(FixedFinder([Detection(card(60, 48, 60), 0.9)], 128), scorer)
    frames: list[weakref.ref[Image]] = []
    for _ in range(1000):
        frame = np.full((96, 128, 3), 90, np.uint8)
        frames.append(weakref.ref(frame))
        assert reader.read(frame, 60)
    del frame
    assert sum(kept() is not None for kept in frames) == 0


def test_u4_ultralytics_never_gets_the_camera() -> None:
    """ultralytics #16682: its stream loader drops frames in silence. Only one module knows it; it gets arrays."""
    root = Path(referee.__file__).parent
    importers = [
        f for f in root.rglob("*.py") if re.search(r"^\s*(from|import) ultralytics", f.read_text("utf-8"), re.M)
    ]
    assert [file.relative_to(root) for file in importers] == [Path("vision") / "yolo.py"]
    calls = [node for node in ast.walk(ast.parse(importers[0].read_text("utf-8"))) if isinstance(node, ast.Call)]
    assert calls
    for call in calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        assert name not in ("track", "LoadStreams")
        assert not {"source", "stream"} & {keyword.arg for keyword in call.keywords}


def test_u5_nothing_is_carried_from_one_session_to_the_next() -> None:
    """ultralytics #9197, #17866: track ids went on counting. The same film twice, watched anew, is told alike."""

    def session() -> list[str]:
        table = started("R7")
        table.lay(Seat.P1, "G7", degrees=-12)
        table.rest()
        return [repr(seen) for seen in table.observed]

    assert session() == session()


@pytest.fixture
def altered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation whose classifier was exchanged after its hash was taken."""
    shipped = bundled("models/manifest.toml")
    for entry in (model_entry(kind) for kind in (models.DETECTOR, models.CLASSIFIER)):
        content = entry.path.read_bytes()
        (tmp_path / entry.path.name).write_bytes(content + b"!" * (entry.kind == models.CLASSIFIER))
    manifest = tmp_path / "manifest.toml"
    manifest.write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(models, "bundled", lambda _: manifest)
    return tmp_path / model_entry(models.CLASSIFIER).path.name


def test_u6_weights_with_another_hash_are_not_loaded(altered: Path) -> None:
    with pytest.raises(InputFault, match="was changed") as caught:
        open_reader()
    assert hashlib.sha256(altered.read_bytes()).hexdigest() in str(caught.value)


@pytest.mark.parametrize(("spoil", "words"), [("altered", "was changed"), ("missing", "is missing")])
def test_u6_the_command_says_so_in_one_line(
    altered: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], spoil: str, words: str
) -> None:
    if spoil == "missing":
        altered.unlink()
    monkeypatch.setattr(sys, "argv", ["referee", "read", "photo.jpg"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert words in told[0]
    assert altered.name in told[0]


def test_u6_the_shipped_weights_have_the_hash_that_the_manifest_names() -> None:
    for kind in (models.DETECTOR, models.CLASSIFIER):
        assert checked_bytes(model_entry(kind))
