"""Scores by sentence length and by training time, for each size of c and for attention, from the cards."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lessons.bottleneck.curve.real_words import RealWords, real_words
from lessons.bottleneck.measurements import (
    MEASURES,
    Band,
    LearningCurve,
    band_by_length,
    band_over_seeds,
    bucket_middles,
    length_buckets,
    longest_trained_bucket,
    read_learning_curve,
)
from lessons.bottleneck.translator import (
    ATTENTION_MODELS,
    compare_translations,
    models_with_context_dim,
    trained_lengths,
)
from lessons.kit.checkpoints import (
    BUDGET_OPTIONS,
    CONTEXT_DIMS,
    Words,
    figures_at,
    figures_by_budget,
    load_card,
    longest_common_budget,
    measured_at,
    read_small_world,
)
from lessons.kit.contract import Result
from lessons.kit.references import Positions

FIRST_K = "16"  # initial size of c
LONG_TRAINING = f"{longest_common_budget(models_with_context_dim(FIRST_K)[0]):,}"  # training steps
SHORT_TRAINING = f"{BUDGET_OPTIONS[LONG_TRAINING] // 4:,}"
LONGEST_TRAINING = f"{longest_common_budget(models_with_context_dim(CONTEXT_DIMS[-1])[0]):,}"
ONE_VECTOR, ATTENTION = MODEL_KINDS = ("one vector", "attention")


@dataclass(frozen=True)
class Remeasurement:
    """Scores of both kinds of model on newly drawn test sentences."""

    seed: int
    counts: np.ndarray  # (buckets,) number of sentences so far
    exact_match: np.ndarray  # (2, buckets); NaN for buckets without sentences so far
    token_accuracy: np.ndarray  # (2, buckets)


@dataclass(frozen=True)
class PaperComparison:
    """Two BLEU scores from a paper, and our scores for the same comparison."""

    source: str
    setting: str
    names: tuple[str, str]
    paper: tuple[float, float]
    ours: tuple[float, float]  # mean over length buckets

    @property
    def same_order(self) -> bool:
        return (self.paper[0] < self.paper[1]) == (self.ours[0] < self.ours[1])


@dataclass(frozen=True)
class Curve(Result):
    code: str  # k, the size of c
    steps: int  # the chosen training budget
    measure: str
    lengths: np.ndarray  # (buckets,) middle length of each bucket
    buckets: tuple[tuple[int, int], ...]
    one_vector: dict[str, Band]  # by k: (buckets,) after `steps_used` training steps
    attention: Band  # (buckets,)
    steps_used: dict[str, int]  # by k, and for attention: longest training within the budget
    budgets: np.ndarray  # (budgets,) training steps
    by_steps: dict[str, Band]  # by k: (budgets,) on sentences of natural length
    attention_by_steps: Band  # (budgets,) NaN beyond the longest training with attention
    rates: dict[str, float]  # by k: the best of the learning rates tried
    parameters: dict[str, int]  # by k, and for attention
    learning: dict[str, LearningCurve]  # one vector, attention
    trained: tuple[int, int]  # shortest and longest source sentence in training
    full_steps: tuple[int, int]  # training steps of the models that translate: one vector, attention
    words: Words  # the sentence to try
    teacher: Words
    truth: Words | None  # the correct translation, if the grammar can give it
    outputs: tuple[Words, ...]  # one vector, attention
    right: tuple[bool | None, ...]
    changed: tuple[Positions, ...]  # for each output, positions that differ from the teacher
    papers: tuple[PaperComparison, ...]
    real_words: RealWords
    remeasured: Remeasurement | None = None

    @property
    def last(self) -> int:
        """Index of the bucket with the longest sentences seen in training."""
        return longest_trained_bucket(self.buckets, self.trained)

    @property
    def caught_up(self) -> int | None:
        """The first budget at which this c matches attention after its shortest training, if any."""
        # NaN counts as not reached
        reached = self.by_steps[self.code].mean >= self.attention_by_steps.mean[0]
        return int(self.budgets[reached][0]) if reached.any() else None


def mean_bleu(models: Iterable[str], steps: int, low: int = 3, high: int = 40) -> float:
    """Mean BLEU over seeds and over the buckets between these lengths."""
    rows = [row for model in models for row in figures_at(model, steps)["by_length"]]
    return float(np.mean([row["bleu"] for row in rows if low <= row["from"] and row["to"] <= high]))


def compare_with_papers() -> tuple[PaperComparison, ...]:
    """Compare our BLEU scores with those of papers; the texts differ, so only the order is comparable."""
    one_vector = models_with_context_dim("128")
    steps = longest_common_budget(*one_vector)
    ours = mean_bleu(one_vector, steps)
    attention = mean_bleu(ATTENTION_MODELS, longest_common_budget(*ATTENTION_MODELS))
    return (
        PaperComparison(
            "Cho et al. 2014, Table 1",
            "one vector on all lengths with one vector on 10 to 20 words (ours: 9 to 20)",
            ("vector, all", "vector, 9–20"),
            (13.92, 20.99),
            (ours, mean_bleu(one_vector, steps, 9, 20)),
        ),
        PaperComparison(
            "Bahdanau et al. 2015, Table 1",
            "one vector with attention on all lengths (its encoder is bidirectional, ours is unidirectional;"
            " it was trained on up to 50 words, ours on up to 20)",
            ("vector, all", "attention, all"),
            (17.82, 26.75),
            (ours, attention),
        ),
    )


def band_by_budget(models: Iterable[str], measure: str) -> Band:
    """(budgets,) scores on sentences of natural length; NaN if a seed was not trained for that budget."""
    figures = [figures_by_budget(model) for model in models]
    return band_over_seeds(
        [rows[steps]["natural"][measure] if steps in rows else np.nan for steps in BUDGET_OPTIONS.values()]
        for rows in figures
    )


def compute(text: str, code: str, steps: str, measure: str) -> Curve:
    sentence, key, budget = read_small_world(text, "text"), MEASURES[measure], BUDGET_OPTIONS[steps]
    models = {k: models_with_context_dim(k) for k in CONTEXT_DIMS} | {ATTENTION: ATTENTION_MODELS}
    measured = {name: measured_at(seeds, budget) for name, seeds in models.items()}
    by_length = {name: band_by_length(seeds, key, used) for name, (seeds, used) in measured.items()}
    by_steps = {name: band_by_budget(seeds, key) for name, seeds in models.items()}
    drawn_models = models[code][0], ATTENTION_MODELS[0]
    return Curve(
        code=code,
        steps=budget,
        measure=measure,
        lengths=bucket_middles(),
        buckets=length_buckets(),
        one_vector={k: by_length[k] for k in CONTEXT_DIMS},
        attention=by_length[ATTENTION],
        steps_used={name: used for name, (_, used) in measured.items()},
        budgets=np.array([*BUDGET_OPTIONS.values()]),
        by_steps={k: by_steps[k] for k in CONTEXT_DIMS},
        attention_by_steps=by_steps[ATTENTION],
        rates={k: load_card(models[k][0]).recipe["lr"] for k in CONTEXT_DIMS},
        parameters={name: load_card(seeds[0]).parameters for name, (seeds, _) in measured.items()},
        learning={
            kind: read_learning_curve(model) for kind, model in zip(MODEL_KINDS, drawn_models, strict=True)
        },
        trained=trained_lengths(),
        full_steps=tuple(load_card(model).recipe["steps"] for model in drawn_models),
        **compare_translations(sentence, drawn_models),
        papers=compare_with_papers(),
        real_words=real_words(measure, budget),
    )
