"""Build a Gradio app from an experiment, a lesson or the course.

The app uses Gradio's sliders, plots (matplotlib) and data frames (pandas), and runs wherever Gradio does:
    blocks("attention/steer").launch()                            in a notebook or a terminal
    gr.mount_gradio_app(app, course(LESSONS), path="/gradio")     beside other pages

Events are not queued, so that any worker can answer. Gradio shows gr.Warning only for queued events, so the
message about a bad value appears above the pictures, which stay unchanged.
"""

import inspect
import logging
import re
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple, get_args

import gradio as gr
from gradio.blocks import Block
from gradio.components import Component

from lessons.kit.contract import (
    Choice,
    Control,
    Experiment,
    InputError,
    Layout,
    Lesson,
    Matrix,
    PairFile,
    RowEdits,
    SavedRuns,
    Slider,
    State,
    Step,
    Toggle,
    View,
)
from lessons.kit.markdown import color_equations
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.base import Picture
from lessons.kit.validation import layout_names
from lessons.kit.web.gradio_api import limit_sessions
from lessons.kit.web.renderer import bold_html

Event = Callable[..., Any]  # a Gradio event such as slider.input or tab.select
log = logging.getLogger("seq2see")
SORRY = "Something went wrong on our side. Try another setting."
MAIN, NUMBERS = "_main", "_numbers"  # names of parts; unlike these, slugs of closer looks begin with a letter
MAX_RADIO_OPTIONS = 4  # a choice with more options becomes a menu
MAX_SESSIONS = 32  # Gradio keeps the last pictures of each session: several megabytes
UNLISTED: Any = {
    "queue": False,
    "api_visibility": "undocumented",
    "preprocess": False,
}  # no preprocessing, because the controls validate values
DELIMITERS: Any = [
    {"left": "$$", "right": "$$", "display": True},
    {"left": "$", "right": "$", "display": False},
]


def blocks(what: Experiment | Lesson | str, values: State | None = None) -> gr.Blocks:
    """Build the app of an experiment or lesson, given as an object or a name such as "attention/steer".

    `values`: of an experiment's controls, at first; the others have their defaults.
    """
    found, lesson = resolve(what)
    with gr.Blocks(title=found.title, analytics_enabled=False) as app:
        if isinstance(found, Lesson):
            add_lesson(found, app.load)
        else:
            Panel(found, lesson, values).listen(app.load)
    limit_sessions(app, MAX_SESSIONS)
    return app


def course(lessons: Iterable[Lesson]) -> gr.Blocks:
    """Build the app of several lessons: tabs for lessons, with tabs for experiments, drawn when selected."""
    with gr.Blocks(title="Seq2See", analytics_enabled=False) as app:
        for number, lesson in enumerate(lessons):
            with gr.Tab(lesson.short_title) as tab:
                add_lesson(lesson, tab.select if number else app.load)
    limit_sessions(app, MAX_SESSIONS)
    return app


def resolve(what: Experiment | Lesson | str) -> tuple[Experiment | Lesson, Lesson | None]:
    """Find a lesson, or an experiment and its lesson (None if no lesson of the course contains it)."""
    if isinstance(what, Lesson):
        return what, what
    lessons: tuple[Lesson, ...] = import_module("lessons").LESSONS
    if isinstance(what, Experiment):
        return what, next((lesson for lesson in lessons if what in lesson.experiments), None)
    named: dict[str, tuple[Experiment | Lesson, Lesson]] = {
        lesson.slug: (lesson, lesson) for lesson in lessons
    }
    named |= {f"{lesson.slug}/{one.slug}": (one, lesson) for lesson in lessons for one in lesson.experiments}
    if what not in named:
        raise ValueError(f"There is no lesson or experiment {what!r}. Choose one of {', '.join(named)}.")
    return named[what]


def add_lesson(lesson: Lesson, opening: Event) -> None:
    """Add a tab for each experiment. The first is drawn when the lesson opens, the others when selected."""
    add_text(f"# {lesson.text.question}\n\n{lesson.text.lead}")
    for number, experiment in enumerate(lesson.experiments):
        with gr.Tab(experiment.title) as tab:
            panel = Panel(experiment, lesson)
        panel.listen(tab.select if number else opening)


# ---- one experiment ----


class Part(NamedTuple):
    """Components that are drawn together: the main views, their numbers, or a closer look."""

    name: str
    outputs: list[Block]
    draw: Callable[[Any], list[Any]]  # result → a value for each output


class Panel:
    """One experiment as components of the current gr.Blocks. Nothing is computed before an event."""

    def __init__(self, experiment: Experiment, lesson: Lesson | None, values: State | None = None):
        self.experiment, self.opening = experiment, experiment.state(values)
        self.name = f"{lesson.slug}_{experiment.slug}" if lesson else experiment.slug
        self.inputs: dict[str, Component] = {}
        self.accordions: dict[str, gr.Accordion] = {}
        text = lesson.text.experiments[experiment.slug] if lesson else None
        add_text(f"## {text.question}\n\n{text.before}" if text else f"## {experiment.title}")
        titles = [preset.title for preset in experiment.presets]
        self.preset = gr.Dropdown(titles, value=None, label="Try", visible=bool(titles))
        self.watch = gr.Markdown(latex_delimiters=[])
        in_layouts = {*layout_names((experiment.layout, *(act.layout for act in experiment.acts)))}
        with gr.Row():
            for control in experiment.controls:
                if control.name not in in_layouts:
                    self.inputs[control.name] = make_component(control, self.opening[control.name])
        self.notice = gr.Markdown(latex_delimiters=[])
        self.parts = [self.add_views(MAIN, experiment.views, experiment.layout)]
        with gr.Accordion("Numbers of these pictures", open=False) as self.accordions[NUMBERS]:
            self.parts.append(add_numbers(experiment.views))
        add_text(text.after if text else "")
        for act in experiment.acts:
            about = text.acts[act.slug] if text else None
            with gr.Accordion(about.question if about else act.slug, open=False) as self.accordions[act.slug]:
                add_text(about.body if about else "")
                self.parts.append(self.add_views(act.slug, act.views, act.layout))
        self.parts.append(self.make_updates())
        # the browser stores which parts are open, so that any worker can draw them
        self.opened = gr.CheckboxGroup([MAIN, *self.accordions], value=[MAIN], visible=False)

    def add_views(self, name: str, views: tuple[View, ...], layout: Layout) -> Part:
        """Add views and the controls among them; nested levels of the layout alternate columns and rows."""
        by_name = {view.__name__: view for view in views}
        outputs: dict[str, list[Block]] = {}
        controls = {control.name: control for control in self.experiment.controls}

        def add(names: Layout, across: bool = False) -> None:
            for one in names:
                if isinstance(one, tuple):
                    with gr.Column() if across else gr.Row():
                        add(one, not across)
                elif one in by_name:
                    with gr.Column():
                        words = gr.Markdown(latex_delimiters=[])
                        plots = [gr.Plot(show_label=False)] if can_draw(by_name[one]) else []
                        outputs[one] = [words, *plots]
                else:
                    self.inputs[one] = make_component(controls[one], self.opening[one])

        add(layout or tuple(by_name))
        ordered = [output for one in by_name for output in outputs[one]]
        return Part(
            name, ordered, lambda result: [value for one in views for value in view_values(one, result)]
        )

    def make_updates(self) -> Part:
        """Updates other than pictures: questions of closer looks, the last step of each Step control."""
        asking = {act.slug: act.asks for act in self.experiment.acts if act.asks}
        steps = [control for control in self.experiment.controls if isinstance(control, Step)]

        def updates(result: Any) -> list[Any]:
            last = {control.name: control.high for control in steps} | result.limits()
            # Gradio rejects a slider with only one value
            ends = [max(last[control.name], control.low + control.step) for control in steps]
            questions = [gr.update(label=asks(result)) for asks in asking.values()]
            return questions + [gr.update(maximum=end) for end in ends]

        outputs: list[Block] = [self.accordions[slug] for slug in asking]
        outputs += [self.inputs[control.name] for control in steps]
        return Part(MAIN, outputs, updates)

    def listen(self, opening: Event) -> None:
        """Draw when the experiment opens, a control is set, a preset is chosen or a part is expanded."""
        controls = [self.inputs[control.name] for control in self.experiment.controls]
        inputs = [self.opened, *controls]
        outputs = [self.notice, *(output for part in self.parts for output in part.outputs)]
        events = [opening, *(event for component in controls for event in input_events(component))]
        draw, name = partial(self.draw, self.parts), f"draw_{self.name}"
        latest: Any = {"trigger_mode": "always_last", "show_progress": "hidden"}
        gr.on(events, draw, inputs, outputs, api_name=name, **latest, **UNLISTED)
        chosen = self.preset.select(
            self.choose, self.preset, [self.watch, *controls], api_name=f"try_{self.name}", **UNLISTED
        )
        chosen.then(draw, inputs, outputs, api_name=f"{name}_preset", show_progress="hidden", **UNLISTED)
        for part in self.parts:
            if accordion := self.accordions.get(part.name):
                others = f"opened.filter(name => name != '{part.name}')"
                add_name = f"opened => [[...{others}, '{part.name}']]"
                accordion.expand(None, self.opened, self.opened, js=add_name)
                accordion.collapse(None, self.opened, self.opened, js=f"opened => [{others}]")
                draw_part, shown = partial(self.draw, [part], [part.name]), [self.notice, *part.outputs]
                name = f"expand_{self.name}_{part.name.strip('_')}"
                accordion.expand(draw_part, controls, shown, api_name=name, **UNLISTED)

    def draw(self, parts: list[Part], opened: list[str], *values: Any) -> list[Any]:
        """Return a notice, then a value per output: None in a closed part, no change after an error."""
        unchanged = [gr.skip() for part in parts for _ in part.outputs]
        shown = [MAIN, *(opened if isinstance(opened, list) else [])]
        controls = self.experiment.controls
        try:
            with collect_notices() as notices:
                state = {
                    one.name: from_component(one, value) for one, value in zip(controls, values, strict=True)
                }
                result = self.experiment.run(state)
            notice = " ".join(f"{one.label}: {notices[one.name]}" for one in controls if one.name in notices)
            drawn = [
                part.draw(result) if part.name in shown else [None] * len(part.outputs) for part in parts
            ]
            return [to_markdown(notice), *(value for values in drawn for value in values)]
        except InputError as error:
            return [to_markdown(f"**{error}**"), *unchanged]
        except Exception:
            log.exception("%s", self.name)
            return [to_markdown(f"**{SORRY}**"), *unchanged]

    def choose(self, title: str | None) -> list[Any]:
        """Return the preset's "what to watch" text and its value for each control."""
        preset = next((preset for preset in self.experiment.presets if preset.title == title), None)
        state = self.experiment.state(preset.state if preset else None)
        values = [to_component(control, state[control.name]) for control in self.experiment.controls]
        return [to_markdown(preset.watch if preset else ""), *values]


# ---- controls ----


def make_component(control: Control, value: Any) -> Component:
    """Create the Gradio component for a control with a validated value."""
    about: Any = {"value": to_component(control, value), "label": control.label}
    match control:
        case Slider():
            return gr.Slider(control.low, control.high, step=control.step, **about)
        case Choice():
            component = gr.Radio if len(control.options) <= MAX_RADIO_OPTIONS else gr.Dropdown
            return component(list(control.options), **about)
        case Toggle():
            return gr.Checkbox(**about)
        case Matrix():
            columns = len(control.default[0])
            about |= {"column_count": columns, "min_width": 80 * columns, "interactive": True}
            return gr.Dataframe(datatype="number", buttons=[], **about)
        case RowEdits():
            return gr.Textbox(info=f"{control.accepts}; written as 1:0.5,0.5;2:1,0", **about)
    return gr.Textbox(info=control.accepts, lines=6 if isinstance(control, PairFile) else 1, **about)


def input_events(component: Any) -> tuple[Event, ...]:
    """Events fired when a user sets a component; for text, when the input is complete."""
    match component:
        case gr.Slider():
            return component.input, component.release  # the slider's reset button fires `release`
        case gr.Dropdown():
            return (component.select,)
        case gr.Textbox():
            return component.submit, component.blur
    return (component.input,)


def to_component(control: Control, value: Any) -> Any:
    match control:
        case RowEdits() | SavedRuns():
            return control.write(value)
        case Matrix():
            return [list(row) for row in value]
    return value


def from_component(control: Control, value: Any) -> Any:
    match control:
        case RowEdits() | SavedRuns():
            return control.read(str(value or ""))
        case Matrix() if isinstance(value, dict):
            return value["data"]
        case Slider() if isinstance(value, int | float):  # Gradio's slider clamps typed numbers too late
            return max(control.low, min(value, control.high))
    return value


# ---- views ----


def return_types(view: View) -> tuple[Any, ...]:
    annotation = inspect.signature(view).return_annotation
    return get_args(annotation) or (annotation,)


def can_draw(view: View) -> bool:
    """Whether the view can return a picture, judged by its annotation without computing anything."""
    return set(return_types(view)) != {str}


def view_values(view: View, result: Any) -> list[Any]:
    """Values for Gradio: a sentence, or a picture's title and plot."""
    shown = view(result)
    if not isinstance(shown, Picture):
        hidden = [gr.update(value=None, visible=False)] if can_draw(view) else []
        return [to_markdown(shown), *hidden]
    figure = shown.figure()
    for title in figure.findobj(lambda artist: getattr(artist, "get_text", str)() == shown.title):
        title.set_text("")  # the title is above the plot, where a screen reader finds it
    plot = gr.update(value=figure, visible=True) if str in return_types(view) else figure
    return [to_markdown(f"**{shown.title}** {shown.full_description}"), plot]


def add_numbers(views: Iterable[View]) -> Part:
    """Add a data frame for each picture."""
    drawing = [view for view in views if can_draw(view)]
    labels = [view.__name__.replace("_", " ") for view in drawing]
    frames: list[Block] = [gr.Dataframe(label=label, interactive=False) for label in labels]

    def numbers(result: Any) -> list[Any]:
        pictures = [view(result) for view in drawing]
        return [picture.frame() if isinstance(picture, Picture) else None for picture in pictures]

    return Part(NUMBERS, frames, numbers)


# ---- texts ----


def add_text(text: str) -> None:
    """Add Markdown with equations in the colours of their roles."""
    if text:
        gr.Markdown(color_equations(text), latex_delimiters=DELIMITERS)


def to_markdown(sentence: str) -> str:
    """Convert a view's sentence to Markdown: **bold** and subscripts; other characters are escaped."""
    return re.sub(r"[\\`*_\[\]~|$]", lambda sign: f"&#{ord(sign[0])};", str(bold_html(sentence)))
