"""Which learning rate suits a model? `python -m models.rates` tries four, each twice the one before, and writes assets/rates.json.

A rate that suits one size of c breaks another, so the models that are compared each get their own: the one with the lowest
loss on validation sentences after a short training. `models.recipes` reads the choice from the file.
"""

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import torch

from models import data
from models.recipes import RECIPES, TRIED, Recipe
from models.train import Check, build, ladder

RATES = (4e-3, 8e-3, 1.6e-2, 3.2e-2)
SMALL_RATES = (1e-3, 2e-3, 4e-3, 8e-3)  # for a vanilla RNN, and for layers on layers
STEPS = 1200


def names() -> list[str]:
    """Every model with a ladder, of the first seed, but those that take the rate of another."""
    return [
        name
        for name, recipe in RECIPES.items()
        if (recipe.budgets and name.endswith("-s0") and "-128" not in name)
        or name in ("translation-none-128-s0", "translation-oneway-128-s0")
    ]


def rates(recipe: Recipe) -> tuple[float, ...]:
    return SMALL_RATES if recipe.config.get("cell") == "vanilla" or recipe.config.get("layers", 1) > 1 else RATES


def validation_loss(name: str, lr: float) -> float:
    recipe = replace(RECIPES[name], steps=STEPS)
    ((_, model),) = ladder(build(recipe), data.batches(recipe), (STEPS,), lr, recipe.seed)
    loss = Check(recipe).loss(model)
    print(name, lr, round(loss, 4), flush=True)
    return round(loss, 4)


def main(jobs: int = 2) -> None:
    """Tries what the file does not have yet, and keeps what it has."""
    known: dict[str, dict[str, float]] = json.loads(TRIED.read_text(encoding="utf-8")) if TRIED.exists() else {}
    found = {name: known.get(name, {}) for name in names()}
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        asked = {
            (name, str(lr)): pool.submit(validation_loss, name, lr)
            for name, losses in found.items()
            for lr in rates(RECIPES[name])
            if str(lr) not in losses
        }
        for (name, lr), job in asked.items():
            found[name][lr] = job.result()
    TRIED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
