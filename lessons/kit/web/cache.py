"""The caches of a web worker, each with its share of the worker's memory."""

from lessons.kit.memo import COMPUTED, ByteLRU, Key
from lessons.kit.memo import shallow_bytes as weight

__all__ = ("ANSWERS", "CACHES", "PICTURES", "ByteLRU", "Key", "weight")

ANSWERS = ByteLRU(
    24 << 20
)  # everything as it is sent (drawings, pages, exports): a class looks at the same few states
PICTURES = ByteLRU(8 << 20)  # parts of drawings: a control changes some pictures, seldom all
CACHES = {"answers": ANSWERS, "pictures": PICTURES, "computed": COMPUTED}
