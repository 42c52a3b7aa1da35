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
    "Which of these three texts does the GRU find the most probable (the lowest perplexity)?",
    {
        TRUE_TEXT: lambda: (
            f"True text surprises now and then: its perplexity is {perplexity_of(TRUE_TEXT):.2f}. See the"
            " reading."
        ),
        GREEDY_TEXT: lambda: (
            "Greedy search takes the likeliest word every time: its perplexity is"
            f" {perplexity_of(GREEDY_TEXT):.2f}. {distinct_pairs(GREEDY_TEXT)} of its pairs of words are"
            f" different, and {distinct_pairs(TRUE_TEXT)} in the true text."
        ),
        SAMPLED_TEXT: lambda: (
            "Sampling takes unlikely words too, as often as the model says: the perplexity is"
            f" {perplexity_of(SAMPLED_TEXT):.2f}."
        ),
    },
    lambda: min(OPTIONS, key=perplexity_of),
    "Perplexity is low where every word was a likely one. How does each of the three choose its words?",
    covers=("figures", "agreement"),
)

EXERCISES = (
    number(
        "perplexity",
        "A text of three words has factors 0.5, 0.5 and 0.25. What is its perplexity? (two decimals)",
        lambda: decoding.perplexity([math.log(p) for p in (0.5, 0.5, 0.25)]),
        "Multiply the factors, take the third root, then divide 1 by it.",
        "The model is as uncertain as with a choice among that many equally likely words.",
    ),
)
