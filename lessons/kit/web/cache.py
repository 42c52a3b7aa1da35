"""The caches of a web worker, each with its share of the worker's memory."""

from lessons.kit.memo import COMPUTED, ByteLRU

ANSWERS = ByteLRU(24 << 20)  # compressed response bodies: a class requests the same few states
PICTURES = ByteLRU(8 << 20)  # single pictures: a control seldom changes all pictures of a drawing
CACHES = {"answers": ANSWERS, "pictures": PICTURES, "computed": COMPUTED}
