"""How good is it? Every figure in a model's card comes from here."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from models.batches import pair_batch, batched
from models.decoding import Writer
from models.dynamic_types import Json
from models.tasks.task import Pair, Task
from models.trace import Tap
from models.vocabulary import Vocabulary
from models.zoo import Translator

Links = frozenset[tuple[int, int]]  # (t, i): target word t goes with source word i

WORD_BUCKETS = (range(2, 4), range(4, 8), range(8, 12), range(12, 19))  # letters
BUCKETS = (
    range(3, 9),
    range(9, 13),
    range(13, 17),
    range(17, 21),
    range(21, 26),
    range(26, 31),
    range(31, 36),
    range(36, 41),
)


def translate(model: Translator, sources: Sequence[Sequence[int]], limit: int = 70) -> list[list[int]]:
    """Greedy outputs, without <eos>, of many sentences; those of one length are written side by side."""
    by_length = defaultdict(list)
    outputs: list[list[int]] = [[] for _ in sources]
    for number, source in enumerate(sources):
        by_length[len(source)].append(number)
    for numbers in by_length.values():
        for some in batched(numbers, 256):
            written = greedy_batch(model, torch.tensor([sources[n] for n in some]), limit)
            for number, row in zip(some, written.tolist(), strict=True):
                outputs[number] = row[: row.index(Vocabulary.eos)] if Vocabulary.eos in row else row
    return outputs


@torch.inference_mode()
def greedy_batch(model: Translator, sources: Tensor, limit: int) -> Tensor:
    """sources (B, T) → the likeliest next token again and again (B, ≤ limit)"""
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
    """Share of places where output and reference have the same token; a missing or surplus token counts as wrong."""
    right = sum(
        a == b for out, ref in zip(outputs, references, strict=True) for a, b in zip(out, ref, strict=False)
    )
    return right / sum(max(len(out), len(ref)) for out, ref in zip(outputs, references, strict=True))


def error_rate(outputs: Sequence[Sequence[object]], references: Sequence[Sequence[object]]) -> float:
    """Tokens to insert, delete or replace, per token of the references: the phoneme error rate where tokens are sounds."""
    wrong = sum(edit_distance(out, ref) for out, ref in zip(outputs, references, strict=True))
    return wrong / sum(map(len, references))


def edit_distance(one: Sequence[object], other: Sequence[object]) -> int:
    """The fewest insertions, deletions and replacements that turn one sequence into the other (Levenshtein)."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def bleu(outputs: Iterable[str], references: Iterable[str]) -> float:
    """Corpus BLEU, 0–100, of sentences that are tokenised already."""
    from sacrebleu.metrics import BLEU  # only cards need it, and it is slow to load

    return BLEU(tokenize="none", force=True).corpus_score(list(outputs), [list(references)]).score


def aer(links: Iterable[Links], gold: Iterable[Links]) -> float:
    """Alignment error rate: 1 − 2 |A ∩ G| / (|A| + |G|). 0 is perfect; every gold link is sure."""
    both = total = 0
    for a, g in zip(links, gold, strict=True):
        both += len(a & g)
        total += len(a) + len(g)
    return 1 - 2 * both / total if total else 0.0


def strongest_links(weights: Tensor, words: int) -> Links:
    """Each of the first `words` target words goes with the source word it looks at most. weights (T', T)"""
    return frozenset(enumerate(weights[:words].argmax(-1).tolist()))


def diagonal(pair: Pair) -> Links:
    """The aligner that only knows the lengths: a scale to read an AER against."""
    T, T_out = len(pair.source), len(pair.target)
    return frozenset((t, min(T - 1, (2 * t + 1) * T // (2 * T_out))) for t in range(T_out))


def one_link_each(pair: Pair) -> Links:
    """The best that one link a word can do; the other end of the scale."""
    first: dict[int, int] = {}
    for t, i in sorted(pair.alignment):
        first.setdefault(t, i)
    return frozenset((t, first.get(t, 0)) for t in range(len(pair.target)))


@torch.inference_mode()
def attention_maps(
    model: Translator, pairs: Sequence[Pair], task: Task, quantity: str = "weights"
) -> list[Tensor]:
    """The attention (heads, T', T) over each pair while the model is fed the reference."""
    by_length, maps = defaultdict(list), [torch.empty(0)] * len(pairs)
    for number, pair in enumerate(pairs):
        by_length[len(pair.source)].append(number)
    for numbers in by_length.values():
        tap = Tap()
        model(*pair_batch([pairs[n] for n in numbers], task).inputs, tap)
        seen = tap.quantities[
            quantity
        ]  # all target steps at once (B, [heads,] T', T), or one step after another (B, 1, T)
        weights = seen if isinstance(seen, Tensor) else torch.cat(list(seen.values()), -2)
        for number, heads in zip(
            numbers, weights.reshape(len(numbers), -1, *weights.shape[-2:]), strict=True
        ):
            maps[number] = heads
    return maps


def aer_of(maps: Sequence[Tensor], pairs: Sequence[Pair]) -> float:
    """AER of the heads' mean."""
    return aer(
        [strongest_links(m.mean(0), len(p.target)) for m, p in zip(maps, pairs, strict=True)],
        [p.alignment for p in pairs],
    )


def evaluate(model: Translator, pairs: Sequence[Pair], task: Task, attention: str | None = None) -> Json:
    """Free-running quality on these pairs, and which came out right (lessons, referee); AER too if an attention quantity is
    named and the pairs have gold links."""
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
        figures["aer"] = aer_of(attention_maps(model, pairs, task, attention), pairs)
    rounded = {name: round(figure, 4) for name, figure in figures.items()}
    return rounded | {"right": pack_flags([list(a) == list(b) for a, b in zip(words, references, strict=True)])}


def pack_flags(flags: Sequence[bool]) -> str:
    """Yes and no as bits, the first one leading."""
    bits = "".join("01"[flag] for flag in flags)
    return f"{len(bits)}:{int(bits or '0', 2):x}"


def unpack_flags(written: str) -> list[bool]:
    count, bits = written.split(":")
    return [bit == "1" for bit in f"{int(bits, 16):0{count}b}"[: int(count)]]
