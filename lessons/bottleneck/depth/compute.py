"""Compare kinds of cells and numbers of layers on the same task, with c of the same size."""

from dataclasses import dataclass

import numpy as np

from lessons.bottleneck.measurements import (
    MEASURES,
    Band,
    LearningCurve,
    band_by_length,
    bucket_middles,
    length_buckets,
    longest_trained_bucket,
    natural_scores,
    read_learning_curve,
)
from lessons.bottleneck.translator import trained_lengths
from lessons.kit.checkpoints import load_card, longest_common_budget
from lessons.kit.contract import Result
from models import recipes

ONE_GRU, TWO_GRUS = "GRU, 1 layer", "GRU, 2 layers"
ONE_LSTM, ONE_VANILLA = "LSTM, 1 layer", "vanilla, 1 layer"
MODELS = {  # all have a c of size 128
    ONE_GRU: "translation-none-128",
    ONE_LSTM: "translation-none-lstm",
    ONE_VANILLA: "translation-none-vanilla",
    TWO_GRUS: "translation-none-two-layers",
    "GRU, 4 layers": "translation-none-four-layers",  # only short learning-rate trials exist
}
BUILDS = {
    build: names for build, model in MODELS.items() if (names := recipes.seeds_of(model))
}  # one per seed
TRAINING_STEPS = longest_common_budget(*(name for names in BUILDS.values() for name in names))


@dataclass(frozen=True)
class Build:
    """Measurements for one cell type and one number of encoder and decoder layers."""

    rate: float  # the best of the learning rates tried
    parameters: int
    natural: np.ndarray  # (seeds,) on sentences of natural length
    by_length: Band  # (buckets,)
    learning: LearningCurve  # of the first seed


@dataclass(frozen=True)
class PaperOrder:
    """Two builds, the one that a paper found better first, with the paper's and our scores."""

    source: str
    names: tuple[str, str]
    paper: tuple[float, float]  # BLEU
    changed: str  # the part of the model that the paper changed
    ours: tuple[np.ndarray, ...]  # our scores, (seeds,) each

    @property
    def same(self) -> bool | None:
        """Whether our scores are in the same order as the paper's; None if our seeds overlap."""
        first, second = self.ours
        if first.max() >= second.min() and second.max() >= first.min():
            return None
        return bool(first.min() > second.max())


BRITZ = "Britz et al. 2017"  # mean BLEU on newstest2013, WMT English–German, with attention
PAPERS = (  # (better, worse) build, the paper's BLEU, the changed part
    ((TWO_GRUS, ONE_GRU), (20.98, 20.54), "encoder"),  # Uni-2, Uni-1; in the decoder Dec-2 21.78, Dec-1 21.76
    ((ONE_LSTM, ONE_GRU), (22.22, 21.78), "both"),
    ((ONE_GRU, ONE_VANILLA), (21.78, 15.38), "decoder"),  # Vanilla-Dec
)


@dataclass(frozen=True)
class Depth(Result):
    build: str  # the chosen build
    measure: str
    steps: int  # training steps, the same for all builds
    builds: dict[str, Build]
    tried: dict[str, dict[float, np.ndarray]]  # build → learning rate → validation losses (seeds,)
    lengths: np.ndarray  # (buckets,) middle length of each bucket
    buckets: tuple[tuple[int, int], ...]
    trained: tuple[int, int]  # shortest and longest source sentence in training
    orders: tuple[PaperOrder, ...]

    @property
    def last(self) -> int:
        """Index of the bucket with the longest sentences seen in training."""
        return longest_trained_bucket(self.buckets, self.trained)


def read_tried_rates(model: str) -> dict[float, np.ndarray]:
    """By learning rate: (seeds,) validation losses after short trial runs, one per seed that tried it."""
    by_seed = recipes.losses_by_rate(model)
    rates = sorted({rate for losses in by_seed for rate in losses}, key=float)
    return {float(rate): np.array([losses[rate] for losses in by_seed if rate in losses]) for rate in rates}


def compute(build: str, measure: str) -> Depth:
    key = MEASURES[measure]
    builds = {
        name: Build(
            rate=load_card(models[0]).recipe["lr"],
            parameters=load_card(models[0]).parameters,
            natural=natural_scores(models, key, TRAINING_STEPS),
            by_length=band_by_length(models, key, TRAINING_STEPS),
            learning=read_learning_curve(models[0]).until(TRAINING_STEPS),
        )
        for name, models in BUILDS.items()
    }
    return Depth(
        build=build,
        measure=measure,
        steps=TRAINING_STEPS,
        builds=builds,
        tried={name: read_tried_rates(model) for name, model in MODELS.items()},
        lengths=bucket_middles(),
        buckets=length_buckets(),
        trained=trained_lengths(),
        orders=tuple(
            PaperOrder(BRITZ, pair, bleu, changed, tuple(builds[name].natural for name in pair))
            for pair, bleu, changed in PAPERS
        ),
    )
