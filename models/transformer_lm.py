"""A language model of causal self-attention layers (lessons `decoding` and `transformer`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.blocks import Caches, TransformerStack, unwrap_parameters
from models.multihead import affine, causal
from models.trace import UNTAPPED, AnyTap, Edits, Tap
from models.vocabulary import Vocabulary


@dataclass(frozen=True)
class TransformerLMConfig:
    words: int
    d: int = 64
    heads: int = 4
    layers: int = 2
    d_fc: int = 128
    norm: str = "pre"
    window: int = 128  # positions: maximum number of words visible at once


@dataclass(frozen=True)
class TransformerLMTrace:
    """All quantities computed while reading <bos> and the tokens, limited to the last window."""

    tokens: tuple[int, ...]  # the last T words, starting with <bos> if it is in the window
    start: int  # number of earlier words, outside the window
    weights: Tensor  # (layers, heads, T, T)    after the softmax
    logits: Tensor  # (T, V)    row t predicts word t + 1
    probabilities: Tensor  # (T, V)
    values: Mapping[str, Tensor]  # every quantity by path, such as "layer1.self.scores"


class TransformerLM(nn.Module):
    """Predict each word from at most `window` words before it.

    Positions are counted from the first word in the window. When the window is full, its first half is
    dropped: after n words the model sees the words from index `window_start(n)`.
    """

    def __init__(self, config: TransformerLMConfig):
        super().__init__()
        if config.window < 2:
            raise ValueError("the window needs at least two words")
        self.config = c = config
        self.body = TransformerStack(c.words, c.d, c.heads, c.layers, c.d_fc, c.window, c.norm)
        self.W_out = nn.Parameter(nn.init.xavier_uniform_(torch.empty(c.d, c.words)))
        self.b_out = nn.Parameter(torch.zeros(c.words))

    def forward(self, tokens: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """Logits of the next words: ids (..., T), T ≤ window -> (..., T, V); row t predicts word t + 1."""
        x = self.body(tokens, causal(tokens.shape[-1], tokens.device), tap=tap)  # (..., T, d)
        return tap("logits", affine(x, self.W_out, self.b_out))

    def logit_lens(self, x: Tensor) -> Tensor:
        """Logits of the residual stream x (..., d) of any layer: final norm, then output layer."""
        return affine(x if self.body.norm is None else self.body.norm(x), self.W_out, self.b_out)

    @property
    def stride(self) -> int:
        return self.config.window // 2

    def window_start(self, n: int) -> int:
        """The index of the first word in the window after n words."""
        # number of strides that have left the window, rounded up
        dropped = -(-max(0, n - self.config.window) // self.stride)
        return dropped * self.stride

    def run(self, tokens: Sequence[int], edits: Edits | None = None) -> TransformerLMTrace:
        """Read <bos> and the tokens, or their last window, in one pass and trace every quantity."""
        text = (Vocabulary.bos, *tokens)
        start = self.window_start(len(text))
        visible = text[start:]
        tap = Tap(edits)
        tap.step = len(visible) - 1
        logits = self(self._ids(visible), tap)
        values = tap.finish()
        return TransformerLMTrace(
            tokens=visible,
            start=start,
            weights=torch.stack([values[f"layer{n}.self.weights"] for n in range(1, self.config.layers + 1)]),
            logits=logits,
            probabilities=logits.softmax(-1),
            values=values,
        )

    def text_logits(self, tokens: Sequence[int]) -> Tensor:
        """Logits (1 + tokens, V) after <bos> and after each token of a text of any length.

        Equal to the writer's logits. Windows of one length form a batch; equal windows are read once.
        """
        text, windows, done = (Vocabulary.bos, *tokens), list[tuple[Sequence[int], int]](), 0
        while done < len(text):
            start = self.window_start(done + 1)
            windows.append(
                (text[start : start + self.config.window], done - start)
            )  # the window, and how many of its rows are already done
            done = start + len(windows[-1][0])
        logits: dict[Sequence[int], Tensor] = {}  # window → logits
        for size in {len(window) for window, _ in windows}:
            same_size = list(dict.fromkeys(window for window, _ in windows if len(window) == size))
            logits |= zip(same_size, self(self._ids(same_size)), strict=True)
        return torch.cat([logits[window][skip:] for window, skip in windows])

    def writer(self, prompt: Sequence[int] = ()) -> "TransformerLMWriter":
        """A writer that continues <bos> and the prompt."""
        return TransformerLMWriter(self, (Vocabulary.bos, *prompt))

    def _ids(self, tokens: Sequence[int] | Sequence[Sequence[int]]) -> Tensor:
        return torch.tensor(tokens, device=self.W_out.device)


class TransformerLMWriter:
    """Write one token per call. State: the words in the window (k, t), and their keys and values.

    When the window is full, the next step drops its first half and reads the second half again.
    """

    eos = Vocabulary.eos

    def __init__(self, model: TransformerLM, text: Sequence[int]):
        self.model, self.body = model, unwrap_parameters(model.body)
        *self.prefix, self.bos = text  # the first call of `next` reads the last word of the text

    def begin(self) -> tuple[Tensor, Caches]:
        visible = self.model._ids(self.prefix[self.model.window_start(len(self.prefix)) :]).long()[
            None
        ]  # (1, t)
        return visible, self.body.prefill(visible) if self.prefix else self.body.empty_caches(1)

    def next(self, tokens: Tensor, state: tuple[Tensor, Caches]) -> tuple[Tensor, tuple[Tensor, Caches]]:
        """Read the words just written (k,) -> logits of the next words (k, V), and the new state."""
        model, (visible, caches) = self.model, state
        if visible.shape[1] == model.config.window:
            visible = visible[:, model.stride :]
            caches = self.body.prefill(visible)
        x, caches = self.body.extend(tokens, caches)  # (k, d)
        return affine(x, model.W_out, model.b_out), (torch.cat([visible, tokens[:, None]], dim=1), caches)
