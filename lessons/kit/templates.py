"""HTML from templates: one environment for all, where every value is escaped unless it is HTML already (`Markup`)."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1]),  # a template is named by its path in lessons/
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(template: str, **values: Any) -> Markup:
    return Markup(ENVIRONMENT.get_template(template).render(values))
