"""A training on what our own grammars make: `train` runs in a process of its own and tells how far it is; `live` shows it."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import torch

from lessons.kit.checkpoints import Words, read_source
from lessons.kit.contract import InputError
from lessons.kit.jobs import artifacts
from lessons.kit.memo import memoize
from lessons.kit.notices import add_notice
from lessons.kit.references import reference_for
from lessons.training.compute import runs as making
from lessons.training.compute.runs import Plan, Run, begun, packed, rebuilt, run_of
from lessons.training.compute.training import (
    CHECKED,
    MOST,
    NO_RUN,
    Live,
    Material,
    going_on,
    shown,
    taken_home,
    trainings,
    untaught,
)
from models.batches import pair_batches
from models.tasks import TASKS
from models.tasks.task import Task

TASK_NAMES = {
    "dates": "dates",
    "reversal": "reversal",
    "copy": "copy",
    "sums": "addition",
    "English–French": "translation",
}
LENGTHS = {
    "dates": range(9, 30),
    "reversal": range(1, 11),
    "copy": range(1, 11),
    "addition": range(3, 6),
    "translation": range(3, 9),
}
EXAMPLES = {
    "dates": ("3 march 1992", "tuesday, march 3, 1992", "the 14th of july 2021"),
    "reversal": ("sequence", "attention", "abc"),
    "copy": ("sequence", "attention", "abc"),
    "addition": ("27+58", "9+9", "34+7"),
    "translation": ("he hit me with a pie .", "they will buy a beautiful house .", "is she old ?"),
}
PAIRS = 6000  # to learn from


def live(task: str, sentence: str, runs: tuple[str, ...], **settings: Any) -> Live:
    plan, there = planned(task, **settings), kept(runs)
    if len(there) < len(runs):
        add_notice("runs", "What was trained more than an hour ago is gone.")
    if not there:
        return untaught(plan, material(plan.task), read(TASKS[plan.task], sentence))
    view = there[0]
    found = material(view.plan.task)
    return shown(
        view.plan, trained(view.name, view.last.step), found, there, view.name, read(found.task, sentence)
    )


def planned(task: str, **settings: Any) -> Plan:
    name = TASK_NAMES[task]
    return making.planned(name, TASKS[name], **settings)


def kept(names: tuple[str, ...]) -> list[Run]:
    """Those that are still on the shelf."""
    found = [run_of(data) for name in names if (data := artifacts.get(name))]
    return [run for run in found if run.plan.task in TASKS]


@memoize
def trained(name: str, step: int) -> Any:
    """The model of a run as it was left at this step."""
    data = artifacts.get(name)
    if data is None:
        raise InputError("This run is no longer here. Train it again.", "runs")
    return rebuilt(data, lambda plan: TASKS[plan.task])


@cache
def material(name: str) -> Material:
    task = TASKS[name]
    return Material(
        task,
        task.pairs("validation", CHECKED, lengths=LENGTHS[name]),
        EXAMPLES[name],
        partial(reference_for, task),
    )


def read(task: Task, sentence: str) -> Words:
    """What was typed, if this task can read it; else the task's first example, so that an old text does not stop a new task."""
    example, others = EXAMPLES[task.name][0], {each for examples in EXAMPLES.values() for each in examples}
    if not sentence.strip() or (sentence in others and sentence not in EXAMPLES[task.name]):
        sentence = example
    try:
        return task.source.tokens(read_source(sentence, "sentence", task))
    except InputError as error:
        add_notice("sentence", f"{error} Until then “{example}” is shown.")
        return task.source.tokens(read_source(example, "sentence", task))


def home(run: Live) -> bytes:
    """The run in view: weights, card, and the file that reads them."""
    if run.run is None or (data := artifacts.get(run.run.name)) is None:
        raise InputError("There is no run in view to take home. Train one first.")
    return taken_home(run.run, trained(run.run.name, run.run.last.step), data, material(run.plan.task))


# ---- long work ----


def train(task: str, sentence: str, runs: tuple[str, ...], **settings: Any) -> Iterator[tuple[float, Live]]:
    plan = planned(task, **settings)
    return told(plan.model(TASKS[plan.task]), begun(plan), plan.budget, sentence, kept(runs))


def go_on(
    sentence: str, runs: tuple[str, ...], power: float, budget: int, **others: Any
) -> Iterator[tuple[float, Live]]:
    there = kept(runs)
    if not there:
        raise InputError(NO_RUN, "runs")
    last = there[0]
    model, run = going_on(last, trained(last.name, last.last.step), TASKS[last.plan.task], power, budget)
    return told(model, run, budget, sentence, there)


def told(
    model: Any, run: Run, budget: float, sentence: str, others: list[Run]
) -> Iterator[tuple[float, Live]]:
    """Looks now and then, keeps the run on the shelf, and tells how it stands."""
    torch.set_num_threads(1)
    found = material(run.plan.task)
    pairs = found.task.pairs("train", PAIRS, lengths=LENGTHS[found.task.name])
    words, before = read(found.task, sentence), others[: MOST - 1]
    for now in trainings(run, model, found, pair_batches(pairs, found.task, run.plan.batch), budget):
        artifacts.put(now.name, packed(now, model))
        stands = shown(now.plan, model, found, (now, *before), now.name, words)
        yield 1 - now.left / budget, replace(stands, names=(now.name, *(other.name for other in before)))
