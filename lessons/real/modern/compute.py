"""What has changed in the block since 2017, on a real model. Each part can be replaced or switched off."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch

from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.real.pretrained_model import Tokens, Words, encode, model, model_name, pieces, read, surprisal
from lessons.real.recordings import recorded
from models.modern import CausalLM, CausalLMConfig, rotary_angles
from models.trace import Tap

PARTS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "LayerNorm instead of RMSNorm": {"norm": "layer"},
    "no rotary positions": {"positions": "none"},
    "ReLU instead of SiLU": {"activation": "relu"},
    "no gate in the feed-forward": {"gated": False},
    "no norm": {"norm": "none"},
}
NUMBERS_SHOWN = 8
LAYER = 10  # layer shown in the closer looks
PAIRS_SHOWN = (0, 8, 16, 24)


@dataclass(frozen=True)
class ModernRun(Result):
    words: Words
    part: str
    original: np.ndarray  # (T − 1,) surprisal of each token except the first, in bits
    changed: np.ndarray  # (T − 1,) the same with the part replaced; infinity where the model diverged
    position: int  # 1-based position shown in the closer looks
    x: np.ndarray  # (8,) first numbers of the residual stream before that layer
    rms: float
    gamma: np.ndarray  # (8,)
    normed: np.ndarray  # (8,)
    query: np.ndarray  # (pairs, 2) some pairs of numbers of a query
    rotated: np.ndarray  # (pairs, 2)
    angles: np.ndarray  # (pairs,) radians
    gate: np.ndarray  # (8,)
    up: np.ndarray  # (8,)
    hidden: np.ndarray  # (8,)
    heads: int
    kv_heads: int
    d_head: int
    layers: int
    layer: int  # 1-based layer shown in the closer looks
    pairs: tuple[int, ...]  # 0-based pairs of dimensions of a query that are shown

    def limits(self) -> dict[str, int]:
        return {"position": len(self.words)}


def shown_layer() -> int:
    return min(LAYER, model().config.layers)


def demand_modern_parts() -> None:
    """Raise an InputError for a model of 2017's kind, such as GPT-2."""
    c = model().config
    parts = {
        "RMSNorm": c.norm == "rms",
        "rotary positions": c.positions == "rotary",
        "gate in its feed-forward network": c.gated,
    }
    missing = [part for part, is_there in parts.items() if not is_there]
    if missing:
        raise InputError(
            f"{model_name()} has no {' and no '.join(missing)}. This experiment needs a model like Llama."
        )


def dimensions_of(pair: int, c: CausalLMConfig) -> tuple[int, int]:
    """The two dimensions that are rotated together."""
    return (pair, pair + c.d_head // 2) if c.pairing == "halves" else (2 * pair, 2 * pair + 1)


@cache
def variant(part: str) -> CausalLM:
    """The same weights with one part replaced or switched off."""
    return model().variant(**PARTS[part]) if PARTS[part] else model()


@memoize
def changed_surprisal(tokens: Tokens, part: str) -> np.ndarray:
    """Surprisal in bits of each token except the first, with the part replaced."""
    with read.lock, torch.inference_mode():
        bits = -variant(part).logprobs(tokens) / math.log(2)
    return np.nan_to_num(bits.numpy(), nan=np.inf)


@memoize
def quantities(tokens: Tokens) -> dict[str, Any]:
    """Norm, query and gate of one layer at every position."""
    tap, reading, layer = Tap(), read(tokens), shown_layer()
    with read.lock, torch.inference_mode():
        model().run_layers(reading.stream[layer - 1], layer - 1, tap=tap, last=layer)
    names = (
        "residual1",
        "norm1.rms",
        "norm1.out",
        "self.q",
        "self.q_rotated",
        "fc.gate",
        "fc.up",
        "fc.hidden",
    )
    return {name: tap.value(f"layer{layer}.{name}").clone() for name in names}


@recorded("modern", ModernRun, "text")
def compute(text: str, part: str, position: int) -> ModernRun:
    demand_modern_parts()
    tokens = encode(text)
    if len(tokens) < 2:
        tokens = (*tokens, *tokens)  # repeated, because a single token has no surprisal
    t = min(position, len(tokens)) - 1
    found, c = quantities(tokens), model().config
    first = slice(0, NUMBERS_SHOWN)
    shown = tuple(pair for pair in PAIRS_SHOWN if pair < c.d_head // 2)

    def pairs(name: str) -> np.ndarray:
        q = found[name][0, t]  # (d_head,) query of head 1
        return np.array([[q[i].item() for i in dimensions_of(pair, c)] for pair in shown])

    angles = rotary_angles(t, t + 1, c.d_head, c.base)[0]  # (d_head / 2,)
    return ModernRun(
        words=pieces(tokens),
        part=part,
        original=surprisal(tokens),
        changed=changed_surprisal(tokens, part) if PARTS[part] else surprisal(tokens),
        position=t + 1,
        x=found["residual1"][t, first].numpy(),
        rms=found["norm1.rms"][t].item(),
        gamma=model().layers[shown_layer() - 1].norm1.γ[first].detach().numpy(),
        normed=found["norm1.out"][t, first].numpy(),
        query=pairs("self.q"),
        rotated=pairs("self.q_rotated"),
        angles=angles[list(shown)].numpy(),
        gate=found["fc.gate"][t, first].numpy(),
        up=found["fc.up"][t, first].numpy(),
        hidden=found["fc.hidden"][t, first].numpy(),
        heads=c.heads,
        kv_heads=c.kv_heads,
        d_head=c.d_head,
        layers=c.layers,
        layer=shown_layer(),
        pairs=shown,
    )
