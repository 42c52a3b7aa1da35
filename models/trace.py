"""Taps: record every quantity of a run and optionally replace some.

A model's `run` passes every quantity it computes through a Tap, under its mathematical name. The Tap records
the quantity and may replace it with an edit: a function of (value, step). Edits belong to one call, so many
learners can use different edits with the same weights.

Some quantities belong to one step (a decoder state), some to the whole sentence (H). Inside a loop over
`tap.steps(…)` quantities belong to the current step; outside the loop, to the whole sentence.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

import torch
from torch import Tensor

Edit = Callable[[Tensor, int], Tensor]
Edits = Mapping[str, Edit]


class EditError(ValueError):
    """Raised if an edit names no quantity of the run or changes a quantity's shape."""


class Tap:
    """Record each named quantity of one run, and replace it if there is an edit for it."""

    def __init__(self, edits: Edits | None = None):
        self.edits = dict(edits or {})
        self.quantities: dict[str, Tensor | dict[int, Tensor]] = {}  # whole sentence, or step → value
        self.step = 0  # passed to edits; 0 for the whole sentence unless the run sets it
        self.is_stepping = False

    def __call__(self, name: str, value: Tensor) -> Tensor:
        edit = self.edits.get(name)
        if edit is not None:
            edited = edit(value.clone(), self.step)  # a copy: an in-place edit must not change the weights
            if edited.shape != value.shape:
                shapes = f"{tuple(value.shape)} into {tuple(edited.shape)}"
                raise EditError(f"an edit of {name!r} turned shape {shapes}")
            value = edited
        if self.is_stepping:
            self._steps_of(name)[self.step] = value
        else:
            self.quantities[name] = value
        return value

    def inside(self, part: str) -> "ScopedTap":
        """The same tap for a part of the model: its quantities are called `part.name`."""
        return ScopedTap(self, part + ".")

    def steps(self, order: Iterable[int]) -> Iterator[int]:
        """Iterate over the steps in the given order; quantities recorded in the loop belong to that step."""
        self.is_stepping = True
        try:
            for self.step in order:
                yield self.step
        finally:  # also when the run breaks out of the loop
            self.is_stepping, self.step = False, 0

    def value(self, name: str) -> Tensor:
        """A quantity of the whole sentence, or of all steps, stacked in order."""
        value = self.quantities[name]
        return value if isinstance(value, Tensor) else torch.stack([value[step] for step in sorted(value)])

    def last(self, name: str) -> Tensor:
        """A quantity of the whole sentence, or of the most recent step."""
        value = self.quantities[name]
        return value if isinstance(value, Tensor) else next(reversed(value.values()))

    def finish(self) -> Mapping[str, Tensor]:
        """Every quantity of the run by name. Raises EditError if an edit names no quantity."""
        unknown = self.edits.keys() - self.quantities.keys()
        if unknown:
            raise EditError(
                f"no quantity is called {sorted(unknown)}; this run has {sorted(self.quantities)}"
            )
        return MappingProxyType({name: self.value(name) for name in self.quantities})

    def _steps_of(self, name: str) -> dict[int, Tensor]:
        steps = self.quantities.setdefault(name, {})
        if isinstance(steps, Tensor):
            raise ValueError(
                f"{name!r} belongs to the whole sentence already, and cannot belong to a step too"
            )
        return steps


class ScopedTap:
    """A Tap that adds a prefix to the names of one part of a model."""

    def __init__(self, tap: Tap, prefix: str):
        self.tap, self.prefix = tap, prefix

    def __call__(self, name: str, value: Tensor) -> Tensor:
        return self.tap(self.prefix + name, value)

    def inside(self, part: str) -> "ScopedTap":
        return ScopedTap(self.tap, f"{self.prefix}{part}.")

    def steps(self, order: Iterable[int]) -> Iterator[int]:
        return self.tap.steps(order)


class Untapped:
    """A tap that records nothing, for training and search."""

    def __call__(self, name: str, value: Tensor) -> Tensor:
        return value

    def inside(self, part: str) -> "Untapped":
        return self

    def steps(self, order: Iterable[int]) -> Iterator[int]:
        return iter(order)


UNTAPPED = Untapped()
AnyTap = Tap | ScopedTap | Untapped
