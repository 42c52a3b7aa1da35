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
    "Top-p 0.9 keeps the fewest words that hold 0.9 of the probability (τ = 1, top-k off). Where does it keep"
    " more words?",
    {
        AFTER_FULL_STOP: lambda: (
            f"The model is surer there: one word alone has more than half. {describe_sizes()}"
        ),
        AFTER_THE: lambda: (
            f"One can walk to many places, and each has a small probability. {describe_sizes()}"
        ),
        EQUAL: lambda: (
            "p fixes how much probability is kept, not how many words; a fixed number of words is what top-k"
            f" keeps. {describe_sizes()}"
        ),
    },
    larger_nucleus,
    "After which of the two texts could you predict the next word more surely?",
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
            f"Yes: all {left} of four words are left, and one is drawn. The other settings leave one word.",
        )
    return Verdict(
        False, "This setting leaves only the best word: greedy. Try it in “Filters” and count the words left."
    )


EXERCISES = (
    number(
        "half-temperature",
        "Two words have logits 2 and 0. What is the probability of the first word at temperature 0.5? (two"
        " decimals)",
        two_words_at_half,
        "Divide both logits by the temperature, then take the softmax.",
        "At temperature 1 it is 0.88: a low temperature makes likely words likelier.",
    ),
    number(
        "nucleus",
        "Five words have probabilities 0.40, 0.30, 0.15, 0.10, 0.05. How many does top-p keep with p = 0.8?",
        nucleus_of_five,
        "Add them from the largest until 0.8 is reached.",
        "0.40 + 0.30 is not enough, 0.85 is.",
        0.1,
    ),
    Exercise(
        "not-greedy",
        "Three of these settings always choose the likeliest word. Which one does not?",
        check_not_greedy,
        "Greedy means that a single word is left. Which setting leaves more than one?",
        one_of("Setting", SETTINGS),
    ),
)
