"""What the lesson claims, for its referee."""

from lessons.attention.compute.solved import WITH, WITHOUT
from lessons.kit.referee import Claim, Side
from lessons.kit.translators import shared
from models.recipes import seeds_of

AFTER, BEFORE = seeds_of("translation-additive-64"), seeds_of("translation-before-64")
ONE_WAY, UNIFORM = seeds_of("translation-oneway-64"), seeds_of("translation-uniform-64")
LOOKING, VECTOR = seeds_of(WITH), seeds_of(WITHOUT.format(128))
STEPS = shared(*LOOKING, *VECTOR)

CLAIMS = (
    Claim(
        "Attention beats one vector, trained as long",
        Side("attention", LOOKING, STEPS),
        Side("c of 128 numbers", VECTOR, STEPS),
    ),
    Claim("It matters that the weights can choose", Side("weights that are learned", AFTER), Side("always even weights", UNIFORM)),
    Claim("A reader of both ways translates better", Side("both ways", AFTER), Side("one way", ONE_WAY)),
    Claim(
        "A query from the state after beats one from before",
        Side("query after", AFTER),
        Side("query before", BEFORE),
    ),
)
