"""One text, split in four ways: words, characters, bytes and byte-pair pieces, merge by merge."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, pairwise

import numpy as np

from lessons.kit.checkpoints import STORIES
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from models import bpe
from models.vocabulary import InputError, normalise

Words = tuple[str, ...]

MAX_CHARACTERS = 80
MAX_MERGES = (
    MAX_CHARACTERS * 4
)  # a character has at most four bytes, and every merge removes at least one piece
UPCOMING = 4  # merges shown in the table
INNER = frozenset("-'’")  # punctuation that can be part of a word
SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))  # they change the emoji before them
SENTENCES = {  # the same sentence in languages that separate words by spaces
    "English": "The little cat sleeps in the house.",
    "French": "Le petit chat dort dans la maison.",
    "Spanish": "El gato pequeño duerme en la casa.",
    "German": "Die kleine Katze schläft im Haus.",
    "Turkish": "Küçük kedi evde uyuyor.",
    "Finnish": "Pieni kissa nukkuu talossa.",
    "Greek": "Η μικρή γάτα κοιμάται στο σπίτι.",
    "Korean": "작은 고양이가 집에서 잔다.",
    "Hindi": "छोटी बिल्ली घर में सोती है।",
}
SPELLINGS = ("in 1992", "1992", "365", "1234", "garden", " garden", "Garden", "GARDEN", "a    b")


def split_words(text: str) -> Words:
    """Split into words and punctuation; keep letters, digits and accents together, and parts of an emoji."""
    found: list[str] = []
    joins = False  # whether the next character belongs to the previous one
    for i, character in enumerate(text):
        kind = unicodedata.category(character)
        if character.isspace():
            joins = False
            continue
        is_inner = (
            character in INNER
            and joins
            and i + 1 < len(text)
            and unicodedata.category(text[i + 1])[0] in "LN"
        )
        is_letter = kind[0] in "LN" or is_inner
        is_attached = kind[0] == "M" or kind == "Cf" or character in SKIN_TONES or text[i - 1] == "\u200d"
        if found and (is_attached or (joins and is_letter)):
            found[-1] += character
        else:
            found.append(character)
        joins = is_letter or (joins and kind[0] == "M")
    return tuple(found)


def visible(text: str) -> str:
    """Make spaces visible, and replace invisible characters by their code points."""
    signs = {" ": "␣", "\n": "⏎", "\t": "⇥"}
    return "".join(
        signs.get(c)
        or (f"U+{ord(c):04X}" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") else c)
        for c in text
    )


def written(piece: bytes) -> str:
    """A piece as text; bytes that are only part of a character are written in hexadecimal."""
    try:
        return visible(piece.decode("utf-8"))
    except UnicodeDecodeError:
        return "".join(visible(chr(byte)) if byte < 128 else f"‹{byte:02X}›" for byte in piece)


@dataclass(frozen=True)
class Upcoming:
    """A merge of the byte-pair encoding that applies to this text."""

    rank: int  # among all merges, from 1
    left: str
    right: str
    piece: str
    count: int  # occurrences of the pair in the training text when it was merged
    times: int  # occurrences of the pair in this text now


@dataclass(frozen=True)
class Split(Result):
    text: str
    words: Words
    known: tuple[bool, ...]  # whether each word is in the vocabulary of our story models
    characters: Words
    byte_count: int
    merge: int  # merges done so far
    merges: int  # all merges that change this text
    pieces: Words  # pieces after the merges done so far
    joined: tuple[int, ...]  # pieces created by the last merge, 0-based
    last: Upcoming | None  # the last merge done
    bytes_of: dict[str, tuple[int, ...]]  # how many bytes each word, piece and character has
    upcoming: tuple[Upcoming, ...]
    final: Words  # pieces after all merges
    vocabulary_sizes: dict[str, int]

    def limits(self) -> dict[str, int]:
        return {"merge": self.merges}

    @property
    def strangest(self) -> str | None:
        """The longest unknown word in the text."""
        return max(
            (word for word, known in zip(self.words, self.known, strict=True) if not known),
            key=len,
            default=None,
        )

    @cached_property
    def strangest_pieces(self) -> Words:
        """Pieces of the longest unknown word, including the space before it if there is one."""
        if self.strangest is None:
            return ()
        spaced = f" {self.strangest}"
        return tuple(map(written, bpe.load().encode(spaced if spaced in self.text else self.strangest)))

    @cached_property
    def hexadecimal(self) -> tuple[Words, Words]:
        """All bytes in hexadecimal, and the character that each byte belongs to."""
        parts = [(f"{byte:02X}", c) for c in self.text for byte in c.encode("utf-8", "replace")]
        return tuple(byte for byte, _ in parts), tuple(c for _, c in parts)

    @cached_property
    def per_word(self) -> np.ndarray:
        """(languages,) pieces per word of the same sentence after all merges."""
        return np.array([len(bpe.load().encode(text)) / len(text.split()) for text in SENTENCES.values()])


@cache
def spelled() -> tuple[bpe.Pieces, ...]:
    """The pieces of each text in SPELLINGS."""
    return tuple(bpe.load().encode(text) for text in SPELLINGS)


@memoize
def played(text: str) -> list[tuple[int, tuple[bpe.Pieces, ...]]]:
    return bpe.load().play(text)


def count_pairs(state: Sequence[bpe.Pieces], merge: bpe.Merge) -> int:
    """Count the pairs that this merge joins in one pass through the text from left to right."""
    return sum(len(pieces) - len(bpe.merge_pair(pieces, merge.left, merge.right)) for pieces in state)


def tokens(text: str, merge: int) -> Split:
    if not text.strip():
        raise InputError("Type at least one word.", "text")
    encoder, steps = bpe.load(), played(text)
    start = tuple(map(bpe.single_bytes, bpe.chunks(text)))
    states = [start, *(state for _, state in steps)]
    merge = min(merge, len(steps))

    def described(step: int) -> Upcoming:
        rank, _ = steps[step]
        rule = encoder.merges[rank]
        left, right = written(rule.left), written(rule.right)
        return Upcoming(
            rank + 1, left, right, written(rule.piece), rule.count, count_pairs(states[step], rule)
        )

    now = tuple(chain.from_iterable(states[merge]))
    words = split_words(text)
    return Split(
        text=text,
        words=tuple(map(visible, words)),
        known=tuple(normalise(word) in STORIES.vocabulary for word in words),
        characters=tuple(map(visible, text)),
        byte_count=sum(map(len, now)),
        merge=merge,
        merges=len(steps),
        pieces=tuple(map(written, now)),
        joined=just_joined(states[merge - 1], states[merge]) if merge else (),
        last=described(merge - 1) if merge else None,
        bytes_of={
            "words": tuple(len(word.encode("utf-8", "replace")) for word in words),
            "pieces": tuple(map(len, now)),
            "characters": tuple(len(c.encode("utf-8", "replace")) for c in text),
        },
        upcoming=tuple(described(step) for step in range(merge, min(merge + UPCOMING, len(steps)))),
        final=tuple(written(piece) for piece in chain.from_iterable(states[-1])),
        vocabulary_sizes={"words": len(STORIES.vocabulary), "bytes": 256, "pieces": encoder.vocabulary_size},
    )


def just_joined(before: Sequence[bpe.Pieces], after: Sequence[bpe.Pieces]) -> tuple[int, ...]:
    """Indices of pieces in `after` that were two pieces in `before`."""
    were = set(spans(chain.from_iterable(before)))
    return tuple(i for i, span in enumerate(spans(chain.from_iterable(after))) if span not in were)


def spans(pieces: chain[bytes]) -> list[tuple[int, int]]:
    """Start and end of each piece, in bytes."""
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece))
    return list(pairwise(ends))
