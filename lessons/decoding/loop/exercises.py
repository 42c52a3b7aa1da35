"""Guess and exercise for experiment `loop`. All answers are computed."""

import math

from lessons.decoding.loop.compute import compute, phrase_logprobs
from lessons.decoding.prompts import REPEATED_PHRASE
from lessons.decoding.story_models import read_words
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import compact
from models import decoding

FACTORS = {"half as probable": 0.5, "twice as probable": 2.0, "a hundred times as probable": 100.0}


def probability_after(repeats: int) -> float:
    return math.exp(phrase_logprobs("GRU", read_words(REPEATED_PHRASE))[repeats].sum())


def nearest_factor() -> str:
    log_ratio = math.log(probability_after(3) / probability_after(0))
    return min(FACTORS, key=lambda option: abs(math.log(FACTORS[option]) - log_ratio))


GUESS = guess(
    "feeds-itself",
    f"The GRU has read “{REPEATED_PHRASE}” three times. How probable is this phrase now, compared with the"
    " first time?",
    {
        "half as probable": lambda: (
            f"The line rises: the probability grows from {compact(probability_after(0))} to"
            f" {compact(probability_after(1))} and then to {compact(probability_after(2))}."
        ),
        "twice as probable": lambda: (
            f"Look at the left end of the line: {compact(probability_after(0))} at first and"
            f" {compact(probability_after(1))} after one repetition."
        ),
        "a hundred times as probable": lambda: (
            f"The probability grows from {compact(probability_after(0))} to {compact(probability_after(3))}."
            " The model has learned that a phrase in the text may well come again."
        ),
    },
    nearest_factor,
    "Look at the text that greedy search writes. What does it tell you about the probability of the phrase?",
    covers=("again_and_again", "rare"),
)

TRIED_SEEDS = range(10)
MAX_LOOPS = 1  # maximum number of tried texts that may end in a loop
MAX_TOP_P = 0.5


def check_escape(_: None, state: State) -> Verdict:
    """Try ten seeds, so that the result depends on the settings and not on one lucky seed."""
    if (state["model"], state["phrase"].split()) != ("GRU", REPEATED_PHRASE.split()) or state["r"] < 3:
        return Verdict(False, f"Not yet: use the GRU and “{REPEATED_PHRASE}” with at least 3 repetitions.")
    if state["p"] > MAX_TOP_P:
        return Verdict(False, f"Not yet: top-p is {state['p']:g}. Set it to {MAX_TOP_P:g} or below.")
    runs = [compute(**{**state, "seed": seed}) for seed in TRIED_SEEDS]
    texts = [run.written[1] for run in runs]
    loops = sum(bool(text.loop) for text in texts)
    perplexity = decoding.perplexity([logprob for text in texts for logprob in text.logprobs])
    held_out = runs[0].perplexity
    result = (
        f"With {len(texts)} seeds, {loops} of the texts {'ends' if loops == 1 else 'end'} in a loop, and the"
        f" perplexity is {perplexity:.2f}"
    )
    if loops > MAX_LOOPS:
        return Verdict(
            False,
            f"Not yet. {result}. The nucleus has too few words: often only the next word of the phrase is"
            " left.",
        )
    if perplexity >= held_out:
        return Verdict(
            False,
            f"Not yet. {result}. Held-out text has {held_out:.2f}, so your texts are too improbable.",
        )
    return Verdict(
        True,
        f"Yes. {result}; held-out text has {held_out:.2f}. A flatter distribution has a larger nucleus.",
    )


EXERCISES = (
    Exercise(
        "break-the-loop",
        f"In “Loops”, use the GRU and “{REPEATED_PHRASE}” with at least 3 repetitions and top-p at"
        f" {MAX_TOP_P:g} or below. Change other settings so that at least {len(TRIED_SEEDS) - MAX_LOOPS} of"
        f" {len(TRIED_SEEDS)} samples leave the loop, with a perplexity below that of held-out text.",
        check_escape,
        "The filters work one after the other. Which filter can make the nucleus larger before top-p cuts?",
        experiment="loop",
    ),
)
