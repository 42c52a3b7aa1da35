"""A page per lesson: an inner tab per experiment, then "Check yourself". All events are derived here, and stateless."""

import inspect
import json
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr

from lessons.kit import link
from lessons.kit.contract import Exercise, Experiment, InputError, Lesson, Verdict, plain
from lessons.kit.web import chrome, components
from lessons.kit.web.renderer import SORRY, RenderError, Renderer, complaint

CHECK = "check"  # the id of the last tab
LIVE: dict[str, Any] = {
    "queue": False,
    "preprocess": False,  # a thread hop for every input; the controls check each value themselves
    "api_visibility": "private",
}


class Screen:
    """One experiment on the page: its components, and what makes them move."""

    def __init__(self, lessons: Sequence[Lesson], stage: Renderer, numbers: gr.JSON):
        self.stage, self.lesson, self.experiment = stage, stage.lesson, stage.experiment
        self.build(lessons)
        self.connect(numbers)

    def build(self, lessons: Sequence[Lesson]) -> None:
        id, experiment = self.stage.id, self.experiment
        placed = components.placed(experiment)
        with gr.Column(elem_classes=["experiment"], elem_id=id):
            static(chrome.heading(self.lesson.words.sections[experiment.slug].question), "heading")
            with gr.Row(equal_height=False, elem_classes=["bench"]):
                with gr.Column(elem_classes=["hand"]):
                    static(self.stage.words["before"], "before", "words")
                    self.guess = experiment.predict and components.exercise(experiment.predict, f"{id}-predict", guess=True)
                    self.controls = [components.component(c, f"{id}-{c.name}", c.name in placed) for c in experiment.controls]
                    if experiment.job:
                        components.job(experiment.job, f"{id}-job")
                with gr.Column(elem_classes=["eye"]):
                    self.presets = components.presets(experiment, f"{id}-presets")
                    self.acts = components.acts(f"{id}-acts")
                    self.shown = gr.HTML(
                        "",  # what is in it comes with the page (first.py), or is asked for when its tab is opened
                        html_template="",
                        js_on_load="seq2see.stage(element)",
                        apply_default_css=False,
                        elem_id=f"{id}-stage",
                        elem_classes=["stage-block"],
                    )
            static(chrome.foot(lessons, self.lesson, experiment), "foot")

    def connect(self, numbers: gr.JSON) -> None:
        settings = [*self.controls, self.acts]
        # nothing triggers these: assets/js/answers.js asks for them
        gr.on([], self.draw, settings, self.shown, **LIVE)
        gr.on([], self.try_preset, [self.presets, self.acts], [*settings, self.shown], **LIVE)
        if self.guess and self.experiment.predict:
            judge = answering(self.experiment.predict, self.experiment)
            gr.on([], judge, [self.guess, *self.controls], self.guess, **LIVE)
        public = {"api_name": f"{self.lesson.slug}_{self.experiment.slug}", "api_visibility": "public"}
        gr.on([], endpoint(self.stage), self.controls, numbers, **LIVE | public)

    def named(self, values: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip((c.name for c in self.experiment.controls), values, strict=True))

    def draw(self, *values: Any) -> str:
        *controls, acts = values
        return self.answer(self.named(tuple(controls)), acts)

    def answer(self, values: dict[str, Any], acts: Any) -> str:
        """The stage, or what to do about a bad input: then the last good picture stays where it is."""
        try:
            return self.stage.html(values, acts)
        except InputError as error:
            return complaint(str(error), error.control)
        except RenderError as error:
            return complaint(str(error))

    def try_preset(self, chosen: int | str | None, acts: Any) -> list[Any]:
        """Every control as the preset has it, or as a link has it; any other number is reset. Open acts stay open."""
        if isinstance(chosen, str):
            return self.restore(chosen)
        presets = self.experiment.presets
        state = presets[chosen].state if isinstance(chosen, int) and 0 <= chosen < len(presets) else {}
        return self.set(self.experiment.state(state), self.experiment.opened(acts))

    def restore(self, query: str) -> list[Any]:
        """A link: what it sets, and a word about what could not be read."""
        state, acts, complaints = link.decode(self.experiment, dict(parse_qsl(query, keep_blank_values=True)))
        *values, shown = self.set(state, acts)
        return [*values, complaint(" ".join(complaints)) if complaints and state == self.experiment.state() else shown]

    def set(self, state: dict[str, Any], acts: tuple[str, ...]) -> list[Any]:
        return [*state.values(), list(acts), self.answer(state, acts)]


def static(html: str, *classes: str) -> None:
    """HTML that nothing changes."""
    gr.HTML(html, elem_classes=list(classes), js_on_load="seq2see.typeset(element)" if "words" in classes else None)


def endpoint(stage: Renderer) -> Callable[..., dict]:
    """A public function whose parameters are the controls: JSON numbers for notebooks, gradio_client and MCP."""
    lesson, experiment = stage.lesson, stage.experiment

    def call(*values: Any, **named: Any) -> dict:
        given = dict(zip((c.name for c in experiment.controls), values, strict=False)) | named
        try:
            return stage.numbers(given)
        except (InputError, RenderError) as error:
            raise gr.Error(str(error), print_exception=False) from error

    call.__name__ = f"{lesson.slug}_{experiment.slug}"
    parameters = [
        inspect.Parameter(control.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=plain(control.default))
        for control in experiment.controls
    ]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    lines = "".join(f"\n    {c.name}: {c.label}: {c.wants}. By default {shortly(c.default)}." for c in experiment.controls)
    question = lesson.words.sections[experiment.slug].question
    call.__doc__ = f"{question} Experiment “{experiment.title}” of the lesson “{lesson.title}”.\n\nParameters:{lines}"
    return call


def shortly(value: Any) -> str:
    text = json.dumps(plain(value), ensure_ascii=False)
    return text if len(text) < 80 else "as on the page"


def answering(exercise: Exercise, experiment: Experiment | None) -> Callable[..., dict]:
    """The event of an exercise: its own value and the controls of its experiment → the verdict."""

    def judge(given: dict | None, *values: Any) -> dict:
        answer = given.get("answer") if isinstance(given, dict) else None
        try:
            state = experiment.state(dict(zip((c.name for c in experiment.controls), values, strict=True))) if experiment else {}
            verdict = exercise.check(exercise.answer.check(answer) if exercise.answer else None, state)
        except InputError as error:
            verdict = Verdict(False, str(error))
        except Exception:
            verdict = Verdict(False, SORRY)
        return {"answer": answer, "ok": verdict.ok, "message": verdict.message}

    return judge


def lesson_page(lessons: Sequence[Lesson], lesson: Lesson, stages: Sequence[Renderer]) -> None:
    """Everything on the page of one lesson, inside a Blocks context."""
    numbers = gr.JSON(visible=False)  # what the endpoints answer
    with gr.Tabs(elem_classes=["experiments"], elem_id=lesson.slug, selected=tab_placeholder(lesson)):
        screens = {}
        for stage in stages:
            with gr.Tab(stage.experiment.title, id=stage.experiment.slug):
                screens[stage.experiment.slug] = Screen(lessons, stage, numbers)
        if lesson.exercises:
            with gr.Tab("Check yourself", id=CHECK):
                check_yourself(lessons, lesson, screens)


def tab_placeholder(lesson: Lesson) -> str:
    """Stands in the page until it is asked for: then the tab that the address names is open from the start (pages.py)."""
    return f"@@tab-{lesson.slug}@@"


def check_yourself(lessons: Sequence[Lesson], lesson: Lesson, screens: dict[str, Screen]) -> None:
    with gr.Column(elem_classes=["experiment", "exercises"], elem_id=f"{lesson.slug}-{CHECK}"):
        static(chrome.heading(lesson.words.question), "heading")
        for item in lesson.exercises:
            field = components.exercise(item, f"{lesson.slug}-{CHECK}-{item.slug}")
            screen = screens.get(item.experiment or "")
            inputs = [field, *(screen.controls if screen else ())]
            gr.on([], answering(item, screen.experiment if screen else None), inputs, field, **LIVE)
        static(chrome.foot(lessons, lesson), "foot")
