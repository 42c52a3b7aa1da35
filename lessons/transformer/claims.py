"""What the lesson claims, for its referee."""

from lessons.kit.referee import Claim, Side
from models import recipes

GRU = Side("GRU with attention", tuple(f"translation-additive-64-s{seed}" for seed in recipes.SEEDS))

CLAIMS = (
    Claim("A Transformer beats a GRU with attention", Side("Transformer", ("translation-transformer-s0",)), GRU),
    Claim(
        "A reader by self-attention needs positions",
        Side("with positions", ("translation-between-ordered-64-s0",)),
        Side("without", ("translation-between-64-s0",)),
    ),
    Claim(
        "A recurrent reader beats self-attention with positions",
        GRU,
        Side("self-attention, positions", ("translation-between-ordered-64-s0",)),
    ),
)
