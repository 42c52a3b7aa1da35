"""Imports go from app to lessons to models, never back; models import no web or drawing code."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {
    "models": {"gradio", "matplotlib", "pandas", "lessons", "app"},
    "lessons": {"app"},
    "lessons/kit/pictures": {"gradio", "torch", "models"},
}
FORBIDDEN_BY_NAME = {
    "compute": {"gradio", "matplotlib"},
    "views": {"gradio", "torch", "matplotlib"},
}  # keys are names of modules or folders

WEB = ROOT / "lessons" / "kit" / "web"
WEB_ONLY = {
    "gradio",
    "gradio_client",
    "starlette",
    "fastapi",
    "uvicorn",
    "anyio",
    "httpx",
}  # only the web layer may import these


@cache
def imports(path: Path) -> list[ast.Import | ast.ImportFrom]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def imported(path: Path) -> set[str]:
    found = set()
    for node in imports(path):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("package", FORBIDDEN)
def test_packages_import_only_lower_layers(package):
    files = list((ROOT / package).rglob("*.py"))
    assert files
    for path in files:
        assert not imported(path) & FORBIDDEN[package], path


def test_the_web_layer_is_there_and_app_py_knows_only_its_site():
    assert "gradio" in set().union(*map(imported, WEB.glob("*.py")))
    assert not imported(ROOT / "app.py") & WEB_ONLY
    assert {name for name in modules(ROOT / "app.py") if name.startswith("lessons.kit")} == {
        "lessons.kit.web.server.Site",
        "lessons.kit.web.workers.CannotListen",
    }


def test_lessons_compute_without_drawing_and_draw_without_torch():
    for path in (ROOT / "lessons").rglob("*.py"):
        for name, forbidden in FORBIDDEN_BY_NAME.items():
            assert name not in (path.stem, path.parent.name) or not imported(path) & forbidden, path
        if path.parent != WEB:
            assert not imported(path) & WEB_ONLY, path


def modules(path: Path) -> set[str]:
    """Full names of all imports: lessons.kit.link for `from lessons.kit import link`."""
    found = set()
    for node in imports(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def among(names: set[str], package: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for name in names)


PACKAGES = {path.parent.name for path in (ROOT / "lessons").glob("*/__init__.py")} - {"kit"}


def test_lessons_never_import_each_other_and_the_kit_knows_none():
    assert len(PACKAGES) >= 8
    for package in (*PACKAGES, "kit"):
        for path in (ROOT / "lessons" / package).rglob("*.py"):
            assert not any(among(modules(path), f"lessons.{other}") for other in PACKAGES - {package}), path


def test_inside_a_lesson_everything_looks_down():
    """Modules import only lower layers: web → lesson data → compute → models; views → pictures.

    No compute module imports a view, and no lesson imports the web layer.
    """
    for package in PACKAGES:
        for path in (ROOT / "lessons" / package).rglob("*.py"):
            assert not among(modules(path), "lessons.kit.web"), path
            if "compute" in (path.stem, path.parent.name):
                assert not among(modules(path), f"lessons.{package}.views"), path
                assert not among(modules(path), "lessons.kit.pictures"), path
    for path in (ROOT / "lessons" / "kit").rglob("*.py"):
        if path.parent != WEB:
            assert not among(modules(path), "lessons.kit.web"), path


def test_a_lesson_can_be_imported_by_its_own_name():
    import lessons.attention.steer as package
    from lessons import LESSONS

    assert Path(package.__file__).parent.name == "steer"
    assert [lesson.slug for lesson in LESSONS][:3] == ["basics", "recurrence", "bottleneck"]


def test_the_top_level_stays_short():
    tracked = {
        path.name for path in ROOT.iterdir() if not path.name.startswith(".") and path.name != "__pycache__"
    }
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
        "CITATION.cff",
        "requirements.lock",
    }
