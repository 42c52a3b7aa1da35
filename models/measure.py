"""Compute the metrics on a model's card from test data."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from models import metrics, zoo
from models.batches import batched, blank_question, pad_rows, sense_batches, sense_question
from models.data import held_out, held_out_evenly
from models.decoding import phrase_probability
from models.dynamic_types import AnyModel, Json
from models.layer_probe import probe_layers
from models.probe import LinearProbe, probe_batches
from models.recipes import Recipe
from models.tasks import BANK, CORPORA, TASKS
from models.tasks.blank import CUE_SIDES, Blank, draw_blanks
from models.tasks.corpus import Corpus, Document
from models.tasks.sense_sentences import draw_sentences
from models.tasks.story_recall import DISTANCES, QUESTIONS, Recall, draw_recalls
from models.tasks.task import Pair, Task
from models.transformer import Transformer
from models.transformer_lm import TransformerLM
from models.vocabulary import Vocabulary
from models.word_sense import SenseEncoder
from models.zoo import Storyteller, Translator

REPEATS = (0, 1, 2, 3, 5, 8, 13, 20, 50, 100)  # numbers of repeats of a phrase
STORY_TASKS = frozenset(("summaries", "answers"))
DISTANCE_BUCKETS = (
    range(1, 6),
    range(6, 11),
    range(11, 21),
    range(21, 31),
    range(31, 51),
    range(51, 10_000),
)  # lengths in words


def card_metrics(model: AnyModel, recipe: Recipe) -> Json:
    if recipe.kind == "probe":
        return probe_metrics(model, TASKS[recipe.task], recipe.lengths)
    if recipe.task in TASKS:
        found = translation_metrics(model, TASKS[recipe.task], recipe.lengths)
        if "decoder_layers" in recipe.config:  # only the models of `recipes.depth`
            found["layers"] = probe_layers(model, recipe.lengths)
        return found
    if recipe.task in CORPORA:
        return language_model_metrics(model, CORPORA[recipe.task])
    return sense_metrics(model)


# ---- translation and other sequence-to-sequence tasks ----


def translation_metrics(model: Translator, task: Task, lengths: range) -> Json:
    """Quality on sentences like the training data (`natural`), and by source length, up to longer ones."""
    attention, is_pronunciation = attention_quantity(model), task.name == "pronounce"
    buckets, count = (metrics.WORD_BUCKETS, 800) if is_pronunciation else (metrics.BUCKETS, 240)
    is_story = task.name in STORY_TASKS
    by_length = []
    for bucket in metrics.STORY_BUCKETS if is_story else buckets:
        draw = held_out if is_story else held_out_evenly  # stories of one exact length are slow to draw
        if pairs := draw(task.name, count, bucket):
            scores = metrics.evaluate(model, pairs, task, attention)
            by_length.append({"from": bucket[0], "to": bucket[-1], **scores})
    natural = held_out(task.name, 2000 if is_pronunciation else 1000, lengths)
    found = {
        "trained_lengths": [lengths[0], lengths[-1]],
        "natural": metrics.evaluate(model, natural, task, attention),
        "by_length": by_length,
        "course": translate_course(model, task),
    }
    if isinstance(model, Transformer):
        found["aer_by_head"] = aer_by_head(model, held_out(task.name, 500, lengths), task)
    return found


def attention_quantity(model: Translator) -> str | None:
    """Name of the attention from target to source, or None; in a Transformer, that of the last layer."""
    if isinstance(model, Transformer):
        return f"decoder.layer{model.config.layers}.cross.weights"
    return "weights" if model.config.context == "attention" else None


def aer_by_head(model: Transformer, pairs: Sequence[Pair], task: Task) -> list[list[float]]:
    """AER of each cross-attention head alone: layers × heads."""
    table = []
    for layer in range(1, model.config.layers + 1):
        maps = metrics.attention_maps(model, pairs, task, f"decoder.layer{layer}.cross.weights")
        by_head = zip(*maps, strict=True)  # per head: the (T', T) map of each pair
        table.append([round(metrics.aer_of_maps([m[None] for m in head], pairs), 4) for head in by_head])
    return table


def translate_course(model: Translator, task: Task) -> dict[str, str]:
    """The model's translations of the sentences that the lessons rely on."""
    sources = [pair.source for pair in task.course]
    outputs = metrics.translate(model, [task.source.ids(source) for source in sources])
    return {task.join(s): task.join(task.target.tokens(o)) for s, o in zip(sources, outputs, strict=True)}


# ---- language models ----


@torch.inference_mode()
def language_model_metrics(model: Storyteller, corpus: Corpus) -> Json:
    """Perplexity, accuracy of dependencies by distance, and probability of repeated phrases."""
    losses: list[Tensor] = []
    hits: dict[str, dict[range, list[bool]]] = defaultdict(
        lambda: defaultdict(list)
    )  # kind → distance → whether each prediction is right
    for document, logprobs in read_documents(model, corpus, corpus.draw_documents("test", 600, seed=1)):
        ids = torch.tensor([*corpus.vocabulary.ids(document.tokens), Vocabulary.eos])
        losses.append(-logprobs.gather(1, ids[:, None]))
        for dependency in document.dependencies:
            choices = corpus.vocabulary.ids(corpus.choices[dependency.kind])
            guess = choices[logprobs[dependency.target, choices].argmax()]
            bucket = next(bucket for bucket in DISTANCE_BUCKETS if dependency.distance in bucket)
            hits[dependency.kind][bucket].append(guess == int(ids[dependency.target]))
    perplexity = round(torch.cat(losses).mean().exp().item(), 3)
    return {
        "natural": {"count": sum(map(len, losses)), "perplexity": perplexity},
        "memory": {
            kind: [
                {"from": bucket[0], "to": bucket[-1], "count": len(rights), "accuracy": fraction_true(rights)}
                for bucket, rights in sorted(by_distance.items(), key=lambda item: item[0][0])
            ]
            for kind, by_distance in sorted(hits.items())
        },
        "recall": recall_metrics(model) if corpus.name == "stories" else {},
        "chance": {kind: round(1 / len(words), 4) for kind, words in corpus.choices.items()},
        "repeats": list(REPEATS),
        "loop": {phrase: repeated_phrase(model, corpus, phrase) for phrase in corpus.phrases},
    }


def read_documents(
    model: Storyteller, corpus: Corpus, documents: Sequence[Document]
) -> Iterator[tuple[Document, Tensor]]:
    """Yield each document with log P of every word at each position (T + 1, V)."""
    for document in documents:
        ids = corpus.vocabulary.ids(document.tokens)
        if isinstance(model, TransformerLM):  # documents may be longer than the model's window
            logits = model.text_logits(ids)
        else:
            logits = model(torch.tensor([[Vocabulary.bos, *ids]]))[0]
        yield document, torch.log_softmax(logits, -1)


def recall_metrics(model: Storyteller, count: int = 200) -> dict[str, list[dict[str, float]]]:
    """How well the model remembers a word that was mentioned once, by kind of word and distance.

    `probability` is the mean P of the right word among the words of its kind.
    """
    found: dict[str, list[dict[str, float]]] = {}
    for kind in QUESTIONS:
        for distance in DISTANCES:
            recalls = draw_recalls(kind, distance, count)
            P = answer_probabilities(model, recalls)  # (count, choices)
            answers = torch.tensor([recall.choices.index(recall.answer) for recall in recalls])
            row = {
                "distance": distance,
                "count": count,
                "probability": round(P.gather(1, answers[:, None]).mean().item(), 4),
                "accuracy": fraction_true((P.argmax(1) == answers).tolist()),
            }
            found.setdefault(kind, []).append(row)
    return found


def answer_probabilities(model: Storyteller, recalls: Sequence[Recall]) -> Tensor:
    """P of each possible answer (recalls, choices), among the possible answers; all are of one kind."""
    vocabulary = CORPORA["stories"].vocabulary
    choices = vocabulary.ids(recalls[0].choices)
    rows = [[Vocabulary.bos, *vocabulary.ids(recall.tokens)] for recall in recalls]
    last = torch.tensor([len(row) - 1 for row in rows])
    logits = model(pad_rows(rows, Vocabulary.pad))[torch.arange(len(rows)), last]  # (recalls, V)
    return logits[:, choices].softmax(-1)


def repeated_phrase(model: Storyteller, corpus: Corpus, phrase: str) -> list[float]:
    """P(phrase) after the phrase was repeated r times, for each r in REPEATS."""
    ids = corpus.vocabulary.ids(phrase.split())
    return [float(f"{p:.3g}") for p in phrase_probability(model.writer(), (), ids, REPEATS)]


# ---- senses ----


@torch.inference_mode()
def sense_metrics(model: SenseEncoder) -> Json:
    """Accuracy of senses in test sentences: overall, by word and by side of the cue. Chance is 0.5."""
    by_word, by_side = defaultdict(list), defaultdict(list)
    examples = BANK.examples("test", 800, seed=1)
    batches = sense_batches([*map(sense_question, examples)], BANK, 100)
    for batch, rows in zip(batches, batched(examples, 100), strict=True):
        rights = (model(*batch.inputs).argmax(-1) == batch.targets).tolist()
        for example, right in zip(rows, rights, strict=True):
            by_word[example.word].append(right)
            is_left = example.cue is not None and example.cue < example.position
            by_side["left" if is_left else "right"].append(right)
    return {
        "natural": {
            "count": len(examples),
            "accuracy": fraction_true([right for rights in by_word.values() for right in rights]),
        },
        "by_word": {word: fraction_true(rights) for word, rights in sorted(by_word.items())},
        "by_side": {
            side: {"count": len(rights), "accuracy": fraction_true(rights)}
            for side, rights in sorted(by_side.items())
        },
        "blanks": blank_metrics(model, draw_blanks("test", 2400, seed=1)),
        "everyday": everyday_sense_metrics(model),
    }


def everyday_sense_metrics(model: SenseEncoder) -> Json:
    """Accuracy of senses in unseen everyday sentences. No word decides the sense in some of them."""
    sentences = draw_sentences("test", 1600, seed=2)
    batches = sense_batches([*map(sense_question, sentences)], BANK, 100)
    rights = [
        right for batch in batches for right in (model(*batch.inputs).argmax(-1) == batch.targets).tolist()
    ]
    return {"count": len(rights), "accuracy": fraction_true(rights)}


def blank_metrics(model: SenseEncoder, gaps: Sequence[Blank]) -> dict[str, dict[str, float]]:
    """Quality of the words predicted for blanks, by the side of the cues.

    `ideal` is the perplexity under the true distribution of the missing words. `accuracy` is the accuracy of
    the likeliest word. `fits` is how often the right sense has the larger sum of word probabilities.
    """
    by_side: dict[str, list[tuple[float, float, bool, bool]]] = defaultdict(list)
    number = {answer: n for n, answer in enumerate(BANK.answers)}
    batches = sense_batches([*map(blank_question, gaps)], BANK, 100)
    for batch, some in zip(batches, batched(gaps, 100), strict=True):
        for row, gap in zip(model(*batch.inputs).softmax(-1), some, strict=True):
            by_sense = {
                sense: row[[number[word] for word in BANK.cues_of(gap.word, sense)]].sum()
                for sense in BANK.senses[gap.word]
            }
            fits = max(by_sense, key=by_sense.__getitem__) == gap.sense
            is_right = int(row.argmax()) == number[gap.filled]
            by_side[gap.cue_side].append((row[number[gap.filled]].item(), gap.share, is_right, fits))
    found = {}
    for side in CUE_SIDES:
        predicted, ideal, rights, fitting = zip(*by_side[side], strict=True)
        found[side] = {
            "count": len(predicted),
            "perplexity": perplexity_of(predicted),
            "ideal": perplexity_of(ideal),
            "accuracy": fraction_true(rights),
            "fits": fraction_true(fitting),
        }
    return found


def perplexity_of(probabilities: Sequence[float]) -> float:
    return round(torch.tensor(probabilities).log().mean().neg().exp().item(), 3)


def fraction_true(flags: Sequence[bool]) -> float:
    return round(sum(flags) / len(flags), 4)


# ---- probes ----


@torch.inference_mode()
def probe_metrics(probe: LinearProbe, task: Task, lengths: range) -> Json:
    """Accuracy of the source words recovered from c: overall, by position, and by length and position."""
    by_length = []
    for bucket in metrics.BUCKETS:
        if bucket[-1] in lengths:
            rows = accuracy_by_position(probe, held_out_evenly(task.name, 240, bucket), task)
            by_length.append({"from": bucket[0], "to": bucket[-1], "by_position": rows})
    rows = accuracy_by_position(probe, held_out(task.name, 1000, lengths), task)
    count = sum(row["count"] for row in rows)
    means = {
        key: round(sum(row[key] * row["count"] for row in rows) / count, 4)
        for key in ("accuracy", "commonest")
    }
    return {
        "trained_lengths": [lengths[0], lengths[-1]],
        "natural": {"count": count, **means},
        "by_position": rows,
        "by_length": by_length,
    }


def accuracy_by_position(probe: LinearProbe, pairs: Sequence[Pair], task: Task) -> list[dict[str, float]]:
    """Fraction of words recovered at each position; `commonest`: always guessing the most frequent."""
    sources = [task.source.ids(pair.source) for pair in pairs]
    model = zoo.load(probe.config.checkpoint)[0]
    ((c,), words), *_ = probe_batches(model, sources, len(sources), probe.config.positions)
    rows = []
    for position, (guess, target) in enumerate(zip(probe(c).argmax(-1).T, words.T, strict=True), start=1):
        present = target[target >= 0]  # only sentences long enough to have a word here
        if len(present):
            right = (guess == target).sum() / len(present)
            commonest = present.bincount().max() / len(present)
            accuracies = {"accuracy": round(right.item(), 4), "commonest": round(commonest.item(), 4)}
            rows.append({"position": position, "count": len(present), **accuracies})
    return rows
