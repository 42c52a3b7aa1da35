"""The guess and the exercises of experiment `loss`, with computed answers."""

import math

import numpy as np

from lessons.basics.loss.compute import cross_entropy, gradient
from lessons.basics.loss.compute import loss as run_loss
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number

BITS = ("twice as many", "one more bit", "three more bits")


def bits(p: float) -> float:
    return -math.log2(p)


def more_bits() -> str:
    """The answer: how the number of bits changes when P is halved."""
    few, many = bits(1 / 4), bits(1 / 8)
    return BITS[1] if math.isclose(many - few, 1) else BITS[0]


halve = guess(
    "halve",
    "The model gave the true word P = 1/4. Now it gives this word P = 1/8. How many bits of surprisal does"
    " the word have now, compared with before?",
    {
        BITS[0]: lambda: (
            f"P is halved, but surprisal is a logarithm, so it rises from {bits(1 / 4):.0f} to"
            f" {bits(1 / 8):.0f} bits. It would double only if P were squared."
        ),
        BITS[1]: lambda: (
            f"Every halving of P adds one bit, so the surprisal rises from {bits(1 / 4):.0f} to"
            f" {bits(1 / 8):.0f} bits."
        ),
        BITS[2]: lambda: (
            f"{bits(1 / 8):.0f} bits is the whole surprisal for P = 1/8. For P = 1/4 it was"
            f" {bits(1 / 4):.0f} bits."
        ),
    },
    more_bits,
    "How often do you have to halve 1 to get 1/4, and how often to get 1/8?",
    covers=("surprisal",),
)


def perplexity_of_three() -> float:
    return float(np.prod([1 / 2, 1 / 4, 1 / 8]) ** (-1 / 3))


def slope_of_truth() -> float:
    u = np.log(np.array([0.2, 0.5, 0.3]))
    return float(gradient(u, np.array([1.0, 0.0, 0.0]))[0])


def uniform_bits() -> float:
    return cross_entropy(np.zeros(16), np.eye(16)[0]) / math.log(2)


def below_one_bit(_: None, state: State) -> Verdict:
    """Check that a word of more than five bits falls below one bit in at most three steps."""
    run = run_loss(**state)
    before, after = run.surprisal[run.t - 1], run.loss_after / math.log(2)
    if np.isnan(before):
        return Verdict(False, "Not yet: the model does not know this word. Choose a word that it knows.")
    if before <= 5:
        return Verdict(
            False,
            f"Not yet: “{run.truth}” has only {before:.1f} bits. Choose a word with more than five bits.",
        )
    if not 0 < run.steps <= 3:
        return Verdict(False, f"Not yet: the number of steps is {run.steps}. Use one, two or three.")
    if after >= 1:
        return Verdict(False, f"Not yet: the loss is still {after:.2f} bits. What else makes a step larger?")
    return Verdict(
        True,
        f"Yes: the loss fell from {before:.1f} to {after:.2f} bits with a learning rate of {run.rate:.3g}."
        f" For"
        " a single prediction no rate is too large.",
    )


EXERCISES = (
    number(
        "perplexity",
        "The model gave the three words of a sentence P = 1/2, 1/4 and 1/8. What is the perplexity?",
        perplexity_of_three,
        "The surprisals are 1, 2 and 3 bits. The perplexity is 2 to the power of their mean.",
        "The mean is 2 bits, so the perplexity is 2²: as uncertain as a choice among four equal words.",
    ),
    number(
        "slope",
        "The model gives the true word P = 0.2. What is the gradient of the loss with respect to its logit?",
        slope_of_truth,
        "The gradient is P − one-hot, and the one-hot vector is 1 at the true word.",
        "P − 1 is negative, so a step against the gradient raises the logit of the true word.",
    ),
    number(
        "uniform",
        "A model that knows nothing gives 16 words the same probability. What is its loss in bits?",
        uniform_bits,
        "How often do you have to halve 16 words until one is left?",
        "It is log₂ 16.",
    ),
    Exercise(
        "below-one-bit",
        "In “Loss”, choose a word with a loss of more than five bits. Bring its loss below one bit with at"
        " most"
        " three steps.",
        below_one_bit,
        "The number of steps is limited. What else makes a step longer?",
        experiment="loss",
    ),
)
