"""Words inside a sentence."""

from lessons.kit.pictures.tokens import quoted


def bold(word: str) -> str:
    """A word in quotation marks and in bold; a quotation mark itself without further ones."""
    return quoted(word).replace(word, f"**{word}**")


def at(words: tuple[str, ...], place: int) -> str:
    """The word at a place, from 0; with its number in the sentence where the same word comes more than once."""
    return bold(words[place]) + (f" (word {place + 1})" if words.count(words[place]) > 1 else "")
