"""Render HTML templates. Every value is escaped unless it is HTML already (`Markup`)."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from markupsafe import Markup

from lessons.kit.language import PAGE_LANGUAGE, TEXT_LANGUAGE, keep_language, translate
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


def lang_attribute() -> Markup:
    """The attribute of an element whose language is not that of the page."""
    language = TEXT_LANGUAGE.get()
    return Markup("" if language == PAGE_LANGUAGE.get() else f' lang="{language}"')


# These filters take the context, so that Jinja does not compute them once, when it compiles a template.
@pass_context
def translate_filter(_: Any, text: str) -> str:
    return translate(text)


@pass_context
def language_filter(_: Any, address: str) -> str:
    return keep_language(address)


ENVIRONMENT.filters |= {
    "subscripts": subscript_html,
    "translate": translate_filter,
    "in_language": language_filter,
}
ENVIRONMENT.globals |= {
    "translate": translate,
    "lang_attribute": lang_attribute,
    "page_language": PAGE_LANGUAGE.get,
}


def render(template: str, **values: Any) -> Markup:
    return Markup(ENVIRONMENT.get_template(template).render(values))
