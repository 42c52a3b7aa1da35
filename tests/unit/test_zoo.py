"""A checkpoint loads only if it fits its card; otherwise the error names the command that retrains it."""

import hashlib
import json
import pickle
import shutil

import pytest
import torch

from models import train, zoo
from models.gradients import gradient
from models.recipes import RECIPES
from models.zoo import CHECKPOINTS, CheckpointError

A, B = "reversal-none-64-s0", "copy-none-64-s0"


@pytest.fixture
def folder(tmp_path):
    """A folder with two checkpoints that tests may damage."""
    for name in (A, B):
        for ending in (".json", ".safetensors"):
            shutil.copy(CHECKPOINTS / (name + ending), tmp_path)
    for path in CHECKPOINTS.glob("vocabulary-*.txt"):
        shutil.copy(path, tmp_path)
    return tmp_path


def refused(folder, name=A):
    with pytest.raises(CheckpointError) as error:
        zoo.load(name, folder)
    said = str(error.value)
    assert said.startswith(f"The model “{name}” ")
    assert said.endswith(f": {error.value.command}")
    assert error.value.command == f"python -m models.train {name}"
    assert error.value.fault in said
    return said


def test_loads_frozen_and_shared(folder):
    model, card = zoo.load(A, folder)
    assert card.name == A
    assert not model.training
    assert not any(parameter.requires_grad for parameter in model.parameters())
    assert zoo.load(A, folder)[0] is model


def test_broken_weights(folder):
    path = folder / f"{A}.safetensors"
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.write_bytes(data)
    assert "sha256" in refused(folder)


def test_truncated_weights(folder):
    path = folder / f"{A}.safetensors"
    path.write_bytes(path.read_bytes()[:1000])
    assert "sha256" in refused(folder)


def test_swapped_weights(folder):
    shutil.copy(folder / f"{B}.safetensors", folder / f"{A}.safetensors")
    assert "sha256" in refused(folder)


def test_swapped_weights_and_card(folder):
    for ending in (".json", ".safetensors"):
        shutil.copy(folder / (B + ending), folder / (A + ending))
    assert f"card of “{B}”" in refused(folder)


def test_missing_parts(folder):
    (folder / f"{A}.safetensors").unlink()
    assert f"no weights ({A}.safetensors is missing)" in refused(folder)
    (folder / f"{B}.json").unlink()
    assert f"no card ({B}.json is missing)" in refused(folder, B)


@pytest.mark.parametrize(("ending", "what"), [(".json", "card"), (".safetensors", "weights")])
def test_a_file_that_cannot_be_read(folder, ending, what):
    path = folder / (A + ending)
    path.unlink()
    path.mkdir()  # a directory, because root can read a file with any permissions
    assert f"{what} that cannot be read ({path.name}: " in refused(folder)


def test_weights_that_are_no_weights(folder):
    """A file without tensors must be refused even if its hash matches the card."""
    (folder / f"{A}.safetensors").write_bytes(b"no tensors here")
    changed_card(folder, sha256=hashlib.sha256(b"no tensors here").hexdigest())
    assert "does not fit its card" in refused(folder)


def test_a_repaired_checkpoint_loads_without_a_restart(folder):
    path = folder / f"{A}.safetensors"
    path.rename(folder / "away")
    refused(folder)
    (folder / "away").rename(path)
    assert zoo.load(A, folder)[1].name == A


def test_the_error_comes_whole_out_of_another_process():
    error = pickle.loads(pickle.dumps(CheckpointError(A, "has no card")))
    assert str(error) == str(CheckpointError(A, "has no card"))
    assert error.name == A


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b'{"name": "reversal-none-64-s0"}', b"null", b"\xff\xfe\x00"], ids=repr
)
def test_unreadable_card(folder, text):
    (folder / f"{A}.json").write_bytes(text)
    assert "card that cannot be read" in refused(folder)


def changed_card(folder, **changes):
    path = folder / f"{A}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_card_for_other_sizes(folder):
    card = zoo.Card.read(A, folder)
    changed_card(folder, config={**card.config, "width": 32})
    assert "does not fit its card" in refused(folder)


def test_a_card_for_other_words(folder):
    changed_card(folder, vocabularies={"source": "a\nb", "target": "a\nb"})
    assert "other words" in refused(folder)


@pytest.mark.parametrize(
    "change",
    [{"task": "telepathy"}, {"task": ["copy"]}, {"kind": "oracle"}, {"config": None}, {"config": 3}],
    ids=str,
)
def test_a_card_of_nothing_there_is(folder, change):
    changed_card(folder, **change)
    assert "does not fit its card" in refused(folder)


def test_loading_inside_inference_mode_still_allows_gradients(folder):
    with torch.inference_mode():
        model, _ = zoo.load(A, folder)
    found = gradient(
        lambda edits: model.run([5, 6, 7], [5, 2], edits), "c", lambda trace: trace.logprobs.sum()
    )
    assert found.norm() > 0


def test_loading_leaves_the_global_generator_alone(folder):
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    zoo.load(A, folder)
    assert torch.equal(torch.rand(3), expected)


def test_measuring_again_refuses_the_weights_of_another_recipe(folder, monkeypatch):
    changed_card(folder, recipe={"seed": 0, "steps": 1, "lr": 0.01, "batch": 128, "examples": 1})
    model, card = zoo.load(A, folder)
    monkeypatch.setattr(zoo, "load", lambda name: (model, card))
    with pytest.raises(CheckpointError, match="another recipe"):
        train.measure_again(RECIPES[A])


def test_saving_and_loading_gives_the_same_model(tmp_path):
    model, _ = zoo.load(A)
    recipe = RECIPES[A]
    zoo.save(recipe, model, seconds=1.0, metrics={}, folder=tmp_path)
    again, card = zoo.load(A, tmp_path)
    assert card.recipe["seed"] == recipe.seed
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name]), name


def test_a_missing_vocabulary(folder):
    file = json.loads((folder / f"{A}.json").read_text())["vocabularies"]["source"]
    (folder / file).unlink()
    assert f"no vocabulary ({file} is missing)" in refused(folder)


def test_every_vocabulary_file_belongs_to_a_card():
    cards = [json.loads(path.read_text()) for path in CHECKPOINTS.glob("*.json") if ".film" not in path.name]
    files = {file for card in cards for file in card["vocabularies"].values() if file.endswith(".txt")}
    assert files == {path.name for path in CHECKPOINTS.glob("vocabulary-*.txt")}


def test_every_recipe_ships_and_nothing_else():
    assert set(zoo.names()) == {name for name, recipe in RECIPES.items() if recipe.keep}
    assert {path.stem for path in CHECKPOINTS.glob("*.json") if ".film" not in path.name} == set(RECIPES)
    assert sum(path.stat().st_size for path in CHECKPOINTS.iterdir()) <= 30e6
    for name in zoo.names():
        model, card = zoo.load(name)
        assert card.parameters == sum(parameter.numel() for parameter in model.parameters())
