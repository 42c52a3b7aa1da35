"""What several pictures of this lesson share."""

import numpy as np

from lessons.kit.pictures.unrolled import Chain, Unrolled

Words = tuple[str, ...]
TOP = 0.5  # the value of full colour: most numbers of a state lie within


def encoder(words: Words, states: np.ndarray) -> Chain:
    """Only the last state is handed on."""
    return Chain("encoder reads", words, states, used=frozenset({len(words) - 1}), key="source", first=0)


def pair(below: Chain, read: Words, states: np.ndarray, start: np.ndarray, outputs: Words, context: np.ndarray, **look) -> Unrolled:
    """An encoder, c as one strip, and a decoder that reads what stands below it and writes what stands above."""
    above = Chain("decoder writes", read, states, "target", outputs=outputs, start=start, fed_back=look.pop("fed_back", True))
    return Unrolled((below, above), context=context, **{"top": TOP} | look)


def too_long(words: Words, trained: tuple[int, int]) -> str:
    """The teacher is no better than its training."""
    return f" The teacher, too, was trained on at most {trained[1]} words." if len(words) > trained[1] else ""
