"""The attention in your hands."""

from itertools import groupby
from typing import Any

import numpy as np

from lessons.attention.compute.steer import Steered
from lessons.attention.views.parts import WIDE, looking, next_bars, placed, quoted, source_keys, truth_line
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import lowered
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled

ROW, ASIDE = 380, 520  # the room of the bars to drag, and of what stands beside them
SHOWN = 5  # next words


def unrolled(run: Steered) -> Unrolled:
    whose = "your weights" if run.t in run.edited else "the model’s own weights"
    seen = run.source, run.H, run.yours, run.s, run.t, run.row, run.context
    return looking(*seen, cells=4, tall=212, title=f"Step {run.t}, with {whose}")


def reading(run: Steered) -> str:
    best, word = int(run.row.argmax()), run.yours[run.t - 1]
    share = run.probabilities[1][run.next_words.index(word)]
    alike = len(run.row) > 1 and np.ptp(run.row) < 0.005
    looks = (
        "looks at all words alike"
        if alike
        else f"gives **{run.row[best]:.2f}** of its weight to {placed(run.source, best)}"
    )
    said = f"At step {run.t} the decoder {looks} and writes “**{word}**” ({share:.2f})."
    if not (run.edited or run.waiting or run.unfit):
        if len(run.row) == 1:
            return f"{said} There is no other word to look at: take a longer sentence."
        return (
            f"{said} You changed nothing yet: drag {placed(run.source, int(np.argsort(run.row)[-2]))} to the"
            " right."
        )
    if run.edited:
        said += consequence(run)
    if run.waiting:
        said += f" Your sentence ends at step {len(run.yours)}: {steps(run.waiting)} must wait."
    if run.unfit:
        said += (
            f" The change at {steps(run.unfit)} was made for a sentence of another length and is left out"
            " here."
        )
    return said


def consequence(run: Steered) -> str:
    said = ""
    if run.t in run.edited and run.moved is not None:
        said = f" c{lowered(run.t)} moved a distance of **{run.moved:.2f}**."
    if not (run.lost or run.new):
        return f"{said} With your weights at {steps(run.edited)} the sentence **stays the same**."
    changes = []
    if run.lost:
        changes.append(f"lost {quoted(tuple(run.plain[n] for n in run.lost), 3)}")
    if run.new:
        changes.append(f"gained {quoted(tuple(run.yours[n] for n in run.new), 3)}")
    said += f" With your weights at {steps(run.edited)} it {' and '.join(changes)}."
    return said if run.ended else f"{said} It does not find its end; we stopped it."


def steps(numbers: tuple[int, ...]) -> str:
    """step 3, or steps 1–4, 7"""
    runs = [[n for _, n in group] for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    said = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
    return f"step{'s' * (len(numbers) > 1)} {said}"


def translations(run: Steered) -> Tokens:
    lines = (
        TokenLine("untouched", run.plain, changed=frozenset(run.lost), right=run.right[0]),
        TokenLine("yours", run.yours, changed=frozenset(run.new), right=run.right[1]),
        *truth_line(run.truth, run.right[0]),
    )
    return Tokens(lines, current=run.t - 1, wide=ASIDE, tall=100, title="The sentence, untouched and yours")


def row(run: Steered) -> Bars:
    """The row in the learner's hand."""
    plain = run.plain_row
    changed = (
        frozenset(np.flatnonzero(np.abs(run.row - plain) >= 0.05).tolist())
        if plain is not None and run.t in run.edited
        else ()
    )
    return Bars(
        run.row,
        run.source,
        keys=source_keys(len(run.source)),
        handle="weights",
        compare=plain,
        changed=frozenset(changed),
        label_role="source",
        wide=ROW,
        tall=252,
        title=f"Weights of step {run.t}: drag a bar",
    )


def next_words(run: Steered) -> Bars:
    before = run.yours[run.t - 2] if run.t > 1 else "the start"
    plain, yours = run.probabilities[:, :SHOWN]
    return next_bars(
        run.next_words[:SHOWN], yours, plain, wide=ASIDE, tall=115, title=f"Next word, after “{before}”"
    )


def alignment(run: Steered) -> Heatmap:
    gold = run.gold if run.gold and run.yours[: len(run.plain)] == run.plain else ()
    return Heatmap(
        run.your_weights,
        run.yours,
        run.source,
        keys=("step", "source"),
        row_role="target",
        column_role="source",
        gold=gold,
        changed=tuple((step - 1, i) for step in run.edited for i in range(len(run.source))),
        title="Who looks where, yours" + (" (gold dashed)" if gold else ""),
    )


def contexts(run: Steered) -> Heatmap:
    """c_t before and after, unit by unit; where the untouched sentence has ended, there is nothing to hold it against."""
    rows = {"yours": run.context}
    if run.plain_context is not None:
        rows = {"untouched": run.plain_context, **rows, "change": run.context - run.plain_context}
    units = tuple(str(n + 1) for n in range(len(run.context)))
    look: dict[str, Any] = {"role": None, "keys": ("row", "unit"), "column_title": "unit", "wide": WIDE - 20}
    return Heatmap(
        np.vstack([*rows.values()]),
        tuple(rows),
        units,
        title=f"c{lowered(run.t)}, all {len(units)} numbers",
        **look,
    )


def what_changed(run: Steered) -> str:
    """The question of that closer look."""
    return f"What is it in c{lowered(run.t)} that changed?" if run.moved else f"What is in c{lowered(run.t)}?"
