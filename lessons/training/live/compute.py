"""A training run on pairs of one of the course's tasks, in a worker process."""

from collections.abc import Iterator
from typing import Any

from lessons.kit.contract import InputError
from lessons.training.dataset import Dataset, GeneratedDataset, generated_dataset
from lessons.training.training_run import Run, SavedRun, load_saved_runs, make_plan, start_run
from lessons.training.training_session import (
    MAX_RUNS,
    NO_RUN,
    TrainingResult,
    continue_run,
    notice_expired_runs,
    show_model,
    show_untrained,
    train_and_show,
)

TASK_NAMES = {
    "dates": "dates",
    "reversal": "reversal",
    "copy": "copy",
    "sums": "addition",
    "English–French": "translation",
    "word → sounds": "pronounce",
}


def live(task: str, sentence: str, runs: tuple[str, ...], **settings: Any) -> TrainingResult:
    """Show the first saved run, whatever its task, or an untrained model for this task if there is none."""
    dataset = generated_dataset(TASK_NAMES[task])
    plan, saved = make_plan(dataset, **settings), generated_runs(runs)
    notice_expired_runs(runs, saved)
    if not saved:
        return show_untrained(dataset, plan, dataset.read_sentence(sentence))
    first = saved[0]
    return show_model(
        first.dataset,
        first.run.plan,
        first.load_model(),
        [each.run for each in saved],
        first.run.name,
        first.dataset.read_sentence(sentence),
    )


def generated_runs(names: tuple[str, ...]) -> list[SavedRun]:
    """Saved runs on pairs of the course."""
    return [saved for saved in load_saved_runs(names) if isinstance(saved.dataset, GeneratedDataset)]


def train(
    task: str, sentence: str, runs: tuple[str, ...], **settings: Any
) -> Iterator[tuple[float, TrainingResult]]:
    dataset = generated_dataset(TASK_NAMES[task])
    plan = make_plan(dataset, **settings)
    model = plan.build_model(dataset.task)
    return run_job(dataset, model, start_run(plan), plan.budget, sentence, generated_runs(runs))


def go_on(
    sentence: str, runs: tuple[str, ...], power: float, budget: int, **others: Any
) -> Iterator[tuple[float, TrainingResult]]:
    saved = generated_runs(runs)
    if not saved:
        raise InputError(NO_RUN, "runs")
    return run_job(saved[0].dataset, *continue_run(saved[0], power, budget), budget, sentence, saved)


def run_job(
    dataset: Dataset, model: Any, run: Run, budget: float, sentence: str, saved: list[SavedRun]
) -> Iterator[tuple[float, TrainingResult]]:
    words, others = dataset.read_sentence(sentence), [each.run for each in saved][: MAX_RUNS - 1]

    def show(measured: Run, model: Any) -> TrainingResult:
        return show_model(dataset, measured.plan, model, (measured, *others), measured.name, words)

    return train_and_show(dataset, model, run, budget, show, [other.name for other in others])
