"""Keeps the memory of an evening flat: what a frame took goes back to the system when the frame is let go.

The GNU allocator gives large blocks maps of their own, but raises the size from which it does so to that of the first
one let go. From then on frames lie in the heaps of the threads that made them, each with holes as large as frames,
and more of them with every camera that comes back: about 2 MB a loss, none of it in use.
"""

from __future__ import annotations

import ctypes
import platform

BLOCK_BYTES = 512 * 1024
"""From this size on a block has its own map: every frame of 640x360 pixels or more, few arrays of the eye's work."""

_M_MMAP_THRESHOLD = -3


def keep_memory_steady() -> bool:
    """Fix that size for this process; before cameras are opened. False where the allocator is another."""
    if platform.libc_ver()[0] != "glibc":
        return False
    try:
        return bool(ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, BLOCK_BYTES))
    except (OSError, AttributeError):
        return False
