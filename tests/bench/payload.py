"""The size of a drawing before compression: at the defaults, and at the largest state that can be found."""

from collections.abc import Iterator
from statistics import median
from typing import Any

from lessons.kit.contract import Choice, Control, Experiment, InputError, Lesson, Matrix, Slider, Text, Toggle
from lessons.kit.web.renderer import Renderer
from tests.bench.clock import Row

KB = 1024


def rows(lessons: tuple[Lesson, ...]) -> Iterator[Row]:
    stages = [Renderer(lesson, experiment) for lesson in lessons for experiment in lesson.experiments]
    usual = {stage.id: size(stage, {}) for stage in stages}
    yield Row("payload of one drawing at default inputs, median", median(usual.values()) / KB, 14, "KB")
    for inputs, budget, sizes in (
        ("default", 32, usual),
        ("largest", 150, {stage.id: size(stage, largest(stage)) for stage in stages}),
    ):
        most = max(sizes, key=sizes.__getitem__)
        yield Row(f"payload of one drawing at {inputs} inputs: {most}", sizes[most] / KB, budget, "KB")


def size(stage: Renderer, values: dict[str, Any]) -> int:
    """Bytes of the answer before it is compressed; 0 for a state that is refused."""
    try:
        return len(stage.drawing(values).encode())
    except InputError:
        return 0


def largest(stage: Renderer) -> dict[str, Any]:
    """From the largest of defaults, presets and everything high: one control after the other goes where the answer grows."""
    experiment = stage.experiment
    high = {
        control.name: ends(control)[-1] for control in experiment.controls if not isinstance(control, Text)
    }
    state = max(
        ({}, high, *(preset.state for preset in experiment.presets)), key=lambda values: size(stage, values)
    )
    state = experiment.state(state)
    for control in experiment.controls:
        tried = texts(stage, state, control) if isinstance(control, Text) else ends(control)
        state = max(
            (state, *(state | {control.name: value} for value in tried)),
            key=lambda values: size(stage, values),
        )
    return state


def ends(control: Control) -> list[Any]:
    match control:
        case Slider():
            return [control.low, control.high]
        case Choice():
            return list(control.options)
        case Toggle():
            return [False, True]
        case Matrix():
            return [
                tuple(tuple(end for _ in row) for row in control.default)
                for end in (control.low, control.high)
            ]
    return [control.default]


def texts(stage: Renderer, state: dict[str, Any], control: Text) -> list[str]:
    """Every suggestion, repeated for as many words as the task takes."""
    return [
        repeated(stage.experiment, state, control, words.split())
        for words in (control.default, *control.suggestions)
        if words
    ]


def repeated(experiment: Experiment, state: dict[str, Any], control: Text, words: list[str]) -> str:
    def taken(count: int) -> bool:
        try:
            experiment.run(state | {control.name: first(count)})
        except InputError:
            return False
        return True

    def first(count: int) -> str:
        return " ".join((words * (count // len(words) + 1))[:count])

    fits, too_many = (
        len(words),
        control.limit,
    )  # a word has a letter and a space: more than `limit` words never fit
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        fits, too_many = (middle, too_many) if taken(middle) else (fits, middle)
    return first(fits)
