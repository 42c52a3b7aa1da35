"""Vocabularies, and functions to tokenise and check text that a learner types."""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

PAD, BOS, EOS = "<pad>", "<bos>", "<eos>"
SPECIAL = (PAD, BOS, EOS)

# A word is letters and digits with inner hyphens and apostrophes. Every other mark is a separate token.
PIECE = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*'?|[^\w\s]|_")


class InputError(ValueError):
    """Raised for unusable input. The message says what to do instead; `control` names the field, if known.

    `nearest` is a similar text that can be used; empty if there is none.
    """

    def __init__(self, message: str, control: str | None = None, nearest: str = ""):
        super().__init__(message)
        self.control = control
        self.nearest = nearest


@dataclass(frozen=True)
class Vocabulary:
    """The known words; the id of a word is its index. The first three are padding, begin and end."""

    words: tuple[str, ...]

    pad, bos, eos = range(3)

    @classmethod
    def of(cls, words: Iterable[str]) -> "Vocabulary":
        return cls(SPECIAL + tuple(sorted(set(words) - set(SPECIAL))))

    def __post_init__(self) -> None:
        if self.words[:3] != SPECIAL or len(set(self.words)) != len(self.words):
            raise ValueError(f"a vocabulary starts with {SPECIAL} and has each word once")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self.index

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def ids(self, tokens: Iterable[str]) -> list[int]:
        return [self.index[token] for token in tokens]

    def tokens(self, ids: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.words[int(i)] for i in ids)

    def nearest(self, word: str, count: int = 3) -> list[str]:
        """Known words with the most similar spelling; words that differ only in accents come first."""
        unaccented = strip_accents(word)
        same = [known for known in self.words[3:] if strip_accents(known) == unaccented]
        close = difflib.get_close_matches(word[:40], self.words[3:], n=count, cutoff=0.6)
        return list(dict.fromkeys(same + close))[:count]


def strip_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def normalise(text: str) -> str:
    """Unify case, composed accents, curly quotes, hyphens and spaces; remove invisible characters.

    Control and format characters and lone surrogates are removed because error messages could not show them.
    """
    text = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    text = unicodedata.normalize("NFC", text.lower())
    text = re.sub(r"[‘’ʼ`´]", "'", text)
    text = re.sub(r"[‐‑–—−]", "-", text)
    return " ".join(text.split())


def split_words(text: str, vocabulary: Vocabulary) -> list[str]:
    """Split into words and punctuation.

    A word with an apostrophe stays whole if known (don't), else it is split after the apostrophe (l' accord).
    """
    tokens = []
    for piece in PIECE.findall(normalise(text)):
        if piece in vocabulary or "'" not in piece.rstrip("'"):
            tokens.append(piece)
        else:
            tokens += [part for part in re.split(r"(?<=')", piece) if part]
    return tokens


def split_characters(text: str, vocabulary: Vocabulary) -> list[str]:
    """Split into characters; spaces are dropped unless the vocabulary contains a space."""
    return [c for c in normalise(text) if c != " " or c in vocabulary]


def check_tokens(
    tokens: Sequence[str], vocabulary: Vocabulary, max_tokens: int, unit: str = "word"
) -> tuple[str, ...]:
    """Return the tokens if a model can read them, else raise an InputError that says what to change."""
    if not tokens:
        raise InputError(f"Type at least one {unit}.")
    if len(tokens) > max_tokens:
        raise InputError(f"The text has {len(tokens)} {unit}s. Use at most {max_tokens}.")
    unknown = [token for token in dict.fromkeys(tokens) if token not in vocabulary or token in SPECIAL]
    if unknown and unit == "character":
        named = _join([f"“{c}”" for c in unknown[:3]]) + " and others" * (len(unknown) > 3)
        known = _join(_character_ranges(vocabulary.words[3:]))
        raise InputError(f"The model has no character {named}. Use only {known}.")
    if unknown:
        more = len(unknown) - 3
        rest = f" And {more} more unknown word{'s' * (more > 1)}." if more > 0 else ""
        raise InputError(" ".join(_explain_unknown(token, vocabulary) for token in unknown[:3]) + rest)
    return tuple(tokens)


def _explain_unknown(token: str, vocabulary: Vocabulary) -> str:
    word = token if len(token) <= 24 else token[:23] + "…"
    near = vocabulary.nearest(token)
    advice = f"Near it: {_join(near)}." if near else "Try another word."
    return f"The model never learned “{word}”. {advice}"


def _character_ranges(characters: Sequence[str]) -> list[str]:
    """Abbreviate sorted characters as ranges: a–d for a, b, c, d."""
    runs: list[list[str]] = []
    for c in characters:
        if runs and ord(c) == ord(runs[-1][-1]) + 1:
            runs[-1].append(c)
        else:
            runs.append([c])
    return [text for run in runs for text in ([f"{run[0]}–{run[-1]}"] if len(run) > 2 else run)]


def _join(words: Sequence[str]) -> str:
    return ", ".join("space" if word == " " else word for word in words)


def check_run(
    source: Sequence[int],
    target: Sequence[int] | None,
    forced: Mapping[int, int] | None,
    limit: int,
    target_words: int,
) -> None:
    """Check the arguments of a translator's `run`; `target_words` is the size of its target vocabulary."""
    if not len(source):
        raise InputError("Type at least one word.")
    if (target is not None and not len(target)) or limit < 1:
        raise InputError("Allow at least one target word.")
    for token in (*(target or ()), *(forced or {}).values()):
        if not 0 <= token < target_words:
            raise InputError(f"There is no target word number {token}. Use 0 to {target_words - 1}.")
