"""Notebooks are current, valid, and run to their end in a fresh Python."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from assets.deploy import notebooks
from lessons import LESSONS
from lessons.attention import LESSON as ATTENTION
from lessons.kit.notebook import ROOT, colab_badge, experiment_notebook, lesson_notebook, notebook_path
from lessons.kit.source_cells import source_cells

FAST = "qkv"  # the usual run executes one notebook
RUN = """
import sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


def run_notebook(path: Path, out: Path, folder: Path) -> list[nbformat.NotebookNode]:
    """Run a notebook in a new kernel that starts in this folder; return its code cells."""
    environment = os.environ | {"GRADIO_ANALYTICS_ENABLED": "False", "JUPYTER_PLATFORM_DIRS": "1"}
    command = [sys.executable, "-c", RUN, str(path), str(out)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr[-3000:]
    return [cell for cell in nbformat.read(out, 4).cells if cell.cell_type == "code"]


def has_picture(cell: nbformat.NotebookNode) -> bool:
    return any("image/png" in output.get("data", {}) for output in cell.outputs)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_the_notebook_of_a_lesson_is_current(lesson):
    """After a change: python -m assets.deploy.notebooks"""
    text = (ROOT / notebook_path(lesson)).read_text(encoding="utf-8")
    nbformat.validate(nbformat.reads(text, as_version=4))
    assert text == lesson_notebook(lesson, LESSONS, notebooks.repository())


@pytest.mark.parametrize(
    "lesson",
    [pytest.param(one, marks=[] if one.slug == FAST else pytest.mark.slow, id=one.slug) for one in LESSONS],
)
def test_the_notebook_of_a_lesson_runs_to_its_end(lesson, tmp_path):
    path = ROOT / notebook_path(lesson)
    cells = run_notebook(path, tmp_path / "run.ipynb", path.parent)
    drawn = [cell for cell in cells if "for view in experiment.views" in cell.source]
    assert len(drawn) == len(lesson.core)
    assert all(map(has_picture, drawn))
    checked = [cell for cell in cells if "exercise.check(" in cell.source]
    assert len(checked) == len(lesson.exercises)
    assert "Running on local URL" in str(cells[-1].outputs)


def test_the_notebook_of_a_state_runs_where_the_project_is(tmp_path):
    steer = ATTENTION.experiment("steer")
    path = tmp_path / "steer.ipynb"
    path.write_text(experiment_notebook(ATTENTION, steer, steer.state({"t": 5})), encoding="utf-8")
    [cell] = run_notebook(path, tmp_path / "run.ipynb", ROOT)
    assert has_picture(cell)
    assert "Running on local URL" in str(cell.outputs)


def test_source_cells_are_the_source_with_its_imports():
    imports, *cells = source_cells(["models.attention:Additive.forward", "models.attention:attend"])
    space: dict = {}
    for cell in (imports, *cells):
        exec(cell, space)
    assert {"forward", "attend"} <= set(space)
    assert "softmax" in cells[1]
    assert "from models.trace import UNTAPPED" in imports
    with pytest.raises(AttributeError):
        source_cells(["models.attention:nothing"])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_cells_of_source_are_short(lesson):
    cells = json.loads((ROOT / notebook_path(lesson)).read_text(encoding="utf-8"))["cells"]
    assert all(len(cell["source"]) <= 18 for cell in cells if cell["cell_type"] == "code")


def test_with_an_address_there_is_a_colab_badge_that_gets_the_project():
    address = "https://github.com/OWNER/NAME"
    text = lesson_notebook(ATTENTION, LESSONS, address)
    assert f"git clone --depth 1 {address}" in text
    badge = colab_badge(ATTENTION, address)
    assert "/github/OWNER/NAME/blob/main/assets/notebooks/attention.ipynb" in badge
    assert json.dumps(badge)[1:-1] in text
    assert "colab" not in lesson_notebook(ATTENTION, LESSONS)
