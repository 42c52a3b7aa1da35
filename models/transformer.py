"""The Transformer (Vaswani et al. 2017): encoder and decoder of attention layers (lesson `transformer`)."""

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
    layers: int = 2  # number of layers in the encoder, and also in the decoder
    d_fc: int = 128
    norm: str = "pre"  # "pre", "post" (as in the paper) or "none"
    max_length: int = 128  # maximum number of positions


@dataclass(frozen=True)
class TransformerTrace:
    """Trace of one translation: T source words, T' target words, V words in the target vocabulary."""

    source: tuple[int, ...]  # (T,) ids of the source words
    output: tuple[int, ...]  # (T',) ends with <eos> unless the limit was reached
    target_in: tuple[int, ...]  # (T',) decoder input: <bos> and the output without its last word
    encoder_self: Tensor  # (layers, heads, T, T)    weights, after the softmax
    decoder_self: Tensor  # (layers, heads, T', T')
    cross: Tensor  # (layers, heads, T', T)
    logits: Tensor  # (T', V)    row t predicts output t
    probabilities: Tensor  # (T', V)
    values: Mapping[str, Tensor]  # every quantity of the last pass by path: "encoder.layer1.self.scores", …

    @property
    def predicted(self) -> tuple[int, ...]:
        """The most likely word at each step. Equals the output unless words were forced or given."""
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
        """Run the encoder: ids (..., T) -> (..., T, d)"""
        return self.encoder(source, tap=tap.inside("encoder"))

    def decode(self, target_in: Tensor, encoded: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """Decode all steps at once: target_in (..., T') and encoded (..., T, d) -> logits (..., T', V)"""
        mask = causal(target_in.shape[-1], target_in.device)
        state = self.decoder(target_in, mask, encoded, tap.inside("decoder"))  # (..., T', d)
        return tap("logits", affine(state, self.W_out, self.b_out))

    def forward(self, source: Tensor, target_in: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """For training: source (B, T) of one length, target_in (B, T') padded at the end -> logits (B, T', V)

        Padding needs no mask: it comes last, so the causal mask hides it, and the loss ignores it.
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
        """Translate one sentence and trace every quantity.

        Teacher-forced with a `target` (ending in <eos>), else greedy. `forced` replaces words: step → word.
        With edits the whole prefix is recomputed for every new word, so a decoder edit gets rows 0..step each
        time; to change position t, it must change row t. An encoder edit is called once.
        """
        check_run(source, target, forced, limit, self.config.target_words)
        limit = min(limit, self.config.max_length)
        tap = Tap(edits)
        encoded = self.encode(self._ids(source), tap)  # (T, d)
        if target is not None:
            output = list(target)
            logits = self._decode_all(output, encoded, tap)
        elif edits:
            output, logits = self._write_edited(encoded, limit, forced or {}, tap)
        else:
            output = self._write(encoded, limit, forced or {})
            logits = self._decode_all(output, encoded, tap)
        return self._trace(tuple(source), tuple(output), logits, tap.finish())

    def writer(self, source: Sequence[int]) -> "TransformerWriter":
        """A writer for one sentence, with any number of hypotheses (lesson `decoding`)."""
        if not len(source):
            raise InputError("Type at least one word.")
        return TransformerWriter(self, self.encode(self._ids(source)[None]))

    def batch_writer(self, sources: Tensor) -> "TransformerWriter":
        """A writer for many sentences of one length (B, T), with one hypothesis each."""
        return TransformerWriter(self, self.encode(sources))

    def _ids(self, tokens: Sequence[int]) -> Tensor:
        return torch.tensor(tokens, device=self.W_out.device)

    def _decode_all(self, output: list[int], encoded: Tensor, tap: Tap) -> Tensor:
        """Logits (T', V) of all steps in one pass; each step sees the words before it."""
        tap.step = len(output) - 1
        return self.decode(self._ids([Vocabulary.bos, *output[:-1]]), encoded, tap)

    @torch.inference_mode()
    def _write(self, encoded: Tensor, limit: int, forced: Mapping[int, int]) -> list[int]:
        """Write greedily with a cache, computing one new position per step."""
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
        """Write greedily; also return logits. No cache, because edits may change earlier positions."""
        output: list[int] = []
        rows: list[Tensor] = []
        while len(output) < limit and output[-1:] != [Vocabulary.eos]:
            rows.append(
                self._decode_all([*output, Vocabulary.pad], encoded, tap)[-1]
            )  # (V,); <pad> stands for the new word and is never read
            t = len(output)
            output.append(forced[t] if t in forced else int(rows[t].argmax()))
        return output, torch.stack(rows)

    def _trace(
        self, source: tuple[int, ...], output: tuple[int, ...], logits: Tensor, values: Mapping[str, Tensor]
    ) -> TransformerTrace:
        def weights(part: str, kind: str) -> Tensor:
            layers = range(1, self.config.layers + 1)
            return torch.stack([values[f"{part}.layer{n}.{kind}.weights"] for n in layers])

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
    """Write one token per call for k hypotheses. State: keys and values of the words written so far."""

    bos, eos = Vocabulary.bos, Vocabulary.eos

    def __init__(self, model: Transformer, encoded: Tensor):
        """encoded (1, T, d): one source, any number of hypotheses; (B, T, d): one hypothesis per source."""
        self.decoder, self.out = unwrap_parameters(model.decoder), (model.W_out, model.b_out)
        self.rows = len(encoded)
        self.sources = model.decoder.source_caches(encoded)

    def begin(self) -> Caches:
        return self.decoder.empty_caches(self.rows)

    def next(self, tokens: Tensor, state: Caches) -> tuple[Tensor, Caches]:
        """Read the words just written (k,) -> logits of the next words (k, V), and the new state."""
        x, state = self.decoder.extend(tokens, state, self.sources)  # (k, d)
        return affine(x, *self.out), state
