"""The contributors' guide lists every slow test, and no other."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def slow_tests() -> set[str]:
    """All tests that carry the marker, as pytest names them."""
    return {
        f"{path.relative_to(ROOT)}::{node.name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and "pytest.mark.slow" in map(ast.unparse, node.decorator_list)
    }


def test_the_guide_lists_the_slow_tests_with_a_reason():
    guide = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^- `(tests/\S+::\w+)`: (.+)$", guide, re.MULTILINE))
    assert listed.keys() == slow_tests()
    assert slow_tests()
