"""What an experiment shows for one state: its drawing.

A drawing is text: a line of JSON about it, a line of HTML that lays it out, then a line of HTML for each piece. Pieces are
pictures, the reading, texts, and the headings of closer looks, each with an id: the browser changes only those that differ
(assets/js/stage.js), and a page has them in their places from the start (layout.py). Pure; drawings are cached.
"""

import json
import logging
import pickle
import re
from functools import cached_property, lru_cache
from typing import Any

from markupsafe import Markup

from lessons.kit import link
from lessons.kit.contract import Act, Experiment, InputError, Lesson, Result, State, View, canonical
from lessons.kit.glossary import link_terms
from lessons.kit.markdown import rendered
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.base import Picture
from lessons.kit.templates import ENVIRONMENT, lowered, render
from lessons.kit.web.cache import ANSWERS, PICTURES
from models import zoo

log = logging.getLogger("seq2see")
MAX_LOGGED = 1024  # defects that the log has once each
NARROW = 366  # pixels that a phone has for a picture
PIECE_ID = re.compile(r" id='([^']+)'")
SORRY = "Something went wrong on our side. Please try another setting, or reset."
PIECES: Any = ENVIRONMENT.get_template("kit/templates/pieces.html").module


class RenderError(Exception):
    """An experiment that cannot be shown, through no fault of the learner's. The message is for the learner."""


class Renderer:
    """Draws one experiment of one lesson."""

    def __init__(self, lesson: Lesson, experiment: Experiment, terms: tuple[str, ...] = ()):
        self.lesson, self.experiment, self.terms = lesson, experiment, terms
        self.id = f"{lesson.slug}-{experiment.slug}"

    def drawing(self, values: State, acts: Any = (), is_narrow: bool = False) -> str:
        """The drawing for these values. InputError says what to do about a bad one, RenderError that the fault is ours."""
        state, opened = self.experiment.state(values), self.experiment.opened(acts)
        if self.experiment.private(state):
            return self.draw(state, opened, is_narrow=is_narrow)
        key = ("drawing", self, canonical(state), opened, is_narrow)
        return ANSWERS(key, lambda: self.draw(state, opened, is_narrow=is_narrow))

    def compute(self, state: State) -> Result:
        try:
            return self.experiment.compute(**state)
        except InputError as error:
            texts = [control.name for control in self.experiment.controls if hasattr(control, "suggestions")]
            raise InputError(str(error), error.control or (texts[0] if len(texts) == 1 else None)) from error
        except Exception as error:
            raise RenderError(self.excuse(error, "compute")) from error

    def excuse(self, error: Exception, where: str) -> str:
        """The words for a defect; the log has its traceback, once."""
        if (self.id, where, repr(error)) not in told and len(told) < MAX_LOGGED:
            told.add((self.id, where, repr(error)))
            log.error("%s, %s", self.id, where, exc_info=error)
        return str(error) if isinstance(error, zoo.CheckpointError) else SORRY

    def draw(
        self, state: State, acts: tuple[str, ...] = (), result: Result | None = None, is_narrow: bool = False
    ) -> str:
        """From scratch; or with a result that a job has found: then all acts are drawn, since nobody can find it again for one."""
        found, keep = result is not None, not self.experiment.private(state)
        with collect_notices() as remarks:
            result = result or self.compute(state)
        about: dict[str, Any] = {
            "link": link.encode(self.experiment, {**state, **(result.sets() if found else {})}, acts),
            "limits": result.limits(),
            "covers": self.covers,
        }
        if idle := result.idle():
            about["idle"] = idle
        if remarks:
            about["remarks"] = remarks
        if found:
            about, acts = (
                about | {"open": acts, "set": result.sets()},
                self.experiment.opened([act.slug for act in self.experiment.acts]),
            )
        pieces = [self.view(view, result, keep, is_narrow) for view in self.experiment.views]
        pieces.append(PIECES.words(f"{self.id}-meaning", self.words["after"]))
        for act in self.experiment.acts:
            pieces.append(self.heading(act, act.slug in acts, result))
            if act.slug in acts:
                pieces.append(PIECES.words(f"{self.id}-act-{act.slug}-words", self.words[act.slug]))
                pieces += [self.view(view, result, keep, is_narrow) for view in act.views]
        return "\n".join(
            [
                json.dumps(about, ensure_ascii=False, separators=(",", ":")),
                layout(self, acts),
                *(in_a_line(piece) for piece in pieces),
            ]
        )

    @cached_property
    def covers(self) -> list[str]:
        """What a guess would be given away by."""
        guess = self.experiment.predict
        return [f"{self.id}-{name}" for name in ("reading", *guess.covers)] if guess else []

    @cached_property
    def words(self) -> dict[str, Markup]:
        """Its texts as HTML, by part; each term's first use in the lesson leads to the glossary."""
        return lesson_words(self.lesson, self.terms)[self.experiment.slug]

    def heading(self, act: Act, is_open: bool, result: Result) -> str:
        words = self.lesson.words.sections[self.experiment.slug].acts[act.slug]
        question = act.asks(result) if act.asks else words.question
        return PIECES.act(f"{self.id}-act-{act.slug}", act.slug, is_open, question, words.quiet)

    def view(self, view: View, result: Result, keep: bool = True, is_narrow: bool = False) -> str:
        """A view that fails leaves a note in its own place."""
        name = f"{self.id}-{view.__name__}"
        try:
            shown = view(result)
            if is_narrow and isinstance(shown, Picture):
                shown = shown.within(NARROW)
            return (
                framed(name, shown, keep)
                if isinstance(shown, Picture)
                else PIECES.said(name, view.__name__, said(shown))
            )
        except Exception as error:
            return PIECES.fault(name, self.excuse(error, view.__name__))

    def answer(self, values: State) -> dict[str, Any]:
        """What the public endpoint answers: the reading as a sentence, then the numbers."""
        result = self.compute(self.experiment.state(values))
        try:
            [reading] = [view(result) for view in self.experiment.views if view.__name__ == "reading"]
            return {"reading": reading.replace("**", "")} | result.numbers()
        except Exception as error:
            raise RenderError(self.excuse(error, "answer")) from error

    def pictures(self, values: State | None = None) -> dict[str, Picture]:
        """The pictures by the name of their view, for exports."""
        result = self.compute(self.experiment.state(values))
        try:
            shown = {view.__name__: view(result) for view in self.experiment.all_views}
        except Exception as error:
            raise RenderError(self.excuse(error, "exports")) from error
        return {name: picture for name, picture in shown.items() if isinstance(picture, Picture)}


told: set[tuple[str, str, str]] = set()  # defects that are in the log already


def framed(name: str, shown: Picture, keep: bool) -> str:
    """A picture with its title. ByteLRU by all that is in it: a control changes some pictures of a stage, seldom all."""

    def frame() -> str:
        width, html = shown.on_page()
        return PIECES.picture(name, f"{width:.0f}", shown.title, Markup(html))

    return PICTURES((name, pickle.dumps(shown)), frame) if keep else frame()


@lru_cache(maxsize=1024)
def layout(renderer: Renderer, acts: tuple[str, ...]) -> str:
    """The drawing's skeleton: a slot for each piece, a place for each control that stands among them."""
    return in_a_line(render("kit/templates/stage.html", pieces=None, **parts(renderer, acts)))


def parts(renderer: Renderer, acts: tuple[str, ...]) -> dict[str, Any]:
    """How views and controls of an experiment stand, for templates/stage.html."""
    experiment = renderer.experiment
    shown = [
        {"slug": act.slug, "open": act.slug in acts, "layout": act.layout or names(act.views)}
        for act in experiment.acts
    ]
    controls = {control.name for control in experiment.controls}
    return {
        "id": renderer.id,
        "note": "",
        "layout": experiment.layout or names(experiment.views),
        "acts": shown,
        "controls": controls,
    }


@lru_cache(maxsize=64)
def lesson_words(lesson: Lesson, terms: tuple[str, ...]) -> dict[str, dict[str, Markup]]:
    """Experiment → part of its text → HTML."""
    seen: set[str] = set()

    def html(text: str) -> Markup:
        return Markup(link_terms(rendered(text), terms, seen))

    return {
        slug: (
            {"before": html(section.before), "after": html(section.after)}
            | {act: html(words.body) for act, words in section.acts.items()}
        )
        for slug, section in lesson.words.sections.items()
    }


def names(views: tuple[View, ...]) -> tuple[str, ...]:
    return tuple(view.__name__ for view in views)


def in_a_line(html: str) -> str:
    """With single quotes around attributes: in text and values they are escaped, and JSON writes them in one byte."""
    return (
        str(html).strip().replace("\n", " ").replace('"', "'")
    )  # of Markup, each replacement would be checked anew


def complaint(message: str, control: str | None = None) -> str:
    """Instead of a drawing: what is wrong and what to do. The last picture stays where it is."""
    return json.dumps({"complaint": message, "control": control}, ensure_ascii=False)


def pieces_of(drawing: str) -> tuple[dict[str, Any], dict[str, Markup]]:
    """What is said about a drawing, and its pieces by id."""
    about, _, *pieces = drawing.split("\n")
    return json.loads(about), {
        found[1]: Markup(piece) for piece in pieces if (found := PIECE_ID.search(piece))
    }


def said(words: str) -> Markup:
    """Plain words, escaped; **this** is bold."""
    return Markup(re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", str(lowered(words))))
