"""Measure how long a function takes."""

import math
import time
from collections.abc import Callable


def fastest_ms(work: Callable[[], object], max_seconds: float = 0.12, min_runs: int = 3) -> float:
    """Milliseconds of the fastest of several runs, after a warm-up run.

    The fastest run, not the mean, because other processes can only slow a run down.
    """
    work()
    best, began, runs = math.inf, time.perf_counter(), 0
    while runs < min_runs or time.perf_counter() - began < max_seconds:
        start = time.perf_counter()
        work()
        best, runs = min(best, time.perf_counter() - start), runs + 1
    return 1000 * best
