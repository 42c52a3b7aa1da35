"""Sequence to sequence: an encoder reads, a decoder writes, and between them a context.

Without attention the context is one vector c, the encoder's last state. With attention it is made anew at every step.
`forward` trains on whole batches at once; `run` reads and writes one sentence with every quantity in sight.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from models.attention import SCORES, attend
from models.between import SelfAttentionEncoder
from models.rnn import Stack
from models.trace import UNTAPPED, AnyTap, Edits, Tap
from models.vocabulary import Vocabulary, check_run

ENCODERS = ("recurrent", "self-attention", "self-attention with positions")
CONTEXTS = ("first", "every", "shared", "attention")
QUERIES = ("before", "after")
HEADS = 4  # of a self-attention encoder


@dataclass(frozen=True)
class Seq2SeqConfig:
    source_words: int
    target_words: int
    embedding: int = 32
    width: int = 64  # m, of the encoder's h and of the decoder's s
    layers: int = 1
    cell: str = "GRU"
    encoder: str = "recurrent"
    two_way: bool = False  # half of each h_i reads from the right
    context: str = "every"  # c only as the first state | at every step | one RNN for both | attention
    score: str = "additive"  # with attention: a name of SCORES
    query: str = "after"  # with attention: score with s_{t-1} ("before") or with s_t ("after")

    def __post_init__(self):
        if self.context not in CONTEXTS or self.query not in QUERIES or self.score not in SCORES:
            raise ValueError(f"context is one of {CONTEXTS}, query of {QUERIES}, score of {tuple(SCORES)}: {self}")
        if self.encoder not in ENCODERS:
            raise ValueError(f"encoder is one of {ENCODERS}: {self}")
        if self.encoder != "recurrent" and (self.context != "attention" or self.embedding != self.width):
            raise ValueError("a self-attention encoder is looked at by attention, and its words are as wide as its states")
        if self.two_way and (self.width % 2 or self.context == "shared"):
            raise ValueError("a two-way encoder needs an even width, and cannot be the decoder too")

    @property
    def context_enters_cell(self) -> bool:
        return self.context == "every" or (self.context == "attention" and self.query == "before")

    @property
    def context_enters_output(self) -> bool:
        return self.context in ("every", "attention")


class Memory(NamedTuple):
    """What the decoder has of the source."""

    H: Tensor  # (…, T, m) every encoder state; looked at only with attention
    keys: Tensor  # (…, T, ·) the part of the scores that waits for a query; H itself without attention
    c: Tensor  # (…, m) the encoder's summary
    states: tuple  # the decoder's states before its first step


@dataclass(frozen=True)
class Seq2SeqTrace:
    """One sentence read and one written. Without attention `scores` and `weights` are None and every context is c."""

    source: tuple[int, ...]  # x_1 … x_T
    output: tuple[int, ...]  # y_1 … y_T', with <eos> if it was written
    H: Tensor  # (T, m) encoder states h_i
    c: Tensor  # (m,) the fixed context
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
        m = config.width // 2 if config.two_way else config.width
        self.forth = Stack(config.cell, config.embedding, m, config.layers)
        self.back = Stack(config.cell, config.embedding, m, config.layers) if config.two_way else None

    def sweep(self, x: Tensor) -> tuple[Tensor, Tensor, tuple]:
        """x (B, T, P) → H (B, T, m), summary c (B, m), last states"""
        H, states = self.forth.sweep(x, self.forth.start(len(x)))
        if self.back is None:
            return H, H[:, -1], states
        H_back = self.back.sweep(x.flip(1), self.back.start(len(x)))[0].flip(1)
        return torch.cat([H, H_back], -1), torch.cat([H[:, -1], H_back[:, 0]], -1), states

    def walk(self, x: Tensor, tap: Tap) -> tuple[Tensor, Tensor, tuple]:
        """x (T, P) → the same for one sentence, step by step in sight of the tap."""
        H, states = self._walk(self.forth, range(len(x)), x, tap, "encoder")
        if self.back is None:
            return torch.stack(H), H[-1], states
        H_back, _ = self._walk(self.back, range(len(x) - 1, -1, -1), x, tap, "encoder.back")
        H_back.reverse()
        return torch.cat([torch.stack(H), torch.stack(H_back)], -1), torch.cat([H[-1], H_back[0]], -1), states

    @staticmethod
    def _walk(stack: Stack, order: range, x: Tensor, tap: Tap, place: str) -> tuple[list[Tensor], tuple]:
        states, H, inside = stack.start(), [], tap.inside(place)
        for tap.step in order:
            states = stack.step(x[tap.step], states, inside)
            H.append(states[-1][0])
        tap.step = 0  # what follows is about the whole sentence
        return H, states


class Seq2Seq(nn.Module):
    def __init__(self, config: Seq2SeqConfig):
        super().__init__()
        self.config = config
        m, P = config.width, config.embedding
        self.embed_source = nn.Embedding(config.source_words, P)
        self.embed_target = nn.Embedding(config.target_words, P)
        if config.encoder == "recurrent":
            self.encoder = RecurrentEncoder(config)
        else:
            self.encoder = SelfAttentionEncoder(m, HEADS, config.layers, config.encoder.endswith("positions"))
        if config.context == "shared":  # one RNN reads the source and goes on to write the target
            self.decoder = self.encoder.forth
        else:
            self.decoder = Stack(config.cell, P + m * config.context_enters_cell, m, config.layers)
            self.first = nn.ModuleList(nn.Linear(m, m) for _ in range(config.layers))  # c → s_0 of each layer
        if config.context == "attention":
            self.score = SCORES[config.score](m)
        self.out = nn.Linear(m + m * config.context_enters_output, config.target_words)

    # ---- reading ----

    def read(self, source: Tensor, tap: AnyTap = UNTAPPED) -> Memory:
        """Source ids (T,) in sight of a tap, or a batch of them (B, T) all at once, into what the decoder has of it."""
        x = tap("x", self.embed_source(source))  # (…, T, P)
        H, c, states = self.encoder.walk(x, tap) if isinstance(tap, Tap) and x.dim() == 2 else self.encoder.sweep(x)
        H, c = tap("H", H), tap("c", c)
        if self.config.context == "shared":
            states = (*states[:-1], (c, *states[-1][1:]))  # c is the last h itself
        else:
            states = self._first_states(c, tap.inside("first"))
        keys = tap("keys", self.score.keys(H)) if self.config.context == "attention" else H
        return Memory(H, keys, c, states)

    def _first_states(self, c: Tensor, tap: AnyTap = UNTAPPED) -> tuple:
        """s_0 = tanh(W_s c + b_s) in each layer: whatever the decoder knows at first, it has from c."""
        empty = [torch.zeros_like(c)] * (self.decoder.cells[0].memories - 1)  # an LSTM's cell
        return tuple((tap(f"layer{n}.h", torch.tanh(first(c))), *empty) for n, first in enumerate(self.first, start=1))

    # ---- writing ----

    def write(self, token: Tensor, states: tuple, memory: Memory, tap: AnyTap = UNTAPPED) -> tuple[Tensor, tuple]:
        """One decoder step: the previous output, the previous state and the context → logits and the new state.

        token () with H (T, m): one sentence.  token (k,) with H (T, m): k hypotheses.  token (B,) with H (B, T, m): a batch.
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

    def _context(self, query: Tensor, memory: Memory, tap: AnyTap) -> Tensor:
        if self.config.context == "every":
            return tap("context", memory.c.expand_as(query))
        if self.config.context != "attention":
            return memory.c  # not looked at again
        if memory.H.dim() == query.dim() + 1 == 3:  # a batch, each with its own source
            return attend(self.score, query.unsqueeze(-2), memory.keys, memory.H, tap).squeeze(-2)
        return attend(self.score, query, memory.keys, memory.H, tap)

    def _output(self, s: Tensor, context: Tensor) -> Tensor:
        return self.out(torch.cat([context, s], -1) if self.config.context_enters_output else s)  # W_o [c_t ; s_t] + b_o

    # ---- the two doors ----

    def forward(self, source: Tensor, target_in: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """source (B, T), all of one length; target_in (B, T') = <bos> y_1 … → logits (B, T', V)

        The whole target at once, unless attention must wait for each step's query (query before).
        """
        memory = self.read(source, tap)
        if self.config.context == "attention" and self.config.query == "before":
            return self.forward_by_steps(target_in, memory, tap)
        y = self.embed_target(target_in)  # (B, T', P)
        if self.config.context_enters_cell:
            y = torch.cat([y, memory.c.unsqueeze(1).expand(-1, y.shape[1], -1)], -1)
        s, _ = self.decoder.sweep(y, memory.states)  # (B, T', m)
        if self.config.context == "attention":
            return self._output(s, attend(self.score, s, memory.keys, memory.H, tap))
        return self._output(s, memory.c.unsqueeze(1).expand_as(s))

    def forward_by_steps(self, target_in: Tensor, memory: Memory, tap: AnyTap = UNTAPPED) -> Tensor:
        states, logits = memory.states, []
        for token in target_in.unbind(1):
            step, states = self.write(token, states, memory, tap)
            logits.append(step)
        return torch.stack(logits, 1)

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
        for tap.step in range(limit):
            logits, states = self.write(torch.tensor(token), states, memory, tap)
            token = forced[tap.step] if tap.step in forced else int(logits.argmax())
            output.append(token)
            if token == Vocabulary.eos:
                break
        tap.finish()
        return self._trace(tuple(source), tuple(output), tap)

    def _trace(self, source: tuple[int, ...], output: tuple[int, ...], tap: Tap) -> Seq2SeqTrace:
        values = {name: self._over_steps(name, seen) for name, seen in tap.seen.items()}
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

    def _over_steps(self, name: str, seen: list[Tensor]) -> Tensor:
        """A quantity over its steps, or as it is if it was seen once for the whole sentence."""
        whole = name in ("x", "H", "keys", "c") or name.startswith("first.")
        if whole or (name.startswith("encoder.") and self.config.encoder != "recurrent"):
            return seen[0]
        return torch.stack(
            seen[::-1] if name.startswith("encoder.back.") else seen
        )  # back: read from the right, told from the left

    def writer(self, source: Sequence[int] | Tensor) -> "Seq2SeqWriter":
        """About to translate one sentence, or a batch (B, T) of sentences of one length side by side."""
        source = torch.as_tensor(source)
        return Seq2SeqWriter(self, self.read(source if source.dim() == 2 else source[None]), source.dim() == 1)


class Seq2SeqWriter:
    """Writes for many hypotheses at once, one token a call."""

    bos, eos = Vocabulary.bos, Vocabulary.eos

    def __init__(self, model: Seq2Seq, memory: Memory, one_source: bool):
        self.model, self.states = model, memory.states
        self.memory = Memory(memory.H[0], memory.keys[0], memory.c[0], memory.states) if one_source else memory

    def begin(self) -> tuple:
        return self.states

    def next(self, tokens: Tensor, states: tuple) -> tuple[Tensor, tuple]:
        return self.model.write(tokens, states, self.memory)
