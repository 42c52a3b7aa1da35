"""Experiment `referee`: which claims of this lesson hold?"""

from lessons.attention.solved.compute import ATTENTION_MODEL, VECTOR_MODEL
from lessons.kit.checkpoints import longest_common_budget
from lessons.kit.referee import Claim, Side, referee
from models.recipes import seeds_of

CURRENT, PREVIOUS = seeds_of("translation-additive-64"), seeds_of("translation-before-64")
UNIDIRECTIONAL, UNIFORM = seeds_of("translation-oneway-64"), seeds_of("translation-uniform-64")
ATTENTION, ONE_VECTOR = seeds_of(ATTENTION_MODEL), seeds_of(VECTOR_MODEL.format(128))
STEPS = longest_common_budget(*ATTENTION, *ONE_VECTOR)

CLAIMS = (
    Claim(
        "Attention beats one context vector",
        Side("attention", ATTENTION, STEPS),
        Side("c of size 128", ONE_VECTOR, STEPS),
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
EXPERIMENT = referee(CLAIMS)
