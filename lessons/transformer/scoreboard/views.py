"""Two tables side by side: how each translation model was built, and how well it performs."""

from typing import Any

from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.table import Bar, Link, Parts, Table, Tones
from lessons.transformer.scoreboard.compute import SATURATED_EXACT_MATCH, Row, Scoreboard

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
            download_link(row.name, row.file, ""),
            Link(f"{run.lessons[row.lesson]}", row.lesson),
            f"{row.seeds}",
            figure_bar(run, row, "steps", "{:,}", largest["steps"]),
            figure_bar(run, row, "parameters", "{:,}", largest["parameters"]),
            figure_bar(run, row, "training seconds", "{:.0f}", largest["training seconds"]),
        )
        for row in run.rows
    )
    headings = ("model, to take home", "lesson", "seeds", *columns)
    title = f"How each was made, sorted by {run.sort}"
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
    headings = ("model, to take home", "kind", "task", "parameters")
    return Table(headings, rows, key="other", title="Other tasks, other seeds", wide=620)


def results(run: Scoreboard) -> Table:
    rows = tuple(
        (
            seed_bar(row.exact_by_seed, 3),
            seed_bar(row.at_length(run.beyond), 2),
            Tones(row.by_length),
            figure_bar(run, row, "AER", "{:.2f}", 1.0),
            figure_bar(run, row, "ms per sentence", "{:.1f}", 20.0),
        )
        for row in run.rows
    )
    longest = tuple(length.partition("–")[2] for length in run.lengths)
    by_length = Parts("by source words, up to", longest, run.beyond, "dashed: longest in training")
    return Table(
        ("exact match", "beyond training", by_length, "AER", "ms per sentence"),
        rows,
        names=tuple(row.name for row in run.rows),
        title="Results: minimum and maximum of the seeds, or means",
        wide=486,
        **shared_style(run),
    )


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
    transformer = next(row for row in run.rows if row.name == MARKED_MODEL)
    saturated, beyond = run.saturated, run.beyond
    worst, best = (choose(saturated, key=lambda row: row.by_length[beyond]) for choose in (min, max))
    low, high = run.trained
    sentences = [
        f"On **{run.sentences:,}** test sentences of {low} to {high} words, **{len(saturated)}** of"
        f" {len(run.rows)} models get at least {percent(SATURATED_EXACT_MATCH)} right.",
        f"On **{run.lengths[beyond]}** words, longer than in training, these models get from"
        f" **{percent(worst.by_length[beyond])}** (“{worst.name}”) to **{percent(best.by_length[beyond])}**"
        f" (“{best.name}”) right.",
        f"The Transformer’s seeds have {format_range(transformer.exact_by_seed, 3)}, and"
        f" {format_range(transformer.at_length(beyond), 2)} beyond training.",
        f"The comparison is not quite fair: these models were trained for"
        f" {format_count_range([row.steps for row in saturated])} steps and have"
        f" {format_count_range([row.parameters for row in saturated])} parameters.",
    ]
    return " ".join(sentences)
