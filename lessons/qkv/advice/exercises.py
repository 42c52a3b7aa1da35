"""Guess and exercise for experiment `advice`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.qkv.advice.compute import compute, raise_matches

UNCHANGED, ENGINEER_GAINS, CLOSER = (
    "no weight changes",
    "the engineer’s weight grows",
    "the weights become more equal",
)


def effect_of_raising() -> str:
    """Effect of adding 1 to every match on the largest weight."""
    before, after = (compute(raise_matches(by), False).weights.max() for by in (0, 1))
    if abs(after - before) < 1e-9:
        return UNCHANGED
    return ENGINEER_GAINS if after > before else CLOSER


GUESS = guess(
    "one-more",
    "With the opening settings the engineer’s match is 4 and the next best match is 2. You add 1 to all four"
    " matches. What happens to the weights?",
    {
        UNCHANGED: (
            "The softmax depends only on the differences between matches, and these stay the same. Choose"
            " “One more each” and compare."
        ),
        ENGINEER_GAINS: "The engineer led by 2 and still leads by 2. Only a larger lead gives more weight.",
        CLOSER: (
            "The ratio of the two best matches falls from 4 : 2 to 5 : 3. But the softmax depends on"
            " differences, not on ratios."
        ),
    },
    effect_of_raising,
    "exp(4 + 1) is exp(1) times exp(4). Which factor do all four terms have in common?",
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
        f"Not yet: “signal” has {signal:.2f}, and the stronger of its two experts has {largest:.2f}. Which"
        " experts say “signal”, and which others still have weight?",
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
