"""Guess and exercises for experiment `film`. All answers are computed."""

import math

import numpy as np

from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.kit.pictures.numbers import percent
from lessons.training.film.compute import MODELS, RATES, load_recording
from models.recipes import RECIPES

GOOD_RATE = RATES["good"]
MIN_RATIO = 1.5  # two steps count as different only if their ratio is at least this


def order_of_attention() -> str:
    """Whether attention reaches half-way to gold before or after half of the loss drop."""
    recording = load_recording(GOOD_RATE)
    ratio = recording.attention_half_step / recording.loss_half_step
    return "before" if ratio < 1 / MIN_RATIO else "after" if ratio > MIN_RATIO else "at the same time"


def describe_half_steps() -> str:
    recording = load_recording(GOOD_RATE)
    return (
        f"Half of the loss is gone after {recording.loss_half_step:,} steps. Attention is half-way to its"
        f" maximum after {recording.attention_half_step:,.0f} steps."
    )


first = guess(
    "first",
    "In the run with the good rate the loss falls and the weight on gold links rises. Does this weight get"
    " half-way up before or after the loss gets half-way down?",
    {
        "before": lambda: (
            "Then the model would attend to the right words before it knows any French."
            f" {describe_half_steps()}"
        ),
        "at the same time": lambda: f"The two changes overlap, but one comes first. {describe_half_steps()}",
        "after": lambda: (
            f"{describe_half_steps()} The model first learns which words are frequent, and for that it does"
            " not need the source."
        ),
    },
    order_of_attention,
    "What can a model learn about French without looking at the English?",
    covers=("loss", "exact", "gaze", "outputs"),
)


def target_words() -> int:
    return RECIPES[GOOD_RATE].full_config()["target_words"]


def first_step_with(exact_match: float, name: str = GOOD_RATE) -> int:
    """The first recorded step that reaches this exact match."""
    recording = load_recording(name)
    return int(recording.steps[np.flatnonzero(recording.exact >= exact_match)[0]])


def final_exact_match(model: str) -> str:
    return percent(load_recording(MODELS[model]).exact[-1])


EXERCISES = (
    number(
        "nothing",
        f"A model that knows nothing gives each of its {target_words():,} words the same probability. What is"
        " its loss, in nats per word?",
        lambda: math.log(target_words()),
        "The loss of a word is −ln P of this word, and P is one over the number of words.",
        "The recorded run starts at this loss: look at its first step.",
        within=0.06,
    ),
    number(
        "ninety",
        f"In the run with the good rate, at which recorded step are {percent(0.9)} of the unseen sentences"
        " right for the first time?",
        lambda: first_step_with(0.9),
        "Move through the moments and read the fraction of sentences without an error.",
        "By then the loss has been low for a long time. Whole sentences become right last, because one wrong"
        " word is enough to make a sentence wrong.",
        within=WHOLE_NUMBER,
        experiment="film",
    ),
    number(
        "half",
        "Compare the four models: at which recorded step does the Transformer get half of the unseen"
        " sentences right for the first time?",
        lambda: first_step_with(0.5, MODELS["Transformer"]),
        "Under “Side by side” choose “models”, then the model “Transformer”, and move “Moment”.",
        lambda: (
            f"In the end the Transformer’s exact match is {final_exact_match('Transformer')}. The"
            " model without"
            f" attention has {final_exact_match('no attention')} after the same number of steps."
        ),
        within=WHOLE_NUMBER,
        experiment="film",
    ),
)
