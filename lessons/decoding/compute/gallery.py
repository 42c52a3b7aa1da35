"""Many texts of each way of choosing words, with their figures, beside the paper's."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from lessons.decoding.compute.common import sentences
from lessons.kit.checkpoints import Words, story_words
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from models import gallery as made
from models.gallery import HUMAN, NGRAM_SIZES, STRATEGIES

NAMES = (HUMAN, *STRATEGIES)
FRESH, SLOW = 20, 8  # texts drawn on demand; a beam takes longer
SHOWN = 3  # texts of the chosen way
WORDS = 40  # of a text beside the others
PAPER = {  # Holtzman et al. 2020, Table 1: perplexity, repetition %
    HUMAN: (12.38, 0.28),
    "greedy": (1.50, 73.66),
    "beam 16": (1.48, 28.94),
    "pure sampling": (22.73, 0.22),
    "top-k 40": (6.88, 0.78),
    "top-k 40, τ 0.7": (3.48, 8.86),
    "top-p 0.95": (13.13, 0.36),
}
SOURCE = "Holtzman et al. 2020, Table 1"


@dataclass(frozen=True)
class Order:
    """Of pairs of ways whose intervals lie apart: how many stand in the paper's order, and which do not."""

    same: int
    apart: int
    pairs: int  # in all
    swapped: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shown(Result):
    model: str
    number: int
    prompt: Words
    texts: tuple[
        tuple[str, Words], ...
    ]  # each way's text after the same beginning, as sentences, up to WORDS words
    way: str
    more: tuple[tuple[str, Words], ...]  # further beginnings and texts of the chosen way
    names: Words
    perplexity: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]  # of it: 95% of sets of as many texts lie within
    repetition: tuple[float, ...]  # % of texts that end in a loop
    again: tuple[float, ...]  # % of texts that write a whole sentence a second time
    distinct: tuple[tuple[float, ...], ...]  # (ways, NGRAM_SIZES)
    paper_perplexity: tuple[float, ...]
    paper_repetition: tuple[float, ...]
    order: Order  # of perplexities
    count: int
    seed: int
    compared: Words  # the ways with `count` texts: all but one with fresh texts
    fresh: int = 0  # texts of the chosen way that were drawn just now, and that its figures are of


def same_order(names: Words, paper: Sequence[float], intervals: Sequence[tuple[float, float]]) -> Order:
    pairs = list(combinations(range(len(names)), 2))
    apart = [(a, b) for a, b in pairs if not overlap(intervals[a], intervals[b])]
    swapped = [(a, b) for a, b in apart if (intervals[a] < intervals[b]) != (paper[a] < paper[b])]
    return Order(
        len(apart) - len(swapped), len(apart), len(pairs), tuple((names[a], names[b]) for a, b in swapped)
    )


def overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def gallery(model: str, number: int, way: str, seed: int) -> Shown:
    """What `python -m models.gallery` wrote; the seed is for fresh texts only."""
    book = made.load_gallery()
    ways = book["models"][model]
    at = number - 1
    others = [(at + n) % book["count"] for n in range(SHOWN)]
    return arranged(
        shipped(model),
        model=model,
        number=number,
        prompt=tuple(book["prompts"][at].split()),
        texts=tuple((name, sentences(shortened(ways[name]["texts"][at].split()))) for name in NAMES),
        way=way,
        more=tuple((f"text {n + 1}", sentences(ways[way]["texts"][n].split())) for n in others),
        count=book["count"],
        seed=book["seed"],
    )


@memoize
def shipped(model: str) -> dict[str, dict[str, float]]:
    """The figures of every way, by its name."""
    ways = made.load_gallery()["models"][model]
    return {
        name: ways[name]["figures"] | {"again": repeating(text.split() for text in ways[name]["texts"])}
        for name in NAMES
    }


def repeating(texts: Iterable[Sequence[str]]) -> float:
    """The fraction of texts in which a whole sentence comes more than once, as the pictures mark it."""
    found = [sentences(words) for words in texts]
    return sum(len(set(text)) < len(text) for text in found) / len(found)


def shortened(words: list[str]) -> list[str]:
    return words if len(words) <= WORDS else [*words[:WORDS], "…"]


def arranged(rows: dict[str, dict[str, float]], fresh: int = 0, **rest: Any) -> Shown:
    perplexity, repetition, again = (
        tuple(rows[name][key] * scale for name in NAMES)
        for key, scale in (("perplexity", 1), ("repetition", 100), ("again", 100))
    )
    intervals = tuple((rows[name]["least"], rows[name]["most"]) for name in NAMES)
    paper = tuple(zip(*(PAPER[name] for name in NAMES), strict=True))
    compared = tuple(name for name in NAMES if not (fresh and name == rest["way"]))
    apart = [(rows[name]["least"], rows[name]["most"]) for name in compared]
    return Shown(
        names=NAMES,
        perplexity=perplexity,
        intervals=intervals,
        repetition=repetition,
        again=again,
        distinct=tuple(tuple(rows[name][f"distinct-{n}"] for n in NGRAM_SIZES) for name in NAMES),
        paper_perplexity=paper[0],
        paper_repetition=paper[1],
        order=same_order(compared, [PAPER[name][0] for name in compared], apart),
        compared=compared,
        fresh=fresh,
        **rest,
    )


def again(model: str, number: int, way: str, seed: int) -> Iterator[tuple[float, Shown]]:
    """Fresh beginnings, fresh dice: the chosen way writes some texts; once they are enough, its row shows their figures."""
    count = SLOW if way != HUMAN and STRATEGIES[way].width else FRESH
    start = gallery(model, number, way, seed)
    found = []
    for text in made.texts(model, way, count, seed):
        found.append(text)
        fresh = len(found) if len(found) >= SLOW else 0
        measured = (
            {way: made.figures(found) | {"again": repeating(story_words(text.tokens) for text in found)}}
            if fresh
            else {}
        )
        more = tuple(
            (f"new {n}", sentences(story_words(text.tokens))) for n, text in enumerate(found, start=1)
        )[-SHOWN:]
        kept = {
            field: getattr(start, field) for field in ("model", "number", "prompt", "texts", "way", "count")
        }
        yield len(found) / count, arranged(shipped(model) | measured, fresh, **kept, more=more, seed=seed)
