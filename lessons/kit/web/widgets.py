"""Render controls and presets as HTML (templates/controls.html)."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from lessons.kit import link
from lessons.kit.contract import (
    Choice,
    Control,
    DragHandles,
    Experiment,
    Lesson,
    Matrix,
    PairFile,
    Pixels,
    RowEdits,
    SavedRuns,
    Slider,
    State,
    Step,
    Text,
    Toggle,
)
from lessons.kit.language import keep_language, local_number, translate
from lessons.kit.templates import ENVIRONMENT
from lessons.kit.validation import layout_names

KINDS: Mapping[type[Control], str] = {
    Slider: "slider",
    Step: "step",
    Toggle: "toggle",
    Text: "text",
    Matrix: "matrix",
    DragHandles: "drag-handles",
    Pixels: "pixels",
    RowEdits: "row-edits",
    SavedRuns: "saved-runs",
    PairFile: "pair-file",
}
MAX_PILLS = 5  # a choice with more options becomes a menu
MAX_PILL_CHARS = 60  # total length of the options; a longer choice becomes a menu


def fixed_decimals(value: float, step: float) -> str:
    """Format a number with as many decimals as its slider's step."""
    return true_minus(local_number(f"{value:.{len(f'{step:g}'.partition('.')[2])}f}"))


def true_minus(text: str) -> str:
    return text.replace("-", "−")


ENVIRONMENT.filters |= {
    "fixed": fixed_decimals,
    "short": lambda number: f"{number:g}",
    "signed": lambda number: true_minus(local_number(f"{number:g}")),
}
TEMPLATE: Any = ENVIRONMENT.get_template("kit/templates/controls.html").module


def widget_kind(control: Control) -> str:
    """Name of the template macro and of the function in assets/js/controls that show a control."""
    if isinstance(control, Choice):
        is_long = len(control.options) > MAX_PILLS or sum(map(len, control.options)) > MAX_PILL_CHARS
        return "menu" if is_long else "choice"
    return KINDS[type(control)]


def controls_in_layouts(experiment: Experiment) -> set[str]:
    """Names of controls placed among pictures, in a closer look, or in a picture's cells."""
    layouts = [experiment.layout, *(act.layout for act in experiment.acts)]
    named = {name for layout in layouts for name in layout_names(layout)}
    return {
        control.name
        for control in experiment.controls
        if control.name in named or getattr(control, "in_picture", False)
    }


def controls_in_view(experiment: Experiment, acts: Sequence[str]) -> set[str]:
    """Names of controls placed among the pictures while these closer looks are open."""
    layouts = [experiment.layout, *(act.layout for act in experiment.acts if act.slug in acts)]
    return {name for layout in layouts for name in layout_names(layout)} & {
        control.name for control in experiment.controls
    }


def render_widgets(
    id: str, experiment: Experiment, state: State, about: Mapping[str, Any]
) -> dict[str, Markup]:
    """Render every control of an experiment in this state, by name. `about`: JSON of the drawing."""
    limits, idle, notices, offers, vocabularies = (
        about.get(part, {}) for part in ("limits", "idle", "notices", "offers", "vocabularies")
    )
    rendered = {}
    for control in experiment.controls:
        name, limit = control.name, limits.get(control.name)
        rendered[name] = TEMPLATE.widget(
            control,
            widget_kind(control),
            f"{id}-{name}",
            f"{id}-form",
            state[name],
            control.write(state[name]),
            control.write(control.check(control.default)),
            limit,
            idle.get(name),
            notices.get(name),
            is_hidden(control, limit),
            offers.get(name, ()),
            vocabularies.get(name, ""),
        )
        if control.default is True:  # forms send nothing for an unchecked box, which would mean True
            off = Markup('<input type="hidden" name="{}" form="{}-form" value="0">').format(name, id)
            rendered[name] = off + rendered[name]
    return rendered


def is_hidden(control: Control, limit: Any) -> bool:
    """Whether to hide a control: an unused text, a matrix without cells or in a picture, saved runs."""
    match widget_kind(control):
        case "text":
            return limit is False
        case "matrix":
            return control.in_picture or (limit is not None and not all(limit))  # type: ignore[attr-defined]
        case "saved-runs":
            return True
    return False


def render_presets(lesson: Lesson, experiment: Experiment) -> Markup:
    """Render the presets as links to their states."""
    queries = [link.encode(experiment, experiment.state(preset.state)) for preset in experiment.presets]
    items = [
        (translate(preset.title), translate(preset.watch), keep_language(f"{lesson.slug}?{query}"))
        for preset, query in zip(experiment.presets, queries, strict=True)
    ]
    shown = experiment.demonstration
    demonstration = None if shown is None else link.encode(experiment, experiment.state(shown))
    return TEMPLATE.presets(items, demonstration)
