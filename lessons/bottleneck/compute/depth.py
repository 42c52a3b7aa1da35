"""Other cells, and layers on layers, between the same words and the same c: read from the cards."""

from dataclasses import dataclass

import numpy as np

from lessons.bottleneck.compute.common import (
    MEASURES,
    TRANSLATOR,
    Band,
    Learning,
    by_lengths,
    figures,
    learning_of,
    middles,
    natural,
    tried,
)
from lessons.kit.checkpoints import load_card, longest_common_budget
from lessons.kit.contract import Result
from models import recipes

ONE = "GRU, 1 layer"
MODELS = {  # c has 128 numbers in each
    ONE: "translation-none-128",
    "LSTM, 1 layer": "translation-none-lstm",
    "vanilla, 1 layer": "translation-none-vanilla",
    "GRU, 2 layers": "translation-none-two-layers",
    "GRU, 4 layers": "translation-none-four-layers",  # only tried
}
BUILDS = {
    build: names for build, model in MODELS.items() if (names := recipes.seeds_of(model))
}  # one name a seed
STEPS = longest_common_budget(
    *(name for names in BUILDS.values() for name in names)
)  # what all were trained for


@dataclass(frozen=True)
class Build:
    """One kind of cell, so many layers of it in encoder and decoder."""

    rate: float  # the learning rate, the best of those tried
    parameters: int
    natural: np.ndarray  # (seeds,) over sentences of natural length
    by_length: Band  # (buckets,)
    learning: Learning  # of the first seed


@dataclass(frozen=True)
class Order:
    """Two builds as a paper ranks them, the better one first: its BLEU, where it made the change, and our figures per seed."""

    source: str
    names: tuple[str, str]
    paper: tuple[float, float]
    changed: str
    ours: tuple[np.ndarray, ...]

    @property
    def same(self) -> bool | None:
        """None where our seeds overlap."""
        first, second = self.ours
        if first.max() >= second.min() and second.max() >= first.min():
            return None
        return bool(first.min() > second.max())


BRITZ = (  # mean BLEU on newstest2013, WMT English–German, with attention: their tables of cells, depth, direction
    "Britz et al. 2017"
)
PAPERS = (
    (
        ("GRU, 2 layers", ONE),
        (20.98, 20.54),
        "encoder",
    ),  # Uni-2 and Uni-1; in the decoder Dec-2 has 21.78 and Dec-1 21.76
    (("LSTM, 1 layer", ONE), (22.22, 21.78), "both"),
    ((ONE, "vanilla, 1 layer"), (21.78, 15.38), "decoder"),  # Vanilla-Dec
)


@dataclass(frozen=True)
class Depth(Result):
    build: str  # the one chosen
    measure: str
    steps: int  # of training, the same for all
    builds: dict[str, Build]
    tried: dict[
        str, dict[float, np.ndarray]
    ]  # by build, also one that was not trained on, and by learning rate: validation losses
    lengths: np.ndarray  # (buckets,) middles
    buckets: tuple[tuple[int, int], ...]
    trained: tuple[int, int]
    orders: tuple[Order, ...]

    @property
    def last(self) -> int:
        """The bucket of the longest sentences trained on."""
        return next(n for n, (_, high) in enumerate(self.buckets) if high == self.trained[1])


def depth(build: str, measure: str) -> Depth:
    key = MEASURES[measure]
    builds = {
        name: Build(
            rate=load_card(names[0]).recipe["lr"],
            parameters=load_card(names[0]).parameters,
            natural=natural(names, key, STEPS),
            by_length=by_lengths(names, key, STEPS),
            learning=learning_of(names[0]).until(STEPS),
        )
        for name, names in BUILDS.items()
    }
    return Depth(
        build=build,
        measure=measure,
        steps=STEPS,
        builds=builds,
        tried={build: tried(model) for build, model in MODELS.items()},
        lengths=middles(TRANSLATOR),
        buckets=tuple((row["from"], row["to"]) for row in figures(TRANSLATOR)["by_length"]),
        trained=tuple(figures(TRANSLATOR)["trained_lengths"]),
        orders=tuple(
            Order(BRITZ, pair, bleu, changed, tuple(builds[name].natural for name in pair))
            for pair, bleu, changed in PAPERS
        ),
    )
