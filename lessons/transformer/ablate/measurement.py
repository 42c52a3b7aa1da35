"""Exact match on unseen sentences with one part off, and with each head off."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import torch

from lessons.kit.memo import memoize
from lessons.transformer.ablate.compute import AblationRun, ablate
from lessons.transformer.ablate.edits import PARTS, PARTS_OF_A_LAYER, ablation_edits
from lessons.transformer.translator import ATTENTION_PATHS, TRANSLATOR, load_transformer
from models.batches import IGNORE, Batch, pair_batch
from models.trace import Edits, Tap

MEASURED_SENTENCES = 120
OF_A_LAYER = {
    "all heads of a layer": "all heads:",
    "residual": "residual around",
    "norm": "norm before",
}


@memoize
def unseen_batches(sample: int) -> tuple[Batch, ...]:
    """Test sentences of 4 to 16 words, one batch per length. They were not used for any card."""
    by_length = defaultdict(list)
    for pair in TRANSLATOR.task.pairs("test", MEASURED_SENTENCES, seed=100 + sample, lengths=range(4, 17)):
        by_length[len(pair.source)].append(pair)
    return tuple(pair_batch(pairs, TRANSLATOR.task) for _, pairs in sorted(by_length.items()))


@torch.inference_mode()
def exact_match(sample: int, edits: Edits, causal: bool = True) -> float:
    """Fraction of sentences translated word for word.

    Greedy decoding writes the reference exactly if the likeliest word after each prefix is the next word.
    With the causal mask, one pass checks all prefixes; without it, every prefix needs its own pass.
    """
    transformer, matches = load_transformer(), []
    for (source, target_in), targets in unseen_batches(sample):
        if causal:
            predicted = transformer(source, target_in, Tap(edits)).argmax(-1)  # (B, T')
        else:
            prefixes = (target_in[:, :t] for t in range(1, target_in.shape[1] + 1))
            columns = [transformer(source, prefix, Tap(edits))[:, -1].argmax(-1) for prefix in prefixes]
            predicted = torch.stack(columns, 1)
        matches += ((predicted == targets) | (targets == IGNORE)).all(-1).tolist()
    return sum(matches) / len(matches)


def measure(
    text: str, part: str, kind: str, layer: str, head: str, sample: int, by: str
) -> Iterator[tuple[float, AblationRun]]:
    """Measure exact match originally, without this part, each head and each other part, yielding each."""
    run = ablate(text, part, kind, layer, head, sample, by)
    run = replace(run, measured=sum(len(batch.targets) for batch in unseen_batches(sample)))
    parts = other_parts()
    total, done = 2 + run.exact_without.size + len(parts), 0
    for n, edits in enumerate(({}, ablation_edits(part, kind, int(layer), int(head), by))):
        exact = run.exact.copy()
        exact[n] = exact_match(sample, edits, causal=n == 0 or part != "causal mask")
        run, done = replace(run, exact=exact), done + 1
        yield done / total, run
    layers = range(1, load_transformer().config.layers + 1)
    for row, (name, number) in enumerate((name, number) for name in ATTENTION_PATHS for number in layers):
        for column in range(run.exact_without.shape[1]):
            table = run.exact_without.copy()
            edits = ablation_edits("one head", name, number, column + 1, by)
            table[row, column] = exact_match(sample, edits)
            run, done = replace(run, exact_without=table), done + 1
            yield done / total, run
    for name, choice in parts.items():
        edits = ablation_edits(*choice, 1, by)
        exact_part = exact_match(sample, edits, causal=choice[0] != "causal mask")
        run, done = replace(run, exact_parts=run.exact_parts | {name: exact_part}), done + 1
        yield done / total, run


def other_parts() -> dict[str, tuple[str, str, int]]:
    """Name of each part that is not a single head → part, attention and layer for `ablation_edits`."""
    layers = range(1, load_transformer().config.layers + 1)
    found = {}
    for part in PARTS:
        if part in ("nothing", "one head"):
            continue
        if part in PARTS_OF_A_LAYER:
            for kind, layer in product(ATTENTION_PATHS, layers):
                found[f"{OF_A_LAYER[part]} {kind}, layer {layer}"] = (part, kind, layer)
        else:
            found[part] = (part, next(iter(ATTENTION_PATHS)), 1)
    return found
