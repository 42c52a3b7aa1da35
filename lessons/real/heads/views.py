"""Maps of all heads, one head enlarged, and how the next token changes without it."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import compact, plural, signed
from lessons.kit.pictures.phrases import describe_change
from lessons.kit.pictures.scatter import Scatter
from lessons.kit.pictures.small_maps import SmallMaps
from lessons.kit.pictures.table import Table
from lessons.real.heads.compute import CHANGES, MAX_SINK_SHARE, REPEATED_PIECES, Heads
from lessons.real.pretrained_model import quote


def grid(run: Heads, values: np.ndarray, title: str, **size: Any) -> Heatmap:
    """A grid with one cell per head: layers downwards, heads across."""
    layers, heads = values.shape
    return Heatmap(
        values,
        tuple(str(n) for n in range(1, layers + 1)),
        tuple(str(n) for n in range(1, heads + 1)),
        keys=("layer", "head"),
        row_title="layer",
        column_title="head",
        current_row=run.layer - 1,
        current_column=run.head - 1,
        title=title,
        **size,
    )


def sinks(run: Heads) -> Heatmap:
    return grid(run, run.sinks, "Mean weight on the first piece", wide=250, tall=300)


def one_map(run: Heads) -> Heatmap:
    masked = np.where(np.tri(len(run.words), dtype=bool), run.weights, np.nan)
    return Heatmap(
        masked,
        run.words,
        run.words,
        keys=("query", "key"),
        row_role="target",
        column_role="source",
        wide=330,
        tall=290,
        title=f"Layer {run.layer}, head {run.head}: each row attends to earlier pieces",
    )


def next_pieces(run: Heads) -> Bars:
    return Bars(
        run.after,
        run.candidates,
        compare=run.before,
        compare_names=("edited", "original"),
        wide=290,
        title="P(next piece)",
    )


def sink_count(run: Heads) -> int:
    return int((run.sinks > MAX_SINK_SHARE).sum())


def reading(run: Heads) -> str:
    sentences = [
        f"**{sink_count(run)}** of {run.sinks.size} heads are attention sinks: they give more than half of"
        " their weight to the first piece."
    ]
    if run.change == CHANGES[0]:
        sentences.append(
            f"If you switched off head {run.head} of layer {run.layer}, P of {quote(run.best)} would change"
            f" by"
            f" **{signed(run.without)}**."
        )
    else:
        at = run.candidates.index(run.best)
        done = (
            "without this head"
            if run.change == CHANGES[1]
            else f"with all weight of this head on {quote(run.words[run.piece - 1])}"
        )
        change = describe_change(compact(run.before[at]), compact(run.after[at]))
        sentences.append(f"P of {quote(run.best)} {change} {done}.")
    return " ".join(sentences)


def weight_and_effect(run: Heads) -> Table:
    """One row per head of this layer: its weight on the chosen token and its effect."""
    rows = tuple(
        (str(n), f"{weight:.2f}", signed(effect, 3))
        for n, (weight, effect) in enumerate(zip(run.on_piece, run.effects, strict=True), start=1)
    )
    return Table(
        (
            "head",
            f"weight on {quote(run.words[run.piece - 1])}",
            f"change of P({quote(run.best)}) without it",
        ),
        rows,
        key="head",
        marked=frozenset({run.head - 1}),
        title=f"Layer {run.layer}: weight and effect",
    )


def effect_sentence(run: Heads) -> str:
    largest = int(np.abs(run.effects).argmax())
    looking = int(run.on_piece.argmax())
    same = "the same head" if largest == looking else f"head {looking + 1}"
    return (
        f"In layer {run.layer}, switching off head **{largest + 1}** changes P of {quote(run.best)} most, by"
        f" **{signed(run.effects[largest], 3)}**. The head with the largest weight on"
        f" {quote(run.words[run.piece - 1])}, {run.on_piece[looking]:.2f}, is {same}."
    )


def effect_scatter(run: Heads) -> Scatter:
    """One point per head: its weight on the first token, and its effect."""
    layers, heads = run.last_effects.shape
    return Scatter(
        run.first_weights.ravel(),
        run.last_effects.ravel(),
        tuple(
            f"layer {layer}, head {head}" for layer in range(1, layers + 1) for head in range(1, heads + 1)
        ),
        x_title=f"weight of the last piece on {quote(run.words[0])}",
        y_title=f"change of P({quote(run.best)})",
        x_range=(0, 1),
        current=(run.layer - 1) * heads + run.head - 1,
        wide=560,
        tall=340,
        title=f"{layers * heads} heads, switched off one by one at the last piece",
    )


def scatter_sentence(run: Heads) -> str:
    effects, weights = np.abs(run.last_effects), run.first_weights
    layer, head = np.unravel_index(effects.argmax(), effects.shape)
    change = signed(float(run.last_effects[layer, head]), 3)
    largest = (
        f"Head {head + 1} of layer {layer + 1} has the largest effect: without it, P changes by **{change}**."
    )
    is_sink = weights > MAX_SINK_SHARE
    if is_sink.all() or not is_sink.any():
        return largest
    return (
        f"{largest} On average, an attention sink changes P by **{effects[is_sink].mean():.3f}** and any"
        f" other"
        f" head by **{effects[~is_sink].mean():.3f}**."
    )


def all_maps(run: Heads) -> SmallMaps:
    grouped = " (pieces in groups)" if run._small_maps.shape[-1] < len(run.words) else ""
    return SmallMaps(
        run._small_maps,
        current=(run.layer - 1, run.head - 1),
        wide=860,
        title=f"The maps of all {run.sinks.size} heads{grouped}",
        description="Each row of a small map looks at earlier pieces.",
    )


def copying(run: Heads) -> Heatmap:
    return grid(run, run.copying, "Mean weight on the piece that followed last time", wide=250, tall=400)


def copied(run: Heads) -> Curves:
    steps = np.arange(2, len(run.repeated) + 1)
    return Curves(
        (
            Line("original", steps, run.repeated_p, "source", points=True),
            Line(
                f"without {plural(len(run.copying_heads), 'head')}",
                steps,
                run.repeated_p_without,
                "target",
                points=True,
            ),
        ),
        x_title="piece",
        y_title="P of the piece",
        x_range=(1, len(run.repeated)),
        y_range=(0, 1),
        current=float(REPEATED_PIECES + 1),
        wide=420,
        title=f"{REPEATED_PIECES} random pieces, twice",
    )


def copying_sentence(run: Heads) -> str:
    second = slice(REPEATED_PIECES, None)
    layer, head = run.copying_heads[0]
    return (
        f"Head {head} of layer {layer} copies best: it gives **{run.copying.max():.2f}** of its weight to the"
        " piece that followed last time. In the second round, the mean P of the correct piece is"
        f" **{run.repeated_p[second].mean():.2f}**. Without the best {len(run.copying_heads)} copying heads"
        f" it"
        f" is **{run.repeated_p_without[second].mean():.2f}**."
    )


def previous(run: Heads) -> Heatmap:
    return grid(run, run.previous, "Mean weight on the piece before", wide=250, tall=400)
