"""The Transformer (Vaswani et al. 2017): an encoder that reads, a decoder that writes.        lesson transformer"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.blocks import Caches, TransformerStack, unwrap_parameters
from models.multihead import affine, causal
from models.trace import UNTAPPED, AnyTap, Edits, Tap
from models.vocabulary import InputError, Vocabulary, check_run


@dataclass(frozen=True)
class TransformerConfig:
    source_words: int
    target_words: int
    d: int = 64
    heads: int = 4
    layers: int = 2  # in the encoder, and again in the decoder
    d_fc: int = 128
    norm: str = "pre"  # or "post", as in the paper; or "none"
    max_length: int = 128  # places that have a position


@dataclass(frozen=True)
class TransformerTrace:
    """One sentence through the model. T source words, T' target words, V known target words; no batch axis."""

    source: tuple[int, ...]  # T
    output: tuple[int, ...]  # T': written, forced or given; ends with <eos> unless the limit came first
    target_in: tuple[int, ...]  # T': what the decoder read, <bos> and then the output but its last
    encoder_self: Tensor  # (layers, heads, T, T)    weights, after the softmax
    decoder_self: Tensor  # (layers, heads, T', T')
    cross: Tensor  # (layers, heads, T', T)
    logits: Tensor  # (T', V)    row t is the one that decided output t
    probabilities: Tensor  # (T', V)
    values: Mapping[
        str, Tensor
    ]  # every quantity by its path, as in "encoder.layer1.self.scores"; from the last whole pass

    @property
    def predicted(self) -> tuple[int, ...]:
        """The likeliest word at each step: the output itself, unless words were forced or given."""
        return tuple(self.logits.argmax(-1).tolist())


class Transformer(nn.Module):
    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = c = config
        sizes = (c.d, c.heads, c.layers, c.d_fc, c.max_length, c.norm)
        self.encoder = TransformerStack(c.source_words, *sizes)
        self.decoder = TransformerStack(c.target_words, *sizes, cross=True)
        self.W_out = nn.Parameter(nn.init.xavier_uniform_(torch.empty(c.d, c.target_words)))
        self.b_out = nn.Parameter(torch.zeros(c.target_words))

    def encode(self, source: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """(..., T) -> (..., T, d)"""
        return self.encoder(source, tap=tap.inside("encoder"))

    def decode(self, target_in: Tensor, encoded: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """All steps at once: target_in (..., T') and encoded (..., T, d) -> logits (..., T', V)"""
        mask = causal(target_in.shape[-1], target_in.device)
        state = self.decoder(target_in, mask, encoded, tap.inside("decoder"))  # (..., T', d)
        return tap("logits", affine(state, self.W_out, self.b_out))

    def forward(self, source: Tensor, target_in: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """For training: source (B, T) of one length, target_in (B, T') padded at the end -> logits (B, T', V).

        Padding needs no mask of its own: it comes last, so no real word may look at it, and the loss leaves it out.
        """
        return self.decode(target_in, self.encode(source, tap), tap)

    def run(
        self,
        source: Sequence[int],
        target: Sequence[int] | None = None,
        edits: Edits | None = None,
        limit: int = 60,
        forced: Mapping[int, int] | None = None,
    ) -> TransformerTrace:
        """For looking, and for changing. With `target` (ending in <eos>) teacher-forced; else greedy, with `forced[t]` at step t.

        An edited run computes the whole prefix again for every new word, so an edit of the decoder sees rows 0..step each
        time: to change what happens at place t, it changes row t. An edit of the encoder is asked once, as step 0.
        """
        check_run(source, target, forced, limit, self.config.target_words)
        limit = min(limit, self.config.max_length)
        tap = Tap(edits)
        encoded = self.encode(self._ids(source), tap)  # (T, d)
        if target is not None:
            output = list(target)
            logits = self._whole(output, encoded, tap)
        elif edits:
            output, logits = self._write_edited(encoded, limit, forced or {}, tap)
        else:
            output = self._write(encoded, limit, forced or {})
            logits = self._whole(output, encoded, tap)
        return self._trace(tuple(source), tuple(output), logits, tap.finish())

    def writer(self, source: Sequence[int]) -> "TransformerWriter":
        """About to translate one sentence, with as many hypotheses as a search asks for (lesson decoding)."""
        if not len(source):
            raise InputError("Type at least one word.")
        return TransformerWriter(self, self.encode(self._ids(source)[None]))

    def batch_writer(self, sources: Tensor) -> "TransformerWriter":
        """About to translate many sentences of one length (B, T) side by side, with one hypothesis each."""
        return TransformerWriter(self, self.encode(sources))

    def _ids(self, tokens: Sequence[int]) -> Tensor:
        return torch.tensor(tokens, device=self.W_out.device)

    def _whole(self, output: list[int], encoded: Tensor, tap: Tap) -> Tensor:
        """(T', V): every step at once, each seeing the words before it."""
        tap.step = len(output) - 1
        return self.decode(self._ids([Vocabulary.bos, *output[:-1]]), encoded, tap)

    @torch.inference_mode()
    def _write(self, encoded: Tensor, limit: int, forced: Mapping[int, int]) -> list[int]:
        """Greedy, one new position a step."""
        writer = TransformerWriter(self, encoded[None])
        state, word = writer.begin(), writer.bos
        output: list[int] = []
        while len(output) < limit and word != writer.eos:
            logits, state = writer.next(self._ids([word]), state)  # (1, V)
            t = len(output)
            word = forced[t] if t in forced else int(logits.argmax())
            output.append(word)
        return output

    def _write_edited(
        self, encoded: Tensor, limit: int, forced: Mapping[int, int], tap: Tap
    ) -> tuple[list[int], Tensor]:
        """Greedy under edits, which may break what a cache relies on. Keeps the row of logits that decided each word."""
        output: list[int] = []
        deciding: list[Tensor] = []
        while len(output) < limit and output[-1:] != [Vocabulary.eos]:
            deciding.append(
                self._whole([*output, Vocabulary.pad], encoded, tap)[-1]
            )  # (V,); the last word is not read
            t = len(output)
            output.append(forced[t] if t in forced else int(deciding[t].argmax()))
        return output, torch.stack(deciding)

    def _trace(
        self, source: tuple[int, ...], output: tuple[int, ...], logits: Tensor, values: Mapping[str, Tensor]
    ) -> TransformerTrace:
        def weights(place: str, kind: str) -> Tensor:
            return torch.stack(
                [values[f"{place}.layer{n}.{kind}.weights"] for n in range(1, self.config.layers + 1)]
            )

        return TransformerTrace(
            source=source,
            output=output,
            target_in=(Vocabulary.bos, *output[:-1]),
            encoder_self=weights("encoder", "self"),
            decoder_self=weights("decoder", "self"),
            cross=weights("decoder", "cross"),
            logits=logits,
            probabilities=logits.softmax(-1),
            values=values,
        )


class TransformerWriter:
    """The decoder with its source before it. State: the keys and values of what each of k hypotheses has written so far."""

    bos, eos = Vocabulary.bos, Vocabulary.eos

    def __init__(self, model: Transformer, encoded: Tensor):
        """encoded (1, T, d): one source, and as many hypotheses as search asks for; (B, T, d): one hypothesis a source."""
        self.decoder, self.out, self.rows = (
            unwrap_parameters(model.decoder),
            (model.W_out, model.b_out),
            len(encoded),
        )
        self.sources = model.decoder.read(encoded)  # cross-attention's K and V never change

    def begin(self) -> Caches:
        return self.decoder.no_caches(self.rows)

    def next(self, tokens: Tensor, state: Caches) -> tuple[Tensor, Caches]:
        """The words just written (k,) -> logits of the next (k, V), and the state with one more position."""
        x, state = self.decoder.extend(tokens, state, self.sources)  # (k, d)
        return affine(x, *self.out), state
