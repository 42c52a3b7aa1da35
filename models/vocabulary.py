"""Words and their numbers, and what happens to text that a learner types."""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

PAD, BOS, EOS = "<pad>", "<bos>", "<eos>"
SPECIAL = (PAD, BOS, EOS)

# What stays together: letters and digits with inner hyphens and apostrophes. Anything else that is not a space stands alone.
PIECE = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*'?|[^\w\s]|_")


class InputError(ValueError):
    """What a learner gave cannot be used. The message says what to do instead; `control`, which field it is about, if known."""

    def __init__(self, message: str, control: str | None = None):
        super().__init__(message)
        self.control = control


@dataclass(frozen=True)
class Vocabulary:
    """The known words; a word's number is its place in `words`. The first three are padding, begin and end."""

    words: tuple[str, ...]

    pad, bos, eos = range(3)

    @classmethod
    def of(cls, words: Iterable[str]) -> "Vocabulary":
        return cls(SPECIAL + tuple(sorted(set(words) - set(SPECIAL))))

    def __post_init__(self) -> None:
        if self.words[:3] != SPECIAL or len(set(self.words)) != len(self.words):
            raise ValueError(f"a vocabulary starts with {SPECIAL} and names each word once")

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
        """Known words that look most like this one: first those that only lack its accents."""
        bare = strip_accents(word)
        same = [known for known in self.words[3:] if strip_accents(known) == bare]
        close = difflib.get_close_matches(word[:40], self.words[3:], n=count, cutoff=0.6)
        return list(dict.fromkeys(same + close))[:count]


def strip_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def normalise(text: str) -> str:
    """One spelling for what means the same: case, composed accents, curly quotes, hyphens and spaces.

    What nobody can see (control and format characters, halves of characters) is left out: no message could show it.
    """
    text = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    text = unicodedata.normalize("NFC", text.lower())
    text = re.sub(r"[‘’ʼ`´]", "'", text)
    text = re.sub(r"[‐‑–—−]", "-", text)
    return " ".join(text.split())


def split_words(text: str, vocabulary: Vocabulary) -> list[str]:
    """Words and punctuation. A word with an apostrophe stays whole if known (don't), else it parts after it (l' accord)."""
    tokens = []
    for piece in PIECE.findall(normalise(text)):
        if piece in vocabulary or "'" not in piece.rstrip("'"):
            tokens.append(piece)
        else:
            tokens += [part for part in re.split(r"(?<=')", piece) if part]
    return tokens


def split_characters(text: str, vocabulary: Vocabulary) -> list[str]:
    """Characters. A space counts only if the model has one."""
    return [c for c in normalise(text) if c != " " or c in vocabulary]


def check_tokens(tokens: Sequence[str], vocabulary: Vocabulary, most: int, unit: str = "word") -> tuple[str, ...]:
    """The tokens, if a model can read them; else an InputError that says what to change."""
    if not tokens:
        raise InputError(f"Type at least one {unit}.")
    if len(tokens) > most:
        raise InputError(f"That is {len(tokens)} {unit}s. Use at most {most}.")
    unknown = [token for token in dict.fromkeys(tokens) if token not in vocabulary or token in SPECIAL]
    if unknown and unit == "character":
        shown = _listed([f"“{c}”" for c in unknown[:3]]) + " and others" * (len(unknown) > 3)
        raise InputError(
            f"The model has no character {shown}. Use only {_listed(_runs(vocabulary.words[3:]))}."
        )
    if unknown:
        raise InputError(" ".join(_explain(token, vocabulary) for token in unknown[:3]) + _rest(unknown[3:]))
    return tuple(tokens)


def _explain(token: str, vocabulary: Vocabulary) -> str:
    shown = token if len(token) <= 24 else token[:23] + "…"
    near = vocabulary.nearest(token)
    return f"The model never learned “{shown}”." + (
        f" Near it: {_listed(near)}." if near else " Try another word."
    )


def _rest(tokens: Sequence[str]) -> str:
    return f" And {len(tokens)} more unknown word{'s' * (len(tokens) > 1)}." if tokens else ""


def _runs(characters: Sequence[str]) -> list[str]:
    """Sorted characters, with a–d for a, b, c, d."""
    runs: list[list[str]] = []
    for c in characters:
        if runs and ord(c) == ord(runs[-1][-1]) + 1:
            runs[-1].append(c)
        else:
            runs.append([c])
    return [text for run in runs for text in ([f"{run[0]}–{run[-1]}"] if len(run) > 2 else run)]


def _listed(words: Sequence[str]) -> str:
    return ", ".join("space" if word == " " else word for word in words)


def check_run(
    source: Sequence[int],
    target: Sequence[int] | None,
    forced: Mapping[int, int] | None,
    limit: int,
    words: int,
) -> None:
    """What every model that reads one sequence and writes another asks of a call; `words` is how many it can write."""
    if not len(source):
        raise InputError("Type at least one word.")
    if (target is not None and not len(target)) or limit < 1:
        raise InputError("Allow at least one target word.")
    for token in (*(target or ()), *(forced or {}).values()):
        if not 0 <= token < words:
            raise InputError(f"There is no target word number {token}. Use 0 to {words - 1}.")
