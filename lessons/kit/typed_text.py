"""Tokenize typed English leniently.

Unknown words become `<unk>`; plain English is never rejected.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from lessons.kit.notices import add_notice
from models.tasks.everyday.reader import read_english
from models.vocabulary import InputError

UNKNOWN = "<unk>"
MAX_WORDS = 40
MAX_CHARACTERS = 40 * MAX_WORDS
FINAL_MARKS = {".": "full stop", "?": "question mark", "!": "exclamation mark"}
QUESTION_STARTS = frozenset(
    """
    do does did is are was were will would can could should must may have has
    what where who when why how which whose
    """.split()
)
COMMA_MARKS = frozenset(";:–—")
SYMBOLS = (
    "So",
    "Sk",
    "Cf",
    "Cs",
    "Co",
    "Cn",
)  # Unicode categories: symbols, modifiers, joiners, unassigned code points
VARIATION_SELECTOR = "\ufe0f"  # follows a symbol that is to be shown as an emoji
NAMED = 4  # maximum number of unknown words listed in the notice


@dataclass(frozen=True)
class TypedSentence:
    """The tokens of a typed sentence."""

    typed: tuple[str, ...]  # words as typed
    words: tuple[str, ...]  # the same, with `<unk>` for unknown words

    @property
    def unknown(self) -> tuple[int, ...]:
        """Positions of unknown words, 0-based."""
        return tuple(i for i, word in enumerate(self.words) if word == UNKNOWN)

    @property
    def shown(self) -> tuple[str, ...]:
        """The words for pictures: unknown words as typed, in angle brackets."""
        return tuple(
            mark_unknown(typed) if word == UNKNOWN else word
            for typed, word in zip(self.typed, self.words, strict=True)
        )


def mark_unknown(word: str) -> str:
    """Mark a word that a model reads or writes as `<unk>`: tanmoy becomes <tanmoy>."""
    return f"<{word}>"


def read_sentence(text: str, known: Collection[str], control: str = "source") -> TypedSentence:
    """Tokenize one typed sentence; notices beside the control report every change.

    Raise an InputError for text that cannot be an English sentence: empty, too long, another script.
    """
    tokens = tokenize(text, known, control)
    sentence = TypedSentence(tuple(tokens), tuple(token if token in known else UNKNOWN for token in tokens))
    tell_unknown(sentence, control)
    return sentence


def read_known_words(text: str, known: Collection[str], control: str = "source") -> tuple[str, ...]:
    """Tokenize one typed sentence for a model without `<unk>`: unknown words are left out, with a notice."""
    *tokens, mark = tokenize(text, known, control)
    if left_out := [token for token in tokens if token not in known]:
        count = "1 word is" if len(left_out) == 1 else f"{len(left_out)} words are"
        add_notice(control, f"{count} unknown to these models and left out ({name_words(left_out)}).")
    return *(token for token in tokens if token in known), mark if mark in known else "."


def tokenize(text: str, known: Collection[str], control: str) -> list[str]:
    """Split one typed sentence into words and marks, ending with a final mark, or raise an InputError."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"That is {len(text):,} characters. Use at most {MAX_WORDS} words.", control)
    plain = drop_emoji(text, control)
    tokens = [
        token for token in map(replace_mark, split_hyphens(first_sentence(plain, control), known)) if token
    ]
    words = [token for token in tokens if token[0].isalnum() or token[0] == "'"]
    if not words:
        raise InputError("Type an English sentence.", control)
    if not any(letter.isascii() for word in words for letter in word):
        raise InputError("This model reads English. Type an English sentence.", control)
    if len(tokens) > MAX_WORDS:
        raise InputError(f"That is {len(tokens)} words. Use at most {MAX_WORDS}.", control)
    return add_final_mark(text, tokens, control)


def first_sentence(text: str, control: str) -> tuple[str, ...]:
    """Tokens of the first sentence: the models translate one sentence at a time."""
    parts = [part for part in re.split(r"(?<=[.?!])\s+(?=\S)", text.strip()) if re.search(r"\w", part)]
    if len(parts) > 1:
        add_notice(control, f"Only the first of {len(parts)} sentences is read.")
    return read_english(parts[0]) if parts else ()


def drop_emoji(text: str, control: str) -> str:
    """Remove emoji and other symbols that are not part of a sentence."""
    kept = "".join(" " if unicodedata.category(character) in SYMBOLS else character for character in text)
    kept = kept.replace(VARIATION_SELECTOR, " ")
    if any(unicodedata.category(character) == "So" for character in text):
        add_notice(control, "Emoji are left out.")
    return kept


def split_hyphens(tokens: tuple[str, ...], known: Collection[str]) -> list[str]:
    """Split each hyphenated word that is unknown as a whole but contains a known part."""
    found: list[str] = []
    for token in tokens:
        parts = token.split("-")
        split = token not in known and len(parts) > 1 and any(part in known for part in parts)
        found += parts if split else [token]
    return found


def replace_mark(token: str) -> str:
    """Replace an unknown punctuation mark by a comma or by nothing; leave words unchanged."""
    if token in COMMA_MARKS:
        return ","
    return token if token[0].isalnum() or token in (",", "'s", *FINAL_MARKS) else ""


def add_final_mark(text: str, tokens: list[str], control: str) -> list[str]:
    """End the sentence with exactly one final mark; add one if none was typed."""
    while tokens and tokens[-1] in (",", *FINAL_MARKS):
        tokens = tokens[:-1]
    typed = re.search(r"[.?!]", text)
    mark = typed[0] if typed else "?" if tokens[0] in QUESTION_STARTS else "."
    if not typed:
        add_notice(control, f"A {FINAL_MARKS[mark]} was added.")
    return [*(token for token in tokens if token not in FINAL_MARKS), mark]


def tell_unknown(sentence: TypedSentence, control: str) -> None:
    """Add a notice that lists the unknown words."""
    unknown = [sentence.typed[i] for i in sentence.unknown]
    if unknown:
        count = "1 word is" if len(unknown) == 1 else f"{len(unknown)} words are"
        add_notice(control, f"{count} unknown ({name_words(unknown)}) and read as {UNKNOWN}.")


def name_words(words: Sequence[str]) -> str:
    """The first words of a list, quoted."""
    return ", ".join(f"“{word}”" for word in words[:NAMED]) + (" …" if len(words) > NAMED else "")
