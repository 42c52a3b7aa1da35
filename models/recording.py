"""Record training runs (“films”): loss, accuracy and one sentence's attention map at about 25 steps.

The recorded steps are close together at first, when the model changes most.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from models import metrics, zoo
from models.dynamic_types import Json
from models.measure import attention_quantity
from models.recipes import Recipe
from models.tasks import TASKS
from models.zoo import Translator

if TYPE_CHECKING:
    from models.train import Progress

MOMENTS = 25  # number of recorded steps
SENTENCE = "the agreement on the european economic area was signed in august 1992 ."


class FilmRecorder:
    """Record a film of one training run: call `after_step` after every step, then `save`."""

    def __init__(self, recipe: Recipe):
        self.name, self.task = recipe.name, TASKS[recipe.task]
        self.steps = {round(recipe.steps * (moment / (MOMENTS - 1)) ** 2) or 1 for moment in range(MOMENTS)}
        self.pairs = self.task.pairs("validation", 200, lengths=range(3, 21))
        self.example = next(pair for pair in self.task.course if " ".join(pair.source) == SENTENCE)
        self.frames: list[Json] = []
        self.losses: list[float] = []

    def after_step(self, model: Translator, progress: "Progress") -> None:
        """Record the loss, and a frame if this step is to be recorded."""
        self.losses.append(round(progress.loss, 4))
        if progress.step in self.steps:
            device = next(model.parameters()).device
            # on the CPU, which is faster for one sentence
            self.frames.append(self._frame(model.cpu().eval(), progress))
            model.to(device).train()

    @torch.inference_mode()
    def _frame(self, model: Translator, progress: "Progress") -> Json:
        words, source = self.task.target, self.task.source.ids(self.example.source)
        target = [*words.ids(self.example.target), words.eos]
        sources = [self.task.source.ids(pair.source) for pair in self.pairs]
        outputs = [words.tokens(output) for output in metrics.translate(model, sources, limit=40)]
        return {
            "step": progress.step,
            "loss": round(progress.loss, 4),
            "token_accuracy": round(progress.accuracy, 4),
            "exact_match": round(metrics.exact_match(outputs, [pair.target for pair in self.pairs]), 4),
            "output": self.task.join(words.tokens(model.run(source, limit=30).output)),
            "weights": [[round(w, 3) for w in row] for row in self._weights(model, source, target)],
        }

    @staticmethod
    def _weights(model: Translator, source: Sequence[int], target: Sequence[int]) -> list[list[float]]:
        """Attention (T', T) with teacher forcing, averaged over heads; empty without attention."""
        if (name := attention_quantity(model)) is None:
            return []
        weights = model.run(source, target).values[name]
        return (weights if weights.dim() == 2 else weights.mean(0)).tolist()

    def save(self, folder: Path = zoo.CHECKPOINTS) -> None:
        film = {
            "name": self.name,
            "source": self.example.source,
            "target": self.example.target,
            "losses": self.losses,
            "frames": self.frames,
        }
        (folder / f"{self.name}.film.json").write_text(json.dumps(film, ensure_ascii=False), encoding="utf-8")


@cache
def load_film(name: str, folder: Path = zoo.CHECKPOINTS) -> Json:
    """Load the film of a shipped model's training run."""
    return json.loads((folder / f"{name}.film.json").read_text(encoding="utf-8"))
