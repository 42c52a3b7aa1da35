"""Training: `python -m models.train NAME…`, `all`, or `--list`.

`fit` trains one step at a time and yields its progress, which the command line shows as a bar and the app as
curves. `build` makes an untrained model; `train_recipe` trains it and writes checkpoint, card and film.
A stopped run resumes from its snapshot. `all` skips finished recipes. `--measure` only updates the metrics.
"""

import argparse
import copy
import math
import multiprocessing
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from itertools import islice
from time import perf_counter, process_time

import torch
from torch import nn
from torch.nn import functional as F
from tqdm import tqdm

from models import data, measure, zoo
from models.batches import IGNORE, Batch
from models.device import best_device
from models.dynamic_types import AnyModel, Json
from models.recipes import RECIPES, TRAINABLE, Recipe
from models.recording import FilmRecorder
from models.snapshot import Snapshot

WARMUP_STEPS = 200  # warm-up of a budget ladder


@dataclass(frozen=True)
class Progress:
    step: int
    steps: int
    loss: float  # nats per token, on this step's batch
    accuracy: float  # fraction of correct tokens, with teacher forcing
    seconds: float  # processor seconds spent in training steps so far

    @property
    def seconds_left(self) -> float:
        """Remaining time, estimated from the speed so far."""
        return self.seconds / self.step * (self.steps - self.step)


def fit(
    model: nn.Module,
    batches: Sequence[Batch],
    steps: int,
    lr: float,
    seed: int = 0,
    device: str = "cpu",
    budget: float = math.inf,
    snapshot: Snapshot | None = None,
) -> Iterator[Progress]:
    """Train with AdamW: warm-up for a tenth of the steps, cosine decay to 1% of the rate, clipping at norm 1.

    With a budget in seconds, train for as many steps as fit, at most `steps`; the schedule follows the clock.
    With a snapshot, resume from it; the final weights are the same as without the interruption.
    """
    model.to(device).train()
    optimiser, seconds, max_steps = make_optimiser(model, lr), 0.0, steps
    done = snapshot.restore(model, optimiser) if snapshot else 0
    stream = islice(shuffle_forever(batches, seed), done, None)
    try:
        for step, batch in zip(range(done + 1, max_steps + 1), stream, strict=False):
            began = perf_counter()
            optimiser.param_groups[0]["lr"] = lr * warm_up_then_cosine(step - 1, steps)
            loss, accuracy = train_step(model, optimiser, batch, device)
            seconds += perf_counter() - began
            if budget < math.inf:
                steps = min(max_steps, max(step, round(step * budget / seconds)))
            yield Progress(step, steps, loss, accuracy, seconds)
            if snapshot:
                snapshot.save_if_due(step, model, optimiser)
            if seconds >= budget:
                return
    finally:  # restore the state even if the caller stops early
        model.to("cpu").eval()


def make_optimiser(model: nn.Module, lr: float) -> torch.optim.Optimizer:
    return torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98), fused=True)


def train_step(
    model: nn.Module, optimiser: torch.optim.Optimizer, batch: Batch, device: str = "cpu"
) -> tuple[float, float]:
    """Make one optimiser step. Returns the loss of the batch, in nats per token, and its accuracy."""
    loss, accuracy = loss_and_accuracy(model, batch, device)
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    return loss.item(), accuracy.item()


def loss_and_accuracy(
    model: nn.Module, batch: Batch, device: str = "cpu"
) -> tuple[torch.Tensor, torch.Tensor]:
    """Cross-entropy and fraction of correct tokens, with teacher forcing."""
    logits = model(*(tensor.to(device) for tensor in batch.inputs)).flatten(0, -2)  # (tokens, V)
    targets = batch.targets.to(device).flatten()  # (tokens,)
    accuracy = (logits.argmax(-1) == targets)[targets != IGNORE].float().mean()
    return F.cross_entropy(logits, targets, ignore_index=IGNORE), accuracy


def warm_up_then_cosine(step: int, steps: int, floor: float = 0.01) -> float:
    """Learning-rate factor: linear warm-up, then cosine decay from 1 to `floor`."""
    warmup = max(1, steps // 10)
    if step < warmup:
        return (step + 1) / warmup
    return floor + (1 - floor) * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup))) / 2


def shuffle_forever(batches: Sequence[Batch], seed: int) -> Iterator[Batch]:
    rng = random.Random(seed)
    while True:
        yield from rng.sample(batches, len(batches))


def build(recipe: Recipe) -> AnyModel:
    """Build the untrained model of a recipe. The same seed gives the same weights."""
    return zoo.build(recipe.kind, recipe.full_config(), recipe.seed)


def budget_ladder(
    model: nn.Module,
    batches: Sequence[Batch],
    budgets: Sequence[int],
    lr: float,
    seed: int = 0,
    curve: "ValidationCurve | None" = None,
    snapshot: Snapshot | None = None,
) -> Iterator[tuple[int, nn.Module]]:
    """Yield the model after each of several step budgets, as if trained for that budget alone.

    All budgets share one long run, whose learning rate does not depend on the budgets. After four fifths of a
    budget a copy branches off, and its learning rate decays to 0 over the last fifth.
    """
    trunk = make_optimiser(model.train(), lr)
    step = snapshot.restore(model, trunk) if snapshot else 0
    stream = islice(shuffle_forever(batches, seed), step, None)
    for budget in budgets:
        decay_steps = budget // 5
        branch_step = budget - decay_steps
        if step > branch_step:  # resumed run: this budget was already finished
            continue
        while step < branch_step:
            step += 1
            trunk.param_groups[0]["lr"] = lr * inverse_sqrt_schedule(step)
            loss, _ = train_step(model, trunk, next(stream))
            if curve:
                curve.after_step(model, Progress(step, budgets[-1], loss, 0.0, 0.0))
            if snapshot:
                snapshot.save_if_due(step, model, trunk)
        branch = copy.deepcopy(model)
        optimiser = make_optimiser(branch, lr)
        optimiser.load_state_dict(copy.deepcopy(trunk.state_dict()))
        branch_stream = shuffle_forever(batches, seed + budget)
        for left, batch in zip(range(decay_steps, 0, -1), branch_stream, strict=False):
            optimiser.param_groups[0]["lr"] = lr * inverse_sqrt_schedule(branch_step) * left / decay_steps
            train_step(branch, optimiser, batch)
        yield budget, branch.eval()


def inverse_sqrt_schedule(step: int) -> float:
    """Learning-rate factor: warm-up, then 1 up to step 1,000, then √(1000 / step)."""
    return min(step / WARMUP_STEPS, 1.0, (1000 / step) ** 0.5)


def train_recipe(recipe: Recipe, bar: bool = True) -> zoo.Card:
    """Train a recipe and write its checkpoint and card."""
    return train_budgets(recipe) if recipe.budgets else train_once(recipe, bar)


def train_once(recipe: Recipe, bar: bool = True) -> zoo.Card:
    film = FilmRecorder(recipe) if recipe.film else None
    snapshot = None if film else Snapshot(recipe.name, snapshot_key(recipe))  # films cannot be resumed
    notes = snapshot.notes if snapshot else {}
    model, batches = build(recipe), data.training_batches(recipe)
    curve, timer = ValidationCurve(recipe, notes), CpuTimer(notes)
    tqdm_bar = tqdm(total=recipe.steps, desc=recipe.name, disable=not bar, leave=False)
    steps = fit(model, batches, recipe.steps, recipe.lr, recipe.seed, best_device(), snapshot=snapshot)
    for progress in steps:
        timer.stop()
        tqdm_bar.update(progress.step - tqdm_bar.n)
        if progress.step % 20 == 0:
            tqdm_bar.set_postfix(loss=f"{progress.loss:.3f}", accuracy=f"{progress.accuracy:.3f}")
        curve.after_step(model, progress)
        if film:
            film.after_step(model, progress)
        timer.start()
    timer.stop()
    tqdm_bar.close()
    zoo.round_to_half(model)
    metrics = measure.card_metrics(model, recipe) | {"learning": curve.rows}
    if film:
        film.save()
    card = zoo.save(recipe, model, timer.seconds, metrics)
    if snapshot:
        snapshot.remove()
    return card


def train_budgets(recipe: Recipe) -> zoo.Card:
    """Train with several budgets. The card contains metrics for each; the weights are from the last.

    Checkpoint and card are written after each budget, so a stopped run leaves a complete shorter result.
    """
    snapshot = Snapshot(recipe.name, snapshot_key(recipe))
    notes, batches = snapshot.notes, data.training_batches(recipe)
    curve, timer, rungs = ValidationCurve(recipe, notes), CpuTimer(notes), notes.setdefault("rungs", [])
    ladder = budget_ladder(build(recipe), batches, recipe.budgets, recipe.lr, recipe.seed, curve, snapshot)
    for budget, model in ladder:
        timer.stop()
        zoo.round_to_half(model)
        metrics = measure.card_metrics(model, recipe)
        rungs.append({"steps": budget, "validation": round(curve.validation_loss(model), 4), **metrics})
        tqdm.write(f"{recipe.name} {budget}: {[row['exact_match'] for row in metrics['by_length']]}")
        metrics |= {"learning": list(curve.rows), "rungs": list(rungs)}
        card = zoo.save(replace(recipe, steps=budget), model, timer.seconds, metrics)
        timer.start()
    snapshot.remove()
    return card


def snapshot_key(recipe: Recipe) -> Json:
    """Everything that a training run depends on. A snapshot can be resumed only if its key is the same."""
    return asdict(recipe) | {"vocabularies": zoo.vocabulary_lines(recipe.task)}


class CpuTimer:
    """Measure processor time spent training, over all resumed parts. Other processes hardly affect it."""

    def __init__(self, notes: Json):
        self.notes, self.began = notes, process_time()

    def start(self) -> None:
        self.began = process_time()

    def stop(self) -> None:
        self.notes["seconds"] = self.seconds + process_time() - self.began
        self.began = process_time()

    @property
    def seconds(self) -> float:
        return self.notes.get("seconds", 0.0)


class ValidationCurve:
    """Record training and validation loss about `times` times per training run."""

    def __init__(self, recipe: Recipe, notes: Json | None = None, times: int = 20):
        notes = {} if notes is None else notes
        self.batches = data.validation_batches(recipe)
        self.every = max(1, recipe.steps // times)
        self.rows: list[dict[str, float]] = notes.setdefault("curve", [])
        self.losses: list[float] = notes.setdefault("losses", [])

    def after_step(self, model: nn.Module, progress: Progress) -> None:
        """Record a row if due. Call this after every step. Training loss is the mean since the last row."""
        self.losses.append(progress.loss)
        if progress.step % self.every == 0:
            row = {
                "step": progress.step,
                "loss": sum(self.losses) / len(self.losses),
                "validation": self.validation_loss(model),
            }
            self.rows.append({key: round(value, 4) for key, value in row.items()})
            self.losses.clear()

    @torch.no_grad()
    def validation_loss(self, model: nn.Module) -> float:
        device = str(next(model.parameters()).device)
        model.eval()
        losses = [loss_and_accuracy(model, batch, device)[0].item() for batch in self.batches]
        model.train()
        return sum(losses) / len(losses)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__.split("\n")[0])
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="recipes to train, or `all` that are not trained yet"
    )
    parser.add_argument("--list", action="store_true", help="list the recipes and stop")
    parser.add_argument("--measure", action="store_true", help="only measure again what is trained")
    parser.add_argument(
        "--jobs", type=int, default=2, help="how many to train side by side, one thread each (2)"
    )
    options = parser.parse_args(arguments)
    if options.list or not options.names:
        for recipe in TRAINABLE.values():
            print(f"{recipe.name:32} {recipe.task:12} {recipe.steps:6} steps  {recipe.kind}")
        return
    unknown = [name for name in options.names if name not in TRAINABLE and name != "all"]
    if unknown:
        sys.exit(f"no recipe is called {', '.join(unknown)}; `python -m models.train --list` names them all")
    names = options.names
    if "all" in names:
        names = [name for name in RECIPES if options.measure or not is_finished(name)]
    run_jobs(measure_again if options.measure else train_recipe, names, options.jobs)


def is_finished(name: str) -> bool:
    """Whether the recipe in its current form has been fully trained."""
    try:
        card = zoo.Card.read(name)
    except zoo.CheckpointError:
        return False
    is_same = card.recipe == zoo.recipe_fields(TRAINABLE[name])
    return is_same and card.vocabularies == zoo.vocabulary_lines(card.task)


def measure_again(recipe: Recipe, bar: bool = True) -> zoo.Card:
    """Write a new card for existing weights. Raises CheckpointError if they come from another recipe."""
    model, card = zoo.load(recipe.name)
    if zoo.recipe_fields(recipe) != card.recipe:
        raise zoo.CheckpointError(recipe.name, f"was made by another recipe ({dict(card.recipe)})")
    curves = {key: card.metrics[key] for key in ("learning", "rungs") if key in card.metrics}
    return zoo.save(recipe, model, card.seconds, measure.card_metrics(model, recipe) | curves)


def run_jobs(job: Callable[[Recipe, bool], zoo.Card], names: Sequence[str], jobs: int) -> None:
    jobs = max(1, min(jobs, len(names)))
    torch.set_num_threads(1 if jobs > 1 else torch.get_num_threads())
    if jobs == 1:
        for name in names:
            report(job(TRAINABLE[name], True))
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        running = {pool.submit(job, TRAINABLE[name], False): name for name in names}
        for done in tqdm(as_completed(running), total=len(running), unit="model"):
            report(done.result())


def report(card: zoo.Card) -> None:
    metrics = card.metrics.get("natural", {})
    summary = ", ".join(f"{name} {value}" for name, value in metrics.items() if name != "right")
    tqdm.write(f"{card.name}: {card.seconds:.0f} s, {card.parameters:,} parameters, {summary}")


if __name__ == "__main__":
    main()
