"""What is wrong with a lesson is said where it is made, with what to do about it."""

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from models.vocabulary import InputError

if TYPE_CHECKING:
    from lessons.kit.contract import Act, Experiment, Lesson

SLUG = re.compile(r"[a-z][a-z0-9-]*")
TAKEN = {"check", "acts", "experiment", "view", "present", "guess", "room", "hide", "embed", "narrow"}
PARTS = {
    "stage",
    "meaning",
    "predict",
    "presets",
    "job",
}  # parts of the page whose ids a control or view would share


class LessonError(ValueError):
    """A lesson that cannot be made into a page; the message says what to change."""


def experiment(it: "Experiment") -> None:
    def wrong(what: str) -> LessonError:
        return LessonError(f"Experiment {it.slug!r}: {what}")

    slug(it.slug, wrong)
    tuples(it, ("controls", "views", "presets", "code", "acts", "layout"), wrong)
    for act in it.acts:
        tuples(act, ("views", "layout"), wrong)
    if it.predict:
        tuples(it.predict, ("covers",), wrong)
    controls = [control.name for control in it.controls]
    unique(controls, "control", wrong)
    for name in controls:
        if not name.isidentifier() or name in TAKEN | PARTS:
            raise wrong(
                f"the control {name!r} needs another name: a Python name, none of"
                f" {', '.join(sorted(TAKEN | PARTS))}."
            )
    views = [view.__name__ for view in it.all_views]
    unique([*controls, *views, *PARTS], "control or view", wrong)
    if "reading" not in [view.__name__ for view in it.views]:
        raise wrong("its views lack `reading`, the sentence with this run’s numbers.")
    taken = inspect.signature(it.compute).parameters.values()
    parameters = {one.name for one in taken if one.kind is not one.VAR_KEYWORD}
    if parameters != set(controls) and (
        len(parameters) == len(taken) or parameters - set(controls)
    ):  # **settings takes the rest
        raise wrong(
            f"compute takes {listed(parameters)}, but the controls are {listed(controls)}: they must be the"
            " same names."
        )
    for control in it.controls:
        try:
            control.check(control.default)
        except InputError as error:
            raise wrong(f"the default of {control.name!r} is refused by its own control. {error}") from error
    unique([preset.title for preset in it.presets], "preset", wrong)
    for preset in it.presets:
        try:
            it.state(preset.state)
        except InputError as error:
            raise wrong(f"the preset {preset.title!r} is refused. {error}") from error
    unique([act.slug for act in it.acts], "act", wrong)
    placed(it, wrong)
    if it.predict and (unknown := set(it.predict.covers) - set(views)):
        raise wrong(f"its guess covers {listed(unknown)}, but the views are {listed(views)}.")


def placed(it: "Experiment", wrong: Any) -> None:
    """Layouts: each view of an act once, and controls that exist, each in one place."""
    controls, stands = {control.name for control in it.controls}, []
    parts: list[tuple[str, Experiment | Act]] = [
        ("its layout", it),
        *((f"the layout of act {act.slug!r}", act) for act in it.acts),
    ]
    for where, part in parts:
        slug(part.slug, wrong)
        views, named = [view.__name__ for view in part.views], list(leaves(part.layout))
        if not named:
            continue
        for name in named:
            if name not in views and name not in controls:
                raise wrong(
                    f"{where} names {name!r}, which is neither one of its views ({listed(views)}) nor a"
                    " control."
                )
        if missing := set(views) - set(named):
            raise wrong(f"{where} leaves out {listed(missing)}.")
        stands += named
    unique(stands, "part of a layout", wrong)


def lesson(it: "Lesson") -> None:
    def wrong(what: str) -> LessonError:
        return LessonError(f"Lesson {it.slug!r}: {what}")

    slug(it.slug, wrong)
    tuples(it, ("experiments", "exercises"), wrong)
    unique([experiment.slug for experiment in it.experiments], "experiment", wrong)
    unique([exercise.slug for exercise in it.exercises], "exercise", wrong)
    if [*it.core, *it.further] != [*it.experiments]:
        raise wrong(
            'name its core experiments first, then the further ones: tabs and "next" go in this order.'
        )
    path = it.folder / "text.md"
    if not path.is_file():
        raise wrong("it has no text.md beside its __init__.py: write its question and a lead there.")
    slugs = {experiment.slug for experiment in it.experiments}
    if missing := slugs - set(it.words.sections):
        raise wrong(
            f"experiment {min(missing)!r} has no text: write {min(missing)}/text.md, beginning with `# a"
            " question?`."
        )
    if extra := {path.parent.name for path in it.folder.glob("*/text.md")} - slugs:
        raise wrong(f"there is {min(extra)}/text.md, but {min(extra)!r} is no experiment here.")
    for experiment in it.experiments:
        section, acts = it.words.sections[experiment.slug], {act.slug for act in experiment.acts}
        if not section.question or not section.before:
            raise wrong(f"{experiment.slug}/text.md needs a question and, above `---`, what to do.")
        if not section.after:
            raise wrong(f"{experiment.slug}/text.md needs a line `---` and, below it, what it means.")
        if missing := acts - set(section.acts):
            raise wrong(
                f"{experiment.slug}/text.md lacks `## {min(missing)}: a question?`, the words of its act."
            )
        if extra := set(section.acts) - acts:
            raise wrong(f"{experiment.slug}/text.md has words for {listed(extra)}, which is no act of it.")
        for act, words in section.acts.items():
            if not words.question or not words.body:
                raise wrong(f"the act {act!r} needs a question and a sentence in {experiment.slug}/text.md.")
    for exercise in it.exercises:
        if exercise.experiment and exercise.experiment not in slugs:
            raise wrong(
                f"the exercise {exercise.slug!r} is about {exercise.experiment!r}, which is no experiment"
                " here."
            )
        if exercise.answer is None and not exercise.experiment:
            raise wrong(f"the challenge {exercise.slug!r} must name the experiment whose settings count.")


def slug(text: str, wrong: Any) -> None:
    if not SLUG.fullmatch(text) or text in TAKEN:
        raise wrong(
            f"the slug {text!r} goes into addresses: small letters, digits and -, none of"
            f" {', '.join(sorted(TAKEN))}."
        )


def tuples(part: Any, names: Iterable[str], wrong: Any) -> None:
    for name in names:
        if not isinstance(getattr(part, name), tuple):
            raise wrong(
                f"{name} of {part.slug!r} is no tuple: write {name}=(…,), with a comma even where there is"
                " only one."
            )


def unique(names: Iterable[str], what: str, wrong: Any) -> None:
    names = list(names)
    if twice := {name for name in names if names.count(name) > 1}:
        raise wrong(f"{listed(twice)}: each {what} needs a name of its own.")


def leaves(layout: tuple[Any, ...]) -> Iterator[str]:
    for part in layout:
        if isinstance(part, str):
            yield part
        else:
            yield from leaves(part)


def listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in sorted(names)) or "nothing"
