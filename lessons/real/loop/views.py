"""The probability of one more copy, with and without a penalty, and for our own story model."""

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import compact
from lessons.real.loop.compute import LoopRun
from lessons.real.pretrained_model import model_name, quote


def curve(run: LoopRun) -> Curves:
    lines = [Line("model", run.copies, run.plain, "source", points=len(run.copies) <= 30)]
    if run.penalty != 1:
        lines.append(
            Line(
                f"penalty {run.penalty:g}", run.copies, run.penalised, "target", points=len(run.copies) <= 30
            )
        )
    return Curves(
        tuple(lines),
        x_title="copy",
        y_title="P per piece",
        x_range=(1, max(2, len(run.copies))),
        y_range=(0, 1),
        wide=620,
        tall=300,
        title=f"{quote(''.join(run.words).replace('␣', ' ').strip())}, {len(run.copies)} times",
    )


def reading(run: LoopRun) -> str:
    first = int(np.flatnonzero(np.isfinite(run.plain))[0])  # copy 1 may have no P
    sentences = [
        f"In copy {first + 1}, P per piece (geometric mean) is **{compact(run.plain[first])}**; in copy"
        f" {len(run.copies)} it is **{compact(run.plain[-1])}**."
    ]
    half = np.flatnonzero(run.plain > 0.5)
    if len(half):
        sentences.append(f"From copy **{run.copies[half[0]]}** on, P per piece is above one half.")
    if run.penalty != 1:
        sentences.append(
            f"With a repetition penalty of {run.penalty:g}, P per piece in the last copy is only"
            f" **{compact(run.penalised[-1])}**."
        )
    return " ".join(sentences)


def pieces_by_copy(run: LoopRun) -> Heatmap:
    shown = run.by_piece[:20]
    return Heatmap(
        shown,
        tuple(str(n) for n in run.copies[: len(shown)]),
        run.words,
        keys=("copy", "piece"),
        row_title="copy",
        title="P of each piece in the first 20 copies",
    )


def beside_ours(run: LoopRun) -> Curves:
    n = min(len(run.ours), len(run.plain))
    return Curves(
        (
            Line(model_name(), run.copies[:n], run.plain[:n], "source", points=True),
            Line("our story model", np.arange(1, n + 1), run.ours[:n], "target", points=True),
        ),
        x_title="copy",
        y_title="P per token",
        x_range=(1, max(2, n)),
        y_range=(0, 1),
        title=f"Two models: ours repeats “{run.our_phrase}”",
    )
