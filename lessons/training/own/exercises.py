"""Guess and exercises for experiment `own`. All answers are computed."""

import math
from collections import Counter

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.kit.pictures.numbers import percent
from lessons.training.dataset import HELD_OUT_SHARE, MAX_HELD_OUT_PAIRS
from lessons.training.own.compute import LEARNERS_PAIRS, sample_dataset, text_dataset, text_runs

OUTCOMES = (
    "the loss does not fall",
    "the loss falls, but unseen pairs are wrong",
    "the model finds a rule anyway",
)


def losses_without_source() -> tuple[float, float, float]:
    """Baseline losses and accuracy that use only the right sides.

    Returns the loss with equal probabilities, the loss with word frequencies, and the fraction of held-out
    pairs for which the most frequent right side is correct.
    """
    dataset = sample_dataset("no rule", "words")
    [(most_frequent, _)] = Counter(pair.target for pair in dataset.pairs).most_common(1)
    words = Counter(word for pair in dataset.pairs for word in (*pair.target, "the end"))
    counts = np.array([*words.values()])
    shares = counts / counts.sum()
    right = np.mean([pair.target == most_frequent for pair in dataset.held_out])
    return math.log(len(dataset.task.target)), -float(shares @ np.log(shares)), float(right)


def describe_losses() -> str:
    equal, by_frequency, right = losses_without_source()
    return (
        f"Knowing only how frequent each word is lowers the loss from {equal:.2f} to {by_frequency:.2f}. One"
        f" and the same answer for every source would be right for {percent(right)} of the unseen pairs."
    )


def outcome_without_rule() -> str:
    equal, by_frequency, right = losses_without_source()
    if right > 0.5:
        return OUTCOMES[2]
    return OUTCOMES[1] if by_frequency < 0.9 * equal else OUTCOMES[0]


shuffled = guess(
    "shuffled",
    "Take a file of sentences with their translations and shuffle the right sides. What happens in training?",
    {
        OUTCOMES[0]: lambda: f"{describe_losses()} Choose “No rule” and press “train”.",
        OUTCOMES[1]: lambda: (
            f"{describe_losses()} Later the model memorises its pairs. Choose “No rule” and press “train”."
        ),
        OUTCOMES[2]: lambda: (
            f"There is no rule to find. {describe_losses()} Choose “No rule” and press “train”."
        ),
    },
    outcome_without_rule,
    "What can be learned from the right sides alone? What can be memorised about one sentence?",
)


def batches_per_epoch() -> float:
    return (1500 - min(MAX_HELD_OUT_PAIRS, round(HELD_OUT_SHARE * 1500))) / 60


def check_own_run(_: None, state: State) -> Verdict:
    saved_runs = text_runs(state["runs"])
    runs = [saved.run for saved in saved_runs if text_dataset(saved).label == LEARNERS_PAIRS]
    if not runs:
        return Verdict(
            False,
            "There is no run on your own pairs yet. Go to “Your pairs”, choose a file and press “train”.",
        )
    best = max(look.exact for run in runs for look in run.looks)
    if best < 0.5:
        return Verdict(False, f"Not yet: the best of your runs on your own pairs reached {percent(best)}.")
    return Verdict(True, f"Yes: {percent(best)}.")


EXERCISES = (
    number(
        "once",
        "Your file has 1,500 pairs. A tenth would be 150, but at most 60 are held out. How many batches of 60"
        " pairs show each of the others once?",
        batches_per_epoch,
        "Held-out pairs are in no batch.",
        "One such pass is an epoch. With few pairs the model makes many epochs in the same time.",
        within=WHOLE_NUMBER,
    ),
    Exercise(
        "yours",
        "In “Your pairs”, choose your own file and train until half of the unseen pairs have no error.",
        check_own_run,
        "Use short sides, few words that occur again and again, and a rule that turns the left side into the"
        " right side. Numbers in words, or plurals?",
        experiment="own",
    ),
)
