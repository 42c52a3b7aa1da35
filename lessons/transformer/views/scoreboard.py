"""Every translation model of the course: how it was made, and beside it how it does."""

from typing import Any

from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.table import Bar, Link, Parts, Table, Tones
from lessons.transformer.compute.scoreboard import SATURATED, Board, Row

OURS = "Transformer"


def look(run: Board) -> dict[str, Any]:
    """What both tables share: their rows stand side by side."""
    marked = frozenset(n for n, row in enumerate(run.rows) if row.name == OURS)
    return {"key": "model", "sorted_by": run.sort, "marked": marked}


def bar(run: Board, row: Row, name: str, form: str, top: float) -> Bar:
    value = run.value(row, name)
    return Bar("–" if value is None else form.format(value), value, top, "quiet")


def board(run: Board) -> Table:
    most = {
        name: max(run.value(row, name) or 0.0 for row in run.rows)
        for name in ("steps", "parameters", "training seconds")
    }
    rows = tuple(
        (
            taken(row.name, row.file, ""),
            Link(f"{run.lessons[row.lesson]}", row.lesson),
            f"{row.seeds}",
            bar(run, row, "steps", "{:,}", most["steps"]),
            bar(run, row, "parameters", "{:,}", most["parameters"]),
            bar(run, row, "training seconds", "{:.0f}", most["training seconds"]),
        )
        for row in run.rows
    )
    headings = ("model, to take home", "lesson", "seeds", "steps", "parameters", "training seconds")
    return Table(headings, rows, title=f"How each was made, sorted by {run.sort}", wide=418, **look(run))


def taken(words: str, file: str, tip: str = "Take it home: weights, card and a short Python file") -> Link:
    return Link(words, f"home/{file}.zip", tip)


def others(run: Board) -> Table:
    rows = tuple(
        (
            taken(one.file, one.file),
            one.kind.replace("seq2seq", "sequence to sequence"),
            one.task,
            f"{one.parameters:,}",
        )
        for one in run.others
    )
    return Table(
        ("model, to take home", "kind", "task", "parameters"),
        rows,
        key="other",
        title="Other tasks, other seeds",
        wide=620,
    )


def results(run: Board) -> Table:
    rows = tuple(
        (
            seeds(row.exact_by_seed, 3),
            seeds(row.at_length(run.beyond), 2),
            Tones(row.by_length),
            bar(run, row, "AER", "{:.2f}", 1.0),
            bar(run, row, "ms per sentence", "{:.1f}", 20.0),
        )
        for row in run.rows
    )
    beyond = "dashed: longest in training"
    longest = tuple(length.partition("–")[2] for length in run.lengths)
    by_length = Parts("by source words, up to", longest, run.beyond, beyond)
    headings = ("exact match", "beyond training", by_length, "AER", "ms per sentence")
    names = tuple(row.name for row in run.rows)
    return Table(
        headings,
        rows,
        names=names,
        title="How it does: least and most of the seeds, or means",
        wide=486,
        **look(run),
    )


def seeds(figures: tuple[float, ...], digits: int) -> Bar:
    """A bar as long as the mean of the seeds, with the least and the most of them on it."""
    return Bar(span(figures, digits), sum(figures) / len(figures))


def span(figures: tuple[float, ...], digits: int) -> str:
    """0.29–0.36, and one number where both ends read alike."""
    return "–".join(dict.fromkeys(f"{end:.{digits}f}" for end in (min(figures), max(figures))))


def spread(values: list[int]) -> str:
    """3,000 to 4,000, and one number where both ends are alike."""
    return " to ".join(dict.fromkeys(f"{end:,}" for end in (min(values), max(values))))


def reading(run: Board) -> str:
    ours = next(row for row in run.rows if row.name == OURS)
    near, beyond = run.saturated, run.beyond
    worst, best = (choose(near, key=lambda row: row.by_length[beyond]) for choose in (min, max))
    said = (
        f"On **{run.sentences:,}** test sentences of {run.trained[0]} to {run.trained[1]} words,"
        f" **{len(near)}** of "
    )
    said += (
        f"{len(run.rows)} models get at least {percent(SATURATED)} right: exact match hardly separates them. "
    )
    said += f"On **{run.lengths[beyond]}** words, longer than any in training, the same models get from "
    said += (
        f"**{percent(worst.by_length[beyond])}** (“{worst.name}”) to **{percent(best.by_length[beyond])}**"
        f" (“{best.name}”). "
    )
    said += (
        f"The seeds of the Transformer get {span(ours.exact_by_seed, 3)}, and"
        f" {span(ours.at_length(beyond), 2)} beyond training. "
    )
    said += "The comparison is not quite fair: these models were trained for "
    return (
        said
        + f"{spread([row.steps for row in near])} steps and have {spread([row.parameters for row in near])}"
        " parameters."
    )
