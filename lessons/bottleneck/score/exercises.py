"""The guess and the exercises of experiment `score`, with computed answers."""

import numpy as np

from lessons.bottleneck.score.compute import Scored, compute
from lessons.bottleneck.score.views import probability_ratio
from lessons.bottleneck.sentences import WRONG_ARTICLE
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import PASSIVE
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.numbers import compact, signed

MAX_LOG_GAP = 3  # an alternative answer is at most e³ times less probable
FACTORS = (0.9, 0.5, 0.8, 1.0)


def score_wrong_article() -> Scored:
    return compute(PASSIVE, WRONG_ARTICLE)


def later_factors() -> np.ndarray:
    """The factors of the words after the wrong article."""
    return score_wrong_article().factors[1:]


def count_losing_words() -> str:
    count = int((later_factors() < 0.5).sum())
    return "none of them" if not count else "one or two" if count <= 2 else "nearly all"


def describe_smallest_factor() -> str:
    run = score_wrong_article()
    n = 1 + int(later_factors().argmin())
    return (
        f"“{run.candidate[n]}” falls to {compact(run.factors[n])}, because after “{run.candidate[n - 1]}” the"
        f" model preferred “{run.preferred[n]}”"
    )


words_that_lose = guess(
    "who-pays",
    "In the opening sentence only “le” is wrong. How many of the words after “le” lose more than half of"
    " their"
    " probability?",
    {
        "none of them": lambda: (
            "Each word is judged after the words before it, and “le” is one of them:"
            f" {describe_smallest_factor()}."
        ),
        "one or two": lambda: f"{describe_smallest_factor()}. The later bars are tall again.",
        "nearly all": lambda: (
            "“le” matters only for the words that must agree with it:"
            f" {(later_factors() >= 0.5).sum()} of the {len(later_factors())} bars after it are tall."
        ),
    },
    count_losing_words,
    "Which of the words after an article must agree with it?",
    covers=("factors", "log_sum"),
)


def product_of_factors() -> float:
    return float(np.exp(np.log(FACTORS).sum()))


def check_second_best(_: None, state: State) -> Verdict:
    run = compute(**state)
    own, yours = run.log_p
    if run.own == run.candidate:
        return Verdict(False, "This is the model’s own output. Change at least one word.")
    if own - yours <= MAX_LOG_GAP:
        message = f"Yes: log P is {signed(yours)} for yours and {signed(own)} for the model’s own output."
        return Verdict(True, f"{message} There is more than one good answer.")
    n = int(run.factors.argmin())
    return Verdict(
        False,
        f"Yours is {probability_ratio(own, yours)} times less probable. Its smallest factor is that of"
        f" “{run.candidate[n]}”: after the words before it the model preferred “{run.preferred[n]}”.",
    )


EXERCISES = (
    number(
        "product",
        "Four factors: 0.9, 0.5, 0.8 and 1.0. What is P(y|x)?",
        product_of_factors,
        "It is a product, not a mean: one small factor makes the whole product small.",
        "The least probable word has the most influence, and no later word can raise the product again.",
        0.005,
        "score",
    ),
    Exercise(
        "second-best",
        "In “Score any output”, choose any source and find a candidate that differs from the model’s own"
        " output and is at most e³ (about 20) times less probable.",
        check_second_best,
        "Take a long source, where the model is unsure. In “Read, then write” the bars show which word came"
        " second at each step.",
        experiment="score",
    ),
)
