"""What an experiment shows for one state: its pictures and its reading as HTML. Pure; the last few answers are kept."""

import json
import pickle
import re
from collections.abc import Callable
from functools import lru_cache
from html import escape
from typing import Any

from lessons.kit import link
from lessons.kit.contract import Experiment, InputError, Lesson, Result, State, canonical
from lessons.kit.pictures.base import Picture

KEPT = 1024  # answers, of all experiments: a class looks at the same few states; and as many pictures


class Stage:
    """One experiment of one lesson, ready to be asked."""

    def __init__(self, lesson: Lesson, experiment: Experiment):
        self.lesson, self.experiment = lesson, experiment
        self.id = f"{lesson.slug}-{experiment.slug}"
        self.placeholder = f"@@{self.id}@@"  # stands in the page until somebody opens it (server.DefaultPictures)

    def html(self, values: State) -> str:
        """The stage for these values of the controls; InputError says what to do about a bad one."""
        return answer(self, canonical(self.experiment.state(values)))

    def draw(self, state: State, result: Result | None = None) -> str:
        """From scratch; or with a result that a job has found. A line a view: the browser compares them (page.js)."""
        result = result or self.experiment.compute(**state)
        shown = [self.view(view, view(result)) for view in self.experiment.views]
        about = {
            "class": "stage",
            "data-experiment": self.id,
            "data-link": link.encode(self.experiment, state),
            "data-limits": json.dumps(result.limits()),
        }
        attributes = "".join(f' {name}="{escape(value, quote=True)}"' for name, value in about.items())
        return "\n".join([f"<div{attributes}>", *(view.replace("\n", " ") for view in shown), "</div>"])

    def view(self, view: Callable[[Any], Any], shown: Picture | str) -> str:
        name = f"{self.id}-{view.__name__}"
        if isinstance(shown, Picture):
            return framed(name, pickle.dumps(shown))
        return f'<p class="{view.__name__}" id="{name}" aria-live="polite">{said(shown)}</p>'

    def pictures(self, values: State | None = None) -> dict[str, Picture]:
        """The pictures by the name of their view, for exports."""
        result = self.experiment.run(values)
        shown = {view.__name__: view(result) for view in self.experiment.views}
        return {name: picture for name, picture in shown.items() if isinstance(picture, Picture)}


@lru_cache(maxsize=KEPT)
def answer(stage: Stage, key: str) -> str:
    return stage.draw(stage.experiment.state(json.loads(key)))


@lru_cache(maxsize=KEPT)
def framed(name: str, pickled: bytes) -> str:
    """A picture with its title. Kept by all that is in it: a control changes some pictures of a stage, seldom all."""
    shown = pickle.loads(pickled)
    title, canvas = escape(shown.title, quote=True), shown.draw()
    return (
        f'<figure class="view" id="{name}" style="--natural:{canvas.width:.0f}px"><figcaption>{title}</figcaption>'
        f'<div class="frame" tabindex="0" role="group" aria-label="{title}">'
        f"{canvas.markup(shown.title, shown.description)}</div></figure>"
    )


_STAGES: dict[int, Stage] = {}


def stage_of(lesson: Lesson, experiment: Experiment) -> Stage:
    """The one stage of an experiment: page and exports share what it keeps."""
    return _STAGES.setdefault(id(experiment), Stage(lesson, experiment))


def said(words: str) -> str:
    """Plain words, escaped; **this** is bold."""
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(words))


def message(error: InputError | str) -> str:
    """The one place where a learner is told what to do."""
    return f'<p class="message" role="status">{escape(str(error))}</p>' if str(error) else ""
