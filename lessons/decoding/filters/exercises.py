"""Guess and exercises for experiment `filters`. All answers are computed."""

import math

import torch

from lessons.decoding.filters.compute import compute
from lessons.decoding.prompts import MANY_PLACES, NEW_SENTENCE
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number, one_of
from models import decoding
from models.decoding import Settings

AFTER_FULL_STOP, AFTER_THE, EQUAL = "after “… harbour .”", "after “… walked to the”", "equally many"


def nucleus_size(text: str) -> int:
    """Number of words that together hold 0.9 of the probability, without other filters."""
    return compute("GRU", text, 1, 0, 0.9, 1, "", "", 0, 0).live[-1]


def describe_sizes() -> str:
    return (
        f"With τ = 1 and no top-k, {nucleus_size(NEW_SENTENCE)} words are left {AFTER_FULL_STOP} and"
        f" {nucleus_size(MANY_PLACES)} {AFTER_THE}."
    )


def larger_nucleus() -> str:
    full_stop, the = nucleus_size(NEW_SENTENCE), nucleus_size(MANY_PLACES)
    return EQUAL if full_stop == the else AFTER_FULL_STOP if full_stop > the else AFTER_THE


GUESS = guess(
    "larger-nucleus",
    "Top-p with p = 0.9 keeps the smallest set of words that has 0.9 of the probability together. After which"
    " text does it keep more words?",
    {
        AFTER_FULL_STOP: lambda: (
            "There the model is more certain: one word alone has more than half of the probability."
            f" {describe_sizes()}"
        ),
        AFTER_THE: lambda: (
            f"You can walk to many places, and each has a small probability. {describe_sizes()}"
        ),
        EQUAL: lambda: (
            "p sets how much probability is kept, not how many words. Top-k keeps a fixed number of words."
            f" {describe_sizes()}"
        ),
    },
    larger_nucleus,
    "After which of the two texts could you guess the next word more easily?",
    covers=("after_top_p", "renormalised"),
)


def two_words_at_half() -> float:
    return decoding.temper(torch.tensor([2.0, 0.0]), 0.5).softmax(-1)[0].item()


def nucleus_of_five() -> float:
    logits = torch.tensor([0.4, 0.3, 0.15, 0.1, 0.05], dtype=torch.float64).log()
    return float((decoding.top_p(logits, 0.8) > -math.inf).sum())


SETTINGS = {
    "temperature 0": Settings(temperature=0),
    "top-k with k = 1": Settings(top_k=1),
    "top-p with p = 0": Settings(top_p=0),
    "temperature 1, nothing else": Settings(),
}


def check_not_greedy(given: str, _: State) -> Verdict:
    """Check the setting on a nearly uniform distribution."""
    left = int((~decoding.stages(torch.tensor([1.0, 0.9, 0.8, 0.7]), SETTINGS[given])[-1].removed).sum())
    if left > 1:
        return Verdict(
            True,
            f"Yes: all {left} words are left, and one of them is drawn. The other settings leave one word.",
        )
    return Verdict(
        False,
        "No: this setting leaves only the best word, so it is greedy. Try it in “Filters” and count the words"
        " that are left.",
    )


EXERCISES = (
    number(
        "half-temperature",
        "Two words have the logits 2 and 0. What is the probability of the first word at temperature 0.5?"
        " Give two decimals.",
        two_words_at_half,
        "Divide both logits by the temperature, then take the softmax.",
        "At temperature 1 it is 0.88. A low temperature makes probable words more probable.",
    ),
    number(
        "nucleus",
        "Five words have the probabilities 0.40, 0.30, 0.15, 0.10 and 0.05. How many words does top-p keep"
        " with p = 0.8?",
        nucleus_of_five,
        "Start with the largest and add until you reach 0.8. How many did you add?",
        "The two largest have 0.70 together, which is not enough; the three largest have 0.85.",
        0.1,
    ),
    Exercise(
        "not-greedy",
        "Three of these settings always choose the most probable word. Which one does not?",
        check_not_greedy,
        "A greedy setting leaves a single word. Which setting leaves more than one?",
        one_of("Setting", SETTINGS),
    ),
)
