"""A page per lesson: an inner tab per experiment, then "Check yourself". All events are derived here, and stateless."""

import inspect
import logging
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr

from lessons.kit import link
from lessons.kit.contract import Experiment, InputError, Lesson, Verdict, plain
from lessons.kit.shell import chrome, components
from lessons.kit.shell.stage import message, stage_of

log = logging.getLogger("seq2see")
LATEX = [{"left": "$$", "right": "$$", "display": True}, {"left": "$", "right": "$", "display": False}]
CHECK = "check"  # the id of the last tab
LIVE: dict[str, Any] = {
    "queue": False,
    "preprocess": False,  # a thread hop for every input; the controls check each value themselves
    "show_progress": "hidden",
    "show_progress_on": [],  # else the browser copies every output's props, and all that is inside it, at every later event
    "api_visibility": "private",
}
LONG: dict[str, Any] = {
    "queue": True,
    "concurrency_id": "long",  # one queue for all long work of all learners
    "concurrency_limit": 1,
    "show_progress": "hidden",
    "show_progress_on": [],
    "api_visibility": "private",
    "trigger_mode": "multiple",  # its button is off while it runs
}
SORRY = "Something went wrong on our side; the last picture stays. Please try another setting, or reset."


class Screen:
    """One experiment on the page: its components, and what makes them move."""

    def __init__(self, lesson: Lesson, experiment: Experiment, number: int, numbers: gr.JSON):
        self.lesson, self.experiment, self.number, self.numbers = lesson, experiment, number, numbers
        self.stage = stage_of(lesson, experiment)
        self.build()
        self.connect()

    def build(self) -> None:
        id, experiment, words = self.stage.id, self.experiment, self.lesson.words.sections[self.experiment.slug]
        kicker = f"{self.lesson.short} · {self.number} of {len(self.lesson.experiments)}"
        with gr.Column(elem_classes=["experiment"], elem_id=id):
            gr.HTML(chrome.heading(kicker, words.question), elem_classes=["heading"], js_on_load=None)
            with gr.Row(equal_height=False, elem_classes=["bench"]):
                with gr.Column(scale=3, min_width=260, elem_classes=["hand"]):
                    gr.Markdown(words.before, latex_delimiters=LATEX, elem_classes=["before"])
                    self.guess = experiment.predict and components.exercise(experiment.predict, f"{id}-predict", guess=True)
                    self.controls = [components.component(c, f"{id}-{c.name}") for c in experiment.controls]
                    self.job = experiment.job and components.job(experiment.job, f"{id}-job")
                    self.presets = components.presets(self.lesson, experiment, f"{id}-presets")
                with gr.Column(scale=8, min_width=300, elem_classes=["eye"]):
                    self.note = gr.HTML("", elem_id=f"{id}-note", elem_classes=["note"], js_on_load=None)
                    self.shown = gr.HTML(
                        self.stage.placeholder,
                        html_template="",
                        js_on_load="seq2see.stage(element, props, watch)",
                        apply_default_css=False,
                        elem_id=f"{id}-stage",
                    )
                    gr.Markdown(words.after, latex_delimiters=LATEX, elem_classes=["after"])
            gr.HTML(chrome.foot(self.lesson, experiment), elem_classes=["foot"], js_on_load=None)

    def connect(self) -> None:
        always = LIVE | {"trigger_mode": "always_last"}
        gr.on([c.input for c in self.controls], self.draw, self.controls, [self.shown, self.note], **always)
        self.presets.input(self.try_preset, self.presets, [*self.controls, self.shown, self.note], **always)
        if self.job:
            work = self.job.input(self.work, [self.job, *self.controls], [self.shown, self.note, self.job], **LONG)
            self.job.stop(lambda: None, None, self.job, cancels=[work], **LIVE)
        if self.guess:
            self.guess.input(answering(self.experiment.predict, self.experiment), [self.guess, *self.controls], self.guess, **LIVE)
        public = {"api_name": f"{self.lesson.slug}_{self.experiment.slug}", "api_visibility": "public"}
        gr.on([], endpoint(self.lesson, self.experiment), self.controls, self.numbers, **LIVE | public)

    def draw(self, *values: Any) -> tuple[Any, str]:
        """Stage and note. A bad input leaves the last good picture where it is."""
        return self.answer(dict(zip((c.name for c in self.experiment.controls), values, strict=True)))

    def answer(self, values: dict[str, Any]) -> tuple[Any, str]:
        try:
            return self.stage.html(values), ""
        except InputError as error:
            return gr.skip(), message(error)
        except Exception:
            log.exception("%s with %s", self.stage.id, values)
            return gr.skip(), message(SORRY)

    def work(self, _: Any, *values: Any) -> Iterator[tuple[Any, str, float | None]]:
        """Long work: stage, note and the share done, again and again; what was found last stays."""
        named = dict(zip((c.name for c in self.experiment.controls), values, strict=True))
        try:
            state = self.experiment.state(named)
            for share, result in self.experiment.job.run(**state):
                yield self.stage.draw(state, result), "", share
            yield gr.skip(), "", None
        except InputError as error:
            yield gr.skip(), message(error), None
        except Exception:
            log.exception("%s, long work with %s", self.stage.id, named)
            yield gr.skip(), message(SORRY), None

    def try_preset(self, chosen: int | str | None) -> list[Any]:
        """Every control as the preset has it, or as a link has it; any other number is reset."""
        if isinstance(chosen, str):
            return self.restore(chosen)
        presets = self.experiment.presets
        state = presets[chosen].state if isinstance(chosen, int) and 0 <= chosen < len(presets) else {}
        return self.set(self.experiment.state(state))

    def restore(self, query: str) -> list[Any]:
        """A link: what it sets, and a word about what could not be read."""
        given = dict(parse_qsl(query, keep_blank_values=True))
        state, complaints = link.decode(self.experiment, given)
        if given.get("experiment", self.experiment.slug) != self.experiment.slug:
            complaints.insert(0, "This lesson has no such experiment; here is the first one.")
        *values, note = self.set(state)
        return [*values, message(" ".join(complaints)) if complaints else note]

    def set(self, state: dict[str, Any]) -> list[Any]:
        return [*state.values(), *self.answer(state)]


def endpoint(lesson: Lesson, experiment: Experiment) -> Callable[..., dict]:
    """A public function whose parameters are the controls: JSON numbers for notebooks, gradio_client and MCP."""

    def call(*values: Any, **named: Any) -> dict:
        given = dict(zip((c.name for c in experiment.controls), values, strict=False)) | named
        try:
            return experiment.run(given).numbers()
        except InputError as error:
            raise gr.Error(str(error), print_exception=False) from error

    call.__name__ = f"{lesson.slug}_{experiment.slug}"
    call.__signature__ = inspect.Signature(
        [
            inspect.Parameter(control.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=plain(control.default))
            for control in experiment.controls
        ]
    )
    lines = "".join(f"\n    {c.name}: {c.label}" for c in experiment.controls)
    call.__doc__ = (
        f"{lesson.words.sections[experiment.slug].question} Lesson {lesson.short}: {experiment.title}.\n\nParameters:{lines}"
    )
    return call


def answering(exercise: Any, experiment: Experiment | None) -> Callable[..., dict]:
    """The event of an exercise: its own value and the controls of its experiment → the verdict."""

    def judge(given: dict | None, *values: Any) -> dict:
        answer = (given or {}).get("answer")
        try:
            state = experiment.state(dict(zip((c.name for c in experiment.controls), values, strict=True))) if experiment else {}
            verdict = exercise.check(exercise.answer.check(answer) if exercise.answer else None, state)
        except InputError as error:
            verdict = Verdict(False, str(error))
        return {"answer": answer, "ok": verdict.ok, "message": verdict.message}

    return judge


def lesson_page(lesson: Lesson) -> None:
    """Everything on the page of one lesson, inside a Blocks context."""
    numbers = gr.JSON(visible=False)  # what the endpoints answer
    with gr.Tabs(elem_classes=["experiments"], elem_id=lesson.slug) as tabs:
        screens = {}
        for number, experiment in enumerate(lesson.experiments, start=1):
            with gr.Tab(experiment.title, id=experiment.slug):
                screens[experiment.slug] = Screen(lesson, experiment, number, numbers)
        if lesson.exercises:
            with gr.Tab("Check yourself", id=CHECK):
                check_yourself(lesson, screens)
    open_tab(lesson, tabs)


def check_yourself(lesson: Lesson, screens: dict[str, Screen]) -> None:
    with gr.Column(elem_classes=["experiment", "exercises"], elem_id=f"{lesson.slug}-{CHECK}"):
        gr.HTML(
            chrome.heading(f"{lesson.short} · Check yourself", lesson.words.question), elem_classes=["heading"], js_on_load=None
        )
        for item in lesson.exercises:
            field = components.exercise(item, f"{lesson.slug}-{CHECK}-{item.slug}")
            screen = screens.get(item.experiment or "")
            inputs = [field, *(screen.controls if screen else ())]
            field.input(answering(item, screen and screen.experiment), inputs, field, **LIVE)


def open_tab(lesson: Lesson, tabs: gr.Tabs) -> None:
    """Opening a link: its tab. Its state follows once the tab is there (kinds.presets in controls.js)."""
    known = {CHECK, *(experiment.slug for experiment in lesson.experiments)}

    def load(request: gr.Request) -> Any:
        slug = request.query_params.get("experiment") if request else None
        return gr.Tabs(selected=slug) if slug in known else gr.skip()

    gr.context.Context.root_block.load(load, None, tabs, **LIVE)
