"""What the lesson claims, for its referee."""

from lessons.kit.referee import Claim, Side
from models.recipes import seeds_of

GRU = Side("GRU with attention", seeds_of("translation-additive-64"))
ORDERED = seeds_of("translation-between-ordered-64")

CLAIMS = (
    Claim("A Transformer beats a GRU with attention", Side("Transformer", seeds_of("translation-transformer")), GRU),
    Claim(
        "A reader by self-attention needs positions",
        Side("with positions", ORDERED),
        Side("without", seeds_of("translation-between-64")),
    ),
    Claim(
        "A recurrent reader beats self-attention with positions",
        GRU,
        Side("self-attention, positions", ORDERED),
    ),
)
