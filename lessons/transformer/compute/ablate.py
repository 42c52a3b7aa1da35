"""The same model with one part switched off, in this sentence and, measured, in many."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import TRANSLATION, Tokens, Words, english, french, read_source
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import matches_reference, reference_for
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
WAYS = ("zero", "mean")  # what stands in for a part
REPLACED = (
    "one head",
    "all heads of a layer",
    "encoder positions",
    "decoder positions",
    "residual",
)  # parts with an output
SENTENCES = 120  # measured by the job
HELD_OUT = 200  # sentences that a mean is over


def zeros(value: Tensor, step: int) -> Tensor:
    return torch.zeros_like(value)


def ones(value: Tensor, step: int) -> Tensor:
    return torch.ones_like(value)


def replaced(name: str, by: str, head: int | None = None) -> Edit:
    """By zeros, or by what this quantity is on average: all of it, or one head of it."""

    def edit(value: Tensor, step: int) -> Tensor:  # (..., T, d) or (..., heads, T, d_head)
        instead = (means()[name] if by == "mean" else torch.zeros(())).expand_as(value).clone()
        if head is None:
            return instead
        value[..., head - 1, :, :] = instead[..., head - 1, :, :]
        return value

    return edit


@cache
@torch.no_grad()
def means() -> dict[str, Tensor]:
    """Of each quantity that can be replaced: its mean over all places of held-out sentences; of each head by itself."""
    alike = defaultdict(list)  # of one length on both sides, so nothing is padded
    for pair in TRANSLATION.pairs("validation", HELD_OUT, lengths=range(4, 17)):
        alike[len(pair.source), len(pair.target)].append(pair)
    totals: dict[str, Tensor] = {}
    places: Counter[str] = Counter()
    for pairs in alike.values():
        tap = Tap()
        model()(*pair_batch(pairs, TRANSLATION).inputs, tap)
        for name in tap.seen:
            if name.endswith((".heads", ".positions", ".residual1", ".residual2")):
                value = tap.last(name)
                value = (
                    value.expand(len(pairs), *value.shape[-2:]) if value.dim() == 2 else value
                )  # positions are the same for all
                totals[name] = totals.get(name, torch.zeros(())) + value.sum(-2, keepdim=True).sum(0)
                places[name] += len(pairs) * value.shape[-2]
    return {name: total / places[name] for name, total in totals.items()}  # (1, d) or (heads, 1, d_head)


def norms_off(*places: str) -> dict[str, Edit]:
    """With mean 0 and std 1 a norm changes no size."""
    return {f"{place}.{part}": edit for place in places for part, edit in (("mean", zeros), ("std", ones))}


def edits_of(part: str, kind: str, layer: int, head: int, by: str = "zero") -> dict[str, Edit]:
    """The quantities of a run that say: this part is off. Residual and norm are those around the attention picked."""
    place, layers = KINDS[kind].format(layer=layer), range(1, model().config.layers + 1)
    around, n = place.rpartition(".")[0], 2 if kind == "cross" else 1
    norms = [
        name.removesuffix(".std") for name in untouched(read_source(".")).values if name.endswith(".std")
    ]
    output = {
        "one head": f"{place}.heads",
        "all heads of a layer": f"{place}.heads",
        "encoder positions": "encoder.positions",
        "decoder positions": "decoder.positions",
        "residual": f"{around}.residual{n}",
    }
    if part in output:
        return {output[part]: replaced(output[part], by, head if part == "one head" else None)}
    edits: dict[str, dict[str, Edit]] = {
        "nothing": {},
        "norm": norms_off(f"{around}.norm{n}"),
        "all norms": norms_off(*norms),
        "causal mask": {f"decoder.layer{number}.self.mask": ones for number in layers},
    }
    return edits[part]


@memoize
@torch.inference_mode()
def write(source: Tokens, part: str, kind: str, layer: int, head: int, by: str = "zero") -> TransformerTrace:
    """The greedy translation under the edits: what model.run writes, sooner.

    A draft is read all at once, at first the untouched translation; where the model would have written another word, the draft
    is mended and read again. Under the causal mask a word depends only on those before it, so a draft that comes back unchanged
    is what greedy writes.
    """
    edits, draft = edits_of(part, kind, layer, head, by), untouched(source).output
    limit = min(LONGEST, len(draft) + 10)
    if not edits:
        return untouched(source)
    if part == "causal mask":
        return model().run(source, edits=edits, limit=limit)

    def mended(logits: Tensor) -> Tokens:
        words = ended(tuple(logits.argmax(-1).tolist()))
        return (
            words if words[-1] == Vocabulary.eos else (*words, *(Vocabulary.pad,) * 4)[:limit]
        )  # some more words, please

    first = reread(source, part, kind, layer, head, by)
    better = mended(first.logits)
    if better == draft:
        return first
    encoded = model().encode(torch.tensor(source), Tap(edits))
    while better != draft:
        draft = better
        better = mended(
            model().decode(torch.tensor([Vocabulary.bos, *draft[:-1]]), encoded, Tap(edits))
        )  # of (T', V)
    return model().run(source, target=draft, edits=edits)


@memoize
@torch.inference_mode()
def reread(source: Tokens, part: str, kind: str, layer: int, head: int, by: str) -> TransformerTrace:
    """The untouched translation read all at once under the edits, as in training."""
    return model().run(source, target=untouched(source).output, edits=edits_of(part, kind, layer, head, by))


def ended(tokens: Tokens) -> Tokens:
    return tokens[: tokens.index(Vocabulary.eos) + 1] if Vocabulary.eos in tokens else tokens


@dataclass(frozen=True)
class Ablated(Result):
    """First the untouched run, then yours."""

    part: str
    kind: str
    layer: int
    head: int
    by: str
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
        found |= {} if self.part == "one head" else {"head": "Only for one head."}
        return found | ({} if self.part in REPLACED else {"by": "Only for a part with an output."})


def ablate(text: str, part: str, kind: str, layer: str, head: str, sample: int, by: str = "zero") -> Ablated:
    source, which = read_source(text, "text"), (part, kind, int(layer), int(head), by)
    plain, yours = untouched(source), write(source, *which)
    given = reread(source, *which)
    outputs, truth = (french(plain.output), french(yours.output)), reference_for(TRANSLATION, english(source))
    layers, heads = model().config.layers, model().config.heads
    kinds = tuple(f"{kind} {layer}" for kind in KINDS for layer in range(1, layers + 1))
    return Ablated(
        *which,
        sample,
        source=english(source),
        plain=outputs[0],
        yours=outputs[1],
        truth=truth,
        right=(matches_reference(outputs[0], truth), matches_reference(outputs[1], truth)),
        at_once=french(given.predicted) if part == "causal mask" else None,
        forced=np.stack(
            [
                run.probabilities[range(len(plain.output)), list(plain.output)].numpy()
                for run in (plain, given)
            ]
        ),
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


@memoize
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
            said = torch.stack(
                [model()(source, target_in[:, :t], Tap(edits))[:, -1].argmax(-1) for t in steps], 1
            )
        hits += ((said == targets) | (targets == IGNORE)).all(-1).tolist()
    return sum(hits) / len(hits)


def measure(
    text: str, part: str, kind: str, layer: str, head: str, sample: int, by: str
) -> Iterator[tuple[float, Ablated]]:
    """Untouched, yours, then every head by itself: what is lost without it."""
    run = ablate(text, part, kind, layer, head, sample, by)
    run = replace(run, measured=sum(len(batch.targets) for batch in fresh(sample)))
    steps, done = 2 + run.exact_without.size, 0
    for n, edits in enumerate(({}, edits_of(part, kind, int(layer), int(head), by))):
        exact = run.exact.copy()
        exact[n] = exact_match(sample, edits, causal=n == 0 or part != "causal mask")
        run, done = replace(run, exact=exact), done + 1
        yield done / steps, run
    places = [(name, number) for name in KINDS for number in range(1, model().config.layers + 1)]
    for row, (name, number) in enumerate(places):
        for column in range(run.exact_without.shape[1]):
            table = run.exact_without.copy()
            table[row, column] = exact_match(sample, edits_of("one head", name, number, column + 1, by))
            run, done = replace(run, exact_without=table), done + 1
            yield done / steps, run
