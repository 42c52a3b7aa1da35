"""Recurrent language models: they predict the next word after every word they read.

`LanguageModel` predicts from the last state alone. `AttentionLanguageModel` also attends to earlier states.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.attention import attend
from models.multihead import causal
from models.rnn import Stack, States
from models.seq2seq import ALL_SCORES
from models.trace import UNTAPPED, AnyTap, Edits, Tap
from models.vocabulary import Vocabulary


@dataclass(frozen=True)
class LanguageModelConfig:
    words: int  # size of the vocabulary
    embedding: int = 64
    width: int = 128  # m, the size of the state
    layers: int = 1
    cell: str = "LSTM"


@dataclass(frozen=True)
class LanguageModelTrace:
    """All quantities computed while reading <bos> and then the tokens. Position 0 is <bos>."""

    tokens: tuple[int, ...]  # (T,) with <bos> first
    h: Tensor  # (layers, T, m)
    logits: Tensor  # (T, V): scores of the next token
    probabilities: Tensor  # (T, V)
    values: Mapping[str, Tensor]  # every quantity by name, steps first: "layer1.z" (T, m), …


class LanguageModel(nn.Module):
    """P(x_{t+1} | x_1 … x_t) = softmax(W_o h_t + b_o)        lesson `recurrence`, experiment `read`"""

    def __init__(self, config: LanguageModelConfig):
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config.words, config.embedding)
        self.rnn = Stack(config.cell, config.embedding, config.width, config.layers)
        self.out = nn.Linear(config.width, config.words)

    def forward(self, tokens: Tensor) -> Tensor:
        """tokens (B, T) → logits (B, T, V)"""
        h, _ = self.rnn(self.embed(tokens), self.rnn.initial_state(len(tokens)))
        return self.out(h)

    def initial_state(self, *batch: int) -> States:
        return self.rnn.initial_state(*batch)

    def read_tokens(self, tokens: Tensor, states: States) -> States:
        """The states after reading tokens (B, T)."""
        return self.rnn(self.embed(tokens), states)[1]

    def step(self, token: Tensor, states: States, tap: AnyTap = UNTAPPED) -> tuple[Tensor, States]:
        states = self.rnn.step(tap("x", self.embed(token)), states, tap)
        return tap("logits", self.out(states[-1][0])), states

    def run(self, tokens: Sequence[int], edits: Edits | None = None) -> LanguageModelTrace:
        tap = Tap(edits)
        text = (Vocabulary.bos, *tokens)
        states = self.rnn.initial_state()
        ids = torch.tensor(text)
        for t in tap.steps(range(len(text))):
            _, states = self.step(ids[t], states, tap)
        return self._trace(text, tap.finish())

    def _trace(self, text: tuple[int, ...], values: Mapping[str, Tensor]) -> LanguageModelTrace:
        return LanguageModelTrace(
            tokens=text,
            h=torch.stack([values[f"layer{layer}.h"] for layer in range(1, self.config.layers + 1)]),
            logits=values["logits"],
            probabilities=torch.softmax(values["logits"], -1),
            values=values,
        )

    def writer(self, prompt: Sequence[int] = ()) -> "LanguageWriter":
        return LanguageWriter(self, tuple(prompt))


@dataclass(frozen=True)
class AttentionLanguageModelConfig(LanguageModelConfig):
    cell: str = "GRU"
    score: str = "bilinear"  # a key of ALL_SCORES


class AttentionLanguageModel(LanguageModel):
    """A recurrent language model with attention over its own earlier states.

    e_ti = h_tᵀ W h_i,   α_ti = softmax_i(e_ti),   c_t = Σ_i α_ti h_i        i = 0 … t − 1
    P(x_{t+1} | x_1 … x_t) = softmax(W_o [c_t ; h_t] + b_o)        lesson `transformer`, `recurrent_lm`

    The initial state h_0 = 0 is among the earlier states, so the first step has one to attend to; all weight
    on it gives c_t = 0. The context enters only the output, so the states are those of the plain model.
    """

    config: AttentionLanguageModelConfig

    def __init__(self, config: AttentionLanguageModelConfig):
        super().__init__(config)
        self.score = ALL_SCORES[config.score](config.width)
        self.out = nn.Linear(2 * config.width, config.words)

    def forward(self, tokens: Tensor) -> Tensor:
        """tokens (B, T) → logits (B, T, V)"""
        h, _ = self.rnn(self.embed(tokens), self.rnn.initial_state(len(tokens)))
        return self.predict(h)

    def predict(self, h: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """All states h_1 … h_T (…, T, m) → logits (…, T, V); row t attends to h_0 … h_{t-1}."""
        earlier = F.pad(h, (0, 0, 1, 0))[..., :-1, :]  # (…, T, m) h_0 = 0, h_1, …, h_{T-1}
        score, visible = self.score.batch if h.dim() == 3 else self.score, causal(h.shape[-2], h.device)

        def masked_score(queries: Tensor, keys: Tensor) -> Tensor:
            return score(queries, keys).masked_fill(~visible, -torch.inf)  # (…, T, T)

        context = attend(masked_score, h, self.score.keys(earlier), earlier, tap)  # (…, T, m)
        return tap("logits", self.out(torch.cat([context, h], -1)))

    def run(self, tokens: Sequence[int], edits: Edits | None = None) -> LanguageModelTrace:
        """Read step by step, then attend. `weights` (T, T): one row per position, columns h_0 … h_{T-1}."""
        tap = Tap(edits)
        text = (Vocabulary.bos, *tokens)
        states, ids, h = self.rnn.initial_state(), torch.tensor(text), []
        for t in tap.steps(range(len(text))):
            states = self.rnn.step(tap("x", self.embed(ids[t])), states, tap)
            h.append(states[-1][0])
        self.predict(torch.stack(h), tap)
        return self._trace(text, tap.finish())

    # ---- one word at a time: the states of the RNN, and (h_0 … h_{t-1}, their keys) ----

    def initial_state(self, *batch: int) -> States:
        earlier = self.out.weight.new_zeros(*batch, 1, self.config.width)  # the initial state h_0
        return *self.rnn.initial_state(*batch), (earlier, self.score.keys(earlier))

    def read_tokens(self, tokens: Tensor, states: States) -> States:
        *rnn_states, memory = states
        h, new = self.rnn(self.embed(tokens), tuple(rnn_states))
        return *new, self._remember(memory, h)

    def step(self, token: Tensor, states: States, tap: AnyTap = UNTAPPED) -> tuple[Tensor, States]:
        """Read one token of each of k hypotheses (k,)."""
        *rnn_states, (earlier, keys) = states  # (k, t, m), (k, t, ·)
        new = self.rnn.step(tap("x", self.embed(token)), tuple(rnn_states), tap)
        h = new[-1][0].unsqueeze(-2)  # (k, 1, m)
        context = attend(self.score.batch, h, keys, earlier, tap)
        logits = self.out(torch.cat([context, h], -1)).squeeze(-2)  # (k, V)
        return tap("logits", logits), (*new, self._remember((earlier, keys), h))

    def _remember(self, memory: tuple[Tensor, ...], h: Tensor) -> tuple[Tensor, ...]:
        """Append the states h (…, T, m) and their keys."""
        return torch.cat([memory[0], h], -2), torch.cat([memory[1], self.score.keys(h)], -2)


@dataclass(frozen=True)
class LanguageWriter:
    """Continue a prompt, one token per call, with many hypotheses at once.

    `begin` reads the prompt except its last token; the first call of `next` reads the last token.
    """

    model: LanguageModel
    prompt: tuple[int, ...]
    eos: int = Vocabulary.eos

    @property
    def bos(self) -> int:
        return self.prompt[-1] if self.prompt else Vocabulary.bos

    def begin(self) -> States:
        states = self.model.initial_state(1)
        tokens = (Vocabulary.bos, *self.prompt)[:-1]
        return self.model.read_tokens(torch.tensor([tokens]), states) if tokens else states

    def next(self, tokens: Tensor, states: States) -> tuple[Tensor, States]:
        return self.model.step(tokens, states)
