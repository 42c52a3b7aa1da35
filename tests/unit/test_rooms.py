"""app → lessons → models, never back; and the mathematics knows neither page nor drawing."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {
    "models": {"gradio", "matplotlib", "pandas", "lessons", "app"},
    "lessons": {"app"},
    "lessons/kit/pictures": {"gradio", "torch", "models"},
}
FORBIDDEN_BY_NAME = {"compute": {"gradio", "matplotlib"}, "views": {"gradio", "torch", "matplotlib"}}  # a module or a folder


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("room", FORBIDDEN)
def test_rooms_know_only_what_is_below_them(room):
    files = list((ROOT / room).rglob("*.py"))
    assert files
    for path in files:
        assert not imported(path) & FORBIDDEN[room], path


def test_lessons_compute_without_drawing_and_draw_without_torch():
    for path in (ROOT / "lessons").rglob("*.py"):
        for name, forbidden in FORBIDDEN_BY_NAME.items():
            assert name not in (path.stem, path.parent.name) or not imported(path) & forbidden, path
        if path.parent.name != "shell":
            assert "gradio" not in imported(path), path


def test_lessons_never_import_each_other():
    shared = {"kit"}
    rooms = {path.parent.name for path in (ROOT / "lessons").glob("*/__init__.py")} - shared
    assert rooms
    for room in rooms:
        for path in (ROOT / "lessons" / room).rglob("*.py"):
            others = {f"lessons.{other}" for other in rooms - {room}}
            assert not any(f"{other}" in path.read_text(encoding="utf-8") for other in others), path


def test_the_top_level_stays_short():
    tracked = {path.name for path in ROOT.iterdir() if not path.name.startswith(".") and path.name != "__pycache__"}
    assert tracked <= {
        "requirements.txt",
        "app.py",
        "lessons",
        "models",
        "assets",
        "tests",
        "README.md",
        "pyproject.toml",
        "LICENSE",
    }
