"""The size of a drawing before compression: at the defaults, and at the largest state found."""

from collections.abc import Iterator
from statistics import median
from typing import Any

from lessons.kit.contract import Choice, Control, Experiment, InputError, Lesson, Matrix, Slider, Text, Toggle
from lessons.kit.web.renderer import Renderer
from tests.bench.clock import Row

KB = 1024


def rows(lessons: tuple[Lesson, ...]) -> Iterator[Row]:
    renderers = [Renderer(lesson, experiment) for lesson in lessons for experiment in lesson.experiments]
    usual = {renderer.id: drawing_bytes(renderer, {}) for renderer in renderers}
    yield Row("payload of one drawing at default inputs, median", median(usual.values()) / KB, 14, "KB")
    for inputs, budget, sizes in (
        ("default", 32, usual),
        (
            "largest",
            150,
            {renderer.id: drawing_bytes(renderer, largest_state(renderer)) for renderer in renderers},
        ),
    ):
        most = max(sizes, key=sizes.__getitem__)
        yield Row(f"payload of one drawing at {inputs} inputs: {most}", sizes[most] / KB, budget, "KB")


def drawing_bytes(renderer: Renderer, values: dict[str, Any]) -> int:
    """Bytes of a drawing before compression; 0 if the state is refused."""
    try:
        return len(renderer.drawing(values).encode())
    except InputError:
        return 0


def largest_state(renderer: Renderer) -> dict[str, Any]:
    """Search for a large state: take the largest of defaults, presets and maxima, then raise each control."""
    experiment = renderer.experiment
    high = {
        control.name: extreme_values(control)[-1]
        for control in experiment.controls
        if not isinstance(control, Text)
    }
    state = max(
        ({}, high, *(preset.state for preset in experiment.presets)),
        key=lambda values: drawing_bytes(renderer, values),
    )
    state = experiment.state(state)
    for control in experiment.controls:
        tried = long_texts(renderer, state, control) if isinstance(control, Text) else extreme_values(control)
        state = max(
            (state, *(state | {control.name: value} for value in tried)),
            key=lambda values: drawing_bytes(renderer, values),
        )
    return state


def extreme_values(control: Control) -> list[Any]:
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


def long_texts(renderer: Renderer, state: dict[str, Any], control: Text) -> list[str]:
    """Every suggestion, repeated up to the number of words that the experiment accepts."""
    return [
        longest_repetition(renderer.experiment, state, control, words.split())
        for words in (control.default, *control.suggestions)
        if words
    ]


def longest_repetition(experiment: Experiment, state: dict[str, Any], control: Text, words: list[str]) -> str:
    def taken(count: int) -> bool:
        try:
            experiment.run(state | {control.name: first(count)})
        except InputError:
            return False
        return True

    def first(count: int) -> str:
        return " ".join((words * (count // len(words) + 1))[:count])

    fits, too_many = len(words), control.limit  # an upper bound: the limit in characters
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        fits, too_many = (middle, too_many) if taken(middle) else (fits, middle)
    return first(fits)
