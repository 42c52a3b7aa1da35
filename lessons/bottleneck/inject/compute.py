"""The same sentence through three wirings of c, and their measurements from the cards."""

from dataclasses import dataclass

import numpy as np

from lessons.bottleneck.measurements import (
    MEASURES,
    Band,
    band_by_length,
    bucket_middles,
    clear_winner,
    natural_scores,
)
from lessons.bottleneck.translator import (
    SMALL_TRANSLATOR,
    compare_translations,
    models_with_context_dim,
    trained_lengths,
)
from lessons.kit.checkpoints import TRANSLATION, Words, french, load_card, original_run, read_small_world
from lessons.kit.contract import Result
from lessons.kit.references import Positions
from models import recipes
from models.vocabulary import BOS

WIRINGS = {  # option → checkpoints, one per seed; the first is shown in the picture
    "first state": models_with_context_dim("128"),
    "every step": recipes.seeds_of("translation-every-128"),
    "one RNN": recipes.seeds_of("translation-shared-128"),
}
# training steps that all wirings have completed
COMMON_STEPS = recipes.RECIPES["translation-every-128-s0"].steps


@dataclass(frozen=True)
class WiringComparison(Result):
    """Translations of one sentence with three wirings, and measurements of each wiring."""

    wiring: str
    measure: str
    words: Words  # (T)
    teacher: Words
    truth: Words | None  # the correct translation, if the grammar can give it
    outputs: tuple[Words, ...]  # outputs by wiring, without <eos>
    right: tuple[bool | None, ...]  # by wiring: whether the output is correct
    changed: tuple[Positions, ...]  # by wiring: positions that differ from the teacher
    read: Words  # (T') what the decoder of the chosen wiring reads
    written: Words  # (T') what this decoder writes, with <eos>
    H: np.ndarray  # (T, m)
    c: np.ndarray  # (m,)
    s: np.ndarray  # (T', m)
    s_0: np.ndarray  # (m,) the decoder's state before its first step
    lengths: np.ndarray  # (buckets,)
    accuracy: dict[str, Band]  # (buckets,) after `common_steps`
    natural: dict[str, np.ndarray]  # (seeds,) on sentences of natural length, after `common_steps`
    count: int  # number of sentences of natural length
    parameters: dict[str, int]
    steps: dict[str, int]  # training steps of the models that translate the sentence
    common_steps: int
    trained: tuple[int, int]  # shortest and longest source sentence in training

    @property
    def best(self) -> str | None:
        """The wiring whose seeds all score higher than every seed of the others, if there is one."""
        return clear_winner(self.natural)


def compute(text: str, wiring: str, measure: str) -> WiringComparison:
    sentence, key = read_small_world(text, "text"), MEASURES[measure]
    drawn = {name: models[0] for name, models in WIRINGS.items()}
    trace = original_run(drawn[wiring], tuple(TRANSLATION.source.ids(sentence.words)))
    cards = {name: load_card(model) for name, model in drawn.items()}
    return WiringComparison(
        wiring=wiring,
        measure=measure,
        **compare_translations(sentence, drawn.values()),
        read=(BOS, *french(trace.output[:-1])),
        written=french(trace.output),
        H=trace.H.numpy(),
        c=trace.c.numpy(),
        s=trace.s.numpy(),
        s_0=trace.values.get("initial.layer1.h", trace.c).numpy(),
        lengths=bucket_middles(),
        accuracy={name: band_by_length(models, key, COMMON_STEPS) for name, models in WIRINGS.items()},
        natural={name: natural_scores(models, key, COMMON_STEPS) for name, models in WIRINGS.items()},
        count=load_card(SMALL_TRANSLATOR).metrics["natural"]["count"],
        parameters={name: card.parameters for name, card in cards.items()},
        steps={name: card.recipe["steps"] for name, card in cards.items()},
        common_steps=COMMON_STEPS,
        trained=trained_lengths(),
    )
