"""A self-attention encoder for a recurrent decoder: the step between RNNs and the Transformer.

Used in lesson `qkv`, experiment `between`. Without positions the encoder cannot
tell “dog bites man” from “man bites dog”.
"""

from torch import Tensor, nn

from models.blocks import Layer, positions
from models.rnn import States
from models.trace import UNTAPPED, AnyTap


class SelfAttentionEncoder(nn.Module):
    """H = self-attention layers over the embedded words, with positions if `ordered`; c is the mean of H."""

    def __init__(self, m: int, heads: int, layers: int, ordered: bool):
        super().__init__()
        self.layers = nn.ModuleList(Layer(m, heads, 2 * m, "pre", cross=False) for _ in range(layers))
        self.ordered = ordered

    def forward(self, x: Tensor, tap: AnyTap = UNTAPPED) -> tuple[Tensor, Tensor, States]:
        """Encode x (…, T, m) → H (…, T, m), c (…, m), and no last states, because there is no recurrence"""
        if self.ordered:
            x = x + tap("positions", positions(*x.shape[-2:]).to(x))
        for number, layer in enumerate(self.layers, start=1):
            x = layer(x, tap=tap.inside(f"layer{number}"))
        return x, x.mean(-2), ()

    def run(self, x: Tensor, tap: AnyTap) -> tuple[Tensor, Tensor, States]:
        """Like `forward`, for one sentence x (T, m), with a tap."""
        return self(x, tap)
