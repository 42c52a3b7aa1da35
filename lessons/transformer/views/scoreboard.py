"""Every translation model of the course, on one board."""

from lessons.kit.pictures.table import Bar, Link, Parts, Table, Tones
from lessons.transformer.compute.scoreboard import PAGES, Board, Row

OURS = "Transformer"


def board(run: Board) -> Table:
    def bar(row: Row, name: str, form: str, top: float, role: str = "quiet", note: str = "") -> Bar:
        value = run.value(row, name)
        return Bar("–" if value is None else form.format(value), value, top, role, note)

    rows = tuple(
        (
            row.name,
            Link(row.lesson, PAGES.get(row.lesson, "")),
            bar(row, "exact match", "{:.3f}", 1.0, "weight", seeds(row)),
            Tones(row.by_length),
            bar(row, "AER", "{:.2f}", 1.0),
            bar(row, "parameters", "{:,}", 310_000.0),
            bar(row, "training seconds", "{:.0f}", 600.0),
            bar(row, "ms per sentence", "{:.1f}", 20.0),
        )
        for row in run.rows
    )
    beyond = "right of the dashed line: longer than anything in training"
    lengths = Parts("exact match by source length", run.lengths, run.beyond, beyond)
    headings = ("model", "lesson", "exact match", lengths, "AER", "parameters", "training seconds", "ms per sentence")
    marked = frozenset(n for n, row in enumerate(run.rows) if row.name == OURS)
    title = f"Every translation model, sorted by {run.sort}"
    about = "Means over seeds. Lengths right of the dashed line were never trained on."
    return Table(headings, rows, key="model", sorted_by=run.sort, marked=marked, title=title, description=about)


def seeds(row: Row) -> str:
    said = f"exact match {row.exact:.3f}, {row.seeds} seed{'s' * (row.seeds > 1)}"
    return said + (f", {row.spread:.3f} between the best and the worst" if row.seeds > 1 else "")


def reading(run: Board) -> str:
    ours = next(row for row in run.rows if row.name == OURS)
    place = 1 + sum(row.exact > ours.exact for row in run.rows)
    farthest = max(run.rows, key=lambda row: row.by_length[run.beyond])
    said = f"On **{run.sentences:,}** test sentences of {run.trained[0]} to {run.trained[1]} words the Transformer gets "
    said += (
        f"**{ours.exact:.1%}** word for word, place **{place}** of {len(run.rows)}. On **{run.lengths[run.beyond]}** words, longer "
    )
    said += f"than any in training, it gets **{ours.by_length[run.beyond]:.0%}**; the best there is {farthest.name} with "
    said += f"**{farthest.by_length[run.beyond]:.0%}**."
    m = run.measured
    return said + f" Time: processor time for one sentence of {m['words']} words, measured {m['date']} on {m['cores']} cores."
