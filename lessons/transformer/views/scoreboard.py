"""Every translation model of the course: how it was made, and beside it how it does."""

from typing import Any

from lessons.kit.pictures.numbers import counted, percent, plural
from lessons.kit.pictures.table import Bar, Link, Parts, Table, Tones
from lessons.transformer.compute.scoreboard import Board, Row

OURS = "Transformer"


def look(run: Board) -> dict[str, Any]:
    """What both tables share: their rows stand side by side."""
    marked = frozenset(n for n, row in enumerate(run.rows) if row.name == OURS)
    return {"key": "model", "sorted_by": run.sort, "marked": marked}


def bar(run: Board, row: Row, name: str, form: str, top: float, role: str = "quiet", note: str = "") -> Bar:
    value = run.value(row, name)
    return Bar("–" if value is None else form.format(value), value, top, role, note)


def board(run: Board) -> Table:
    most = {name: max(run.value(row, name) or 0.0 for row in run.rows) for name in ("steps", "parameters", "training seconds")}
    rows = tuple(
        (
            taken(row.name, row.file),
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


def taken(words: str, file: str) -> Link:
    return Link(words, f"home/{file}.zip", "Take it home: weights, card and a short Python file")


def others(run: Board) -> Table:
    rows = tuple(
        (taken(one.file, one.file), one.kind.replace("seq2seq", "sequence to sequence"), one.task, f"{one.parameters:,}")
        for one in run.others
    )
    return Table(
        ("model, to take home", "kind", "task", "parameters"), rows, key="other", title="Other tasks, other seeds", wide=620
    )


def results(run: Board) -> Table:
    rows = tuple(
        (
            bar(run, row, "exact match", "{:.3f}", 1.0, "weight", seeds(row)),
            Tones(row.by_length),
            bar(run, row, "AER", "{:.2f}", 1.0),
            bar(run, row, "ms per sentence", "{:.1f}", 20.0),
        )
        for row in run.rows
    )
    beyond = "right of the dashed line: longer than any in training"
    headings = ("exact match", Parts("exact match by source length", run.lengths, run.beyond, beyond), "AER", "ms per sentence")
    names = tuple(row.name for row in run.rows)
    return Table(headings, rows, names=names, title="How it does: means over seeds", wide=486, **look(run))


def seeds(row: Row) -> str:
    said = f"exact match {row.exact:.3f}, {row.seeds} seed{'s' * (row.seeds > 1)}"
    return said + (f", {row.spread:.3f} between the best and the worst" if row.seeds > 1 else "")


def reading(run: Board) -> str:
    ours = next(row for row in run.rows if row.name == OURS)
    place = 1 + sum(row.exact > ours.exact for row in run.rows)
    farthest = max(run.rows, key=lambda row: row.by_length[run.beyond])
    who = f"the Transformer ({counted(ours.seeds, 'seed')}, {ours.steps:,} steps)"
    said = f"On **{run.sentences:,}** test sentences of {run.trained[0]} to {run.trained[1]} words {who} gets "
    said += f"**{percent(ours.exact, 1)}** right, place **{place}** of {len(run.rows)}. On **{run.lengths[run.beyond]}** words, "
    said += f"longer than any in training, it gets **{percent(ours.by_length[run.beyond])}**; "
    best = f"{farthest.name} ({plural(farthest.seeds, 'seed')})"
    return said + f"the best there is {best}, with **{percent(farthest.by_length[run.beyond])}**."
