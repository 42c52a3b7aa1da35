"""The trained Transformer whose attention this lesson shows."""

from lessons.kit.translator import Translator

TRANSFORMER = Translator("everyday-transformer-s0")
