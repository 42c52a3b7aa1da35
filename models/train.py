"""Training: `python -m models.train NAME…`, `all`, or `--list`.

`fit` is the whole of it, one step at a time, yielding its progress: the command line draws a bar from it, and the app
draws curves. `build` makes a model with fresh weights, `make` trains one recipe and writes checkpoint, card and film.
`--measure` writes the cards anew without training.
"""

import argparse
import math
import multiprocessing
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F
from tqdm import tqdm

from models import data, measure, zoo
from models.batches import IGNORE, Batch
from models.device import best_device
from models.film import Film
from models.recipes import RECIPES, Recipe


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
    model: nn.Module, batches: Sequence[Batch], steps: int, lr: float, seed: int = 0, device: str = "cpu"
) -> Iterator[Progress]:
    """AdamW with a tenth of warm-up, then a cosine down to a hundredth; gradients clipped at norm 1."""
    model.to(device).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: warm_up_then_cosine(step, steps))
    seconds = 0.0
    try:
        for step, batch in zip(range(1, steps + 1), shuffled_for_ever(batches, seed), strict=False):
            began = perf_counter()
            logits = model(*(tensor.to(device) for tensor in batch.inputs)).flatten(0, -2)  # (tokens, V)
            targets = batch.targets.to(device).flatten()  # (tokens,)
            loss = F.cross_entropy(logits, targets, ignore_index=IGNORE)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            right = (logits.argmax(-1) == targets)[targets != IGNORE].float().mean()
            seconds += perf_counter() - began
            yield Progress(step, steps, loss.item(), right.item(), seconds)
    finally:  # also when the caller stops early
        model.to("cpu").eval()


def warm_up_then_cosine(step: int, steps: int, floor: float = 0.01) -> float:
    warm = max(1, steps // 10)
    if step < warm:
        return (step + 1) / warm
    return floor + (1 - floor) * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm))) / 2


def shuffled_for_ever(batches: Sequence[Batch], seed: int) -> Iterator[Batch]:
    rng = random.Random(seed)
    while True:
        yield from rng.sample(batches, len(batches))


def build(recipe: Recipe) -> Any:
    """The recipe's model with fresh weights, the same for the same seed."""
    return zoo.build(recipe.kind, recipe.full_config(), recipe.seed)


def make(recipe: Recipe, bar: bool = True) -> zoo.Card:
    """Trains one recipe from nothing and writes what it became."""
    model, film = build(recipe), Film(recipe) if recipe.film else None
    batches = data.batches(recipe)
    shown = tqdm(total=recipe.steps, desc=recipe.name, disable=not bar, leave=False)
    for progress in fit(model, batches, recipe.steps, recipe.lr, recipe.seed, best_device()):
        shown.update()
        if progress.step % 20 == 0:
            shown.set_postfix(loss=f"{progress.loss:.3f}", accuracy=f"{progress.accuracy:.3f}")
        if film:
            film.look(model, progress)
    shown.close()
    zoo.round_to_half(model)
    metrics = measure.card_figures(model, recipe)
    if film:
        film.save()
    return zoo.save(recipe, model, seconds=progress.seconds, metrics=metrics)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="recipes to train, or `all`")
    parser.add_argument("--list", action="store_true", help="list the recipes and stop")
    parser.add_argument("--measure", action="store_true", help="only measure again what is trained")
    parser.add_argument("--jobs", type=int, default=2, help="how many to train side by side, one thread each (2)")
    options = parser.parse_args(arguments)
    if options.list or not options.names:
        for recipe in RECIPES.values():
            print(f"{recipe.name:32} {recipe.task:12} {recipe.steps:6} steps  {recipe.kind}")
        return
    unknown = [name for name in options.names if name not in RECIPES and name != "all"]
    if unknown:
        sys.exit(f"no recipe is called {', '.join(unknown)}; `python -m models.train --list` names them all")
    names = list(RECIPES) if "all" in options.names else options.names
    work(measure_again if options.measure else make, names, options.jobs)


def measure_again(recipe: Recipe, bar: bool = True) -> zoo.Card:
    """The same weights, a new card; but not the card of another recipe."""
    model, card = zoo.load(recipe.name)
    if zoo.recipe_of(recipe) != card.recipe:
        raise zoo.CheckpointError(recipe.name, f"was made by another recipe ({dict(card.recipe)})")
    return zoo.save(recipe, model, card.seconds, measure.card_figures(model, recipe))


def work(job: Callable[[Recipe, bool], zoo.Card], names: Sequence[str], jobs: int) -> None:
    jobs = min(jobs, len(names))
    torch.set_num_threads(1 if jobs > 1 else torch.get_num_threads())
    if jobs == 1:
        for name in names:
            report(job(RECIPES[name], True))
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        running = {pool.submit(job, RECIPES[name], False): name for name in names}
        for done in tqdm(as_completed(running), total=len(running), unit="model"):
            report(done.result())


def report(card: zoo.Card) -> None:
    summary = ", ".join(f"{name} {value}" for name, value in card.metrics.get("natural", {}).items())
    tqdm.write(f"{card.name}: {card.seconds:.0f} s, {card.parameters:,} parameters, {summary}")


if __name__ == "__main__":
    main()
