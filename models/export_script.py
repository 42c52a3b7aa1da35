"""A model to take home: its weights, its card, and one short file of plain torch that reads both and translates, or tells on.

What is computed in that file (cell, score, attention, norm, point-wise FC, positions) is cut out of this package's own source, so
that it cannot drift from it; export_script.jinja has the lines around, chosen by the configuration.        lessons training, transformer
"""

import io
import re
import zipfile
from functools import cache
from pathlib import Path

import torch
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from models import zoo
from models.attention import Score, attend
from models.blocks import Norm, FeedForward, TransformerStack, positions
from models.dynamic_types import AnyConfig, Json
from models.inline_source import Helpers, inline_source
from models.multihead import MultiHeadAttention, affine, causal, scaled_dot_product
from models.rnn import CELLS
from models.seq2seq import CHOOSERS, HEADS
from models.tasks import CORPORA, TASKS
from models.transformer_lm import TransformerLM
from models.vocabulary import PIECE

KINDS = {  # that write text, and one of the weights that they have
    "seq2seq": ("decoder.cells.0", "W_hh"),
    "transformer": ("decoder.layers.0.fc", "W_1"),
    "language model": ("rnn.cells.0", "W_hh"),
    "transformer language model": ("body.layers.0.fc", "W_1"),
}
HELPERS: Helpers = {
    "affine": affine,
    "scaled_dot_product": scaled_dot_product,
    "self.split": MultiHeadAttention.split,
    "self.join": MultiHeadAttention.join,
}
FORM = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    line_statement_prefix="#:",
    trim_blocks=True,
    autoescape=False,  # it makes Python, not HTML
)


def render_script(kind: str, config: AnyConfig, name: str, sample: str, unit: str = "word") -> str:
    """The file, for a model of one of KINDS; of Transformers, for those with the norm inside."""
    if getattr(config, "norm", "pre") != "pre":
        raise ValueError("a Transformer with its norms after the sums has no file yet")
    self_attention = kind == "seq2seq" and config.encoder != "recurrent"
    cell = CELLS[config.cell] if hasattr(config, "cell") else None
    heads = HEADS if self_attention else getattr(config, "heads", 0)
    given = {
        "kind": kind,
        "c": config,
        "name": name,
        "sample": re.sub(r'[\\"\s]+', " ", sample),
        "unit": unit,
        "piece": PIECE.pattern,
        "recurrent": cell is not None,
        "state_vectors": cell.state_vectors if cell else 0,
        "heads": heads,
        "transformer": "transformer" in kind,
        "example": KINDS[kind],
        "names": [f"encoder.layers.{n}" for n in range(config.layers)],
        "lines": (
            {"step": inline_source(cell.step) if cell else ()}
            | attending(config, heads)
            | looking(config, kind)
        ),
    }
    lines = [line for line in FORM.get_template("export_script.jinja").render(given).split("\n") if line.strip()]
    return re.sub(r"(?m)^(?=HERE|def|if)", "\n", "\n".join(lines)) + "\n"


def attending(config: AnyConfig, heads: int) -> Json:
    """Self-attention layers, positions and the output of a Transformer, as lines."""
    if not heads:
        return {}
    d = getattr(config, "d", None) or config.width
    sizes = {"self.heads": heads, "self.eps": Norm.eps, "self.d": d, "*memory": "K, V"}
    window = getattr(config, "window", 0)
    sizes |= {
        "self.E": 'WEIGHTS[place + ".E"]',
        "n": "len(text)",
        "self.config.window": window,
        "self.stride": window // 2,
    }
    return {
        "norm": inline_source(Norm.forward, sizes),
        "attention": (
            inline_source(MultiHeadAttention.remember, sizes, HELPERS, into="")
            + inline_source(MultiHeadAttention.attend, sizes, HELPERS)
        ),
        "fc": inline_source(FeedForward.forward, {"self": "fc", "x": "y"}, HELPERS, into="x = x +"),
        "embedded": inline_source(TransformerStack.embed, sizes)[-2].replace("embedded = ", "x = "),
        "places": inline_source(positions, {"T": "len(x)", "d": d}, into="x = x +"),
        "mask": inline_source(
            causal, {"T": "len(seen)" if window else "len(text)", "device": None}, into="mask ="
        ),
        "out": (
            inline_source(affine, {"W": 'WEIGHTS["W_out"]', "b": 'WEIGHTS["b_out"]'}, into="logits =")[
                0
            ].partition("  #")[0]
        ),
        "start": inline_source(TransformerLM.start, sizes, into="start ="),
    }


def looking(config: AnyConfig, kind: str) -> Json:
    """Attention of a recurrent decoder, as lines: what is done once a sentence, and what at every step."""
    if kind != "seq2seq" or config.context != "attention":
        return {}
    with torch.device("meta"):  # only its names and its scale: nothing is drawn
        score = CHOOSERS[config.score](config.width)
    facts: Json = {f"self.{weight}": f'WEIGHTS["score.{weight}"]' for weight, _ in score.named_parameters()}
    facts |= {
        "self.scale": getattr(score, "scale", None),
        "s": "states[-1][0]" if config.layers > 1 else "state[0]",
    }
    keys = [] if type(score).keys is Score.keys else inline_source(type(score).keys, facts, into="keys =")
    facts |= {} if keys else {"keys": "H"}
    return {
        "once": keys,
        "look": [
            *inline_source(type(score).forward, facts, into="scores ="),
            *inline_source(attend, into="context =")[1:],
        ],
    }


def export_checkpoint(name: str) -> bytes:
    """A model of the zoo, if it is what its card says, as three files in one."""
    model, card = zoo.load(name)
    tensors, about = (
        (zoo.CHECKPOINTS / f"{name}.{ending}").read_bytes() for ending in ("safetensors", "json")
    )
    task = TASKS.get(card.task)
    sample = (
        task.pairs("test", 1, lengths=task.lengths[:9])[0].source
        if task
        else CORPORA[card.task].marked("test", 1)[0].tokens[:6]
    )
    join, unit = (task.join, task.unit) if task else (" ".join, "word")
    return zip_bundle(name, tensors, about, render_script(card.kind, model.config, name, join(sample), unit).encode())


@cache
def exportable_names() -> list[str]:
    """The models of the zoo that can be taken home."""
    return [name for name, card in zoo.cards().items() if card.kind in KINDS]


def zip_bundle(name: str, tensors: bytes, card: bytes, text: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for ending, data in (("safetensors", tensors), ("json", card), ("py", text)):
            files.writestr(zipfile.ZipInfo(f"{name}/{name}.{ending}", (1980, 1, 1, 0, 0, 0)), data)
    return packed.getvalue()
