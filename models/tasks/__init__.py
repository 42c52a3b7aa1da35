"""The data sets of the course. All but one come from our own grammars; the same seed gives the same data."""

from models.tasks.bank import BANK
from models.tasks.code import CODE
from models.tasks.corpus import Corpus, Document
from models.tasks.drawings import DRAWINGS
from models.tasks.everyday import EVERYDAY
from models.tasks.parsing import PARSING
from models.tasks.pronounce import PRONOUNCE
from models.tasks.stories import STORIES
from models.tasks.story_answers import ANSWERS
from models.tasks.summaries import SUMMARIES
from models.tasks.task import Task
from models.tasks.toys import ADDITION, COPY, DATES, REVERSAL
from models.tasks.translation import TRANSLATION

__all__ = ["BANK", "CORPORA", "TASKS", "vocabularies"]

SENTENCE_LENGTHS = range(3, 21)  # lengths of the sentences in the training data of the translators
TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        *(TRANSLATION, EVERYDAY, REVERSAL, COPY, ADDITION, DATES, PRONOUNCE, DRAWINGS, PARSING, CODE),
        *(SUMMARIES, ANSWERS),
    )
}
ENGLISH = Corpus(  # the translators' source sentences, for a language model that measures their bits
    "english",
    TRANSLATION.source,
    lambda rng: Document("sentence", TRANSLATION.draw(rng, SENTENCE_LENGTHS).source),
)
CORPORA: dict[str, Corpus] = {corpus.name: corpus for corpus in (STORIES, ENGLISH)}


def vocabularies(name: str) -> dict[str, tuple[str, ...]]:
    """Words that a model of this task can read and write, by role."""
    if name in TASKS:
        return {"source": TASKS[name].source.words, "target": TASKS[name].target.words}
    if name in CORPORA:
        return {"words": CORPORA[name].vocabulary.words}
    if name == "bank":
        return {"words": BANK.vocabulary.words, "answers": BANK.answers}
    raise KeyError(f"no task is called {name!r}")
