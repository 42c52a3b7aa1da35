"""Translate one sentence with one part of the Transformer switched off."""

from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import Tokens, Words
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import matches_reference
from lessons.transformer.ablate.edits import PARTS_OF_A_LAYER, PARTS_WITH_OUTPUT, ablation_edits
from lessons.transformer.translator import (
    ATTENTION_PATHS,
    MAX_OUTPUT_TOKENS,
    load_transformer,
    original_trace,
    read_text,
    reference_translation,
    target_words,
)
from models.trace import Tap
from models.transformer import TransformerTrace
from models.vocabulary import Vocabulary


@memoize
@torch.inference_mode()
def translate_ablated(
    source: Tokens, part: str, kind: str, layer: int, head: int, by: str = "zero"
) -> TransformerTrace:
    """Translate greedily under the edits. Same result as model.run, but faster.

    Start from the original translation as a draft, read the draft in one pass, replace each word by the
    likeliest prediction, and repeat until nothing changes. With the causal mask, a prediction depends only on
    earlier words, so the fixed point is the greedy translation.
    """
    edits, draft = ablation_edits(part, kind, layer, head, by), original_trace(source).output
    limit = min(MAX_OUTPUT_TOKENS, len(draft) + 10)
    if not edits:
        return original_trace(source)
    if part == "causal mask":
        return load_transformer().run(source, edits=edits, limit=limit)

    def next_draft(logits: Tensor) -> Tokens:
        """The most probable words up to <eos>; if there is none, add four positions to predict."""
        tokens = cut_after_eos(tuple(logits.argmax(-1).tolist()))
        return tokens if tokens[-1] == Vocabulary.eos else (*tokens, *(Vocabulary.pad,) * 4)[:limit]

    first_pass = read_original(source, part, kind, layer, head, by)
    corrected = next_draft(first_pass.logits)
    if corrected == draft:
        return first_pass
    encoded = load_transformer().encode(torch.tensor(source), Tap(edits))
    while corrected != draft:
        draft = corrected
        decoder_input = torch.tensor([Vocabulary.bos, *draft[:-1]])
        # the most probable words of logits (T', V)
        corrected = next_draft(load_transformer().decode(decoder_input, encoded, Tap(edits)))
    return load_transformer().run(source, target=draft, edits=edits)


@memoize
@torch.inference_mode()
def read_original(source: Tokens, part: str, kind: str, layer: int, head: int, by: str) -> TransformerTrace:
    """Read the original translation in one pass under the edits (teacher forcing)."""
    edits = ablation_edits(part, kind, layer, head, by)
    return load_transformer().run(source, target=original_trace(source).output, edits=edits)


def cut_after_eos(tokens: Tokens) -> Tokens:
    return tokens[: tokens.index(Vocabulary.eos) + 1] if Vocabulary.eos in tokens else tokens


@dataclass(frozen=True)
class AblationRun(Result):
    """One run with a part switched off. In pairs of values, the original run comes first."""

    part: str
    kind: str
    layer: int
    head: int
    by: str
    sample: int
    source: Words
    plain: Words  # original translation
    yours: Words  # translation with the part switched off
    truth: Words | None  # reference translation, if known
    right: tuple[bool | None, bool | None]
    at_once: Words | None  # without the mask: predictions when the whole original translation is given
    forced: np.ndarray  # (2, T') P of each word of the original translation, given the words before it
    probabilities: np.ndarray  # (2,) probability that each run assigns to its own translation
    kinds: tuple[str, ...]  # attention and layer of each row of exact_without
    exact: np.ndarray  # (2,) exact match; NaN if not measured yet
    exact_without: np.ndarray  # (kinds × layers, heads) exact match without each head
    measured: int  # number of sentences measured
    exact_parts: dict[str, float] = field(default_factory=dict)  # exact match without each measured part

    def idle(self) -> dict[str, str]:
        idle = {}
        if self.part not in PARTS_OF_A_LAYER:
            idle = dict.fromkeys(("kind", "layer"), "This part does not belong to a single layer.")
        if self.part != "one head":
            idle["head"] = "Only “one head” uses this menu."
        if self.part not in PARTS_WITH_OUTPUT:
            idle["by"] = "This part has no output to replace."
        return idle


def ablate(
    text: str, part: str, kind: str, layer: str, head: str, sample: int, by: str = "zero"
) -> AblationRun:
    (source, words), choice = read_text(text), (part, kind, int(layer), int(head), by)
    original, ablated = original_trace(source), translate_ablated(source, *choice)
    reread = read_original(source, *choice)
    outputs = target_words(original.output), target_words(ablated.output)
    reference = reference_translation(original)
    layers, heads = load_transformer().config.layers, load_transformer().config.heads
    kinds = tuple(f"{kind} {layer}" for kind in ATTENTION_PATHS for layer in range(1, layers + 1))
    return AblationRun(
        *choice,
        sample,
        source=words,
        plain=outputs[0],
        yours=outputs[1],
        truth=reference,
        right=(matches_reference(outputs[0], reference), matches_reference(outputs[1], reference)),
        at_once=target_words(reread.predicted) if part == "causal mask" else None,
        forced=np.stack([probabilities_of(original.output, trace).numpy() for trace in (original, reread)]),
        probabilities=np.array(
            [float(probabilities_of(trace.output, trace).prod()) for trace in (original, ablated)]
        ),
        kinds=kinds,
        exact=np.full(2, np.nan),
        exact_without=np.full((len(kinds), heads), np.nan),
        measured=0,
    )


def probabilities_of(output: Tokens, trace: TransformerTrace) -> Tensor:
    """P of each token of an output (T',), in a run that was fed this output."""
    return trace.probabilities[range(len(output)), list(output)]
