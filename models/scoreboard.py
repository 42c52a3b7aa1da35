"""Time per sentence of every translation model: `python -m models.scoreboard` writes assets/scoreboard.json.

We measure processor time, which a busy machine hardly changes. The models of a task take turns translating
the same test sentences. The other numbers on the scoreboard of lesson `transformer` come from the cards.
"""

import datetime
import json
import os
import statistics
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import torch

from models import zoo
from models.data import held_out
from models.dynamic_types import Json
from models.metrics import translate
from models.recipes import RECIPES, Recipe
from models.tasks import TASKS

PATH = Path(__file__).parent.parent / "assets" / "scoreboard.json"
LENGTHS = {"translation": 12, "everyday": 12, "pronounce": 8}  # task → words or letters per source
SENTENCES = 10
ROUNDS = 5


def is_translator(recipe: Recipe) -> bool:
    """Whether a model stands on the scoreboard. Those of `depth` do not: they have few training steps."""
    is_of_depth = "decoder_layers" in recipe.config
    return recipe.task in LENGTHS and recipe.kind in ("seq2seq", "transformer") and not is_of_depth


def model_names() -> list[str]:
    """Names of the translation models whose weights are shipped."""
    return [name for name, recipe in RECIPES.items() if is_translator(recipe) and recipe.keep]


def seconds_per_sentence(model: zoo.Translator, sources: Sequence[Sequence[int]]) -> float:
    """Mean processor time per sentence when sentences are translated one by one."""
    start = time.process_time()
    for source in sources:
        translate(model, [source])
    return (time.process_time() - start) / len(sources)


def test_sources(task: str, sentences: int) -> list[list[int]]:
    """Token ids of test sentences of one length."""
    n = LENGTHS[task]
    return [list(TASKS[task].source.ids(pair.source)) for pair in held_out(task, sentences, range(n, n + 1))]


def measure(models: Sequence[str], sentences: int = SENTENCES, rounds: int = ROUNDS) -> Json:
    """Milliseconds per sentence for every model (median over rounds), and the settings."""
    torch.set_num_threads(1)
    sources = {task: test_sources(task, sentences) for task in LENGTHS}
    times: dict[str, list[float]] = {name: [] for name in models}
    for _ in range(rounds):
        for name in models:
            model, card = zoo.load(name)
            translate(model, sources[card.task][:1])  # a warm-up, because the first call is slower
            times[name].append(seconds_per_sentence(model, sources[card.task]))
    return {
        "date": datetime.date.today().isoformat(),
        "cores": os.cpu_count(),
        "lengths": LENGTHS,
        "sentences": sentences,
        "rounds": rounds,
        "ms": {name: round(1000 * statistics.median(seconds), 2) for name, seconds in times.items()},
    }


@cache
def load_scoreboard(path: Path = PATH) -> Json:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PATH.write_text(json.dumps(measure(model_names()), indent=1) + "\n", encoding="utf-8")
    print(f"{PATH.name}: ms per sentence of {len(model_names())} models")
