"""Write a Jupyter notebook per lesson into assets/notebooks: python -m assets.deploy.notebooks

Each gets a Colab badge if CITATION.cff says where the project is (`repository-code`).
"""

import re
from pathlib import Path

from lessons import LESSONS
from lessons.kit.notebook import ROOT, lesson_notebook, notebook_path


def repository() -> str:
    """Address of the project on GitHub, from CITATION.cff; empty if it is not given."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    found = re.search(r'^repository-code: "?(https://github\.com/[\w.-]+/[\w.-]+)"?$', citation, re.MULTILINE)
    return found[1] if found else ""


def notebooks() -> dict[Path, str]:
    """Every notebook by its path."""
    return {ROOT / notebook_path(one): lesson_notebook(one, LESSONS, repository()) for one in LESSONS}


def main() -> None:
    for path, text in notebooks().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
