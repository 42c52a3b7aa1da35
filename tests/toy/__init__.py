"""A lesson with every kind of control, for testing the website."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lessons.kit.contract import (
    Act,
    Choice,
    DragHandles,
    Exercise,
    Experiment,
    InputError,
    Job,
    Lesson,
    Matrix,
    Number,
    Preset,
    Result,
    RowEdits,
    Slider,
    State,
    Step,
    Text,
    Toggle,
    Verdict,
)
from lessons.kit.exercises import guess
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.base import Canvas


@dataclass(frozen=True)
class Sizes(Result):
    words: tuple[str, ...]
    values: np.ndarray  # (words,)
    t: int
    shape: int

    def limits(self) -> dict:
        return {"t": len(self.words), "table": (self.shape, self.shape)}

    def idle(self) -> dict:
        return {} if self.values.any() else {"loud": "Twice nothing is nothing."}


def compute(
    words: str,
    t: int,
    scale: float,
    sign: str,
    loud: bool,
    table: tuple[tuple[float, ...], ...],
    pull: tuple[tuple[float, ...], ...],
) -> Sizes:
    """How long each word is, scaled."""
    if not words.strip():
        raise InputError("Type at least one word.")
    if "boom" in words:
        raise RuntimeError("a defect")
    found = tuple(words.split())
    factor = scale * (-1 if sign == "minus" else 1) * (2 if loud else 1) * table[0][0] + pull[0][0]
    return Sizes(
        found, np.array([len(word) * factor / 10 for word in found]), min(t, len(found)), 2 if loud else 1
    )


class Again(Sizes):
    """Result of an experiment with only one control."""

    def limits(self) -> dict:
        return {}

    def idle(self) -> dict:
        return {}


def again(scale: float) -> Again:
    return Again(**vars(compute("a bb", 1, scale, "plus", False, ((1.0,),), ((0.0,),))))


def slowly(scale: float) -> Iterator[tuple[float, Again]]:
    """Simulate long work in ten parts, in which the bars grow."""
    for part in range(1, 11):
        time.sleep(0.3)
        yield part / 10, again(scale * part)


@dataclass(frozen=True)
class Share(Result):
    row: np.ndarray  # (3,)
    t: int

    def limits(self) -> dict:
        return {"edits": {"step": self.t, "row": self.row.tolist(), "offers": {"even": [1 / 3] * 3}}}


def steer(t: int, edits: tuple[tuple[int, tuple[float, ...]], ...]) -> Share:
    return Share(np.array(dict(edits).get(t, (0.5, 0.3, 0.2))), t)


def shares(result: Share) -> Bars:
    return Bars(result.row, ("a", "b", "c"), title="Shares", handle="edits")


def lengths(result: Sizes) -> Bars:
    if "crack" in result.words:
        raise RuntimeError("a defect of one view")
    return Bars(
        result.values, result.words, title="How long", role=None, top=2.0, pick=("words", result.words)
    )


def pulls(result: Sizes) -> Bars:
    return Bars(np.array([0.25]), ("pull",), title="Pull it", handle="pull")


def bars(result: Sizes) -> Bars:
    return Bars(result.values, result.words, title="How long", role=None, top=2.0)


def corner(result: Sizes) -> Bars:
    return Bars(result.values[:1], result.words[:1], title="The first word", role=None, top=2.0)


def pictogram(canvas: Canvas) -> None:
    canvas.add("rect", x=20, y=20, width=120, height=48)


def reading(result: Sizes) -> str:
    return (
        f"Word {result.t} is **{result.words[result.t - 1]}**, worth **{result.values[result.t - 1]:.2f}**."
    )


def split(result: Share) -> str:
    return f"Step {result.t}: **{' '.join(f'{value:.2f}' for value in result.row)}**."


split.__name__ = "reading"


def count(answer: float, state: State) -> Verdict:
    right = len(state["words"].split())
    return Verdict(answer == right, f"There are {right}." if answer == right else "Count again.")


def loud(answer: None, state: State) -> Verdict:
    return Verdict(state["loud"], "Loud." if state["loud"] else "Not loud yet.")


LESSON = Lesson(
    slug="toy",
    title="A toy",
    short_title="Toy",
    summary="Words have lengths.",
    pictogram=pictogram,
    folder=Path(__file__).parent,
    experiments=(
        Experiment(
            slug="sizes",
            title="Sizes",
            controls=(
                Text("words", "Words", "one three", suggestions=("a longer row of words", "x")),
                Step("t", "Step t", 1, 1, 40),
                Slider("scale", "Scale", 1.0, 0, 2, 0.1),
                Choice("sign", "Sign", "plus", ("plus", "minus")),
                Toggle("loud", "Loud", False),
                Matrix("table", "Table", ((1.0, 0.0), (0.0, 1.0))),
                DragHandles("pull", "Drag the bar", ((0.0,),), 0, 1),
            ),
            compute=compute,
            views=(lengths, reading),
            acts=(Act("pulling", (pulls,)), Act("table", (corner,), (("corner", "table"),))),
            presets=(Preset("Upside down", "Watch the bars turn.", {"sign": "minus", "scale": 2}),),
            demonstrates="Upside down",
            predict=guess(
                "longest",
                "Which is longer?",
                {"one": "It has three letters only.", "three": lambda: f"It has {len('three')} letters."},
                lambda: max(("one", "three"), key=len),
                "Count.",
                covers=("lengths",),
            ),
        ),
        Experiment(
            "again",
            "Again",
            (Slider("scale", "Scale", 1.0, 0, 2, 0.1),),
            again,
            (bars, reading),
            acts=(Act("first", (corner,)),),
            job=Job("grow", slowly),
        ),
        Experiment(
            "steer",
            "Steer",
            (Step("t", "Step t", 1, 1, 3), RowEdits("edits", "Drag a bar")),
            steer,
            (shares, split),
        ),
    ),
    exercises=(
        Exercise(
            "count", "How many words?", count, "Count the bars.", Number("n", "words"), experiment="sizes"
        ),
        Exercise("loud", "Make it loud.", loud, "There is a box.", experiment="sizes"),
    ),
)
