"""A model to take home: its weights, its card, and one short file of plain torch that reads both and translates.

The steps of that file (cell, score, attention) are cut out of this package's own source, without their taps, so that they cannot
drift from it; the lines around them are chosen by the model's configuration.        lesson training
"""

import ast
import inspect
import io
import re
import textwrap
import zipfile
from collections.abc import Callable
from typing import Any

from models.attention import SCORES, attend
from models.rnn import CELLS
from models.seq2seq import Seq2SeqConfig

OPENING = '''"""NAME, whose two other files lie beside this one: python NAME.py "SAMPLE" (it needs torch and safetensors)"""
import json
import pathlib
import sys
import torch
from safetensors.torch import load_file
from torch.nn import functional as F

class Part(dict):
    """Weights by name: model.encoder.forth; called, it is an embedding or a linear layer."""
    __getattr__ = dict.__getitem__

    def __call__(self, x):
        return F.linear(x, self.weight, self.get("bias")) if x.is_floating_point() else self.weight[x]

def load(path):
    model = Part()
    for name, tensor in load_file(path).items():
        *parts, last = name.split(".")
        place = model
        for part in parts:
            place = place.setdefault(part, Part())
        place[last] = tensor.float()
    return model
'''
LAYERS = """def layers(stack, x_t, states):
    new = []
    for cell, state in zip(stack.cells.values(), states):
        new.append(step(cell, x_t, state))
        x_t = new[-1][0]
    return new

def read(stack, x):
    states, h = [(torch.zeros(HALF),) * MEMORIES] * LAYERS, []
    for x_t in x:
        states = layers(stack, x_t, states)
        h.append(states[-1][0])
    return torch.stack(h), states
"""
CLOSING = """if __name__ == "__main__":
    here = pathlib.Path(__file__)
    known = json.loads(here.with_suffix(".json").read_text("utf-8"))["vocabularies"]
    source, target = (known[role].split("\\n") for role in ("source", "target"))
    output = translate(load(here.with_suffix(".safetensors")), [source.index(word) for word in SPLIT])
    print(JOIN.join(target[n] for n in output))
"""


class Untapped(ast.NodeTransformer):
    """The same code without taps, types and docstrings."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "tap":
            return node.args[1]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.args.args = [ast.arg(each.arg) for each in node.args.args if each.arg != "tap"]
        node.args.defaults, node.returns, node.decorator_list = [], None, []
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        self.generic_visit(node)
        return node


def cut(function: Callable[..., Any], name: str) -> str:
    """The source of a function or method, untapped, under this name."""
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    tree.name = name
    return ast.unparse(ast.fix_missing_locations(Untapped().visit(tree))) + "\n"


def script(config: Seq2SeqConfig, name: str, sample: str, unit: str) -> str:
    """The file, for a recurrent encoder and decoder of any cell, context and score."""
    cell, half = CELLS[config.cell], config.width // 2 if config.two_way else config.width
    sizes = {"HALF": half, "MEMORIES": cell.memories, "LAYERS": config.layers}
    harmless = sample if re.fullmatch(r"[\w .,+-]+", sample) else "…"  # it stands inside quotes, and a learner may have typed it
    parts = [filled(OPENING, NAME=name, SAMPLE=harmless), cut(cell.step, "step"), filled(LAYERS, **sizes)]
    if config.context == "attention":
        score = SCORES[config.score]
        parts += [cut(score.keys, "keys"), cut(score.forward, "score"), cut(attend, "attend")]
    typed = "sys.argv[1].lower()"
    split, join = (f"{typed}.split()", '" "') if unit == "word" else (typed, '""')
    parts += [translation(config), filled(CLOSING, SPLIT=split, JOIN=join)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def filled(template: str, **values: Any) -> str:
    for name, value in values.items():
        template = template.replace(name, str(value))
    return template


def translation(config: Seq2SeqConfig) -> str:
    """The lines that read and write, by the configuration."""
    attention, shared = config.context == "attention", config.context == "shared"
    writer = "model.encoder.forth" if shared else "model.decoder"
    lines = ["x = model.embed_source(torch.tensor(source))", "H, states = read(model.encoder.forth, x)", "c = H[-1]"]
    if config.two_way:
        lines += ["back = read(model.encoder.back, x.flip(0))[0].flip(0)"]
        lines += ["H, c = torch.cat([H, back], -1), torch.cat([c, back[0]])"]
    if config.code:
        lines += [f"c = c[:{config.code}]"]
    if not shared:
        lines += ["states = [(torch.tanh(first(c)),) for first in model.first.values()]"]
        if CELLS[config.cell].memories > 1:
            lines += ["states = [(*state, cell(c)) for state, cell in zip(states, model.first_cell.values())]"]
    if attention:
        score = SCORES[config.score](config.width)
        own = "model.score" if list(score.parameters()) else ""
        scale = f"{', ' * bool(own)}scale={score.scale}" if hasattr(score, "scale") else ""
        lines += [f"own = Part({own}{scale})", "K = keys(own, H)"]
    lines += ["output, token = [], 1  # <bos>", "while len(output) < most and token != 2:  # <eos>"]
    context = "attend(lambda s, k: score(own, s, k), states[-1][0], K, H)" if attention else "c"
    loop = ["y = model.embed_target(torch.tensor(token))"]
    if config.context_enters_cell:
        loop += [f"context = {context}", f"states = layers({writer}, torch.cat([y, context]), states)"]
    else:
        loop += [f"states = layers({writer}, y, states)"]
        loop += [f"context = {context}"] if config.context_enters_output else []
    seen = "torch.cat([context, states[-1][0]])" if config.context_enters_output else "states[-1][0]"
    loop += [f"token = int(model.out({seen}).argmax())", "output.append(token)"]
    body = [*lines, *(f"    {line}" for line in loop), "return [n for n in output if n != 2]"]
    return "\n".join(["@torch.inference_mode()", "def translate(model, source, most=60):", *(f"    {line}" for line in body)])


def bundle(name: str, tensors: bytes, card: str, text: str) -> bytes:
    """The three files in one."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for ending, data in (("safetensors", tensors), ("json", card.encode()), ("py", text.encode())):
            files.writestr(zipfile.ZipInfo(f"{name}/{name}.{ending}", (1980, 1, 1, 0, 0, 0)), data)
    return packed.getvalue()
