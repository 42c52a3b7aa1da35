"""The caches of a web worker, each with its share of the worker's memory, and with one value per language."""

from lessons.kit.language import language_key
from lessons.kit.memo import COMPUTED, ByteLRU

# compressed response bodies: a class requests the same few states
ANSWERS = ByteLRU(24 << 20, key_suffix=language_key)
# single pictures: a control seldom changes all pictures of a drawing
PICTURES = ByteLRU(8 << 20, key_suffix=language_key)
CACHES = {"answers": ANSWERS, "pictures": PICTURES, "computed": COMPUTED}
