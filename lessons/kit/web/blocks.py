"""A Gradio app derived from the data of an experiment, a lesson or the course.

It is made of Gradio's own sliders, plots (matplotlib) and data frames (pandas), and runs wherever Gradio does:
    blocks("attention/steer").launch()                            in a notebook or a terminal
    gr.mount_gradio_app(app, course(LESSONS), path="/gradio")     beside other pages

Every event is unqueued, so that any worker can answer it. Gradio shows gr.Warning only for queued events: a bad value is therefore
answered in a line above the pictures, and the pictures stay as they are.
"""

import inspect
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, get_args

import gradio as gr
from gradio.blocks import Block
from gradio.components import Component

from lessons.kit.contract import (
    Choice,
    Control,
    Edits,
    Experiment,
    InputError,
    Layout,
    Lesson,
    Made,
    Matrix,
    Pairs,
    Slider,
    Step,
    Toggle,
    View,
)
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.base import SUBSCRIPT, Picture, escape
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.web.gradio_api import limit_sessions

Event = Callable[..., Any]  # of Gradio: slider.input, tab.select
log = logging.getLogger("seq2see")
SORRY = "Something went wrong on our side. Try another setting."
MAIN, NUMBERS = "_main", "_numbers"  # names of parts; the slug of a closer look begins with a letter
RADIO_OPTIONS = 4  # a choice with more options becomes a menu
MAX_SESSIONS = 32  # Gradio keeps the last pictures of each session, megabytes in all; a session that it drops loses nothing
UNLISTED: Any = {
    "queue": False,
    "api_visibility": "undocumented",
    "preprocess": False,
}  # values are checked by their controls
DELIMITERS: Any = [
    {"left": "$$", "right": "$$", "display": True},
    {"left": "$", "right": "$", "display": False},
]
MACROS = {"src": "source", "tgt": "target", "att": "weight", "ctx": "context"}  # in equations: \src{h_i}


def blocks(what: Experiment | Lesson | str) -> gr.Blocks:
    """The app of an experiment or a lesson, given itself or by its name: "attention/steer", "attention"."""
    found, lesson = resolve(what)
    with gr.Blocks(title=found.title, analytics_enabled=False) as app:
        if isinstance(found, Lesson):
            add_lesson(found, app.load)
        else:
            Panel(found, lesson).listen(app.load)
    limit_sessions(app, MAX_SESSIONS)
    return app


def course(lessons: Iterable[Lesson]) -> gr.Blocks:
    """The app of several lessons: a tab for each, and in it a tab for each experiment. Only the tab in view is drawn."""
    with gr.Blocks(title="Seq2See", analytics_enabled=False) as app:
        for n, lesson in enumerate(lessons):
            with gr.Tab(lesson.short) as tab:
                add_lesson(lesson, tab.select if n else app.load)
    limit_sessions(app, MAX_SESSIONS)
    return app


def resolve(what: Experiment | Lesson | str) -> tuple[Experiment | Lesson, Lesson | None]:
    """A lesson, or an experiment with its lesson (None if no lesson of the course has it)."""
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
    """Add a tab for each experiment. The first is drawn when the lesson opens, every other when it is selected."""
    add_text(f"# {lesson.words.question}\n\n{lesson.words.lead}")
    for n, experiment in enumerate(lesson.experiments):
        with gr.Tab(experiment.title) as tab:
            panel = Panel(experiment, lesson)
        panel.listen(tab.select if n else opening)


# ---- one experiment ----


@dataclass
class Part:
    """Components that are drawn together: the main views, their numbers, or a closer look."""

    name: str
    outputs: list[Block]
    draw: Callable[[Any], list[Any]]  # result → a value for each output


class Panel:
    """One experiment as components of the gr.Blocks that is open. Nothing is computed before an event asks for it."""

    def __init__(self, experiment: Experiment, lesson: Lesson | None):
        self.experiment = experiment
        self.name = f"{lesson.slug}_{experiment.slug}" if lesson else experiment.slug
        self.inputs: dict[str, Component] = {}
        self.accordions: dict[str, gr.Accordion] = {}
        words = lesson.words.sections[experiment.slug] if lesson else None
        add_text(f"## {words.question}\n\n{words.before}" if words else f"## {experiment.title}")
        titles = [preset.title for preset in experiment.presets]
        self.preset = gr.Dropdown(titles, value=None, label="Try", visible=bool(titles))
        self.watch = gr.Markdown(latex_delimiters=[])
        placed = set(leaves((experiment.layout, *(act.layout for act in experiment.acts))))
        with gr.Row():
            for control in experiment.controls:
                if control.name not in placed:
                    self.inputs[control.name] = component(control)
        self.notice = gr.Markdown(latex_delimiters=[])
        self.parts = [self.add_views(MAIN, experiment.views, experiment.layout)]
        with gr.Accordion("Numbers of these pictures", open=False) as self.accordions[NUMBERS]:
            self.parts.append(add_numbers(experiment.views))
        add_text(words.after if words else "")
        for act in experiment.acts:
            about = words.acts[act.slug] if words else None
            with gr.Accordion(about.question if about else act.slug, open=False) as self.accordions[act.slug]:
                add_text(about.body if about else "")
                self.parts.append(self.add_views(act.slug, act.views, act.layout))
        self.parts.append(self.adapt())
        # The page remembers which parts are open: a worker that has not seen this session can draw them, too.
        self.opened = gr.CheckboxGroup([MAIN, *self.accordions], value=[MAIN], visible=False)

    def add_views(self, name: str, views: tuple[View, ...], layout: Layout) -> Part:
        """Add components for views, and for the controls among them, as the layout says: in turn stacked and side by side."""
        named, slots = {view.__name__: view for view in views}, {}

        def place(names: Layout, across: bool = False) -> None:
            for one in names:
                if isinstance(one, tuple):
                    with gr.Column() if across else gr.Row():
                        place(one, not across)
                elif one in named:
                    with gr.Column():
                        slots[one] = add_view(named[one])
                else:
                    self.inputs[one] = component(
                        next(control for control in self.experiment.controls if control.name == one)
                    )

        place(layout or tuple(named))
        outputs = [slot for one in named for slot in slots[one]]
        return Part(
            name, outputs, lambda result: [value for view in views for value in view_values(view, result)]
        )

    def adapt(self) -> Part:
        """What a result changes around the pictures: questions with this run's numbers, and the last step of a Step."""
        asking = [act for act in self.experiment.acts if act.asks]
        steps = [control for control in self.experiment.controls if isinstance(control, Step)]

        def updates(result: Any) -> list[Any]:
            last = {control.name: control.high for control in steps} | result.limits()
            ends = [
                max(last[control.name], control.low + control.step) for control in steps
            ]  # a slider of one value is refused
            return [gr.update(label=act.asks(result)) for act in asking if act.asks] + [
                gr.update(maximum=end) for end in ends
            ]

        outputs = [
            *(self.accordions[act.slug] for act in asking),
            *(self.inputs[control.name] for control in steps),
        ]
        return Part(MAIN, outputs, updates)

    def listen(self, opening: Event) -> None:
        """Draw when the experiment opens, a control is set, a preset is chosen or a part is expanded."""
        controls = [self.inputs[control.name] for control in self.experiment.controls]
        inputs, outputs = (
            [self.opened, *controls],
            [self.notice, *(slot for part in self.parts for slot in part.outputs)],
        )
        events = [opening, *(event for each in controls for event in set_by_hand(each))]
        draw = partial(self.draw, self.parts)
        gr.on(
            events,
            draw,
            inputs,
            outputs,
            api_name=f"draw_{self.name}",
            trigger_mode="always_last",
            show_progress="hidden",
            **UNLISTED,
        )
        chosen = self.preset.select(
            self.choose, self.preset, [self.watch, *controls], api_name=f"try_{self.name}", **UNLISTED
        )
        chosen.then(
            draw, inputs, outputs, api_name=f"draw_{self.name}_preset", show_progress="hidden", **UNLISTED
        )
        for part in self.parts:
            if accordion := self.accordions.get(part.name):
                others = f"opened.filter(name => name != '{part.name}')"
                accordion.expand(
                    None, self.opened, self.opened, js=f"opened => [[...{others}, '{part.name}']]"
                )
                accordion.collapse(None, self.opened, self.opened, js=f"opened => [{others}]")
                draw_part, shown = partial(self.draw, [part], [part.name]), [self.notice, *part.outputs]
                accordion.expand(
                    draw_part,
                    controls,
                    shown,
                    api_name=f"expand_{self.name}_{part.name.strip('_')}",
                    **UNLISTED,
                )

    def draw(self, parts: list[Part], opened: list[str], *given: Any) -> list[Any]:
        """A notice, and a value for each output of the parts: nothing for a closed part, no change if something is wrong."""
        unchanged = [gr.skip() for part in parts for _ in part.outputs]
        shown = [MAIN, *(opened if isinstance(opened, list) else [])]
        try:
            with collect_notices() as remarks:
                pairs = zip(self.experiment.controls, given, strict=True)
                result = self.experiment.run(
                    {control.name: from_component(control, value) for control, value in pairs}
                )
            notice = " ".join(
                f"{one.label}: {remarks[one.name]}" for one in self.experiment.controls if one.name in remarks
            )
            drawn = [
                part.draw(result) if part.name in shown else [None] * len(part.outputs) for part in parts
            ]
            return [prose(notice), *(value for values in drawn for value in values)]
        except InputError as error:
            return [prose(f"**{error}**"), *unchanged]
        except Exception:
            log.exception("%s", self.name)
            return [prose(f"**{SORRY}**"), *unchanged]

    def choose(self, title: str | None) -> list[Any]:
        """What to watch at a preset, and a value for each control."""
        preset = next((preset for preset in self.experiment.presets if preset.title == title), None)
        state = self.experiment.state(preset.state if preset else None)
        return [
            prose(preset.watch if preset else ""),
            *(to_component(control, state[control.name]) for control in self.experiment.controls),
        ]


# ---- controls ----


def component(control: Control) -> Component:
    """The component that sets a control."""
    about: Any = {"value": to_component(control, control.check(control.default)), "label": control.label}
    match control:
        case Slider():
            return gr.Slider(control.low, control.high, step=control.step, **about)
        case Choice():
            return (gr.Radio if len(control.options) <= RADIO_OPTIONS else gr.Dropdown)(
                list(control.options), **about
            )
        case Toggle():
            return gr.Checkbox(**about)
        case Matrix():
            columns = len(control.default[0])
            return gr.Dataframe(
                datatype="number",
                column_count=columns,
                min_width=80 * columns,
                interactive=True,
                buttons=[],
                **about,
            )
        case Edits():
            return gr.Textbox(info=f"{control.wants}; written as 1:0.5,0.5;2:1,0", **about)
    return gr.Textbox(info=control.wants, lines=6 if isinstance(control, Pairs) else 1, **about)


def set_by_hand(component: Any) -> tuple[Event, ...]:
    """The events that say: a person has set this. Text counts when it is complete, since half a sentence may be a wrong one."""
    match component:
        case gr.Slider():
            return component.input, component.release  # the second for its reset button
        case gr.Dropdown():
            return (component.select,)
        case gr.Textbox():
            return component.submit, component.blur
    return (component.input,)


def to_component(control: Control, value: Any) -> Any:
    match control:
        case Edits() | Made():
            return control.write(value)
        case Matrix():
            return [list(row) for row in value]
    return value


def from_component(control: Control, value: Any) -> Any:
    match control:
        case Edits() | Made():
            return control.read(str(value or ""))
        case Matrix() if isinstance(value, dict):
            return value["data"]
        case Slider() if isinstance(value, int | float):
            return max(
                control.low, min(value, control.high)
            )  # as the slider itself does, a moment after a number is typed
    return value


# ---- views ----


def add_view(view: View) -> list[Block]:
    """Components for a view: words or the title of a picture, and a plot if it draws one."""
    words = gr.Markdown(latex_delimiters=[])
    return [words, gr.Plot(show_label=False)] if draws(view) else [words]


def view_values(view: View, result: Any) -> list[Any]:
    shown = view(result)
    if not isinstance(shown, Picture):
        return [prose(shown), gr.update(value=None, visible=False)] if draws(view) else [prose(shown)]
    figure = shown.figure()
    for title in figure.findobj(lambda artist: getattr(artist, "get_text", str)() == shown.title):
        title.set_text("")  # it stands above the plot, where a screen reader finds it
    plot = gr.update(value=figure, visible=True) if speaks(view) else figure
    return [prose(f"**{shown.title}** {shown.about}"), plot]


def add_numbers(views: Iterable[View]) -> Part:
    """Add a data frame for each picture."""
    drawing = [view for view in views if draws(view)]
    frames: list[Block] = [
        gr.Dataframe(label=view.__name__.replace("_", " "), interactive=False) for view in drawing
    ]

    def numbers(result: Any) -> list[Any]:
        pictures = [view(result) for view in drawing]
        return [picture.frame() if isinstance(picture, Picture) else None for picture in pictures]

    return Part(NUMBERS, frames, numbers)


def draws(view: View) -> bool:
    """Can the view return a picture? Its annotation says so: nothing has to be computed."""
    return inspect.signature(view).return_annotation is not str


def speaks(view: View) -> bool:
    """Can it return words instead of a picture?"""
    return str in get_args(inspect.signature(view).return_annotation)


# ---- words ----


def add_text(words: str) -> None:
    """Add Markdown with equations; roles have their colours."""
    for macro, role in MACROS.items():
        words = words.replace(f"\\{macro}{{", f"\\textcolor{{{LIGHT[role]}}}{{")
    if words:
        gr.Markdown(words, latex_delimiters=DELIMITERS)


def prose(words: str) -> str:
    """Words of a view as Markdown: **bold** and W_hh with its subscript; every other sign means itself."""
    html = SUBSCRIPT.sub(lambda found: f"<sub>{found[1].strip('{}')}</sub>", escape(words))
    html = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html)
    return re.sub(r"[\\`*_\[\]~|$]", lambda sign: f"&#{ord(sign[0])};", html)


def leaves(layout: Layout) -> Iterator[str]:
    """All names in a layout."""
    for one in layout:
        yield from leaves(one) if isinstance(one, tuple) else (one,)
