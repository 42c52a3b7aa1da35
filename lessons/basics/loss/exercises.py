"""The guess and the exercises of experiment `loss`, with computed answers."""

import math

import numpy as np

from lessons.basics.loss.compute import cross_entropy, gradient
from lessons.basics.loss.compute import loss as run_loss
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number

BITS = ("twice as many", "one more", "three more")


def bits(p: float) -> float:
    return -math.log2(p)


def more_bits() -> str:
    """The answer: how the number of bits changes when P is halved."""
    few, many = bits(1 / 4), bits(1 / 8)
    return BITS[1] if math.isclose(many - few, 1) else BITS[0]


halve = guess(
    "halve",
    "The model gave the true word P = 1/4. Now it gives P = 1/8. How many bits of surprisal is that, compared"
    " with before?",
    {
        BITS[0]: lambda: (
            f"P is halved, but surprisal is a logarithm: it goes from {bits(1 / 4):.0f} to {bits(1 / 8):.0f}"
            " bits. It would double only if P were squared."
        ),
        BITS[1]: lambda: (
            f"Every halving of P adds one bit: from {bits(1 / 4):.0f} to {bits(1 / 8):.0f} bits."
        ),
        BITS[2]: lambda: (
            f"{bits(1 / 8):.0f} bits are the whole surprisal at P = 1/8; at P = 1/4 it was {bits(1 / 4):.0f}"
            " bits."
        ),
    },
    more_bits,
    "How often must you halve 1 to get 1/4, and how often to get 1/8?",
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
        return Verdict(False, "This word is unknown to the model. Choose one that it knows.")
    if before <= 5:
        return Verdict(False, f"“{run.truth}” has only {before:.1f} bits. Choose a word with more than five.")
    if not 0 < run.steps <= 3:
        return Verdict(False, f"You take {run.steps} steps. Use one, two or three.")
    if after >= 1:
        return Verdict(False, f"The loss is still {after:.2f} bits. What else makes a step larger?")
    return Verdict(
        True,
        f"Yes: from {before:.1f} to {after:.2f} bits at a learning rate of {run.rate:.3g}. For one guess no"
        " rate is too large.",
    )


EXERCISES = (
    number(
        "perplexity",
        "A sentence has three words. The model gave them P = 1/2, 1/4 and 1/8. What is its perplexity?",
        perplexity_of_three,
        "Their surprisals are 1, 2 and 3 bits. Perplexity is 2 to the power of the mean.",
        "The mean is 2 bits, and 2² is the perplexity: as unsure as between four equal words.",
    ),
    number(
        "slope",
        "The model gives the true word P = 0.2. What is the gradient of the loss with respect to its logit?",
        slope_of_truth,
        "It is P − one-hot, and the one-hot vector is 1 at the true word.",
        "P − 1 is negative, so a step against the gradient raises the logit of the true word.",
    ),
    number(
        "uniform",
        "A model that knows nothing gives 16 words the same probability. What is its loss in bits?",
        uniform_bits,
        "How often must you halve 16 words to have one left?",
        "log₂ 16.",
    ),
    Exercise(
        "below-one-bit",
        "In “Loss”, choose a word with more than five bits and bring its loss below one bit with at most"
        " three steps.",
        below_one_bit,
        "The learning rate says how long a step is.",
        experiment="loss",
    ),
)
