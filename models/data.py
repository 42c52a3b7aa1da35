"""What a recipe trains on, and the fresh data its figures are measured on."""

import random
from functools import cache

from models import zoo
from models.batches import Batch, Question, sense_question, blank_question, pair_batches, sense_batches, text_batches
from models.probe import probe_batches
from models.recipes import Recipe
from models.tasks import BANK, CORPORA, TASKS
from models.tasks.blank import blanks
from models.tasks.task import Pair


def batches(recipe: Recipe) -> list[Batch]:
    """The recipe's training data. Seeds differ in weights and order, not in data: what differs is then the training alone."""
    if recipe.kind == "probe":
        task, config = TASKS[recipe.task], recipe.full_config()
        sources = [
            task.source.ids(pair.source)
            for pair in task.pairs("train", recipe.examples, lengths=recipe.lengths)
        ]
        return probe_batches(zoo.load(config["checkpoint"])[0], sources, recipe.batch, recipe.lengths[-1])
    return _batches(recipe.task, recipe.examples, recipe.batch, recipe.lengths, recipe.only)


VALIDATION = 640  # sentences, or texts, to look at now and then


def validation(recipe: Recipe) -> list[Batch]:
    """What a training is watched on: of the same kind as its data, and none of it."""
    if recipe.kind == "probe":
        task, config = TASKS[recipe.task], recipe.full_config()
        sources = [
            task.source.ids(pair.source)
            for pair in task.pairs("validation", VALIDATION, lengths=recipe.lengths)
        ]
        return probe_batches(zoo.load(config["checkpoint"])[0], sources, recipe.batch, recipe.lengths[-1])
    if recipe.task in TASKS:
        task = TASKS[recipe.task]
        return pair_batches(task.pairs("validation", VALIDATION, lengths=recipe.lengths), task, recipe.batch)
    if recipe.task in CORPORA:
        corpus = CORPORA[recipe.task]
        texts = [
            corpus.vocabulary.ids(d.tokens)
            for d in corpus.marked("validation", VALIDATION // 8, kind=recipe.only)
        ]
        return text_batches(texts, recipe.batch, recipe.lengths[-1])
    return sense_batches(questions("validation", VALIDATION), BANK, recipe.batch)


@cache
def _batches(name: str, examples: int, size: int, lengths: range, only: str | None) -> list[Batch]:
    if name in TASKS:
        return pair_batches(TASKS[name].pairs("train", examples, lengths=lengths), TASKS[name], size)
    if name in CORPORA:
        corpus = CORPORA[name]
        texts = [
            corpus.vocabulary.ids(document.tokens) for document in corpus.marked("train", examples, kind=only)
        ]
        return text_batches(texts, size, lengths[-1])
    return sense_batches(questions("train", examples), BANK, size)


def questions(split: str, count: int) -> list[Question]:
    """A third asks for a sense; of the others, which have a blank, half ask for its word, half for a sense all the same."""
    senses, gaps = BANK.examples(split, count // 3, unfinished=0.3), blanks(split, count // 3)
    asked = [*map(sense_question, senses), *map(sense_question, gaps), *map(blank_question, gaps)]
    return random.Random(split).sample(asked, len(asked))


@cache
def held_out(task: str, count: int, lengths: range) -> list[Pair]:
    return TASKS[task].pairs("test", count, seed=1, lengths=lengths)


@cache
def held_out_evenly(task: str, count: int, bucket: range) -> list[Pair]:
    """As many of each length: a bucket is not its shorter half."""
    lengths = [n for n in bucket if n in TASKS[task].lengths]
    return [pair for n in lengths for pair in held_out(task, count // len(lengths), range(n, n + 1))]
