"""What reading costs: latency, memory and import of the shipped reader, and of Ultralytics with the same weights.

Each is measured in a process of its own: `python benchmarks/cards_speed.py ours|peer`, which prints one JSON line.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WEIGHTS = Path(__file__).resolve().parents[1] / "models" / "checkpoints" / "card-detector.pt"
SIZE_PX = (1280, 720)
CARD_PX = 137.0
CARDS = 20
REPEATS = 9
_START = "import time; t = time.perf_counter(); import referee.vision.reader; print(time.perf_counter() - t)"


def measured(which: str) -> dict[str, float] | None:
    """Figures of `ours` or `peer` from a fresh process; None when it cannot run, as without the extra `train`."""
    done = subprocess.run([sys.executable, __file__, which], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def ours() -> dict[str, float]:
    """The shipped reader on a drawn table of 20 cards."""
    seconds = [float(subprocess.check_output([sys.executable, "-c", _START])) for _ in range(3)]
    from referee.vision.reader import open_reader

    image = twenty_cards()
    reader = open_reader()
    x, y = (round(v - 0.9 * CARD_PX) for v in _middle(7))
    around = round(1.8 * CARD_PX)
    changed = image[y : y + around, x : x + around]
    found = sum(r.confidence >= 0.5 for r in reader.read(image))
    return {
        "import s": min(seconds),
        **_median_ms("one card changed", lambda: reader.read(changed, CARD_PX)),
        **_median_ms("whole table, length known", lambda: reader.read(image, CARD_PX)),
        **_median_ms("whole table, nothing known", lambda: reader.read(image)),
        "found of 20": found,
        "memory MB": _memory_mb(),
    }


def peer() -> dict[str, float]:
    """The same detector weights under Ultralytics' own runtime: outlines only, no names."""
    start_s = time.perf_counter()
    from referee.vision.yolo import OwnRuntime

    runtime = OwnRuntime(WEIGHTS)
    opened_s = time.perf_counter() - start_s
    image = twenty_cards()
    found = runtime.boxes(image, SIZE_PX[0] // 2)
    return {
        "import s": opened_s,
        **_median_ms("one look of 640 px", lambda: runtime.boxes(image, SIZE_PX[0] // 2)),
        **_median_ms("one look of 320 px", lambda: runtime.boxes(image, SIZE_PX[0] // 4)),
        "found of 20": found,
        "memory MB": _memory_mb(),
    }


def twenty_cards() -> Any:
    """A drawn table BGR uint8 (720, 1280, 3) with twenty cards, each turned its own way."""
    import cv2
    import numpy as np

    from referee.synth.faces import draw_face, printing
    from referee.synth.surfaces import table_top

    rng = np.random.default_rng(3)
    picture: Any = table_top("oak", SIZE_PX, 3).astype(np.float32)
    codes = [colour + symbol for colour in "RYGB" for symbol in "0579S"]
    for i, code in enumerate(codes[:CARDS]):
        box = cv2.boxPoints((_middle(i), (CARD_PX * 56 / 87, CARD_PX), float(rng.uniform(0, 360))))
        face = draw_face(code, printing(7), 274).astype(np.float32)
        height, width = face.shape[:2]
        corners = np.array([[0, height], [0, 0], [width, 0], [width, height]], np.float32)
        move = cv2.getPerspectiveTransform(corners, np.asarray(box, np.float32))
        laid = cv2.warpPerspective(face, move, SIZE_PX, flags=cv2.INTER_AREA)
        cover = laid[..., 3:] / 255
        picture = picture * (1 - cover) + laid[..., :3] * cover
    picture = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 3, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _middle(i: int) -> tuple[float, float]:
    return 150.0 + (i % 5) * 245, 110.0 + (i // 5) * 165


def _median_ms(label: str, work: Callable[[], object]) -> dict[str, float]:
    """By the wall and by the processor: the latter is worth something on a busy machine too."""
    work()
    wall_s, processor_s = [], []
    for _ in range(REPEATS):
        start_s = time.perf_counter(), time.process_time()
        work()
        wall_s.append(time.perf_counter() - start_s[0])
        processor_s.append(time.process_time() - start_s[1])
    return {
        f"{label} ms": 1000 * statistics.median(wall_s),
        f"{label}, processor ms": 1000 * statistics.median(processor_s),
    }


def _memory_mb() -> float:
    status = Path("/proc/self/status")
    if status.is_file():
        # The system's count of the largest size begins with that of the process that started this one.
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


if __name__ == "__main__":
    print(json.dumps({"ours": ours, "peer": peer}[sys.argv[1]]()))
