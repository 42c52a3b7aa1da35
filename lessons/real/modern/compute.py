"""What has changed in the block since 2017, on a real model. Each part can be replaced or switched off."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch

from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.real.pretrained_model import Tokens, Words, encode, model, pieces, read
from lessons.real.recordings import recorded
from models.modern import CausalLM, rotary_angles

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
    x: np.ndarray  # (8,) first numbers of the residual stream before layer 10
    rms: float
    gamma: np.ndarray  # (8,)
    normed: np.ndarray  # (8,)
    query: np.ndarray  # (4, 2) four pairs of numbers of a query
    rotated: np.ndarray  # (4, 2)
    angles: np.ndarray  # (4,) radians
    gate: np.ndarray  # (8,)
    up: np.ndarray  # (8,)
    hidden: np.ndarray  # (8,)
    heads: int
    kv_heads: int
    d_head: int
    layers: int

    def limits(self) -> dict[str, int]:
        return {"position": len(self.words)}


@cache
def variant(part: str) -> CausalLM:
    """The same weights with one part replaced or switched off."""
    return model().variant(**PARTS[part]) if PARTS[part] else model()


@memoize
def surprisal(tokens: Tokens, part: str) -> np.ndarray:
    """Surprisal in bits of each token except the first."""
    with read.lock, torch.inference_mode():
        bits = -variant(part).logprobs(tokens) / math.log(2)
    return np.nan_to_num(bits.numpy(), nan=np.inf)


@memoize
def quantities(tokens: Tokens) -> dict[str, Any]:
    """Norm, query and gate of layer 10 at every position."""
    with read.lock, torch.inference_mode():
        values = model().run(tokens).values
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
    return {name: values[f"layer{LAYER}.{name}"].clone() for name in names}


@recorded("modern", ModernRun, "text")
def compute(text: str, part: str, position: int) -> ModernRun:
    tokens = encode(text)
    if len(tokens) < 2:
        tokens = (*tokens, *tokens)  # a single token has no surprisal
    t = min(position, len(tokens)) - 1
    found, c = quantities(tokens), model().config
    first = slice(0, NUMBERS_SHOWN)
    half = c.d_head // 2

    def pairs(name: str) -> np.ndarray:
        q = found[name][0, t]  # (d_head,) query of head 1
        return np.array([[q[i].item(), q[i + half].item()] for i in PAIRS_SHOWN])

    angles = rotary_angles(t, t + 1, c.d_head, c.base)[0]  # (d_head / 2,)
    return ModernRun(
        words=pieces(tokens),
        part=part,
        original=surprisal(tokens, "nothing"),
        changed=surprisal(tokens, part),
        position=t + 1,
        x=found["residual1"][t, first].numpy(),
        rms=found["norm1.rms"][t].item(),
        gamma=model().layers[LAYER - 1].norm1.γ[first].detach().numpy(),
        normed=found["norm1.out"][t, first].numpy(),
        query=pairs("self.q"),
        rotated=pairs("self.q_rotated"),
        angles=angles[list(PAIRS_SHOWN)].numpy(),
        gate=found["fc.gate"][t, first].numpy(),
        up=found["fc.up"][t, first].numpy(),
        hidden=found["fc.hidden"][t, first].numpy(),
        heads=c.heads,
        kv_heads=c.kv_heads,
        d_head=c.d_head,
        layers=c.layers,
    )
