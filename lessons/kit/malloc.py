"""Limit the memory of native code: glibc's malloc returns freed memory, oneDNN caches fewer kernels.

By default glibc has eight arenas per core, and raises the size from which a freed block is returned to that
of the largest block so far. Then the buffers of exported pictures stay in its heaps, between smaller cached
objects. oneDNN caches a kernel of about 30 KB for each shape, up to 1,024. Sentences and widths have many
shapes.
"""

import ctypes
import os
import sys
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # of mallopt(3)
# smaller thresholds cost time: more page faults
OPTIONS = {M_ARENA_MAX: 1, M_MMAP_THRESHOLD: 1 << 20, M_TRIM_THRESHOLD: 8 << 20}
MAX_ONEDNN_KERNELS = "128"

libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def tune() -> None:
    """Use one arena for all threads; allocate large blocks with mmap, so that freeing returns them."""
    with suppress(AttributeError):  # another C library
        for option, value in OPTIONS.items():
            libc.mallopt(option, value)  # type: ignore[union-attr]


def trim() -> None:
    """Return free heap memory to the operating system (malloc_trim), without holding the interpreter lock."""
    with suppress(AttributeError):
        libc.malloc_trim(0)  # type: ignore[union-attr]


# read when the first kernel is built
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", MAX_ONEDNN_KERNELS)
tune()
