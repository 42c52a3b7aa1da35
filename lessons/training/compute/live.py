"""A real training, now: `train` runs in a process of its own and tells how far it is; `live` shows what is there."""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from time import perf_counter
from typing import Any

import numpy as np
import torch

from lessons.kit.contract import InputError, Result
from lessons.kit.remarks import remark
from lessons.kit.translators import Words, source_of
from lessons.kit.truth import is_right, truth_of
from lessons.kit.work import shelf
from lessons.training.compute.runs import Look, Plan, Run, begun, differing, kept, looked, packed, trained, unpacked
from models import metrics
from models.batches import Batch, pair_batches
from models.device import best_device
from models.home import bundle, script
from models.tasks import TASKS
from models.tasks.task import Pair, Task
from models.train import fit, judge
from models.transformer import Transformer
from models.zoo import lines_of_words

TASK_NAMES = {"dates": "dates", "reversal": "reversal", "copy": "copy", "sums": "addition", "English–French": "translation"}
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
CHECKED, SHOWN = 60, 3  # validation pairs: to measure on, to show
EVERY = 1.0  # seconds between two looks, at least
SHARE = 0.2  # of the time may go into looking
FURTHER = 2  # tokens that an output may be longer than the longest truth
MOST = 6  # runs of a visitor that are compared
BEGIN = ("fresh weights", "the run in view")


@dataclass(frozen=True)
class Live(Result):
    """The run in view, or fresh weights if there is none; and those that it is compared with."""

    plan: Plan
    runs: tuple[Run, ...]  # in the order in which they were made
    called: Words  # what each of them is called
    view: str | None  # the name of the one in view
    source: Words  # (T)
    output: Words
    truth: Words | None
    right: bool | None
    fed: Words  # (T') what the map is about: the truth where it is known
    weights: np.ndarray | None  # (T', T); None without attention
    samples: tuple[tuple[Words, Words, bool], ...]  # validation sources, outputs, right?
    first_loss: float  # of fresh weights
    examples: tuple[str, ...]
    parts: dict[str, int]  # of the model, and how many weights each has
    names: tuple[str, ...] | None = None  # of the runs, the one in view first: what long work sets

    @property
    def run(self) -> Run | None:
        return next((run for run in self.runs if run.name == self.view), None)

    @property
    def parameters(self) -> int:
        return sum(self.parts.values())

    def limits(self) -> dict[str, Any]:
        calls = [[run.name, f"{n}: {words}"] for n, (run, words) in enumerate(zip(self.runs, self.called, strict=True), start=1)]
        return {"sentence": list(self.examples), "runs": calls}

    def sets(self) -> dict[str, Any]:
        return {} if self.names is None else {"runs": list(self.names)}

    def idle(self) -> dict[str, str]:
        return {"attention": "A Transformer has its own."} if self.plan.cell == "Transformer" else {}


def live(
    task: str,
    cell: str,
    attention: str,
    width: str,
    layers: int,
    power: float,
    batch: str,
    seed: int,
    budget: int,
    begin: str,
    sentence: str,
    runs: tuple[str, ...],
) -> Live:
    plan, there = planned(task, cell, attention, width, layers, power, batch, seed, budget), kept(runs)
    if len(there) < len(runs):
        remark("runs", "What was trained more than an hour ago is gone.")
    if not there:
        return shown(plan, fresh(replace(plan, budget=0)), (), None, sentence)  # no weight depends on the time to come
    view = there[0]
    return shown(view.plan, trained(view.name, view.last.step), tuple(there), view.name, sentence)


def planned(
    task: str, cell: str, attention: str, width: str, layers: int, power: float, batch: str, seed: int, budget: int
) -> Plan:
    plan = Plan(TASK_NAMES[task], cell, attention, int(width), layers, power, int(batch), seed, budget)
    plan.config(TASKS[plan.task])  # complains
    return plan


@lru_cache(maxsize=16)
def fresh(plan: Plan) -> Any:
    return plan.model(TASKS[plan.task]).requires_grad_(False).eval()


@cache
def held_out(task: str) -> list[Pair]:
    return TASKS[task].pairs("validation", CHECKED, lengths=LENGTHS[task])


def shown(plan: Plan, model: Any, runs: tuple[Run, ...], view: str | None, sentence: str) -> Live:
    task = TASKS[plan.task]
    runs = tuple(sorted(runs, key=lambda run: run.made))
    words = read(task, sentence)
    source, truth = task.source.ids(words), truth_of(task, words)
    [output] = written(model, task, [source])
    fed = truth if truth is not None else output
    samples = held_out(plan.task)[:SHOWN]
    outputs = written(model, task, [task.source.ids(pair.source) for pair in samples])
    return Live(
        plan=plan,
        runs=runs,
        called=tuple(differing([run.plan for run in runs])),
        view=view,
        source=words,
        output=output,
        truth=truth,
        right=is_right(output, truth),
        fed=fed,
        weights=looks_at(model, task, source, fed),
        samples=tuple((pair.source, out, out == pair.target) for pair, out in zip(samples, outputs, strict=True)),
        first_loss=math.log(len(task.target)),
        examples=EXAMPLES[plan.task],
        parts={name: sum(weight.numel() for weight in part.parameters()) for name, part in model.named_children()}
        | {name: weight.numel() for name, weight in model.named_parameters(recurse=False)},
    )


def read(task: Task, sentence: str) -> Words:
    """What was typed; nothing, or another task's example, is this task's first example."""
    others = {example for name, examples in EXAMPLES.items() if name != task.name for example in examples}
    if not sentence.strip() or (sentence in others and sentence not in EXAMPLES[task.name]):
        sentence = EXAMPLES[task.name][0]
    return task.source.tokens(source_of(sentence, "sentence", task))


@torch.inference_mode()
def written(model: Any, task: Task, sources: list[list[int]]) -> list[Words]:
    limit = max(len(pair.target) for pair in held_out(task.name)) + FURTHER
    return [task.target.tokens(ids) for ids in metrics.translate(model, sources, limit)]


@torch.inference_mode()
def looks_at(model: Any, task: Task, source: list[int], fed: Words) -> np.ndarray | None:
    """(T', T) while it is fed these words; of a Transformer, the mean over the heads of its last layer."""
    target = [*task.target.ids(fed), task.target.eos]
    trace = model.run(source, target)
    if isinstance(model, Transformer):
        return trace.cross[-1].mean(0)[: len(fed)].numpy()
    return None if trace.weights is None else trace.weights[: len(fed)].numpy()


def home(run: Live) -> bytes:
    """The run in view: weights, card, and the file that reads them."""
    if run.view is None or (data := shelf.get(run.view)) is None:
        raise InputError("There is no run in view to take home. Train one first.")
    kept_run, _ = unpacked(data)
    plan, task = kept_run.plan, TASKS[kept_run.plan.task]
    name = f"{task.name}-{plan.cell.lower()}" + f"-{plan.attention}" * (plan.kind == "seq2seq")
    model = trained(kept_run.name, kept_run.last.step)
    card = {
        "name": name,
        "config": asdict(model.config),
        "vocabularies": lines_of_words(task.name),
        "plan": asdict(plan),
        "looks": [asdict(look) for look in kept_run.looks],
    }
    text = script(plan.kind, model.config, name, EXAMPLES[task.name][0], task.unit)
    return bundle(name, data, json.dumps(card, ensure_ascii=False, indent=1).encode(), text.encode())


# ---- the training itself ----


def train(sentence: str, begin: str, runs: tuple[str, ...], **settings: Any) -> Iterator[tuple[float, Live]]:
    """Looks now and then, keeps the run on the shelf, and tells how it stands."""
    torch.set_num_threads(1)
    others = kept(runs)
    if begin == BEGIN[1] and not others:
        raise InputError("There is no run in view to go on with. Begin with fresh weights.", "begin")
    plan = planned(**settings)
    if begin == BEGIN[1]:
        model, run = going_on(others[0], plan)
    else:
        model, run = plan.model(TASKS[plan.task]), begun(plan)
    task = TASKS[run.plan.task]
    batches = pair_batches(task.pairs("train", PAIRS, lengths=LENGTHS[task.name]), task, run.plan.batch)
    checks = pair_batches(held_out(task.name), task, CHECKED)
    before = others[: MOST - 1]
    for now in trainings(run, model, task, batches, checks, plan.budget):
        shelf.put(now.name, packed(now, model))
        found = shown(now.plan, model, (now, *before), now.name, sentence)
        yield 1 - now.left / plan.budget, replace(found, names=(now.name, *(other.name for other in before)))


def going_on(run: Run, plan: Plan) -> tuple[Any, Run]:
    """The same weights and the same settings, but for the rate and the seconds: these are the new ones. A run of its own."""
    model = run.plan.model(TASKS[run.plan.task])
    model.load_state_dict(trained(run.name, run.last.step).state_dict())
    new = replace(run.plan, power=plan.power, budget=run.plan.budget + plan.budget)
    return model, replace(begun(new), looks=run.looks)


def trainings(run: Run, model: Any, task: Task, batches: list[Batch], checks: list[Batch], budget: float) -> Iterator[Run]:
    """The run at every look. Looking takes its own time, which is not counted as training."""
    before = run.last if run.looks else None
    if before is None:
        run = looked(run, look(model, task, checks, 0.0, 0), left=budget)
        yield run
    began, step_0 = (before.seconds, before.step) if before else (0.0, 0)
    seen, losses, cost = 0.0, [], 0.0
    for now in fit(model, batches, 10**6, 10**run.plan.power, run.plan.seed, best_device(), budget):
        losses.append(now.loss)
        over = now.seconds >= budget
        broken = not math.isfinite(now.loss)
        if now.seconds - seen < max(EVERY, cost / SHARE) and not (over or broken):
            continue
        start = perf_counter()
        seen, device = now.seconds, next(model.parameters()).device
        more = {
            "speed": now.step * run.plan.batch / now.seconds,
            "left": max(budget - now.seconds, 0.0) if not broken else 0.0,
            "lost": step_0 + now.step if broken else None,
        }
        mean = float(np.mean(losses)) if not broken else run.last.loss
        measured = look(model.cpu().eval(), task, checks, began + now.seconds, step_0 + now.step, mean)
        run = looked(run, measured, **more)
        yield run
        if broken:
            return
        model.to(device).train()
        losses, cost = [], perf_counter() - start


@torch.no_grad()
def look(model: Any, task: Task, checks: list[Batch], seconds: float, step: int, loss: float | None = None) -> Look:
    model.eval()
    pairs = held_out(task.name)
    outputs = written(model, task, [task.source.ids(pair.source) for pair in pairs])
    if loss is None:
        loss = float(np.mean([judge(model, batch)[0].item() for batch in checks]))
    return Look(round(seconds, 2), step, loss, metrics.exact_match(outputs, [pair.target for pair in pairs]))
