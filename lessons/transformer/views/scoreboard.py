"""Every translation model of the course, on one board."""

from lessons.transformer.board import Board as BoardPicture
from lessons.transformer.board import Column
from lessons.transformer.compute.scoreboard import PAGES, Board

OURS = "Transformer"


def board(run: Board) -> BoardPicture:
    rows = run.rows
    seeds = tuple(f"exact match {row.exact:.3f}, {row.seeds} seed{'s' * (row.seeds > 1)}" for row in rows)
    spread = tuple(f", {row.spread:.3f} between the best and the worst" if row.seeds > 1 else "" for row in rows)
    notes = tuple(map("".join, zip(seeds, spread, strict=True)))

    def column(name: str, form: str, width: float, top: float, role: str = "quiet", notes: tuple[str, ...] | None = None) -> Column:
        values = tuple(run.value(row, name) for row in rows)
        words = tuple("–" if value is None else form.format(value) for value in values)
        return Column(name, words, width, values, top, role, notes)

    columns = (
        Column("model", tuple(row.name for row in rows), 162),
        Column("lesson", tuple(row.lesson for row in rows), 100, links=tuple(PAGES.get(row.lesson, "") for row in rows)),
        column("exact match", "{:.3f}", 62, 1.0, "weight", notes),
        column("AER", "{:.2f}", 46, 1.0),
        column("parameters", "{:,}", 64, 310_000.0),
        column("training seconds", "{:.0f}", 52, 600.0),
        column("ms per sentence", "{:.1f}", 76, 20.0),
    )
    lengths = {"lengths": run.lengths, "by_length": tuple(row.by_length for row in rows)}
    marked = frozenset(n for n, row in enumerate(rows) if row.name == OURS)
    title = f"Every translation model, sorted by {run.sort}"
    about = "Means over seeds. Lengths right of the dashed line were never trained on."
    names = tuple(row.name for row in rows)
    look = {"sorted_by": run.sort, "marked": marked, "beyond": run.beyond}
    return BoardPicture(names, columns, title=title, description=about, **lengths, **look)


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
