"""Read the tab-separated tables of assets/lexicon: column names in the first line, `#` for comments."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "assets" / "lexicon"


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """Rows of one table as dictionaries. A missing cell is an empty string."""
    lines = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    header, *body = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    return tuple(
        dict.fromkeys(header, "") | dict(zip(header, map(str.strip, row), strict=False)) for row in body
    )


@cache
def word_group(name: str) -> frozenset[str]:
    """Words in one row of word_groups.tsv, such as the verbs that are habits."""
    (words,) = [row["words"] for row in rows("word_groups") if row["group"] == name]
    return frozenset(words.split(", "))


def word_list(cell: str) -> frozenset[str]:
    """Words in a cell: a list separated by commas, or `@` and the name of a word group."""
    return word_group(cell[1:]) if cell.startswith("@") else frozenset(cell.split(", "))
