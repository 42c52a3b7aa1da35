"""Recorded runs for servers without the real weights; `python -m lessons.real` writes them.

Each experiment is recorded in its opening state and for its presets. Without weights, `compute` returns the
recording for the state or, if there is none, for the opening state, with a notice next to the first control.
"""

import gzip
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from lessons.kit.contract import Experiment, Result, State, state_key
from lessons.kit.notices import add_notice
from lessons.real.pretrained_model import is_available
from models import pretrained

FOLDER = Path(__file__).parents[2] / "assets" / "real"
DIGITS = 5  # significant digits of recorded numbers
COMMAND = "python -m models.pretrained get"
FETCH = "fetch the real weights"
RECORDED_RUN = "Recorded run: this server has no real weights yet."
R = TypeVar("R", bound=Result)


@dataclass(frozen=True, eq=False)
class RecordedExperiment(Experiment):
    """An experiment on the real model. Recordings are not cached.

    Live runs replace them as soon as the weights are available.
    """

    def is_private(self, state: State) -> bool:
        return not is_available() or super().is_private(state)


def is_fetching_allowed() -> bool:
    """Whether the owner of this server lets visitors start the download."""
    return os.environ.get("SEQ2SEE_FETCH") == "1"


def notice() -> str:
    """Say that a run is recorded, and how live runs are possible."""
    if is_fetching_allowed():
        return f"{RECORDED_RUN} The button “{FETCH}” in “Next piece” fetches them once (about 0.5 GB)."
    return f"{RECORDED_RUN} Its owner can fetch them with `{COMMAND} {pretrained.chosen()}` (about 0.5 GB)."


def recorded(slug: str, result: type[R], control: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Decorate a `compute` function so that it returns recordings if the weights are missing."""

    def decorate(compute: Callable[..., R]) -> Callable[..., R]:
        @wraps(compute)
        def load_or_compute(**state: Any) -> R:
            if is_available():
                return compute(**state)
            add_notice(control, notice())
            runs = recordings(slug)
            return from_json(result, runs.get(state_key(state)) or next(iter(runs.values())))

        return load_or_compute

    return decorate


@cache
def recordings(slug: str) -> dict[str, Any]:
    """Recorded runs by state; the opening state comes first."""
    return json.loads(gzip.decompress((FOLDER / f"{slug}.json.gz").read_bytes()))


def to_json(result: Result) -> dict[str, Any]:
    """All fields, and the quantities that only a closer look computes."""
    names = [field.name for field in fields(result)]  # type: ignore[arg-type]  # every Result is a dataclass
    return {name: rounded(getattr(result, name)) for name in (*names, *lazy_names(type(result)))}


def lazy_names(result: type[Result]) -> list[str]:
    return [name for name, value in vars(result).items() if isinstance(value, cached_property)]


def rounded(value: Any) -> Any:
    """Convert a value to JSON, with numbers rounded to a few significant digits."""
    if isinstance(value, np.ndarray):
        return {"shape": value.shape, "values": [rounded(number) for number in value.ravel().tolist()]}
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, tuple | list):
        return [rounded(each) for each in value]
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return value


def from_json(result: type[R], found: dict[str, Any]) -> R:
    """Restore a result. Lazy quantities are stored where a cached_property keeps its value."""
    values = {name: restored(value) for name, value in found.items()}
    lazy = {name: values.pop(name) for name in lazy_names(result)}
    again = result(**values)
    vars(again).update(lazy)
    return again


def restored(value: Any) -> Any:
    """Convert JSON back to arrays and tuples."""
    if isinstance(value, dict) and value.keys() == {"shape", "values"}:
        return np.array(value["values"]).reshape(value["shape"])
    return tuple(map(restored, value)) if isinstance(value, list) else value


def states_of(experiment: Experiment) -> list[State]:
    return [experiment.state(), *(experiment.state(preset.state) for preset in experiment.presets)]
