"""Export a model as a zip: its weights, its card, and a short plain-PyTorch script that runs it.

The computation in the script (cell, score, attention, norm, feed-forward network, positions) is extracted
from the source of this package, so the two cannot differ. The template export_script.jinja contains
the surrounding lines. Used in lessons `training` and `transformer`.
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
from models.blocks import FeedForward, Norm, TransformerStack, positions
from models.dynamic_types import AnyConfig, Json
from models.inline_source import Helpers, inline_source
from models.multihead import MultiHeadAttention, affine, causal, scaled_dot_product
from models.rnn import CELLS
from models.seq2seq import ALL_SCORES, ENCODER_HEADS
from models.tasks import CORPORA, TASKS
from models.tasks.pronounce import PRONOUNCE, held_out
from models.transformer_lm import TransformerLM
from models.vocabulary import PIECE

KINDS = {  # kind of model → example of one of its parts and of a weight of that part
    "seq2seq": ("decoder.cells.0", "W_hh"),
    "transformer": ("decoder.layers.0.fc", "W_1"),
    "language model": ("rnn.cells.0", "W_hh"),
    "transformer language model": ("body.layers.0.fc", "W_1"),
}
HELPERS: Helpers = {
    "affine": affine,
    "scaled_dot_product": scaled_dot_product,
    "self.split_heads": MultiHeadAttention.split_heads,
    "self.join_heads": MultiHeadAttention.join_heads,
}
TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    line_statement_prefix="#:",
    trim_blocks=True,
    autoescape=False,  # the output is Python, not HTML
)


def render_script(
    kind: str, config: AnyConfig, name: str, sample: str, unit: str = "word", separator: str = ""
) -> str:
    """Render the script for a model of one of KINDS. Transformers must use pre-norm.

    The script prints the words of an output with spaces, and characters with `separator` between them.
    """
    if getattr(config, "norm", "pre") != "pre":
        raise ValueError("only Transformers with pre-norm can be exported")
    has_self_attention = kind == "seq2seq" and config.encoder != "recurrent"
    cell = CELLS[config.cell] if hasattr(config, "cell") else None
    heads = ENCODER_HEADS if has_self_attention else getattr(config, "heads", 0)
    values = {
        "kind": kind,
        "c": config,
        "name": name,
        "sample": re.sub(r'[\\"\s]+', " ", sample),
        "unit": unit,
        "separator": separator,
        "piece": PIECE.pattern,
        "recurrent": cell is not None,
        "state_vectors": cell.state_vectors if cell else 0,
        "heads": heads,
        "transformer": "transformer" in kind,
        "example": KINDS[kind],
        "names": [f"encoder.layers.{n}" for n in range(config.layers)],
        "lines": {
            "step": inline_source(cell.step) if cell else (),
            **transformer_lines(config, heads),
            **attention_lines(config, kind),
        },
    }
    text = TEMPLATES.get_template("export_script.jinja").render(values)
    lines = [line for line in text.split("\n") if line.strip()]
    return re.sub(r"(?m)^(?=HERE|def|if)", "\n", "\n".join(lines)) + "\n"


def transformer_lines(config: AnyConfig, heads: int) -> Json:
    """Script lines for the self-attention layers, the positions and the output of a Transformer."""
    if not heads:
        return {}
    d = getattr(config, "d", None) or config.width
    window = getattr(config, "window", 0)
    values = {
        "self.heads": heads,
        "self.eps": Norm.eps,
        "self.d": d,
        "*keys_values": "K, V",
        "self.E": 'WEIGHTS[place + ".E"]',
        "n": "len(text)",
        "self.config.window": window,
        "self.stride": window // 2,
    }
    output = {"W": 'WEIGHTS["W_out"]', "b": 'WEIGHTS["b_out"]'}
    length = "len(visible)" if window else "len(text)"
    return {
        "norm": inline_source(Norm.forward, values),
        "attention": (
            inline_source(MultiHeadAttention.keys_values, values, HELPERS, into="")
            + inline_source(MultiHeadAttention.attend, values, HELPERS)
        ),
        "fc": inline_source(FeedForward.forward, {"self": "fc", "x": "y"}, HELPERS, into="x = x +"),
        "embedded": inline_source(TransformerStack.embed, values)[-2].replace("embedded = ", "x = "),
        "places": inline_source(positions, {"T": "len(x)", "d": d}, into="x = x +"),
        "mask": inline_source(causal, {"T": length, "device": None}, into="mask ="),
        "out": inline_source(affine, output, into="logits =")[0].partition("  #")[0],
        "start": inline_source(TransformerLM.window_start, values, into="start ="),
    }


def attention_lines(config: AnyConfig, kind: str) -> Json:
    """Script lines for a recurrent decoder's attention: `once` runs per sentence, `look` at every step."""
    if kind != "seq2seq" or config.context != "attention":
        return {}
    with torch.device("meta"):  # no weights, because only their names and the scale are needed
        score = ALL_SCORES[config.score](config.width)
    values: Json = {f"self.{weight}": f'WEIGHTS["score.{weight}"]' for weight, _ in score.named_parameters()}
    values["self.scale"] = getattr(score, "scale", None)
    values["s"] = "states[-1][0]" if config.layers > 1 else "state[0]"
    keys = [] if type(score).keys is Score.keys else inline_source(type(score).keys, values, into="keys =")
    if not keys:
        values["keys"] = "H"
    scores = inline_source(type(score).forward, values, into="scores =")
    return {"once": keys, "look": [*scores, *inline_source(attend, into="context =")[1:]]}


def export_checkpoint(name: str) -> bytes:
    """Export a shipped model as a zip of three files, after checking its weights against its card."""
    model, card = zoo.load(name)
    weights = (zoo.CHECKPOINTS / f"{name}.safetensors").read_bytes()
    unit, separator = "word", " "
    if task := TASKS.get(card.task):
        unit, separator = task.unit, task.target_separator
    if task is PRONOUNCE:  # its data come from a package that only training needs
        sample = next(iter(held_out()))
    elif task:
        sample = task.join(min((pair.source for pair in task.pairs("test", 20)), key=len))
    else:
        sample = " ".join(CORPORA[card.task].draw_documents("test", 1)[0].tokens[:6])
    script = render_script(card.kind, model.config, name, sample, unit, separator)
    return zip_bundle(name, weights, card.to_json().encode(), script.encode())


@cache
def exportable_names() -> list[str]:
    """Names of the shipped models that can be exported.

    Models with tied output weights, or with a number of layers for the decoder alone, cannot.
    """
    return [
        name
        for name, card in zoo.cards().items()
        if card.kind in KINDS and not card.config.get("tied") and not card.config.get("decoder_layers")
    ]


def zip_bundle(name: str, weights: bytes, card: bytes, script: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as files:
        for ending, data in (("safetensors", weights), ("json", card), ("py", script)):
            files.writestr(zipfile.ZipInfo(f"{name}/{name}.{ending}", (1980, 1, 1, 0, 0, 0)), data)
    return buffer.getvalue()
