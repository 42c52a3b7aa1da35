"""Which part hurts most: exact match without each part of the Transformer, the worst first."""

import numpy as np

from lessons.kit.pictures.table import Bar, Cell, Table
from lessons.transformer.ablate.compute import AblationRun


def exact_by_part(run: AblationRun) -> dict[str, float]:
    """Exact match without each measured part, lowest first; of the heads only the one that hurts most."""
    parts = dict(run.exact_parts)
    if np.isfinite(run.exact_without).any():
        row, head = np.unravel_index(np.nanargmin(run.exact_without), run.exact_without.shape)
        kind, layer = run.kinds[row].rsplit(" ", 1)
        parts[f"one head: {kind}, layer {layer}, head {head + 1}"] = float(run.exact_without[row, head])
    return dict(sorted(parts.items(), key=lambda item: item[1]))


def every_part(run: AblationRun) -> Table | str:
    if not run.measured:
        return ""
    rows: list[tuple[Cell, ...]] = [
        ("nothing", Bar(f"{run.exact[0]:.2f}", float(run.exact[0]), 1.0, "quiet"))
    ]
    rows += [(name, Bar(f"{exact:.2f}", exact, 1.0, "target")) for name, exact in exact_by_part(run).items()]
    title = f"Exact match on {run.measured} sentences without each part, the worst first"
    return Table(("switched off", "exact match"), tuple(rows), key="part", wide=560, title=title)


def worst_part(run: AblationRun) -> str:
    """Name the part whose removal hurts most and the one whose removal hurts least."""
    parts = exact_by_part(run)
    if not run.exact_parts:
        return ""
    worst, least = next(iter(parts)), next(reversed(parts))
    return (
        f"Exact match falls from {run.exact[0]:.2f} to **{parts[worst]:.2f}** without “{worst}”: of the parts"
        f" measured so far, this one hurts most. It hurts least to switch off “{least}”:"
        f" **{parts[least]:.2f}** of the sentences stay correct."
    )
