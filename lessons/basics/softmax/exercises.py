"""The guess and the exercises of experiment `softmax`, with computed answers."""

import numpy as np

from lessons.basics.softmax.compute import LOGITS, compute, naive_softmax, softmax
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number, one_of
from lessons.kit.pictures.numbers import scientific

ADDED = 3.0
CHANGES = ("it grows", "it stays the same", "it shrinks")


def before_and_after() -> tuple[float, float]:
    """P of the first word without and with the shift."""
    plain, shifted = (float(compute(LOGITS, 1.0, shift).probabilities[0]) for shift in (0.0, ADDED))
    return plain, shifted


def effect_of_shift() -> str:
    before, after = before_and_after()
    return CHANGES[1] if np.isclose(before, after) else CHANGES[0] if after > before else CHANGES[2]


def doubled() -> float:
    """P of the first word when every logit is doubled."""
    return float(compute(LOGITS, 0.5, 0.0).probabilities[0])


add_constant = guess(
    "add-constant",
    f"You add {ADDED:g} to every logit. What happens to the probability of “tea”?",
    {
        CHANGES[0]: lambda: (
            f"The logit of “tea” grows, but so do all others: P is {before_and_after()[1]:.2f} before and"
            f" after. If you double every logit instead, P becomes {doubled():.2f}."
        ),
        CHANGES[1]: lambda: (
            f"The factor exp({ADDED:g}) is in the numerator and in every term of the sum, so it cancels, and "
            f"P stays {before_and_after()[1]:.2f}. Move “Add to every logit” to see it."
        ),
        CHANGES[2]: lambda: (
            f"The sum grows by the factor exp({ADDED:g}), but the term of “tea” grows by the same factor, so"
            f" P"
            f" stays {before_and_after()[1]:.2f}."
        ),
    },
    effect_of_shift,
    "Write exp(u + 3) as a product. Which factor do all five terms have in common?",
)


def half_temperature() -> float:
    return float(softmax(np.array([1.0, 0.0]) / 0.5)[0])


NAIVE = ("float16 only", "float16 and float32", "none of them")


def who_overflows() -> str:
    """The answer: the number formats in which the naive formula fails for logits of 50 and 49."""
    half, single = (
        not np.isfinite(naive_softmax(np.array([50.0, 49.0], kind))).all()
        for kind in (np.float16, np.float32)
    )
    return {(True, False): NAIVE[0], (True, True): NAIVE[1], (False, False): NAIVE[2]}[half, single]


def check_overflow(given: str, _: State) -> Verdict:
    right = who_overflows()
    if given == right:
        return Verdict(
            True,
            f"Yes, {right}: exp(50) is about {scientific(np.exp(50))}, and float16 ends at"
            f" {np.finfo(np.float16).max:,.0f}.",
        )
    return Verdict(
        False,
        "Not yet. In “Softmax”, set “Add to every logit” to 50 and open the closer look about overflow.",
    )


def nearly_certain(_: None, state: State) -> Verdict:
    """Check that a word has P ≥ 0.99 while the logits are unchanged."""
    if tuple(state["logits"]) != LOGITS:
        return Verdict(False, "Not yet: reset the logits. Only the temperature and the shift may change.")
    run = compute(**state)
    p = run.probabilities.max()
    if p >= 0.99:
        return Verdict(
            True,
            f"Yes: with τ = {run.tau:g}, P is {p:.3f}. At a low temperature the word with the largest logit"
            " gets nearly everything.",
        )
    return Verdict(
        False,
        f"Not yet: the largest probability is {p:.2f}. Which of the two sliders changes probabilities?",
    )


EXERCISES = (
    number(
        "half-temperature",
        "Two words have the logits 1 and 0. What is the probability of the first word at τ = 0.5? Give two"
        " decimals.",
        half_temperature,
        "Divide both logits by 0.5. Then P is the sigmoid of their difference.",
        "It is the sigmoid of 2.",
    ),
    Exercise(
        "overflows",
        "The logits are 50 and 49, and a program computes exp without subtracting the maximum. In which"
        " number"
        " formats does the formula fail?",
        check_overflow,
        "Compare 50 with the largest number for which exp works in each format.",
        one_of("Formats in which it fails", NAIVE),
    ),
    Exercise(
        "nearly-certain",
        "In “Softmax”, give “tea” a probability of at least 0.99 without dragging a logit.",
        nearly_certain,
        "What happens to the largest probability when the temperature is close to 0?",
        experiment="softmax",
    ),
)
