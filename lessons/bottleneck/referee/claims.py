"""The claims that the referee tests.

Unless their names say otherwise, both sides were trained for the longest time that every seed completed, each
with the best of the learning rates tried for it.
"""

from lessons.bottleneck.depth.cells import BUILDS, ONE_GRU, ONE_LSTM, ONE_VANILLA, TRAINING_STEPS, TWO_GRUS
from lessons.bottleneck.inject.compute import COMMON_STEPS, WIRINGS
from lessons.bottleneck.translator import ATTENTION_MODELS, models_with_context_dim
from lessons.kit.checkpoints import longest_common_budget
from lessons.kit.referee import Claim, Side
from models import recipes

MODELS_BY_SIZE = {size: models_with_context_dim(size) for size in ("16", "64", "128")}
LONGEST_STEPS = longest_common_budget(*(name for names in MODELS_BY_SIZE.values() for name in names))
SHORTEST_STEPS = recipes.BUDGETS[0]


def one_vector(size: str, steps: int | None = None) -> Side:
    """A side with one context vector. With `steps`, its name states the number of training steps."""
    name = f"c of size {size}" + (f", {steps:,} steps" if steps else "")
    return Side(name, MODELS_BY_SIZE[size], steps or LONGEST_STEPS)


def wiring(name: str) -> Side:
    return Side(name, WIRINGS[name], COMMON_STEPS)


def build(name: str) -> Side:
    return Side(name, BUILDS[name], TRAINING_STEPS)


CLAIMS = (
    Claim("A larger c holds more", one_vector("64"), one_vector("16")),
    Claim("A c of size 128 holds more than one of size 64", one_vector("128"), one_vector("64")),
    Claim(
        "Longer training moves the cliff",
        one_vector("16", LONGEST_STEPS),
        one_vector("16", LONGEST_STEPS // 4),
    ),
    Claim(
        "Attention learns sooner than one vector",
        Side(f"attention, {SHORTEST_STEPS:,} steps", ATTENTION_MODELS, SHORTEST_STEPS),
        one_vector("128", LONGEST_STEPS),
    ),
    Claim("c at every step beats c at the first", wiring("every step"), wiring("first state")),
    Claim("A GRU beats a vanilla RNN", build(ONE_GRU), build(ONE_VANILLA)),
    Claim("An LSTM beats a GRU", build(ONE_LSTM), build(ONE_GRU)),
    Claim("Two layers beat one", build(TWO_GRUS), build(ONE_GRU)),
)
