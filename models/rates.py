"""Search for the learning rate of each model: `python -m models.rates` writes assets/rates.json.

Each model that lessons compare is trained briefly at four rates, each double the previous one; the best rate
has the lowest validation loss. A rate that suits one seed can be too high for another, so for contexts of
size 16 or more the best rate and half of it are tried with every seed. `models.recipes` reads the file.
"""

import json
import multiprocessing
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace

import torch

from models import data
from models.recipes import (
    CONTEXT_DIMS,
    FOUR_LAYERS,
    RATES_PATH,
    RECIPES,
    SEEDS,
    TRAINABLE,
    Recipe,
    everyday_scores,
    everyday_variants,
    short_stories,
)
from models.train import ValidationCurve, budget_ladder, build

RATES = (4e-3, 8e-3, 1.6e-2, 3.2e-2)
SMALL_RATES = (1e-3, 2e-3, 4e-3, 8e-3)  # learning rates for vanilla RNNs and for models with several layers
TRANSFORMER_RATES = (2e-3, 4e-3, 8e-3, 1.6e-2)
# learning rates for a single RNN that is both encoder and decoder
LARGE_RATES = (8e-3, 1.6e-2, 3.2e-2, 6.4e-2)
STEPS = 1200
SHARED_RATE = {  # models that use another model's rate
    recipe.name for recipe in (*everyday_variants(), *everyday_scores(), *short_stories())
}
FIRST_SEED_RECIPES = [
    recipe
    for recipe in (*RECIPES.values(), FOUR_LAYERS)
    if recipe.budgets and recipe.seed == SEEDS[0] and recipe.name not in SHARED_RATE
]
EVERY_SEED_MODELS = [f"translation-none-{k}" for k in CONTEXT_DIMS if k >= 16]
Losses = dict[str, float]  # learning rate → validation loss
Trials = dict[str, tuple[Recipe, tuple[float, ...]]]  # name → recipe and rates to try


def candidate_rates(recipe: Recipe) -> tuple[float, ...]:
    if recipe.config.get("context") == "shared":
        return LARGE_RATES
    if recipe.kind == "transformer":
        return TRANSFORMER_RATES
    needs_small = recipe.config.get("cell") == "vanilla" or recipe.config.get("layers", 1) > 1
    return SMALL_RATES if needs_small else RATES


def validation_loss(recipe: Recipe, lr: float) -> float:
    """The validation loss after a short training run."""
    recipe = replace(recipe, steps=STEPS)
    batches = data.training_batches(recipe)
    ((_, model),) = budget_ladder(build(recipe), batches, (STEPS,), lr, recipe.seed)
    loss = round(ValidationCurve(recipe).validation_loss(model), 4)
    print(recipe.name, lr, loss, flush=True)
    return loss


def main(jobs: int = 2) -> None:
    """Measure the learning rates that are not in the file yet."""
    known: dict[str, Losses] = json.loads(RATES_PATH.read_text("utf-8")) if RATES_PATH.exists() else {}
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        trials = {recipe.name: (recipe, candidate_rates(recipe)) for recipe in FIRST_SEED_RECIPES}
        losses = run_trials(pool, known, trials)
        more: Trials = {}
        for model in EVERY_SEED_MODELS:
            by_rate = losses[f"{model}-s{SEEDS[0]}"]
            best = float(min(by_rate, key=by_rate.__getitem__))
            names = [f"{model}-s{seed}" for seed in SEEDS[1:]]
            more |= {name: (TRAINABLE[name], (best / 2, best)) for name in names}
        losses |= run_trials(pool, known, more)
    RATES_PATH.write_text(json.dumps(losses, indent=1) + "\n", encoding="utf-8")


def run_trials(pool: Executor, known: dict[str, Losses], trials: Trials) -> dict[str, Losses]:
    """The losses of all trials. Only trials with unknown losses are run."""
    jobs = {
        (name, str(lr)): pool.submit(validation_loss, recipe, lr)
        for name, (recipe, rates) in trials.items()
        for lr in rates
        if str(lr) not in known.get(name, {})
    }
    losses = {name: dict(known.get(name, {})) for name in trials}
    for (name, lr), job in jobs.items():
        losses[name][lr] = job.result()
    return losses


if __name__ == "__main__":
    main()
