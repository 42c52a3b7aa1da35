"""The claims that the lesson's referee tests."""

from lessons.kit.referee import Claim, Side
from models.recipes import RECIPES, seeds_of

TRANSFORMER = seeds_of("translation-transformer")
# of the trained GRUs with attention, the one that had as many steps; the others had fewer, and half of the parameters
EQUAL = seeds_of("translation-oneway-128")
STEPS = RECIPES[TRANSFORMER[0]].steps
GRU = Side("recurrent", seeds_of("translation-additive-64"))
POSITIONS = seeds_of("translation-between-ordered-64")

CLAIMS = (
    Claim(
        "A Transformer beats a GRU with attention",
        Side("Transformer", TRANSFORMER),
        Side("GRU with attention", EQUAL, STEPS),
    ),
    Claim(
        "A self-attention encoder needs positions",
        Side("an encoder with positions", POSITIONS),
        Side("an encoder without", seeds_of("translation-between-64")),
    ),
    Claim(
        "A recurrent encoder beats self-attention with positions",
        GRU,
        Side("self-attention, positions", POSITIONS),
    ),
)
