"""Sequence to sequence: an encoder reads, a decoder writes, and between them a context.

Without attention the context is one vector c, the encoder's last state. With attention it is made anew at every step.
`forward` trains on whole batches at once; `run` reads and writes one sentence with every quantity in sight.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from models.attention import SCORES, Score, Uniform, attend
from models.rnn import Stack, State, States
from models.self_attention_encoder import SelfAttentionEncoder
from models.trace import UNTAPPED, AnyTap, Edits, Tap
from models.vocabulary import Vocabulary, check_run

ENCODERS = ("recurrent", "self-attention", "self-attention with positions")
CONTEXTS = ("first", "every", "shared", "attention")
QUERIES = ("before", "after")
HEADS = 4  # of a self-attention encoder
CHOOSERS = SCORES | {"uniform": Uniform}  # the last one only for comparison


@dataclass(frozen=True)
class Seq2SeqConfig:
    source_words: int
    target_words: int
    embedding: int = 32
    width: int = 64  # m, of the encoder's h and of the decoder's s
    layers: int = 1
    cell: str = "GRU"
    encoder: str = "recurrent"
    bidirectional: bool = False  # half of each h_i reads from the right
    context: str = "every"  # c only as the first state | at every step | one RNN for both | attention
    score: str = "additive"  # with attention: a name of CHOOSERS
    query: str = "after"  # with attention: score with s_{t-1} ("before") or with s_t ("after")
    context_dim: int = 0  # k, the numbers in c, if not all of the last state: its first k

    def __post_init__(self) -> None:
        if self.context not in CONTEXTS or self.query not in QUERIES or self.score not in CHOOSERS:
            raise ValueError(
                f"context is one of {CONTEXTS}, query of {QUERIES}, score of {tuple(CHOOSERS)}: {self}"
            )
        if self.encoder not in ENCODERS:
            raise ValueError(f"encoder is one of {ENCODERS}: {self}")
        if self.encoder != "recurrent" and (self.context != "attention" or self.embedding != self.width):
            raise ValueError(
                "a self-attention encoder is looked at by attention, and its words are as wide as its states"
            )
        if self.context_dim and (self.context != "first" or not 0 < self.context_dim <= self.width):
            raise ValueError("only a c that is handed over once can have fewer numbers than the state")
        if self.bidirectional and (self.width % 2 or self.context == "shared"):
            raise ValueError("a two-way encoder needs an even width, and cannot be the decoder too")

    @property
    def context_enters_cell(self) -> bool:
        return self.context == "every" or (self.context == "attention" and self.query == "before")

    @property
    def context_enters_output(self) -> bool:
        return self.context in ("every", "attention")


class Memory(NamedTuple):
    """What the decoder has of one source."""

    H: Tensor  # (T, m) every encoder state; looked at only with attention
    keys: Tensor  # (T, ·) the part of the scores that waits for a query; H itself without attention
    c: Tensor  # (k,) the encoder's summary; k = m unless it is squeezed
    states: States  # the decoder's states before its first step

    def look(self, score: Score, s: Tensor, tap: AnyTap) -> Tensor:
        """The context of a query s (m,), or of k hypotheses' queries (k, m)."""
        return attend(score, s, self.keys, self.H, tap)


class BatchMemory(NamedTuple):
    """What the decoder has of B sources of one length: the same with a first axis B."""

    H: Tensor
    keys: Tensor
    c: Tensor
    states: States

    def look(self, score: Score, s: Tensor, tap: AnyTap) -> Tensor:
        """The contexts of one query s (B, m) for each source."""
        return attend(score.batch, s.unsqueeze(1), self.keys, self.H, tap).squeeze(1)


@dataclass(frozen=True)
class Seq2SeqTrace:
    """One sentence read and one written. Without attention `scores` and `weights` are None and every context is c."""

    source: tuple[int, ...]  # x_1 … x_T
    output: tuple[int, ...]  # y_1 … y_T', with <eos> if it was written
    H: Tensor  # (T, m) encoder states h_i
    c: Tensor  # (k,) the fixed context
    s: Tensor  # (T', m) decoder states, top layer
    scores: Tensor | None  # (T', T) e_ti, before softmax
    weights: Tensor | None  # (T', T) α_ti, after softmax
    contexts: Tensor  # (T', m) c_t
    logits: Tensor  # (T', V)
    probabilities: Tensor  # (T', V)
    values: Mapping[str, Tensor]  # every quantity by name, steps first: "encoder.layer1.z" (T, m), …

    @property
    def logprobs(self) -> Tensor:
        """log P(y_t | y_<t, x) of each token of the output (T',)"""
        return torch.log_softmax(self.logits, -1)[range(len(self.output)), list(self.output)]


class RecurrentEncoder(nn.Module):
    """h_1 … h_T, read from the left; if two-way, each h_i = [→h_i ; ←h_i] has half its units read from the right."""

    def __init__(self, config: Seq2SeqConfig):
        super().__init__()
        m = config.width // 2 if config.bidirectional else config.width
        self.forward_rnn = Stack(config.cell, config.embedding, m, config.layers)
        self.backward_rnn = Stack(config.cell, config.embedding, m, config.layers) if config.bidirectional else None

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, States]:
        """x (B, T, P) → H (B, T, m), summary c (B, m), last states"""
        H, states = self.forward_rnn(x, self.forward_rnn.initial_state(len(x)))
        if self.backward_rnn is None:
            return H, H[:, -1], states
        H_back = self.backward_rnn(x.flip(1), self.backward_rnn.initial_state(len(x)))[0].flip(1)
        return torch.cat([H, H_back], -1), torch.cat([H[:, -1], H_back[:, 0]], -1), states

    def run(self, x: Tensor, tap: AnyTap) -> tuple[Tensor, Tensor, States]:
        """x (T, P) → the same for one sentence, step by step in sight of the tap."""
        H, states = self._walk(self.forward_rnn, range(len(x)), x, tap)
        if self.backward_rnn is None:
            return H, H[-1], states
        H_back, _ = self._walk(self.backward_rnn, range(len(x) - 1, -1, -1), x, tap.inside("back"))
        return torch.cat([H, H_back], -1), torch.cat([H[-1], H_back[0]], -1), states

    @staticmethod
    def _walk(stack: Stack, order: range, x: Tensor, tap: AnyTap) -> tuple[Tensor, States]:
        """Every h, told from the left whichever way it was read (T, m), and the last states."""
        states, h = stack.initial_state(), {}
        for i in tap.steps(order):
            states = stack.step(x[i], states, tap)
            h[i] = states[-1][0]
        return torch.stack([h[i] for i in range(len(x))]), states


class Seq2Seq(nn.Module):
    def __init__(self, config: Seq2SeqConfig):
        super().__init__()
        self.config = config
        m, P = config.width, config.embedding
        self.embed_source = nn.Embedding(config.source_words, P)
        self.embed_target = nn.Embedding(config.target_words, P)
        self.encoder: RecurrentEncoder | SelfAttentionEncoder
        if config.encoder == "recurrent":
            self.encoder = RecurrentEncoder(config)
        else:
            self.encoder = SelfAttentionEncoder(
                m, HEADS, config.layers, config.encoder == "self-attention with positions"
            )
        if config.context == "shared" and isinstance(self.encoder, RecurrentEncoder):
            self.decoder = self.encoder.forward_rnn  # one RNN reads the source and goes on to write the target
        else:
            self.decoder = Stack(config.cell, P + m * config.context_enters_cell, m, config.layers)
            k, fresh = config.context_dim or m, range(config.layers)
            self.initial_h = nn.ModuleList(nn.Linear(k, m) for _ in fresh)  # c → s_0 of each layer
            if self.decoder.cells[0].state_vectors > 1:
                self.initial_cell = nn.ModuleList(nn.Linear(k, m) for _ in fresh)  # and an LSTM's cell
        if config.context == "attention":
            self.score = CHOOSERS[config.score](m)
        self.out = nn.Linear(m + m * config.context_enters_output, config.target_words)

    # ---- reading ----

    def read(self, source: Tensor, tap: AnyTap = UNTAPPED) -> Memory:
        """One source's ids (T,), step by step."""
        x = tap("x", self.embed_source(source))  # (T, P)
        return Memory(*self._remember(*self.encoder.run(x, tap.inside("encoder")), tap))

    def read_batch(self, sources: Tensor, tap: AnyTap = UNTAPPED) -> BatchMemory:
        """Many sources of one length (B, T), all steps at once."""
        x = tap("x", self.embed_source(sources))  # (B, T, P)
        return BatchMemory(*self._remember(*self.encoder(x), tap))

    def _remember(
        self, H: Tensor, c: Tensor, states: States, tap: AnyTap
    ) -> tuple[Tensor, Tensor, Tensor, States]:
        """What was read, as a memory: H, keys, c and the decoder's first states."""
        H, c = tap("H", H), tap("c", c[..., : self.config.context_dim or None])
        if self.config.context == "shared":
            states = (*states[:-1], (c, *states[-1][1:]))  # c is the last h itself
        else:
            states = self._initial_states(c, tap.inside("initial"))
        keys = tap("keys", self.score.keys(H)) if self.config.context == "attention" else H
        return H, keys, c, states

    def _initial_states(self, c: Tensor, tap: AnyTap = UNTAPPED) -> States:
        """s_0 = tanh(W_s c + b_s) in each layer, and an LSTM's cell W_cell c + b_cell: all the decoder knows at first is c."""
        states: list[State] = [
            (tap(f"layer{n}.h", torch.tanh(first(c))),) for n, first in enumerate(self.initial_h, start=1)
        ]
        if self.decoder.cells[0].state_vectors > 1:
            cells = [tap(f"layer{n}.cell", first(c)) for n, first in enumerate(self.initial_cell, start=1)]
            states = [(*state, cell) for state, cell in zip(states, cells, strict=True)]
        return tuple(states)

    # ---- writing ----

    def write(
        self, token: Tensor, states: States, memory: Memory | BatchMemory, tap: AnyTap = UNTAPPED
    ) -> tuple[Tensor, States]:
        """One decoder step: the previous output, the previous state and the context → logits and the new state.

        With the memory of one source: one token (), or k hypotheses about it (k,). With that of a batch: one for each (B,).
        """
        y = tap("y", self.embed_target(token))  # (…, P)
        if self.config.context_enters_cell:
            context = self._context(states[-1][0], memory, tap)  # (…, m)
            states = self.decoder.step(torch.cat([y, context], -1), states, tap.inside("decoder"))
            s = states[-1][0]
        else:
            states = self.decoder.step(y, states, tap.inside("decoder"))
            s = states[-1][0]
            context = self._context(s, memory, tap)
        return tap("logits", self._output(s, context)), states

    def _context(self, query: Tensor, memory: Memory | BatchMemory, tap: AnyTap) -> Tensor:
        if self.config.context == "attention":
            return memory.look(self.score, query, tap)
        if self.config.context == "every":
            return tap("context", memory.c.expand_as(query))
        return memory.c  # not looked at again

    def _output(self, s: Tensor, context: Tensor) -> Tensor:
        return self.out(
            torch.cat([context, s], -1) if self.config.context_enters_output else s
        )  # W_o [c_t ; s_t] + b_o

    # ---- the two doors ----

    def forward(self, source: Tensor, target_in: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """source (B, T), all of one length; target_in (B, T') = <bos> y_1 … → logits (B, T', V)

        The whole target at once, unless attention must wait for each step's query (query before).
        """
        memory = self.read_batch(source, tap)
        if self.config.context == "attention" and self.config.query == "before":
            return self.forward_by_steps(target_in, memory, tap)
        y = self.embed_target(target_in)  # (B, T', P)
        if self.config.context_enters_cell:
            y = torch.cat([y, memory.c.unsqueeze(1).expand(-1, y.shape[1], -1)], -1)
        s, _ = self.decoder(y, memory.states)  # (B, T', m)
        if self.config.context == "attention":
            return self._output(s, attend(self.score.batch, s, memory.keys, memory.H, tap))
        return self._output(
            s, memory.c.unsqueeze(1).expand_as(s) if self.config.context == "every" else memory.c
        )

    def forward_by_steps(self, target_in: Tensor, memory: BatchMemory, tap: AnyTap = UNTAPPED) -> Tensor:
        states, rows = memory.states, []
        for t in tap.steps(range(target_in.shape[1])):
            logits, states = self.write(target_in[:, t], states, memory, tap)
            rows.append(logits)
        return torch.stack(rows, 1)

    def run(
        self,
        source: Sequence[int],
        target: Sequence[int] | None = None,
        edits: Edits | None = None,
        limit: int = 60,
        forced: Mapping[int, int] | None = None,
    ) -> Seq2SeqTrace:
        """Reads one sentence and writes its translation in sight.

        With a target (ending in <eos>), the target is fed back instead of the model's own output: teacher forcing.
        `forced` puts single tokens in place of the model's choice, step → token.
        """
        check_run(source, target, forced, limit, self.config.target_words)
        forced = dict(enumerate(target)) if target is not None else dict(forced or {})
        limit = len(target) if target is not None else limit
        tap = Tap(edits)
        memory = self.read(torch.tensor(source), tap)
        states, output, token = memory.states, [], Vocabulary.bos
        for t in tap.steps(range(limit)):
            logits, states = self.write(torch.tensor(token), states, memory, tap)
            token = forced[t] if t in forced else int(logits.argmax())
            output.append(token)
            if token == Vocabulary.eos:
                break
        return self._trace(tuple(source), tuple(output), tap.finish())

    def _trace(
        self, source: tuple[int, ...], output: tuple[int, ...], values: Mapping[str, Tensor]
    ) -> Seq2SeqTrace:
        return Seq2SeqTrace(
            source=source,
            output=output,
            H=values["H"],
            c=values["c"],
            s=values[f"decoder.layer{self.config.layers}.h"],
            scores=values.get("scores"),
            weights=values.get("weights"),
            contexts=values.get("context", values["c"].expand(len(output), -1)),
            logits=values["logits"],
            probabilities=torch.softmax(values["logits"], -1),
            values=values,
        )

    def writer(self, source: Sequence[int]) -> "Seq2SeqWriter":
        """About to translate one sentence, with as many hypotheses as a search asks for."""
        H, keys, c, states = self.read_batch(torch.tensor([source]))  # at once is quicker than step by step
        return Seq2SeqWriter(self, Memory(H[0], keys[0], c[0], states))

    def batch_writer(self, sources: Tensor) -> "Seq2SeqWriter":
        """About to translate many sentences of one length (B, T) side by side, with one hypothesis each."""
        return Seq2SeqWriter(self, self.read_batch(sources))


class Seq2SeqWriter:
    """Writes for many hypotheses at once, one token a call."""

    bos, eos = Vocabulary.bos, Vocabulary.eos

    def __init__(self, model: Seq2Seq, memory: Memory | BatchMemory):
        self.model, self.memory = model, memory

    def begin(self) -> States:
        return self.memory.states

    def next(self, tokens: Tensor, states: States) -> tuple[Tensor, States]:
        return self.model.write(tokens, states, self.memory)
