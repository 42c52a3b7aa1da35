"""Translation quality: exact match, accuracy, edit distance, BLEU, alignment error rate."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from models.batches import batched, pair_batch
from models.decoding import Writer
from models.dynamic_types import Json
from models.tasks.task import Pair, Task
from models.trace import Tap
from models.vocabulary import Vocabulary
from models.zoo import Translator

Links = frozenset[tuple[int, int]]  # (t, i): target word t is aligned with source word i

# source lengths: letters per word to pronounce, or words per sentence
WORD_BUCKETS = (range(2, 4), range(4, 8), range(8, 12), range(12, 19))
STORY_BUCKETS = (range(14, 27), range(27, 37), range(37, 47), range(47, 57), range(57, 73))
BUCKETS = tuple(
    range(*ends) for ends in ((3, 9), (9, 13), (13, 17), (17, 21), (21, 26), (26, 31), (31, 36), (36, 41))
)


def translate(model: Translator, sources: Sequence[Sequence[int]], limit: int = 70) -> list[list[int]]:
    """Translate many sentences greedily, in batches of one length. The outputs have no <eos>."""
    by_length = defaultdict(list)
    outputs: list[list[int]] = [[] for _ in sources]
    for number, source in enumerate(sources):
        by_length[len(source)].append(number)
    for numbers in by_length.values():
        for batch in batched(numbers, 256):
            rows = greedy_batch(model, torch.tensor([sources[n] for n in batch]), limit)
            for number, row in zip(batch, rows.tolist(), strict=True):
                outputs[number] = row[: row.index(Vocabulary.eos)] if Vocabulary.eos in row else row
    return outputs


@torch.inference_mode()
def greedy_batch(model: Translator, sources: Tensor, limit: int) -> Tensor:
    """Greedy decoding: sources (B, T) → tokens (B, ≤ limit)"""
    writer: Writer = model.batch_writer(sources)
    state, tokens = writer.begin(), torch.full((len(sources),), writer.bos)
    columns: list[Tensor] = []
    done = torch.zeros(len(sources), dtype=torch.bool)
    while len(columns) < limit and not done.all():
        logits, state = writer.next(tokens, state)
        tokens = logits.argmax(-1)
        columns.append(tokens)
        done |= tokens == writer.eos
    return torch.stack(columns, 1)


def exact_match(outputs: Sequence[Sequence[object]], references: Sequence[Sequence[object]]) -> float:
    return sum(list(a) == list(b) for a, b in zip(outputs, references, strict=True)) / len(references)


def token_accuracy(outputs: Sequence[Sequence[object]], references: Sequence[Sequence[object]]) -> float:
    """Fraction of positions where output and reference agree; a missing or extra token counts as wrong."""
    right = sum(
        a == b for out, ref in zip(outputs, references, strict=True) for a, b in zip(out, ref, strict=False)
    )
    return right / sum(max(len(out), len(ref)) for out, ref in zip(outputs, references, strict=True))


def error_rate(outputs: Sequence[Sequence[object]], references: Sequence[Sequence[object]]) -> float:
    """Edit distance per reference token; the phoneme error rate if the tokens are phonemes."""
    wrong = sum(edit_distance(out, ref) for out, ref in zip(outputs, references, strict=True))
    return wrong / sum(map(len, references))


def edit_distance(one: Sequence[object], other: Sequence[object]) -> int:
    """Levenshtein distance: the fewest insertions, deletions and substitutions to turn one into the other."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def bleu(outputs: Iterable[str], references: Iterable[str]) -> float:
    """Corpus BLEU of tokenised sentences, from 0 to 100."""
    from sacrebleu.metrics import BLEU  # slow to import, and only needed for cards

    return BLEU(tokenize="none", force=True).corpus_score(list(outputs), [list(references)]).score


def aer(links: Iterable[Links], gold: Iterable[Links]) -> float:
    """Alignment error rate: 1 − 2 |A ∩ G| / (|A| + |G|). 0 is perfect; all gold links count as sure."""
    both = total = 0
    for a, g in zip(links, gold, strict=True):
        both += len(a & g)
        total += len(a) + len(g)
    return 1 - 2 * both / total if total else 0.0


def strongest_links(weights: Tensor, words: int) -> Links:
    """Align each of the first `words` target words to the source word of largest weight. weights (T', T)"""
    return frozenset(enumerate(weights[:words].argmax(-1).tolist()))


def oracle_links(pair: Pair) -> Links:
    """The best alignment with one link per target word: the lowest AER that attention can reach."""
    first: dict[int, int] = {}
    for t, i in sorted(pair.alignment):
        first.setdefault(t, i)
    return frozenset((t, first.get(t, 0)) for t in range(len(pair.target)))


@torch.inference_mode()
def attention_maps(
    model: Translator, pairs: Sequence[Pair], task: Task, quantity: str = "weights"
) -> list[Tensor]:
    """Attention weights (heads, T', T) of each pair, with teacher forcing."""
    by_length, maps = defaultdict(list), [torch.empty(0)] * len(pairs)
    for number, pair in enumerate(pairs):
        by_length[len(pair.source)].append(number)
    for numbers in by_length.values():
        tap = Tap()
        model(*pair_batch([pairs[n] for n in numbers], task).inputs, tap)
        value = tap.quantities[quantity]  # (B, [heads,] T', T), or by step (B, 1, T)
        weights = value if isinstance(value, Tensor) else torch.cat(list(value.values()), -2)
        heads = weights.reshape(len(numbers), -1, *weights.shape[-2:])  # (B, heads, T', T)
        for number, map_ in zip(numbers, heads, strict=True):
            maps[number] = map_
    return maps


def aer_of_maps(maps: Sequence[Tensor], pairs: Sequence[Pair]) -> float:
    """AER of attention maps averaged over heads."""
    links = [strongest_links(m.mean(0), len(pair.target)) for m, pair in zip(maps, pairs, strict=True)]
    return aer(links, [pair.alignment for pair in pairs])


def evaluate(model: Translator, pairs: Sequence[Pair], task: Task, attention: str | None = None) -> Json:
    """Quality of greedy translations. `right` marks the translations that match exactly.

    AER is included if `attention` names a quantity and the pairs have gold links.
    """
    outputs = translate(model, [task.source.ids(pair.source) for pair in pairs])
    words = [task.target.tokens(output) for output in outputs]
    references = [task.reference(pair, tuple(output)) for pair, output in zip(pairs, words, strict=True)]
    figures = {
        "count": len(pairs),
        "exact_match": exact_match(words, references),
        "token_accuracy": token_accuracy(words, references),
        "bleu": bleu(map(" ".join, words), map(" ".join, references)),
    }
    if task.accepted:
        figures["error_rate"] = error_rate(words, references)
    if attention and any(pair.alignment for pair in pairs):
        figures["aer"] = aer_of_maps(attention_maps(model, pairs, task, attention), pairs)
    rounded = {name: round(figure, 4) for name, figure in figures.items()}
    return rounded | {
        "right": pack_flags([list(a) == list(b) for a, b in zip(words, references, strict=True)])
    }


def pack_flags(flags: Sequence[bool]) -> str:
    """Encode booleans as “count:hexadecimal”, with the first one in the highest bit."""
    bits = "".join("01"[flag] for flag in flags)
    return f"{len(bits)}:{int(bits or '0', 2):x}"


def unpack_flags(text: str) -> list[bool]:
    count, bits = text.split(":")
    return [bit == "1" for bit in f"{int(bits, 16):0{count}b}"[: int(count)]]
