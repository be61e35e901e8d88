"""Weights stored in half precision: a smaller file that OpenCV runs to nearly the same numbers."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra 'train'")

from referee.training.half_weights import store_in_half  # noqa: E402


def convolution(path: Path) -> np.ndarray:
    """Write one convolution of 3 to 32 channels with a bias; returns its weights."""
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(1)
    weight, bias = rng.normal(0, 0.1, (32, 3, 3, 3)).astype(np.float32), rng.normal(0, 1, 32).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w", "b"], ["y"], pads=[1, 1, 1, 1])],
        "one",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, "h", "w"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 32, "h", "w"])],
        [numpy_helper.from_array(weight, "w"), numpy_helper.from_array(bias, "b")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
    return weight


def run(path: Path, blob: np.ndarray) -> np.ndarray:
    net = cv2.dnn.readNetFromONNX(str(path))
    net.setInput(blob)
    return np.asarray(net.forward()).copy()


def test_half_weights_are_smaller_and_run_alike_at_any_size(tmp_path: Path) -> None:
    path = tmp_path / "one.onnx"
    weight = convolution(path)
    whole_bytes = path.stat().st_size
    blobs = [np.random.default_rng(2).random((1, 3, h, w), dtype=np.float32) for h, w in ((32, 32), (64, 96))]
    before = [run(path, blob) for blob in blobs]
    store_in_half(path)
    assert path.stat().st_size < whole_bytes - weight.nbytes // 3
    for blob, expected in zip(blobs, before, strict=True):
        np.testing.assert_allclose(run(path, blob), expected, atol=5e-3)


def test_small_tensors_keep_their_precision(tmp_path: Path) -> None:
    path = tmp_path / "one.onnx"
    convolution(path)
    store_in_half(path)
    kinds = {tensor.name: tensor.data_type for tensor in onnx.load(str(path)).graph.initializer}
    assert kinds == {"w_half": onnx.TensorProto.FLOAT16, "b": onnx.TensorProto.FLOAT}
