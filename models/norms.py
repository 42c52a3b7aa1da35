"""What do norms buy? `python -m models.norms` trains the same Transformer with pre-norm, post-norm and no norm, at several
learning rates, and writes assets/norms.json: a short film of each training.        lesson transformer, norms

Only the norms, the rate and the seed differ: the same sentences, steps, warm-up and clipping for all.
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

FILMED = Path(__file__).parent.parent / "assets" / "norms.json"
RATES = (2e-3, 8e-3, 3.2e-2)
LAYERS, SEEDS = 2, (0, 1, 2)  # in the encoder, and again in the decoder
STEPS, MOMENTS, EXAMPLES = 600, 13, 20_000  # no sentence is seen twice
RECORDED_STEPS = tuple(
    round(STEPS * (moment / (MOMENTS - 1)) ** 2) or 1 for moment in range(MOMENTS)
)  # close together at first


def run_name(norm: str, lr: float, seed: int) -> str:
    return f"{LAYERS} layers, {norm}, {lr:g}, seed {seed}"


KEYS = {run_name(norm, lr, seed): (norm, lr, seed) for seed in SEEDS for lr in RATES for norm in NORMS}


def recipe_of(norm: str, lr: float, seed: int) -> Recipe:
    config = {"layers": LAYERS, "norm": norm}
    return Recipe(
        run_name(norm, lr, seed), "transformer", "translation", config, STEPS, lr, 32, EXAMPLES, seed=seed
    )


@cache
def new_sentences() -> list[Batch]:
    """Of all lengths, half of what a training is usually watched on: there are many trainings."""
    return data.validation(recipe_of(*next(iter(KEYS.values()))))[::2]


def record_training(recipe: Recipe, looks: tuple[int, ...] = RECORDED_STEPS) -> Json:
    """Loss (the mean since the last look), and loss and share of words right on new sentences, at each look.

    A training whose loss is no number any more has broken off: what was seen before stays, and `broke` is the step.
    """
    model, since = build(recipe), []
    film: Json = {"loss": [], "validation": [], "accuracy": [], "broke": None}
    for progress in fit(model, data.batches(recipe), recipe.steps, recipe.lr, recipe.seed):
        since.append(progress.loss)
        seen = watched(model, new_sentences()) if progress.step in looks else (0.0, 0.0)
        if not math.isfinite(progress.loss + seen[0]):
            return film | {"broke": progress.step}
        if progress.step in looks:
            for name, value in zip(film, (sum(since) / len(since), *seen), strict=False):
                film[name].append(round(value, 4))
            since.clear()
    return film


@torch.no_grad()
def watched(model: nn.Module, batches: list[Batch]) -> tuple[float, float]:
    """Loss, and share of words right, on sentences that it is not trained on."""
    found = torch.tensor([loss_and_accuracy(model, batch) for batch in batches]).mean(0)
    return found[0].item(), found[1].item()


@cache
def load_films() -> dict[str, Json]:
    return json.loads(FILMED.read_text(encoding="utf-8"))


def main(jobs: int = 2) -> None:
    """Trains what the file does not have yet, and keeps what it has."""
    found = json.loads(FILMED.read_text(encoding="utf-8")) if FILMED.exists() else {}
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        asked = {
            pool.submit(record_training, recipe_of(*run)): name for name, run in KEYS.items() if name not in found
        }
        for job in as_completed(asked):
            found[asked[job]] = film = job.result()
            print(asked[job], film["validation"][-1:], film["broke"] or "", flush=True)
            rows = ",\n".join(
                f"{json.dumps(name)}: {json.dumps(found[name])}" for name in KEYS if name in found
            )
            FILMED.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
