"""Two tables side by side: how each translation model was built, and how well it performs."""

from collections.abc import Sequence
from typing import Any

from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.table import Bar, Link, Parts, Table, Tones
from lessons.transformer.scoreboard.compute import (
    EVERYDAY,
    PRONUNCIATION,
    SATURATED_EXACT_MATCH,
    Row,
    Scoreboard,
)

MARKED_MODEL = "Transformer"


def shared_style(run: Scoreboard) -> dict[str, Any]:
    """Style shared by both tables, so that their rows line up."""
    marked = frozenset(n for n, row in enumerate(run.rows) if row.name == MARKED_MODEL)
    return {"key": "model", "sorted_by": run.sort, "marked": marked}


def figure_bar(run: Scoreboard, row: Row, column: str, form: str, top: float) -> Bar:
    value = run.value(row, column)
    return Bar("–" if value is None else form.format(value), value, top, "quiet")


def board(run: Scoreboard) -> Table:
    columns = ("steps", "parameters", "training seconds")
    largest = {column: max(run.value(row, column) or 0.0 for row in run.rows) for column in columns}
    rows = tuple(
        (
            download_link(row.name, row.file, "") if row.exportable else row.name,
            Link(f"{run.lessons[row.lesson]}", row.lesson),
            f"{row.seeds}",
            figure_bar(run, row, "steps", "{:,}", largest["steps"]),
            figure_bar(run, row, "parameters", "{:,}", largest["parameters"]),
            figure_bar(run, row, "training seconds", "{:.0f}", largest["training seconds"]),
        )
        for row in run.rows
    )
    headings = ("model (download)", "lesson", "seeds", *columns)
    title = f"Size and training, sorted by {run.sort}"
    return Table(headings, rows, title=title, wide=418, **shared_style(run))


def download_link(
    words: str, file: str, tip: str = "Take it home: weights, card and a short Python file"
) -> Link:
    return Link(words, f"home/{file}.zip", tip)


def others(run: Scoreboard) -> Table:
    rows = tuple(
        (
            download_link(other.file, other.file),
            other.kind.replace("seq2seq", "sequence to sequence"),
            other.task,
            f"{other.parameters:,}",
        )
        for other in run.others
    )
    headings = ("model (download)", "kind", "task", "parameters")
    return Table(headings, rows, key="other", title="Other tasks, other seeds", wide=620)


def results(run: Scoreboard) -> Table:
    columns: dict[str | Parts, list[Any]] = {
        "exact match": [seed_bar(row.exact_by_seed, 3) for row in run.rows],
        "beyond training": [seed_bar(row.at_length(run.beyond), 2) for row in run.rows],
        "phoneme errors": [seed_bar(row.errors_by_seed, 3) for row in run.rows if row.errors_by_seed],
        lengths_heading(run): [Tones(row.by_length) for row in run.rows],
        "AER": [figure_bar(run, row, "AER", "{:.2f}", 1.0) for row in run.rows],
        "names copied": [figure_bar(run, row, "names copied", "{:.2f}", 1.0) for row in run.rows],
        "ms per sentence": [figure_bar(run, row, "ms per sentence", "{:.1f}", 20.0) for row in run.rows],
    }
    hidden = {
        EVERYDAY: ("phoneme errors",),
        PRONUNCIATION: ("beyond training", "AER", "names copied"),
    }.get(run.task, ("phoneme errors", "names copied"))
    shown = {heading: cells for heading, cells in columns.items() if heading not in hidden}
    return Table(
        tuple(shown),
        tuple(zip(*shown.values(), strict=True)),
        names=tuple(row.name for row in run.rows),
        title="Results: minimum and maximum of the seeds, or means",
        wide=486,
        **shared_style(run),
    )


def lengths_heading(run: Scoreboard) -> Parts:
    longest = tuple(length.partition("–")[2] for length in run.lengths)
    unit = "letters" if run.task == PRONUNCIATION else "source words"
    about = "dashed: longest in training" if run.beyond else ""
    return Parts(f"by {unit}, up to", longest, run.beyond, about)


def seed_bar(figures: tuple[float, ...], digits: int) -> Bar:
    """A bar for the mean over seeds, labelled with their minimum and maximum."""
    return Bar(format_range(figures, digits), sum(figures) / len(figures))


def format_range(figures: tuple[float, ...], digits: int) -> str:
    """Format a range as 0.29–0.36, or as one number if both ends look the same."""
    return "–".join(dict.fromkeys(f"{end:.{digits}f}" for end in (min(figures), max(figures))))


def format_count_range(values: list[int]) -> str:
    """Format a range as “3,000 to 4,000”, or as one number if both ends are equal."""
    return " to ".join(dict.fromkeys(f"{end:,}" for end in (min(values), max(values))))


def reading(run: Scoreboard) -> str:
    if run.task == PRONUNCIATION:
        best, worst = (choose(run.rows, key=lambda row: row.errors or 0.0) for choose in (min, max))
        return (
            f"On **{run.sentences:,}** test words, “{best.name}” makes the fewest errors,"
            f" {format_range(best.errors_by_seed, 3)} per phoneme with {count_seeds(best)}. “{worst.name}”"
            f" makes the most, {format_range(worst.errors_by_seed, 3)}."
            f" {tell_budgets(run.rows)}"
        )
    if run.task == EVERYDAY:
        best, worst = (choose(run.rows, key=lambda row: row.copied or 0.0) for choose in (max, min))
        return (
            f"On **{run.sentences:,}** test sentences, the exact match of the models is"
            f" {format_range(tuple(row.exact for row in run.rows), 3)}. In **{run.hidden_names}** other"
            f" sentences a name is unknown: “{best.name}” copies it in"
            f" **{percent(best.copied or 0.0)}** of them and “{worst.name}” in"
            f" {percent(worst.copied or 0.0)}."
            f" “{best.name}” translates {percent(best.correct or 0.0)} of these sentences entirely correctly."
            f" {tell_budgets(run.rows)}"
        )
    return read_small_world(run)


def count_seeds(row: Row) -> str:
    return "1 seed" if row.seeds == 1 else f"{row.seeds} seeds"


def tell_budgets(rows: Sequence[Row]) -> str:
    return (
        f"This is not quite fair: the models have"
        f" {format_count_range([row.parameters for row in rows])} parameters. Training took"
        f" {format_count_range([row.steps for row in rows])} steps."
    )


def read_small_world(run: Scoreboard) -> str:
    transformer = next(row for row in run.rows if row.name == MARKED_MODEL)
    saturated, beyond = run.saturated, run.beyond
    worst, best = (choose(saturated, key=lambda row: row.by_length[beyond]) for choose in (min, max))
    _, high = run.trained
    sentences = [
        f"On at most {high} words, **{len(saturated)}** of {len(run.rows)} models get"
        f" at least {percent(SATURATED_EXACT_MATCH)} right.",
        f"On **{run.lengths[beyond]}** words, longer than in training,"
        f" “{worst.name}” gets **{percent(worst.by_length[beyond])}** right and “{best.name}”"
        f" **{percent(best.by_length[beyond])}**.",
        f"The Transformer’s exact match falls from {format_range(transformer.exact_by_seed, 2)} to"
        f" {format_range(transformer.at_length(beyond), 2)}.",
        tell_budgets(saturated),
    ]
    return " ".join(sentences)
