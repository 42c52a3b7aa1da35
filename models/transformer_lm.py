"""A language model of masked self-attention: every word is guessed from the words before it.        lesson decoding"""

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
    window: int = 128  # places that have a position: the most words it can see at once


@dataclass(frozen=True)
class TransformerLMTrace:
    """What happened while the model read <bos> and then the tokens, as far as the window reaches."""

    tokens: tuple[int, ...]  # the T last words, <bos> first if all were seen
    start: int  # how many words before these had left the window
    weights: Tensor  # (layers, heads, T, T)    after the softmax
    logits: Tensor  # (T, V)    row t guesses word t + 1
    probabilities: Tensor  # (T, V)
    values: Mapping[str, Tensor]  # every quantity by its path, as in "layer1.self.scores"


class TransformerLM(nn.Module):
    """Sees at most `window` words, counted as places 0, 1, ... from the first it sees, so no place is new to it.

    A longer text is read in strides: when the window is full, its first half is let go. After n words the model sees from
    word `start(n)` on: never more than `window` words, and never fewer than half of it once the text is that long.
    """

    def __init__(self, config: TransformerLMConfig):
        super().__init__()
        if config.window < 2:
            raise ValueError("a window holds at least two words")
        self.config = c = config
        self.body = TransformerStack(c.words, c.d, c.heads, c.layers, c.d_fc, c.window, c.norm)
        self.W_out = nn.Parameter(nn.init.xavier_uniform_(torch.empty(c.d, c.words)))
        self.b_out = nn.Parameter(torch.zeros(c.words))

    def forward(self, tokens: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """(..., T) with T ≤ window -> logits (..., T, V); row t guesses word t + 1."""
        x = self.body(tokens, causal(tokens.shape[-1], tokens.device), tap=tap)  # (..., T, d)
        return tap("logits", affine(x, self.W_out, self.b_out))

    def logit_lens(self, x: Tensor) -> Tensor:
        """Logits of a stream that is still on its way up, x (..., d): the last norm and the output layer, as if it were there."""
        return affine(x if self.body.norm is None else self.body.norm(x), self.W_out, self.b_out)

    @property
    def stride(self) -> int:
        return self.config.window // 2

    def start(self, n: int) -> int:
        """The first word still seen after n words."""
        gone = -(-max(0, n - self.config.window) // self.stride)  # strides let go, rounded up
        return gone * self.stride

    def run(self, tokens: Sequence[int], edits: Edits | None = None) -> TransformerLMTrace:
        """For looking, and for changing: <bos> and the tokens, or what of them is still seen at the end, all steps at once."""
        text = (Vocabulary.bos, *tokens)
        start = self.start(len(text))
        seen = text[start:]
        tap = Tap(edits)
        tap.step = len(seen) - 1
        logits = self(self._ids(seen), tap)
        values = tap.finish()
        return TransformerLMTrace(
            tokens=seen,
            start=start,
            weights=torch.stack([values[f"layer{n}.self.weights"] for n in range(1, self.config.layers + 1)]),
            logits=logits,
            probabilities=logits.softmax(-1),
            values=values,
        )

    def text_logits(self, tokens: Sequence[int]) -> Tensor:
        """Logits after <bos> and after each token of a text of any length (1 + tokens, V), all windows at once.

        They are what the writer says on its way through the text. Where the text repeats itself, so do windows: each is read once.
        """
        text, windows, done = (Vocabulary.bos, *tokens), list[tuple[Sequence[int], int]](), 0
        while done < len(text):
            start = self.start(done + 1)
            windows.append(
                (text[start : start + self.config.window], done - start)
            )  # and how much of it the one before has said
            done = start + len(windows[-1][0])
        read: dict[Sequence[int], Tensor] = {}
        for size in {len(window) for window, _ in windows}:
            alike = list(dict.fromkeys(window for window, _ in windows if len(window) == size))
            read |= zip(alike, self(self._ids(alike)), strict=True)
        return torch.cat([read[window][said:] for window, said in windows])

    def writer(self, prompt: Sequence[int] = ()) -> "TransformerLMWriter":
        """About to continue <bos> and the prompt."""
        return TransformerLMWriter(self, (Vocabulary.bos, *prompt))

    def _ids(self, tokens: Sequence[int] | Sequence[Sequence[int]]) -> Tensor:
        return torch.tensor(tokens, device=self.W_out.device)


class TransformerLMWriter:
    """State: the words in the window (k, t), and their keys and values. The step that overfills the window reads half anew."""

    eos = Vocabulary.eos

    def __init__(self, model: TransformerLM, text: Sequence[int]):
        self.model, self.body = model, unwrap_parameters(model.body)
        *self.read, self.bos = text  # the first call of `next` reads the text's last word

    def begin(self) -> tuple[Tensor, Caches]:
        seen = self.model._ids(self.read[self.model.start(len(self.read)) :]).long()[None]  # (1, t)
        return seen, self.body.remember(seen) if self.read else self.body.no_caches(1)

    def next(self, tokens: Tensor, state: tuple[Tensor, Caches]) -> tuple[Tensor, tuple[Tensor, Caches]]:
        """The words just written (k,) -> logits of the next (k, V), and the new state."""
        model, (seen, caches) = self.model, state
        if seen.shape[1] == model.config.window:
            seen = seen[:, model.stride :]
            caches = self.body.remember(seen)
        x, caches = self.body.extend(tokens, caches)  # (k, d)
        return affine(x, model.W_out, model.b_out), (torch.cat([seen, tokens[:, None]], dim=1), caches)
