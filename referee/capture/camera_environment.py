"""What cv2 reads from the environment when it is imported: set by the entry point, before all imports (C6)."""

from __future__ import annotations

import os

ENVIRONMENT = {
    # Windows' Media Foundation otherwise takes tens of seconds to open a camera; read when cv2 is imported (C6).
    "OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS": "0",
    "OPENCV_LOG_LEVEL": "ERROR",
}


def prepare_environment() -> None:
    """Set what cv2 reads when it is imported; what the user set stays. Call it before anything imports cv2."""
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
