"""A component for every kind of control: gr.HTML that assets/js/controls builds from a spec, compact and movable."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr

from lessons.kit import link
from lessons.kit.checks import leaves
from lessons.kit.contract import Choice, Control, Exercise, Experiment, Job, Slider, Toggle, plain

MANY = 5  # options from which a menu is easier than buttons


def component(control: Control, elem_id: str, placed: bool = False) -> gr.HTML:
    """The component that shows this control; its value is what `control.check` takes. `placed`: it stands in the scene."""
    spec = {"kind": kind(control)} | asdict(control)
    made = widget(control.default, elem_id, spec, described(control), ["placed"] if placed else [])
    made.private = lambda _: control.private  # type: ignore[attr-defined]
    return made


def kind(control: Control) -> str:
    """What it looks like."""
    if isinstance(control, Choice) and (len(control.options) > MANY or sum(map(len, control.options)) > 60):
        return "menu"
    return type(control).__name__.lower()


def placed(experiment: Experiment) -> set[str]:
    """Names of the controls that stand in the scene, or in an act, at what they change; or that are cells of a picture."""
    layouts = [experiment.layout, *(act.layout for act in experiment.acts)]
    named = {name for layout in layouts for name in leaves(layout)}
    return {control.name for control in experiment.controls if control.name in named or getattr(control, "in_picture", False)}


def described(control: Control) -> dict[str, Any]:
    """What the public endpoint says about it."""
    match control:
        case Slider():
            return {"type": "integer" if control.whole else "number", "minimum": control.low, "maximum": control.high}
        case Choice():
            return {"type": "string", "enum": list(control.options)}
        case Toggle():
            return {"type": "boolean"}
    return {"type": "string"} if isinstance(control.default, str) else {"type": "array", "items": {}}


def widget(
    value: Any, elem_id: str, spec: dict[str, Any], about: dict[str, Any] | None = None, classes: Sequence[str] = ()
) -> gr.HTML:
    """A component of our own: the script builds it from `spec`, and sends its value with what it asks for."""
    made = gr.HTML(
        value,
        label=spec.get("label"),
        html_template="",
        js_on_load="seq2see.mount(element, props)",
        apply_default_css=False,
        elem_id=elem_id,
        elem_classes=["control", *classes],
        spec=json.dumps(spec | {"id": elem_id}),
    )
    made.api_info = lambda: about or {"type": "array", "items": {}}  # type: ignore[method-assign]
    made.example_payload = lambda: plain(value)  # type: ignore[method-assign]
    return made


def presets(experiment: Experiment, elem_id: str) -> gr.HTML:
    """Chips; the value is the number of the one chosen, −1 is reset; or the query of a link that is for this experiment."""
    spec = {
        "kind": "presets",
        "items": [{"title": item.title, "watch": item.watch} for item in experiment.presets],
    }

    def private(chosen: Any) -> bool:
        return isinstance(chosen, str) and experiment.private(link.decode(experiment, dict(parse_qsl(chosen)))[0])

    made = widget(None, elem_id, spec)
    made.private = private  # type: ignore[attr-defined]
    return made


def acts(elem_id: str) -> gr.HTML:
    """Which acts are open: a list of slugs. Their headings are in the stage."""
    return widget([], elem_id, {"kind": "acts"}, classes=["placed"])


def exercise(item: Exercise, elem_id: str, *, guess: bool = False) -> gr.HTML:
    """A question with its answer field; the value becomes {answer, ok, message}."""
    answer = item.answer
    return widget(
        None,
        elem_id,
        {
            "kind": "exercise",
            "guess": guess,
            "question": item.question,
            "hint": item.hint,
            "experiment": item.experiment,
            "options": list(answer.options) if isinstance(answer, Choice) else None,
            "number": answer is not None and not isinstance(answer, Choice),
            "label": answer.label if answer else "",
        },
    )


def job(item: Job, elem_id: str) -> gr.HTML:
    """A button that starts long work, how far it is, and a button that stops it (assets/js/controls/job.js asks the server)."""
    return widget(None, elem_id, {"kind": "job", "label": item.label, "onward": item.onward and item.onward.label})
