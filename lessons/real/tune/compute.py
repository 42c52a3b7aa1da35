"""Our story model answers a question about a story, before and after instruction tuning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import STORIES, Words, load_model, most_probable, read_story, story_words
from lessons.kit.contract import InputError, Result
from lessons.kit.notices import add_notice
from lessons.real.tune.tuning import (
    BASE,
    Measurement,
    Run,
    base_measurement,
    held_out_questions,
    load_saved_runs,
    save_run,
    tune_and_measure,
)
from models import decoding
from models.tasks.story_questions import make_prompt, questions_about

MAX_RUNS = 4
MAX_QUESTION_WORDS = 12
MAX_ANSWER_WORDS, MAX_STORY_WORDS_WRITTEN = 12, 20
MAX_CHARACTERS = 400
CANDIDATES_SHOWN = 6
EXAMPLES_SHOWN = 3


@dataclass(frozen=True)
class Tuning(Result):
    """One prompt read by the base model and, if there is a run, by the tuned model."""

    story: Words
    prompt: Words
    expected: Words | None  # the right answer, if our grammar can tell
    base: Measurement
    base_answer: Words
    tuned_answer: Words | None  # None before a run
    base_story: Words  # continuation of the story without the question
    tuned_story: Words | None
    candidates: Words
    base_p: np.ndarray  # (candidates,) P of the first word of the answer
    tuned_p: np.ndarray | None
    runs: tuple[Run, ...]  # the displayed run comes first
    examples: tuple[tuple[Words, Words], ...]  # prompt and answer of some unseen questions
    unseen: int  # number of questions that are measured
    names: tuple[str, ...] | None = None  # set by a job: names of the runs

    @property
    def run(self) -> Run | None:
        return self.runs[0] if self.runs else None

    @property
    def labelled_runs(self) -> list[tuple[Run, str]]:
        """The runs, oldest first, each with a label for the page."""
        ordered = sorted(self.runs, key=lambda run: run.made)
        return [
            (run, f"{n}: {run.mix}% stories, rate {10**run.power:.2g}")
            for n, run in enumerate(ordered, start=1)
        ]

    def limits(self) -> dict[str, Any]:
        return {"runs": [[run.name, label] for run, label in self.labelled_runs]}

    def sets(self) -> dict[str, Any]:
        return {} if self.names is None else {"runs": list(self.names)}


def read_prompt(story: str, question: str) -> tuple[Words, Words]:
    """The words of story and question. A missing question mark is added."""
    told = story_words(read_story(story, "story"))
    asked = story_words(read_story(question, "question"))
    if asked[-1] != "?":
        asked = (*asked, "?")
    if len(asked) > MAX_QUESTION_WORDS:
        raise InputError(f"That is {len(asked)} words. Use at most {MAX_QUESTION_WORDS}.", "question")
    return told, asked


def continue_greedily(model: Any, words: Words, limit: int) -> Words:
    """What the model writes after these words, by greedy decoding, without <eos>."""
    writer = model.writer(STORIES.vocabulary.ids(words))
    with torch.inference_mode():
        tokens = decoding.greedy(writer, limit).tokens
    return story_words(token for token in tokens if token != writer.eos)


def next_word(model: Any, words: Words) -> torch.Tensor:
    with torch.inference_mode():
        return model.run(STORIES.vocabulary.ids(words)).probabilities[-1]


def show(story: Words, question: Words, runs: Sequence[Run], tuned: Any) -> Tuning:
    """Read the prompt with the base model and the tuned one; `tuned` is None if there is no run."""
    base, prompt = load_model(BASE), make_prompt(story, question)
    p = [next_word(model, prompt) for model in (base, tuned) if model]
    shown = most_probable(*reversed(p), shown=CANDIDATES_SHOWN)
    fitting = [
        known.answer for known in questions_about(story, STORIES.choices) if known.question == question
    ]
    questions, _ = held_out_questions()
    return Tuning(
        story=story,
        prompt=prompt,
        expected=fitting[0] if fitting else None,
        base=base_measurement(),
        base_answer=continue_greedily(base, prompt, MAX_ANSWER_WORDS),
        tuned_answer=continue_greedily(tuned, prompt, MAX_ANSWER_WORDS) if tuned else None,
        base_story=continue_greedily(base, story, MAX_STORY_WORDS_WRITTEN),
        tuned_story=continue_greedily(tuned, story, MAX_STORY_WORDS_WRITTEN) if tuned else None,
        candidates=story_words(shown),
        base_p=p[0][shown].numpy(),
        tuned_p=p[1][shown].numpy() if tuned else None,
        runs=tuple(runs),
        examples=tuple(
            (known.prompt, known.answer)
            for known in questions[:: len(questions) // EXAMPLES_SHOWN][:EXAMPLES_SHOWN]
        ),
        unseen=len(questions),
    )


def compute(story: str, question: str, mix: int, power: float, budget: int, runs: tuple[str, ...]) -> Tuning:
    told, asked = read_prompt(story, question)
    saved = load_saved_runs(runs)
    if len(saved) < len(runs):
        add_notice("runs", "Runs that are older than an hour have expired.")
    return show(told, asked, [each.run for each in saved], saved[0].load_model() if saved else None)


def tune(
    story: str, question: str, mix: int, power: float, budget: int, runs: tuple[str, ...]
) -> Iterator[tuple[float, Tuning]]:
    """Tune for `budget` seconds; after each measurement, store the run and yield (fraction done, result)."""
    torch.set_num_threads(1)
    told, asked = read_prompt(story, question)
    others = [each.run for each in load_saved_runs(runs)][: MAX_RUNS - 1]
    for run, model in tune_and_measure(mix, power, budget):
        save_run(run, model)
        shown = [run, *others]
        result = show(told, asked, shown, model)
        yield 1 - run.left / budget, replace(result, names=tuple(each.name for each in shown))
