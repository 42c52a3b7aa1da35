"""A lesson's presets, as its tests ask for them."""

from lessons.contract import Lesson, Result


def preset(lesson: Lesson, slug: str, title: str) -> Result:
    """The result of a preset by its title."""
    experiment = lesson.experiment(slug)
    return experiment.run(next(item.state for item in experiment.presets if item.title == title))
