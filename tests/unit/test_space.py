"""The tree of a Hugging Face Space (assets/deploy/space.py), and what asks for its GPU."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from huggingface_hub import HfApi, SpaceCard

from assets.deploy import space
from models.device import with_gpu

ROOT = Path(space.__file__).parents[2]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("space")
    space.write_tree(folder, "someone/course")
    return folder


def test_the_card_names_what_zerogpu_has(tree):
    card = SpaceCard.load(tree / "README.md")
    written = card.data.to_dict()
    ours = SpaceCard.load(ROOT / "README.md").data.to_dict()
    changed = {name for name in written if written[name] != ours.get(name)}
    assert changed == {"python_version", "thumbnail", "header", "suggested_hardware", "models"}
    assert set("title emoji sdk sdk_version app_file license preload_from_hub".split()) < set(written)
    assert written["python_version"] == "3.12"
    assert written["thumbnail"].startswith("https://huggingface.co/spaces/someone/course/resolve/main/")
    assert (tree / written["thumbnail"].partition("/resolve/main/")[2]).is_file()
    assert [one.split()[0] for one in written["preload_from_hub"]] == written["models"]


def test_the_requirements_differ_only_in_torch(tree):
    ours = (ROOT / "requirements.txt").read_text(encoding="utf-8").split()
    theirs = (tree / "requirements.txt").read_text(encoding="utf-8").split()
    assert set(theirs) - set(ours) == {f"torch=={space.TORCH_VERSION}", "spaces"}
    assert len(set(ours) - set(theirs)) == 1


def test_the_tree_has_the_app_and_its_data_but_no_tests(tree):
    app_file = SpaceCard.load(tree / "README.md").data.app_file
    for name in (app_file, "lessons/__init__.py", "models/zoo.py", "assets/page.js", "LICENSE"):
        assert (tree / name).is_file(), name
    checkpoints = Path("assets/checkpoints")
    assert len([*(tree / checkpoints).iterdir()]) == len([*(ROOT / checkpoints).iterdir()])
    assert not (tree / "tests").exists()
    assert not [*tree.rglob("__pycache__")]


def test_a_push_creates_the_space_and_uploads_the_tree(tree, monkeypatch):
    calls = []

    def record(name):
        def call(self, *args, **options):
            calls.append((name, args, options))
            return SimpleNamespace(commit_url="https://huggingface.co/commit")

        return call

    for name in ("create_repo", "upload_folder"):
        inspect.signature(getattr(HfApi, name)).bind_partial(None, repo_id="", repo_type="space")
        monkeypatch.setattr(HfApi, name, record(name))
    assert space.push(tree, "someone/course") == "https://huggingface.co/commit"
    assert [name for name, _, _ in calls] == ["create_repo", "upload_folder"]
    (_, named, created), (_, _, uploaded) = calls
    assert (named, created["repo_type"], created["space_sdk"]) == (("someone/course",), "space", "gradio")
    assert (uploaded["repo_id"], uploaded["folder_path"]) == ("someone/course", tree)


def count(last: int) -> Iterator[int]:
    return iter(range(last))


def test_without_a_shared_gpu_training_stays_as_it_is(monkeypatch):
    monkeypatch.delenv("SPACES_ZERO_GPU", raising=False)
    assert with_gpu(count) is count


def test_on_zerogpu_training_asks_for_the_gpu(monkeypatch):
    asked = []

    def gpu(task):
        # otherwise ZeroGPU would return the iterator, not its values
        assert inspect.isgeneratorfunction(task)
        asked.append(task)
        return task

    monkeypatch.setenv("SPACES_ZERO_GPU", "true")
    monkeypatch.setitem(sys.modules, "spaces", SimpleNamespace(GPU=gpu))
    asking = with_gpu(count)
    assert (asked, [*asking(3)]) == ([asking], [0, 1, 2])
