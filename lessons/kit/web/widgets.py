"""Controls, presets, questions and jobs as HTML (templates/controls.html)."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from lessons.kit import link
from lessons.kit.contract import Choice, Control, Experiment, Lesson, State
from lessons.kit.templates import ENVIRONMENT
from lessons.kit.validation import leaves

MANY = 5  # options from which a menu is easier than buttons
WIDE = 60  # characters of options from which a menu is easier than buttons


def fixed(value: float, step: float) -> str:
    """With as many decimals as the steps of its slider."""
    return true_minus(f"{value:.{len(f'{step:g}'.partition('.')[2])}f}")


def true_minus(text: str) -> str:
    return text.replace("-", "−")


ENVIRONMENT.filters |= {
    "fixed": fixed,
    "short": lambda number: f"{number:g}",
    "signed": lambda number: true_minus(f"{number:g}"),
}
TEMPLATE: Any = ENVIRONMENT.get_template("kit/templates/controls.html").module


def kind(control: Control) -> str:
    """Which macro of the template, and which module of the script, shows a control."""
    if isinstance(control, Choice) and (len(control.options) > MANY or sum(map(len, control.options)) > WIDE):
        return "menu"
    return type(control).__name__.lower()


def placed(experiment: Experiment) -> set[str]:
    """Names of the controls that stand among the pictures, in a closer look, or in a picture's own cells."""
    layouts = [experiment.layout, *(act.layout for act in experiment.acts)]
    named = {name for layout in layouts for name in leaves(layout)}
    return {
        control.name
        for control in experiment.controls
        if control.name in named or getattr(control, "in_picture", False)
    }


def shown(experiment: Experiment, acts: Sequence[str]) -> set[str]:
    """Names of the controls that stand among the pictures while these closer looks are open."""
    layouts = [experiment.layout, *(act.layout for act in experiment.acts if act.slug in acts)]
    return {name for layout in layouts for name in leaves(layout)} & {
        control.name for control in experiment.controls
    }


def widgets(id: str, experiment: Experiment, state: State, about: Mapping[str, Any]) -> dict[str, Markup]:
    """Every control of an experiment, set to this state, by name. `about`: what the drawing says about controls."""
    limits, idle, remarks = (about.get(part, {}) for part in ("limits", "idle", "remarks"))
    found = {}
    for control in experiment.controls:
        name = control.name
        limit = limits.get(name)
        found[name] = TEMPLATE.widget(
            control,
            kind(control),
            f"{id}-{name}",
            f"{id}-form",
            state[name],
            control.write(state[name]),
            control.write(control.check(control.default)),
            limit,
            idle.get(name),
            remarks.get(name),
            is_hidden(control, limit),
        )
        if (
            control.default is True
        ):  # a form sends nothing for a box that is not checked, which would mean the default
            off = Markup('<input type="hidden" name="{}" form="{}-form" value="0">').format(name, id)
            found[name] = off + found[name]
    return found


def is_hidden(control: Control, limit: Any) -> bool:
    """A text that is not used in this setting, a matrix without cells, saved runs where there are none, numbers of a picture."""
    match kind(control):
        case "text":
            return limit is False
        case "matrix":
            return control.in_picture or (limit is not None and not all(limit))  # type: ignore[attr-defined]
        case "made":
            return True
    return False


def presets(lesson: Lesson, experiment: Experiment) -> Markup:
    """Chips that are links: each to its state."""
    items = [
        (
            preset.title,
            preset.watch,
            f"{lesson.slug}?{link.encode(experiment, experiment.state(preset.state))}",
        )
        for preset in experiment.presets
    ]
    return TEMPLATE.presets(items)
