"""The only importer of soxr: sound of a device, one channel or two, to the rate that speech is recognised at."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.capture.input_devices import RawBlock
from referee.capture.media import Samples


class SpeechRate:
    """Resamples block by block; two channels stay two, more are mixed to one.

    Output sample k lies at k / `to_hz` of the input's time.
    """

    def __init__(self, from_hz: int, to_hz: int, channels: int = 1) -> None:
        self.channels = 2 if channels == 2 else 1
        self._stream: Any = None
        if from_hz != to_hz:
            import soxr

            self._stream = soxr.ResampleStream(from_hz, to_hz, self.channels, dtype="int16", quality="HQ")

    def convert(self, block: RawBlock, *, last: bool = False) -> Samples:
        """The samples that are ready, int16 (m, channels): a resampler holds some milliseconds back until `last`."""
        kept = fitted(block, self.channels)
        if self._stream is None:
            return kept
        result: Samples = self._stream.resample_chunk(kept, last=last)
        return result.reshape(-1, self.channels)


def fitted(block: Samples, channels: int) -> Samples:
    """(n, any) as (n, channels): one channel is given twice, several are mixed to their mean."""
    if block.shape[1] == channels:
        return block
    if block.shape[1] > 1:
        block = np.round(block.mean(axis=1, keepdims=True)).astype(np.int16)
    return np.repeat(block, channels, axis=1)
