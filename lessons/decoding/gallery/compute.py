"""Texts and metrics for each decoding strategy, compared with Holtzman et al. 2020."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from lessons.decoding.sentences import split_sentences
from lessons.kit.checkpoints import Words, story_words
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from models import gallery
from models.gallery import HUMAN, NGRAM_SIZES, STRATEGIES

NAMES = (HUMAN, *STRATEGIES)
NEW_TEXTS, NEW_BEAM_TEXTS = 20, 8  # texts written on demand; fewer for beam search, which is slower
SHOWN_TEXTS = 3  # texts shown for the chosen strategy
MAX_WORDS = 40  # maximum length of a text that stands next to others
PAPER = {  # Holtzman et al. 2020, Table 1: perplexity, repetition %
    HUMAN: (12.38, 0.28),
    "greedy": (1.50, 73.66),
    "beam 16": (1.48, 28.94),
    "pure sampling": (22.73, 0.22),
    "top-k 40": (6.88, 0.78),
    "top-k 40, τ 0.7": (3.48, 8.86),
    "top-p 0.95": (13.13, 0.36),
}
PAPER_TABLE = "Holtzman et al. 2020, Table 1"
Interval = tuple[float, float]


@dataclass(frozen=True)
class Order:
    """How many pairs of strategies with disjoint intervals are in the same order as in the paper."""

    same: int
    apart: int
    pairs: int  # number of such pairs
    swapped: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shown(Result):
    model: str
    number: int
    prompt: Words
    texts: tuple[tuple[str, Words], ...]  # strategy, and the sentences it writes after the prompt
    way: str  # name of the chosen strategy
    more: tuple[tuple[str, Words], ...]  # texts of the chosen strategy after other prompts
    names: Words  # names of the strategies
    perplexity: tuple[float, ...]
    intervals: tuple[Interval, ...]  # 95% intervals of the perplexity
    repetition: tuple[float, ...]  # % of texts that end in a loop
    again: tuple[float, ...]  # % of texts that repeat a whole sentence
    distinct: tuple[tuple[float, ...], ...]  # (strategies, NGRAM_SIZES)
    paper_perplexity: tuple[float, ...]
    paper_repetition: tuple[float, ...]
    order: Order  # comparison of the order of perplexities with the paper's
    count: int
    seed: int
    compared: Words  # strategies with `count` texts: all except one that has new texts
    fresh: int = 0  # number of new texts that the chosen strategy's metrics are based on; 0 if none


def compare_order(names: Words, paper: Sequence[float], intervals: Sequence[Interval]) -> Order:
    """Compare the order of our perplexities with the paper's."""
    pairs = list(combinations(range(len(names)), 2))
    apart = [(a, b) for a, b in pairs if not do_overlap(intervals[a], intervals[b])]
    swapped = [(a, b) for a, b in apart if (intervals[a] < intervals[b]) != (paper[a] < paper[b])]
    swapped_names = tuple((names[a], names[b]) for a, b in swapped)
    return Order(len(apart) - len(swapped), len(apart), len(pairs), swapped_names)


def do_overlap(a: Interval, b: Interval) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def compute(model: str, number: int, way: str, seed: int) -> Shown:
    """Show the texts that `python -m models.gallery` wrote. The seed is used only for new texts."""
    stored = gallery.load_gallery()
    strategies = stored["models"][model]
    index = number - 1
    shown = [(index + n) % stored["count"] for n in range(SHOWN_TEXTS)]
    return build_result(
        stored_figures(model),
        model=model,
        number=number,
        prompt=tuple(stored["prompts"][index].split()),
        texts=tuple(
            (name, split_sentences(truncate(strategies[name]["texts"][index].split()))) for name in NAMES
        ),
        way=way,
        more=tuple((f"text {n + 1}", split_sentences(strategies[way]["texts"][n].split())) for n in shown),
        count=stored["count"],
        seed=stored["seed"],
    )


@memoize
def stored_figures(model: str) -> dict[str, dict[str, float]]:
    """Metrics of each strategy, by name."""
    strategies = gallery.load_gallery()["models"][model]
    return {
        name: strategies[name]["figures"]
        | {"again": repeating_fraction(text.split() for text in strategies[name]["texts"])}
        for name in NAMES
    }


def repeating_fraction(texts: Iterable[Sequence[str]]) -> float:
    """Fraction of texts in which a whole sentence occurs more than once, as marked in the pictures."""
    sentences = [split_sentences(words) for words in texts]
    return sum(len(set(text)) < len(text) for text in sentences) / len(sentences)


def truncate(words: list[str]) -> list[str]:
    return words if len(words) <= MAX_WORDS else [*words[:MAX_WORDS], "…"]


def build_result(figures: dict[str, dict[str, float]], fresh: int = 0, **rest: Any) -> Shown:
    rows = [figures[name] for name in NAMES]
    compared = tuple(name for name in NAMES if not (fresh and name == rest["way"]))
    intervals = {name: (figures[name]["least"], figures[name]["most"]) for name in NAMES}
    return Shown(
        names=NAMES,
        perplexity=tuple(row["perplexity"] for row in rows),
        intervals=tuple(intervals.values()),
        repetition=tuple(row["repetition"] * 100 for row in rows),
        again=tuple(row["again"] * 100 for row in rows),
        distinct=tuple(tuple(row[f"distinct-{n}"] for n in NGRAM_SIZES) for row in rows),
        paper_perplexity=tuple(PAPER[name][0] for name in NAMES),
        paper_repetition=tuple(PAPER[name][1] for name in NAMES),
        order=compare_order(
            compared, [PAPER[name][0] for name in compared], [intervals[name] for name in compared]
        ),
        compared=compared,
        fresh=fresh,
        **rest,
    )


def write_new_texts(model: str, number: int, way: str, seed: int) -> Iterator[tuple[float, Shown]]:
    """Write texts after new prompts with the chosen strategy; show their metrics once there are enough."""
    count = NEW_BEAM_TEXTS if way != HUMAN and STRATEGIES[way].width else NEW_TEXTS
    start = compute(model, number, way, seed)
    unchanged = {
        name: getattr(start, name) for name in ("model", "number", "prompt", "texts", "way", "count")
    }
    written, words = [], []
    for text in gallery.texts(model, way, count, seed):
        written.append(text)
        words.append(story_words(text.tokens))
        figures = stored_figures(model)
        is_enough = len(written) >= NEW_BEAM_TEXTS
        if is_enough:
            figures = figures | {way: gallery.figures(written) | {"again": repeating_fraction(words)}}
        more = tuple((f"new {n}", split_sentences(each)) for n, each in enumerate(words, start=1))
        fresh = len(written) if is_enough else 0
        yield (
            len(written) / count,
            build_result(figures, fresh, **unchanged, more=more[-SHOWN_TEXTS:], seed=seed),
        )
