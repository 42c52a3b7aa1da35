"""One position's vector changed on its way into a block. Who else notices?"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import Words, english, read_source
from lessons.kit.contract import Result
from lessons.transformer.compute.sentence import model
from models.trace import Edits, Tap


@dataclass(frozen=True)
class PointRun(Result):
    """The change that one position's change makes in the output of each block of an encoder layer."""

    layer: int
    position: int  # from 1
    amount: float
    source: Words
    fc: np.ndarray  # (T, d) yours − untouched
    attention: np.ndarray  # (T, d)
    parts: tuple[str, ...]  # what the layer has learned
    shapes: tuple[str, ...]
    parameters: np.ndarray  # (parts,)
    d: int
    d_fc: int
    heads: int

    def limits(self) -> dict[str, Any]:
        return {"position": len(self.source)}

    def idle(self) -> dict[str, str]:
        return {} if self.amount else {"position": "Nothing is added, here or elsewhere."}


def pointwise(text: str, layer: str, position: int, amount: float) -> PointRun:
    source = read_source(text, "text")
    position, place = min(position, len(source)), f"encoder.layer{layer}"

    def moved(value: Tensor, step: int) -> Tensor:
        value[position - 1] += amount  # each of its d numbers
        return value

    def change(of: str, into: str) -> np.ndarray:
        plain, yours = (
            outputs(source, f"{place}.{of}.out", {}),
            outputs(source, f"{place}.{of}.out", {f"{place}.{into}.out": moved}),
        )
        return (yours - plain).numpy()

    part, config = model().encoder.layers[int(layer) - 1], model().config
    learned = {
        "point-wise FC": part.fc,
        "self-attention": part.self_attention,
        "the two norms": part.norms,
    }
    return PointRun(
        layer=int(layer),
        position=position,
        amount=amount,
        source=english(source),
        fc=change("fc", "norm2"),
        attention=change("self", "norm1"),
        parts=tuple(learned),
        shapes=tuple(
            " + ".join(dict.fromkeys(shape(weight) for weight in module.parameters()))
            for module in learned.values()
        ),
        parameters=np.array(
            [sum(weight.numel() for weight in module.parameters()) for module in learned.values()]
        ),
        d=config.d,
        d_fc=config.d_fc,
        heads=config.heads,
    )


def shape(weight: Tensor) -> str:
    return " × ".join(map(str, weight.shape))


@torch.inference_mode()
def outputs(source: tuple[int, ...], quantity: str, edits: Edits) -> Tensor:
    """A quantity of the encoder (T, d), with or without a change on the way."""
    tap = Tap(edits)
    model().encode(torch.tensor(source), tap)
    tap.finish()
    return tap.last(quantity)
