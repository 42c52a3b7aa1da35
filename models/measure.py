"""The figures on a model's card, measured on fresh data that training never saw."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from models import metrics, zoo
from models.batches import sense_question, blank_question, sense_batches, batched
from models.data import held_out, held_out_evenly
from models.decoding import phrase_probability
from models.dynamic_types import AnyModel, Json
from models.probe import LinearProbe, probe_batches
from models.recipes import Recipe
from models.tasks import BANK, CORPORA, TASKS
from models.tasks.blank import TOLD, Blank, blanks
from models.tasks.corpus import Corpus, Document
from models.tasks.task import Pair, Task
from models.transformer import Transformer
from models.transformer_lm import TransformerLM
from models.vocabulary import Vocabulary
from models.word_sense import SenseEncoder
from models.zoo import Storyteller, Translator

REPEATS = (0, 1, 2, 3, 5, 8, 13, 20, 50, 100)
DISTANCES = (range(1, 6), range(6, 11), range(11, 21), range(21, 31), range(31, 51), range(51, 10_000))


def card_figures(model: AnyModel, recipe: Recipe) -> Json:
    if recipe.kind == "probe":
        return probe_figures(model, TASKS[recipe.task], recipe.lengths)
    if recipe.task in TASKS:
        return translation_figures(model, TASKS[recipe.task], recipe.lengths)
    if recipe.task in CORPORA:
        return text_figures(model, CORPORA[recipe.task])
    return sense_figures(model)


# ---- translation, and everything that turns one sequence into another ----


def translation_figures(model: Translator, task: Task, lengths: range) -> Json:
    """On sentences of natural length like those trained on, and by source length, also beyond what was trained."""
    attention = attention_of(model)
    by_length = []
    buckets, count = (metrics.WORD_BUCKETS, 800) if task.name == "pronounce" else (metrics.BUCKETS, 240)
    for bucket in buckets:
        if pairs := held_out_evenly(task.name, count, bucket):
            by_length.append(
                {"from": bucket[0], "to": bucket[-1], **metrics.evaluate(model, pairs, task, attention)}
            )
    figures = {
        "trained_lengths": [lengths[0], lengths[-1]],
        "natural": metrics.evaluate(
            model, held_out(task.name, 2000 if task.name == "pronounce" else 1000, lengths), task, attention
        ),
        "by_length": by_length,
        "course": course_figures(model, task),
    }
    if isinstance(model, Transformer):
        figures["aer_by_head"] = aer_by_head(model, held_out(task.name, 500, lengths), task)
    return figures


def attention_of(model: Translator) -> str | None:
    """The quantity that looks from target to source, if the model has one; the last layer's in a Transformer."""
    if isinstance(model, Transformer):
        return f"decoder.layer{model.config.layers}.cross.weights"
    return "weights" if model.config.context == "attention" else None


def aer_by_head(model: Transformer, pairs: Sequence[Pair], task: Task) -> list[list[float]]:
    """AER of every cross-attention head by itself: a list of heads for each layer."""
    table = []
    for layer in range(1, model.config.layers + 1):
        maps = metrics.attention_maps(model, pairs, task, f"decoder.layer{layer}.cross.weights")
        table.append(
            [
                round(metrics.aer_of([m[head, None] for m in maps], pairs), 4)
                for head in range(model.config.heads)
            ]
        )
    return table


def course_figures(model: Translator, task: Task) -> dict[str, str]:
    """What the model makes of the sentences that the lessons rely on."""
    sources = [pair.source for pair in task.course]
    outputs = metrics.translate(model, [task.source.ids(source) for source in sources])
    return {task.join(s): task.join(task.target.tokens(o)) for s, o in zip(sources, outputs, strict=True)}


# ---- language models ----


@torch.inference_mode()
def text_figures(model: Storyteller, corpus: Corpus) -> Json:
    """Perplexity, what is remembered over a distance, and whether repetition feeds itself."""
    losses: list[Tensor] = []
    memory: dict[str, dict[range, list[bool]]] = defaultdict(
        lambda: defaultdict(list)
    )  # kind → distance → right or wrong
    for document, logprobs in read_documents(model, corpus, corpus.marked("test", 600, seed=1)):
        ids = torch.tensor([*corpus.vocabulary.ids(document.tokens), Vocabulary.eos])
        losses.append(-logprobs.gather(1, ids[:, None]))
        for dependency in document.dependencies:
            choices = corpus.vocabulary.ids(corpus.choices[dependency.kind])
            guess = choices[logprobs[dependency.target, choices].argmax()]
            memory[dependency.kind][far(dependency.distance)].append(guess == int(ids[dependency.target]))
    return {
        "natural": {
            "count": sum(map(len, losses)),
            "perplexity": round(torch.cat(losses).mean().exp().item(), 3),
        },
        "memory": {
            kind: [
                {
                    "from": bucket[0],
                    "to": bucket[-1],
                    "count": len(hits),
                    "accuracy": round(sum(hits) / len(hits), 4),
                }
                for bucket, hits in sorted(by_distance.items(), key=lambda item: item[0][0])
            ]
            for kind, by_distance in sorted(memory.items())
        },
        "chance": {kind: round(1 / len(words), 4) for kind, words in corpus.choices.items()},
        "repeats": list(REPEATS),
        "loop": {phrase: repetition(model, corpus, phrase) for phrase in corpus.phrases},
    }


def read_documents(
    model: Storyteller, corpus: Corpus, documents: Sequence[Document]
) -> Iterator[tuple[Document, Tensor]]:
    """Each document with log P of every word at each of its places (T + 1, V)."""
    for document in documents:
        ids = corpus.vocabulary.ids(document.tokens)
        if isinstance(model, TransformerLM):  # its window slides along
            logits = model.text_logits(ids)
        else:
            logits = model(torch.tensor([[Vocabulary.bos, *ids]]))[0]
        yield document, torch.log_softmax(logits, -1)


def far(distance: int) -> range:
    return next(bucket for bucket in DISTANCES if distance in bucket)


def repetition(model: Storyteller, corpus: Corpus, phrase: str) -> list[float]:
    """P(phrase) after it was said 0, 1, 2, … times."""
    return [
        float(f"{p:.3g}")
        for p in phrase_probability(model.writer(), (), corpus.vocabulary.ids(phrase.split()), REPEATS)
    ]


# ---- senses ----


@torch.inference_mode()
def sense_figures(model: SenseEncoder) -> Json:
    """Share of test sentences whose ambiguous word gets its sense, over all and by word; chance is one in two."""
    by_word, by_side = defaultdict(list), defaultdict(list)
    examples = BANK.examples("test", 800, seed=1)
    for batch, some in zip(
        sense_batches([*map(sense_question, examples)], BANK, 100), batched(examples, 100), strict=True
    ):
        for example, right in zip(
            some, (model(*batch.inputs).argmax(-1) == batch.targets).tolist(), strict=True
        ):
            by_word[example.word].append(right)
            by_side["left" if example.cue is not None and example.cue < example.position else "right"].append(
                right
            )
    return {
        "natural": {
            "count": len(examples),
            "accuracy": share([right for rights in by_word.values() for right in rights]),
        },
        "by_word": {word: share(rights) for word, rights in sorted(by_word.items())},
        "by_side": {
            side: {"count": len(rights), "accuracy": share(rights)}
            for side, rights in sorted(by_side.items())
        },
        "blanks": blank_figures(model, blanks("test", 2400, seed=1)),
    }


def blank_figures(model: SenseEncoder, gaps: Sequence[Blank]) -> dict[str, dict[str, float]]:
    """By where the cues stand: perplexity of the words left out, and of one who knows how often each is left out there; how often
    the likeliest word is the one left out; how often the words of its sense together are likelier than those of the other.
    """
    by_side: dict[str, list[tuple[float, float, bool, bool]]] = defaultdict(list)
    number = {answer: n for n, answer in enumerate(BANK.answers)}
    for batch, some in zip(sense_batches([*map(blank_question, gaps)], BANK, 100), batched(gaps, 100), strict=True):
        for row, gap in zip(model(*batch.inputs).softmax(-1), some, strict=True):
            together = {
                sense: row[[number[word] for word in BANK.fitting(gap.word, sense)]].sum()
                for sense in BANK.senses[gap.word]
            }
            fits, right = (
                max(together, key=together.__getitem__) == gap.sense,
                int(row.argmax()) == number[gap.filled],
            )
            by_side[gap.told].append((row[number[gap.filled]].item(), gap.share, right, fits))
    figures = {}
    for side in TOLD:
        said, ideal, rights, fitting = zip(*by_side[side], strict=True)
        figures[side] = {
            "count": len(said),
            "perplexity": perplexity(said),
            "ideal": perplexity(ideal),
            "accuracy": share(rights),
            "fits": share(fitting),
        }
    return figures


def perplexity(probabilities: Sequence[float]) -> float:
    return round(torch.tensor(probabilities).log().mean().neg().exp().item(), 3)


def share(rights: Sequence[bool]) -> float:
    return round(sum(rights) / len(rights), 4)


# ---- probes ----


@torch.inference_mode()
def probe_figures(probe: LinearProbe, task: Task, lengths: range) -> Json:
    """How many words can be read off c, by their position; and by position for each length of sentence."""
    by_length = []
    for bucket in metrics.BUCKETS:
        if bucket[-1] in lengths:
            rows = recovered(probe, held_out_evenly(task.name, 240, bucket), task)
            by_length.append({"from": bucket[0], "to": bucket[-1], "by_position": rows})
    rows = recovered(probe, held_out(task.name, 1000, lengths), task)
    count = sum(row["count"] for row in rows)
    share = {
        key: round(sum(row[key] * row["count"] for row in rows) / count, 4)
        for key in ("accuracy", "commonest")
    }
    return {
        "trained_lengths": [lengths[0], lengths[-1]],
        "natural": {"count": count, **share},
        "by_position": rows,
        "by_length": by_length,
    }


def recovered(probe: LinearProbe, pairs: Sequence[Pair], task: Task) -> list[dict[str, float]]:
    """The share of words found at each position; `commonest` is the best that a guess without c can do."""
    sources = [task.source.ids(pair.source) for pair in pairs]
    ((c,), words), *_ = probe_batches(
        zoo.load(probe.config.checkpoint)[0], sources, len(sources), probe.config.positions
    )
    rows = []
    for position, (said, true) in enumerate(zip(probe(c).argmax(-1).T, words.T, strict=True), start=1):
        there = true[true >= 0]
        if len(there):
            right, most = (said == true).sum() / len(there), there.bincount().max() / len(there)
            figures = {"accuracy": round(right.item(), 4), "commonest": round(most.item(), 4)}
            rows.append({"position": position, "count": len(there), **figures})
    return rows
