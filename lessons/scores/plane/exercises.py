"""The guess and the exercises of experiment `plane`, with computed answers."""

import numpy as np
import torch

from lessons.kit.contract import Exercise, Rows, State, Verdict
from lessons.kit.exercises import guess, number, one_of
from lessons.kit.pictures.numbers import signed
from lessons.scores.plane.compute import ARROWS, compute, scores_of
from lessons.scores.score_functions import IDENTITY, KEY_NAMES

MIN_LEAD = 0.01  # minimum lead of a clear winner
SHORTER = (ARROWS[0], tuple(x / 2 for x in ARROWS[1]), *ARROWS[2:])  # h₁ is half as long
TRY_IT = f"Drag h₁ to ({', '.join(signed(x) for x in SHORTER[1])}) and see."


def dot_scores(arrows: Rows) -> list[str]:
    return [signed(score) for score in scores_of("dot", arrows, IDENTITY, False).tolist()]


def winner_when_shorter() -> str:
    return KEY_NAMES[int(scores_of("dot", SHORTER, IDENTITY, False).argmax())]


length_counts = guess(
    "length-counts",
    "With the opening settings, h₁ has the highest dot score. You make h₁ half as long without turning it."
    " Which key has the highest score now?",
    {
        "h₁": lambda: (
            "h₁ still has the best direction. But half the length means half the score:"
            f" {dot_scores(SHORTER)[0]}, while h₂ has {dot_scores(SHORTER)[1]}. {TRY_IT} With unit norm only"
            " the direction counts, and h₁ wins again."
        ),
        "h₂": lambda: (
            f"Half the length means half the score: h₁ falls from {dot_scores(ARROWS)[0]} to"
            f" {dot_scores(SHORTER)[0]}, and h₂ stays at {dot_scores(SHORTER)[1]}. In a dot product, length"
            f" counts as well as direction. {TRY_IT}"
        ),
        "h₃": lambda: (
            f"h₃ points away from s. Its score is {dot_scores(SHORTER)[2]}, and moving h₁ does not change it."
            f" {TRY_IT}"
        ),
    },
    winner_when_shorter,
    "A dot product is a sum of products. What happens to each product when both numbers of h₁ are halved?",
)


def bilinear_by_hand() -> float:
    arrows = ((1.0, 2.0), (3.0, -1.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    return scores_of("bilinear", arrows, ((0.0, 1.0), (1.0, 0.0)), False)[0].item()


def check_disagreement(_: None, state: State) -> Verdict:
    """Check that dot and cosine prefer different keys, whichever score the learner chose."""
    winners = []
    for unit, name in ((False, "dot"), (True, "cosine")):
        scores = scores_of("dot", state["arrows"], IDENTITY, unit)
        first, second = scores.topk(2).values
        if first - second < MIN_LEAD:
            return Verdict(
                False, f"With {name}, the two best keys tie. Move one of them a little, so that one wins."
            )
        winners.append(KEY_NAMES[int(scores.argmax())])
    dot, cosine = winners
    if dot != cosine:
        return Verdict(
            True,
            f"Yes: {dot} wins with dot and {cosine} wins with cosine. The length of a key counts for dot,"
            " but not for cosine.",
        )
    return Verdict(
        False,
        f"{dot} wins with both. Which key has the best direction, and how could a different key still win"
        " with dot?",
    )


def softmax_by_hand() -> float:
    return torch.softmax(torch.tensor([2.0, 0.0]) / 2, -1)[0].item()


LIMITS = ("the value of the winner", "the mean of the values", "zero")


def limit_of_context() -> str:
    """The answer: where the context lies at a very high temperature."""
    arrows = ((1.0, 0.5), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    values = ((1.0, 0.0), (0.0, 2.0), (-2.0, 1.0), (1.5, 1.0))
    run = compute(arrows, values, "dot", IDENTITY, False, 9.0)
    points = (run.values[run.winner], run.values.mean(0), np.zeros(2))
    return LIMITS[int(np.argmin([np.linalg.norm(run.context - point) for point in points]))]


def check_limit(answer: str, _: State) -> Verdict:
    right = limit_of_context()
    if answer == right:
        return Verdict(
            True, f"Yes, {right}: a large τ makes all scores nearly 0, so all weights are nearly equal."
        )
    return Verdict(
        False,
        "Not yet. Divide all scores by a very large number: how different are they then?",
    )


EXERCISES = (
    number(
        "by-hand",
        "s = (1, 2), h = (3, −1), and W swaps the two numbers of a vector: W = (0 1; 1 0). What is the"
        " bilinear score sᵀ W h?",
        bilinear_by_hand,
        "First compute W h: the two numbers of h change places. Then take the dot product with s.",
        "W h is (−1, 3), so the score is 1 · (−1) + 2 · 3.",
    ),
    Exercise(
        "disagree",
        "In “The plane”, place the keys so that dot and cosine have different winners.",
        check_disagreement,
        "Cosine depends on the angle only. Let a short key point exactly where s points, and make another key"
        " long.",
        experiment="plane",
    ),
    number(
        "softmax",
        "Two keys have the scores 2 and 0. What is the weight of the first key at temperature τ = 2? Give two"
        " decimals.",
        softmax_by_hand,
        "Divide both scores by τ, then apply the softmax: exp(1) / (exp(1) + exp(0)).",
        "At τ = 1 the weight would be larger; at a larger τ it would be closer to one half.",
    ),
    Exercise(
        "hot",
        "The temperature τ grows without limit. What does the context vector c become?",
        check_limit,
        "In “The plane”, move the temperature to its right end.",
        one_of("c becomes", LIMITS),
    ),
)
