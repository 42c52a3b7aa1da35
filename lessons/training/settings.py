"""Controls shared by `live` and `own`."""

from lessons.kit.contract import Choice, Control, SavedRuns, Slider, Text
from lessons.training.training_run import ATTENTION_OPTIONS, CELLS, WIDTHS
from lessons.training.training_session import MAX_RUNS


def training_controls(budget_seconds: int) -> tuple[Control, ...]:
    return (
        Choice("cell", "Model", "GRU", CELLS),
        Choice("attention", "Attention", "dot", ATTENTION_OPTIONS),
        Choice("width", "Width", "64", WIDTHS),
        Slider("layers", "Layers", 1, 1, 3),
        Slider("power", "Learning rate, as a power of ten", -2.0, -4.0, 0.0, 0.25),
        Choice("batch", "Pairs in a batch", "64", ("8", "64", "256")),
        Slider("seed", "Seed", 0, 0, 9),
        Slider("budget", "Seconds of training", budget_seconds, 5, 120, 5),
        Text("sentence", "Try it on", ""),
        SavedRuns("runs", "Your runs", max_runs=MAX_RUNS),
    )
