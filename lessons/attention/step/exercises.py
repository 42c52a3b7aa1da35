"""The guess and the exercises of experiment `step`, with computed answers."""

import math

import numpy as np
import torch

from lessons.attention.step.compute import compute
from lessons.attention.translators import WIRINGS, read_source
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import MANY_TO_ONE
from lessons.kit.exercises import guess, number, one_of
from lessons.kit.language import translate
from models.attention import attend

LEADS = ("by less than 1", "by 1 to 8", "by more than 8")


def best_two() -> tuple[np.ndarray, np.ndarray]:
    """The two highest scores of the step that writes “entarté”, and their weights."""
    run = compute(MANY_TO_ONE, "query after", 4, 1)
    best = np.argsort(-run.scores)[:2]
    return run.scores[best], run.weights[best]


def score_lead() -> float:
    (first, second), _ = best_two()
    return float(first - second)


ahead = guess(
    "ahead",
    "With the opening settings “hit” gets almost all the weight. By how much is its score higher"
    " than the second highest?",
    {
        LEADS[0]: lambda: translate(
            "A lead of 1 makes a weight {e:.1f} times as large as the second. Here it is {ratio:.0f} times"
            " as large.",
            e=math.e,
            ratio=np.divide(*best_two()[1]),
        ),
        LEADS[1]: lambda: translate(
            "The lead is {lead:.2f}, and exp({lead:.2f}) is {ratio:.0f}: the weight is that many times the"
            " second largest weight. A small lead is enough.",
            lead=score_lead(),
            ratio=math.exp(score_lead()),
        ),
        LEADS[2]: lambda: translate(
            "A lead of 8 would make its weight {ratio:,.0f} times that of the second word, which has"
            " {second:.3f}: open “How did “hit” get a weight of …?” below.",
            ratio=math.exp(8),
            second=best_two()[1][1],
        ),
    },
    lambda: LEADS[0] if score_lead() < 1 else LEADS[1] if score_lead() <= 8 else LEADS[2],
    "In the softmax each point of lead multiplies the weight by about 2.7. How many such factors lead from a"
    " small weight to almost 1?",
    covers=("scores",),
)


def softmax_by_hand() -> float:
    return torch.softmax(torch.tensor([2.0, 1.0, 0.0]), 0)[0].item()


def context_by_hand() -> float:
    """The context for the exercise's scores, computed with the models' attention layer."""
    H = torch.tensor([[1.0], [-1.0], [2.0]])
    return attend(lambda s, keys: torch.tensor([1.0, 0.0, 0.0]), torch.zeros(1), H, H).item()


def changes_state(wiring: str) -> bool:
    """Whether a uniform α_t changes s_t. The decoder is fed the same words, so only c_t can change it."""
    read = read_source(MANY_TO_ONE, WIRINGS[wiring])
    original = read.run()
    uniform = {
        "weights": lambda weights, t: torch.full_like(weights, 1 / len(weights)) if t == 1 else weights
    }
    edited = read.translator.model.run(original.source, original.output, edits=uniform)
    return not torch.equal(original.s[1], edited.s[1])


def check_wiring(answer: str, _: State) -> Verdict:
    wirings = [wiring for wiring in WIRINGS if changes_state(wiring)]
    right = "both" if len(wirings) == 2 else wirings[0] if wirings else "neither"
    if answer == right:
        return Verdict(
            True,
            translate(
                "Yes, {right}: cₜ is an input of the cell that computes sₜ. With “query after”, cₜ reaches"
                " only the output layer.",
                right=translate(right),
            ),
        )
    return Verdict(
        False,
        translate(
            "Not that one. In “Step by step”, open “Which decoder state is the query?”: where does the purple"
            " arrow from cₜ lead?"
        ),
    )


EXERCISES = (
    number(
        "softmax",
        "Three source words have the scores 2, 1 and 0. What weight does the first one get? (two decimals)",
        softmax_by_hand,
        "Compute e² / (e² + e¹ + e⁰).",
        "If you add 5 to all three scores, no weight changes.",
    ),
    number(
        "context",
        "Three encoder states have one unit each: h = 1, −1, 2. Their scores are 1, 0, 0. What is the"
        " context c? (two decimals)",
        context_by_hand,
        "Take the softmax of 1, 0, 0. Then take the weighted sum of 1, −1, 2.",
        "The context lies between the smallest and the largest h, because it is a weighted mean.",
    ),
    Exercise(
        "wiring",
        "You change the weights of step t. In which wiring can this change the decoder state sₜ of the same"
        " step?",
        check_wiring,
        "In which wiring is cₜ an input of the cell that computes sₜ?",
        one_of("Wiring", (*WIRINGS, "both", "neither")),
    ),
)
