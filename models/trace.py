"""How a run shows itself and lets itself be changed.

A model's `run` passes every quantity it computes through a Tap, under its mathematical name. The Tap keeps what it sees,
and may replace it by an edit: a function of (value, step). Edits come with the call and go with it, so many learners can
hold different edits over the same weights.

Some quantities are of one step (a decoder's state), some of the whole sentence (H). The run says which: what passes while
it walks through `tap.steps(…)` is of the step at hand, everything else is of the whole.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

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
        self.quantities: dict[str, Tensor | dict[int, Tensor]] = {}  # of the whole sentence, or of each step
        self.step = 0  # what an edit is told; 0 for the whole sentence, unless the run knows better
        self.stepping = False

    def __call__(self, name: str, value: Tensor) -> Tensor:
        edit = self.edits.get(name)
        if edit is not None:
            edited = edit(
                value.clone(), self.step
            )  # an edit in place must not reach the model, nor the same tensor elsewhere
            if edited.shape != value.shape:
                raise EditError(
                    f"an edit of {name!r} turned shape {tuple(value.shape)} into {tuple(edited.shape)}"
                )
            value = edited
        if self.stepping:
            self._steps_of(name)[self.step] = value
        else:
            self.quantities[name] = value
        return value

    def inside(self, place: str) -> "Inside":
        """The same tap for a part of the model: its quantities are called `place.name`."""
        return Inside(self, place + ".")

    def steps(self, order: Iterable[int]) -> Iterator[int]:
        """Walks through the steps, in whatever order; what is seen on the way is of the step at hand."""
        self.stepping = True
        try:
            for self.step in order:
                yield self.step
        finally:  # also when the run ends its walk early
            self.stepping, self.step = False, 0

    def value(self, name: str) -> Tensor:
        """A quantity as a trace keeps it: of the whole sentence, or over its steps, the first step first."""
        seen = self.quantities[name]
        return seen if isinstance(seen, Tensor) else torch.stack([seen[step] for step in sorted(seen)])

    def last(self, name: str) -> Tensor:
        """A quantity as it was seen last: of the whole sentence, or of the step at hand."""
        seen = self.quantities[name]
        return seen if isinstance(seen, Tensor) else next(reversed(seen.values()))

    def finish(self) -> Mapping[str, Tensor]:
        """Every quantity of the run by its name. A misspelt edit must not silently do nothing."""
        unknown = self.edits.keys() - self.quantities.keys()
        if unknown:
            raise EditError(f"no quantity is called {sorted(unknown)}; this run has {sorted(self.quantities)}")
        return MappingProxyType({name: self.value(name) for name in self.quantities})

    def _steps_of(self, name: str) -> dict[int, Tensor]:
        steps = self.quantities.setdefault(name, {})
        if isinstance(steps, Tensor):
            raise ValueError(f"{name!r} is of the whole sentence already, and cannot be of one step too")
        return steps


class Inside:
    """A Tap seen from within one part of a model."""

    def __init__(self, tap: Tap, prefix: str):
        self.tap, self.prefix = tap, prefix

    def __call__(self, name: str, value: Tensor) -> Tensor:
        return self.tap(self.prefix + name, value)

    def inside(self, place: str) -> "Inside":
        return Inside(self.tap, f"{self.prefix}{place}.")

    def steps(self, order: Iterable[int]) -> Iterator[int]:
        return self.tap.steps(order)


class Untapped:
    """For training and search, where nobody looks: every quantity passes through."""

    def __call__(self, name: str, value: Tensor) -> Tensor:
        return value

    def inside(self, place: str) -> "Untapped":
        return self

    def steps(self, order: Iterable[int]) -> Iterator[int]:
        return iter(order)


UNTAPPED = Untapped()
AnyTap = Tap | Inside | Untapped
