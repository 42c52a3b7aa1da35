"""Render HTML templates. Every value is escaped unless it is HTML already (`Markup`)."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from lessons.kit.pictures.base import SUBSCRIPT, escape

ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1]),  # a template is named by its path in lessons/
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def subscript_html(words: str) -> Markup:
    """Convert text to escaped HTML with subscripts: W_hh, h_{t-1}."""
    return Markup(SUBSCRIPT.sub(lambda found: f"<sub>{found[1].strip('{}')}</sub>", escape(words)))


ENVIRONMENT.filters["subscripts"] = subscript_html


def render(template: str, **values: Any) -> Markup:
    return Markup(ENVIRONMENT.get_template(template).render(values))
