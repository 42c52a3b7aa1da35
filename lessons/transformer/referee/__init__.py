"""Experiment `referee`: the claims of this lesson, tested across the seeds of both models."""

from lessons.kit.referee import Claim, Side, referee
from models.recipes import RECIPES, seeds_of

TRANSFORMER = seeds_of("translation-transformer")
WITH_POSITIONS = seeds_of("translation-between-ordered-64")
CLAIMS = (
    Claim(
        "A Transformer beats a GRU with attention",
        Side("Transformer", TRANSFORMER),
        # the only GRU with attention trained for as many steps; the others have half as many parameters
        Side("GRU with attention", seeds_of("translation-oneway-128"), RECIPES[TRANSFORMER[0]].steps),
    ),
    Claim(
        "A self-attention encoder needs positions",
        Side("an encoder with positions", WITH_POSITIONS),
        Side("an encoder without", seeds_of("translation-between-64")),
    ),
    Claim(
        "A recurrent encoder beats self-attention with positions",
        Side("recurrent", seeds_of("translation-additive-64")),
        Side("self-attention, positions", WITH_POSITIONS),
    ),
)
EXPERIMENT = referee(CLAIMS)
