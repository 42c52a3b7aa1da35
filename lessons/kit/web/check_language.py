"""List what a language lacks, per lesson: python -m lessons.kit.web.check_language fr

A sentence is missing if a page looks it up in vain. To find all of them, every experiment of a translated
lesson is rendered in its default state and its presets, with all closer looks and all verdicts.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from jinja2 import nodes

from lessons.kit import language
from lessons.kit.contract import InputError, Lesson
from lessons.kit.exercises import option_verdicts
from lessons.kit.known_words import VOCABULARIES, words_by_field
from lessons.kit.lesson_text import SHARED_TEXTS
from lessons.kit.markdown import EQUATION
from lessons.kit.templates import ENVIRONMENT
from lessons.kit.web import layout, social_preview
from lessons.kit.web.export import encode_picture
from lessons.kit.web.questions import answers_of, check_answer, collect_questions
from lessons.kit.web.renderer import Renderer, RenderError

CALLS = ("translate", "translate_plural", "refusal")  # functions whose first arguments are sentences
SCRIPT_CALL = re.compile(r"translate\(([^(){}]*(?:\{\w+\}[^(){}]*)*)")  # without its values
SCRIPT_STRING = re.compile(r'"((?:[^"\\]|\\.)+)"')
TEX_WORDS = re.compile(r"\\text\{[^}]*\}")


class Report(NamedTuple):
    """What is wrong with a translation; empty lists if it is complete."""

    missing: list[str]  # sentences and texts without a translation
    stale: list[str]  # translations of sentences that no longer exist
    changed: list[str]  # translations that lost a placeholder or an equation

    @property
    def is_complete(self) -> bool:
        return not any(self)


def check_lesson(lessons: Sequence[Lesson], lesson: Lesson, code: str) -> Report:
    """Compare the French of a lesson, for instance, with what its pages say."""
    catalog = lesson.folder / f"{code}.po"
    lookups = set(sentences_in_code(lesson.folder)) | sentences_on_pages(lessons, lesson, code)
    known = {id for path in language.catalog_paths(code) for id in message_ids(path)}
    constants = {text for path in lesson.folder.rglob("*.py") for text in constants_of(path)}
    return Report(
        [*missing_texts(lesson, code), *sorted(lookups - known)],
        sorted(set(message_ids(catalog)) - constants - lookups),
        [*lost_placeholders(catalog), *lost_equations(lesson, code)],
    )


def check_interface(code: str) -> Report:
    """Compare the catalogs of the interface and of the script with their sources."""
    kit, script = language.LESSONS / "kit", language.SCRIPT_CATALOGS
    sources = [*kit.rglob("*.py"), *language.LESSONS.glob("*/__init__.py")]  # the latter have titles
    constants = {text for path in sources for text in constants_of(path)} | set(template_constants())
    constants |= {field for name in VOCABULARIES for field in words_by_field(name)}
    spoken = set(template_sentences()) | set(sentences_in_code(kit))
    scripts = [path.read_text(encoding="utf-8") for path in script.rglob("*.js")]
    calls = [call for source in scripts for call in SCRIPT_CALL.findall(source)]
    called = {text for call in calls for text in SCRIPT_STRING.findall(call)}
    catalogs = kit / f"{code}.po", script / f"{code}.po"
    kit_ids, script_ids = (set(message_ids(path)) for path in catalogs)
    return Report(
        sorted(spoken - kit_ids) + sorted(called - script_ids),
        sorted(kit_ids - constants)
        + sorted(id for id in script_ids if not any(f'"{id}"' in source for source in scripts)),
        [text for path in catalogs for text in lost_placeholders(path)],
    )


# ---- what is said ----


def sentences_on_pages(lessons: Sequence[Lesson], lesson: Lesson, code: str) -> set[str]:
    """The sentences that the pages of a lesson look up."""
    found: set[str] = set()
    token = language.LOOKUPS.set(found)
    try:
        with language.text_language(code, is_page=True):
            render_everything(lessons, lesson)
    finally:
        language.LOOKUPS.reset(token)
    return found


def render_everything(lessons: Sequence[Lesson], lesson: Lesson) -> None:
    for experiment in lesson.experiments:
        renderer = Renderer(lesson, experiment)
        if lesson.text.experiments[experiment.slug].language == language.ENGLISH:
            continue
        with renderer.in_its_language():
            layout.render_lesson(lessons, lesson, renderer, {"experiment": experiment.slug})
            social_preview.experiment_preview(renderer, experiment.state())
            for values in ({}, *(preset.state for preset in experiment.presets)):
                with suppress(InputError, RenderError):
                    renderer.draw(experiment.state(values), tuple(act.slug for act in experiment.acts))
                    for picture in renderer.pictures(experiment.state(values)).values():
                        encode_picture(picture, "json")  # the table of its numbers
            if experiment.predict:
                option_verdicts(experiment.predict, experiment.state())
    for slug in (layout.START, layout.CHECK):
        layout.render_lesson(lessons, lesson, None, {"experiment": slug})
    for question in collect_questions([lesson]).values():
        answers_of(question)
        for answer in ("0", None):
            check_answer(question, answer, {})


def sentences_in_code(folder: Path) -> Iterator[str]:
    """The sentences in calls of `translate` and of functions that call it."""
    for path in folder.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and called_name(node) in CALLS:
                yield from (text for argument in node.args[:1] for text in possible_texts(argument, tree))


def possible_texts(node: ast.AST | None, tree: ast.AST) -> Iterator[str]:
    """The constants that an argument can be: itself, a branch, an entry of a dict, or a variable's value."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from possible_texts(body, tree)
            yield from possible_texts(other, tree)
        case ast.Subscript(value=ast.Dict(values=values)):
            for value in values:
                yield from possible_texts(value, tree)
        case ast.Name(id=name):
            for found in ast.walk(tree):
                if isinstance(found, ast.Assign) and name in map(ast.unparse, found.targets):
                    yield from possible_texts(found.value, tree)


def called_name(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def constant(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def constants_of(path: Path) -> Iterable[str]:
    return filter(None, map(constant, ast.walk(ast.parse(path.read_text(encoding="utf-8")))))


def parsed_templates() -> Iterator[nodes.Template]:
    for name in ENVIRONMENT.list_templates(["html"]):
        source, _, _ = ENVIRONMENT.loader.get_source(ENVIRONMENT, name)  # type: ignore[union-attr]
        yield ENVIRONMENT.parse(source)


def template_constants() -> Iterator[str]:
    for template in parsed_templates():
        yield from (str(node.value) for node in template.find_all(nodes.Const))


def template_sentences() -> Iterator[str]:
    for template in parsed_templates():
        for call in template.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "translate":
                yield from (node.value for node in call.args if isinstance(node, nodes.Const))


# ---- translations ----


def message_ids(path: Path) -> list[str]:
    """The English sentences of a catalog that have a translation; of plural ones the singular."""
    if not path.is_file():
        return []
    return [first(message.id) for message in language.read_catalog(path) if message.id and message.string]


def first(forms: str | tuple[str, ...]) -> str:
    return forms if isinstance(forms, str) else forms[0]


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def lost_placeholders(path: Path) -> list[str]:
    """Sentences whose translation has other placeholders. A singular may leave out the number."""
    lost = []
    for message in language.read_catalog(path) if path.is_file() else ():
        if message.id and message.string:
            strings = message.string if message.pluralizable else (message.string,)
            wanted = placeholders(message.id[-1] if message.pluralizable else message.id) - {"n"}
            lost += [first(message.id) for each in strings if placeholders(each) - {"n"} != wanted]
    return lost


def text_paths(lesson: Lesson) -> list[Path]:
    slugs = [experiment.slug for experiment in lesson.experiments]
    own = [SHARED_TEXTS.get(slug, lesson.folder / slug / "text.md") for slug in slugs]
    return [path for path in (lesson.folder / "text.md", *own) if path.is_file()]


def missing_texts(lesson: Lesson, code: str) -> list[str]:
    paths = [path.with_suffix(f".{code}.md") for path in text_paths(lesson)]
    return [str(path.relative_to(language.LESSONS)) for path in paths if not path.is_file()]


def lost_equations(lesson: Lesson, code: str) -> list[str]:
    """Texts whose equations differ from the English ones, apart from the words in them."""
    lost = []
    for path in text_paths(lesson):
        other, found = language.localized_file(path, code)
        if found == code and equations(path) != equations(other):
            lost.append(str(other.relative_to(language.LESSONS)))
    return lost


def equations(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return sorted(TEX_WORDS.sub(r"\\text{}", found[0]) for found in EQUATION.finditer(text))


def main(code: str) -> int:
    from lessons import LESSONS

    print_report("interface", check_interface(code))
    is_complete = True
    for lesson in LESSONS:
        if not (lesson.folder / f"text.{code}.md").is_file():
            print(f"{lesson.slug}: not translated ({len(text_paths(lesson))} texts)")
            continue
        report = check_lesson(LESSONS, lesson, code)
        is_complete &= report.is_complete
        print_report(lesson.slug, report)
    return 0 if is_complete else 1


def print_report(name: str, report: Report) -> None:
    counts = ", ".join(f"{len(found)} {kind}" for kind, found in report._asdict().items())
    print(f"{name}: {counts}")
    for kind, found in report._asdict().items():
        for text in found:
            print(f"  {kind}: {text}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
