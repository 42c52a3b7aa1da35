"""The trained Transformer, what it makes of a sentence, and the gold alignment where there is one."""

from functools import lru_cache

from models import zoo
from models.tasks import TASKS
from models.tasks.task import Pair
from models.transformer import Transformer, TransformerTrace

TASK = TASKS["translation"]
NAME = "translation-transformer-s0"
LAYERS, HEADS = ("1", "2"), ("1", "2", "3", "4")  # what a learner can pick; a test compares with the model
LONGEST = 64  # tokens of a translation that went wrong
KINDS = {  # what a learner picks → where its quantities are
    "encoder self": "encoder.layer{layer}.self",
    "decoder self": "decoder.layer{layer}.self",
    "cross": "decoder.layer{layer}.cross",
}
Ids = tuple[int, ...]
Words = tuple[str, ...]


def model() -> Transformer:
    return zoo.load(NAME)[0]


def card() -> zoo.Card:
    return zoo.Card.read(NAME)


def ids_of(text: str) -> Ids:
    """Typed text as the model reads it, or an InputError that says what to change."""
    return tuple(TASK.source.ids(TASK.read(text)))


def source_words(ids: Ids) -> Words:
    return TASK.source.tokens(ids)


def target_words(ids: Ids) -> Words:
    return TASK.target.tokens(ids)


@lru_cache(maxsize=64)
def untouched(source: Ids) -> TransformerTrace:
    """The model's own translation, with everything on the way."""
    return model().run(source, limit=LONGEST)


@lru_cache(maxsize=1)
def examples() -> dict[Words, Pair]:
    """Sentences with a gold alignment: those of the course, and some that no model was trained on."""
    pairs = [*TASK.course, *TASK.pairs("test", 90, seed=6, lengths=range(5, 14))]
    return {pair.source: pair for pair in pairs}


def gold_of(trace: TransformerTrace) -> frozenset[tuple[int, int]] | None:
    """Gold links (t, i), if the sentence has any and the model wrote what they belong to."""
    pair = examples().get(source_words(trace.source))
    return pair.alignment if pair and target_words(trace.output[:-1]) == pair.target else None
