"""Phrases used in the texts of several lessons: a word in bold, and whether an output is correct."""

from collections.abc import Sequence

from lessons.kit.language import translate
from lessons.kit.pictures.tokens import quote

Words = tuple[str, ...]


def bold_word(word: str) -> str:
    """Format a word as “**river**”; a word that is itself a quotation mark becomes: the mark **”**."""
    return quote(word).replace(word, f"**{word}**")


def word_at(words: Words, position: int) -> str:
    """The word at a position (from 0) in bold, numbered if it occurs more than once in the sentence."""
    word = bold_word(words[position])
    if words.count(words[position]) == 1:
        return word
    return translate("{word} (word {n})", word=word, n=position + 1)


def correctness_mark(is_correct: bool | None) -> str:
    return "" if is_correct is None else translate("✓ correct") if is_correct else translate("✗ wrong")


def correctness_sentences(is_correct: bool | None, reference: Words | None) -> list[str]:
    """One sentence on whether the translation is correct, or none where no reference is known."""
    if is_correct is None or reference is None:
        return []
    if is_correct:
        return [translate("The translation is correct.")]
    right = " ".join(reference)
    return [translate("The translation is wrong. It should be “{right}”.", right=right)]


def describe_change(before: str, after: str) -> str:
    """Say from which number to which a value changes, or that both look the same."""
    return f"stays at **{after}**" if before == after else f"changes from {before} to **{after}**"


def join_with_and(names: Sequence[str]) -> str:
    """Join names as “a, b and c”."""
    *first, last = names
    return translate("{first} and {last}", first=", ".join(first), last=last) if first else last
