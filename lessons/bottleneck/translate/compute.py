"""Run a translator, or a model of another task, and record every state and every probability."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lessons.bottleneck.translate.tasks import EXAMPLES, MODELS, OPTIONS, SUGGESTIONS
from lessons.kit.checkpoints import Tokens, Words, load_card, most_probable
from lessons.kit.contract import Result
from lessons.kit.notices import add_notice, collect_notices, offer_words
from lessons.kit.references import matches_reference
from lessons.kit.translator import Translator
from lessons.kit.typed_text import UNKNOWN, TypedSentence
from models.tasks.pronounce import PRONOUNCE
from models.vocabulary import InputError

LETTER = re.compile("[a-z]", re.IGNORECASE)
LETTER_TASKS = ("reversal", "copy", "pronounce")  # tasks whose models can read almost any text


@dataclass(frozen=True)
class Translation(Result):
    """One run with T source tokens and T' output tokens, including <eos>."""

    task: str
    text: str  # the text that the encoder read
    example: bool  # whether the task's example replaced a text from another task
    t: int
    words: Words  # (T)
    outputs: Words  # (T')
    truth: Words | None  # the correct output, if known
    right: bool | None  # whether the output is correct
    H: np.ndarray  # (T, m)
    c: np.ndarray  # (m,)
    s_0: np.ndarray  # (m,)
    s: np.ndarray  # (T', m)
    y: np.ndarray  # (T', P) embedding of the previous output
    every: bool  # whether c is an input of every step, not only of the first state
    chosen: np.ndarray  # (T',) probability of each output
    next_words: Words  # (8) the most probable words at step t
    probabilities: np.ndarray  # (8,)
    rest: float  # probability of all other words together
    vocabulary: int
    exact_match: float  # exact match on the card's test inputs
    _source: Tokens

    def limits(self) -> dict[str, Any]:
        suggested = [text for text in SUGGESTIONS[self.task] if text != self.text]
        return {"t": len(self.outputs), "text": suggested}

    @cached_property
    def with_attention(self) -> tuple[Words, bool | None] | None:
        """The output of the model with attention, and whether it is correct; None without such a model."""
        translator = OPTIONS[self.task].attention
        if not translator:
            return None
        output = translator.target_words(translator.run(self._source).output)
        return output, matches_reference(output, translator.reference(self.words_read, output))

    @property
    def words_read(self) -> Words:
        return MODELS[self.task].source_words(self._source)


def compute(task: str, text: str, t: int) -> Translation:
    translator = MODELS[task]
    chosen_task = translator.task
    is_example = belongs_to_another_task(text, task)
    text = EXAMPLES[task] if is_example else text
    sentence = read_typed(translator, text)
    words = sentence.words
    shortest, longest = load_card(translator.name).metrics["trained_lengths"]
    if not shortest <= len(words) <= longest:
        add_notice("text", f"All inputs in training had {shortest} to {longest} {chosen_task.unit}s.")
    source = translator.ids(words)
    trace = translator.run(source)
    t, outputs = min(t, len(trace.output)), chosen_task.target.tokens(trace.output)
    truth = translator.reference(words, translator.target_words(trace.output))
    distribution = trace.probabilities[t - 1]  # (V,)
    best = most_probable(distribution)
    return Translation(
        task=task,
        text=text,
        example=is_example,
        t=t,
        words=sentence.shown,
        outputs=outputs,
        truth=truth,
        right=matches_reference(outputs, truth),
        H=trace.H.numpy(),
        c=trace.c.numpy(),
        s_0=trace.values["initial.layer1.h"].numpy(),
        s=trace.s.numpy(),
        y=trace.values["y"].numpy(),
        every=translator.model.config.context == "every",
        chosen=trace.logprobs.exp().numpy(),
        next_words=chosen_task.target.tokens(best),
        probabilities=distribution[best].numpy(),
        rest=float(1 - distribution[best].sum()),
        vocabulary=len(chosen_task.target),
        exact_match=load_card(translator.name).metrics["natural"]["exact_match"],
        _source=source,
    )


def read_typed(translator: Translator, text: str) -> TypedSentence:
    if translator.task.unit == "word":
        return translator.read_typed(text, "text")
    tokens = translator.source_words(translator.read(text, "text"))
    return TypedSentence(tokens, tokens)


def belongs_to_another_task(text: str, task: str) -> bool:
    """Whether the text is left over from another task, which suggested it or which can read it."""
    if text in SUGGESTIONS[task]:
        return False
    translator = MODELS[task]
    if any(text in texts for texts in SUGGESTIONS.values()):
        return text in EXAMPLES.values() or not is_input_of(translator, text)
    problem = reading_problem(translator, text)
    option, has_letters = OPTIONS[task], bool(LETTER.search(text))
    is_any_text_welcome = option.unit != "word" or (option.takes_any_english and has_letters)
    if problem is None and (is_any_text_welcome or is_input_of(translator, text)):
        return False
    others = [other for other in MODELS.values() if problem or other.task.name not in LETTER_TASKS]
    if not any(is_input_of(other, text) for other in others):
        return False
    add_notice("text", problem or "This text is unlike all inputs of this task.")
    nearest = translator.task.nearest
    offer_words("text", {"": (near,)} if nearest and (near := nearest(text)) else {})
    return True


def is_input_of(translator: Translator, text: str) -> bool:
    """Whether the text looks like the model's training inputs: a sum has no letters, all others have some."""
    is_sum = translator.task.name == "addition"
    if reading_problem(translator, text) or bool(LETTER.search(text)) == is_sum:
        return False
    with collect_notices():
        sentence = read_typed(translator, text)
    unseen = translator.task.unseen
    is_known = sentence.words == sentence.typed and UNKNOWN not in sentence.words
    return is_known and not (unseen and unseen(sentence.words))


def reading_problem(translator: Translator, text: str) -> str | None:
    """Why the text is not a valid input of the model's task; None if it is. In a word, only letters count."""
    try:
        with collect_notices():
            if translator.task is PRONOUNCE:
                PRONOUNCE.read(text)
            else:
                translator.read(text, "text")
    except InputError as error:
        return str(error)
    return None
