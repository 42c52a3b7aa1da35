"""An encoder reads and a decoder writes; any output can be scored; a wrong word can be put in its mouth."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from lessons.bottleneck.compute.common import TRANSLATOR, figures, taught
from lessons.bottleneck.examples import HOUSE, LETTER, MARKET, RIVER
from lessons.kit.checkpoints import (
    FINAL_MARKS,
    TRANSLATION,
    Tokens,
    Words,
    english,
    french,
    load_model,
    most_probable,
    original_run,
    read_source,
    read_target,
)
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.notices import add_notice
from lessons.kit.references import Places, differing_positions, matches_reference, reference_for
from models.seq2seq import Seq2SeqTrace
from models.tasks import TASKS
from models.tasks.task import Task
from models.vocabulary import BOS, InputError, Vocabulary

# ---- step by step ----

MODELS = {  # what the learner picks → task, checkpoint
    "English → French": ("translation", TRANSLATOR),
    "reversal": ("reversal", "reversal-none-64-s0"),
    "copy": ("copy", "copy-none-64-s0"),
    "addition": ("addition", "addition-none-128-s0"),
    "dates": ("dates", "dates-none-64-s0"),
}
SUGGESTED = {  # texts of each task; the first is shown before anything is typed
    "English → French": (HOUSE, MARKET, RIVER, LETTER),
    "reversal": ("stressed", "bottleneck", "abc"),
    "copy": ("stressed", "bottleneck", "abc"),
    "addition": ("27+58", "9+1", "250+250"),
    "dates": ("the 3rd of march 1992", "3 mar '92", "march 3, 1992"),
}
EXAMPLES = {task: texts[0] for task, texts in SUGGESTED.items()}


@dataclass(frozen=True)
class Translation(Result):
    """T source tokens, T' output tokens with <eos>."""

    task: str
    text: str  # what was read
    example: bool  # this task's example, in place of a text that belongs to another task
    t: int
    words: Words  # (T)
    outputs: Words  # (T')
    truth: Words | None  # the right output, where it is known
    right: bool | None  # is the output the truth
    H: np.ndarray  # (T, m)
    c: np.ndarray  # (m,)
    s_0: np.ndarray  # (m,)
    s: np.ndarray  # (T', m)
    y: np.ndarray  # (T', P) the previous output, as the cell sees it
    every: bool  # c enters every step, not only the first state
    chosen: np.ndarray  # (T',) probability of each output
    next_words: Words  # (8) at step t
    probabilities: np.ndarray  # (8,)
    rest: float  # of the probability, over all other words
    vocabulary: int
    exact_match: float  # on the card: test sentences like those trained on

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.outputs), "text": [text for text in SUGGESTED[self.task] if text != self.text]}


def translate(task: str, text: str, t: int) -> Translation:
    name, checkpoint = MODELS[task]
    kind = TASKS[name]
    example = is_of_another_task(text, task)
    text = EXAMPLES[task] if example else text
    trace = original_run(checkpoint, read_source(text, "text", kind))
    t = min(t, len(trace.output))
    words, outputs = kind.source.tokens(trace.source), kind.target.tokens(trace.output)
    truth = reference_for(kind, words)
    now = trace.probabilities[t - 1]
    best = most_probable(now)
    return Translation(
        task=task,
        text=text,
        example=example,
        t=t,
        words=words,
        outputs=outputs,
        truth=truth,
        right=matches_reference(outputs, truth),
        H=trace.H.numpy(),
        c=trace.c.numpy(),
        s_0=trace.values["first.layer1.h"].numpy(),
        s=trace.s.numpy(),
        y=trace.values["y"].numpy(),
        every=load_model(checkpoint).config.context == "every",
        chosen=trace.logprobs.exp().numpy(),
        next_words=kind.target.tokens(best),
        probabilities=now[best].numpy(),
        rest=float(1 - now[best].sum()),
        vocabulary=len(kind.target),
        exact_match=figures(checkpoint)["natural"]["exact_match"],
    )


def is_of_another_task(text: str, task: str) -> bool:
    """Whether the text was left over when the task was changed: this task cannot read it and another one can.

    Several words of which one is unknown are a misspelt sentence and no text to reverse or copy: they stay an error.
    """
    if text in EXAMPLES.values():
        return text != EXAMPLES[task]
    own = MODELS[task][0]
    refused = ("reversal", "copy") if own == "translation" and len(text.split()) > 1 else ()
    others = (TASKS[name] for name, _ in MODELS.values() if name not in (own, *refused))
    if (why := why_unreadable(TASKS[own], text)) is None or all(
        why_unreadable(other, text) for other in others
    ):
        return False
    add_notice("text", why)
    return True


def why_unreadable(task: Task, text: str) -> str | None:
    try:
        task.read(text)
    except InputError as error:
        return str(error)
    return None


# ---- any output can be scored ----


@dataclass(frozen=True)
class Scored(Result):
    """First the model's own output, then the candidate; each ends in <eos>, which is a factor like any other."""

    words: Words  # (T) the source
    truth: Words | None  # the translation by the grammar, where it is known
    right: tuple[bool | None, bool | None]  # own, candidate
    own: Words  # (n)
    own_factors: np.ndarray  # (n,) P(y_t | y_<t, x)
    candidate: Words  # (k)
    factors: np.ndarray  # (k,)
    preferred: Words  # (k) what the model would have said at each place of the candidate
    preferred_factors: np.ndarray  # (k,)
    changed: Places  # places of the candidate that differ from its own output
    logs: tuple[np.ndarray, np.ndarray]  # log of each factor: own (n,), candidate (k,)

    @property
    def log_p(self) -> tuple[float, float]:
        """log P(own | x), log P(candidate | x)"""
        return float(self.logs[0].sum()), float(self.logs[1].sum())


def candidate_of(text: str, mark: str) -> Tokens:
    """Typed French. No translation ends without its final mark: one that is missing is added, and that is said."""
    tokens = read_target(text, "candidate")
    if french(tokens[-1:])[0] in FINAL_MARKS:
        return tokens
    add_notice("candidate", f"A {FINAL_MARKS[mark]} was added.")
    return (*tokens, *TRANSLATION.target.ids((mark,)))


def score(text: str, candidate: str) -> Scored:
    source = read_source(text, "text")
    target = (*candidate_of(candidate, english(source)[-1]), Vocabulary.eos)
    own, forced = original_run(TRANSLATOR, source), original_run(TRANSLATOR, source, target)
    words, said, yours = english(source), french(own.output), french(target)
    truth = reference_for(TRANSLATION, words)
    return Scored(
        words=words,
        truth=truth,
        right=(matches_reference(said, truth), matches_reference(yours, truth)),
        own=said,
        own_factors=own.logprobs.exp().numpy(),
        candidate=yours,
        factors=forced.logprobs.exp().numpy(),
        preferred=french(forced.probabilities.argmax(-1)),
        preferred_factors=forced.probabilities.amax(-1).numpy(),
        changed=differing_positions(said, yours)[1],
        logs=(own.logprobs.numpy(), forced.logprobs.numpy()),
    )


# ---- teacher forcing, and one wrong word ----

FED = ("its own last word", "the teacher’s last word")


class Wake(NamedTuple):
    """Words after the forced one that differ from what the decoder says by itself."""

    lost: int  # said by itself, missing now
    new: int  # said only now
    moved: int = 0  # said in both, at another place


@dataclass(frozen=True)
class Forced(Result):
    """Each pair: first its own way, then with your word at step t. Taught, your word is said but never read."""

    fed: str
    t: int
    wrong: str  # "" if nothing is forced
    words: Words  # (T)
    teacher: Words  # with <eos>
    truth: Words | None  # the translation by the grammar, where it is known
    free: tuple[Words, Words]
    guesses: tuple[Words, Words]  # what it would say after the teacher's words
    right: tuple[bool | None, bool | None]  # with your word: free, taught
    changed: tuple[Places, Places]  # with your word, not as the teacher has it: in free, in guesses
    wake: tuple[Wake, Wake]  # what your word changes after step t: running free, taught
    moved: np.ndarray  # (steps,) share of the probability that went elsewhere, as fed
    next_words: Words  # (8) likeliest at step t + 1, as fed
    next_probabilities: np.ndarray  # (2, 8)
    read: Words  # what the decoder reads at each step, as fed, with your word
    outputs: Words  # and what it says
    s: np.ndarray  # (steps, m) its states
    s_0: np.ndarray  # (m,)

    def limits(self) -> dict[str, Any]:
        return {"t": min(len(self.free[0]), len(self.teacher)) - 1}

    def idle(self) -> dict[str, str]:
        return {} if self.wrong else {"t": "No word is forced at this step: type one below."}


def one_word(text: str, control: str) -> int | None:
    """A single French word, or none."""
    if not text.strip():
        return None
    tokens = read_target(text, control)
    if len(tokens) > 1:
        first, second, *_ = french(tokens)
        raise InputError(f"One word at a time, please: “{first}” or “{second}”?", control)
    return tokens[0]


@memoize
def in_its_mouth(source: Tokens, t: int, word: int) -> Seq2SeqTrace:
    """The translator runs freely, but for one word that it must say at step t."""
    return load_model(TRANSLATOR).run(source, forced={t - 1: word})


def forcing(text: str, fed: str, t: int, wrong: str) -> Forced:
    source, word = read_source(text, "text"), one_word(wrong, "wrong")
    target = taught(source)
    free, guided = original_run(TRANSLATOR, source), original_run(TRANSLATOR, source, target)
    t = max(1, min(t, len(free.output) - 1, len(target) - 1))
    yours = free if word is None else in_its_mouth(source, t, word)
    teacher, outputs = french(target), (french(free.output), french(yours.output))
    guess = french(guided.probabilities.argmax(-1))
    guesses = guess, guess if word is None else (*guess[: t - 1], *french([word]), *guess[t:])
    truth = reference_for(TRANSLATION, english(source))
    plain, shown = (
        (free, yours) if fed == FED[0] else (guided, guided)
    )  # the teacher's words come in, whatever it says
    after = torch.stack([plain.probabilities[t], shown.probabilities[t]])  # (2, V)
    best = most_probable(after.amax(0))
    return Forced(
        fed=fed,
        t=t,
        wrong="" if word is None else french([word])[0],
        words=english(source),
        teacher=teacher,
        truth=truth,
        free=outputs,
        guesses=guesses,
        right=(matches_reference(outputs[1], truth), matches_reference(guesses[1], truth)),
        changed=(differing_positions(teacher, outputs[1])[1], differing_positions(teacher, guesses[1])[1]),
        wake=(later(t, *outputs), later(t, *guesses)),
        moved=moved(plain, shown),
        next_words=french(best),
        next_probabilities=after[:, best].numpy(),
        read=(BOS, *french(shown.output[:-1])),
        outputs=outputs[1] if fed == FED[0] else guesses[1],
        s=shown.s.numpy(),
        s_0=shown.values["first.layer1.h"].numpy(),
    )


def later(t: int, plain: Words, yours: Words) -> Wake:
    """The forced word stands in place of the word that was wanted, or before it: whichever leaves fewer differences."""
    return min((differences(plain[start:], yours[t:]) for start in (t, t - 1)), key=sum)


def differences(plain: Words, yours: Words) -> Wake:
    lost, new = (
        Counter(words[i] for i in places)
        for words, places in zip((plain, yours), differing_positions(plain, yours), strict=True)
    )
    return Wake((lost - new).total(), (new - lost).total(), (lost & new).total())


def moved(plain: Any, yours: Any) -> np.ndarray:
    """(steps,) half of |p − q|, summed, at the steps that both have."""
    steps = min(len(plain.output), len(yours.output))
    p, q = (torch.as_tensor(run.probabilities[:steps]) for run in (plain, yours))
    return (p - q).abs().sum(-1).numpy() / 2
