"""Three ways to hand c over, and the bottleneck by length: read from the cards, and measured again on fresh sentences."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from time import time

import numpy as np

from lessons.bottleneck.compute.common import (
    MEASURES,
    TRANSLATOR,
    Band,
    Learning,
    ahead_of_all,
    band,
    by_lengths,
    figures,
    learning_of,
    middles,
    natural,
    of_size,
    teacher_of,
)
from lessons.kit.checkpoints import (
    CONTEXT_DIMS,
    STEPS,
    TRANSLATION,
    Words,
    english,
    figures_at,
    figures_by_budget,
    french,
    load_card,
    load_model,
    longest_common_budget,
    measured_at,
    original_run,
    read_source,
    translate,
)
from lessons.kit.contract import Result
from lessons.kit.references import Places, differing_positions, matches_reference, reference_for
from models import metrics, recipes
from models.vocabulary import BOS

CODE = "16"  # at the start
LATE = f"{longest_common_budget(of_size(CODE)[0]):,}"  # the longest that it was trained for
EARLY = f"{STEPS[LATE] // 4:,}"
MOST = (  # the longest that the largest was trained for
    f"{longest_common_budget(of_size(CONTEXT_DIMS[-1])[0]):,}"
)
ATTENTION = recipes.seeds_of("translation-oneway-128")


# ---- three ways to hand c over ----

WIRINGS = {  # what the learner picks → checkpoints, one a seed; the first is drawn
    "first state": of_size("128"),
    "every step": recipes.seeds_of("translation-every-128"),
    "one RNN": recipes.seeds_of("translation-shared-128"),
}
ALIKE = recipes.RECIPES["translation-every-128-s0"].steps  # what all three were trained for, at the least


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
    steps: dict[str, int]  # of training, of the weights that are drawn; what is measured had as many for all
    alike: int
    trained: tuple[int, int]

    @property
    def best(self) -> str | None:
        """The one whose every seed is ahead of every seed of the others; None if there is none, or no seeds tell."""
        return ahead_of_all(self.natural)


def inject(text: str, wiring: str, measure: str) -> Wired:
    source, key = read_source(text, "text"), MEASURES[measure]
    drawn = {name: checkpoints[0] for name, checkpoints in WIRINGS.items()}
    trace = original_run(drawn[wiring], source)
    words, teacher = english(source), teacher_of(source)
    truth = reference_for(TRANSLATION, words)
    outputs = tuple(translate(checkpoint, source) for checkpoint in drawn.values())
    cards = {name: load_card(checkpoint) for name, checkpoint in drawn.items()}
    return Wired(
        wiring=wiring,
        measure=measure,
        words=words,
        teacher=teacher,
        truth=truth,
        outputs=outputs,
        right=tuple(matches_reference(output, truth) for output in outputs),
        changed=tuple(differing_positions(teacher, output)[1] for output in outputs),
        read=(BOS, *french(trace.output[:-1])),
        written=french(trace.output),
        H=trace.H.numpy(),
        c=trace.c.numpy(),
        s=trace.s.numpy(),
        s_0=trace.values.get("first.layer1.h", trace.c).numpy(),
        lengths=middles(TRANSLATOR),
        accuracy={name: by_lengths(checkpoints, key, ALIKE) for name, checkpoints in WIRINGS.items()},
        natural={name: natural(checkpoints, key, ALIKE) for name, checkpoints in WIRINGS.items()},
        count=figures(TRANSLATOR)["natural"]["count"],
        parameters={name: card.parameters for name, card in cards.items()},
        steps={name: card.recipe["steps"] for name, card in cards.items()},
        alike=ALIKE,
        trained=tuple(figures(TRANSLATOR)["trained_lengths"]),
    )


# ---- the bottleneck itself ----

ROUNDS, EACH = 3, 8  # of the fresh measurement: so many rounds, so many sentences of each bucket in a round
KINDS = ("one vector", "attention")


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
    code: str  # k
    steps: int
    measure: str
    lengths: np.ndarray  # (buckets,) middles
    buckets: tuple[tuple[int, int], ...]
    one_vector: dict[str, Band]  # by k, after so many steps, or after all it had: (buckets,)
    attention: Band
    had: dict[str, int]  # by k, and of attention: after how many steps that is
    budgets: np.ndarray  # (budgets,) steps
    by_steps: dict[str, Band]  # by k: (budgets,) over sentences of natural length
    attention_by_steps: Band  # (budgets,) not after all of them
    rates: dict[str, float]  # by k: the learning rate, the best of those tried
    parameters: dict[str, int]  # by k, and of attention
    learning: dict[str, Learning]  # one vector, attention
    trained: tuple[int, int]
    full: tuple[int, int]  # steps of the weights that translate the sentence: one vector, attention
    words: Words  # the sentence to try
    teacher: Words
    truth: Words | None  # the translation by the grammar, where it is known
    outputs: tuple[Words, ...]  # one vector, attention
    right: tuple[bool | None, ...]  # is each output the truth
    changed: tuple[Places, ...]  # places that differ from the teacher's
    papers: tuple[Paper, ...]
    fresh: Fresh | None = None

    @property
    def last(self) -> int:
        """The bucket of the longest sentences trained on."""
        return next(n for n, (_, high) in enumerate(self.buckets) if high == self.trained[1])

    @property
    def caught_up(self) -> int | None:
        """The first budget at which one vector of this size is as good as attention after the shortest, if there is one."""
        first = self.attention_by_steps.mean[0]
        return next(
            (
                int(s)
                for s, share in zip(self.budgets, self.by_steps[self.code].mean, strict=True)
                if share >= first
            ),
            None,
        )


def bleu(names: Iterable[str], steps: int, low: int = 3, high: int = 40) -> float:
    """Mean BLEU over the buckets within these lengths, and over seeds."""
    rows = [row for name in names for row in figures_at(name, steps)["by_length"]]
    return float(np.mean([row["bleu"] for row in rows if low <= row["from"] and row["to"] <= high]))


def papers() -> tuple[Paper, ...]:
    """Their figures are BLEU on real text, ours on our own small language: only the order can be compared."""
    vectors = of_size("128")
    longest = longest_common_budget(*vectors)
    one, many = bleu(vectors, longest), bleu(ATTENTION, longest_common_budget(*ATTENTION))
    cho = "one vector on all lengths and on 10 to 20 words (ours 9 to 20)"
    bahdanau = (
        "one vector and attention (with a bidirectional encoder, ours is not), trained on up to 50 words"
        " (ours 20), all lengths"
    )
    return (
        Paper(
            "Cho et al. 2014, Table 1",
            cho,
            ("vector, all", "vector, 9–20"),
            (13.92, 20.99),
            (one, bleu(vectors, longest, 9, 20)),
        ),
        Paper(
            "Bahdanau et al. 2015, Table 1",
            bahdanau,
            ("vector, all", "attention, all"),
            (17.82, 26.75),
            (one, many),
        ),
    )


def over_budgets(names: Iterable[str], key: str) -> Band:
    """(budgets,) over sentences of natural length."""
    known = [figures_by_budget(name) for name in names]
    return band(
        [rows[steps]["natural"][key] if steps in rows else np.nan for steps in STEPS.values()]
        for rows in known
    )


def curve(text: str, code: str, steps: str, measure: str) -> Curve:
    source, key, budget = read_source(text, "text"), MEASURES[measure], STEPS[steps]
    words = english(source)
    truth, teacher = reference_for(TRANSLATION, words), teacher_of(source)
    models = of_size(code)[0], ATTENTION[0]
    outputs = tuple(translate(model, source) for model in models)
    rows = figures(TRANSLATOR)["by_length"]
    there = {
        name: measured_at(names, budget)
        for name, names in {**{k: of_size(k) for k in CONTEXT_DIMS}, KINDS[1]: ATTENTION}.items()
    }
    lines = {name: by_lengths(names, key, had) for name, (names, had) in there.items()}
    return Curve(
        code=code,
        steps=budget,
        measure=measure,
        lengths=middles(TRANSLATOR),
        buckets=tuple((row["from"], row["to"]) for row in rows),
        one_vector={k: lines[k] for k in CONTEXT_DIMS},
        attention=lines[KINDS[1]],
        had={name: had for name, (_, had) in there.items()},
        budgets=np.array([*STEPS.values()]),
        by_steps={k: over_budgets(of_size(k), key) for k in CONTEXT_DIMS},
        attention_by_steps=over_budgets(ATTENTION, key),
        rates={k: load_card(of_size(k)[0]).recipe["lr"] for k in CONTEXT_DIMS},
        parameters={name: load_card(names[0]).parameters for name, (names, _) in there.items()},
        learning={kind: learning_of(model) for kind, model in zip(KINDS, models, strict=True)},
        trained=tuple(figures(TRANSLATOR)["trained_lengths"]),
        full=tuple(load_card(model).recipe["steps"] for model in models),
        words=words,
        teacher=teacher,
        truth=truth,
        outputs=outputs,
        right=tuple(matches_reference(output, truth) for output in outputs),
        changed=tuple(differing_positions(teacher, output)[1] for output in outputs),
        papers=papers(),
    )


def measure_again(text: str, code: str, steps: str, measure: str) -> Iterator[tuple[float, Curve]]:
    """Sentences drawn now: the seed moves on with the clock, so that no two measurements see the same ones."""
    yield from measured(curve(text, code, steps, measure), int(time()) % 1_000_000)


def measured(run: Curve, seed: int) -> Iterator[tuple[float, Curve]]:
    """Round after round, bucket after bucket, a few sentences at a time; what is known so far is drawn."""
    found: list[list[tuple]] = [
        [] for _ in run.buckets
    ]  # by bucket: (reference, output of one vector, of attention)
    models = [load_model(name) for name in (of_size(run.code)[0], ATTENTION[0])]
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
