"""Guess and exercise for experiment `advice`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.qkv.advice.compute import compute, raise_matches

UNCHANGED, ENGINEER_GAINS, CLOSER = "no weight moves", "the engineer gains", "they come closer"


def effect_of_raising() -> str:
    """Effect of adding 1 to every match on the largest weight."""
    before, after = (compute(raise_matches(by), False).weights.max() for by in (0, 1))
    if abs(after - before) < 1e-9:
        return UNCHANGED
    return ENGINEER_GAINS if after > before else CLOSER


GUESS = guess(
    "one-more",
    "At the start the matches are 4, 1, 2 and 1.5. You add 1 to each. What happens to the weights?",
    {
        UNCHANGED: (
            "The softmax depends only on differences between matches, and these stay the same: choose “One"
            " more each” and compare."
        ),
        ENGINEER_GAINS: "The engineer led by 2 and still leads by 2. Only a larger lead brings more weight.",
        CLOSER: (
            "The ratio of 5 to 3 is smaller than that of 4 to 2, but the softmax depends on differences, not"
            " on ratios."
        ),
    },
    effect_of_raising,
    "exp(4 + 1) is exp(1) times exp(4). Which factor do all four terms share?",
)


def check_two_experts(_: None, state: State) -> Verdict:
    run = compute(**state)
    weights = dict(zip(run.experts, run.weights, strict=True))
    signal, largest = run.blend[run.words.index("signal")], max(weights["biologist"], weights["programmer"])
    if signal >= 0.9 and largest <= 0.6:
        return Verdict(
            True, f"Yes: “signal” has {signal:.2f}, and no single expert has more than {largest:.2f}."
        )
    return Verdict(
        False,
        f"“signal” has {signal:.2f}, and the stronger of its two experts has {largest:.2f}. Which experts say"
        " “signal”, and who else has weight?",
    )


EXERCISES = (
    Exercise(
        "two-voices",
        "In “Advice”, give the word “signal” a weight of at least 0.9 in the blend, with no expert above"
        " 0.6.",
        check_two_experts,
        "Two experts say “signal”, and their weights add up.",
        experiment="advice",
    ),
)
