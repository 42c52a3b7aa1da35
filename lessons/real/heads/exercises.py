"""Guess and exercises for experiment `heads`. All answers are computed."""

from typing import Any

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.numbers import signed
from lessons.real.heads.compute import CHANGES, Heads, compute
from lessons.real.heads.views import sink_count
from lessons.real.pretrained_model import HEADS, LAYERS, quote

FRANCE = "The capital of France is"
OPENING = {"text": FRANCE, "layer": 13, "head": 1, "change": CHANGES[0], "piece": 4}
OPTIONS = {"about one in ten": 0.1, "about one in three": 0.33, "more than three in four": 0.85}
LARGE_CHANGE = 0.3


def opening_heads(**changes: Any) -> Heads:
    return compute(**(OPENING | changes))


def sink_share() -> float:
    return sink_count(opening_heads()) / opening_heads().sinks.size


def why_sinks() -> str:
    return (
        f"{sink_count(opening_heads())} of {opening_heads().sinks.size} heads do. Softmax weights must sum to"
        " 1, so a head that finds nothing to look at has to put its weight somewhere: on the first piece,"
        " whose value the model learned to ignore."
    )


how_many_sinks = guess(
    "how-many-sinks",
    f"“{FRANCE}”: how many of the {LAYERS * HEADS} heads give more than half of their weight"
    " to the very first piece, “The”?",
    {
        "about one in ten": lambda: f"One would think so, because “The” says little. {why_sinks()}",
        "about one in three": lambda: f"It is more than a habit of some heads. {why_sinks()}",
        "more than three in four": lambda: f"The first column is dark in nearly every map. {why_sinks()}",
    },
    lambda: min(OPTIONS, key=lambda option: abs(OPTIONS[option] - sink_share())),
    "What does a head do with its weight when nothing in the text concerns it?",
    covers=("sinks", "one_map"),
)

best_copier = number(
    "best-copier",
    "Random pieces, twice: in which layer is the head that copies best?",
    lambda: opening_heads().copying_heads[0][0],
    "Open the closer look about copying and look for the darkest cell.",
    lambda: (
        f"Layer {opening_heads().copying_heads[0][0]}, head {opening_heads().copying_heads[0][1]}: an"
        " induction head."
    ),
    within=0.5,
    experiment="heads",
)


def changes_the_answer(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.change == CHANGES[0]:
        return Verdict(False, "Switch the head off, or move its weight.")
    at = run.candidates.index(run.best)
    lost = run.before[at] - run.after[at]
    if lost < LARGE_CHANGE:
        return Verdict(
            False,
            f"P of {quote(run.best)} fell by {lost:.2f}. Find a head that costs more than {LARGE_CHANGE}.",
        )
    return Verdict(True, f"Layer {run.layer}, head {run.head}: P of {quote(run.best)} fell by {lost:.2f}.")


important_head = Exercise(
    "important-head",
    "Challenge: change one head of any layer so that P of the best next piece falls by more than"
    f" {LARGE_CHANGE}.",
    changes_the_answer,
    "Open “Does a large weight mean a large effect?” and go through the layers. Try the early layers, too.",
    experiment="heads",
)


def largest_effect() -> tuple[int, int]:
    """(layer, head), 1-based, whose absence at the last piece changes P of the answer most."""
    effects = np.abs(opening_heads().last_effects)
    layer, head = np.unravel_index(effects.argmax(), effects.shape)
    return int(layer) + 1, int(head) + 1


largest = number(
    "largest-effect",
    f"“{FRANCE}”: in which layer is the head with the largest effect at the last piece?",
    lambda: largest_effect()[0],
    "Open the closer look with one point per head and find the point that is farthest from 0.",
    lambda: (
        f"Layer {largest_effect()[0]}, head {largest_effect()[1]}:"
        f" {signed(opening_heads().last_effects[largest_effect()[0] - 1, largest_effect()[1] - 1], 3)}."
    ),
    within=0.5,
    experiment="heads",
)
EXERCISES = (best_copier, important_head, largest)
