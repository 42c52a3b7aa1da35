"""The layer's weights next to those of the trained model, and the input matrices."""

import numpy as np

from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import short
from lessons.qkv.cross.compute import Cross

INPUT_NAMES = {
    "S": "the decoder states S",
    "H": "the encoder states H",
    "decoder": "the rows of the decoder",
    "encoder": "the rows of the encoder",
}


def ours(run: Cross) -> Heatmap:
    return draw_weights(run, run.weights, "A, by the layer of this lesson")


def own(run: Cross) -> Heatmap:
    return draw_weights(run, run.own_weights, "The trained model’s own weights")


def draw_weights(run: Cross, weights: np.ndarray, title: str) -> Heatmap:
    row_role = "source" if run.queries == run.keys else "target"
    return Heatmap(
        weights,
        run.queries,
        run.keys,
        keys=(row_role, "source"),
        row_role=row_role,
        column_role="source",
        row_title="query",
        column_title="key",
        wide=445,
        tall=430,
        title=title,
    )


def reading(run: Cross) -> str:
    head = "" if run.head is None else f", head {run.head}"
    sentences = [
        f"{run.kind[0].upper()}{run.kind[1:]}{head}: the queries come from {INPUT_NAMES[run.asks]}, the keys"
        f" and values from {INPUT_NAMES[run.looked_at]}.",
        "The weights differ from those of the trained model by at most"
        f" **{short(run.weights_difference, 2)}** and the contexts by at most"
        f" **{short(run.contexts_difference, 2)}**, so it is the same layer.",
    ]
    return " ".join(sentences)


def inputs(run: Cross) -> Matrix:
    has_matrices = run.head is not None
    blocks = tuple(
        Block(name, values, role, note=f"= {rows}{f' W_{name}' if has_matrices else ''}")
        for name, values, role, rows in (
            ("Q", run.Q, "target", run.asks),
            ("K", run.K, "source", run.looked_at),
            ("V", run.V, "context", run.looked_at),
        )
    )
    return Matrix(blocks, title="The inputs Q, K and V: one row per word")
