"""Train a model on a dataset for a number of seconds, measure it regularly, and show the results."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
import torch

from lessons.kit.checkpoints import Words
from lessons.kit.contract import InputError, Result
from lessons.kit.jobs import artifacts
from lessons.kit.memo import memoize
from lessons.kit.notices import add_notice
from lessons.kit.references import matches_reference
from lessons.training.dataset import MAX_HELD_OUT_PAIRS, Dataset
from lessons.training.training_run import (
    Measurement,
    Plan,
    Run,
    SavedRun,
    add_measurement,
    describe_differences,
    load_saved_runs,
    pack_run,
    start_run,
)
from models import metrics
from models.batches import Batch, pair_batches
from models.device import best_device
from models.export_script import render_script, zip_bundle
from models.tasks.task import Pair, Task
from models.train import fit, loss_and_accuracy
from models.transformer import Transformer

SAMPLES_SHOWN = 3  # number of held-out pairs shown
MIN_MEASUREMENT_INTERVAL_SECONDS = 1.0
MAX_MEASUREMENT_SHARE = 0.2  # maximum fraction of the time spent on measurements
EXTRA_OUTPUT_TOKENS = 2  # how much longer an output may be than the longest reference
MAX_STEPS = 10**6  # never reached: the time budget ends a training run long before
MAX_RUNS = 6  # maximum number of runs per visitor
NO_RUN = "There is no run in view to go on with. Train one first."


@dataclass(frozen=True)
class TrainingResult(Result):
    """The run in view (or an untrained model if there is none), and the runs it is compared with."""

    plan: Plan
    unit: str
    target_separator: str  # separator between the tokens of an output
    runs: tuple[Run, ...]  # oldest first
    called: Words  # label of each run
    view: str | None  # name of the displayed run
    source: Words  # (T)
    output: Words
    truth: Words | None  # reference output, if known
    right: bool | None
    fed: Words  # (T') target words of the attention map: the reference if known, else the output
    weights: np.ndarray | None  # (T', T); None without attention
    samples: tuple[tuple[Words, Words, bool], ...]  # held-out source, output, whether it is correct
    first_loss: float  # loss of an untrained model
    examples: tuple[str, ...]
    parts: dict[str, int]  # part of the model → number of parameters
    names: tuple[str, ...] | None = None  # set by a training run: names of its runs, the one in view first

    @property
    def run(self) -> Run | None:
        return next((run for run in self.runs if run.name == self.view), None)

    @property
    def parameters(self) -> int:
        return sum(self.parts.values())

    def home(self, name: str) -> str:
        """The download address of a run."""
        return f"export/training/live/home.zip?runs={name}"

    def limits(self) -> dict[str, Any]:
        runs = [
            [run.name, f"{n}: {words}"]
            for n, (run, words) in enumerate(zip(self.runs, self.called, strict=True), start=1)
        ]
        return {"sentence": list(self.examples), "runs": runs, "job": self.view is not None}

    def sets(self) -> dict[str, Any]:
        return {} if self.names is None else {"runs": list(self.names)}

    def idle(self) -> dict[str, str]:
        is_transformer = self.plan.cell == "Transformer"
        return {"attention": "A Transformer has its own attention."} if is_transformer else {}


TrainingResultT = TypeVar("TrainingResultT", bound=TrainingResult)


def show_model(
    dataset: Dataset, plan: Plan, model: Any, runs: Sequence[Run], view: str | None, words: Words
) -> TrainingResult:
    """Show the model's output for these words and for some held-out pairs."""
    task = dataset.task
    source, reference = task.source.ids(words), dataset.reference(words)
    [output] = write_outputs(model, dataset, [source])
    if reference is not None:
        reference = task.reference(Pair(words, reference), output)
    fed = reference if reference is not None else output
    samples = dataset.held_out[:SAMPLES_SHOWN]
    outputs = write_outputs(model, dataset, [task.source.ids(pair.source) for pair in samples])
    parts = {name: sum(p.numel() for p in part.parameters()) for name, part in model.named_children()}
    parts |= {name: weight.numel() for name, weight in model.named_parameters(recurse=False)}
    result = TrainingResult(
        plan=plan,
        unit=task.unit,
        target_separator=task.target_separator,
        runs=(),
        called=(),
        view=view,
        source=words,
        output=output,
        truth=reference,
        right=matches_reference(output, reference),
        fed=fed,
        weights=attention_weights(model, task, source, fed),
        samples=tuple(
            (pair.source, out, out == task.reference(pair, out))
            for pair, out in zip(samples, outputs, strict=True)
        ),
        first_loss=math.log(len(task.target)),
        examples=dataset.examples,
        parts=parts,
    )
    return compare_with(result, runs)


def compare_with(result: TrainingResultT, runs: Sequence[Run]) -> TrainingResultT:
    """Add the runs to compare with to the result."""
    ordered = tuple(sorted(runs, key=lambda run: run.made))
    return replace(result, runs=ordered, called=tuple(describe_differences([run.plan for run in ordered])))


def show_untrained(dataset: Dataset, plan: Plan, words: Words) -> TrainingResult:
    """Show an untrained model's output; cached for all learning rates, batch sizes and budgets."""
    return replace(untrained_result(dataset, replace(plan, power=0.0, batch=0, budget=0), words), plan=plan)


@memoize
def untrained_result(dataset: Dataset, plan: Plan, words: Words) -> TrainingResult:
    return show_model(dataset, plan, untrained_model(dataset, plan), (), None, words)


def untrained_model(dataset: Dataset, plan: Plan) -> Any:
    return plan.build_model(dataset.task).requires_grad_(False).eval()


@torch.inference_mode()
def write_outputs(model: Any, dataset: Dataset, sources: list[list[int]]) -> list[Words]:
    limit = max(len(pair.target) for pair in dataset.held_out) + EXTRA_OUTPUT_TOKENS
    return [dataset.task.target.tokens(ids) for ids in metrics.translate(model, sources, limit)]


@torch.inference_mode()
def attention_weights(model: Any, task: Task, source: list[int], fed: Words) -> np.ndarray | None:
    """Weights (T', T) when these words are fed to the decoder; for a Transformer, the last layer's mean."""
    trace = model.run(source, [*task.target.ids(fed), task.target.eos])
    if isinstance(model, Transformer):
        return trace.cross[-1].mean(0)[: len(fed)].numpy()
    return None if trace.weights is None else trace.weights[: len(fed)].numpy()


# ---- saved runs ----


def notice_expired_runs(names: Sequence[str], saved: Sequence[SavedRun]) -> None:
    if len(saved) < len(names):
        add_notice("runs", "Runs that are older than an hour have expired.")


def home(result: TrainingResult) -> bytes:
    """Pack the run in view into a zip file: weights, card, and a Python script that runs them."""
    saved_runs = load_saved_runs([result.view] if result.view else [])
    if not saved_runs:
        raise InputError("There is no run in view to take home. Train one first.")
    [saved] = saved_runs
    plan, task, model = saved.run.plan, saved.dataset.task, saved.load_model()
    name = f"{task.name}-{plan.cell.lower()}" + f"-{plan.attention}" * (plan.kind == "seq2seq")
    card = {
        "name": name,
        "config": asdict(model.config),
        "vocabularies": {"source": "\n".join(task.source.words), "target": "\n".join(task.target.words)},
        "plan": asdict(plan),
        "looks": [asdict(look) for look in saved.run.looks],
    }
    script = render_script(
        plan.kind, model.config, name, saved.dataset.examples[0], task.unit, task.target_separator
    )
    card_json = json.dumps(card, ensure_ascii=False, indent=1)
    return zip_bundle(name, saved.data, card_json.encode(), script.encode())


# ---- training ----


def continue_run(saved: SavedRun, power: float, budget: int) -> tuple[Any, Run]:
    """Continue a saved run as a new run with another learning rate and more seconds."""
    model = saved.run.plan.build_model(saved.dataset.task)
    model.load_state_dict(saved.load_model().state_dict())
    plan = replace(saved.run.plan, power=power, budget=saved.run.plan.budget + budget)
    return model, replace(start_run(plan), looks=saved.run.looks)


def train_and_show(
    dataset: Dataset,
    model: Any,
    run: Run,
    budget: float,
    show: Callable[[Run, Any], TrainingResultT],
    other_names: Sequence[str],
) -> Iterator[tuple[float, TrainingResultT]]:
    """Train for `budget` seconds; after each measurement, store the run and yield (fraction done, result)."""
    torch.set_num_threads(1)
    batches = pair_batches(dataset.training_pairs(), dataset.task, run.plan.batch)
    for measured in train_and_measure(dataset, model, run, batches, budget):
        artifacts.put(measured.name, pack_run(measured, model, dataset))
        names = (measured.name, *(name for name in other_names if name != measured.name))[:MAX_RUNS]
        yield 1 - measured.left / budget, replace(show(measured, model), names=names)


def train_and_measure(
    dataset: Dataset, model: Any, run: Run, batches: list[Batch], budget: float
) -> Iterator[Run]:
    """Yield the run after each measurement. Measuring does not count towards the training time."""
    if not run.looks:
        run = add_measurement(run, measure(model, dataset, 0.0, 0), left=budget)
        yield run
        seconds_before, steps_before = 0.0, 0
    else:
        seconds_before, steps_before = run.last.seconds, run.last.step
    measured_at, losses, cost = 0.0, [], 0.0
    for now in fit(model, batches, MAX_STEPS, 10**run.plan.power, run.plan.seed, best_device(), budget):
        losses.append(now.loss)
        is_over = now.seconds >= budget
        diverged = not math.isfinite(now.loss)
        interval = max(MIN_MEASUREMENT_INTERVAL_SECONDS, cost / MAX_MEASUREMENT_SHARE)
        if now.seconds - measured_at < interval and not (is_over or diverged):
            continue
        start = perf_counter()
        measured_at, device = now.seconds, next(model.parameters()).device
        step = steps_before + now.step
        loss = float(np.mean(losses)) if not diverged else run.last.loss
        run = add_measurement(
            run,
            measure(model.cpu().eval(), dataset, seconds_before + now.seconds, step, loss),
            speed=now.step * run.plan.batch / now.seconds,
            left=max(budget - now.seconds, 0.0) if not diverged else 0.0,
            lost=step if diverged else None,
        )
        yield run
        if diverged:
            return
        model.to(device).train()
        losses, cost = [], perf_counter() - start


@torch.no_grad()
def measure(
    model: Any, dataset: Dataset, seconds: float, step: int, loss: float | None = None
) -> Measurement:
    """Exact match and, if no loss is given, the loss on the held-out pairs."""
    model.eval()
    task, pairs = dataset.task, dataset.held_out
    outputs = write_outputs(model, dataset, [task.source.ids(pair.source) for pair in pairs])
    if loss is None:
        batches = pair_batches(pairs, task, MAX_HELD_OUT_PAIRS)
        loss = float(np.mean([loss_and_accuracy(model, batch)[0].item() for batch in batches]))
    references = [task.reference(pair, out) for pair, out in zip(pairs, outputs, strict=True)]
    exact = metrics.exact_match(outputs, references)
    return Measurement(round(seconds, 2), step, loss, exact)
