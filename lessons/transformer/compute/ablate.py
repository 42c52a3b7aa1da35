"""The same model with one part switched off, in this sentence and, measured, in many."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.kit.translators import TRANSLATION, Tokens, Words, english, french, source_of
from lessons.kit.truth import is_right, truth_of
from lessons.transformer.compute.sentence import KINDS, LONGEST, model, untouched
from models.batches import IGNORE, Batch, pair_batch
from models.trace import Edit, Edits, Tap
from models.transformer import TransformerTrace
from models.vocabulary import Vocabulary

PARTS = (
    "nothing",
    "one head",
    "all heads of a layer",
    "encoder positions",
    "decoder positions",
    "residual",
    "norm",
    "all norms",
    "causal mask",
)
PLACED = ("one head", "all heads of a layer", "residual", "norm")  # parts that have a place: kind and layer
SENTENCES = 120  # measured by the job


def zeros(value: Tensor, step: int) -> Tensor:
    return torch.zeros_like(value)


def ones(value: Tensor, step: int) -> Tensor:
    return torch.ones_like(value)


def without_head(head: int) -> Edit:
    def edit(value: Tensor, step: int) -> Tensor:
        value[..., head - 1, :, :] = 0  # (..., heads, T, d_head)
        return value

    return edit


def norms_off(*places: str) -> dict[str, Edit]:
    """With mean 0 and std 1 a norm changes no size."""
    return {f"{place}.{part}": edit for place in places for part, edit in (("mean", zeros), ("std", ones))}


def edits_of(part: str, kind: str, layer: int, head: int) -> dict[str, Edit]:
    """The quantities of a run that say: this part is off. Residual and norm are those around the attention picked."""
    place, layers = KINDS[kind].format(layer=layer), range(1, model().config.layers + 1)
    around, n = place.rpartition(".")[0], 2 if kind == "cross" else 1
    norms = [name.removesuffix(".std") for name in untouched(source_of(".")).values if name.endswith(".std")]
    edits: dict[str, dict[str, Edit]] = {
        "nothing": {},
        "one head": {f"{place}.heads": without_head(head)},
        "all heads of a layer": {f"{place}.heads": zeros},
        "encoder positions": {"encoder.positions": zeros},
        "decoder positions": {"decoder.positions": zeros},
        "residual": {f"{around}.residual{n}": zeros},
        "norm": norms_off(f"{around}.norm{n}"),
        "all norms": norms_off(*norms),
        "causal mask": {f"decoder.layer{number}.self.mask": ones for number in layers},
    }
    return edits[part]


@lru_cache(maxsize=64)
def write(source: Tokens, part: str, kind: str, layer: int, head: int) -> TransformerTrace:
    """The greedy translation under the edits: what model.run writes, sooner.

    A draft is read all at once, at first the untouched translation; where the model would have written another word, the draft
    is mended and read again. Under the causal mask a word depends only on those before it, so a draft that comes back unchanged
    is what greedy writes.
    """
    edits, draft = edits_of(part, kind, layer, head), untouched(source).output
    limit = min(LONGEST, len(draft) + 10)
    if not edits:
        return untouched(source)
    if part == "causal mask":
        return model().run(source, edits=edits, limit=limit)

    def mended(logits: Tensor) -> Tokens:
        words = ended(tuple(logits.argmax(-1).tolist()))
        return words if words[-1] == Vocabulary.eos else (*words, *(Vocabulary.pad,) * 4)[:limit]  # some more words, please

    first = reread(source, part, kind, layer, head)
    better = mended(first.logits)
    if better == draft:
        return first
    encoded = model().encode(torch.tensor(source), Tap(edits))
    while better != draft:
        draft = better
        better = mended(model().decode(torch.tensor([Vocabulary.bos, *draft[:-1]]), encoded, Tap(edits)))  # of (T', V)
    return model().run(source, target=draft, edits=edits)


@lru_cache(maxsize=64)
def reread(source: Tokens, part: str, kind: str, layer: int, head: int) -> TransformerTrace:
    """The untouched translation read all at once under the edits, as in training."""
    return model().run(source, target=untouched(source).output, edits=edits_of(part, kind, layer, head))


def ended(tokens: Tokens) -> Tokens:
    return tokens[: tokens.index(Vocabulary.eos) + 1] if Vocabulary.eos in tokens else tokens


@dataclass(frozen=True)
class Ablated(Result):
    """First the untouched run, then yours."""

    part: str
    kind: str
    layer: int
    head: int
    sample: int
    source: Words
    plain: Words
    yours: Words
    truth: Words | None  # the translation by the grammar, where it is known
    right: tuple[bool | None, bool | None]
    at_once: Words | None  # without the mask: what the model says when it may read the answer
    forced: np.ndarray  # (2, T') P of each word of the untouched translation, given the words before it
    probabilities: np.ndarray  # (2,) that each run gives its own translation
    kinds: tuple[str, ...]  # kind and layer of each row
    exact: np.ndarray  # (2,) exact match, untouched and yours; NaN: not measured yet
    exact_without: np.ndarray  # (kinds × layers, heads) without each head
    measured: int  # sentences

    def idle(self) -> dict[str, str]:
        """Where it is does not matter for a part that is everywhere; and only one head has a number."""
        found = {} if self.part in PLACED else dict.fromkeys(("kind", "layer"), "Not for this part.")
        return found | ({} if self.part == "one head" else {"head": "Only for one head."})


def ablate(text: str, part: str, kind: str, layer: str, head: str, sample: int) -> Ablated:
    source, which = source_of(text, "text"), (part, kind, int(layer), int(head))
    plain, yours = untouched(source), write(source, *which)
    given = reread(source, *which)
    outputs, truth = (french(plain.output), french(yours.output)), truth_of(TRANSLATION, english(source))
    layers, heads = model().config.layers, model().config.heads
    kinds = tuple(f"{kind} {layer}" for kind in KINDS for layer in range(1, layers + 1))
    return Ablated(
        *which,
        sample,
        source=english(source),
        plain=outputs[0],
        yours=outputs[1],
        truth=truth,
        right=(is_right(outputs[0], truth), is_right(outputs[1], truth)),
        at_once=french(given.predicted) if part == "causal mask" else None,
        forced=np.stack([run.probabilities[range(len(plain.output)), list(plain.output)].numpy() for run in (plain, given)]),
        probabilities=np.array([probability(run) for run in (plain, yours)]),
        kinds=kinds,
        exact=np.full(2, np.nan),
        exact_without=np.full((len(kinds), heads), np.nan),
        measured=0,
    )


def probability(trace: TransformerTrace) -> float:
    """P of the whole output: the product over its steps."""
    return float(trace.probabilities[range(len(trace.output)), list(trace.output)].prod())


# ---- measured on fresh sentences ----


@lru_cache(maxsize=4)
def fresh(sample: int) -> tuple[Batch, ...]:
    """Test sentences of 4 to 16 words, those of one length together; no card was measured on them."""
    by_length = defaultdict(list)
    for pair in TRANSLATION.pairs("test", SENTENCES, seed=100 + sample, lengths=range(4, 17)):
        by_length[len(pair.source)].append(pair)
    return tuple(pair_batch(pairs, TRANSLATION) for _, pairs in sorted(by_length.items()))


@torch.inference_mode()
def exact_match(sample: int, edits: Edits, causal: bool = True) -> float:
    """Share of sentences translated word for word.

    Greedy writes the reference exactly if after each part of it the likeliest word is the next of it: one pass tells. That
    needs the causal mask; without it, the pass is made for every beginning.
    """
    hits = []
    for (source, target_in), targets in fresh(sample):
        if causal:
            said = model()(source, target_in, Tap(edits)).argmax(-1)  # (B, T')
        else:
            steps = range(1, target_in.shape[1] + 1)
            said = torch.stack([model()(source, target_in[:, :t], Tap(edits))[:, -1].argmax(-1) for t in steps], 1)
        hits += ((said == targets) | (targets == IGNORE)).all(-1).tolist()
    return sum(hits) / len(hits)


def measure(text: str, part: str, kind: str, layer: str, head: str, sample: int) -> Iterator[tuple[float, Ablated]]:
    """Untouched, yours, then every head by itself: what is lost without it."""
    run = ablate(text, part, kind, layer, head, sample)
    run = replace(run, measured=sum(len(batch.targets) for batch in fresh(sample)))
    steps, done = 2 + run.exact_without.size, 0
    for n, edits in enumerate(({}, edits_of(part, kind, int(layer), int(head)))):
        exact = run.exact.copy()
        exact[n] = exact_match(sample, edits, causal=n == 0 or part != "causal mask")
        run, done = replace(run, exact=exact), done + 1
        yield done / steps, run
    places = [(name, number) for name in KINDS for number in range(1, model().config.layers + 1)]
    for row, (name, number) in enumerate(places):
        for column in range(run.exact_without.shape[1]):
            table = run.exact_without.copy()
            table[row, column] = exact_match(sample, edits_of("one head", name, number, column + 1))
            run, done = replace(run, exact_without=table), done + 1
            yield done / steps, run
