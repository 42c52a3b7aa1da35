"""A Gradio component for every kind of control. What Gradio has no good component for is built by assets/js/controls.js."""

import json
from dataclasses import asdict
from typing import Any

import gradio as gr

from lessons.kit.contract import (
    Choice,
    Control,
    Edits,
    Exercise,
    Experiment,
    Handles,
    Job,
    Lesson,
    Matrix,
    Slider,
    Step,
    Text,
    Toggle,
)

MANY = 5  # options from which a menu is easier than buttons


def component(control: Control, elem_id: str) -> gr.components.Component:
    """The component that shows this control; its value is what `control.check` takes."""
    common = {"label": control.label, "elem_id": elem_id, "elem_classes": ["control"]}
    match control:
        case Step() | Handles() | Matrix() | Text() | Edits():
            spec = {"kind": type(control).__name__.lower()} | asdict(control)
            return widget(control.default, elem_id, spec)
        case Slider():
            return gr.Slider(control.low, control.high, control.default, step=control.step, buttons=[], **common)
        case Choice() if len(control.options) > MANY:
            return widget(control.default, elem_id, {"kind": "menu"} | asdict(control))
        case Choice():
            return gr.Radio(list(control.options), value=control.default, **common)
        case Toggle():
            return gr.Checkbox(control.default, **common)
    raise TypeError(f"no component for {type(control).__name__}")


def widget(value: Any, elem_id: str, spec: dict[str, Any]) -> gr.HTML:
    """A component of our own: the script builds it from `spec`, and sends its value with the event `input`."""
    made = gr.HTML(
        value,
        label=spec.get("label"),
        html_template="",
        js_on_load="seq2see.mount(element, props, trigger, watch)",
        apply_default_css=False,
        elem_id=elem_id,
        elem_classes=["control"],
        spec=json.dumps(spec | {"id": elem_id}),  # as one text: the browser copies all props of a control at each event
    )
    kinds = {str: {"type": "string"}, int: {"type": "number"}, float: {"type": "number"}}
    made.api_info = lambda: kinds.get(type(value), {"type": "array", "items": {}})  # what the public endpoint says about it
    made.example_payload = lambda: value
    return made


def presets(lesson: Lesson, experiment: Experiment, elem_id: str) -> gr.HTML:
    """Chips; the value is the number of the one chosen, −1 is reset; or the query of a link that is for this experiment."""
    spec = {
        "kind": "presets",
        "items": [{"title": item.title, "watch": item.watch} for item in experiment.presets],
        "slug": experiment.slug,
        "first": experiment is lesson.experiments[0],
        "known": ["check", *(other.slug for other in lesson.experiments)],
    }
    return widget(None, elem_id, spec)


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
    """A button that starts long work, how far it is, and a button that stops it. The value is the share done; null when idle."""
    return widget(None, elem_id, {"kind": "job", "label": item.label})
