"""How a run shows itself and lets itself be changed.

A model's `run` passes every quantity it computes through a Tap, under its mathematical name. The Tap keeps what it sees,
and may replace it by an edit: a function of (value, step). Edits come with the call and go with it, so many learners can
hold different edits over the same weights.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

Edit = Callable[[Tensor, int], Tensor]
Edits = Mapping[str, Edit]


class EditError(ValueError):
    """An edit that names no quantity of the run, or changes a quantity's shape."""


class Tap:
    """Sees each named quantity of one run, and may replace it. Lives as long as the call."""

    def __init__(self, edits: Edits | None = None):
        self.edits = dict(edits or {})
        self.seen: dict[str, list[Tensor]] = {}
        self.step = 0

    def __call__(self, name: str, value: Tensor) -> Tensor:
        edit = self.edits.get(name)
        if edit is not None:
            edited = edit(value.clone(), self.step)  # an edit in place must not reach the model, nor the same tensor elsewhere
            if edited.shape != value.shape:
                raise EditError(f"an edit of {name!r} turned shape {tuple(value.shape)} into {tuple(edited.shape)}")
            value = edited
        self.seen.setdefault(name, []).append(value)
        return value

    def inside(self, place: str) -> "Inside":
        """The same tap for a part of the model: its quantities are called `place.name`."""
        return Inside(self, place + ".")

    def stacked(self, name: str) -> Tensor:
        """A quantity over all its steps, steps first."""
        return torch.stack(self.seen[name])

    def last(self, name: str) -> Tensor:
        return self.seen[name][-1]

    def finish(self) -> None:
        """A misspelt edit must not silently do nothing."""
        unknown = self.edits.keys() - self.seen.keys()
        if unknown:
            raise EditError(f"no quantity is called {sorted(unknown)}; this run has {sorted(self.seen)}")


class Inside:
    """A Tap seen from within one part of a model."""

    def __init__(self, tap: Tap, prefix: str):
        self.tap, self.prefix = tap, prefix

    def __call__(self, name: str, value: Tensor) -> Tensor:
        return self.tap(self.prefix + name, value)

    def inside(self, place: str) -> "Inside":
        return Inside(self.tap, f"{self.prefix}{place}.")


class Untapped:
    """For training and search, where nobody looks: every quantity passes through."""

    def __call__(self, name: str, value: Tensor) -> Tensor:
        return value

    def inside(self, place: str) -> "Untapped":
        return self


UNTAPPED = Untapped()
AnyTap = Tap | Inside | Untapped
