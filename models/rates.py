"""Which learning rate suits a model? `python -m models.rates` tries four, each twice the one before, and writes assets/rates.json.

A rate that suits one size of c breaks another, so the models that are compared each get their own: the one with the lowest
loss on validation sentences after a short training. And a rate that suits one seed can be too high for another: for the sizes of c
from 16 on, the best and the one below it are tried with every seed. `models.recipes` reads the choice from the file.
"""

import json
import multiprocessing
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace

import torch

from models import data
from models.recipes import CONTEXT_DIMS, ONLY_TRIED, SEEDS, TRAINABLE, TRIED, Recipe
from models.train import Check, budget_ladder, build

RATES = (4e-3, 8e-3, 1.6e-2, 3.2e-2)
SMALL_RATES = (1e-3, 2e-3, 4e-3, 8e-3)  # for a vanilla RNN, and for layers on layers
TRANSFORMER_RATES = (2e-3, 4e-3, 8e-3, 1.6e-2)
LARGE_RATES = (8e-3, 1.6e-2, 3.2e-2, 6.4e-2)  # for one RNN that reads and writes
STEPS = 1200
FIRST = [recipe for recipe in (*TRAINABLE.values(), ONLY_TRIED) if recipe.budgets and recipe.seed == SEEDS[0]]
AGAIN = [f"translation-none-{k}" for k in CONTEXT_DIMS if k >= 16]  # with every seed
Losses = dict[str, float]  # by rate
Trials = dict[str, tuple[Recipe, tuple[float, ...]]]  # by name: at which rates


def rates(recipe: Recipe) -> tuple[float, ...]:
    if recipe.config.get("context") == "shared":
        return LARGE_RATES
    if recipe.kind == "transformer":
        return TRANSFORMER_RATES
    return (
        SMALL_RATES if recipe.config.get("cell") == "vanilla" or recipe.config.get("layers", 1) > 1 else RATES
    )


def validation_loss(recipe: Recipe, lr: float) -> float:
    recipe = replace(recipe, steps=STEPS)
    ((_, model),) = budget_ladder(build(recipe), data.batches(recipe), (STEPS,), lr, recipe.seed)
    loss = Check(recipe).loss(model)
    print(recipe.name, lr, round(loss, 4), flush=True)
    return round(loss, 4)


def main(jobs: int = 2) -> None:
    """Tries what the file does not have yet, and keeps what it has."""
    known: dict[str, Losses] = json.loads(TRIED.read_text(encoding="utf-8")) if TRIED.exists() else {}
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        found = tried(pool, known, {recipe.name: (recipe, rates(recipe)) for recipe in FIRST})
        again: Trials = {}
        for model in AGAIN:
            losses = found[f"{model}-s{SEEDS[0]}"]
            best = float(min(losses, key=losses.__getitem__))
            again |= {
                name: (TRAINABLE[name], (best / 2, best))
                for seed in SEEDS[1:]
                if (name := f"{model}-s{seed}")
            }
        found |= tried(pool, known, again)
    TRIED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def tried(pool: Executor, known: dict[str, Losses], wanted: Trials) -> dict[str, Losses]:
    asked = {
        (name, str(lr)): pool.submit(validation_loss, recipe, lr)
        for name, (recipe, lrs) in wanted.items()
        for lr in lrs
        if str(lr) not in known.get(name, {})
    }
    found = {name: dict(known.get(name, {})) for name in wanted}
    for (name, lr), job in asked.items():
        found[name][lr] = job.result()
    return found


if __name__ == "__main__":
    main()
