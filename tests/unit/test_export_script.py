"""What is taken home runs alone, and says what the model says."""

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

LINES, WIDE = 60, 125
ALONE = {"torch", "safetensors", *sys.stdlib_module_names}
WRITTEN = 20  # words that a language model adds
SENTENCES = {
    "translation": ("they will buy a beautiful house .", "is she old ?", "he hit me with a pie ."),
    "dates": ("3 march 1992", "the 14th of july 2021", "tuesday, march 3, 1992"),
    "addition": ("27+58", "9+9", "34+7"),
    "copy": ("abc", "zebra", "q"),
    "reversal": ("abc", "zebra", "q"),
    "stories": ("one day", "the boy", ""),
}
FRESH = {  # what nothing shipped has, but a learner may train
    "gru-3-dot": ("seq2seq", {"context": "attention", "score": "dot", "bidirectional": True, "layers": 3}),
    "lstm-3-additive": ("seq2seq", {"context": "attention", "cell": "LSTM", "bidirectional": True, "layers": 3}),
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


def bare(*command: str, folder: Path, **more) -> str:
    """What Python says that sees nothing of ours: no current folder, no path, no packages of a user."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-I", *command], cwd=folder, env=clean, capture_output=True, text=True, **more
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def fresh(name: str):
    kind, change = FRESH[name]
    task = TASKS["copy"]
    sizes = {"source_words": len(task.source), "target_words": len(task.target)}
    sizes |= {"embedding": 6, "width": 8} if kind == "seq2seq" else {}
    model = zoo.build(kind, sizes | change, seed=3).requires_grad_(False).eval()
    for weight in model.parameters():
        weight.mul_(2.0)  # so that different sources say different things
    return kind, model


def words_of(task: str) -> list[list[str]]:
    characters = task in TASKS and TASKS[task].unit == "character"
    return [list(text) if characters else text.split() for text in SENTENCES[task]]


@pytest.fixture(scope="module")
def homes(tmp_path_factory) -> Path:
    """A folder for each model that is offered, and for each fresh one."""
    folder = tmp_path_factory.mktemp("homes")
    for name in export_script.exportable_names():
        with suppress(zoo.CheckpointError), zipfile.ZipFile(io.BytesIO(export_script.export_checkpoint(name))) as files:
            files.extractall(folder)
    for name in FRESH:
        kind, model = fresh(name)
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
def said(homes) -> dict[str, list[list[str]]]:
    """What each file writes for each sentence, all in one bare process."""
    wanted = []
    for name in [path.name for path in homes.iterdir()]:
        task = zoo.Card.read(name).task if name not in FRESH else "copy"
        wanted.append((name, words_of(task), [WRITTEN] if task == "stories" else []))
    return json.loads(bare("-c", DRIVER, folder=homes, input=json.dumps(wanted)))


@torch.inference_mode()
def translated(model, task, words: list[str]) -> list[str]:
    return [word for word in task.target.tokens(model.run(task.source.ids(words)).output) if word != "<eos>"]


@torch.inference_mode()
def continued(model, vocabulary: Vocabulary, words: list[str]) -> list[str]:
    """The likeliest word after all before it, again and again, each time read anew."""
    text = vocabulary.ids(words)
    while len(text) < len(words) + WRITTEN and text[-1:] != [vocabulary.eos]:
        text.append(int(model.run(text).logits[-1].argmax()))
    return [word for word in vocabulary.tokens(text) if word != "<eos>"]


@pytest.mark.parametrize("name", export_script.exportable_names())
def test_every_shipped_model_says_at_home_what_it_says_here(name, said):
    model, card = zoo.load(name)
    if card.task in CORPORA:
        own = [continued(model, CORPORA[card.task].vocabulary, words) for words in words_of(card.task)]
    else:
        own = [translated(model, TASKS[card.task], words) for words in words_of(card.task)]
    assert said[name] == own


@pytest.mark.parametrize("name", FRESH)
def test_what_a_learner_may_train_says_at_home_what_it_says_here(name, said):
    _, model = fresh(name)
    assert said[name] == [translated(model, TASKS["copy"], words) for words in words_of("copy")]
    assert name == "one-number" or len(set(map(tuple, said[name]))) > 1


@pytest.mark.parametrize("name", [*export_script.exportable_names(), *FRESH])
def test_the_file_is_short_and_needs_only_torch(name, homes):
    text = (homes / name / f"{name}.py").read_text("utf-8")
    lines = text.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDE
    assert ";" not in text
    tree = list(ast.walk(ast.parse(text)))
    imported = [alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names]
    imported += [node.module or "" for node in tree if isinstance(node, ast.ImportFrom)]
    assert {module.split(".")[0] for module in imported} <= ALONE


@pytest.mark.parametrize(
    ("name", "typed", "written"),
    [
        ("dates-additive-64-s0", "3 March 1992", "1992-03-03"),
        ("translation-transformer-s0", "He hit me with a pie.", "il m' a entarté ."),
    ],
)
def test_the_file_is_a_command(homes, name, typed, written):
    assert bare(f"{name}.py", typed, folder=homes / name).strip() == written


def test_what_writes_no_text_is_not_offered():
    left = {zoo.Card.read(name).kind for name in set(zoo.names()) - set(export_script.exportable_names())}
    assert left == {"probe", "sense"}


def test_a_step_is_cut_without_its_taps_and_with_its_comments():
    assert inline_source(VanillaRNN.step) == [
        "h_prev, = state",
        "from_memory = F.linear(h_prev, self.W_hh)  # (m,)",
        "from_input = F.linear(x_t, self.W_xh)  # (m,)",
        "return (torch.tanh(from_memory + from_input + self.b_h),)",
    ]
    assert inline_source(GRU.step, {"self": "cell"}, into="h =")[-1] == "h = ((1 - z) * n + z * h_prev,)"
