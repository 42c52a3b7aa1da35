"""Comments and docstrings name only files that exist."""

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("app.py", "assets", "lessons", "models", "tests", "README.md", ".github")
FILES = {
    f"/{path.relative_to(ROOT)}": path
    for part in PARTS
    for path in (ROOT / part, *(ROOT / part).rglob("*"))
    if path.is_file()
}
ELSEWHERE = {"sitecustomize.py", "gradio/routes.py"}  # part of Python and of Gradio
NAMED = re.compile(r"(?<![\w/.<>*{}-])[\w-]+(?:/[\w-]+)*\.(?:py|js|mjs|css|md|jinja|html|conf)\b(?![\w/*])")


def spoken(path: Path) -> Iterator[str]:
    """Yield the comments and docstrings of a file."""
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT or (
                token.type == tokenize.STRING and token.line.lstrip().startswith('"""')
            ):
                yield token.string


@pytest.mark.parametrize("part", ["app.py", "lessons", "models", "tests"])
def test_comments_name_files_that_exist(part):
    missing = {
        (name, named)
        for name, path in FILES.items()
        if name.startswith(f"/{part}") and name.endswith(".py")
        for text in spoken(path)
        for named in {*NAMED.findall(text)} - ELSEWHERE
        if not any(each.endswith(f"/{named}") for each in FILES)
    }
    assert not missing
