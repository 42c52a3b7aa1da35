"""Jupyter notebooks, made from the same data as the pages: of a lesson, or of a state of an experiment.

A lesson's notebook.md has its equation, the names of the functions that compute it, and cells that use them:
    text, then ```source with one name per line ("models.attention:attend"), then ```python with a cell
"""

import hashlib
import json
import pprint
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lessons.kit.contract import Choice, Exercise, Experiment, Lesson, Number, State, lesson_numbers
from lessons.kit.markdown import color_equations
from lessons.kit.source_cells import source_cells

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(source|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
LICENCE = "Text: CC BY 4.0, the Seq2See authors. Code: MIT licence."


class Cell(NamedTuple):
    text: str
    is_code: bool = False


def code(*lines: str) -> Cell:
    return Cell("\n".join(lines), is_code=True)


def notebook_json(cells: Iterable[Cell]) -> str:
    """The cells as the JSON of a notebook, without outputs."""
    seen = Counter[Cell]()
    found = []
    for cell in cells:
        found.append(cell_json(cell, seen[cell]))
        seen[cell] += 1
    notebook = {"cells": found, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def cell_json(cell: Cell, repetition: int) -> dict[str, Any]:
    """A cell as JSON. Its id depends on its text, so that other cells keep theirs when one is added."""
    id = f"{hashlib.sha256(cell.text.encode()).hexdigest()[:12]}-{repetition}"
    head: dict[str, Any] = {"cell_type": "code" if cell.is_code else "markdown", "id": id, "metadata": {}}
    outputs: dict[str, Any] = {"execution_count": None, "outputs": []} if cell.is_code else {}
    return {**head, **outputs, "source": cell.text.splitlines(keepends=True)}


def module_of(lesson: Lesson) -> str:
    """The lesson's module, such as "lessons.attention"."""
    return ".".join(lesson.folder.relative_to(ROOT).parts)


# ---- one state ----


def experiment_notebook(lesson: Lesson, experiment: Experiment, state: State) -> str:
    """Notebook of an experiment in one state: draw its pictures, and open it with its controls."""
    question = lesson.text.experiments[experiment.slug].question
    about = "Save this file in the folder of Seq2See (beside `app.py`) and open it there with Jupyter."
    return notebook_json(
        [Cell(f"# {question}\n\n{about}\n\n{LICENCE}"), state_cell(lesson, experiment, state)]
    )


def state_cell(lesson: Lesson, experiment: Experiment, state: State) -> Cell:
    changed = {
        control.name: state[control.name]
        for control in experiment.controls
        if state[control.name] != control.check(control.default)
    }
    return code(
        "%matplotlib inline",
        "from IPython.display import Markdown, display",
        "",
        f"from {module_of(lesson)} import LESSON",
        "from lessons.kit.web.blocks import blocks",
        "",
        f'experiment = LESSON.experiment("{experiment.slug}")',
        f"state = {pprint.pformat(changed, width=100, sort_dicts=False)}  # other controls have defaults",
        *DRAW,
        "blocks(experiment, state).launch()  # with its sliders",
    )


DRAW = (
    "result = experiment.run(state)",
    "for view in experiment.views:",
    "    shown = view(result)",
    "    display(Markdown(shown) if isinstance(shown, str) else shown.figure())",
)


# ---- one lesson ----


def lesson_notebook(lesson: Lesson, lessons: Sequence[Lesson], repository: str = "") -> str:
    """Notebook of a lesson: equation in code, core experiments with guesses, exercises, and the app.

    `repository`: address of the project on GitHub, for a Colab badge.
    """
    return notebook_json(lesson_cells(lesson, lessons, repository))


def lesson_cells(lesson: Lesson, lessons: Sequence[Lesson], repository: str) -> Iterator[Cell]:
    number = lesson_numbers(lessons)[lesson.slug]
    badge = f"\n\n{colab_badge(lesson, repository)}" if repository else ""
    head = f"# {number}. {lesson.title}: {lesson.text.question}"
    yield Cell(f"{head}{badge}\n\n{lesson.text.lead}\n\n{LICENCE}")
    yield set_up_cell(repository)
    yield from code_cells(lesson)
    yield code(f"from {module_of(lesson)} import LESSON")
    for experiment in lesson.core:
        yield from experiment_cells(lesson, experiment)
    yield Cell("# Check yourself\n\nPut your answer into the cell and run it.")
    for exercise in lesson.exercises:
        yield from exercise_cells(exercise)
    yield Cell("# All experiments of this lesson, with their sliders")
    yield code("from lessons.kit.web.blocks import blocks", "", "blocks(LESSON).launch()")


def set_up_cell(repository: str) -> Cell:
    """Find the folder of the project; on Colab, fetch it."""
    fetch = [
        "if root is None:",
        f"    !git clone --depth 1 {repository} seq2see && pip install -q -r seq2see/requirements.txt",
        '    root = Path("seq2see").resolve()',
    ]
    return code(
        "%matplotlib inline",
        "import os",
        "import sys",
        "from pathlib import Path",
        "",
        "from IPython.display import Markdown, display",
        "",
        "here = Path.cwd()",
        'root = next((one for one in (here, *here.parents) if (one / "lessons" / "kit").is_dir()), None)',
        *(fetch if repository else ['assert root, "Open this notebook in a clone of Seq2See."']),
        "os.chdir(root)",
        "sys.path.insert(0, str(root))",
    )


def code_cells(lesson: Lesson) -> Iterator[Cell]:
    """Parse a lesson's notebook.md into cells."""
    parts = FENCE.split((lesson.folder / "notebook.md").read_text(encoding="utf-8"))
    yield Cell(f"# The equation in code\n\n{parts[0].strip()}")
    for kind, body, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if kind == "source":
            yield from (Cell(source, is_code=True) for source in source_cells(body.split()))
        else:
            yield Cell(body.strip(), is_code=True)
        if text.strip():
            yield Cell(text.strip())


def experiment_cells(lesson: Lesson, experiment: Experiment) -> Iterator[Cell]:
    """The question, the guess, the pictures of the default state, and what they mean."""
    text = lesson.text.experiments[experiment.slug]
    yield Cell(f"# {text.question}\n\n{color_equations(text.before)}")
    find = f'experiment = LESSON.experiment("{experiment.slug}")'
    if guess := experiment.predict:
        yield Cell(question_text("Guess first", guess))
        check = "guess.check(guess.answer.options[chosen], experiment.state()).message"
        yield code(find, "guess, chosen = experiment.predict, 0  # the number of your option", check)
    names = ", ".join(control.name for control in experiment.controls)
    comment = textwrap.wrap(f"Controls: {names}", 100, initial_indent="# ", subsequent_indent="# ")
    yield code(
        find,
        *(comment if names else []),
        "state = {}",
        *DRAW,
    )
    yield Cell(color_equations(text.after))


def exercise_cells(exercise: Exercise) -> Iterator[Cell]:
    yield Cell(question_text("Exercise", exercise))
    find = f'exercise = next(one for one in LESSON.exercises if one.slug == "{exercise.slug}")'
    state = "{}"
    if exercise.experiment:
        state = f'LESSON.experiment("{exercise.experiment}").state({{}})'
    answer = "None"
    if isinstance(exercise.answer, Number):
        answer = "0.0  # your number"
    elif isinstance(exercise.answer, Choice):
        answer = "exercise.answer.options[0]  # the number of your option"
    comment = "  # set its controls in {}" if exercise.answer is None else ""
    yield code(
        find, f"state = {state}{comment}", f"answer = {answer}", "exercise.check(answer, state).message"
    )


def question_text(heading: str, exercise: Exercise) -> str:
    options = exercise.answer.options if isinstance(exercise.answer, Choice) else ()
    numbered = "\n".join(f"- {number}: {option}" for number, option in enumerate(options))
    return f"**{heading}.** {exercise.question}\n\n{numbered}".strip()


# ---- on the web ----


def colab_badge(lesson: Lesson, repository: str) -> str:
    """A badge that opens the lesson's notebook on Colab. `repository`: https://github.com/OWNER/NAME"""
    path = repository.removeprefix("https://github.com/").removesuffix(".git")
    link = f"https://colab.research.google.com/github/{path}/blob/main/{notebook_path(lesson)}"
    return f"[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({link})"


def notebook_path(lesson: Lesson) -> str:
    return f"assets/notebooks/{lesson.slug}.ipynb"
