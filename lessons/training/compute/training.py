"""A real training, whatever it learns from: looked at now and then, and shown as it stands."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import Words
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import matches_reference
from lessons.training.compute.runs import Look, Plan, Run, begun, differing, looked
from models import metrics
from models.batches import Batch, pair_batches
from models.device import best_device
from models.export_script import bundle, script
from models.tasks.task import Pair, Task
from models.train import fit, loss_and_accuracy
from models.transformer import Transformer

CHECKED, SHOWN = 60, 3  # validation pairs: to measure on, to show
EVERY = 1.0  # seconds between two looks, at least
SHARE = 0.2  # of the time may go into looking
FURTHER = 2  # tokens that an output may be longer than the longest truth
MOST = 6  # runs of a visitor that are compared
NO_RUN = "There is no run in view to go on with. Train one first."


@dataclass(frozen=True, eq=False)
class Material:
    """What a run is about: the words, and what it is measured on."""

    task: Task
    checked: Sequence[Pair]  # never trained on
    examples: tuple[str, ...]  # to try
    truth: Callable[[Words], Words | None]  # of a typed sentence, where it is known


@dataclass(frozen=True)
class Live(Result):
    """The run in view, or fresh weights if there is none; and those that it is compared with."""

    plan: Plan
    unit: str
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

    def home(self, name: str) -> str:
        """Where a run can be taken home from."""
        return f"export/training/live/home.zip?runs={name}"

    def limits(self) -> dict[str, Any]:
        calls = [
            [run.name, f"{n}: {words}"]
            for n, (run, words) in enumerate(zip(self.runs, self.called, strict=True), start=1)
        ]
        return {"sentence": list(self.examples), "runs": calls, "job": self.view is not None}

    def sets(self) -> dict[str, Any]:
        return {} if self.names is None else {"runs": list(self.names)}

    def idle(self) -> dict[str, str]:
        return {"attention": "A Transformer has its own."} if self.plan.cell == "Transformer" else {}


def shown(
    plan: Plan, model: Any, material: Material, runs: Sequence[Run], view: str | None, words: Words
) -> Live:
    """How the model does on these words, and on three that it never saw."""
    task = material.task
    runs = tuple(sorted(runs, key=lambda run: run.made))
    source, truth = task.source.ids(words), material.truth(words)
    [output] = written(model, material, [source])
    fed = truth if truth is not None else output
    samples = material.checked[:SHOWN]
    outputs = written(model, material, [task.source.ids(pair.source) for pair in samples])
    return Live(
        plan=plan,
        unit=task.unit,
        runs=runs,
        called=tuple(differing([run.plan for run in runs])),
        view=view,
        source=words,
        output=output,
        truth=truth,
        right=matches_reference(output, truth),
        fed=fed,
        weights=looks_at(model, task, source, fed),
        samples=tuple(
            (pair.source, out, out == pair.target) for pair, out in zip(samples, outputs, strict=True)
        ),
        first_loss=math.log(len(task.target)),
        examples=material.examples,
        parts={
            name: sum(weight.numel() for weight in part.parameters()) for name, part in model.named_children()
        }
        | {name: weight.numel() for name, weight in model.named_parameters(recurse=False)},
    )


def untaught(plan: Plan, material: Material, words: Words) -> Live:
    """How fresh weights do. Neither the rate, nor the batch, nor the time to come changes them: found once for all of these."""
    return replace(_untaught(replace(plan, power=0.0, batch=0, budget=0), material, words), plan=plan)


@memoize
def _untaught(plan: Plan, material: Material, words: Words) -> Live:
    return shown(plan, plan.model(material.task).requires_grad_(False).eval(), material, (), None, words)


@torch.inference_mode()
def written(model: Any, material: Material, sources: list[list[int]]) -> list[Words]:
    limit = max(len(pair.target) for pair in material.checked) + FURTHER
    return [material.task.target.tokens(ids) for ids in metrics.translate(model, sources, limit)]


@torch.inference_mode()
def looks_at(model: Any, task: Task, source: list[int], fed: Words) -> np.ndarray | None:
    """(T', T) while it is fed these words; of a Transformer, the mean over the heads of its last layer."""
    target = [*task.target.ids(fed), task.target.eos]
    trace = model.run(source, target)
    if isinstance(model, Transformer):
        return trace.cross[-1].mean(0)[: len(fed)].numpy()
    return None if trace.weights is None else trace.weights[: len(fed)].numpy()


def taken_home(run: Run, model: Any, tensors: bytes, material: Material) -> bytes:
    """Weights, card, and the file that reads them."""
    plan, task = run.plan, material.task
    name = f"{task.name}-{plan.cell.lower()}" + f"-{plan.attention}" * (plan.kind == "seq2seq")
    card = {
        "name": name,
        "config": asdict(model.config),
        "vocabularies": {
            role: "\n".join(words.words) for role, words in (("source", task.source), ("target", task.target))
        },
        "plan": asdict(plan),
        "looks": [asdict(look) for look in run.looks],
    }
    text = script(plan.kind, model.config, name, material.examples[0], task.unit)
    return bundle(name, tensors, json.dumps(card, ensure_ascii=False, indent=1).encode(), text.encode())


# ---- the training itself ----


def going_on(run: Run, model: Any, task: Task, power: float, budget: int) -> tuple[Any, Run]:
    """The same weights and the same settings, but for the rate and the seconds: these are the new ones. A run of its own."""
    onward = run.plan.model(task)
    onward.load_state_dict(model.state_dict())
    new = replace(run.plan, power=power, budget=run.plan.budget + budget)
    return onward, replace(begun(new), looks=run.looks)


def trainings(run: Run, model: Any, material: Material, batches: list[Batch], budget: float) -> Iterator[Run]:
    """The run at every look. Looking takes its own time, which is not counted as training."""
    before = run.last if run.looks else None
    if before is None:
        run = looked(run, look(model, material, 0.0, 0), left=budget)
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
        measured = look(model.cpu().eval(), material, began + now.seconds, step_0 + now.step, mean)
        run = looked(run, measured, **more)
        yield run
        if broken:
            return
        model.to(device).train()
        losses, cost = [], perf_counter() - start


@torch.no_grad()
def look(model: Any, material: Material, seconds: float, step: int, loss: float | None = None) -> Look:
    model.eval()
    task, pairs = material.task, material.checked
    outputs = written(model, material, [task.source.ids(pair.source) for pair in pairs])
    if loss is None:
        loss = float(
            np.mean(
                [loss_and_accuracy(model, batch)[0].item() for batch in pair_batches(pairs, task, CHECKED)]
            )
        )
    return Look(round(seconds, 2), step, loss, metrics.exact_match(outputs, [pair.target for pair in pairs]))
