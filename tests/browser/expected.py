"""What a page must show in a given state, computed by the lesson so that tests need not quote sentences."""

import re
from html import unescape
from typing import Any

import pytest

from lessons.kit.contract import InputError, Lesson
from lessons.kit.notices import collect_notices
from lessons.kit.web.renderer import bold_html


def text_of_reading(lesson: Lesson, slug: str, **state: Any) -> str:
    """The reading of an experiment in this state, without markup."""
    experiment = lesson.experiment(slug)
    reading = next(view for view in experiment.views if view.__name__ == "reading")
    return unescape(re.sub(r"<[^>]+>", "", bold_html(reading(experiment.run(state)))))


def refusal(lesson: Lesson, slug: str, **state: Any) -> str:
    """The error message for a state that cannot be computed."""
    with pytest.raises(InputError) as found:
        lesson.experiment(slug).run(state)
    return str(found.value)


def remarks(lesson: Lesson, slug: str, **state: Any) -> dict[str, str]:
    """The message next to each control about its value."""
    with collect_notices() as heard:
        lesson.experiment(slug).run(state)
    return heard
