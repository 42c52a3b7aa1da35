"""Sentences with one word left out: “i arrived at the bank after crossing the ___” (lesson `qkv`, `blank`).

A sentence consists of parts with one gap each. One gap becomes the blank; every other gap is filled by a cue
of the same sense. So the cues stand left of the blank, right of it, on both sides, or nowhere. With no cue,
both senses fit equally well. Among the words that fit, the first of the list is drawn most often, the second
half as often and the third a third as often.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from models.tasks.bank import BANK, BLANK, Bank, Scene
from models.tasks.sense_sentences import FUNCTION_WORDS, UNKNOWN, Sentence
from models.tasks.task import SPLITS

LEFT, RIGHT, BOTH, NOWHERE = CUE_SIDES = ("left", "right", "both", "nowhere")

# Side of the cues → frames of a sentence: its parts, and which of its gaps (from 0) is the blank. Parts:
# `clause` “i was at the bank beside the _”, `bare` “i was at the bank”, `lead` “beside the _ ,”,
# `subject` “the bank was _”, `first` “it was _ when”, `last` “and it was _”.
FRAMES: dict[str, tuple[tuple[str, int], ...]] = {
    NOWHERE: (("clause", 0), ("lead bare", 0), ("subject", 0), ("first bare", 0), ("bare last", 0)),
    LEFT: (
        ("first clause", 1),
        ("clause last", 1),
        ("lead bare last", 1),
        ("lead subject", 1),
        ("first clause last", 2),
    ),
    RIGHT: (
        ("first clause", 0),
        ("clause last", 0),
        ("lead bare last", 0),
        ("lead subject", 0),
        ("first clause last", 0),
    ),
    BOTH: (("first clause last", 1),),
}


@dataclass(frozen=True)
class Blank:
    tokens: tuple[str, ...]
    place: int  # index of the blank
    position: int  # index of the ambiguous word
    word: str
    sense: str
    filled: str  # the word that was left out
    share: float  # probability of this word among all sentences that differ only in the blank
    cue_side: str  # position of the cues relative to the blank

    @property
    def label(self) -> str:
        return f"{self.word}: {self.sense}"


def frequencies(count: int) -> list[float]:
    """Probabilities by rank: the second word is half as likely as the first, the third a third as likely."""
    weights = [1 / (rank + 1) for rank in range(count)]
    return [weight / sum(weights) for weight in weights]


def draw_blanks(split: str, count: int, seed: int = 0, bank: Bank = BANK) -> list[Blank]:
    """Draw `count` sentences, balanced over senses and cue sides; the same seed gives the same sentences.

    Sentences come in twins: the same frame for each sense. A sentence with its blank is in one split only.
    """
    if split not in SPLITS:
        raise ValueError(f"split is one of {SPLITS}, not {split!r}")
    rng = random.Random(f"blank {split} {seed}")
    found: list[Blank] = []
    while len(found) < count:
        for cue_side in CUE_SIDES:
            word = rng.choice(list(bank.scenes))
            parts, blank = rng.choice(FRAMES[cue_side])
            found += draw_twins(rng, bank, split, word, parts.split(), blank, cue_side)
    return found[:count]


def draw_twins(
    rng: random.Random, bank: Bank, split: str, word: str, parts: list[str], blank: int, cue_side: str
) -> Iterator[Blank]:
    """Yield sentences that differ only in the words of the gaps, one sentence per sense."""
    things, traits = bank.scenes[word]  # for example “crossing the river” and “was muddy”
    while True:
        chosen = [choose_part(rng, part, things, traits, word) for part in parts]
        gaps = [part.scene for part in chosen if part.scene]
        ranks = [rng.randrange(len(scene.cues[bank.senses[word][0]])) for scene in gaps]
        # A test sentence combines cues and frame in a way not seen in training, or has a new beginning.
        cue_ranks = [rank for n, rank in enumerate(ranks) if n != blank]
        key = sum(part.around for part in chosen) + (
            sum(cue_ranks) if cue_ranks else sum(part.beginning for part in chosen)
        )
        if {0: "test", 1: "validation"}.get(key % 6, "train") == split and len(set(cue_ranks)) == len(
            cue_ranks
        ):
            break
    end = " ." if rng.random() < 0.7 else ""
    for sense in bank.senses[word]:
        often = frequencies(len(gaps[blank].cues[sense]))
        (rank,) = rng.choices(range(len(often)), often)
        filled = gaps[blank].cues[sense][rank]
        fills = [scene.cues[sense][r] for scene, r in zip(gaps, ranks, strict=True)]
        fills[blank] = BLANK
        pieces = iter(fills)
        text = " ".join(part.text.replace("_", next(pieces)) if part.scene else part.text for part in chosen)
        tokens = tuple((text + end).split())
        share = often[rank] / (len(bank.senses[word]) if cue_side == NOWHERE else 1)
        yield Blank(tokens, tokens.index(BLANK), tokens.index(word), word, sense, filled, share, cue_side)


FUNCTION_WORD_SHARE = 0.1  # how often a function word is left out, compared with another word


class LeftOut(NamedTuple):
    """An everyday sentence with one word left out. Any word may be missing, not only a cue."""

    sentence: Sentence  # with the blank
    place: int  # index of the blank
    filled: str


def leave_out(sentence: Sentence, rng: random.Random) -> LeftOut | None:
    """Leave one word out, or return None if that makes a sentence of `draw_blanks`.

    How often each word is left out of those is exact, so that perplexities can be compared with an ideal.
    """
    weights = {
        i: FUNCTION_WORD_SHARE if token in FUNCTION_WORDS else 1.0
        for i, token in enumerate(sentence.tokens)
        if i != sentence.position and token != UNKNOWN and token[0].isalnum()
    }
    if not weights:
        return None
    (place,) = rng.choices([*weights], [*weights.values()])
    tokens = (*sentence.tokens[:place], BLANK, *sentence.tokens[place + 1 :])
    if " ".join(tokens).rstrip(" .!") in frames():
        return None
    return LeftOut(replace(sentence, tokens=tokens), place, sentence.tokens[place])


@cache
def frames(bank: Bank = BANK) -> frozenset[str]:
    """Sentences of `draw_blanks` with a blank and no cue."""
    found = set()
    for word, scenes in bank.scenes.items():
        for scene in scenes:
            for before in scene.before:
                found |= {f"{before} {word} {after}" for after in scene.after}
                found |= {f"{ahead} {before} {word}" for ahead in scene.ahead}
    return frozenset(text.replace("_", BLANK) for text in found)


class Part(NamedTuple):
    scene: Scene | None  # the scene whose cues fill the gap; None if the part contains no gap
    text: str
    around: int = 0  # index into the scene's phrases around a gap
    beginning: int = 0  # index into the scene's beginnings


def choose_part(rng: random.Random, name: str, things: Scene, traits: Scene, word: str) -> Part:
    if name in ("first", "last"):
        return Part(traits, {"first": "it {} when", "last": "and it {}"}[name].format(traits.after[0]))
    if name == "lead":
        a = rng.randrange(len(things.ahead))
        return Part(things, things.ahead[a], a)
    scene = traits if name == "subject" else things
    a, b = rng.randrange(len(scene.after)), rng.randrange(len(scene.before))
    start = f"{scene.before[b]} {word}"
    return Part(None, start, 0, b) if name == "bare" else Part(scene, f"{start} {scene.after[a]}", a, b)
