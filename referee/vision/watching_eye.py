"""What a steadied camera hands its frames to."""

from __future__ import annotations

from typing import Protocol

from referee.observations import Observation
from referee.vision.quads import Image


class WatchingEye(Protocol):
    """What the steadied frames are handed to. `settled_s`: nothing that it still will report happened before this."""

    @property
    def settled_s(self) -> float:
        """Seconds on the session clock."""

    def see(self, image_bgr: Image, t_s: float) -> list[Observation]:
        """Take in one frame."""

    def close(self, t_s: float) -> list[Observation]:
        """No more frames."""
