"""The words of a lesson, from its text.md.

# the question of the lesson
a lead
## slug: the question of an experiment
what to do, in a sentence or two
---
what it means
### act: the question of a closer look | a few quiet words
its sentence, its equation
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ActWords:
    question: str
    quiet: str  # beside the question, while it is closed
    body: str  # Markdown


@dataclass(frozen=True)
class Section:
    question: str
    before: str  # Markdown: the thing to do
    after: str  # Markdown: equations and why
    acts: Mapping[str, ActWords] = field(default_factory=dict)


@dataclass(frozen=True)
class Words:
    question: str  # of the whole lesson
    lead: str
    sections: Mapping[str, Section]  # by experiment


def read_words(path: Path) -> Words:
    head, *parts = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    question, _, lead = head.removeprefix("# ").partition("\n")
    return Words(question.strip(), lead.strip(), dict(section(part) for part in parts))


def section(text: str) -> tuple[str, Section]:
    body, *acts = re.split(r"^### ", text, flags=re.MULTILINE)
    slug, asked, body = headed(body)
    before, _, after = body.partition("\n---\n")
    return slug, Section(asked, before.strip(), after.strip(), dict(act(part) for part in acts))


def act(text: str) -> tuple[str, ActWords]:
    slug, asked, body = headed(text)
    question, _, quiet = asked.partition(" | ")
    return slug, ActWords(question.strip(), quiet.strip(), body.strip())


def headed(text: str) -> tuple[str, str, str]:
    """slug: question, and what stands below."""
    heading, _, body = text.partition("\n")
    slug, _, asked = heading.partition(": ")
    return slug.strip(), asked.strip(), body
