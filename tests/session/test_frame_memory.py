"""The frame that a ruling rests on is still there some seconds later, and old frames make room."""

import numpy as np

from referee.session.frame_memory import FrameMemory


def grey(level: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((60, 80, 3), level, np.uint8)


def test_nearest_frame_within_the_span() -> None:
    memory = FrameMemory(span_s=2.0)
    assert memory.at(0.0) is None
    for i in range(50):
        memory.keep(grey(5 * i), i * 0.1)
    moment = memory.at(4.04)
    assert moment is not None
    assert abs(float(moment.mean()) - 5 * 40) < 2
    oldest = memory.at(0.0)
    assert oldest is not None
    assert abs(float(oldest.mean()) - 5 * 29) < 2
