"""What the lesson claims, for its referee. What is compared had equal steps, as many as every seed of both had."""

from lessons.bottleneck.compute.common import of_size
from lessons.bottleneck.compute.depth import BUILDS, ONE
from lessons.bottleneck.compute.depth import STEPS as DEEP
from lessons.bottleneck.compute.measured import ALIKE, ATTENTION, WIRINGS
from lessons.kit.referee import Claim, Side
from lessons.kit.translators import shared
from models import recipes

LAST, FIRST = shared(*of_size("128"), *of_size("16")), recipes.BUDGETS[0]


def build(name: str) -> Side:
    return Side(name, BUILDS[name], DEEP)


CLAIMS = (
    Claim("A larger c holds more", Side("k = 128", of_size("128"), LAST), Side("k = 16", of_size("16"), LAST)),
    Claim(
        "Longer training moves the cliff",
        Side(f"k = 16, {LAST:,} steps", of_size("16"), LAST),
        Side(f"k = 16, {LAST // 4:,} steps", of_size("16"), LAST // 4),
    ),
    Claim(
        "Attention learns sooner than one vector",
        Side(f"attention, {FIRST:,} steps", ATTENTION, FIRST),
        Side(f"k = 128, {LAST:,} steps", of_size("128"), LAST),
    ),
    Claim(
        "c at every step beats c at the first",
        Side("every step", WIRINGS["every step"], ALIKE),
        Side("first state", WIRINGS["first state"], ALIKE),
    ),
    Claim("Gates beat a plain cell", build(ONE), build("vanilla, 1 layer")),
    Claim("An LSTM beats a GRU", build("LSTM, 1 layer"), build(ONE)),
    Claim("Two layers beat one", build("GRU, 2 layers"), build(ONE)),
    Claim("Four layers beat two", build("GRU, 4 layers"), build("GRU, 2 layers")),
)
