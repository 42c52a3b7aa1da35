"""A lesson, as the tests of several lessons ask for it."""

from typing import Any

from lessons.kit.contract import Exercise, Experiment, Lesson, Result, State
from lessons.kit.pictures.base import Picture


def preset(lesson: Lesson, slug: str, title: str) -> Result:
    """The result of a preset by its title."""
    experiment = lesson.experiment(slug)
    return experiment.run(next(item.state for item in experiment.presets if item.title == title))


def changed(lesson: Lesson, slug: str, /, **values: Any) -> State:
    """The default state but for these values."""
    return lesson.experiment(slug).state(values)


def payload(experiment: Experiment, **values: Any) -> int:
    """Bytes of all pictures of one event."""
    result = experiment.run(values)
    shown = [view(result) for view in experiment.all_views]
    return sum(len(picture.svg().encode()) for picture in shown if isinstance(picture, Picture))


def takes_only(exercise: Exercise, right: tuple[Any, State], *wrong: tuple[Any, State]) -> None:
    """Of these pairs (answer, state) the exercise takes the first, and has something to say to the others."""
    verdict = exercise.check(*right)
    assert verdict.ok, verdict.message
    for answer in wrong:
        verdict = exercise.check(*answer)
        assert not verdict.ok, answer
        assert verdict.message, answer
