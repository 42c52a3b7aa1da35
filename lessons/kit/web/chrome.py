"""What surrounds an experiment, as HTML: header, heading, foot. Static; assets/js/page.js makes it move."""

import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from lessons.kit.contract import Experiment, Lesson
from lessons.kit.templates import render

FORMATS = "svg png pdf csv"


def heading(question: str) -> Markup:
    return render("kit/templates/heading.html", question=question)


def header(lessons: Sequence[Lesson], here: Lesson | None, device: str, rosetta: Markup, glossary: Markup) -> Markup:
    """One row: name, map, lessons, quiet tools; then the panels that three of them open. `here`: None on the map."""
    return render("kit/templates/header.html", lessons=lessons, here=here, device=device, rosetta=rosetta, glossary=glossary)


# ---- foot: tools, and ways on ----


class Way(NamedTuple):
    """To the tab beside this one (`by`), or to another page (`address`)."""

    words: str
    by: int = 0
    address: str = ""


def foot(lessons: Sequence[Lesson], lesson: Lesson, experiment: Experiment | None = None) -> Markup:
    """Quiet tools for an experiment: link, the pictures in every format, numbers, code, reset; then previous and next.

    Without an experiment it is the foot of “Check yourself”: the ways only.
    """
    back, on = ways(lessons, lesson, experiment)
    return render("kit/templates/foot.html", lesson=lesson, experiment=experiment, formats=FORMATS, back=back, on=on)


def ways(lessons: Sequence[Lesson], lesson: Lesson, experiment: Experiment | None) -> tuple[Way | None, Way]:
    """Back (nowhere from the very first screen) and on: through the tabs of a lesson, then to the lesson before or after it."""
    tabs: list[Experiment | None] = [*lesson.experiments, *([None] if lesson.exercises else [])]
    here, number = tabs.index(experiment), lessons.index(lesson)
    if here > 0:
        back: Way | None = Way("← previous", by=-1)
    else:
        back = Way(f"← {name(lessons, number - 1)}", address=lessons[number - 1].slug) if number > 0 else None
    if here < len(tabs) - 1:
        return back, Way("next →", by=1)
    if number < len(lessons) - 1:
        return back, Way(f"{name(lessons, number + 1)} →", address=lessons[number + 1].slug)
    return back, Way("Back to the map →", address="./")


def name(lessons: Sequence[Lesson], number: int) -> str:
    return f"Lesson {number + 1}: {lessons[number].short}"


# ---- the code that computed it ----


def source(experiment: Experiment) -> Markup:
    """Read from its modules."""
    parts = [(where(part), inspect.getsource(part)) for part in (experiment.compute, *experiment.code)]
    return render("kit/templates/source.html", parts=parts)


def where(part: Any) -> str:
    part = inspect.unwrap(part)
    return f"{part.__module__.replace('.', '/')}.py · {part.__qualname__}"
