"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

import numpy as np
import torch

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number, one_of
from lessons.kit.pictures.numbers import signed
from lessons.scores.compute import plane, same, scaling, sizes, trained
from models.attention import SCORES

KEYS = tuple(f"h{low}" for low in "₁₂₃₄")
CLEARLY = 0.01  # by how much a winner has to win


# ---- one guess for each experiment ----

IDENTITY = ((1.0, 0.0), (0.0, 1.0))
LONGER = ("it goes down", "it stays", "it doubles")


def doubled() -> str:
    """The dot score of a key, and of the same key twice as long."""
    once, twice = plane.scores_of("dot", ((1.0, 0.5), (0.8, 0.6), (1.6, 1.2), (0.0, 0.0), (0.0, 0.0)), IDENTITY, False)[:2]
    return LONGER[2] if torch.isclose(twice, 2 * once) else LONGER[1] if torch.isclose(twice, once) else LONGER[0]


length_counts = guess(
    "length-counts",
    "A key points the way the query points. You make it twice as long. What happens to its dot score?",
    LONGER,
    doubled,
    "Drag a key outward along its own direction and watch its bar. Then switch unit norm on.",
)


def most_right() -> str:
    return trained.NAMES[int(trained.figures()["exact_match"].mean(1).argmax())]


best_score = guess(
    "best-score",
    "Same data, same budget, three seeds each: which score translates the most test sentences exactly right?",
    trained.NAMES,
    most_right,
    "See the column “exact match”, and how far the ranges overlap.",
)


def with_identity() -> str:
    weights = {"W_1": ((0.0, 0.0),) * 3, "W_2": ((0.0, 0.0),) * 3, "v": ((0.0,),) * 3, "W_c": ((0.0,) * 4,) * 3}
    runs = [same.same(same.PAIRS[0], seed, IDENTITY, **weights) for seed in range(5)]
    return "dot" if all(not run.difference.any() for run in runs) else "neither"


identity = guess(
    "identity",
    "In sᵀ W h, let W be the identity matrix. Which score is that?",
    ("dot", "scaled dot", "additive", "neither"),
    with_identity,
    "Set W to ones on the diagonal and zeros elsewhere: the bars meet the marks.",
)

SURVIVE = ("all five", "the three with matrices", "only additive", "none")


def survivors() -> str:
    defined = [name for name, count in zip(sizes.NAMES, sizes.sizes(4, 3, 2).parameters, strict=True) if count is not None]
    sets = {
        sizes.NAMES: SURVIVE[0],
        ("bilinear", "scaled bilinear", "additive"): SURVIVE[1],
        ("additive",): SURVIVE[2],
        (): SURVIVE[3],
    }
    return sets[tuple(defined)]


which_survive = guess(
    "which-survive",
    "Keys have 4 numbers, the query has 3. Which scores are still defined?",
    SURVIVE,
    survivors,
    "A dot product needs a partner for every number. What can a matrix do about it?",
)

FACTORS = ("it stays", "it doubles", "it grows four times")


def spread_of_four_times_d() -> str:
    """Measured: how the spread changes from d = 64 to d = 256, over three draws."""
    spreads = np.mean([scaling.samples(seed).spread[0] for seed in range(3)], axis=0)
    return FACTORS[int(np.abs(np.array([1, 2, 4]) - spreads[8] / spreads[6]).argmin())]


four_times = guess(
    "four-times",
    "Vectors become four times as long, from 64 to 256 numbers. What happens to the spread of their dot products?",
    FACTORS,
    spread_of_four_times_d,
    "Move k from 6 to 8 and read the spread: variances add up, standard deviations go with the root.",
)


# ---- check yourself ----


def bilinear_by_hand() -> float:
    arrows = ((1.0, 2.0), (3.0, -1.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    return plane.scores_of("bilinear", arrows, ((0.0, 1.0), (1.0, 0.0)), False)[0].item()


def additive_parameters() -> float:
    return sizes.sizes(128, 64, 32).parameters[sizes.NAMES.index("additive")]


def divisor() -> float:
    return 1 / SCORES["scaled dot"](256).scale


def two_keys() -> float:
    return torch.softmax(torch.tensor([2.0, 0.0]) / 2, -1)[0].item()


LIMITS = ("the value of the winner", "the mean of the values", "zero")


def hot_context() -> str:
    values = ((1.0, 0.0), (0.0, 2.0), (-2.0, 1.0), (1.5, 1.0))
    run = plane.plane(((1.0, 0.5), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)), values, "dot", IDENTITY, False, 9.0)
    targets = (run.values[run.winner], run.values.mean(0), np.zeros(2))
    return LIMITS[int(np.argmin([np.linalg.norm(run.context - target) for target in targets]))]


def heat(given: str, _: State) -> Verdict:
    right = hot_context()
    if given == right:
        return Verdict(True, f"Yes, {right}: divided by a large τ all scores are nearly 0, and all weights the same.")
    return Verdict(False, "Not yet. What is left of the differences between scores when all are divided by a very large number?")


def disagree(_: None, state: State) -> Verdict:
    """Dot and cosine on the learner's arrows, whichever score is chosen."""
    winners = []
    for unit, name in ((False, "dot"), (True, "cosine")):
        scores = plane.scores_of("dot", state["arrows"], IDENTITY, unit)
        first, second = scores.topk(2).values
        if first - second < CLEARLY:
            return Verdict(False, f"By {name} it is a tie at the top. Move a key a little, so that one of them wins.")
        winners.append(KEYS[int(scores.argmax())])
    if winners[0] != winners[1]:
        return Verdict(True, f"Yes: by dot {winners[0]} wins, by cosine {winners[1]}. Length won over direction.")
    return Verdict(False, f"Both choose {winners[0]}. Which key points best, and how could another still win by dot?")


def doubles(_: None, state: State) -> Verdict:
    run = same.same(**state | {"pair": same.PAIRS[0]})
    one, other = run.one, run.other
    if np.allclose(one, 2 * other, atol=1e-3):
        return Verdict(True, "Yes: every bilinear score is twice the dot score. A matrix can also set the temperature.")
    worst = int(np.abs(one - 2 * other).argmax())
    found, wanted = signed(one[worst]), signed(2 * other[worst])
    return Verdict(
        False, f"For {KEYS[worst]} bilinear gives {found}, and twice the dot is {wanted}. I changes nothing; what doubles?"
    )


CHECK_YOURSELF = (
    number(
        "by-hand",
        "s = (1, 2), h = (3, −1), and W swaps the two numbers of a vector: W = (0 1; 1 0). What is the bilinear score sᵀ W h?",
        bilinear_by_hand,
        "First W h: its two numbers change places. Then the dot product with s.",
        "W h is (−1, 3), and 1 · (−1) + 2 · 3 is the score.",
    ),
    Exercise(
        "disagree",
        "In The plane, place the keys so that dot and cosine disagree about the winner.",
        disagree,
        "Cosine looks at the angle only. Let one short key point exactly where s points, and make another one long.",
        experiment="plane",
    ),
    number(
        "softmax",
        "Two keys have scores 2 and 0. What is the weight of the first at temperature τ = 2? (two decimals)",
        two_keys,
        "Divide both scores by τ, then softmax: exp(1) / (exp(1) + exp(0)).",
        "At τ = 1 it would be more, at a larger τ nearer to one half.",
    ),
    Exercise(
        "hot",
        "The temperature τ grows without bound. Where does the context go?",
        heat,
        "Move the temperature in The plane to its right end.",
        one_of("The context becomes", LIMITS),
    ),
    Exercise(
        "double",
        "In Same or not, choose bilinear and dot, and set W so that every bilinear score is twice the dot score.",
        doubles,
        "W = I gives the dot score itself.",
        experiment="same",
    ),
    number(
        "count",
        "Keys of d₁ = 128 numbers, a query of d₂ = 64, and d₃ = 32: how many numbers does the additive score learn?",
        additive_parameters,
        "W₁ is d₃ × d₁, W₂ is d₃ × d₂, and v has d₃ numbers.",
        "d₃ · (d₁ + d₂ + 1), and the length of the sentence plays no part.",
    ),
    number(
        "divisor",
        "By what number is the dot product of two vectors of 256 numbers divided, so that its spread stays 1?",
        divisor,
        "The variance of the sum is 256. The spread is its square root.",
        "√256: the spread of the unscaled scores.",
    ),
)
