"""English to French, from a grammar that builds both sentences and their word alignment together."""

from models.tasks.task import Task
from models.tasks.translation.course import course
from models.tasks.translation.grammar import draw
from models.tasks.translation.lexicon import english_words, french_words
from models.vocabulary import Vocabulary

TRANSLATION = Task(
    name="translation",
    source=Vocabulary.of(english_words()),
    target=Vocabulary.of(french_words()),
    draw=draw,
    lengths=range(3, 41),
    course=course(),
)
