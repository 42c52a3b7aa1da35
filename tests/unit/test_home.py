"""What is taken home runs alone, and says what the model says."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from models import home, metrics, zoo
from models.tasks import TASKS

CONFIGS = [
    {"context": "attention", "score": "additive", "two_way": True},
    {"context": "attention", "score": "scaled dot", "cell": "vanilla"},
    {"context": "attention", "score": "scaled bilinear", "query": "before", "layers": 2},
    {"context": "every", "cell": "LSTM", "two_way": True, "layers": 2},
    {"context": "first", "code": 4, "cell": "LSTM"},
    {"context": "shared"},
]
LINES = 90


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: " ".join(map(str, config.values())))
def test_the_cut_source_computes_what_the_model_computes(config):
    """Every cell, context and score, with fresh weights: the same tokens."""
    task = TASKS["copy"]
    sizes = {"source_words": len(task.source), "target_words": len(task.target), "embedding": 6, "width": 8}
    model = zoo.build("seq2seq", sizes | config, seed=3).requires_grad_(False).eval()
    for weight in model.parameters():
        weight.mul_(2.5)  # so that different sources say different things
    text, there = home.script(model.config, "copy", "abc", task.unit), {"__name__": "home"}
    exec(compile(text, "copy.py", "exec"), there)  # our own text, just made
    tree = there["Part"]()
    for name, tensor in model.state_dict().items():
        *parts, last = name.split(".")
        place = tree
        for part in parts:
            place = place.setdefault(part, there["Part"]())
        place[last] = tensor
    sources = [task.source.ids(word) for word in ("abc", "zebra", "q")]
    assert [there["translate"](tree, source, 12) for source in sources] == metrics.translate(model, sources, 12)
    assert len(text.splitlines()) <= LINES


def test_a_shipped_model_runs_alone_from_its_three_files(tmp_path: Path):
    name, text = "dates-additive-64-s0", "3 march 1992"
    model, card = zoo.load(name)
    save_file(model.state_dict(), tmp_path / f"{name}.safetensors")
    (tmp_path / f"{name}.json").write_text(json.dumps(dataclasses.asdict(card)), encoding="utf-8")
    (tmp_path / f"{name}.py").write_text(home.script(model.config, name, text, "character"), encoding="utf-8")
    bare = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [sys.executable, "-I", f"{name}.py", text]
    found = subprocess.run(command, cwd=tmp_path, env=bare, capture_output=True, text=True, check=True)
    with torch.inference_mode():
        [own] = metrics.translate(model, [TASKS["dates"].source.ids(text)])
    assert found.stdout.strip() == "".join(TASKS["dates"].target.tokens(own))
