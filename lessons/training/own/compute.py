"""A training run on a learner's own pairs.

The text is read again for every request and never stored; a saved run contains what it needs from the text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from lessons.kit.contract import InputError
from lessons.kit.controls import FINGERPRINT
from lessons.training.dataset import TextDataset, read_dataset
from lessons.training.own.samples import sample_text
from lessons.training.pair_file import UNITS, Report
from lessons.training.training_run import Run, SavedRun, load_saved_runs, make_plan, start_run
from lessons.training.training_session import (
    MAX_RUNS,
    NO_RUN,
    TrainingResult,
    compare_with,
    continue_run,
    notice_expired_runs,
    show_model,
    show_untrained,
    train_and_show,
    untrained_model,
)

LEARNERS_PAIRS = "your pairs"
FILE_NOT_IN_LINK = (
    "This link was made with a file that it does not carry, and its runs have expired. Choose a file here."
)
FILE_NOT_IN_PAGE = "The page no longer has the file of this run. Choose it again."


@dataclass(frozen=True)
class OwnPairsResult(TrainingResult):
    report: Report | None = None
    mark: str = ""  # fingerprint of the text
    brought: bool = False  # whether the learner brought the text; False for a sample
    units: tuple[str, ...] = ()  # per run: whether it reads the text as words or as characters
    apart: bool = False  # True if the visitor has runs, but none on this text in this unit

    def home(self, name: str) -> str:
        unit = self.units[[run.name for run in self.runs].index(name)]
        unit_query = "" if unit == "words" else f"&unit={unit}"
        return f"export/training/own/home.zip?pairs={self.mark}{unit_query}&runs={name}"

    def limits(self) -> dict[str, Any]:
        """Limit the choice to runs that read the text in the current unit; other runs are only compared."""
        limits = super().limits()
        runs = [run for run, unit in zip(limits["runs"], self.units, strict=True) if UNITS[unit] == self.unit]
        return limits | {"runs": None if self.apart else runs}

    def idle(self) -> dict[str, str]:
        return super().idle() | ({"sample": "Your own pairs are used."} if self.brought else {})


def own(
    pairs: str, sample: str, unit: str, sentence: str, runs: tuple[str, ...], **settings: Any
) -> OwnPairsResult:
    saved = text_runs(runs)
    notice_expired_runs(runs, saved)
    dataset = choose_dataset(pairs, sample, unit, saved)
    plan = make_plan(dataset, **settings)
    words, same_unit = dataset.read_sentence(sentence), runs_in_unit(dataset, saved)
    if same_unit:
        view = same_unit[0]
        result = show_model(dataset, view.run.plan, view.load_model(), (), view.run.name, words)
    elif pairs:  # results for the learner's own pairs are not cached
        result = show_model(dataset, plan, untrained_model(dataset, plan), (), None, words)
    else:
        result = show_untrained(dataset, plan, words)
    result = add_report(dataset, result, runs_on_text(dataset, saved))
    return replace(result, apart=bool(saved) and not same_unit)


def add_report(dataset: TextDataset, result: TrainingResult, runs: Sequence[Run]) -> OwnPairsResult:
    """Add the report on the text and these runs to the result."""
    compared = compare_with(result, runs)
    return OwnPairsResult(
        **vars(compared),
        report=dataset.report,
        mark=dataset.fingerprint,
        brought=dataset.label == LEARNERS_PAIRS,
        units=tuple(run.plan.task.rpartition(", ")[2] for run in compared.runs),
    )


# ---- datasets and saved runs ----


def choose_dataset(pairs: str, sample: str, unit: str, saved: Sequence[SavedRun]) -> TextDataset:
    """The dataset of the text or the sample or, if only a fingerprint is given, of a saved run."""
    if not pairs:
        return sample_dataset(sample, unit)
    if not FINGERPRINT.fullmatch(pairs):
        return read_dataset(pairs, unit, LEARNERS_PAIRS)
    for dataset in map(text_dataset, saved):
        if (dataset.fingerprint, dataset.report.unit) == (pairs, unit):
            return dataset
    raise InputError(FILE_NOT_IN_LINK, "pairs")


@lru_cache(maxsize=8)
def sample_dataset(name: str, unit: str) -> TextDataset:
    return read_dataset(sample_text(name), unit, name)


def text_runs(names: Sequence[str]) -> list[SavedRun]:
    """Saved runs on pairs from a text."""
    return [saved for saved in load_saved_runs(names) if isinstance(saved.dataset, TextDataset)]


def text_dataset(saved: SavedRun) -> TextDataset:
    assert isinstance(saved.dataset, TextDataset)
    return saved.dataset


def runs_in_unit(dataset: TextDataset, saved: Sequence[SavedRun]) -> list[SavedRun]:
    """Saved runs on the same text, read in the same unit."""
    key = dataset.fingerprint, dataset.report.unit
    return [each for each in saved if (text_dataset(each).fingerprint, text_dataset(each).report.unit) == key]


def runs_on_text(dataset: TextDataset, saved: Sequence[SavedRun]) -> list[Run]:
    """Runs on the same text, read in either unit."""
    return [each.run for each in saved if text_dataset(each).fingerprint == dataset.fingerprint]


# ---- training ----


def train(
    pairs: str, sample: str, unit: str, sentence: str, runs: tuple[str, ...], **settings: Any
) -> Iterator[tuple[float, OwnPairsResult]]:
    dataset, saved = training_dataset(pairs, sample, unit, runs)
    plan = make_plan(dataset, **settings)
    model = plan.build_model(dataset.task)
    return run_job(dataset, model, start_run(plan), plan.budget, sentence, saved, runs)


def go_on(
    pairs: str,
    sample: str,
    unit: str,
    sentence: str,
    runs: tuple[str, ...],
    power: float,
    budget: int,
    **others: Any,
) -> Iterator[tuple[float, OwnPairsResult]]:
    dataset, saved = training_dataset(pairs, sample, unit, runs)
    same_unit = runs_in_unit(dataset, saved)
    if not same_unit:
        raise InputError(NO_RUN, "runs")
    return run_job(dataset, *continue_run(same_unit[0], power, budget), budget, sentence, saved, runs)


def training_dataset(
    pairs: str, sample: str, unit: str, runs: Sequence[str]
) -> tuple[TextDataset, list[SavedRun]]:
    """Return the dataset to train on and the visitor's saved runs."""
    saved = text_runs(runs)
    dataset = choose_dataset(pairs, sample, unit, saved)
    if not dataset.training_pairs():
        raise InputError(FILE_NOT_IN_PAGE, "pairs")
    return dataset, saved


def run_job(
    dataset: TextDataset,
    model: Any,
    run: Run,
    budget: float,
    sentence: str,
    saved: list[SavedRun],
    names: Sequence[str],
) -> Iterator[tuple[float, OwnPairsResult]]:
    others = runs_on_text(dataset, saved)[: MAX_RUNS - 1]

    def show(measured: Run, model: Any) -> OwnPairsResult:
        words = dataset.read_sentence(sentence)
        result = show_model(dataset, measured.plan, model, (), measured.name, words)
        return add_report(dataset, result, [measured, *others])

    return train_and_show(dataset, model, run, budget, show, names)
