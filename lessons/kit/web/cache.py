"""The memory of a web worker: the share of each cache, and that freed memory goes back to the system."""

import ctypes
import sys
from contextlib import suppress

from lessons.kit.memo import COMPUTED, ByteLRU, Key
from lessons.kit.memo import shallow_bytes as weight

__all__ = ("ANSWERS", "CACHES", "PICTURES", "ByteLRU", "Key", "weight")

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # of mallopt(3)
MALLOC_OPTIONS = {M_ARENA_MAX: 2, M_MMAP_THRESHOLD: 1 << 20, M_TRIM_THRESHOLD: 8 << 20}  # smaller ones cost time: more page faults

ANSWERS = ByteLRU(48 << 20)  # everything as it is sent (drawings, pages, exports): a class looks at the same few states
PICTURES = ByteLRU(16 << 20)  # parts of drawings: a control changes some pictures, seldom all
CACHES = {"answers": ANSWERS, "pictures": PICTURES, "computed": COMPUTED}


def return_freed_memory() -> None:
    """Make glibc take large blocks from the system and give them back, and share few arenas among all threads.

    Left alone, it moves its threshold up with the largest block that was freed, and has eight arenas per core. Then the buffers
    of exported pictures stay in its heaps, between smaller things that are cached.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library
            mallopt = ctypes.CDLL(None).mallopt
            for option, value in MALLOC_OPTIONS.items():
                mallopt(option, value)


return_freed_memory()
