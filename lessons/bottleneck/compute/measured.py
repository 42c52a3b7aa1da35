"""Three ways to hand c over, and the bottleneck by length: read from the cards, and measured again on fresh sentences."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from time import time

import numpy as np

from lessons.bottleneck.compute.common import TRANSLATOR, by_length, figures, middles, teacher_of
from lessons.kit.contract import Result
from lessons.kit.translators import TRANSLATION, Words, card_of, english, french, model_of, said, source_of, untouched
from lessons.kit.truth import Places, differing, is_right, truth_of
from models import metrics
from models.vocabulary import BOS

MEASURES = {"exact match": "exact_match", "token accuracy": "token_accuracy"}
WIDTHS = ("16", "32", "64", "128")
SEEDS = (0, 1, 2)


def seeds_of(kind: str, width: str) -> tuple[str, ...]:
    return tuple(f"translation-{kind}-{width}-s{seed}" for seed in SEEDS)


@dataclass(frozen=True)
class Band:
    """A figure by length, over seeds."""

    mean: np.ndarray  # (buckets,)
    low: np.ndarray
    high: np.ndarray


def band(names: Iterable[str], key: str) -> Band:
    lines = np.stack([by_length(name, key) for name in names])  # (seeds, buckets)
    return Band(lines.mean(0), lines.min(0), lines.max(0))


# ---- three ways to hand c over ----

WIRINGS = {  # what the learner picks → checkpoints, one a seed; the first is drawn
    "first state": seeds_of("none", "128"),
    "every step": ("translation-every-128-s0",),
    "one RNN": ("translation-shared-128-s0",),
}


@dataclass(frozen=True)
class Wired(Result):
    """The same sentence through three wirings; figures from their cards, by wiring."""

    wiring: str
    measure: str
    words: Words  # (T)
    teacher: Words
    truth: Words | None  # the translation by the grammar, where it is known
    outputs: tuple[Words, ...]  # without <eos>
    right: tuple[bool | None, ...]  # is each output the truth
    changed: tuple[Places, ...]  # places that differ from the teacher's
    read: Words  # by the chosen wiring: at each decoder step (T')
    written: Words  # (T') with <eos>
    H: np.ndarray  # (T, m)
    c: np.ndarray  # (m,)
    s: np.ndarray  # (T', m)
    s_0: np.ndarray  # (m,) the decoder's state before its first step
    lengths: np.ndarray  # (buckets,)
    accuracy: dict[str, Band]
    natural: dict[str, np.ndarray]  # (seeds,) on sentences of natural length
    count: int  # of these sentences
    parameters: dict[str, int]
    steps: dict[str, int]  # of training
    trained: tuple[int, int]

    @property
    def best(self) -> str | None:
        """None if the best is no farther from the next than seeds are from each other."""
        means = sorted(((float(values.mean()), name) for name, values in self.natural.items()), reverse=True)
        luck = max(float(np.ptp(values)) for values in self.natural.values())
        return means[0][1] if means[0][0] - means[1][0] > luck else None


def inject(text: str, wiring: str, measure: str) -> Wired:
    source, key = source_of(text, "text"), MEASURES[measure]
    drawn = {name: checkpoints[0] for name, checkpoints in WIRINGS.items()}
    trace = untouched(drawn[wiring], source)
    words, teacher = english(source), teacher_of(source)
    truth = truth_of(TRANSLATION, words)
    outputs = tuple(said(checkpoint, source) for checkpoint in drawn.values())
    cards = {name: card_of(checkpoint) for name, checkpoint in drawn.items()}
    return Wired(
        wiring=wiring,
        measure=measure,
        words=words,
        teacher=teacher,
        truth=truth,
        outputs=outputs,
        right=tuple(is_right(output, truth) for output in outputs),
        changed=tuple(differing(teacher, output)[1] for output in outputs),
        read=(BOS, *french(trace.output[:-1])),
        written=french(trace.output),
        H=trace.H.numpy(),
        c=trace.c.numpy(),
        s=trace.s.numpy(),
        s_0=trace.values.get("first.layer1.h", trace.c).numpy(),
        lengths=middles(TRANSLATOR),
        accuracy={name: band(checkpoints, key) for name, checkpoints in WIRINGS.items()},
        natural={name: np.array([figures(one)["natural"][key] for one in each]) for name, each in WIRINGS.items()},
        count=figures(TRANSLATOR)["natural"]["count"],
        parameters={name: card.parameters for name, card in cards.items()},
        steps={name: card.recipe["steps"] for name, card in cards.items()},
        trained=tuple(figures(TRANSLATOR)["trained_lengths"]),
    )


# ---- the bottleneck itself ----

CELLS = {"GRU": "translation-none-64-s0", "vanilla": "translation-none-vanilla-64-s0", "LSTM": "translation-none-lstm-64-s0"}
KINDS = {"one vector": "none", "attention": "oneway"}
ROUNDS, EACH = 3, 8  # of the fresh measurement: so many rounds, so many sentences of each bucket in a round


@dataclass(frozen=True)
class Fresh:
    """What was measured just now, of both kinds, on sentences that nobody has seen."""

    seed: int
    counts: np.ndarray  # (buckets,) sentences so far
    exact_match: np.ndarray  # (2, buckets) NaN where there are none yet
    token_accuracy: np.ndarray  # (2, buckets)


@dataclass(frozen=True)
class Paper:
    """Two figures of a paper, and ours for the same comparison: BLEU, the mean over the buckets of length named."""

    source: str
    setting: str
    names: tuple[str, str]
    paper: tuple[float, float]
    ours: tuple[float, float]

    @property
    def same_order(self) -> bool:
        return (self.paper[0] < self.paper[1]) == (self.ours[0] < self.ours[1])


@dataclass(frozen=True)
class Curve(Result):
    width: str
    cell: str
    measure: str
    lengths: np.ndarray  # (buckets,) middles
    buckets: tuple[tuple[int, int], ...]
    one_vector: dict[str, Band]  # by width
    attention: dict[str, Band]
    by_cell: dict[str, np.ndarray]  # width 64, one seed: (buckets,)
    natural: dict[str, float]  # by cell, over sentences of natural length
    trained: tuple[int, int]
    steps: tuple[int, int]  # of training: one vector, attention; of this width
    words: Words  # the sentence to try
    teacher: Words
    truth: Words | None  # the translation by the grammar, where it is known
    outputs: tuple[Words, ...]  # one vector, attention; of this width
    right: tuple[bool | None, ...]  # is each output the truth
    changed: tuple[Places, ...]  # places that differ from the teacher's
    papers: tuple[Paper, ...]
    fresh: Fresh | None = None

    @property
    def last(self) -> int:
        """The bucket of the longest sentences trained on."""
        return next(n for n, (_, high) in enumerate(self.buckets) if high == self.trained[1])


def bleu(kind: str, width: str, low: int = 3, high: int = 40) -> float:
    """Mean BLEU over the buckets within these lengths, and over seeds."""
    rows = [row for name in seeds_of(kind, width) for row in figures(name)["by_length"]]
    return float(np.mean([row["bleu"] for row in rows if low <= row["from"] and row["to"] <= high]))


def papers() -> tuple[Paper, ...]:
    """Their figures are BLEU on real text, ours on our own small language: only the order can be compared."""
    one, many = bleu("none", "128"), bleu("oneway", "128")
    cho = "one vector on all lengths and on 10 to 20 words (ours 9 to 20)"
    bahdanau = "one vector and attention, trained on up to 50 words (ours 20), all lengths"
    return (
        Paper("Cho et al. 2014", cho, ("vector, all", "vector, 9–20"), (13.92, 20.99), (one, bleu("none", "128", 9, 20))),
        Paper("Bahdanau et al. 2015, Table 1", bahdanau, ("vector, all", "attention, all"), (17.82, 26.75), (one, many)),
    )


def curve(text: str, width: str, cell: str, measure: str) -> Curve:
    source, key = source_of(text, "text"), MEASURES[measure]
    words = english(source)
    truth = truth_of(TRANSLATION, words)
    teacher = teacher_of(source)
    outputs = tuple(said(f"translation-{kind}-{width}-s0", source) for kind in KINDS.values())
    rows = figures(TRANSLATOR)["by_length"]
    return Curve(
        width=width,
        cell=cell,
        measure=measure,
        lengths=middles(TRANSLATOR),
        buckets=tuple((row["from"], row["to"]) for row in rows),
        one_vector={m: band(seeds_of("none", m), key) for m in WIDTHS},
        attention={m: band(seeds_of("oneway", m), key) for m in WIDTHS},
        by_cell={name: by_length(checkpoint, key) for name, checkpoint in CELLS.items()},
        natural={name: figures(checkpoint)["natural"][key] for name, checkpoint in CELLS.items()},
        trained=tuple(figures(TRANSLATOR)["trained_lengths"]),
        steps=tuple(card_of(f"translation-{kind}-{width}-s0").recipe["steps"] for kind in KINDS.values()),
        words=words,
        teacher=teacher,
        truth=truth,
        outputs=outputs,
        right=tuple(is_right(output, truth) for output in outputs),
        changed=tuple(differing(teacher, output)[1] for output in outputs),
        papers=papers(),
    )


def measure_again(text: str, width: str, cell: str, measure: str) -> Iterator[tuple[float, Curve]]:
    """Sentences drawn now: the seed moves on with the clock, so that no two measurements see the same ones."""
    yield from measured(curve(text, width, cell, measure), int(time()) % 1_000_000)


def measured(run: Curve, seed: int) -> Iterator[tuple[float, Curve]]:
    """Round after round, bucket after bucket, a few sentences at a time; what is known so far is drawn."""
    found: list[list[tuple]] = [[] for _ in run.buckets]  # by bucket: (reference, output of one vector, of attention)
    models = [model_of(f"translation-{kind}-{run.width}-s0") for kind in KINDS.values()]
    parts = ROUNDS * len(run.buckets)
    for part in range(parts):
        turn, bucket = divmod(part, len(run.buckets))
        low, high = run.buckets[bucket]
        pairs = TRANSLATION.pairs("test", EACH, seed=seed + turn, lengths=range(low, high + 1))
        sources = [TRANSLATION.source.ids(pair.source) for pair in pairs]
        outputs = [map(french, metrics.translate(model, sources)) for model in models]
        found[bucket] += zip([pair.target for pair in pairs], *outputs, strict=True)
        yield (part + 1) / parts, replace(run, fresh=summed(seed, found))


def summed(seed: int, found: list[list[tuple]]) -> Fresh:
    tables = {name: np.full((len(KINDS), len(found)), np.nan) for name in MEASURES.values()}
    for bucket, rows in enumerate(found):
        for kind in range(len(KINDS) if rows else 0):
            references, outputs = [row[0] for row in rows], [row[kind + 1] for row in rows]
            tables["exact_match"][kind, bucket] = metrics.exact_match(outputs, references)
            tables["token_accuracy"][kind, bucket] = metrics.token_accuracy(outputs, references)
    return Fresh(seed, np.array([len(rows) for rows in found]), **tables)
