"""Validate a lesson and its experiments when they are created. Errors say what to change."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from models.vocabulary import InputError

if TYPE_CHECKING:
    from lessons.kit.contract import Act, Experiment, Lesson

SLUG = re.compile(r"[a-z][a-z0-9_-]*")
RESERVED_NAMES = set("check acts experiment view present guess room hide embed lang narrow".split())
PAGE_PARTS = set("stage meaning predict presets job".split())  # reserved slugs: element ids would collide


class LessonError(ValueError):
    """A lesson that cannot become a page; the message says what to change."""


Error = Callable[[str], LessonError]  # message → error that names the lesson or experiment


def check_experiment(experiment: "Experiment") -> None:
    def error(message: str) -> LessonError:
        return LessonError(f"Experiment {experiment.slug!r}: {message}")

    check_slug(experiment.slug, error)
    check_tuples(experiment, ("controls", "views", "presets", "code", "acts", "layout"), error)
    for act in experiment.acts:
        check_tuples(act, ("views", "layout"), error)
    if experiment.predict:
        check_tuples(experiment.predict, ("covers",), error)
    controls = [control.name for control in experiment.controls]
    check_unique(controls, "control", error)
    for name in controls:
        if not name.isidentifier() or name in RESERVED_NAMES | PAGE_PARTS:
            reserved = ", ".join(sorted(RESERVED_NAMES | PAGE_PARTS))
            raise error(f"the control {name!r} needs another name: a Python name, none of {reserved}.")
    views = [view.__name__ for view in experiment.all_views]
    check_unique([*controls, *views, *PAGE_PARTS], "control or view", error)
    if "reading" not in [view.__name__ for view in experiment.views]:
        raise error("its views lack `reading`, the sentence with this run’s numbers.")
    check_parameters(experiment, error)
    for control in experiment.controls:
        try:
            control.check(control.default)
        except InputError as refusal:
            raise error(
                f"the default of {control.name!r} is refused by its own control. {refusal}"
            ) from refusal
    titles = [preset.title for preset in experiment.presets]
    check_unique(titles, "preset", error)
    if experiment.demonstrates and experiment.demonstration is None:
        raise error(f"it demonstrates {experiment.demonstrates!r}, which is no preset of it.")
    experiment.state(experiment.demonstration)
    for preset in experiment.presets:
        try:
            experiment.state(preset.state)
        except InputError as refusal:
            raise error(f"the preset {preset.title!r} is refused. {refusal}") from refusal
    check_unique([act.slug for act in experiment.acts], "act", error)
    check_layouts(experiment, error)
    if experiment.predict and (unknown := set(experiment.predict.covers) - set(views)):
        raise error(f"its guess covers {join_names(unknown)}, but the views are {join_names(views)}.")


def check_parameters(experiment: "Experiment", error: Error) -> None:
    """Check that `compute` takes exactly the controls; with **settings it may name only some of them."""
    controls = {control.name for control in experiment.controls}
    parameters = inspect.signature(experiment.compute).parameters.values()
    named = {parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD}
    takes_rest = len(named) < len(parameters)
    if named != controls and not (takes_rest and named <= controls):
        raise error(
            f"compute takes {join_names(named)}, but the controls are {join_names(controls)}: they must be"
            " the same"
            " names."
        )


def check_layouts(experiment: "Experiment", error: Error) -> None:
    """Check that a layout names each view of its part once and only existing controls, each in one layout."""
    controls = {control.name for control in experiment.controls}
    placed: list[str] = []
    parts: list[tuple[str, Experiment | Act]] = [
        ("its layout", experiment),
        *((f"the layout of act {act.slug!r}", act) for act in experiment.acts),
    ]
    for where, part in parts:
        check_slug(part.slug, error)
        views, names = [view.__name__ for view in part.views], list(layout_names(part.layout))
        if not names:
            continue
        for name in names:
            if name not in views and name not in controls:
                raise error(
                    f"{where} names {name!r}, which is neither one of its views ({join_names(views)}) nor a"
                    " control."
                )
        if missing := set(views) - set(names):
            raise error(f"{where} leaves out {join_names(missing)}.")
        placed += names
    check_unique(placed, "part of a layout", error)


def check_lesson(lesson: "Lesson") -> None:
    def error(message: str) -> LessonError:
        return LessonError(f"Lesson {lesson.slug!r}: {message}")

    check_slug(lesson.slug, error)
    check_tuples(lesson, ("experiments", "exercises"), error)
    check_unique([experiment.slug for experiment in lesson.experiments], "experiment", error)
    check_unique([exercise.slug for exercise in lesson.exercises], "exercise", error)
    if [*lesson.core, *lesson.further] != [*lesson.experiments]:
        raise error(
            'name its core experiments first, then the further ones: tabs and "next" go in this order.'
        )
    check_texts(lesson, error)
    slugs = {experiment.slug for experiment in lesson.experiments}
    for exercise in lesson.exercises:
        if exercise.experiment and exercise.experiment not in slugs:
            raise error(
                f"the exercise {exercise.slug!r} is about {exercise.experiment!r}, which is no experiment"
                " here."
            )
        if exercise.answer is None and not exercise.experiment:
            raise error(f"the challenge {exercise.slug!r} must name the experiment whose settings count.")


def check_texts(lesson: "Lesson", error: Error) -> None:
    """Check that every experiment and closer look has a text, and that no text is unused."""
    if not (lesson.folder / "text.md").is_file():
        raise error("it has no text.md beside its __init__.py: write its question and a lead there.")
    slugs = {experiment.slug for experiment in lesson.experiments}
    if missing := slugs - set(lesson.text.experiments):
        slug = min(missing)
        raise error(f"experiment {slug!r} has no text: write {slug}/text.md, beginning with `# a question?`.")
    if extra := {path.parent.name for path in lesson.folder.glob("*/text.md")} - slugs:
        raise error(f"there is {min(extra)}/text.md, but {min(extra)!r} is no experiment here.")
    for experiment in lesson.experiments:
        path, text = f"{experiment.slug}/text.md", lesson.text.experiments[experiment.slug]
        acts = {act.slug for act in experiment.acts}
        if not text.question or not text.before:
            raise error(f"{path} needs a question and, above `---`, what to do.")
        if not text.after:
            raise error(f"{path} needs a line `---` and, below it, what it means.")
        if missing := acts - set(text.acts):
            raise error(f"{path} lacks `## {min(missing)}: a question?`, the words of its act.")
        if extra := set(text.acts) - acts:
            raise error(f"{path} has words for {join_names(extra)}, which is no act of it.")
        for slug, act in text.acts.items():
            if not act.question or not act.body:
                raise error(f"the act {slug!r} needs a question and a sentence in {path}.")


def check_slug(slug: str, error: Error) -> None:
    if not SLUG.fullmatch(slug) or slug in RESERVED_NAMES:
        reserved = ", ".join(sorted(RESERVED_NAMES))
        raise error(
            f"the slug {slug!r} goes into addresses: small letters, digits, - and _, none of {reserved}."
        )


def check_tuples(part: Any, names: Iterable[str], error: Error) -> None:
    for name in names:
        if not isinstance(getattr(part, name), tuple):
            raise error(
                f"{name} of {part.slug!r} is no tuple: write {name}=(…,), with a comma even if there is one."
            )


def check_unique(names: Iterable[str], kind: str, error: Error) -> None:
    names = list(names)
    if repeated := {name for name in names if names.count(name) > 1}:
        raise error(f"{join_names(repeated)}: each {kind} needs a name of its own.")


def layout_names(layout: tuple[Any, ...]) -> Iterator[str]:
    """Names in a nested layout, from top left to bottom right."""
    for part in layout:
        if isinstance(part, str):
            yield part
        else:
            yield from layout_names(part)


def join_names(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in sorted(names)) or "nothing"
