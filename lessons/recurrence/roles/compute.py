"""Run an encoder, a language model or a decoder on one sentence."""

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
    read_shown_story,
    read_source,
    story_words,
)
from lessons.kit.contract import Result
from lessons.kit.references import matches_reference, reference_for
from models.seq2seq import Seq2SeqTrace
from models.vocabulary import BOS, InputError

ENCODER, LANGUAGE_MODEL, DECODER = ROLES = ("encoder", "language model", "decoder")
# a model without attention: only the last state is passed on
TRANSLATOR_CHECKPOINT = "translation-none-128-s0"
STORY_CHECKPOINT = "stories-gru-1"


@dataclass(frozen=True)
class RoleRun(Result):
    role: str
    model: str  # name of the checkpoint
    t: int  # current step, from 1
    words: Words  # (T) the inputs
    states: np.ndarray  # (T, m)
    start: np.ndarray  # (m,) the state before the first step
    outputs: Words  # (T) the most probable word at every step; () for an encoder
    probabilities: np.ndarray  # (T,) of the outputs
    used: tuple[int, ...]  # steps (from 0) whose state is used outside the recurrence
    fed_back: bool  # whether each output is the next input
    source: Words = ()  # for a decoder: the words that the encoder read
    source_states: np.ndarray | None = None  # (words, m) the encoder's states
    context: np.ndarray | None = None  # (m,) the last state of the encoder
    truth: Words | None = None  # the correct output of a decoder, if known
    right: bool | None = None  # whether the decoder's output is correct
    _text: str = ""

    @cached_property
    def jobs(self) -> tuple["Job", ...]:
        """The same text in all three roles."""
        return tuple(summarise_role(role, self._text) for role in ROLES)

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}


@dataclass(frozen=True)
class Job:
    """Summary of a role; `reads` is empty if its model does not know the words."""

    role: str
    reads: Words = ()
    used: int = 0  # number of states used
    writes: Words = ()


def summarise_role(role: str, text: str) -> Job:
    try:
        run = compute(role, text, 1)
    except InputError:
        return Job(role)
    return Job(role, run.words, len(run.used), run.outputs)


def compute(role: str, text: str, t: int) -> RoleRun:
    run = {ENCODER: run_encoder, LANGUAGE_MODEL: run_language_model, DECODER: run_decoder}[role](text)
    return replace(run, t=min(t, len(run.words)), _text=text)


def run_translator(text: str) -> Seq2SeqTrace:
    return original_run(TRANSLATOR_CHECKPOINT, read_source(text, "text"))


def run_encoder(text: str) -> RoleRun:
    """Read the whole text; only the last state is used."""
    trace = run_translator(text)
    words, states = english(trace.source), trace.H.numpy()
    return RoleRun(
        role=ENCODER,
        model=TRANSLATOR_CHECKPOINT,
        t=1,
        words=words,
        states=states,
        start=0 * states[0],
        outputs=(),
        probabilities=np.zeros(0),
        used=(len(words) - 1,),
        fed_back=False,
    )


def run_language_model(text: str) -> RoleRun:
    """Predict the next word from every state, then read the true next word."""
    tokens, words = read_shown_story(text)
    trace = original_run(STORY_CHECKPOINT, tokens)
    states = trace.h[0].numpy()
    return RoleRun(
        role=LANGUAGE_MODEL,
        model=STORY_CHECKPOINT,
        t=1,
        words=words,
        states=states,
        start=0 * states[0],
        outputs=story_words(trace.probabilities.argmax(-1)),
        probabilities=trace.probabilities.amax(-1).numpy(),
        used=tuple(range(len(words))),
        fed_back=False,
    )


def run_decoder(text: str) -> RoleRun:
    """Write from the encoder's last state; every output is the next input."""
    trace = run_translator(text)
    source, outputs = english(trace.source), french(trace.output)
    truth = reference_for(TRANSLATION, source)
    return RoleRun(
        role=DECODER,
        model=TRANSLATOR_CHECKPOINT,
        t=1,
        words=(BOS, *outputs[:-1]),
        states=trace.s.numpy(),
        start=trace.values["initial.layer1.h"].numpy(),
        outputs=outputs,
        probabilities=trace.probabilities.amax(-1).numpy(),
        used=tuple(range(len(outputs))),
        fed_back=True,
        source=source,
        source_states=trace.H.numpy(),
        context=trace.c.numpy(),
        truth=truth,
        right=matches_reference(outputs, truth),
    )
