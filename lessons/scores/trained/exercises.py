"""The guess of experiment `trained`, with a computed answer."""

from functools import partial

import numpy as np

from lessons.kit.exercises import guess
from lessons.kit.pictures.phrases import join_with_and
from lessons.scores.score_functions import SCORE_NAMES
from lessons.scores.trained.compute import read_metrics

UNDECIDED = "none clearly; the difference between seeds is larger"


def exact_match_runs() -> dict[str, np.ndarray]:
    """(seeds,) exact match of each score."""
    return dict(zip(SCORE_NAMES, read_metrics()["exact_match"], strict=True))


def best_on_average(runs: dict[str, np.ndarray]) -> str:
    return max(runs, key=lambda name: runs[name].mean())


def find_best() -> str:
    """The best score, or UNDECIDED if its range overlaps with another score's range."""
    runs = exact_match_runs()
    best = best_on_average(runs)
    others = np.concatenate([values for name, values in runs.items() if name != best])
    return best if runs[best].min() > others.max() else UNDECIDED


def explain(option: str) -> str:
    """Describe the range of this score's runs, and whether it overlaps with the best score's range."""
    runs = exact_match_runs()
    best = best_on_average(runs)
    values = runs.get(option, runs[best])
    trainings = f"three training runs gave {values.min():.3f} to {values.max():.3f}"
    if option in (best, UNDECIDED):
        rivals = [name for name, other in runs.items() if name != best and other.max() >= values.min()]
        overlap = (
            f"{join_with_and(rivals).capitalize()} overlap{'s' * (len(rivals) == 1)} with it."
            if rivals
            else "No other score overlaps with it."
        )
        return f"{best.capitalize()} is best on average: {trainings}. {overlap}"
    best_range = f"{runs[best].min():.3f} to {runs[best].max():.3f} of {best}"
    if values.max() >= runs[best].min():
        return f"{option.capitalize()} may be the best: {trainings}, which overlaps with the {best_range}."
    return f"{option.capitalize()} is behind: {trainings}. All of these are below the {best_range}."


best_score = guess(
    "best-score",
    "Five translators differ only in their scoring function. Each was trained three times, on the same data"
    " and for the same number of steps. Which one translates the most test sentences correctly?",
    {option: partial(explain, option) for option in (*SCORE_NAMES, UNDECIDED)},
    find_best,
    "How much do two training runs of the same model differ, if only the seed changes?",
    covers=("scoreboard", "beside_papers"),
)
