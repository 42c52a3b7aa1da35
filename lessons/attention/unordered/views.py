"""The step with shuffled states, both translations, and how much the context changes."""

import numpy as np

from lessons.attention.pictures import PAGE_WIDTH_PX, attention_step, reference_line, source_bars
from lessons.attention.unordered.compute import SHUFFLES, Shuffled
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, scientific
from lessons.kit.pictures.phrases import bold_word
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled
from models.vocabulary import EOS

PRECISION = {
    bits: float(np.finfo(f"float{bits}").eps) for bits in (32, 64)
}  # spacing of floating-point numbers near 1


def unrolled(run: Shuffled) -> Unrolled:
    what = "states" if run.what == SHUFFLES[0] else "words"
    order = "the original order" if run.seed == 0 else f"order {run.seed}"
    return attention_step(
        run.source,
        run.H,
        (),  # no output words here: they would give away the guess
        run.s[: max(run.t, len(run.source) + 2)],  # with shuffled words the output may not end
        run.t,
        run.weights,
        run.context,
        is_linked=run.what != SHUFFLES[0] or run.seed == 0,
        tall=330,
        title=f"Step {run.t}, {what} in {order}",
    )


def reading(run: Shuffled) -> str:
    best = int(run.weights.argmax())
    position = (
        f"{bold_word(run.source[best])} {'is' if run.is_in_order else 'is now'} at position **{best + 1}**"
        f" and has a weight of **{run.weights[best]:.2f}**"
    )
    if run.is_in_order:
        why = (
            "Nothing is shuffled yet" if run.seed == 0 else f"Order {run.seed} keeps every word in its place"
        )
        return f"{why}. {position}. Move “Which shuffle”: which pictures change, and which do not?"
    if run.what == SHUFFLES[0]:
        same = "The sentence is the same" if run.plain == run.yours else "The sentence changed"
        return (
            f"{position}: the weight moved with its state. No number of any context changed by more than"
            f" **{scientific(run.gap)}**. This change is rounding: the terms of the sum are the same, only"
            f" their order is different. {same}."
        )
    return (
        f"{position}. The encoder read every word with different neighbours, so the states themselves"
        " changed. Although the decoder is fed the same words, its contexts change by up to"
        f" **{run.gap:.2f}**. {describe_output(run)}"
    )


def describe_output(run: Shuffled) -> str:
    """Describe how the output of the shuffled run differs from the original output."""
    if run.plain == run.yours:
        return "By itself the decoder still writes the same sentence."
    if run.yours[-1] != EOS:
        return (
            f"By itself the decoder never writes an end mark. We stopped it after"
            f" {bold_count(len(run.yours), 'word')}."
        )
    return (
        f"By itself the decoder leaves out {bold_count(len(run.lost), 'word')} of the original sentence and"
        f" adds {bold_count(len(run.new), 'word')}."
    )


def translations(run: Shuffled) -> Tokens:
    lines = (
        TokenLine("original", run.plain, right=run.right[0]),
        TokenLine("shuffled", run.yours, changed=frozenset(run.new), right=run.right[1]),
        *reference_line(run.truth, run.right[0]),
    )
    title = "What the decoder writes" + ("; outlined: different words" if run.new else "")
    return Tokens(lines, current=run.t - 1, wide=PAGE_WIDTH_PX, tall=90, title=title)


def weights(run: Shuffled) -> Bars:
    return source_bars(
        run.weights,
        run.source,
        compare=run.plain_weights[list(run.order)],
        compare_names=("shuffled", "original"),
        wide=560,
        title=f"Weights of step {run.t}, word by word",
    )


def change(run: Shuffled) -> Curves:
    """Change of the context at every step: both shuffles, and shuffled states in 64-bit precision."""
    floor, steps = PRECISION[64] / 100, np.arange(1, run.gaps.shape[1] + 1)
    lines = tuple(
        Line(name, steps, np.maximum(gaps, floor), role, points=True)
        for name, role, gaps in (
            ("states", "source", run.gaps[0]),
            ("words", "target", run.gaps[1]),
            ("states, 64-bit", "quiet", run.gaps_64_bit),
        )
    )
    return Curves(
        lines,
        x_title="step t",
        y_title="largest change in c_t",
        x_range=(1, len(steps)),
        y_range=(floor, 10),
        log_y=True,
        rules=tuple((precision, f"{bits}-bit precision") for bits, precision in PRECISION.items()),
        current=run.t,
        key="step",
        wide=700,
        title="How much the context changes",
    )
