"""Parse typed English: lower case, contractions expanded, a possessive 's as a separate token."""

import re
from functools import cache

from models.tasks.everyday.english import add_s
from models.tasks.everyday.tables import rows
from models.vocabulary import PIECE, normalise

CONTRACTIONS = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "will not",
    "let's": "let us",
    "i'm": "i am",
    "gonna": "going to",
    "wanna": "want to",
    "o'clock": "o'clock",
}
ENDINGS = {"n't": " not", "'re": " are", "'ve": " have", "'ll": " will"}
IS_AFTER = frozenset(
    "it he she that this there here what where who how when why everything nobody everyone".split()
)


def expand(word: str) -> str:
    """Expand a contraction: don't becomes do not, she's becomes she is, tom's becomes tom 's."""
    if word in CONTRACTIONS:
        return CONTRACTIONS[word]
    for ending, full in ENDINGS.items():
        if word.endswith(ending) and len(word) > len(ending):
            return word.removesuffix(ending) + full
    stem, mark, _ = word.partition("'s")
    if mark and word.endswith("'s"):
        return f"{stem} is" if stem in IS_AFTER else f"{stem} 's"
    if word.endswith("'d"):
        return word.removesuffix("'d") + " would"
    if word.endswith("s'"):
        return word.removesuffix("'") + " 's"
    return word


@cache
def variants() -> dict[str, str]:
    """Spelling variants of words in the tables, with their plurals: neighbor, colors."""
    listed = [row for table in ("nouns", "adjectives") for row in rows(table) if " " not in row["english"]]
    spelled = [(other, row) for row in listed for other in row.get("variants", "").split()]
    plurals = {
        add_s(other): row.get("plural") or add_s(row["english"])
        for other, row in spelled
        if row.get("plural") != "-"
    }
    return plurals | {other: row["english"] for other, row in spelled}


def read_english(text: str) -> tuple[str, ...]:
    """Split a typed sentence into tokens. A missing full stop is added."""
    pieces = PIECE.findall(re.sub(r"(?<=\d),(?=\d{3}\b)", "", normalise(text)))
    same = variants()
    tokens = [same.get(token, token) for token in " ".join(expand(piece) for piece in pieces).split()]
    if tokens and tokens[-1] not in (".", "?", "!"):
        tokens.append(".")
    return tuple(tokens)
