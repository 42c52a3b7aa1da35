"""Split the words of a story into sentences."""

from collections.abc import Iterable

SENTENCE_ENDS = (".", "?", "”", ")")


def split_sentences(words: Iterable[str]) -> tuple[str, ...]:
    """Split running text after every sentence, so that repetitions are easy to see."""
    sentences: list[list[str]] = [[]]
    for word in words:
        if sentences[-1] and sentences[-1][-1] in SENTENCE_ENDS and word not in SENTENCE_ENDS:
            sentences.append([])
        sentences[-1].append(word)
    return tuple(" ".join(sentence) for sentence in sentences if sentence)
