"""Whether listening for hours costs ever more memory: much sound fed as fast as it goes."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from referee.capture.media import SoundChunk
from referee.hearing.listener import Listener
from referee.hearing.phrases import PhrasePack
from referee.hearing.spotter import CallSpotter
from referee.hearing.vosk_recogniser import VoskRecogniser
from referee.synth.rooms import mix_room
from referee.synth.speech import CALL_LINES, CHATTER, speak
from referee.synth.voices import SPEAKERS

RATE_HZ = 16000


def long_lines(
    recogniser: VoskRecogniser, pack: PhrasePack, spotter: CallSpotter | None, minutes: float, every_s: float = 4.0
) -> list[str]:
    """Memory at each tenth, and the processor time, of an evening's talk over and over: a line each `every_s`."""
    said = [(call, name) for call in CALL_LINES for name in list(SPEAKERS)[:2]]
    lines = [speak(call, name) for call, name in said] + [
        speak(line.text, name, language=line.language) for line in CHATTER for name in SPEAKERS
    ]
    order = np.random.default_rng(1).permutation(len(lines))
    sound = mix_room(
        [(2.0 + every_s * k, lines[i]) for k, i in enumerate(order)], every_s * len(lines) + 2, seed=1, snr_db=20
    )
    listener = Listener(recogniser, pack, spotter=spotter, partials=True)
    chunk, at, calls, memory = RATE_HZ // 10, 0, 0, [_resident_mb()]
    total, began = round(minutes * 60 * RATE_HZ), time.process_time()
    while at < total:
        part = sound[at % len(sound) :][:chunk]
        calls += len(listener.hear(SoundChunk(at / RATE_HZ, part, RATE_HZ)))
        at += len(part)
        if at * 10 // total >= len(memory):
            memory.append(_resident_mb())
    cpu = (time.process_time() - began) / (minutes * 60)
    shown = ", ".join(f"{value:.0f}" for value in memory)
    return [
        f"{minutes:.0f} min of sound (syn, a line every {every_s:.0f} s), {calls} calls: CPU {cpu:.3f} of one "
        "core with partials (wanted ≤ 0.15)",
        f"resident MB at each tenth: {shown} (wanted: flat)",
    ]


def _resident_mb() -> float:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")
