"""Draw sentences that learners read, to be rated by a person: python -m tests.page_sentences [N] [--seed S]

Prints N readings (computed at the defaults and at every preset) and N other texts, each with its source.
--all prints every sentence.
"""

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from lessons import LESSONS
from lessons.kit.contract import Choice, Exercise, Experiment, InputError, Lesson
from lessons.kit.exercises import option_verdicts
from lessons.kit.pictures.base import Picture
from lessons.kit.plan import read_plan
from lessons.start import words

ROOT = Path(__file__).parents[1]
END_OF_SENTENCE = re.compile(
    r"(?<=[.?!…])(?<!e\.g\.)(?<!vs\.)[*”’)]*\s+(?=[“*`$(\[]*[A-Z0-9“$])|\n\s*\n|\n(?=[-|#])"
)

Found = tuple[str, str]  # (source, sentence)


def split_sentences(source: str, text: object) -> Iterator[Found]:
    """Split a text into sentences; equations and sentences of an example (“ … ”) stay whole."""
    for part in END_OF_SENTENCE.split(str(text)):
        sentence = re.sub(r"\s+", " ", part).strip()
        if re.search(r"[A-Za-z]{2}", re.sub(r"\$\$?.+?\$\$?", "", sentence)):
            yield source, sentence


def states(experiment: Experiment) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "default", {}
    for preset in experiment.presets:
        yield preset.title, dict(preset.state)


def readings() -> Iterator[Found]:
    """Sentences computed from a run: readings, closer looks, their questions, notes beside idle controls."""
    for lesson in LESSONS:
        for experiment in lesson.experiments:
            for title, state in states(experiment):
                try:
                    result = experiment.run(state)
                except InputError as error:
                    yield f"{lesson.slug}/{experiment.slug} [{title}]", f"ERROR {error}"
                    continue
                shown = {view.__name__: view(result) for view in experiment.all_views}
                shown = {name: text for name, text in shown.items() if not isinstance(text, Picture)}
                shown |= {f"{act.slug}?": act.asks(result) for act in experiment.acts if act.asks}
                shown |= {f"idle {name}": why for name, why in result.idle().items()}
                for name, text in shown.items():
                    yield from split_sentences(f"{lesson.slug}/{experiment.slug} [{title}] {name}", text)


def numbers(text: str) -> list[float]:
    return [
        float(found.replace(",", "").replace("−", "-")) for found in re.findall(r"[−-]?\d[\d,.]*\b", text)
    ]


def exercise_texts(source: str, exercise: Exercise, states_to_check: list[dict[str, Any]]) -> Iterator[Found]:
    yield from split_sentences(f"{source} question", exercise.question)
    yield from split_sentences(f"{source} hint", exercise.hint)
    if isinstance(exercise.answer, Choice):
        for option, verdict in option_verdicts(exercise, states_to_check[0]):
            yield f"{source} option", f"{exercise.question} → {option}"
            yield from split_sentences(f"{source} verdict on “{option}”", verdict.message)
    elif exercise.answer:
        for typed in (-12345.0, *numbers(exercise.solution() if exercise.solution else "")):
            verdict = exercise.check(typed, states_to_check[0])
            yield from split_sentences(f"{source} verdict", verdict.message)
    else:
        for state in states_to_check:
            yield from split_sentences(f"{source} verdict", exercise.check(None, state).message)


def lesson_texts(lesson: Lesson) -> Iterator[Found]:
    text = lesson.text
    for name in ("question", "lead", "closing"):
        yield from split_sentences(f"{lesson.slug} {name}", getattr(text, name))
    yield from split_sentences(f"{lesson.slug} summary", lesson.summary)
    for step in read_plan(lesson.folder / "plan.md"):
        for name, part in step.parts.items():
            yield from split_sentences(f"{lesson.slug}/{step.slug} plan, {name}", part)
    for experiment in lesson.experiments:
        source = f"{lesson.slug}/{experiment.slug}"
        section = text.experiments[experiment.slug]
        for name in ("question", "before", "after"):
            yield from split_sentences(f"{source} {name}", getattr(section, name))
        for slug, act in section.acts.items():
            yield from split_sentences(f"{source} {slug}", f"{act.question}\n\n{act.quiet}\n\n{act.body}")
        for preset in experiment.presets:
            yield f"{source} preset", f"{preset.title}: {preset.watch}"
        for control in experiment.controls:
            yield f"{source} control", " · ".join((control.label, *getattr(control, "options", ())))
        if experiment.job:
            yield f"{source} job", experiment.job.label
        if experiment.predict:
            yield from exercise_texts(f"{source} guess", experiment.predict, [experiment.state()])
    for exercise in lesson.exercises:
        tried = lesson.experiment(exercise.experiment) if exercise.experiment else None
        checked = [tried.state(state) for _, state in states(tried)] if tried else [{}]
        yield from exercise_texts(f"{lesson.slug} exercise {exercise.slug}", exercise, checked)


def error_messages() -> Iterator[Found]:
    """Messages of the errors in the source; computed parts are shown as an ellipsis."""
    for path in sorted([*ROOT.glob("lessons/**/*.py"), *ROOT.glob("models/**/*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("InputError", "HTTPError"):
                for given in node.args:
                    parts = given.values if isinstance(given, ast.JoinedStr) else [given]
                    message = "".join(
                        str(part.value) if isinstance(part, ast.Constant) else "‹…›" for part in parts
                    )
                    yield from split_sentences(f"error in {path.relative_to(ROOT)}", message)


def template_texts() -> Iterator[Found]:
    for path in sorted(ROOT.glob("lessons/**/*.html")):
        text = re.sub(
            r"\{#.*?#\}|\{%.*?%\}|<(script|style|svg).*?</\1>",
            "",
            path.read_text(encoding="utf-8"),
            flags=re.DOTALL,
        )
        text = re.sub(r"\{\{.*?\}\}", "‹…›", text)
        text = re.sub(r"</?(?:a|b|strong|em|span|code|kbd|cite|button)\b[^>]*>", "", text)
        for part in re.split(r"<[^>]+>", text):
            yield from split_sentences(f"template {path.name}", part)


def course_texts() -> Iterator[Found]:
    """Sentences of the pages around the lessons and of the README."""
    for term, (_, sentence) in words.GLOSSARY.items():
        yield from split_sentences("glossary", f"{term}: {sentence}")
    for _here, _elsewhere, meaning in words.ROSETTA:
        yield from split_sentences("notation", meaning)
    for moment in words.TIMELINE:
        yield from split_sentences("map, timeline", f"{moment.what}. {moment.why}")
    for name, what in words.PARTS:
        yield from split_sentences("map, parts", f"{name}: {what}")
    for figure in words.FIGURES:
        yield from split_sentences("map, figures", f"{figure.who}: {figure.found}")
    yield from template_texts()
    readme = re.sub(r"```.*?```", "", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    yield from split_sentences("README", readme.split("---", 2)[2])


def texts() -> Iterator[Found]:
    for lesson in LESSONS:
        yield from lesson_texts(lesson)
    yield from course_texts()
    yield from error_messages()


def draw(found: Iterator[Found], count: int | None, chance: Random) -> list[Found]:
    """Draw sentences, each wording once; all of them, in order, without a count."""
    each = list({sentence: (source, sentence) for source, sentence in reversed(list(found))}.values())[::-1]
    return each if count is None else chance.sample(each, min(count, len(each)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="print every sentence")
    parser.add_argument("--kind", choices=("reading", "text"), help="only one of the two")
    given = parser.parse_args()
    for kind, collect in (("reading", readings), ("text", texts)):
        found = collect() if given.kind in (None, kind) else iter(())
        for source, sentence in draw(found, None if given.all else given.count, Random(given.seed)):
            print(kind, source, sentence, sep="\t")


if __name__ == "__main__":
    main()
