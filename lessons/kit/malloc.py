"""Bounds the memory of native code: makes glibc's malloc give freed memory back, and torch's oneDNN keep fewer kernels.

Left alone, glibc has eight arenas per core, and moves the size from which a block is returned when it is freed up to that of the
largest block so far. Then the buffers of exported pictures stay in its heaps, between smaller things that are cached.
oneDNN caches a kernel, of some 30 KB, for each shape that it has met, up to 1,024 of them. Sentences and widths have many shapes.
"""

import ctypes
import os
import sys
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # of mallopt(3)
OPTIONS = {
    M_ARENA_MAX: 1,
    M_MMAP_THRESHOLD: 1 << 20,
    M_TRIM_THRESHOLD: 8 << 20,
}  # smaller ones cost time: more page faults

ONEDNN_KERNELS = "128"

libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def tune() -> None:
    """Share few arenas among all threads; take large blocks from the system, and return them when they are freed."""
    with suppress(AttributeError):  # another C library
        for option, value in OPTIONS.items():
            libc.mallopt(option, value)  # type: ignore[union-attr]


def trim() -> None:
    """Give free heap memory back to the operating system (malloc_trim). Releases the interpreter lock meanwhile."""
    with suppress(AttributeError):
        libc.malloc_trim(0)  # type: ignore[union-attr]


os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", ONEDNN_KERNELS)  # read when the first kernel is made
tune()
