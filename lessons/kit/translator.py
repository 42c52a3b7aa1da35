"""A trained translator as lessons use it: typed text in, words and traces out."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from lessons.kit.checkpoints import (
    EXTRA_EVERYDAY_SENTENCES,
    Tokens,
    Words,
    load_card,
    load_model,
    original_run,
    read_small_world,
    read_source,
)
from lessons.kit.language import translate
from lessons.kit.notices import add_notice, name_vocabulary
from lessons.kit.references import known_pairs, reference_for
from lessons.kit.typed_command import read_command_text
from lessons.kit.typed_passage import read_whole_story
from lessons.kit.typed_text import (
    UNKNOWN,
    TypedSentence,
    mark_unknown,
    read_known_words,
    read_sentence,
)
from models import metrics
from models.copying import copy_unknown, copying_weights
from models.tasks import TASKS
from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary

POOL_SENTENCES = 1500  # sentences of the `everyday` task with a known translation


@dataclass(frozen=True)
class Translator:
    """A trained model. Its checkpoint name begins with the task: `everyday-additive-64-s0`."""

    name: str

    @property
    def task(self) -> Task:
        return TASKS[self.name.partition("-")[0]]

    @property
    def model(self) -> Any:
        return load_model(self.name)

    def read(self, text: str, control: str = "source") -> Tokens:
        """Convert typed text to source token ids. English words are never refused: see `read_typed`."""
        if self.task.unit == "word":
            return self.ids(self.read_typed(text, control).words)
        return read_source(text, control, self.task)

    def read_typed(self, text: str, control: str = "source") -> TypedSentence:
        """Tokenize typed English. Unknown words become `<unk>`, but the words as typed are kept.

        Only the `everyday` task has `<unk>`: in the others known words replace unknown words.
        """
        if self.task.name == "translation":
            return read_small_world(text, control)
        name_vocabulary(control, self.task.name)
        if self.task.name != "everyday":
            sentence = read_task_text(text, self.task, control)
            if self.task.unseen and (remark := self.task.unseen(sentence.words)):
                add_notice(control, remark)
            return sentence
        sentence = read_sentence(text, self.task.source.index, control)
        words = sentence.words
        if words in self.task.course_sources or " ".join(words) in EXTRA_EVERYDAY_SENTENCES:
            add_notice(control, translate("Seen in training."))
        return sentence

    def knows(self, words: Iterable[str]) -> bool:
        """Whether all these words are in the source vocabulary."""
        return all(word in self.task.source.index for word in words)

    def ids(self, words: Words) -> Tokens:
        """Source token ids of words that are all in the vocabulary."""
        return tuple(self.task.source.ids(words))

    def source_words(self, tokens: Tokens) -> Words:
        return self.task.source.tokens(tokens)

    def target_words(self, tokens: Iterable[int]) -> Words:
        """The words of an output without `<eos>`."""
        return self.task.target.tokens(token for token in tokens if token != Vocabulary.eos)

    def copied_words(self, trace: Any, sentence: TypedSentence) -> Words:
        """The output with `<eos>`; each `<unk>` is replaced by the copied source word, in angle brackets.

        It copies the typed word with the largest attention weight; without attention it stays `<unk>`.
        """
        output = self.task.target.tokens(trace.output)
        copied = copy_unknown(output, sentence.typed, copying_weights(trace, load_card(self.name)))
        return tuple(
            mark_unknown(copy) if word == UNKNOWN else copy for word, copy in zip(output, copied, strict=True)
        )

    def run(self, source: Tokens, target: Tokens | None = None) -> Any:
        """Trace of an unedited run; with a target, the decoder is fed the target (teacher forcing)."""
        return original_run(self.name, source, target)

    def translate(self, source: Tokens, limit: int = 70) -> Words:
        """Translate a sentence. The output has no `<eos>`. Faster than a run with a trace."""
        return self.target_words(metrics.translate(self.model, [source], limit)[0])

    def pair(self, source: Words) -> Pair | None:
        """The sentence with its translation and gold links, if they are known."""
        return pairs_of(self.task.name).get(source)

    def reference(self, source: Words, output: Words) -> Words | None:
        """The correct output, if known; `output` itself if it is one of several correct ones."""
        if self.task.accepted:
            right = self.task.accepted(source)
            return output if output in right else next(iter(right), None)
        if self.task.name == "everyday":
            pair = self.pair(source)
            return pair.target if pair else None
        return reference_for(self.task, source)


def read_task_text(text: str, task: Task, control: str) -> TypedSentence:
    """Tokenize typed English for a task that has no `<unk>`."""
    if task.name == "code":
        return read_command_text(text, control)
    if task.name in ("summaries", "answers"):
        return read_whole_story(text, task.source.index, control, task.lengths[-1])
    return read_known_words(text, task.source.index, control)


@cache
def pairs_of(task: str) -> dict[Words, Pair]:
    """Sentences of a task with known translations: those of the course, and some sampled from its grammar."""
    if task == "translation":
        return known_pairs()
    rng = random.Random("pool")
    drawn = [TASKS[task].draw(rng, range(3, 13)) for _ in range(POOL_SENTENCES)]
    return known_pairs() | {pair.source: pair for pair in (*drawn, *TASKS[task].course)}
