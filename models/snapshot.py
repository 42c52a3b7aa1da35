"""Trainings that go on where they were stopped: weights, optimiser and step in a file, written again every minute."""

import json
import os
from pathlib import Path
from time import monotonic

import torch
from torch import nn

from models.dynamic_types import Json, Settings

SECONDS = 60.0  # between two writes


def folder() -> Path:
    """Where unfinished trainings wait: in SEQ2SEE_CACHE, or in the user's cache folder."""
    return Path(os.environ.get("SEQ2SEE_CACHE") or Path.home() / ".cache" / "seq2see") / "training"


class Snapshot:
    """One unfinished training. `notes` is what its caller wants to find again, as JSON: curves, figures, seconds."""

    def __init__(self, name: str, key: Settings, every: float = SECONDS):
        self.path, self.key, self.every = (
            folder() / f"{name}.pt",
            json.dumps(key, sort_keys=True, default=str),
            every,
        )
        found: Json = torch.load(self.path, weights_only=True) if self.path.exists() else {"key": None}
        self.found: Json | None = (
            found if found["key"] == self.key else None
        )  # not of another recipe with the same name
        self.notes: Json = json.loads(self.found["notes"]) if self.found else {}
        self.written = monotonic()

    def restore(self, model: nn.Module, optimiser: torch.optim.Optimizer) -> int:
        """Put the model and its optimiser back where they were. Returns the steps already made; 0 if there is nothing to go on."""
        if self.found is None:
            return 0
        model.load_state_dict(self.found["model"])
        optimiser.load_state_dict(self.found["optimiser"])
        return int(self.found["step"])

    def keep(self, step: int, model: nn.Module, optimiser: torch.optim.Optimizer) -> None:
        """Write the file, if the last time is long enough ago. A stop while writing leaves the older file whole."""
        if monotonic() - self.written < self.every:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        state = {"key": self.key, "step": step, "notes": json.dumps(self.notes)}
        beside = self.path.with_suffix(".new")
        torch.save(state | {"model": model.state_dict(), "optimiser": optimiser.state_dict()}, beside)
        beside.replace(self.path)
        self.written = monotonic()

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
