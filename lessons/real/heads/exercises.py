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
        f"{sink_count(opening_heads())} of {opening_heads().sinks.size} heads do. The weights of a softmax"
        f" sum"
        " to 1, so a head that finds nothing useful has to put its weight somewhere. It uses the first piece,"
        " whose value the model learned to ignore."
    )


how_many_sinks = guess(
    "how-many-sinks",
    f"The model reads “{FRANCE}”. How many of its {LAYERS * HEADS} heads give more than half of their weight"
    " to the first piece, “The”?",
    {
        "about one in ten": lambda: f"“The” says little, but most heads attend to it. {why_sinks()}",
        "about one in three": lambda: f"This is not a habit of only some heads. {why_sinks()}",
        "more than three in four": lambda: f"The first column is dark in nearly every map. {why_sinks()}",
    },
    lambda: min(OPTIONS, key=lambda option: abs(OPTIONS[option] - sink_share())),
    "What can a head do with its weight when nothing in the text is useful for it?",
    covers=("sinks", "one_map"),
)

best_copier = number(
    "best-copier",
    "The model reads random pieces twice. In which layer is the head that copies best?",
    lambda: opening_heads().copying_heads[0][0],
    "In “Heads”, open “Which heads copy earlier text?”. Where is the darkest cell?",
    lambda: (
        f"It is head {opening_heads().copying_heads[0][1]} of layer {opening_heads().copying_heads[0][0]}, an"
        " induction head."
    ),
    within=0.5,
    experiment="heads",
)


def describe_loss(lost: float) -> str:
    """“falls by 0.28”, “rises by 0.02” or “does not change”, comparing rounded values."""
    if f"{abs(lost):.2f}" == "0.00":
        return "does not change"
    return f"{'falls' if lost > 0 else 'rises'} by {abs(lost):.2f}"


def changes_the_answer(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.change == CHANGES[0]:
        return Verdict(False, "Not yet: switch the head off or move its weight.")
    at = run.candidates.index(run.best)
    lost = run.before[at] - run.after[at]
    if lost < LARGE_CHANGE:
        return Verdict(
            False,
            f"Not yet: P of {quote(run.best)} {describe_loss(lost)}. Find a head that lowers P by more than"
            f" {LARGE_CHANGE}.",
        )
    return Verdict(
        True,
        f"Yes: with this change of head {run.head} in layer {run.layer}, P of {quote(run.best)} falls by"
        f" {lost:.2f}.",
    )


important_head = Exercise(
    "important-head",
    "In “Heads”, change one head of any layer so that P of the most probable piece falls by more than"
    f" {LARGE_CHANGE}.",
    changes_the_answer,
    "Open “Does a large weight mean a large effect?” and go through the layers. Have you tried the early"
    " ones?",
    experiment="heads",
)


def largest_effect() -> tuple[int, int]:
    """The (layer, head), 1-based, whose ablation at the last token changes P of the answer most."""
    effects = np.abs(opening_heads().last_effects)
    layer, head = np.unravel_index(effects.argmax(), effects.shape)
    return int(layer) + 1, int(head) + 1


largest = number(
    "largest-effect",
    f"The text is “{FRANCE}”. In which layer is the head with the largest effect at the last piece?",
    lambda: largest_effect()[0],
    "In “Heads”, open the closer look with one point per head. Which point is farthest from 0?",
    lambda: (
        f"Switching off head {largest_effect()[1]} of layer {largest_effect()[0]} changes P by"
        f" {signed(opening_heads().last_effects[largest_effect()[0] - 1, largest_effect()[1] - 1], 3)}."
    ),
    within=0.5,
    experiment="heads",
)
EXERCISES = (best_copier, important_head, largest)
