"""Tokenize a typed passage leniently: several sentences, perhaps unfinished, with quotation marks.

Unknown words become `<unk>`; plain English is never rejected.
"""

from collections.abc import Collection

from lessons.kit.language import translate
from lessons.kit.notices import add_notice
from lessons.kit.typed_text import (
    COMMA_MARKS,
    FINAL_MARK_NOTICES,
    FINAL_MARKS,
    QUESTION_STARTS,
    TITLES,
    UNKNOWN,
    TypedSentence,
    capitalised_words,
    drop_emoji,
    known_form,
    list_words,
    replace_unknown,
    split_hyphens,
    tell_other_forms,
    tell_unknown,
)
from models.tasks.everyday.reader import expand
from models.vocabulary import PIECE, InputError, normalise

MAX_LETTERS = 40  # texts whose mean word length exceeds this are refused
# endings of contractions, such as tom's; dropped if the model does not know them
PARTS = frozenset(("'s", "'"))


def read_passage(
    text: str, known: Collection[str], control: str = "text", max_words: int = 60
) -> TypedSentence:
    """Tokenize typed text. Notices beside the control report every change.

    Words outside `known` become `<unk>`, or known words of the same kind if `known` has no `<unk>`.

    Only the first `max_words` tokens are read. Raise an InputError for text that cannot be English: empty,
    enormous, or in another script.
    """
    if len(text) > MAX_LETTERS * max_words:
        raise InputError(f"That is {len(text):,} characters. Use at most {max_words} words.", control)
    tokens = tokenize(drop_emoji(open_and_close(text), control), known)
    if not tokens:
        raise InputError("Type at least one word.", control)
    letters = [letter for token in tokens for letter in token if letter.isalnum()]
    if letters and not any(letter.isascii() for letter in letters):
        raise InputError("This model reads English. Type English words.", control)
    if omitted := [token for token in tokens if token in PARTS and token not in known]:
        add_notice(control, f"Left out: {list_words(list(dict.fromkeys(omitted)))}.")
        tokens = [token for token in tokens if token not in omitted]
    if len(tokens) > max_words:
        add_notice(control, f"Only the first {max_words} of {len(tokens)} words are read.")
        tokens = tokens[:max_words]
    if UNKNOWN not in known:
        return replace_unknown(tokens, known, capitalised_words(text), control)
    sentence = TypedSentence(tuple(tokens), tuple(known_form(token, known) for token in tokens))
    tell_other_forms(sentence, control)
    tell_unknown(sentence, known, capitalised_words(text), control)
    return sentence


def read_whole_story(text: str, known: Collection[str], control: str, max_words: int) -> TypedSentence:
    """Like `read_passage`, for a complete text: add a missing final mark, with a notice."""
    sentence = read_passage(text, known, control, max_words - 1)
    if sentence.words[-1] in FINAL_MARKS:
        return sentence
    ends = [i for i, word in enumerate(sentence.words) if word in FINAL_MARKS]
    start = sentence.words[ends[-1] + 1 if ends else 0]
    mark = "?" if start in QUESTION_STARTS and "?" in known else "."
    add_notice(control, translate(FINAL_MARK_NOTICES[mark]))
    return TypedSentence((*sentence.typed, mark), (*sentence.words, mark))


def open_and_close(text: str) -> str:
    """Replace straight quotation marks by opening and closing ones, in turn."""
    first, *rest = text.split('"')
    return first + "".join((" “ " if i % 2 == 0 else " ” ") + piece for i, piece in enumerate(rest))


def tokenize(text: str, known: Collection[str]) -> list[str]:
    """Split into words and marks. Contractions are expanded, unless they are known words."""
    tokens: list[str] = []
    for piece in PIECE.findall(normalise(TITLES.sub(r"\1", text))):
        for token in [piece] if piece in known else expand(piece.rstrip("'") or piece).split():
            if mark := read_mark(token, known):
                is_again = mark in FINAL_MARKS and tokens[-1:] == [mark]  # “!!!” counts once
                tokens += [] if is_again else [mark]
    return split_hyphens(tuple(tokens), known)


def read_mark(token: str, known: Collection[str]) -> str:
    """Replace an unknown punctuation mark by a known one or by nothing; leave words unchanged."""
    if token in known or token[0].isalnum() or token in PARTS:
        return token
    replaced = "." if token in FINAL_MARKS else "," if token in COMMA_MARKS else ""
    return replaced if replaced in known else ""
