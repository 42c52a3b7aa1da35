"""The README tells the truth: its card, its tree, its commands."""

import re
from pathlib import Path

from lessons import LESSONS
from tests.readme_picture import PICTURE, lessons_in

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_space_card_matches_the_pins():
    pins = dict(line.split("==") for line in (ROOT / "requirements.txt").read_text().split())
    card = dict(line.split(": ", 1) for line in README.split("---")[1].strip().splitlines() if ": " in line)
    assert card["sdk_version"] == pins["gradio"]
    assert (card["sdk"], card["app_file"], card["license"]) == ("gradio", "app.py", "mit")
    assert (ROOT / card["app_file"]).exists()


def test_every_file_of_the_tree_exists():
    for block in re.findall(r"```\n(.*?)```", README, flags=re.DOTALL):
        folder = []
        for line in block.splitlines():
            depth = (len(line) - len(line.lstrip())) // 2
            for name in re.findall(
                r"[\w/]+(?:\.py|/)(?=\s|$)",
                re.split(r"\s{3,}", line.strip())[0] if "  " in line.strip() else line,
            ):
                path = ROOT.joinpath(*folder[:depth], name)
                assert path.exists(), path
                if name.endswith("/"):
                    folder = [*folder[:depth], name]


def test_the_readmes_picture_shows_all_lessons():
    lessons = [f"{number} {lesson.short}" for number, lesson in enumerate(LESSONS)]
    assert lessons_in(PICTURE.read_bytes())[1:] == lessons, "run python -m tests.readme_picture"


def test_pictures_of_the_readme_are_there():
    for path in re.findall(r"!\[.*?\]\((.*?)\)", README):
        assert (ROOT / path).exists(), path
