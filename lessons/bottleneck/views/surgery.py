"""The output follows the vector, not the source."""

import numpy as np

from lessons.bottleneck.compute.vector import Operated
from lessons.bottleneck.views.parts import WIDE, without_end
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import counted
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.references import differing_positions


def vectors(run: Operated) -> Heatmap:
    names = ("untouched", "yours", "second")
    units = tuple(str(n + 1) for n in range(run.c.shape[1]))
    changed = np.flatnonzero(run.c[0] != run.c[1])
    title = f"c, all {run.c.shape[1]} numbers; {len(changed)} of them changed"
    return Heatmap(
        run.c, names, units, role=None, top=0.6, keys=("context", "unit"), wide=WIDE, tall=150, title=title
    )


def side_by_side(run: Operated) -> Tokens:
    """What comes out for each of the three contexts. Yours is held against the truth of what was read."""
    own, second = without_end(run.plain), without_end(run.donor)
    lines = (
        TokenLine("untouched", own, right=run.right[0]),
        TokenLine("yours", without_end(run.yours), changed=frozenset(run.changed), right=run.right[1]),
        TokenLine("second", second, right=run.right[2]),
    )
    return Tokens(
        lines, wide=WIDE, tall=130, title="What the decoder says for each of them; marked: not as untouched"
    )


def reading(run: Operated) -> str:
    if not run.touched:
        said = f"Nothing is changed yet. The two contexts are **{run.distances[2]:.2f}** apart, "
        return said + f"and c is **{np.linalg.norm(run.c[0]):.2f}** long."
    said = (
        f"Your c is **{run.distances[0]:.2f}** away from the untouched one, **{run.distances[1]:.2f}** from"
        " the second’s. "
    )
    if run.yours == run.plain:
        return said + "The output is **the same**, word for word."
    if run.yours == run.donor:
        return said + "The decoder says **what the second sentence says**, though the first was read."
    lost, new = (
        len(places) for places in differing_positions(without_end(run.plain), without_end(run.yours))
    )
    gone, came = ("is" if count == 1 else "are" for count in (lost, new))
    return said + f"{counted(lost, 'word')} of the untouched output {gone} gone, **{new}** {came} new."


def distances(run: Operated) -> Bars:
    labels = ("c to yours", "yours to second", "c to second")
    return Bars(run.distances, labels, role="context", top=8, title="How far apart? (Euclidean distance)")
