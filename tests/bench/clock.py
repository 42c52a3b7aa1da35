"""Timing on a noisy machine: the best of several rounds in which competitors take turns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Row:
    what: str
    value: float
    budget: float
    unit: str
    at_least: bool = False  # the budget is a minimum; otherwise it is a maximum

    @property
    def passed(self) -> bool:
        return self.value >= self.budget if self.at_least else self.value <= self.budget

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return (
            f"{self.what:74} {self.value:9.2f} {sign} {self.budget:6.2f} {self.unit:4}"
            f" {'pass' if self.passed else 'FAIL'}"
        )


def best_seconds(
    competitors: Mapping[str, Callable[[], object]],
    rounds: int = 7,
    calls: int = 1,
    clock: Callable[[], float] = perf_counter,
) -> dict[str, float]:
    """Seconds per call for each competitor: the best round, because noise only adds."""
    best = dict.fromkeys(competitors, float("inf"))
    for run in competitors.values():
        run()  # warm up
    for _ in range(rounds):
        for name, run in competitors.items():
            began = clock()
            for _ in range(calls):
                run()
            best[name] = min(best[name], (clock() - began) / calls)
    return best
