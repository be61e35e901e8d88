"""A user's own Ultralytics weights: same numbers as the exported ONNX, and clear words for files that are none."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.bundled import bundled
from referee.faults import InputFault
from referee.synth.faces import draw_face, printing
from referee.vision import yolo
from referee.vision.detector import OnnxCardFinder, OwnCardFinder, decode, two_classes
from referee.vision.models import ModelEntry
from referee.vision.reader import open_reader

SIZE_PX = 160


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of an oriented detector that has learnt nothing, as Ultralytics saves them."""
    if find_spec("ultralytics") is None:  # importing it here, without the offline switches, would look up hosts (U1)
        pytest.skip("needs the extra 'train'")
    import torch

    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("own") / "own.pt"
    network = yolo._yolo(yolo.ARCHITECTURE).model
    network.names = {0: "face", 1: "back", 2: "other deck"}
    torch.save({"model": network.half(), "train_args": {"task": "obb", "imgsz": SIZE_PX}}, path)
    return path


@pytest.mark.train
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's own words about how Ultralytics exports
def test_own_weights_and_their_export_give_the_same_numbers(untrained: Path) -> None:
    own = OwnCardFinder(untrained)
    assert own.size_px == SIZE_PX
    exported = yolo.export_oriented(untrained, SIZE_PX)
    sha = hashlib.sha256(exported.read_bytes()).hexdigest()
    shipped = OnnxCardFinder(ModelEntry("own", "card_detector", exported, sha, (SIZE_PX, SIZE_PX)))
    picture = np.random.default_rng(5).integers(0, 255, (SIZE_PX, SIZE_PX, 3), dtype=np.uint8)
    blob = cv2.dnn.blobFromImage(picture, 1 / 255, swapRB=True)
    np.testing.assert_allclose(own.raw(blob), shipped.raw(blob), atol=2e-2)


@pytest.mark.train
@pytest.mark.parametrize("content", [b"", b"junk" * 100, None], ids=["empty", "junk", "missing"])
def test_files_that_are_no_weights(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mine.pt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputFault, match=r"mine\.pt"):
        OwnCardFinder(path)


@pytest.mark.parametrize(
    ("labels", "card", "back"),
    [
        (("card", "back"), 0.5, 0.2),
        (("back", "face"), 0.2, 0.5),
        (("red", "blue"), 0.5, 0.0),
        (("Back", "back"), 0.0, 0.5),
    ],
)
def test_two_classes(labels: tuple[str, ...], card: float, back: float) -> None:
    output = np.array([[10, 10, 5, 8, 0.5, 0.2, 0.3]], np.float32).T[None]
    joined = two_classes(output, labels)[0, :, 0]
    assert joined.tolist() == pytest.approx([10, 10, 5, 8, card, back, 0.3])
    assert decode(joined[None, :, None])[0].back_score == pytest.approx(back)


@pytest.mark.train
def test_the_shipped_weights_read_the_same_cards_by_opencv_and_by_torch() -> None:
    if find_spec("ultralytics") is None:
        pytest.skip("needs the extra 'train'")
    picture = np.full((480, 640, 3), (70, 95, 120), np.uint8)
    for code, x, degrees in (("R5", 110, 10), ("B0", 310, 75), ("W4", 520, 160)):
        face = draw_face(code, printing("oval"), 300)
        box = cv2.boxPoints(((x, 240), (170 * face.shape[1] / 300, 170), degrees))
        corners = np.array([[0, 300], [0, 0], [face.shape[1], 0], [face.shape[1], 300]], np.float32)
        laid = cv2.warpPerspective(face, cv2.getPerspectiveTransform(corners, box), (640, 480), flags=cv2.INTER_AREA)
        picture = np.where(laid[..., 3:] > 127, laid[..., :3], picture)
    ours = open_reader().read(np.asarray(picture, np.uint8))
    torchs = open_reader(bundled("models/checkpoints/card-detector.pt")).read(np.asarray(picture, np.uint8))
    assert sorted(r.code for r in ours if r.confidence >= 0.5) == ["B0", "R5", "W4"]
    assert [r.code for r in ours] == [r.code for r in torchs]
    for a, b in zip(ours, torchs, strict=True):
        assert a.confidence == pytest.approx(b.confidence, abs=0.02)
        np.testing.assert_allclose(a.quad_px, b.quad_px, atol=2)
