"""The claims that the lesson's referee tests."""

from lessons.kit.referee import Claim, Side
from models import recipes


def score(name: str) -> Side:
    return Side(name, tuple(f"translation-{name.replace(' ', '-')}-64-s{seed}" for seed in recipes.SEEDS))


CLAIMS = (
    Claim("Additive beats dot", score("additive"), score("dot")),
    Claim("A matrix in the score helps dot", score("bilinear"), score("dot")),
    Claim("Scaling helps dot", score("scaled dot"), score("dot")),
    Claim("Additive beats bilinear", score("additive"), score("bilinear")),
)
