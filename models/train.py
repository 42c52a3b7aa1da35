"""Training: `python -m models.train NAME…`, `all`, or `--list`.

`fit` is the whole of it, one step at a time, yielding its progress: the command line draws a bar from it, and the app
draws curves. `build` makes an untrained model, `make` trains one recipe and writes checkpoint, card and film.
A training that was stopped goes on where it was when it is asked for again; `all` leaves out what is finished.
`--measure` writes the cards again without training.
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
from models.recording import Film
from models.snapshot import Snapshot

WARMUP_STEPS = 200  # steps until the full rate, on a ladder


@dataclass(frozen=True)
class Progress:
    step: int
    steps: int
    loss: float  # nats a token, of this step's batch
    accuracy: float  # share of tokens right when fed the truth
    seconds: float  # spent training so far, pauses of the caller not counted

    @property
    def left(self) -> float:
        """Seconds to go, at the speed so far."""
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
    """AdamW with a tenth of warm-up, then a cosine down to a hundredth; gradients clipped at norm 1.

    With a budget in seconds it makes as many steps as fit, at most `steps`, and the rate follows the clock.
    With a snapshot it goes on where it was stopped, and ends as if it had never been.
    """
    model.to(device).train()
    optimiser, seconds, most = adam(model, lr), 0.0, steps
    done = snapshot.restore(model, optimiser) if snapshot else 0
    try:
        for step, batch in zip(
            range(done + 1, most + 1), islice(shuffled_for_ever(batches, seed), done, None), strict=False
        ):
            began = perf_counter()
            optimiser.param_groups[0]["lr"] = lr * warm_up_then_cosine(step - 1, steps)
            loss, right = train_step(model, optimiser, batch, device)
            seconds += perf_counter() - began
            if budget < math.inf:
                steps = min(most, max(step, round(step * budget / seconds)))
            yield Progress(step, steps, loss, right, seconds)
            if snapshot:
                snapshot.keep(step, model, optimiser)
            if seconds >= budget:
                return
    finally:  # also when the caller stops early
        model.to("cpu").eval()


def adam(model: nn.Module, lr: float) -> torch.optim.Optimizer:
    return torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98), fused=True)


def train_step(
    model: nn.Module, optimiser: torch.optim.Optimizer, batch: Batch, device: str = "cpu"
) -> tuple[float, float]:
    """One step down: the batch's loss, in nats a token, and the share of its tokens that were right."""
    loss, right = loss_and_accuracy(model, batch, device)
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    return loss.item(), right.item()


def loss_and_accuracy(
    model: nn.Module, batch: Batch, device: str = "cpu"
) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss, and the share of tokens right, when the model is fed the truth."""
    logits = model(*(tensor.to(device) for tensor in batch.inputs)).flatten(0, -2)  # (tokens, V)
    targets = batch.targets.to(device).flatten()  # (tokens,)
    right = (logits.argmax(-1) == targets)[targets != IGNORE].float().mean()
    return F.cross_entropy(logits, targets, ignore_index=IGNORE), right


def warm_up_then_cosine(step: int, steps: int, floor: float = 0.01) -> float:
    warm = max(1, steps // 10)
    if step < warm:
        return (step + 1) / warm
    return floor + (1 - floor) * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm))) / 2


def shuffled_for_ever(batches: Sequence[Batch], seed: int) -> Iterator[Batch]:
    rng = random.Random(seed)
    while True:
        yield from rng.sample(batches, len(batches))


def build(recipe: Recipe) -> AnyModel:
    """The recipe's model with fresh weights, the same for the same seed."""
    return zoo.build(recipe.kind, recipe.full_config(), recipe.seed)


def budget_ladder(
    model: nn.Module,
    batches: Sequence[Batch],
    budgets: Sequence[int],
    lr: float,
    seed: int = 0,
    check: "Check | None" = None,
    snapshot: Snapshot | None = None,
) -> Iterator[tuple[int, nn.Module]]:
    """The model after each of several budgets of steps, as if it had been trained for that budget alone.

    All share one long way, whose rate does not depend on any budget. Where four fifths of a budget are spent, a copy leaves
    it and goes down to rate nought in the last fifth, so that every budget ends as well as its steps allow.
    """
    trunk = adam(model.train(), lr)
    step = snapshot.restore(model, trunk) if snapshot else 0
    stream = islice(shuffled_for_ever(batches, seed), step, None)
    for budget in budgets:
        turn = budget - budget // 5
        if step > turn:  # a training that went on: this budget was reached before it was stopped
            continue
        while step < turn:
            step += 1
            trunk.param_groups[0]["lr"] = lr * inverse_sqrt_schedule(step)
            loss, _ = train_step(model, trunk, next(stream))
            if check:
                check.look(model, Progress(step, budgets[-1], loss, 0.0, 0.0))
            if snapshot:
                snapshot.keep(step, model, trunk)
        branch = copy.deepcopy(model)
        down = adam(branch, lr)
        down.load_state_dict(copy.deepcopy(trunk.state_dict()))
        for left, batch in zip(
            range(budget - turn, 0, -1), shuffled_for_ever(batches, seed + budget), strict=False
        ):
            down.param_groups[0]["lr"] = lr * inverse_sqrt_schedule(turn) * left / (budget - turn)
            train_step(branch, down, batch)
        yield budget, branch.eval()


def inverse_sqrt_schedule(step: int) -> float:
    """A warm-up, the full rate up to step 1,000, and from there one over the root of the steps."""
    return min(step / WARMUP_STEPS, 1.0, (1000 / step) ** 0.5)


def train_recipe(recipe: Recipe, bar: bool = True) -> zoo.Card:
    """Trains one recipe from nothing and writes what it became."""
    return train_budgets(recipe) if recipe.budgets else train_once(recipe, bar)


def train_once(recipe: Recipe, bar: bool = True) -> zoo.Card:
    film = Film(recipe) if recipe.film else None
    snapshot = (
        None if film else Snapshot(recipe.name, identity(recipe))
    )  # a film's frames are not in a snapshot
    notes = snapshot.notes if snapshot else {}
    model, batches, check, timer = build(recipe), data.batches(recipe), Check(recipe, notes), Timer(notes)
    shown = tqdm(total=recipe.steps, desc=recipe.name, disable=not bar, leave=False)
    for progress in fit(
        model, batches, recipe.steps, recipe.lr, recipe.seed, best_device(), snapshot=snapshot
    ):
        timer.stop()
        shown.update(progress.step - shown.n)
        if progress.step % 20 == 0:
            shown.set_postfix(loss=f"{progress.loss:.3f}", accuracy=f"{progress.accuracy:.3f}")
        check.look(model, progress)
        if film:
            film.look(model, progress)
        timer.start()
    timer.stop()
    shown.close()
    zoo.round_to_half(model)
    metrics = measure.card_figures(model, recipe) | {"learning": check.curve}
    if film:
        film.save()
    card = zoo.save(recipe, model, timer.seconds, metrics)
    if snapshot:
        snapshot.remove()
    return card


def train_budgets(recipe: Recipe) -> zoo.Card:
    """One training with several budgets: the card has the figures of each, the weights are the last one's.

    It is written after each of them: what is stopped on the way is a shorter training, whole."""
    snapshot = Snapshot(recipe.name, identity(recipe))
    check, timer, rungs = (
        Check(recipe, snapshot.notes),
        Timer(snapshot.notes),
        snapshot.notes.setdefault("rungs", []),
    )
    for budget, model in budget_ladder(
        build(recipe), data.batches(recipe), recipe.budgets, recipe.lr, recipe.seed, check, snapshot
    ):
        timer.stop()
        zoo.round_to_half(model)
        figures = measure.card_figures(model, recipe)
        rungs.append({"steps": budget, "validation": round(check.loss(model), 4), **figures})
        tqdm.write(f"{recipe.name} {budget}: {[row['exact_match'] for row in figures['by_length']]}")
        metrics = figures | {"learning": list(check.curve), "rungs": list(rungs)}
        card = zoo.save(replace(recipe, steps=budget), model, timer.seconds, metrics)
        timer.start()
    snapshot.remove()
    return card


def identity(recipe: Recipe) -> Json:
    """All that decides how a training goes: a snapshot of another one is of no use."""
    return asdict(recipe) | {"vocabularies": zoo.lines_of_words(recipe.task)}


class Timer:
    """Processor time spent training, also before it was stopped: a busy machine changes little."""

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


class Check:
    """Loss on sentences never trained on, now and then, so that one can see when a training stood still."""

    def __init__(self, recipe: Recipe, notes: Json | None = None, times: int = 20):
        notes = {} if notes is None else notes
        self.batches = data.validation(recipe)
        self.every = max(1, recipe.steps // times)
        self.curve: list[dict[str, float]] = notes.setdefault("curve", [])
        self.losses: list[float] = notes.setdefault("losses", [])

    def look(self, model: nn.Module, progress: Progress) -> None:
        """Called after every step. The training loss is the mean since the last look."""
        self.losses.append(progress.loss)
        if progress.step % self.every == 0:
            row = {
                "step": progress.step,
                "loss": sum(self.losses) / len(self.losses),
                "validation": self.loss(model),
            }
            self.curve.append({key: round(value, 4) for key, value in row.items()})
            self.losses.clear()

    @torch.no_grad()
    def loss(self, model: nn.Module) -> float:
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
    names = (
        [name for name in RECIPES if options.measure or not finished(name)]
        if "all" in options.names
        else options.names
    )
    run_jobs(measure_again if options.measure else train_recipe, names, options.jobs)


def finished(name: str) -> bool:
    """Whether the recipe has been trained to its end, as it stands now."""
    try:
        card = zoo.Card.read(name)
    except zoo.CheckpointError:
        return False
    return card.recipe == zoo.recipe_of(TRAINABLE[name]) and card.vocabularies == zoo.lines_of_words(
        card.task
    )


def measure_again(recipe: Recipe, bar: bool = True) -> zoo.Card:
    """The same weights, a new card; but not the card of another recipe."""
    model, card = zoo.load(recipe.name)
    if zoo.recipe_of(recipe) != card.recipe:
        raise zoo.CheckpointError(recipe.name, f"was made by another recipe ({dict(card.recipe)})")
    kept = {key: card.metrics[key] for key in ("learning", "rungs") if key in card.metrics}
    return zoo.save(recipe, model, card.seconds, measure.card_figures(model, recipe) | kept)


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
    figures = {name: value for name, value in card.metrics.get("natural", {}).items() if name != "right"}
    summary = ", ".join(f"{name} {value}" for name, value in figures.items())
    tqdm.write(f"{card.name}: {card.seconds:.0f} s, {card.parameters:,} parameters, {summary}")


if __name__ == "__main__":
    main()
