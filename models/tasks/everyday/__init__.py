"""English to French with everyday words: a larger world of the same kind as `translation`.

The tables in assets/lexicon list the words and their uses; `lexicon` reads them. The grammar has four layers:
- forms: `conjugation`, `english`, `linking`;
- phrases: `draft`, `determiners`, `nominals`, `pronouns`, `adjuncts`, `clauses`;
- actions: `subjects`, `actions` (a verb with its objects), `modes` (tenses and modals), `modifiers`;
- sentences: `sentence_kinds` lists every kind with its weight, and `grammar` draws one of a given length.

Each kind of sentence is a function `draw_…` with an example in its docstring, as “English: French”. The
function raises DeadEnd if its random choices make no sense; then another sentence is drawn.
"""

import random
from collections.abc import Mapping
from functools import cached_property

from models.tasks.task import Pair, Task
from models.vocabulary import InputError, Vocabulary, check_tokens

LENGTHS = range(2, 41)


class EverydayTask(Task):
    """The task `everyday`. Its tables are read on first use, which keeps the import fast."""

    def __init__(self) -> None:
        fields = {
            "name": "everyday",
            "draw": draw,
            "unit": "word",
            "lengths": LENGTHS,
            "clean": None,
            "answer": None,
            "augment": augment,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @cached_property
    def source(self) -> Vocabulary:
        from models.tasks.everyday.vocabulary import vocabulary

        return vocabulary("english")

    @cached_property
    def target(self) -> Vocabulary:
        from models.tasks.everyday.vocabulary import vocabulary

        return vocabulary("french")

    @cached_property
    def course(self) -> Mapping[Pair, int]:
        """The sentences that the lessons rely on, the same as in `translation`."""
        from models.tasks.translation.course import course

        return course()

    def read(self, text: str) -> tuple[str, ...]:
        from models.tasks.everyday.reader import read_english

        max_tokens = self.lengths[-1]
        if len(text) > 40 * max_tokens:
            raise InputError(f"The text has {len(text):,} characters. Use at most {max_tokens} words.")
        return check_tokens(read_english(text), self.source, max_tokens, self.unit)


def draw(rng: random.Random, lengths: range) -> Pair:
    """Draw one sentence pair whose words are all in the vocabulary."""
    from models.tasks.everyday.grammar import draw_any

    source, target = EVERYDAY.source.index, EVERYDAY.target.index
    while True:
        pair = draw_any(rng, lengths)
        if all(word in source for word in pair.source) and all(word in target for word in pair.target):
            return pair


def augment(pair: Pair, rng: random.Random) -> Pair:
    """Hide words of a training pair, so that the model learns to copy words that it does not know."""
    from models.tasks.everyday.unknown import hide_words

    return hide_words(pair, rng)


EVERYDAY = EverydayTask()
