"""A frame that is let go is given back to the system, whatever was let go before it."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys

import pytest

PROGRAM = """
import ctypes
import numpy as np
from referee.capture.steady_memory import keep_memory_steady

class Facts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd e f g h i".split()]
library = ctypes.CDLL(None)
library.mallinfo2.restype = Facts
assert keep_memory_steady()
frame = np.ones((1080, 1920, 3), np.uint8)
del frame  # from here on the allocator as it comes would put frames among the small things
before = library.mallinfo2().hblks
frames = [np.ones((480, 640, 3), np.uint8) for _ in range(5)]
print(library.mallinfo2().hblks - before)
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="another allocator"
)
def test_frames_have_maps_of_their_own() -> None:
    # Without it none of the five usually has; whether depends on what numpy and the interpreter let go before.
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True, text=True)
    assert int(done.stdout) == 5
