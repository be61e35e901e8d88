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


def test_while_nothing_moves_one_frame_a_second_is_kept_and_every_change_is() -> None:
    """A card of a thirtieth of the picture's width that appears for one frame is remembered."""
    rng = np.random.default_rng(1)
    memory = FrameMemory()
    still = [np.clip(90 + rng.normal(0, 2, (360, 640, 3)), 0, 255).astype(np.uint8) for _ in range(3)]
    for i in range(31):
        frame = still[i % 3].copy()
        if i == 25:
            frame[150:190, 300:326] = 200
        memory.keep(frame, i * 0.1)
    assert len(memory) == 5  # at 0, 1 and 2 s, the card, and the table without it
    moment = memory.at(2.5)
    assert moment is not None
    assert moment[170, 310].mean() > 180
