"""Many texts of each way of choosing words, with their figures, beside the paper's."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from lessons.decoding.compute.common import sentences
from lessons.kit.contract import Result
from lessons.kit.translators import Words, told
from models import gallery as made
from models.gallery import HUMAN, PHRASES, WAYS

NAMES = (HUMAN, *WAYS)
FRESH, SLOW = 20, 8  # texts drawn on demand; a beam takes longer
SHOWN = 3  # texts of the chosen way
WORDS = 36  # of a text beside the others
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
    """How many pairs of ways stand in the paper's order, and which do not. Pairs that are equal in ours count for neither."""

    measure: str
    same: int
    pairs: int
    swapped: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shown(Result):
    model: str
    number: int
    prompt: Words
    texts: tuple[tuple[str, Words], ...]  # each way's text after the same beginning, as sentences, up to WORDS words
    way: str
    more: tuple[tuple[str, Words], ...]  # further beginnings and texts of the chosen way
    names: Words
    perplexity: tuple[float, ...]
    repetition: tuple[float, ...]  # %
    distinct: tuple[tuple[float, ...], ...]  # (ways, PHRASES)
    words: tuple[float, ...]  # mean length
    paper_perplexity: tuple[float, ...]
    paper_repetition: tuple[float, ...]
    orders: tuple[Order, Order]
    count: int
    seed: int
    fresh: int = 0  # texts of the chosen way that were drawn just now, and are counted in its figures


def same_order(measure: str, paper: tuple[float, ...], ours: tuple[float, ...]) -> Order:
    pairs = [(a, b) for a, b in combinations(range(len(ours)), 2) if ours[a] != ours[b]]
    swapped = [(a, b) for a, b in pairs if (ours[a] < ours[b]) != (paper[a] < paper[b])]
    return Order(measure, len(pairs) - len(swapped), len(pairs), tuple((NAMES[a], NAMES[b]) for a, b in swapped))


def gallery(model: str, number: int, way: str, seed: int) -> Shown:
    """What `python -m models.gallery` wrote; the seed is for fresh texts only."""
    book = made.read()
    ways = book["models"][model]
    rows = {name: ways[name]["figures"] for name in NAMES}
    at = number - 1
    others = [(at + n) % book["count"] for n in range(SHOWN)]
    return arranged(
        rows,
        model=model,
        number=number,
        prompt=tuple(book["prompts"][at].split()),
        texts=tuple((name, sentences(shortened(ways[name]["texts"][at].split()))) for name in NAMES),
        way=way,
        more=tuple((f"text {n + 1}", sentences(ways[way]["texts"][n].split())) for n in others),
        count=book["count"],
        seed=book["seed"],
    )


def shortened(words: list[str]) -> list[str]:
    return words if len(words) <= WORDS else [*words[:WORDS], "…"]


def arranged(rows: dict[str, dict[str, float]], **rest: Any) -> Shown:
    perplexity, repetition = (
        tuple(rows[name][key] * scale for name in NAMES) for key, scale in (("perplexity", 1), ("repetition", 100))
    )
    paper = tuple(zip(*(PAPER[name] for name in NAMES), strict=True))
    return Shown(
        names=NAMES,
        perplexity=perplexity,
        repetition=repetition,
        distinct=tuple(tuple(rows[name][f"distinct-{n}"] for n in PHRASES) for name in NAMES),
        words=tuple(rows[name]["words"] for name in NAMES),
        paper_perplexity=paper[0],
        paper_repetition=paper[1],
        orders=(same_order("perplexity", paper[0], perplexity), same_order("repetition", paper[1], repetition)),
        **rest,
    )


def again(model: str, number: int, way: str, seed: int) -> Iterator[tuple[float, Shown]]:
    """Fresh beginnings, fresh dice: the chosen way writes some texts, and its row shows their figures."""
    count = SLOW if way != HUMAN and WAYS[way].width else FRESH
    start = gallery(model, number, way, seed)
    rows = dict(made.read()["models"][model])
    found = []
    for text in made.texts(model, way, count, seed):
        found.append(text)
        figures = {name: row["figures"] for name, row in rows.items()} | {way: made.figures(found)}
        more = tuple((f"new {n}", sentences(told(text.tokens))) for n, text in enumerate(found, start=1))[-SHOWN:]
        kept = {field: getattr(start, field) for field in ("model", "number", "prompt", "texts", "way", "count")}
        yield len(found) / count, replace(arranged(figures, **kept, more=more, seed=seed), fresh=len(found))
