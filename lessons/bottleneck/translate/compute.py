"""Run a translator, or a model of a small task, and record every state and every probability."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons.bottleneck.sentences import PRONOUN, SEVENTEEN_WORDS
from lessons.bottleneck.translator import TRANSLATOR
from lessons.kit.checkpoints import Words, load_card, load_model, most_probable, original_run, read_source
from lessons.kit.contract import Result
from lessons.kit.example_sentences import AMBIGUOUS_BANK, PASSIVE
from lessons.kit.notices import add_notice
from lessons.kit.references import matches_reference, reference_for
from models.tasks import TASKS
from models.tasks.task import Task
from models.vocabulary import InputError

TRANSLATION_TASK = "English → French"
MODELS = {  # option → task, checkpoint
    TRANSLATION_TASK: ("translation", TRANSLATOR),
    "reversal": ("reversal", "reversal-none-64-s0"),
    "copy": ("copy", "copy-none-64-s0"),
    "addition": ("addition", "addition-none-128-s0"),
    "dates": ("dates", "dates-none-64-s0"),
}
SUGGESTIONS = {  # by task; the first is shown before anything is typed
    TRANSLATION_TASK: (PASSIVE, PRONOUN, AMBIGUOUS_BANK, SEVENTEEN_WORDS),
    "reversal": ("stressed", "bottleneck", "abc"),
    "copy": ("stressed", "bottleneck", "abc"),
    "addition": ("27+58", "9+1", "250+250"),
    "dates": ("the 3rd of march 1992", "3 mar '92", "march 3, 1992"),
}
EXAMPLES = {task: texts[0] for task, texts in SUGGESTIONS.items()}


@dataclass(frozen=True)
class Translation(Result):
    """One run. T source tokens, T' output tokens with <eos>."""

    task: str
    text: str  # what the encoder read
    example: bool  # the task's example replaced a text that belongs to another task
    t: int
    words: Words  # (T)
    outputs: Words  # (T')
    truth: Words | None  # the right output, where it is known
    right: bool | None  # whether the output is the right one
    H: np.ndarray  # (T, m)
    c: np.ndarray  # (m,)
    s_0: np.ndarray  # (m,)
    s: np.ndarray  # (T', m)
    y: np.ndarray  # (T', P) embedding of the previous output
    every: bool  # c enters every step, not only the first state
    chosen: np.ndarray  # (T',) probability of each output
    next_words: Words  # (8) the most probable at step t
    probabilities: np.ndarray  # (8,)
    rest: float  # probability of all other words together
    vocabulary: int
    exact_match: float  # on the card's test inputs

    def limits(self) -> dict[str, Any]:
        suggested = [text for text in SUGGESTIONS[self.task] if text != self.text]
        return {"t": len(self.outputs), "text": suggested}


def compute(task: str, text: str, t: int) -> Translation:
    task_name, checkpoint = MODELS[task]
    chosen_task = TASKS[task_name]
    is_example = belongs_to_another_task(text, task)
    text = EXAMPLES[task] if is_example else text
    trace = original_run(checkpoint, read_source(text, "text", chosen_task))
    t = min(t, len(trace.output))
    words, outputs = chosen_task.source.tokens(trace.source), chosen_task.target.tokens(trace.output)
    truth = reference_for(chosen_task, words)
    distribution = trace.probabilities[t - 1]  # (V,)
    best = most_probable(distribution)
    return Translation(
        task=task,
        text=text,
        example=is_example,
        t=t,
        words=words,
        outputs=outputs,
        truth=truth,
        right=matches_reference(outputs, truth),
        H=trace.H.numpy(),
        c=trace.c.numpy(),
        s_0=trace.values["initial.layer1.h"].numpy(),
        s=trace.s.numpy(),
        y=trace.values["y"].numpy(),
        every=load_model(checkpoint).config.context == "every",
        chosen=trace.logprobs.exp().numpy(),
        next_words=chosen_task.target.tokens(best),
        probabilities=distribution[best].numpy(),
        rest=float(1 - distribution[best].sum()),
        vocabulary=len(chosen_task.target),
        exact_match=load_card(checkpoint).metrics["natural"]["exact_match"],
    )


def belongs_to_another_task(text: str, task: str) -> bool:
    """Whether the text was left over when the task was changed: this task cannot read it and another one can.

    Several words with an unknown one among them are a misspelt sentence, not a text to reverse: an error.
    """
    if text in EXAMPLES.values():
        return text != EXAMPLES[task]
    own = MODELS[task][0]
    excluded = ("reversal", "copy") if own == "translation" and len(text.split()) > 1 else ()
    others = (TASKS[name] for name, _ in MODELS.values() if name not in (own, *excluded))
    problem = reading_problem(TASKS[own], text)
    if problem is None or all(reading_problem(other, text) for other in others):
        return False
    add_notice("text", problem)
    return True


def reading_problem(task: Task, text: str) -> str | None:
    """Why the task cannot read the text; None if it can."""
    try:
        task.read(text)
    except InputError as error:
        return str(error)
    return None
