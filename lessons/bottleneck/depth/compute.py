"""Encoder and decoder of 1, 2 or 4 layers, with three kinds of connections, on the same task."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lessons.bottleneck.depth.cells import (
    ONE_GRU,
    ONE_LSTM,
    ONE_VANILLA,
    CellBuild,
    measure_cells,
)
from lessons.bottleneck.measurements import MEASURES, Band, band_over_seeds, natural_scores
from lessons.bottleneck.translator import compare_translations, trained_lengths
from lessons.kit.checkpoints import Words, load_card, read_small_world
from lessons.kit.contract import Result
from lessons.kit.references import Positions
from models import recipes

LAYERS = tuple(str(layers) for layers in recipes.DEPTHS)
RATE, OTHER_RATE = recipes.DEPTH_RATES
PROBES = {"part of speech": "part_of_speech", "meaning": "meaning"}  # name → key on the card


def build_name(encoder: int, decoder: int, connection: str = "none") -> str:
    return f"{encoder} + {decoder}" + ("" if connection == "none" else f", {connection}")


BUILDS = {  # name → (layers of the encoder, layers of the decoder, connection)
    build_name(*build): build
    for build in (
        *((encoder, decoder, "none") for encoder in recipes.DEPTHS for decoder in recipes.DEPTHS),
        *((layers, layers, connection) for connection, layers in recipes.DEPTH_CONNECTIONS),
    )
}
# even builds have equally many encoder and decoder layers; only they are shipped with weights
EVEN_BUILDS = tuple(name for name, build in BUILDS.items() if build[0] == build[1])
SHALLOW, DEEP = build_name(1, 1), build_name(4, 4)
DEEP_RESIDUAL, DEEP_DENSE = build_name(4, 4, "residual"), build_name(4, 4, "dense")


def models_of(build: str) -> tuple[str, ...]:
    """Names of a build's models, one per seed. The first seed of an even build is shipped with weights."""
    return recipes.seeds_of(recipes.depth_model(*BUILDS[build]))


def faster_model(build: str) -> str:
    """The model that was trained at the other learning rate."""
    return f"{recipes.depth_model(*BUILDS[build])}-fast-s{recipes.SEEDS[0]}"


def find_build(encoder: int, decoder: int, connection: str) -> str:
    """The trained build for the learner's choice, without connections where they make no difference."""
    if encoder != decoder or encoder == 1:
        return build_name(encoder, decoder)
    is_same = encoder == 2 and connection == "dense"  # layer 2 has a single layer below it
    return build_name(encoder, decoder, "residual" if is_same else connection)


@dataclass(frozen=True)
class Build:
    """Measurements of one build, with every seed."""

    parameters: int
    natural: np.ndarray  # (seeds,) on sentences of natural length
    validation: Band  # (evaluations,) the validation loss during training, nats per word


@dataclass(frozen=True)
class LayerProbe:
    """What a linear probe recovers from each layer of the encoder."""

    by_layer: Band  # (layers + 1,) accuracy, from the embeddings (layer 0) to the top
    without_model: float  # accuracy of the commonest label of each word
    words: int  # probed words of the test sentences


@dataclass(frozen=True)
class PaperOrder:
    """Two builds with the paper's scores and ours; the build that the paper found better comes first."""

    source: str
    names: tuple[str, str]  # the paper's names of the builds
    paper: tuple[float, float]  # BLEU
    builds: tuple[str, str]  # our builds
    ours: tuple[np.ndarray, ...]  # our scores, (seeds,) each

    @property
    def same(self) -> bool | None:
        """Whether our scores are in the same order as the paper's; None if our seeds overlap."""
        first, second = self.ours
        if first.max() >= second.min() and second.max() >= first.min():
            return None
        return bool(first.min() > second.max())


BRITZ = "Britz et al. 2017"  # mean BLEU on newstest2013, WMT English–German, with attention
PAPERS = (  # better and worse build in the paper, their BLEU, our builds; the other part has 2 layers
    (("encoder of 2", "of 1"), (20.98, 20.54), (build_name(2, 2), build_name(1, 2))),  # there: Uni-2, Uni-1
    (("encoder of 4", "of 2"), (21.47, 20.98), (build_name(4, 2), build_name(2, 2))),  # there: Uni-4, Uni-2
    (("decoder of 4", "of 1"), (22.37, 21.76), (build_name(2, 4), build_name(2, 1))),  # there: Dec-4, Dec-1
    (("decoder of 4, plain", "residual"), (22.37, 17.48), (DEEP, DEEP_RESIDUAL)),  # there: Dec-4, Dec-4-Res
    (("decoder of 4, dense", "residual"), (21.10, 17.48), (DEEP_DENSE, DEEP_RESIDUAL)),  # there: Dec-4-ResD
    (("LSTM", "GRU"), (22.22, 21.78), (ONE_LSTM, ONE_GRU)),
    (("GRU decoder", "vanilla"), (21.78, 15.38), (ONE_GRU, ONE_VANILLA)),  # there: Vanilla-Dec
)


@dataclass(frozen=True)
class Depth(Result):
    encoder: int
    decoder: int
    build: str  # the trained build that is shown
    measure: str
    steps: int  # training steps, the same for all builds
    rate: float  # learning rate, the same for all builds
    builds: dict[str, Build]
    evaluated: np.ndarray  # (evaluations,) the training steps of `Build.validation`
    words: Words
    teacher: Words
    truth: Words | None  # the correct translation, if the grammar can give it
    outputs: tuple[Words, ...]  # one output per even build, without <eos>
    right: tuple[bool | None, ...]
    changed: tuple[Positions, ...]
    trained: tuple[int, int]  # shortest and longest source sentence in training
    cells: dict[str, CellBuild]

    def idle(self) -> dict[str, str]:
        if self.encoder != self.decoder:
            return {"connection": "Trained only with as many layers in the encoder as in the decoder."}
        return {"connection": "One layer has no layer below it."} if self.encoder == 1 else {}

    @cached_property
    def probes(self) -> dict[str, LayerProbe]:
        """The probes by name of the label."""
        found = {}
        for name, key in PROBES.items():
            rows = [load_card(model).metrics["layers"][key] for model in models_of(self.build)]
            band = band_over_seeds(row["by_layer"] for row in rows)
            found[name] = LayerProbe(band, rows[0]["without_model"], rows[0]["words"])
        return found

    @cached_property
    def rates(self) -> dict[str, tuple[float, float]]:
        """Scores of the first seed by even build: at the common learning rate, and at the other one."""
        key = MEASURES[self.measure]
        return {
            name: (
                float(self.builds[name].natural[0]),
                float(load_card(faster_model(name)).metrics["natural"][key]),
            )
            for name in EVEN_BUILDS
        }

    @cached_property
    def orders(self) -> tuple[PaperOrder, ...]:
        natural = {name: build.natural for name, build in (self.builds | self.cells).items()}
        return tuple(
            PaperOrder(BRITZ, names, bleu, pair, tuple(natural[name] for name in pair))
            for names, bleu, pair in PAPERS
        )


def read_build(name: str, measure: str) -> Build:
    """Read the cards of a build; `measure` is a key on the card."""
    models = models_of(name)
    curves = [[row["validation"] for row in load_card(model).metrics["learning"]] for model in models]
    return Build(load_card(models[0]).parameters, natural_scores(models, measure), band_over_seeds(curves))


def compute(encoder: str, decoder: str, connection: str, measure: str, text: str) -> Depth:
    sentence, key = read_small_world(text, "text"), MEASURES[measure]
    card = load_card(models_of(SHALLOW)[0])
    return Depth(
        encoder=int(encoder),
        decoder=int(decoder),
        build=find_build(int(encoder), int(decoder), connection),
        measure=measure,
        steps=card.recipe["steps"],
        rate=card.recipe["lr"],
        builds={name: read_build(name, key) for name in BUILDS},
        evaluated=np.array([row["step"] for row in card.metrics["learning"]]),
        **compare_translations(sentence, [models_of(name)[0] for name in EVEN_BUILDS]),
        trained=trained_lengths(),
        cells=measure_cells(key),
    )
