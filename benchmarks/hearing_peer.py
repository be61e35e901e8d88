"""The peer: pocketsphinx listening for the keyword "uno" with its own English model (extra `benchmark`)."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.hearing.listener import REFRACTORY_S
from referee.observations import CallHeard

RATE_HZ = 16000
THRESHOLD = 1e-8
"""At this one it fires 1.7 times a minute on read speech."""


class Sphinx:
    """A keyword spotter that gives "uno" with its time."""

    def __init__(self, threshold: float = THRESHOLD) -> None:
        from pocketsphinx import Config, Decoder, get_model_path

        self._decoder: Any = Decoder(
            Config(
                hmm=get_model_path("en-us/en-us"),
                dict=get_model_path("en-us/cmudict-en-us.dict"),
                lm=None,
                samprate=float(RATE_HZ),
                kws_threshold=threshold,
                loglevel="FATAL",
            )
        )
        self._decoder.add_word("unocall", "UW N OW", True)
        self._decoder.add_keyphrase("uno", "unocall")
        self._decoder.activate_search("uno")

    @staticmethod
    def installed() -> bool:
        """Whether its package is."""
        return find_spec("pocketsphinx") is not None

    def hear(self, sound: NDArray[np.int16]) -> list[CallHeard]:
        """Each "uno" of a recording; the decoder is started anew after each."""
        calls: list[CallHeard] = []
        began = 0
        self._decoder.start_utt()
        for at in range(0, len(sound), RATE_HZ // 10):
            self._decoder.process_raw(sound[at : at + RATE_HZ // 10].tobytes(), False, False)
            if self._decoder.hyp() is None:
                continue
            for found in list(self._decoder.seg())[:1]:
                start_s = began / RATE_HZ + found.start_frame / 100
                end_s = began / RATE_HZ + found.end_frame / 100
                if calls and start_s - calls[-1].t_s < REFRACTORY_S:
                    continue
                calls.append(
                    CallHeard(id=f"s{len(calls)}", t_s=start_s, seen_s=at / RATE_HZ, call="uno", end_s=end_s)
                )
            self._decoder.end_utt()
            self._decoder.start_utt()
            began = at + RATE_HZ // 10
        self._decoder.end_utt()
        return calls
