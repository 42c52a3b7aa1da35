"""The change in the outputs of two blocks when the input vector at one position is edited."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import Tokens, Words
from lessons.kit.contract import Result
from lessons.transformer.translator import load_transformer, read_text
from models.trace import Edits, Tap


@dataclass(frozen=True)
class PointwiseRun(Result):
    layer: int
    position: int  # 1-based
    amount: float
    source: Words
    fc: np.ndarray  # (T, d) edited − original output of the feed-forward network
    attention: np.ndarray  # (T, d) edited − original output of self-attention
    parts: tuple[str, ...]  # parts of the layer
    shapes: tuple[str, ...]  # shapes of the parameters of each part
    parameters: np.ndarray  # (parts,)
    d: int
    d_fc: int
    heads: int

    def limits(self) -> dict[str, Any]:
        return {"position": len(self.source)}

    def idle(self) -> dict[str, str]:
        return {} if self.amount else {"position": "You add 0, so no position changes."}


def pointwise(text: str, layer: str, position: int, amount: float) -> PointwiseRun:
    source, words = read_text(text)
    position, layer_path = min(position, len(source)), f"encoder.layer{layer}"

    def add_amount(value: Tensor, step: int) -> Tensor:
        value[position - 1] += amount  # adds the amount to each of the d numbers
        return value

    def change(block: str, norm: str) -> np.ndarray:
        """The change in a block's output when the output of the norm before it is edited."""
        path, edits = f"{layer_path}.{block}.out", {f"{layer_path}.{norm}.out": add_amount}
        return (encoder_quantity(source, path, edits) - encoder_quantity(source, path, {})).numpy()

    layer_module, config = load_transformer().encoder.layers[int(layer) - 1], load_transformer().config
    modules = {
        "FFN": layer_module.fc,
        "self-attention": layer_module.self_attention,
        "the two norms": layer_module.norms,
    }
    return PointwiseRun(
        layer=int(layer),
        position=position,
        amount=amount,
        source=words,
        fc=change("fc", "norm2"),
        attention=change("self", "norm1"),
        parts=tuple(modules),
        shapes=tuple(
            " + ".join(dict.fromkeys(format_shape(weight) for weight in module.parameters()))
            for module in modules.values()
        ),
        parameters=np.array([sum(p.numel() for p in module.parameters()) for module in modules.values()]),
        d=config.d,
        d_fc=config.d_fc,
        heads=config.heads,
    )


def format_shape(weight: Tensor) -> str:
    return " × ".join(map(str, weight.shape))


@torch.inference_mode()
def encoder_quantity(source: Tokens, path: str, edits: Edits) -> Tensor:
    """A quantity of the encoder (T, d), under edits."""
    tap = Tap(edits)
    load_transformer().encode(torch.tensor(source), tap)
    tap.finish()
    return tap.last(path)
