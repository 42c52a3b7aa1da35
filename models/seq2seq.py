"""Sequence to sequence: an encoder reads the source, a decoder writes the target, a context connects them.

Without attention the context is one vector c, the last state of the encoder. With attention every decoder
step computes its own context. `forward` trains on whole batches; `run` traces the translation of one
sentence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from models.attention import SCORES, Score, Uniform, attend
from models.rnn import CONNECTIONS, Stack, State, States
from models.self_attention_encoder import SelfAttentionEncoder
from models.trace import UNTAPPED, AnyTap, Edits, Tap
from models.vocabulary import Vocabulary, check_run

ENCODERS = ("recurrent", "self-attention", "self-attention with positions")
CONTEXTS = ("first", "every", "shared", "attention")
QUERIES = ("before", "after")
ENCODER_HEADS = 4  # number of heads in a self-attention encoder
ALL_SCORES = SCORES | {"uniform": Uniform}  # uniform weights serve as a baseline


@dataclass(frozen=True)
class Seq2SeqConfig:
    source_words: int
    target_words: int
    embedding: int = 32
    width: int = 64  # m, the size of encoder states h and decoder states s
    layers: int = 1  # number of encoder layers
    cell: str = "GRU"
    encoder: str = "recurrent"
    bidirectional: bool = False  # half of each h_i comes from an RNN that reads right to left
    context: str = "every"  # "first": c is the initial state; "every": c at each step; "shared": one RNN
    score: str = "additive"  # with attention: a key of ALL_SCORES
    query: str = "after"  # with attention: s_{t-1} ("before", Bahdanau) or s_t ("after", Luong)
    tied: bool = False  # the output layer shares its weights with the target embeddings
    context_dim: int = 0  # k: c is the first k dimensions of the last state; 0 uses all of them
    decoder_layers: int = 0  # 0: as many as the encoder has
    connection: str = "none"  # connections between layers: one of CONNECTIONS

    def __post_init__(self) -> None:
        if self.context not in CONTEXTS or self.query not in QUERIES or self.score not in ALL_SCORES:
            raise ValueError(
                f"context is one of {CONTEXTS}, query of {QUERIES}, score of {tuple(ALL_SCORES)}: {self}"
            )
        if self.encoder not in ENCODERS:
            raise ValueError(f"encoder is one of {ENCODERS}: {self}")
        if self.encoder != "recurrent" and (self.context != "attention" or self.embedding != self.width):
            raise ValueError("a self-attention encoder needs attention in the decoder, and embedding = width")
        if self.context_dim and (self.context != "first" or not 0 < self.context_dim <= self.width):
            raise ValueError('context_dim needs context="first" and is at most the width')
        if self.connection not in CONNECTIONS:
            raise ValueError(f"connection is one of {CONNECTIONS}: {self}")
        if self.context == "shared" and (self.decoder_layers or self.connection != "none"):
            raise ValueError("one RNN for both needs as many layers in both, without connections")
        if self.bidirectional and (self.width % 2 or self.context == "shared"):
            raise ValueError("a bidirectional encoder needs an even width, and cannot be the decoder too")

    @property
    def context_enters_cell(self) -> bool:
        return self.context == "every" or (self.context == "attention" and self.query == "before")

    @property
    def context_enters_output(self) -> bool:
        return self.context in ("every", "attention")


class EncodedSource(NamedTuple):
    """Encoder output for one source, as input for the decoder."""

    H: Tensor  # (T, m) all encoder states; used only with attention
    keys: Tensor  # (T, ·) the part of the scores that does not depend on the query; H without attention
    c: Tensor  # (k,) the fixed context; k = m unless context_dim is set
    states: States  # initial states of the decoder

    def attend(self, score: Score, s: Tensor, tap: AnyTap) -> Tensor:
        """Context for the query s (m,), or for the queries of k hypotheses (k, m)."""
        return attend(score, s, self.keys, self.H, tap)


class EncodedBatch(NamedTuple):
    """Encoder output for B sources of one length: like EncodedSource, with a leading axis B."""

    H: Tensor
    keys: Tensor
    c: Tensor
    states: States

    def attend(self, score: Score, s: Tensor, tap: AnyTap) -> Tensor:
        """Contexts for the queries s (B, m), one per source."""
        return attend(score.batch, s.unsqueeze(1), self.keys, self.H, tap).squeeze(1)


@dataclass(frozen=True)
class Seq2SeqTrace:
    """Trace of one translation. Without attention `scores` and `weights` are None and every context is c."""

    source: tuple[int, ...]  # x_1 … x_T
    output: tuple[int, ...]  # y_1 … y_T', including <eos> if the model wrote it
    H: Tensor  # (T, m) encoder states h_i
    c: Tensor  # (k,) the fixed context
    s: Tensor  # (T', m) output of the decoder's top layer
    scores: Tensor | None  # (T', T) e_ti, before the softmax
    weights: Tensor | None  # (T', T) α_ti, after the softmax
    contexts: Tensor  # (T', m) c_t
    logits: Tensor  # (T', V)
    probabilities: Tensor  # (T', V)
    values: Mapping[str, Tensor]  # every quantity by name, steps first: "encoder.layer1.z" (T, m), …

    @property
    def logprobs(self) -> Tensor:
        """log P(y_t | y_<t, x) of each output token (T',)"""
        return torch.log_softmax(self.logits, -1)[range(len(self.output)), list(self.output)]


class RecurrentEncoder(nn.Module):
    """Compute h_1 … h_T from left to right; if bidirectional, h_i = [→h_i ; ←h_i], half the units each."""

    def __init__(self, config: Seq2SeqConfig):
        super().__init__()
        m = config.width // 2 if config.bidirectional else config.width
        sizes = (config.cell, config.embedding, m, config.layers, config.connection)
        self.forward_rnn = Stack(*sizes)
        self.backward_rnn = Stack(*sizes) if config.bidirectional else None

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, States]:
        """Encode x (B, T, P) → H (B, T, m), c (B, m) and the last states"""
        H, states = self.forward_rnn(x, self.forward_rnn.initial_state(len(x)))
        if self.backward_rnn is None:
            return H, H[:, -1], states
        H_back = self.backward_rnn(x.flip(1), self.backward_rnn.initial_state(len(x)))[0].flip(1)
        return torch.cat([H, H_back], -1), torch.cat([H[:, -1], H_back[:, 0]], -1), states

    def run(self, x: Tensor, tap: AnyTap) -> tuple[Tensor, Tensor, States]:
        """Like `forward`, for one sentence x (T, P), step by step with a tap."""
        H, states = self._run_steps(self.forward_rnn, range(len(x)), x, tap)
        if self.backward_rnn is None:
            return H, H[-1], states
        H_back, _ = self._run_steps(self.backward_rnn, range(len(x) - 1, -1, -1), x, tap.inside("back"))
        return torch.cat([H, H_back], -1), torch.cat([H[-1], H_back[0]], -1), states

    @staticmethod
    def _run_steps(stack: Stack, order: range, x: Tensor, tap: AnyTap) -> tuple[Tensor, States]:
        """Run in the reading order `order`. Returns all h in word order (T, m), and the last states."""
        states, h = stack.initial_state(), {}
        for i in tap.steps(order):
            states = stack.step(x[i], states, tap)
            h[i] = stack.output(states)
        return torch.stack([h[i] for i in range(len(x))]), states


class TiedOutput(nn.Module):
    """Tied output: logits = E tanh(W [c_t ; s_t] + b) + b_o, E = target embeddings (Press & Wolf 2017)."""

    def __init__(self, n: int, embeddings: nn.Embedding):
        super().__init__()
        self.attentional = nn.Linear(n, embeddings.embedding_dim)  # h̃_t of Luong et al. 2015, equation 5
        self.b = nn.Parameter(torch.zeros(embeddings.num_embeddings))
        self.__dict__["embeddings"] = embeddings  # not a submodule, so a checkpoint stores E only once

    def forward(self, features: Tensor) -> Tensor:
        E = self.__dict__["embeddings"].weight  # (V, P)
        return nn.functional.linear(torch.tanh(self.attentional(features)), E, self.b)  # (…, V)


class Seq2Seq(nn.Module):
    def __init__(self, config: Seq2SeqConfig):
        super().__init__()
        self.config = config
        m, P, layers = config.width, config.embedding, config.decoder_layers or config.layers
        self.embed_source = nn.Embedding(config.source_words, P)
        self.embed_target = nn.Embedding(config.target_words, P)
        self.encoder: RecurrentEncoder | SelfAttentionEncoder
        if config.encoder == "recurrent":
            self.encoder = RecurrentEncoder(config)
        else:
            ordered = config.encoder == "self-attention with positions"
            self.encoder = SelfAttentionEncoder(m, ENCODER_HEADS, config.layers, ordered)
        if config.context == "shared" and isinstance(self.encoder, RecurrentEncoder):
            self.decoder = self.encoder.forward_rnn  # one RNN reads the source and then writes the target
        else:
            inputs = P + m * config.context_enters_cell
            self.decoder = Stack(config.cell, inputs, m, layers, config.connection)
            k = config.context_dim or m
            self.initial_h = nn.ModuleList(nn.Linear(k, m) for _ in range(layers))  # c → s_0 of each layer
            if self.decoder.cells[0].state_vectors > 1:
                # c → cell_0 of each layer of an LSTM
                self.initial_cell = nn.ModuleList(nn.Linear(k, m) for _ in range(layers))
        if config.context == "attention":
            self.score = ALL_SCORES[config.score](m)
        n = m + m * config.context_enters_output
        self.out = TiedOutput(n, self.embed_target) if config.tied else nn.Linear(n, config.target_words)

    # ---- encoder ----

    def encode(self, source: Tensor, tap: AnyTap = UNTAPPED) -> EncodedSource:
        """Encode one source (T,), step by step."""
        x = tap("x", self.embed_source(source))  # (T, P)
        H, c, states = self.encoder.run(x, tap.inside("encoder"))
        return EncodedSource(*self._prepare_decoder(H, c, states, tap))

    def encode_batch(self, sources: Tensor, tap: AnyTap = UNTAPPED) -> EncodedBatch:
        """Encode many sources of one length (B, T), all steps at once."""
        x = tap("x", self.embed_source(sources))  # (B, T, P)
        H, c, states = self.encoder(x)
        return EncodedBatch(*self._prepare_decoder(H, c, states, tap))

    def _prepare_decoder(
        self, H: Tensor, c: Tensor, states: States, tap: AnyTap
    ) -> tuple[Tensor, Tensor, Tensor, States]:
        """Prepare the decoder: encoder output → H, keys, c and its initial states."""
        H, c = tap("H", H), tap("c", c[..., : self.config.context_dim or None])
        if self.config.context == "shared":
            states = (*states[:-1], (c, *states[-1][1:]))  # c is the last h, which may have been edited
        else:
            states = self._initial_states(c, tap.inside("initial"))
        keys = tap("keys", self.score.keys(H)) if self.config.context == "attention" else H
        return H, keys, c, states

    def _initial_states(self, c: Tensor, tap: AnyTap = UNTAPPED) -> States:
        """s_0 = tanh(W_s c + b_s) in each layer, and for an LSTM cell_0 = W_cell c + b_cell."""
        states: list[State] = [
            (tap(f"layer{n}.h", torch.tanh(linear(c))),) for n, linear in enumerate(self.initial_h, start=1)
        ]
        if self.decoder.cells[0].state_vectors > 1:
            cells = [tap(f"layer{n}.cell", linear(c)) for n, linear in enumerate(self.initial_cell, start=1)]
            states = [(*state, cell) for state, cell in zip(states, cells, strict=True)]
        return tuple(states)

    # ---- decoder ----

    def write(
        self, token: Tensor, states: States, encoded: EncodedSource | EncodedBatch, tap: AnyTap = UNTAPPED
    ) -> tuple[Tensor, States]:
        """One decoder step: previous token, previous states and context → logits and new states.

        `token` is () or, for k hypotheses, (k,) with one source, and (B,) with a batch of sources.
        """
        y = tap("y", self.embed_target(token))  # (…, P)
        if self.config.context_enters_cell:
            context = self._context(self.decoder.output(states), encoded, tap)  # (…, m)
            states = self.decoder.step(torch.cat([y, context], -1), states, tap.inside("decoder"))
            s = self.decoder.output(states)
        else:
            states = self.decoder.step(y, states, tap.inside("decoder"))
            s = self.decoder.output(states)
            context = self._context(s, encoded, tap)
        return tap("logits", self._output(s, context)), states

    def _context(self, query: Tensor, encoded: EncodedSource | EncodedBatch, tap: AnyTap) -> Tensor:
        if self.config.context == "attention":
            return encoded.attend(self.score, query, tap)
        if self.config.context == "every":
            return tap("context", encoded.c.expand_as(query))
        return encoded.c  # c is used only for the initial state

    def _output(self, s: Tensor, context: Tensor) -> Tensor:
        """The logits W_o [c_t ; s_t] + b_o, or W_o s_t + b_o"""
        return self.out(torch.cat([context, s], -1) if self.config.context_enters_output else s)

    # ---- whole sentences ----

    def forward(self, source: Tensor, target_in: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """Logits (B, T', V) for sources (B, T) of one length and target_in (B, T') = <bos> y_1 …

        Computes the whole target at once, except with query "before", which needs the previous state.
        """
        encoded = self.encode_batch(source, tap)
        if self.config.context == "attention" and self.config.query == "before":
            return self.forward_by_steps(target_in, encoded, tap)
        y = self.embed_target(target_in)  # (B, T', P)
        if self.config.context_enters_cell:
            y = torch.cat([y, encoded.c.unsqueeze(1).expand(-1, y.shape[1], -1)], -1)
        s, _ = self.decoder(y, encoded.states)  # (B, T', m)
        if self.config.context == "attention":
            return self._output(s, attend(self.score.batch, s, encoded.keys, encoded.H, tap))
        is_repeated = self.config.context == "every"
        return self._output(s, encoded.c.unsqueeze(1).expand_as(s) if is_repeated else encoded.c)

    def forward_by_steps(self, target_in: Tensor, encoded: EncodedBatch, tap: AnyTap = UNTAPPED) -> Tensor:
        states, rows = encoded.states, []
        for t in tap.steps(range(target_in.shape[1])):
            logits, states = self.write(target_in[:, t], states, encoded, tap)
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
        """Translate one sentence greedily and trace every quantity.

        Teacher forcing: a target (ending in <eos>), if given, is fed back instead of the model's own output.
        `forced` replaces individual output tokens: step → token.
        """
        check_run(source, target, forced, limit, self.config.target_words)
        forced = dict(enumerate(target)) if target is not None else dict(forced or {})
        limit = len(target) if target is not None else limit
        tap = Tap(edits)
        encoded = self.encode(torch.tensor(source), tap)
        states, output, token = encoded.states, [], Vocabulary.bos
        for t in tap.steps(range(limit)):
            logits, states = self.write(torch.tensor(token), states, encoded, tap)
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
            s=self.decoder.output(
                tuple((values[f"decoder.layer{n}.h"],) for n in range(1, len(self.decoder.cells) + 1))
            ),
            scores=values.get("scores"),
            weights=values.get("weights"),
            contexts=values.get("context", values["c"].expand(len(output), -1)),
            logits=values["logits"],
            probabilities=torch.softmax(values["logits"], -1),
            values=values,
        )

    def writer(self, source: Sequence[int]) -> "Seq2SeqWriter":
        """A writer for one sentence, with any number of hypotheses."""
        # all steps at once are faster than step by step
        H, keys, c, states = self.encode_batch(torch.tensor([source]))
        return Seq2SeqWriter(self, EncodedSource(H[0], keys[0], c[0], states))

    def batch_writer(self, sources: Tensor) -> "Seq2SeqWriter":
        """A writer for many sentences of one length (B, T), with one hypothesis each."""
        return Seq2SeqWriter(self, self.encode_batch(sources))


class Seq2SeqWriter:
    """Write one token per call for many hypotheses at once."""

    bos, eos = Vocabulary.bos, Vocabulary.eos

    def __init__(self, model: Seq2Seq, encoded: EncodedSource | EncodedBatch):
        self.model, self.encoded = model, encoded

    def begin(self) -> States:
        return self.encoded.states

    def next(self, tokens: Tensor, states: States) -> tuple[Tensor, States]:
        return self.model.write(tokens, states, self.encoded)
