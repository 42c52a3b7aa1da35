"""Render the drawing of an experiment: everything it shows for one state.

A drawing is text: a line of JSON metadata, a line of HTML with the layout, then a line of HTML for each
piece. Pieces are pictures, sentences, texts, and headings of closer looks. Each has an id, so the browser
replaces only pieces that differ (assets/js/show_drawing.js). A page already contains the pieces of its first
state (layout.py). Drawings are cached.
"""

import json
import logging
import pickle
import re
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

from markupsafe import Markup

from lessons.kit import link
from lessons.kit.contract import Act, Experiment, InputError, Lesson, Result, State, View, state_key
from lessons.kit.glossary import link_terms
from lessons.kit.language import cache_by_language, text_language, translate
from lessons.kit.markdown import render_markdown
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.base import Picture
from lessons.kit.templates import ENVIRONMENT, render, subscript_html
from lessons.kit.web.cache import ANSWERS, PICTURES
from models import zoo

log = logging.getLogger("seq2see")
MAX_LOGGED_ERRORS = 1024  # different errors; each is logged once
NARROW_PX = 366  # width of a picture on a phone
PIECE_ID = re.compile(r" id='([^']+)'")
SORRY = "Something went wrong on our side. Please try another setting, or reset."
PIECES: Any = ENVIRONMENT.get_template("kit/templates/pieces.html").module
logged_errors: set[tuple[str, str, str]] = set()  # renderer, part, error


class RenderError(Exception):
    """An experiment cannot be drawn because of a bug. The message is for the learner."""


class Renderer:
    """Render one experiment of a lesson."""

    def __init__(self, lesson: Lesson, experiment: Experiment, terms: tuple[str, ...] = ()):
        self.lesson, self.experiment, self.terms = lesson, experiment, terms
        self.id = f"{lesson.slug}-{experiment.slug}"

    def drawing(self, values: State, acts: Any = (), is_narrow: bool = False) -> str:
        """Return the drawing for these values. Raise InputError for a bad value, RenderError for a bug."""
        with self.in_its_language():
            state, opened = self.experiment.state(values), self.experiment.select_acts(acts)
            if self.experiment.is_private(state):
                return self.draw(state, opened, is_narrow=is_narrow)
            key = ("drawing", self, state_key(state), opened, is_narrow)
            return ANSWERS(key, lambda: self.draw(state, opened, is_narrow=is_narrow))

    def in_its_language(self) -> AbstractContextManager[None]:
        """Render in the page's language if the experiment has a text in it, otherwise in English."""
        return text_language(self.lesson.text.experiments[self.experiment.slug].language)

    def compute(self, state: State) -> Result:
        try:
            return self.experiment.compute(**state)
        except InputError as error:
            texts = [control.name for control in self.experiment.controls if hasattr(control, "suggestions")]
            control = error.control or (texts[0] if len(texts) == 1 else None)
            raise InputError(str(error), control, error.nearest) from error
        except Exception as error:
            raise RenderError(self.log_error(error, "compute")) from error

    def log_error(self, error: Exception, where: str) -> str:
        """Log the traceback of a bug once; return the message for the learner."""
        if (self.id, where, repr(error)) not in logged_errors and len(logged_errors) < MAX_LOGGED_ERRORS:
            logged_errors.add((self.id, where, repr(error)))
            log.error("%s, %s", self.id, where, exc_info=error)
        return str(error) if isinstance(error, zoo.CheckpointError) else translate(SORRY)

    def draw(
        self, state: State, acts: tuple[str, ...] = (), result: Result | None = None, is_narrow: bool = False
    ) -> str:
        """Draw without the cache. A job's `result` is drawn with all closer looks: it is not recomputed."""
        is_job, is_cached = result is not None, not self.experiment.is_private(state)
        with collect_notices() as notices:
            result = result or self.compute(state)
        about: dict[str, Any] = {
            "link": link.encode(self.experiment, {**state, **(result.sets() if is_job else {})}, acts),
            "limits": result.limits(),
            "covers": self.covers,
        }
        if idle := result.idle():
            about["idle"] = idle
        if notices:
            about["notices"] = notices
        if notices.offers:
            about["offers"] = {name: [*words.items()] for name, words in notices.offers.items()}
        if notices.vocabularies:
            about["vocabularies"] = notices.vocabularies
        if is_job:
            about |= {"open": acts, "set": result.sets()}
            acts = tuple(act.slug for act in self.experiment.acts)
        pieces = [self.render_view(view, result, is_cached, is_narrow) for view in self.experiment.views]
        pieces.append(PIECES.text(f"{self.id}-meaning", self.text["after"]))
        for act in self.experiment.acts:
            pieces.append(self.render_act_heading(act, act.slug in acts, result))
            if act.slug in acts:
                pieces.append(PIECES.text(f"{self.id}-act-{act.slug}-words", self.text[act.slug]))
                pieces += [self.render_view(view, result, is_cached, is_narrow) for view in act.views]
        head = json.dumps(about, ensure_ascii=False, separators=(",", ":")), render_skeleton(self, acts)
        return "\n".join([*head, *map(to_one_line, pieces)])

    @cached_property
    def covers(self) -> list[str]:
        """Ids of the pieces that would reveal the answer to the guess."""
        guess = self.experiment.predict
        return [f"{self.id}-{name}" for name in ("reading", *guess.covers)] if guess else []

    @property
    def text(self) -> dict[str, Markup]:
        """The texts of the experiment as HTML, by part. The first use of a term links to the glossary."""
        return render_lesson_text(self.lesson, self.terms)[self.experiment.slug]

    def render_act_heading(self, act: Act, is_open: bool, result: Result) -> str:
        words = self.lesson.text.experiments[self.experiment.slug].acts[act.slug]
        question = act.asks(result) if act.asks else words.question
        id = f"{self.id}-act-{act.slug}"
        return PIECES.act(id, act.slug, is_open, question, words.quiet, act.is_for_stage)

    def render_view(self, view: View, result: Result, is_cached: bool, is_narrow: bool) -> str:
        """Render a view as a piece. If the view fails, the piece is an error message."""
        name = f"{self.id}-{view.__name__}"
        try:
            shown = view(result)
            if isinstance(shown, Picture):
                return render_figure(name, shown.narrowed(NARROW_PX) if is_narrow else shown, is_cached)
            return PIECES.sentence(name, view.__name__, bold_html(shown))
        except Exception as error:
            return PIECES.error(name, self.log_error(error, view.__name__))

    def api_answer(self, values: State) -> dict[str, Any]:
        """The answer of the public endpoint: the reading as plain text, then the numbers."""
        result = self.compute(self.experiment.state(values))
        try:
            [reading] = [view(result) for view in self.experiment.views if view.__name__ == "reading"]
            return {"reading": reading.replace("**", "")} | result.numbers()
        except Exception as error:
            raise RenderError(self.log_error(error, "answer")) from error

    def pictures(self, values: State | None = None) -> dict[str, Picture]:
        """All pictures by the names of their views, for exports."""
        with self.in_its_language():
            result = self.compute(self.experiment.state(values))
            try:
                shown = {view.__name__: view(result) for view in self.experiment.all_views}
            except Exception as error:
                raise RenderError(self.log_error(error, "exports")) from error
        return {name: picture for name, picture in shown.items() if isinstance(picture, Picture)}


def render_figure(id: str, picture: Picture, is_cached: bool) -> str:
    """Render a picture with its title, cached by content: a control seldom changes all pictures."""

    def make() -> str:
        width, html = picture.page_html()
        return PIECES.picture(id, f"{width:.0f}", picture.title, Markup(html))

    return PICTURES((id, pickle.dumps(picture)), make) if is_cached else make()


@cache_by_language
def render_skeleton(renderer: Renderer, acts: tuple[str, ...]) -> str:
    """Render the layout of a drawing: a slot for each piece and each control among the pieces."""
    return to_one_line(render("kit/templates/drawing.html", pieces=None, **layout_values(renderer, acts)))


def layout_values(renderer: Renderer, acts: tuple[str, ...]) -> dict[str, Any]:
    """The layouts of an experiment and its closer looks, for templates/drawing.html."""
    experiment = renderer.experiment
    acts_values = [
        {"slug": act.slug, "open": act.slug in acts, "layout": act.layout or view_names(act.views)}
        for act in experiment.acts
    ]
    return {
        "id": renderer.id,
        "note": "",
        "layout": experiment.layout or view_names(experiment.views),
        "acts": acts_values,
        "controls": {control.name for control in experiment.controls},
    }


@cache_by_language
def render_lesson_text(lesson: Lesson, terms: tuple[str, ...]) -> dict[str, dict[str, Markup]]:
    """The texts of a lesson as HTML, by experiment and part."""
    linked: set[str] = set()

    def html(text: str) -> Markup:
        return Markup(link_terms(render_markdown(text), terms, linked))

    return {
        slug: (
            {"before": html(section.before), "after": html(section.after)}
            | {act: html(words.body) for act, words in section.acts.items()}
        )
        for slug, section in lesson.text.experiments.items()
    }


def view_names(views: tuple[View, ...]) -> tuple[str, ...]:
    return tuple(view.__name__ for view in views)


def to_one_line(html: str) -> str:
    """Put HTML on one line, with single quotes around attributes, which JSON does not need to escape."""
    # a plain str, because Markup would escape the replacements
    return str(html).strip().replace("\n", " ").replace('"', "'")


def error_body(message: str, control: str | None = None, nearest: str = "") -> str:
    """Response instead of a drawing: what is wrong and what to do. The page keeps the last picture.

    `nearest` is a text that can be used; the page offers it beside the control.
    """
    about = {"complaint": message, "control": control} | ({"nearest": nearest} if nearest else {})
    return json.dumps(about, ensure_ascii=False)


def parse_drawing(drawing: str) -> tuple[dict[str, Any], dict[str, Markup]]:
    """Parse a drawing into its JSON metadata and its pieces by id."""
    about, _, *pieces = drawing.split("\n")
    return json.loads(about), {id[1]: Markup(piece) for piece in pieces if (id := PIECE_ID.search(piece))}


def bold_html(words: str) -> Markup:
    """Convert a sentence to escaped HTML; **this** becomes bold and W_hh gets a subscript."""
    return Markup(re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", str(subscript_html(words))))
