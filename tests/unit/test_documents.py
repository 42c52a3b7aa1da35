"""README and documents are correct: the card, file trees, links, pictures and versions."""

import json
import re
from pathlib import Path

import pytest
import yaml

from lessons.kit import VERSION
from models.pretrained.store import PINNED
from tests.readme_pictures import TAKEN, lesson_names

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / ".github" / "CONTRIBUTING.md",
    *(ROOT / "assets" / "docs").glob("*.md"),
]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TREE_NAME = r"[\w/]+(?:\.py|\.md|/)(?=\s|$)"


def pins(path: str) -> dict[str, str]:
    lines = (ROOT / path).read_text().split()
    return dict(line.split("==") for line in lines if "==" in line)


def test_the_space_card_matches_the_pins():
    card = yaml.safe_load(README.split("---")[1])
    assert card["sdk_version"] == pins("requirements.txt")["gradio"]
    assert (card["sdk"], card["app_file"], card["license"]) == ("gradio", "app.py", "mit")
    assert (ROOT / card["app_file"]).exists()
    weights = PINNED["smollm2"]
    [preloaded] = card["preload_from_hub"]
    repository, names, revision = preloaded.split()
    assert (repository, set(names.split(",")), revision) == (
        weights.repository,
        set(weights.files),
        weights.revision,
    )


def test_the_lock_file_has_the_pins():
    locked = {name.lower().replace("_", "-"): version for name, version in pins("requirements.lock").items()}
    for name, version in pins("requirements.txt").items():
        assert locked[name.lower().replace("_", "-")] == version, name


def test_every_file_of_the_trees_exists():
    text = (ROOT / "assets" / "docs" / "architecture.md").read_text(encoding="utf-8")
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    blocks = [block for language, block in fenced if not language]
    assert len(blocks) == 3
    for block in blocks:
        folder: list[str] = []
        for line in block.splitlines():
            depth = (len(line) - len(line.lstrip())) // 2
            entry = re.split(r"\s{3,}", line.strip())[0]
            for name in re.findall(TREE_NAME, entry):
                path = ROOT.joinpath(*folder[:depth], name)
                assert path.exists(), path
                if name.endswith("/"):
                    folder = [*folder[:depth], name]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_pictures_lead_somewhere(document):
    for path in re.findall(r"\]\((?!https?:)([^)#\s]+)\)", document.read_text(encoding="utf-8")):
        assert (document.parent / path).exists(), path


def test_the_pictures_show_the_lessons_of_today():
    assert json.loads(TAKEN.read_text(encoding="utf-8")) == lesson_names(), (
        "run python -m tests.readme_pictures"
    )


def test_one_version_everywhere():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == VERSION
    assert f"## {VERSION}" in (ROOT / "assets" / "docs" / "changelog.md").read_text(encoding="utf-8")


def test_the_paper_cites_what_its_bibliography_has():
    docs = ROOT / "assets" / "docs"
    cited = set(re.findall(r"@(\w+)", (docs / "paper.md").read_text(encoding="utf-8")))
    listed = re.findall(r"^@\w+\{(\w+),", (docs / "paper.bib").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited == set(listed)
    assert len(listed) == len(cited)
