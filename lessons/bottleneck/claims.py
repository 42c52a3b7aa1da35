"""The claims that the lesson's referee tests.

Both sides had equal steps unless their names say otherwise: as many as every seed had. Each had the best of the learning rates
tried for it.
"""

from lessons.bottleneck.compute.common import of_size
from lessons.bottleneck.compute.depth import BUILDS, ONE
from lessons.bottleneck.compute.depth import STEPS as DEEP
from lessons.bottleneck.compute.measured import ALIKE, ATTENTION, WIRINGS
from lessons.kit.checkpoints import longest_common_budget
from lessons.kit.referee import Claim, Side
from models import recipes

SIZES = {size: of_size(size) for size in ("16", "64", "128")}
LAST, FIRST = longest_common_budget(*(name for names in SIZES.values() for name in names)), recipes.BUDGETS[0]
BUILT = (  # better, worse
    ("A GRU beats a vanilla RNN", ONE, "vanilla, 1 layer"),
    ("An LSTM beats a GRU", "LSTM, 1 layer", ONE),
    ("Two layers beat one", "GRU, 2 layers", ONE),
)


def of_c(size: str, steps: int | None = None) -> Side:
    """One context vector; its name says the steps where the two sides of a claim differ in them."""
    return Side(f"c of size {size}" + (f", {steps:,} steps" if steps else ""), SIZES[size], steps or LAST)


CLAIMS = (
    Claim("A larger c holds more", of_c("64"), of_c("16")),
    Claim("A c of size 128 holds more than one of size 64", of_c("128"), of_c("64")),
    Claim("Longer training moves the cliff", of_c("16", LAST), of_c("16", LAST // 4)),
    Claim(
        "Attention learns sooner than one vector",
        Side(f"attention, {FIRST:,} steps", ATTENTION, FIRST),
        of_c("128", LAST),
    ),
    Claim(
        "c at every step beats c at the first",
        Side("every step", WIRINGS["every step"], ALIKE),
        Side("first state", WIRINGS["first state"], ALIKE),
    ),
    *(
        Claim(title, Side(better, BUILDS[better], DEEP), Side(worse, BUILDS[worse], DEEP))
        for title, better, worse in BUILT
    ),
)
