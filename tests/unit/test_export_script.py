"""The exported script runs without this package and writes the same output as the model."""

import ast
import io
import json
import os
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from models import export_script, zoo
from models.inline_source import inline_source
from models.rnn import GRU, VanillaRNN
from models.tasks import CORPORA, TASKS
from models.vocabulary import Vocabulary
from models.zoo import vocabulary_lines

MAX_LINES, MAX_LINE_CHARS = 60, 125
ALLOWED_IMPORTS = {"torch", "safetensors", *sys.stdlib_module_names}
NEW_WORDS = 20  # number of words that a language model adds
BLACK_SWORD = "long ago ella had a black sword . she ran to the classroom . ella left it there ."
APPLE = "anna hid a green apple beside the barn . leo found the apple . leo lost it near the river ."
SENTENCES = {
    "translation": ("they will buy a beautiful house .", "is she old ?", "he hit me with a pie ."),
    "everyday": ("they will buy a beautiful house .", "is she old ?", "my friend met <unk> ."),
    "drawings": ("·" * 36, "█" * 36, "·▟▖·" * 9),
    "dates": ("3 march 1992", "the 14th of july 2021", "tuesday, march 3, 1992"),
    "addition": ("27+58", "9+9", "34+7"),
    "copy": ("abc", "zebra", "q"),
    "reversal": ("abc", "zebra", "q"),
    "pronounce": ("knight", "tanmoy", "a"),
    "stories": ("one day", "the boy", ""),
    "english": ("she will", "the old house", ""),
    "parsing": ("tom sees me .", "the girl saw the man with the telescope .", "the dog slept ."),
    "code": ("swap total and z .", "add three to x and print it .", "double y ."),
    "summaries": (BLACK_SWORD, APPLE),
    "answers": (f"{BLACK_SWORD} who left the sword ?", f"{APPLE} where was the apple ?"),
}
UNTRAINED = {  # configurations that are not shipped but that a learner may train
    "gru-3-dot": ("seq2seq", {"context": "attention", "score": "dot", "bidirectional": True, "layers": 3}),
    "lstm-3-additive": (
        "seq2seq",
        {"context": "attention", "cell": "LSTM", "bidirectional": True, "layers": 3},
    ),
    "lstm-2-every": ("seq2seq", {"context": "every", "cell": "LSTM", "bidirectional": True, "layers": 2}),
    "lstm-code": ("seq2seq", {"context": "first", "cell": "LSTM", "context_dim": 4}),
    "vanilla-before": (
        "seq2seq",
        {"context": "attention", "query": "before", "cell": "vanilla", "layers": 2},
    ),
    "one-number": ("seq2seq", {"context": "attention", "score": "dot", "width": 1}),
    "two-layers-shared": ("seq2seq", {"context": "shared", "layers": 2}),
    "transformer-1": ("transformer", {"d": 8, "d_fc": 16, "layers": 1}),
    "transformer-3": ("transformer", {"d": 16, "d_fc": 32, "layers": 3}),
}
DRIVER = """
import importlib.util, json, sys
found = {}
for name, sentences, more in json.load(sys.stdin):
    spec = importlib.util.spec_from_file_location("alone", f"{name}/{name}.py")
    alone = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(alone)
    found[name] = [alone.write(words, *more) for words in sentences]
print(json.dumps(found))
"""


def run_isolated(*command: str, folder: Path, **more) -> str:
    """Run Python without this package (no current folder, path or user packages) and return its output."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-I", *command], cwd=folder, env=clean, capture_output=True, text=True, **more
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def build_untrained(name: str):
    kind, change = UNTRAINED[name]
    task = TASKS["copy"]
    sizes = {"source_words": len(task.source), "target_words": len(task.target)}
    sizes |= {"embedding": 6, "width": 8} if kind == "seq2seq" else {}
    model = zoo.build(kind, sizes | change, seed=3).requires_grad_(False).eval()
    for weight in model.parameters():
        weight.mul_(2.0)  # larger weights, so that different sources give different outputs
    return kind, model


def words_of(task: str) -> list[list[str]]:
    characters = task in TASKS and TASKS[task].unit == "character"
    return [list(text) if characters else text.split() for text in SENTENCES[task]]


@pytest.fixture(scope="module")
def exports(tmp_path_factory) -> Path:
    """Create a folder with the exported files of all shipped and untrained models."""
    folder = tmp_path_factory.mktemp("exports")
    for name in export_script.exportable_names():
        with (
            suppress(zoo.CheckpointError),
            zipfile.ZipFile(io.BytesIO(export_script.export_checkpoint(name))) as files,
        ):
            files.extractall(folder)
    for name in UNTRAINED:
        kind, model = build_untrained(name)
        (folder / name).mkdir()
        save_file(
            {key: tensor.clone() for key, tensor in model.state_dict().items()},
            folder / name / f"{name}.safetensors",
        )
        card = {"vocabularies": vocabulary_lines("copy")}
        (folder / name / f"{name}.json").write_text(json.dumps(card), encoding="utf-8")
        text = export_script.render_script(kind, model.config, name, "abc", "character")
        (folder / name / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def outputs(exports) -> dict[str, list[list[str]]]:
    """Return the outputs of every script for every sentence, from one isolated process."""
    wanted = []
    for name in [path.name for path in exports.iterdir()]:
        task = zoo.Card.read(name).task if name not in UNTRAINED else "copy"
        wanted.append((name, words_of(task), [NEW_WORDS] if task in CORPORA else []))
    return json.loads(run_isolated("-c", DRIVER, folder=exports, input=json.dumps(wanted)))


@torch.inference_mode()
def translated(model, task, words: list[str]) -> list[str]:
    return [word for word in task.target.tokens(model.run(task.source.ids(words)).output) if word != "<eos>"]


@torch.inference_mode()
def continued(model, vocabulary: Vocabulary, words: list[str]) -> list[str]:
    """Continue a text greedily, and read the whole text again for every word."""
    text = vocabulary.ids(words)
    while len(text) < len(words) + NEW_WORDS and text[-1:] != [vocabulary.eos]:
        text.append(int(model.run(text).logits[-1].argmax()))
    return [word for word in vocabulary.tokens(text) if word != "<eos>"]


@pytest.mark.parametrize("name", export_script.exportable_names())
def test_the_script_of_a_shipped_model_writes_what_the_model_writes(name, outputs):
    model, card = zoo.load(name)
    if card.task in CORPORA:
        own = [continued(model, CORPORA[card.task].vocabulary, words) for words in words_of(card.task)]
    else:
        own = [translated(model, TASKS[card.task], words) for words in words_of(card.task)]
    assert outputs[name] == own


@pytest.mark.parametrize("name", UNTRAINED)
def test_the_script_of_any_configuration_writes_what_the_model_writes(name, outputs):
    _, model = build_untrained(name)
    assert outputs[name] == [translated(model, TASKS["copy"], words) for words in words_of("copy")]
    assert name == "one-number" or len(set(map(tuple, outputs[name]))) > 1


@pytest.mark.parametrize("name", [*export_script.exportable_names(), *UNTRAINED])
def test_the_file_is_short_and_needs_only_torch(name, exports):
    text = (exports / name / f"{name}.py").read_text("utf-8")
    lines = text.splitlines()
    assert len(lines) <= MAX_LINES
    # the first line quotes an example, which may be a story
    assert max(map(len, lines[1:])) <= MAX_LINE_CHARS
    assert ";" not in text
    tree = list(ast.walk(ast.parse(text)))
    imported = [alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names]
    imported += [node.module or "" for node in tree if isinstance(node, ast.ImportFrom)]
    assert {module.split(".")[0] for module in imported} <= ALLOWED_IMPORTS


@pytest.mark.parametrize(
    ("name", "typed", "written"),
    [
        ("dates-additive-64-s0", "3 March 1992", "1992-03-03"),
        ("translation-transformer-s0", "He hit me with a pie.", "il m' a entarté ."),
    ],
)
def test_the_file_is_a_command(exports, name, typed, written):
    assert run_isolated(f"{name}.py", typed, folder=exports / name).strip() == written


def test_models_that_write_no_text_are_not_exportable():
    others = [zoo.Card.read(name) for name in set(zoo.names()) - set(export_script.exportable_names())]
    writers = {card.kind for card in others} - {"probe", "sense", "language model with attention"}
    assert writers == {"seq2seq", "transformer"} & writers
    for card in others:
        if card.kind in writers:  # this kind of model is exportable, so its task is the reason
            assert card.config.get("tied") or card.config.get("decoder_layers"), card.name


def test_inlined_source_has_comments_but_no_taps():
    assert inline_source(VanillaRNN.step) == [
        "h_prev, = state",
        "from_memory = F.linear(h_prev, self.W_hh)  # (m,)",
        "from_input = F.linear(x_t, self.W_xh)  # (m,)",
        "return (torch.tanh(from_memory + from_input + self.b_h),)",
    ]
    assert inline_source(GRU.step, {"self": "cell"}, into="h =")[-1] == "h = ((1 - z) * n + z * h_prev,)"
