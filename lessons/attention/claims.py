"""The claims that the lesson's referee tests."""

from lessons.attention.compute.solved import WITH, WITHOUT
from lessons.kit.checkpoints import longest_common_budget
from lessons.kit.referee import Claim, Side
from models.recipes import seeds_of

CURRENT, PREVIOUS = seeds_of("translation-additive-64"), seeds_of("translation-before-64")
UNIDIRECTIONAL, UNIFORM = seeds_of("translation-oneway-64"), seeds_of("translation-uniform-64")
ATTENTION, VECTOR = seeds_of(WITH), seeds_of(WITHOUT.format(128))
STEPS = longest_common_budget(*ATTENTION, *VECTOR)

CLAIMS = (
    Claim(
        "Attention beats one context vector",
        Side("attention", ATTENTION, STEPS),
        Side("c of size 128", VECTOR, STEPS),
    ),
    Claim(
        "Learned weights beat uniform weights",
        Side("learned weights", CURRENT),
        Side("uniform weights", UNIFORM),
    ),
    Claim(
        "A bidirectional encoder translates better",
        Side("bidirectional", CURRENT),
        Side("unidirectional", UNIDIRECTIONAL),
    ),
    Claim(
        "A query from the current state beats the previous one",
        Side("current state", CURRENT),
        Side("previous state", PREVIOUS),
    ),
)
