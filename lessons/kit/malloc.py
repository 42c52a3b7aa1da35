"""Limit the memory of native code: glibc's malloc returns freed memory, oneDNN caches fewer kernels.

By default glibc uses eight arenas per core. It returns a freed block to the system only above a threshold,
which it raises to the largest block freed so far. The buffers of exported pictures then stay in its heaps,
between smaller cached objects. oneDNN caches a kernel of about 30 KB per tensor shape, up to 1,024 kernels;
sentences and model sizes produce many shapes.
"""

import ctypes
import os
import sys
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # parameters of mallopt(3)
# smaller thresholds are slower because of more page faults
OPTIONS = {M_ARENA_MAX: 1, M_MMAP_THRESHOLD: 1 << 20, M_TRIM_THRESHOLD: 8 << 20}
MAX_ONEDNN_KERNELS = "128"

libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def tune() -> None:
    """Use one arena for all threads; allocate large blocks with mmap, so that freeing returns them."""
    with suppress(AttributeError):  # skipped if the C library is not glibc
        for option, value in OPTIONS.items():
            libc.mallopt(option, value)  # type: ignore[union-attr]


def trim() -> None:
    """Return free heap memory to the operating system (malloc_trim), without holding the interpreter lock."""
    with suppress(AttributeError):
        libc.malloc_trim(0)  # type: ignore[union-attr]


# must be set before oneDNN builds its first kernel
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", MAX_ONEDNN_KERNELS)
tune()
