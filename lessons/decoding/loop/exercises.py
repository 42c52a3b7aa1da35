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
    f"At the start the GRU has read “{REPEATED_PHRASE}” three times. Compared with the first time, how"
    " probable is it now?",
    {
        "half as probable": lambda: (
            f"The line goes up, not down: {', '.join(compact(probability_after(r)) for r in range(3))} …"
        ),
        "twice as probable": lambda: (
            f"Look at the left end: {compact(probability_after(0))} at first, {compact(probability_after(1))}"
            " after one repetition."
        ),
        "a hundred times as probable": lambda: (
            f"It grows from {compact(probability_after(0))} to {compact(probability_after(3))}: a phrase that"
            " was written may well be written again, which makes it likelier still."
        ),
    },
    nearest_factor,
    "Greedy search takes the likeliest word each time. What does its text tell about the probability of the"
    " phrase?",
    covers=("again_and_again", "rare"),
)

TRIED_SEEDS = range(10)
MAX_LOOPS = 1  # maximum number of tried texts that may end in a loop
MAX_TOP_P = 0.5


def check_escape(_: None, state: State) -> Verdict:
    """Try ten seeds, so that the result depends on the settings and not on one lucky seed."""
    if (state["model"], state["phrase"].split()) != ("GRU", REPEATED_PHRASE.split()) or state["r"] < 3:
        return Verdict(False, f"Use the GRU and “{REPEATED_PHRASE}” with at least 3 repetitions.")
    if state["p"] > MAX_TOP_P:
        return Verdict(False, f"Top-p is {state['p']:g}. Leave it at {MAX_TOP_P:g} or below.")
    runs = [compute(**{**state, "seed": seed}) for seed in TRIED_SEEDS]
    texts = [run.written[1] for run in runs]
    loops = sum(bool(text.loop) for text in texts)
    perplexity = decoding.perplexity([logprob for text in texts for logprob in text.logprobs])
    held_out = runs[0].perplexity
    result = (
        f"With {len(texts)} seeds {loops} of the texts {'ends' if loops == 1 else 'end'} in a loop, and the"
        f" perplexity is {perplexity:.2f}"
    )
    if loops > MAX_LOOPS:
        return Verdict(
            False, f"{result}. The nucleus has too few words: often only the next word of the phrase."
        )
    if perplexity >= held_out:
        return Verdict(
            False, f"{result}, but held-out text has {held_out:.2f}. The texts are too improbable."
        )
    return Verdict(
        True, f"Yes. {result}; held-out text has {held_out:.2f}. A flatter distribution has a wider nucleus."
    )


EXERCISES = (
    Exercise(
        "break-the-loop",
        f"In “Loops”, use the GRU and “{REPEATED_PHRASE}” with at least 3 repetitions and top-p at"
        f" {MAX_TOP_P:g} or below. Set the rest so that the nucleus leaves the loop with at least"
        f" {len(TRIED_SEEDS) - MAX_LOOPS} of {len(TRIED_SEEDS)} seeds and its perplexity stays below that of"
        " held-out text.",
        check_escape,
        "The filters work one after the other. Which one can make the nucleus wider before top-p cuts?",
        experiment="loop",
    ),
)
