"""The weights of three layers, for the original and the edited sentence."""

from dataclasses import replace

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import plural, short
from lessons.kit.pictures.tokens import Tokens
from lessons.qkv.dynamic.compute import CHANGES, FIXED_LENGTH, LAYERS, LENGTHS, WINDOW_SIZE, Dynamic
from lessons.qkv.word_order import draw_both_orders

FIXED, WINDOW, ATTENTION = range(len(LAYERS))
ROLES: tuple[str | None, ...] = (None, None, "weight")  # M and the window can be negative, A cannot
WIDTH_PX, HEIGHT_PX = 296, 330
AXIS_ENDS = (1, 2, 5, 10, 20, 50)


def sentence(run: Dynamic) -> Tokens:
    title = "The sentence (each word is a random vector)"
    return draw_both_orders(run.words, run.places, title)


def fixed(run: Dynamic) -> Heatmap:
    return draw_weights(run, FIXED, "Fully connected: M")


def window(run: Dynamic) -> Heatmap:
    return draw_weights(run, WINDOW, "Convolution of width 3")


def made(run: Dynamic) -> Heatmap:
    return draw_weights(run, ATTENTION, "Attention: A")


def draw_weights(run: Dynamic, layer: int, title: str) -> Heatmap:
    """Draw the weights for the edited sentence, with outlines around those that changed."""
    differing = np.argwhere(np.abs(run.now[layer] - run.before[layer]) > 1e-6).tolist()
    return Heatmap(
        run.now[layer],
        run.edited_words,
        run.edited_words,
        keys=("place", "place"),
        row_title="output",
        column_title="takes from",
        role=ROLES[layer],
        changed=tuple((row, column) for row, column in differing),
        hatched="no weight",
        wide=WIDTH_PX,
        tall=HEIGHT_PX,
        title=title,
    )


def made_before(run: Dynamic) -> Heatmap:
    return Heatmap(
        run.before[ATTENTION],
        run.words,
        run.words,
        keys=("place", "place"),
        row_title="output",
        column_title="takes from",
        wide=WIDTH_PX,
        title="A for the original sentence",
    )


def made_now(run: Dynamic) -> Heatmap:
    return replace(made(run), tall=None, title="A for the changed sentence")


def reading(run: Dynamic) -> str:
    T = len(run.words)
    if run.change == CHANGES[0]:
        sentences = [
            f"The order is unchanged. A is computed from the {T} words, and each row of A adds up to **1**.",
            "M and the convolution are fixed: their numbers were drawn at random, without the words.",
        ]
    elif run.change == "a word twice":
        sentences = [
            f"“{run.words[1]}” occurs twice. In A its two rows are equal, and so are its two columns.",
            f"The two outputs of “{run.words[1]}” differ by **{short(run.apart[ATTENTION], 2)}** with"
            f" attention, {write_fixed_changes(run.apart)}. Fixed weights depend on positions, not on words.",
        ]
    else:
        table, window, attention = run.changed
        sentences = [
            f"In A **{attention}** of its {T * T} weights change, because A is computed from the words.",
            f"In M **{table}** of its {FIXED_LENGTH**2} weights change.",
            f"In the convolution **{window}** of its {WINDOW_SIZE} weights change.",
            "The output of a word moves with the word: it changes by at most"
            f" **{short(run.moved[ATTENTION].max(), 2)}** with attention,"
            f" {write_fixed_changes(run.moved.max(1))}.",
        ]
    sentences.append(describe_length(run))
    return " ".join(filter(None, sentences))


def write_fixed_changes(by_layer: np.ndarray) -> str:
    """Describe how much the outputs of the layers with fixed weights differ."""
    window = f"by **{by_layer[WINDOW]:.2f}** with the convolution"
    if np.isnan(by_layer[FIXED]):
        return f"but {window}"
    return f"by **{by_layer[FIXED]:.2f}** with M and {window}"


def describe_length(run: Dynamic) -> str:
    """Describe how M handles a sentence of a different length."""
    T = len(run.words)
    if T > FIXED_LENGTH:
        return (
            f"M has weights for only **{FIXED_LENGTH}** positions, so {plural(T - FIXED_LENGTH, 'word')}"
            f" cannot be used (hatched). PyTorch reports “{run.fault}”."
        )
    if T < FIXED_LENGTH:
        rows = plural(FIXED_LENGTH - T, "row")
        return f"M needs **{FIXED_LENGTH}** positions, so X is padded with {rows} of zeros."
    return ""


def of_fixed(run: Dynamic) -> Bars:
    return draw_output_changes(run, FIXED)


def of_window(run: Dynamic) -> Bars:
    return draw_output_changes(run, WINDOW)


def of_made(run: Dynamic) -> Bars:
    return draw_output_changes(run, ATTENTION)


def draw_output_changes(run: Dynamic, layer: int) -> Bars:
    largest = np.nanmax(run.moved)
    return Bars(
        run.moved[layer],
        run.edited_words,
        role="context",
        top=next(end for end in AXIS_ENDS if end >= largest),
        keys=tuple(f"place:{place}" for place in range(len(run.words))),
        wide=270,
        title=f"{LAYERS[layer].capitalize()}: change of each output",
    )


def counts(run: Dynamic) -> Curves:
    names = ("M, T²", "convolution, 3", f"attention, 3d² (d = {run.d})")
    lines = tuple(
        Line(name, LENGTHS, row, role)
        for name, row, role in zip(names, run.counts, ("source", "target", "weight"), strict=True)
    )
    return Curves(
        lines,
        x_title="words T",
        y_title="parameters",
        x_range=(1, LENGTHS[-1]),
        y_range=(1, LENGTHS[-1] ** 2),
        log_y=True,
        current=len(run.words),
        wide=700,
        title="How many parameters each layer has",
    )
