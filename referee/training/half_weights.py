"""Stores the weights of an ONNX file in half precision: half the size, and the same operators in single precision.

Each large tensor becomes float16 with a cast behind it; OpenCV folds the casts when it loads the file, so that it
runs as fast as before. Training keeps its weights in half precision too, so little is lost.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_LEAST_NUMBERS = 256
"""Smaller tensors (shapes, strides, biases) stay as they are."""


def store_in_half(file: Path) -> None:
    """Rewrite `file` with its large float32 tensors as float16."""
    model = onnx.load(str(file))
    graph = model.graph
    kept, casts = [], []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _LEAST_NUMBERS:
            kept.append(tensor)
            continue
        name = f"{tensor.name}_half"
        kept.append(numpy_helper.from_array(values.astype(np.float16), name))
        casts.append(helper.make_node("Cast", [name], [tensor.name], name=f"{name}_cast", to=TensorProto.FLOAT))
    operators = list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend([*casts, *operators])
    onnx.save(model, str(file))
