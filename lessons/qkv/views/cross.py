"""One layer, three uses."""

from typing import Any

from lessons.kit.pictures.curves import short
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.qkv.compute.cross import Cross

WHO = {
    "S": "the decoder states S",
    "H": "the encoder states H",
    "decoder": "the decoder’s rows",
    "encoder": "the encoder’s rows",
}


def ours(run: Cross) -> Heatmap:
    return gaze(run, run.weights, "A, by the layer of this lesson")


def own(run: Cross) -> Heatmap:
    return gaze(run, run.own_weights, "The trained model’s own weights")


def gaze(run: Cross, weights, title: str) -> Heatmap:
    from_source = run.queries == run.keys
    look: dict[str, Any] = {
        "row_role": "source" if from_source else "target",
        "column_role": "source",
        "row_title": "asks",
        "column_title": "is looked at",
    }
    return Heatmap(
        weights,
        run.queries,
        run.keys,
        keys=("source" if from_source else "target", "source"),
        wide=445,
        tall=430,
        title=title,
        **look,
    )


def reading(run: Cross) -> str:
    head = "" if run.head is None else f", head {run.head}"
    return (
        f"{run.kind[0].upper()}{run.kind[1:]}{head}: queries from {WHO[run.asks]}, keys and values from"
        f" {WHO[run.looked_at]}. From the model’s own, no weight differs by more than"
        f" **{short(run.weights_difference, 2)}** and no context by more than"
        f" **{short(run.contexts_difference, 2)}**: the same layer."
    )


def inputs(run: Cross) -> Matrix:
    one = run.head is None
    notes = (run.asks if one else f"{run.asks} W_Q", run.looked_at if one else f"{run.looked_at} W_K")
    blocks = (
        Block("Q", run.Q, "target", note=f"= {notes[0]}"),
        Block("K", run.K, "source", note=f"= {notes[1]}"),
        Block("V", run.V, "context", note=f"= {notes[1].replace('W_K', 'W_V')}"),
    )
    return Matrix(blocks, title="What goes in: one row a word")
