"""Training, validation and test data for the recipes."""

import random
from functools import cache

from models import zoo
from models.batches import (
    Batch,
    Question,
    blank_question,
    pair_batches,
    sense_batches,
    sense_question,
    text_batches,
)
from models.probe import probe_batches
from models.recipes import Recipe
from models.tasks import BANK, CORPORA, TASKS
from models.tasks.blank import draw_blanks, leave_out
from models.tasks.sense_sentences import cut_off, draw_sentences, hide_words
from models.tasks.task import Pair

VALIDATION_EXAMPLES = 640
UNFINISHED = 0.3  # fraction of sentences that stop before their end


def training_batches(recipe: Recipe) -> list[Batch]:
    """The training data of a recipe. All seeds use the same data; only initial weights and order differ."""
    if recipe.kind == "probe":
        return _probe_batches(recipe, "train", recipe.examples)
    return _batches(recipe.task, "train", recipe.examples, recipe.batch, recipe.lengths, recipe.only)


def validation_batches(recipe: Recipe) -> list[Batch]:
    """Validation data of a recipe: the same kind as the training data, without overlap."""
    if recipe.kind == "probe":
        return _probe_batches(recipe, "validation", VALIDATION_EXAMPLES)
    examples = (
        VALIDATION_EXAMPLES // 8 if recipe.task in CORPORA else VALIDATION_EXAMPLES
    )  # fewer documents, because they are long
    return _batches(recipe.task, "validation", examples, recipe.batch, recipe.lengths, recipe.only)


def _probe_batches(recipe: Recipe, split: str, examples: int) -> list[Batch]:
    task, model = TASKS[recipe.task], zoo.load(recipe.full_config()["checkpoint"])[0]
    sources = [task.source.ids(pair.source) for pair in task.pairs(split, examples, lengths=recipe.lengths)]
    return probe_batches(model, sources, recipe.batch, recipe.lengths[-1])


@cache
def _batches(
    name: str, split: str, examples: int, size: int, lengths: range, only: str | None
) -> list[Batch]:
    if name in TASKS:
        return pair_batches(TASKS[name].pairs(split, examples, lengths=lengths), TASKS[name], size)
    if name in CORPORA:
        corpus = CORPORA[name]
        documents = corpus.draw_documents(split, examples, kind=only)
        texts = [corpus.vocabulary.ids(document.tokens) for document in documents]
        return text_batches(texts, size, lengths[-1])
    return sense_batches(questions(split, examples), BANK, size)


def questions(split: str, count: int) -> list[Question]:
    """Draw questions: a sense, a sense in a sentence with a blank, the word for the blank.

    Three eighths are about sentences of the task, whose cues are known, the others about everyday sentences.
    """
    part = count // 8
    senses, gaps = BANK.examples(split, part, unfinished=UNFINISHED), draw_blanks(split, part)
    every = [*map(sense_question, senses), *map(sense_question, gaps), *map(blank_question, gaps)]
    every += everyday_questions(split, part)
    return random.Random(split).sample(every, len(every))


def everyday_questions(split: str, count: int) -> list[Question]:
    """Draw `count` questions about senses of everyday sentences, and twice two about sentences with blanks.

    Some words are unknown, and some sentences stop before their end.
    """
    rng, found = random.Random(f"everyday {split}"), []
    for sentence in draw_sentences(split, count):
        typed = hide_words(sentence, rng)
        typed = cut_off(typed, rng) if rng.random() < UNFINISHED else typed
        found.append(sense_question(typed))
    for sentence in draw_sentences(split, 2 * count, seed=1):
        if gap := leave_out(hide_words(sentence, rng), rng):
            found += [sense_question(gap.sentence), Question(gap.sentence.tokens, gap.place, gap.filled)]
    return found


@cache
def held_out(task: str, count: int, lengths: range) -> list[Pair]:
    """Test pairs with source lengths in this range, distributed as in training."""
    return TASKS[task].pairs("test", count, seed=1, lengths=lengths)


@cache
def held_out_evenly(task: str, count: int, bucket: range) -> list[Pair]:
    """Test pairs with the same number of pairs for each length in the bucket."""
    lengths = [n for n in bucket if n in TASKS[task].lengths]
    return [pair for n in lengths for pair in held_out(task, count // len(lengths), range(n, n + 1))]
