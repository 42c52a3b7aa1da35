"""Guess and exercise for experiment `gallery`. All answers are computed."""

import math

from lessons.decoding.gallery.compute import Shown, compute
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.numbers import percent
from models import decoding
from models.gallery import HUMAN

TRUE_TEXT, GREEDY_TEXT, SAMPLED_TEXT = "the true text", "greedy’s text", "the sampled text"
OPTIONS = {TRUE_TEXT: HUMAN, GREEDY_TEXT: "greedy", SAMPLED_TEXT: "pure sampling"}


def first_prompt() -> Shown:
    return compute("GRU", 1, "greedy", 1)


def perplexity_of(option: str) -> float:
    run = first_prompt()
    return run.perplexity[run.names.index(OPTIONS[option])]


def distinct_pairs(option: str) -> str:
    """Percentage of distinct pairs of adjacent words, over many texts."""
    run = first_prompt()
    return percent(run.distinct[run.names.index(OPTIONS[option])][1])


GUESS = guess(
    "whose-text",
    "Perplexity is low if each word of a text was probable. Which of these three texts has the lowest"
    " perplexity under the GRU?",
    {
        TRUE_TEXT: lambda: (
            "The true text contains a surprising word now and then: its perplexity is"
            f" {perplexity_of(TRUE_TEXT):.2f}."
        ),
        GREEDY_TEXT: lambda: (
            "Greedy search takes the most probable word every time: the perplexity of its text is"
            f" {perplexity_of(GREEDY_TEXT):.2f}. Only {distinct_pairs(GREEDY_TEXT)} of its word pairs are"
            f" distinct, compared with {distinct_pairs(TRUE_TEXT)} in the true text."
        ),
        SAMPLED_TEXT: lambda: (
            "Sampling also takes improbable words, as often as their probabilities say: the perplexity is"
            f" {perplexity_of(SAMPLED_TEXT):.2f}."
        ),
    },
    lambda: min(OPTIONS, key=perplexity_of),
    "How is each word chosen in each of the three texts?",
    covers=("figures", "agreement"),
)

EXERCISES = (
    number(
        "perplexity",
        "The words of a text have the probabilities 0.5, 0.5 and 0.25. What is the perplexity of the text?"
        " Give two decimals.",
        lambda: decoding.perplexity([math.log(p) for p in (0.5, 0.5, 0.25)]),
        "Multiply the three probabilities, take the third root, then divide 1 by the result.",
        "The model is as uncertain as with a choice among that many equally likely words.",
    ),
)
