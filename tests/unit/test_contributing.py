"""The contributors' guide lists all slow tests and no others."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def slow_tests() -> set[str]:
    """Names of all tests of which all or some parameters are slow, as pytest prints them."""
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        module = ast.parse(path.read_text(encoding="utf-8")).body
        marks = {
            ast.unparse(node.targets[0]) for node in module if isinstance(node, ast.Assign) and is_slow(node)
        }
        for node in module:
            if isinstance(node, ast.FunctionDef) and any(
                is_slow(mark) or ast.unparse(mark) in marks for mark in node.decorator_list
            ):
                found.add(f"{path.relative_to(ROOT)}::{node.name}")
    return found


def is_slow(node: ast.AST) -> bool:
    return "pytest.mark.slow" in ast.unparse(node)


def test_the_guide_lists_the_slow_tests_with_a_reason():
    guide = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^- `(tests/\S+::\w+)`: (.+)$", guide, re.MULTILINE))
    assert listed.keys() == slow_tests()
    assert slow_tests()
