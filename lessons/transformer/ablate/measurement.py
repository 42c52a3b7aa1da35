"""Exact match on unseen sentences with one part off, and with each head off."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import torch

from lessons.kit.memo import memoize
from lessons.transformer.ablate.compute import AblationRun, ablate
from lessons.transformer.ablate.edits import ablation_edits
from lessons.transformer.translator import ATTENTION_PATHS, TRANSLATOR, load_transformer
from models.batches import IGNORE, Batch, pair_batch
from models.trace import Edits, Tap

MEASURED_SENTENCES = 120


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
    """Measure exact match of the original model, without this part, and without each head, yielding each."""
    run = ablate(text, part, kind, layer, head, sample, by)
    run = replace(run, measured=sum(len(batch.targets) for batch in unseen_batches(sample)))
    total, done = 2 + run.exact_without.size, 0
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
