"""Snapshots of unfinished training runs: a file with weights, optimiser state and step, to resume from."""

import json
import os
from pathlib import Path
from time import monotonic

import torch
from torch import nn

from models.dynamic_types import Json, Settings

SAVE_SECONDS = 60.0  # minimum time between two saves


def training_folder() -> Path:
    """The folder for snapshots, in SEQ2SEE_CACHE or in the user's cache folder."""
    return Path(os.environ.get("SEQ2SEE_CACHE") or Path.home() / ".cache" / "seq2see") / "training"


class Snapshot:
    """Snapshot of one unfinished run. `notes` is JSON that the caller restores: curves, metrics, seconds."""

    def __init__(self, name: str, key: Settings, every: float = SAVE_SECONDS):
        self.path, self.key = training_folder() / f"{name}.pt", json.dumps(key, sort_keys=True, default=str)
        stored: Json = torch.load(self.path, weights_only=True) if self.path.exists() else {"key": None}
        # ignore the snapshot of another recipe
        self.stored: Json | None = stored if stored["key"] == self.key else None
        self.notes: Json = json.loads(self.stored["notes"]) if self.stored else {}
        self.every, self.saved_at = every, monotonic()

    def restore(self, model: nn.Module, optimiser: torch.optim.Optimizer) -> int:
        """Load the stored state into model and optimiser. Returns the steps done, 0 if nothing is stored."""
        if self.stored is None:
            return 0
        model.load_state_dict(self.stored["model"])
        optimiser.load_state_dict(self.stored["optimiser"])
        return int(self.stored["step"])

    def save_if_due(self, step: int, model: nn.Module, optimiser: torch.optim.Optimizer) -> None:
        """Write the file unless it was written less than `every` seconds ago. The write is atomic."""
        if monotonic() - self.saved_at < self.every:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        state = {"key": self.key, "step": step, "notes": json.dumps(self.notes)}
        temporary = self.path.with_suffix(".new")
        torch.save(state | {"model": model.state_dict(), "optimiser": optimiser.state_dict()}, temporary)
        temporary.replace(self.path)
        self.saved_at = monotonic()

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
