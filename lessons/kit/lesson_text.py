"""Read the text of a lesson: its own text.md, and one text.md in the folder of each experiment.

The lesson's text.md:
    # question of the lesson
    lead: why one would want to know this
    ---
    closing: what the learner can do now, and the question that leads on
An experiment's text.md:
    # question of the experiment
    what to do, in one or two sentences
    ---
    what it means
    ## act: question of a closer look | a few words beside it while it is closed
    its text, its equation
text.fr.md is the same in French. Without it the text is English.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lessons.kit.language import ENGLISH, localized_file, set_spaces

SHARED_TEXTS = {"referee": Path(__file__).with_name("referee.md")}  # the same text in every lesson


@dataclass(frozen=True)
class ActText:
    question: str
    quiet: str  # shown beside the question while the closer look is closed
    body: str  # Markdown


@dataclass(frozen=True)
class ExperimentText:
    question: str
    before: str  # Markdown: what to do
    after: str  # Markdown: what it means, with equations
    acts: Mapping[str, ActText] = field(default_factory=dict)
    language: str = ENGLISH


@dataclass(frozen=True)
class LessonText:
    question: str  # the question of the whole lesson
    lead: str  # Markdown
    closing: str  # Markdown, shown with the exercises
    experiments: Mapping[str, ExperimentText]  # by slug
    language: str = ENGLISH


def read_lesson_text(folder: Path, experiments: Iterable[str], language: str = ENGLISH) -> LessonText:
    """Read the text of a lesson and of its experiments; skip experiments without a text.md.

    A text that is not there in this language is read in English; without its own text, all of a lesson is.
    """
    path, language = localized_file(folder / "text.md", language)
    question, body = split_heading(read_text(path, language).removeprefix("# "))
    lead, _, closing = body.partition("\n---\n")
    paths = {slug: SHARED_TEXTS.get(slug) or folder / slug / "text.md" for slug in experiments}
    texts = {
        slug: read_experiment_text(*localized_file(path, language))
        for slug, path in paths.items()
        if path.is_file()
    }
    return LessonText(question, lead.strip(), closing.strip(), texts, language)


def read_text(path: Path, language: str = ENGLISH) -> str:
    text = path.read_text(encoding="utf-8")
    return text if language == ENGLISH else set_spaces(text)


def read_experiment_text(path: Path, language: str = ENGLISH) -> ExperimentText:
    head, *acts = re.split(r"^## ", read_text(path, language), flags=re.MULTILINE)
    question, body = split_heading(head.removeprefix("# "))
    before, _, after = f"\n{body}".partition("\n---\n")
    acts_by_slug = dict(parse_act(act) for act in acts)
    return ExperimentText(question, before.strip(), after.strip(), acts_by_slug, language)


def parse_act(text: str) -> tuple[str, ActText]:
    """Parse the slug and the text of one closer look."""
    heading, body = split_heading(text)
    slug, _, asked = heading.partition(": ")
    question, _, quiet = asked.partition(" | ")
    return slug.strip(), ActText(question.strip(), quiet.strip(), body)


def split_heading(text: str) -> tuple[str, str]:
    heading, _, body = text.partition("\n")
    return heading.strip(), body.strip()
