"""Train with and without norms: `python -m models.norms` writes assets/norms.json.

Used in lesson `transformer`, experiment `norms`. Records short training runs with pre-norm, post-norm and no
norms at several learning rates. The runs differ only in norms, learning rate and seed.
"""

import json
import math
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path

import torch
from torch import nn

from models import data
from models.batches import Batch
from models.blocks import NORMS
from models.dynamic_types import Json
from models.recipes import Recipe
from models.train import build, fit, loss_and_accuracy

PATH = Path(__file__).parent.parent / "assets" / "norms.json"
RATES = (2e-3, 8e-3, 3.2e-2)
LAYERS, SEEDS = 2, (0, 1, 2)  # layers of the encoder, and of the decoder; seeds
STEPS, MOMENTS, EXAMPLES = 600, 13, 20_000  # with this many examples no sentence is seen twice in training
RECORDED_STEPS = tuple(round(STEPS * (moment / (MOMENTS - 1)) ** 2) or 1 for moment in range(MOMENTS))


def run_name(norm: str, lr: float, seed: int) -> str:
    return f"{LAYERS} layers, {norm}, {lr:g}, seed {seed}"


RUNS = {run_name(norm, lr, seed): (norm, lr, seed) for seed in SEEDS for lr in RATES for norm in NORMS}


def make_recipe(norm: str, lr: float, seed: int) -> Recipe:
    name, config = run_name(norm, lr, seed), {"layers": LAYERS, "norm": norm}
    return Recipe(name, "transformer", "translation", config, STEPS, lr, 32, EXAMPLES, seed=seed)


@cache
def validation_batches() -> list[Batch]:
    """Half of the usual validation data, because there are many training runs."""
    return data.validation_batches(make_recipe(*next(iter(RUNS.values()))))[::2]


def record_training(recipe: Recipe, steps: tuple[int, ...] = RECORDED_STEPS) -> Json:
    """Train, and record training loss (mean since the last row), validation loss and accuracy at some steps.

    If a loss becomes infinite or NaN, training ends and `broke` is that step.
    """
    model, losses = build(recipe), []
    film: Json = {"loss": [], "validation": [], "accuracy": [], "broke": None}
    for progress in fit(model, data.training_batches(recipe), recipe.steps, recipe.lr, recipe.seed):
        losses.append(progress.loss)
        is_recorded = progress.step in steps
        validation = validate(model, validation_batches()) if is_recorded else (0.0, 0.0)
        if not math.isfinite(progress.loss + validation[0]):
            return film | {"broke": progress.step}
        if is_recorded:
            for name, value in zip(film, (sum(losses) / len(losses), *validation), strict=False):
                film[name].append(round(value, 4))
            losses.clear()
    return film


@torch.no_grad()
def validate(model: nn.Module, batches: list[Batch]) -> tuple[float, float]:
    """Mean loss and accuracy on the batches."""
    loss, accuracy = torch.tensor([loss_and_accuracy(model, batch) for batch in batches]).mean(0)
    return loss.item(), accuracy.item()


@cache
def load_films() -> dict[str, Json]:
    return json.loads(PATH.read_text(encoding="utf-8"))


def main(jobs: int = 2) -> None:
    """Record the training runs that are not in the file yet."""
    films = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        missing = {name: run for name, run in RUNS.items() if name not in films}
        running = {pool.submit(record_training, make_recipe(*run)): name for name, run in missing.items()}
        for job in as_completed(running):
            films[running[job]] = film = job.result()
            print(running[job], film["validation"][-1:], film["broke"] or "", flush=True)
            rows = [f"{json.dumps(name)}: {json.dumps(films[name])}" for name in RUNS if name in films]
            PATH.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
