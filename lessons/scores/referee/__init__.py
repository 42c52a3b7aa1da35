"""Experiment `referee`: which claims of this lesson hold?"""

from lessons.kit.referee import Claim, Side, referee
from lessons.scores.score_functions import model_name
from models.recipes import seeds_of


def score_side(score: str) -> Side:
    return Side(score, seeds_of(model_name(score)))


CLAIMS = (
    Claim("Additive beats dot", score_side("additive"), score_side("dot")),
    Claim("Bilinear beats dot", score_side("bilinear"), score_side("dot"), "A matrix in the score helps dot"),
    Claim("Scaled dot beats dot", score_side("scaled dot"), score_side("dot"), "Scaling helps dot"),
    Claim("Additive beats bilinear", score_side("additive"), score_side("bilinear")),
)
EXPERIMENT = referee(CLAIMS)
