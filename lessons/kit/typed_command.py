"""Tokenize a typed command for the task `code` leniently: plain English is never rejected.

Words with the same meaning are replaced by those of the task, large numbers by the largest one that it knows,
and any other unknown word by a variable: a typed `price` is read as one of its variables.
"""

import re
from collections.abc import Sequence

from lessons.kit.similar_words import words_one_letter_away
from lessons.kit.typed_text import TypedSentence, tell_replaced, tokenize
from models.tasks.code import NUMBERS, SOURCE_WORDS, VARIABLES
from models.vocabulary import InputError

SIGNS = {  # pattern of a sign → words
    "==": "equals",
    "!=": "is not",
    r"(?:let\s+)?\b([a-z]+)\s*=": r"let \1 be",
    ">": "is greater than",
    "<": "is less than",
    r"[.;\n]+\s*(?:then\s)?(?=\s*[a-z])": ", then",  # the next sentence or line is one more clause
}
SYNONYMS = {
    synonym: word
    for word, synonyms in {
        "greater": "bigger larger higher",
        "smaller": "lower fewer",
        "increase": "raise grow",
        "decrease": "reduce lower shrink",
        "subtract": "remove",
        "print": "write output display",
        "show": "tell give",
        "set": "assign make put",
        "sum": "total",
        "it": "them result value answer outcome",
        "times": "time",
        "swap": "exchange switch",
    }.items()
    for synonym in synonyms.split()
    if synonym not in SOURCE_WORDS
}
OMITTED = frozenset("please now first finally also just twice once again me variable number".split())


def read_command_text(text: str, control: str = "text") -> TypedSentence:
    """Tokenize one typed command. Notices beside the control report every change."""
    for sign, words in SIGNS.items():
        text = re.sub(rf"\s*{sign}\s*", f" {words} ", text, flags=re.IGNORECASE)
    tokens = tokenize(text, SOURCE_WORDS, control)
    pairs, replaced, omitted = [], dict[str, str](), []
    for token in tokens:
        if token in ("?", "!"):
            token = word = "."
        elif token in SOURCE_WORDS:
            word = token
        elif token in OMITTED or (not token[0].isalnum()):
            omitted.append(token)
            continue
        else:
            word = replaced.get(token) or find_replacement(token, (*tokens, *replaced.values()))
            replaced[token] = word
        pairs.append((token, word))
    tell_replaced(replaced, omitted, control)
    if len(pairs) < 2:  # no words are left, only the final mark
        raise InputError("Type a command, such as: add three to x and print it.", control)
    return TypedSentence(tuple(typed for typed, _ in pairs), tuple(word for _, word in pairs))


def find_replacement(token: str, used: Sequence[str]) -> str:
    """Find the known word that replaces an unknown one."""
    if token in SYNONYMS:
        return SYNONYMS[token]
    if token.isdecimal():
        return min(NUMBERS, key=lambda number: abs(int(number) - int(token)))
    near = [word for word in words_one_letter_away(token, SOURCE_WORDS) if word not in VARIABLES]
    unused = [variable for variable in VARIABLES if variable not in used]
    return near[0] if near else (unused or VARIABLES)[0]
