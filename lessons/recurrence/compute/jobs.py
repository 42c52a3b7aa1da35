"""One recurrence, three uses. What differs is which states are looked at, and where the inputs come from."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from lessons.kit.checkpoints import (
    TRANSLATION,
    Words,
    english,
    french,
    original_run,
    read_source,
    read_story,
    story_words,
)
from lessons.kit.contract import Result
from lessons.kit.references import matches_reference, reference_for
from models.seq2seq import Seq2SeqTrace
from models.vocabulary import BOS, InputError

ROLES = ("encoder", "language model", "decoder")
TRANSLATOR = "translation-none-128-s0"  # no attention: the last state is all that is handed over
READER = "stories-gru-1"


def translated(text: str) -> Seq2SeqTrace:
    return original_run(TRANSLATOR, read_source(text, "text"))


@dataclass(frozen=True)
class Role(Result):
    role: str
    model: str  # the checkpoint
    t: int  # step looked at, 1-based
    words: Words  # what is read, one a step
    states: np.ndarray  # (T, m)
    start: np.ndarray  # (m,) the state before the first step
    outputs: Words  # the likeliest word at every step; () where none is asked for
    probabilities: np.ndarray  # (T,) of the outputs
    used: tuple[int, ...]  # steps (0-based) whose state something else looks at
    fed_back: bool  # an output is the next input
    source: Words = ()  # what an encoder read before a decoder's first step,
    source_states: np.ndarray | None = None  # (words, m) its states,
    context: np.ndarray | None = None  # (m,) and the last of them
    truth: Words | None = None  # what a decoder should write, where it is known
    right: bool | None = None  # and whether it does
    _text: str = ""

    @cached_property
    def jobs(self) -> tuple["Job", ...]:
        """The same text in all three jobs."""
        return tuple(job(role, self._text) for role in ROLES)

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}


@dataclass(frozen=True)
class Job:
    """One job in short; nothing read where its model does not know the words."""

    role: str
    reads: Words = ()
    used: int = 0  # states
    writes: Words = ()


def job(role: str, text: str) -> Job:
    try:
        run = roles(role, text, 1)
    except InputError:
        return Job(role)
    return Job(role, run.words, len(run.used), run.outputs)


def roles(role: str, text: str, t: int) -> Role:
    play = {"encoder": encoder, "language model": language_model, "decoder": decoder}[role]
    return replace(play(text, t), _text=text)


def encoder(text: str, t: int) -> Role:
    """Reads to the end; only then is it asked for something: its last state."""
    trace = translated(text)
    words, states = english(trace.source), trace.H.numpy()
    last = (len(words) - 1,)
    return Role(
        "encoder", TRANSLATOR, min(t, len(words)), words, states, 0 * states[0], (), np.zeros(0), last, False
    )


def language_model(text: str, t: int) -> Role:
    """Every state is asked for the next word, and then reads the true one."""
    trace = original_run(READER, read_story(text))
    words, states = story_words(trace.tokens), trace.h[0].numpy()
    likely, shares = story_words(trace.probabilities.argmax(-1)), trace.probabilities.amax(-1).numpy()
    every = tuple(range(len(words)))
    return Role(
        "language model",
        READER,
        min(t, len(words)),
        words,
        states,
        0 * states[0],
        likely,
        shares,
        every,
        False,
    )


def decoder(text: str, t: int) -> Role:
    """Starts from what the encoder left, and reads what it has just written."""
    trace = translated(text)
    source, outputs = english(trace.source), french(trace.output)
    truth = reference_for(TRANSLATION, source)
    words, start = (BOS, *outputs[:-1]), trace.values["first.layer1.h"].numpy()
    shares = trace.probabilities.amax(-1).numpy()
    role = Role(
        "decoder",
        TRANSLATOR,
        min(t, len(words)),
        words,
        trace.s.numpy(),
        start,
        outputs,
        shares,
        tuple(range(len(words))),
        True,
    )
    return replace(
        role,
        source=source,
        source_states=trace.H.numpy(),
        context=trace.c.numpy(),
        truth=truth,
        right=matches_reference(outputs, truth),
    )
