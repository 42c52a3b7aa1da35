"""What the lesson claims, for its referee. What is compared had equal steps, as many as every seed of both had, each at the best of
the learning rates tried for it."""

from lessons.bottleneck.compute.common import of_size
from lessons.bottleneck.compute.depth import BUILDS, ONE
from lessons.bottleneck.compute.depth import STEPS as DEEP
from lessons.bottleneck.compute.measured import ALIKE, ATTENTION, WIRINGS
from lessons.kit.referee import Claim, Side
from lessons.kit.translators import shared
from models import recipes

LAST, FIRST = shared(*of_size("128"), *of_size("16")), recipes.BUDGETS[0]
BUILT = (  # better, worse
    ("Gates beat a plain cell", ONE, "vanilla, 1 layer"),
    ("An LSTM beats a GRU", "LSTM, 1 layer", ONE),
    ("Two layers beat one", "GRU, 2 layers", ONE),
)


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
    *(Claim(title, Side(better, BUILDS[better], DEEP), Side(worse, BUILDS[worse], DEEP)) for title, better, worse in BUILT),
)
