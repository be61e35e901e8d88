"""The only importer of soxr: running sound of a device to mono at the rate that speech is recognised at."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.capture.input_devices import RawBlock
from referee.capture.media import Samples


class SpeechRate:
    """Down-mixes and resamples block by block. Output sample k lies at k / `to_hz` of the input's time."""

    def __init__(self, from_hz: int, to_hz: int) -> None:
        self._stream: Any = None
        if from_hz != to_hz:
            import soxr

            self._stream = soxr.ResampleStream(from_hz, to_hz, 1, dtype="int16", quality="HQ")

    def convert(self, block: RawBlock, *, last: bool = False) -> Samples:
        """The samples that are ready, int16 (m,): a resampler holds some milliseconds back until `last`."""
        mono = mixed(block)
        if self._stream is None:
            return mono
        result: Samples = self._stream.resample_chunk(mono, last=last)
        return result


def mixed(block: RawBlock) -> Samples:
    """The mean of the channels of (n, channels)."""
    if block.shape[1] == 1:
        return block[:, 0]
    mean: Samples = np.round(block.mean(axis=1)).astype(np.int16)
    return mean
