"""Read typed English for the models of word senses. Unknown words become `<unk>`."""

import re
from collections.abc import Sequence

from lessons.kit.notices import add_notice, name_vocabulary
from lessons.kit.typed_passage import open_and_close, tokenize
from lessons.kit.typed_text import (
    TypedSentence,
    capitalised_words,
    drop_emoji,
    known_form,
    tell_other_forms,
    tell_unknown,
)
from models.tasks import BANK
from models.tasks.bank import BLANK
from models.vocabulary import SPECIAL, InputError

SEASON_BEGINNINGS = frozenset("in of and since during early late last next every until when by".split())


def read_words(text: str, control: str = "text") -> TypedSentence:
    """Tokenize typed English, perhaps with a blank. Unknown words become `<unk>`.

    Notices beside the control report every change.
    """
    name_vocabulary(control, "bank")
    if len(text) > 40 * BANK.max_words:
        raise InputError(f"That is {len(text):,} characters. Use at most {BANK.max_words} words.", control)
    tokens: list[str] = []
    for n, piece in enumerate(re.split("_+", drop_emoji(text, control))):
        tokens += [BLANK] * (n > 0) + tokenize(open_and_close(piece), BANK.vocabulary.index)
    if not any(token[0].isascii() for token in tokens):
        raise InputError("Type an English sentence.", control)
    if len(tokens) > BANK.max_words:
        add_notice(control, f"Only the first {BANK.max_words} of {len(tokens)} words are read.")
        tokens = tokens[: BANK.max_words]
    typed = tuple(singular(token) for token in tokens)
    known = frozenset(BANK.vocabulary.words[len(SPECIAL) :]) - set(BANK.scenes)
    sentence = TypedSentence(
        typed, tuple(token if token in BANK.scenes else known_form(token, known) for token in typed)
    )
    tell_other_forms(sentence, control)
    tell_unknown(sentence, known, capitalised_words(text), control)
    return sentence


def singular(token: str) -> str:
    """The singular of a word with two senses: bats becomes bat. Other words stay as they are."""
    return next((word for word in BANK.scenes if token in (f"{word}s", f"{word}es")), token)


def read_ambiguous(text: str, control: str = "text") -> tuple[TypedSentence, int]:
    """Tokenize a sentence, finished or not. Return it with the position of its word with two senses."""
    sentence = read_words(text, control)
    return sentence, find_ambiguous(sentence.words, control)


def read_blank(text: str, control: str = "text") -> tuple[TypedSentence, int, int]:
    """Like `read_ambiguous`, with the position of the one blank."""
    blanks = len(re.findall("_+", text))
    if not blanks:
        raise InputError(f"Leave one word out, and type {BLANK} (underscores) in its place.", control)
    if blanks > 1:
        raise InputError(f"That has {blanks} blanks. Keep one of them.", control)
    sentence, position = read_ambiguous(text, control)
    if BLANK not in sentence.words:
        raise InputError(f"Put the blank among the first {BANK.max_words} words.", control)
    return sentence, position, sentence.words.index(BLANK)


def is_season(words: Sequence[str], i: int) -> bool:
    """Whether this word is probably the season: spring is coming, in spring, last spring."""
    return words[i] == "spring" and (i == 0 or words[i - 1] in SEASON_BEGINNINGS)


def find_ambiguous(words: Sequence[str], control: str) -> int:
    """Position of the first word with two senses."""
    places = [i for i, word in enumerate(words) if word in BANK.scenes]
    if not places:
        raise InputError(f"Use one of the words with two senses: {', '.join(BANK.scenes)}.", control)
    if is_season(words, places[0]):
        add_notice(control, "The season is not among the senses of “spring” here: it is water or metal.")
    if len(places) > 1:
        others = " and ".join(f"“{words[i]}”" for i in places[1:])
        add_notice(control, f"Only “{words[places[0]]}” is followed here, not {others}.")
    return places[0]
