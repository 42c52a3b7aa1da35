"""The language of a page: its interface, its sentences and its numbers.

English stands in the code: a sentence of the code is the message id of the gettext catalogs of a language
(lessons/kit/fr.po, lessons/<lesson>/fr.po). Texts are files, text.fr.md beside text.md. A lesson or
experiment without text.fr.md is shown in English as a whole, so no section mixes two languages.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from gettext import GNUTranslations
from io import BytesIO
from numbers import Number
from pathlib import Path
from string import Formatter
from typing import Any, TypeVar

T = TypeVar("T")

MAX_CACHED = 1024  # results per function

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "fr": "français"}
NUMBER_MARKS = {"fr": str.maketrans({",": "\u202f", ".": ","})}  # 1,280.5 → 1 280,5
LESSONS = Path(__file__).parents[1]
SCRIPT_CATALOGS = LESSONS.parent / "assets" / "js"  # words of the page's script
WORD = re.compile(r"[^\W\d_]{2}|\{")  # two letters, or a placeholder
KEPT = r"(?P<kept>\$\$.+?\$\$|\$[^$\n]+?\$|`[^`\n]+`)"  # equations and code
SPACES = re.compile(rf"{KEPT}| (?=[;:!?%»])|(?<=«) |(?<=[^\W\d_])(?P<apostrophe>')", re.DOTALL)

PAGE_LANGUAGE: ContextVar[str] = ContextVar("page_language", default=ENGLISH)  # of the request; links keep it
TEXT_LANGUAGE: ContextVar[str] = ContextVar("text_language", default=ENGLISH)  # of this part of the page
LOOKUPS: ContextVar[set[str] | None] = ContextVar("lookups", default=None)  # message ids, for the validator


@contextmanager
def text_language(language: str, is_page: bool = False) -> Iterator[None]:
    """Render in this language inside the `with` block; `is_page`: it is the language of the whole page."""
    tokens = [(one, one.set(language)) for one in (TEXT_LANGUAGE, PAGE_LANGUAGE)[: 1 + is_page]]
    try:
        yield
    finally:
        for variable, token in tokens:
            variable.reset(token)


def call_in_language(language: str, function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    with text_language(language):
        return function(*args, **kwargs)


def cache_by_language(function: Callable[..., T]) -> Callable[..., T]:
    """Cache results, one per language of the page and of the text."""

    @lru_cache(maxsize=MAX_CACHED)
    def cached(languages: tuple[str, str], *args: Any) -> T:
        return function(*args)

    @wraps(function)
    def call(*args: Any) -> T:
        return cached((PAGE_LANGUAGE.get(), TEXT_LANGUAGE.get()), *args)

    return call


def language_key() -> tuple[str, ...]:
    """The part of a cache key that tells languages apart; empty for English."""
    languages = PAGE_LANGUAGE.get(), TEXT_LANGUAGE.get()
    return () if languages == (ENGLISH, ENGLISH) else languages


def keep_language(address: str) -> str:
    """The address with the page's language, unless that is English."""
    language = PAGE_LANGUAGE.get()
    if language == ENGLISH:
        return address
    return f"{address}{'&' if '?' in address else '?'}lang={language}"


# ---- sentences ----


def translate(template: str, /, **values: object) -> str:
    """The sentence in the language of this part of the page, with its {placeholders} filled in."""
    language = TEXT_LANGUAGE.get()
    if language == ENGLISH:
        return template.format(**values) if values else template
    if not WORD.search(template):  # an option that is a number
        return local_number(template)
    note_lookup(template)
    return fill(catalog(language).gettext(template), values)


def translate_plural(one: str, many: str, n: int, /, **values: object) -> str:
    """The sentence for this number, which is its placeholder {n}."""
    language = TEXT_LANGUAGE.get()
    if language == ENGLISH:
        return (one if n == 1 else many).format(n=n, **values)
    note_lookup(one)
    return fill(catalog(language).ngettext(one, many, n), {"n": n, **values})


def note_lookup(template: str) -> None:
    lookups = LOOKUPS.get()
    if lookups is not None:
        lookups.add(template)


def fill(template: str, values: dict[str, object]) -> str:
    return LOCAL_FORMATTER.vformat(template, (), values) if values else template


class LocalFormatter(Formatter):
    """`str.format` that writes numbers as the language does."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = format(value, format_spec)
        return local_number(text) if isinstance(value, Number) else text


LOCAL_FORMATTER = LocalFormatter()


def local_number(text: str) -> str:
    """A formatted number with the marks of the language: 1,280.5 is 1 280,5 in French."""
    language = TEXT_LANGUAGE.get()
    return text if language == ENGLISH else text.translate(NUMBER_MARKS.get(language, {}))


# ---- catalogs and texts ----


def catalog_paths(language: str) -> list[Path]:
    return sorted(LESSONS.glob(f"*/{language}.po"))


def read_catalog(path: Path) -> Any:
    """A catalog, as Babel reads it. Babel is imported here: English pages do without it."""
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


@cache
def catalog(language: str) -> GNUTranslations:
    """All sentences of a language, from the catalogs of the kit and of the lessons."""
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo

    whole, compiled = Catalog(locale=language), BytesIO()
    for path in catalog_paths(language):
        for message in read_catalog(path):
            if message.id:
                strings = message.string if message.pluralizable else (message.string,)
                spaced = tuple(map(set_spaces, strings))
                whole.add(message.id, spaced if message.pluralizable else spaced[0])
    write_mo(compiled, whole)
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def script_words(language: str) -> dict[str, str]:
    """The words of the page's script: English → this language."""
    messages = read_catalog(SCRIPT_CATALOGS / f"{language}.po")
    return {message.id: set_spaces(message.string) for message in messages if message.id}


def script_config(lesson_language: str) -> dict[str, Any]:
    """What the page's script needs to know about the language; words only if the lesson's text has it."""
    language = PAGE_LANGUAGE.get()
    if language == ENGLISH:
        return {}
    is_translated = lesson_language == language
    words = {"decimal": local_number("."), "words": script_words(language)} if is_translated else {}
    return {"language": language, **words}


def set_spaces(text: str) -> str:
    """Set narrow no-break spaces and apostrophes as French printers do. Authors type plain ones."""
    return SPACES.sub(
        lambda found: found["kept"] or ("’" if found["apostrophe"] else "\N{NARROW NO-BREAK SPACE}"), text
    )


def localized_file(path: Path, language: str) -> tuple[Path, str]:
    """The file in this language (text.fr.md), if there is one, and the language it is in."""
    other = path.with_suffix(f".{language}{path.suffix}")
    return (other, language) if language != ENGLISH and other.is_file() else (path, ENGLISH)
