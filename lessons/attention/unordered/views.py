"""The step with shuffled states, both translations, and how much the context changes."""

import numpy as np

from lessons.attention.pictures import PAGE_WIDTH_PX, attention_step, reference_line, source_bars
from lessons.attention.unordered.compute import SHUFFLES, Shuffled
from lessons.kit.language import translate, translate_plural
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import scientific
from lessons.kit.pictures.phrases import bold_word
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled
from models.vocabulary import EOS

PRECISION = {
    bits: float(np.finfo(f"float{bits}").eps) for bits in (32, 64)
}  # spacing of floating-point numbers near 1


def unrolled(run: Shuffled) -> Unrolled:
    template = {
        (True, True): "Step {t}, states in the original order",
        (True, False): "Step {t}, states in order {seed}",
        (False, True): "Step {t}, words in the original order",
        (False, False): "Step {t}, words in order {seed}",
    }[run.what == SHUFFLES[0], run.seed == 0]
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
        title=translate(template, t=run.t, seed=run.seed),
    )


def reading(run: Shuffled) -> str:
    best = int(run.weights.argmax())
    position = translate(
        "{word} is at position **{n}** and has a weight of **{weight:.2f}**."
        if run.is_in_order
        else "{word} is now at position **{n}** and has a weight of **{weight:.2f}**.",
        word=bold_word(run.source[best]),
        n=best + 1,
        weight=run.weights[best],
    )
    if run.is_in_order:
        why = "Nothing is shuffled yet." if run.seed == 0 else "Order {seed} keeps every word in its place."
        task = "Move “Which shuffle”: which pictures change, and which do not?"
        return " ".join([translate(why, seed=run.seed), position, translate(task)])
    if run.what == SHUFFLES[0]:
        rounding = translate(
            "The weight moved with its state. No component of any context changed by more than **{gap}**."
            " This change is rounding: the terms of the sum are the same, only their order is different.",
            gap=scientific(run.gap),
        )
        is_same = run.plain == run.yours
        output = translate("The sentence is the same." if is_same else "The sentence changed.")
        return " ".join([position, rounding, output])
    contexts = translate(
        "The encoder read every word with different neighbours, so the states themselves changed. Although"
        " the decoder is fed the same words, its contexts change by up to **{gap:.2f}**.",
        gap=run.gap,
    )
    return " ".join([position, contexts, describe_output(run)])


def describe_output(run: Shuffled) -> str:
    """Describe how the output of the shuffled run differs from the original output."""
    if run.plain == run.yours:
        return translate("By itself the decoder still writes the same sentence.")
    if run.yours[-1] != EOS:
        return translate_plural(
            "By itself the decoder never writes an end mark. We stopped it after **{n}** word.",
            "By itself the decoder never writes an end mark. We stopped it after **{n}** words.",
            len(run.yours),
        )
    one, many = "**{n}** word", "**{n}** words"
    return translate(
        "By itself the decoder leaves out {lost} of the original sentence and adds {new}.",
        lost=translate_plural(one, many, len(run.lost)),
        new=translate_plural(one, many, len(run.new)),
    )


def translations(run: Shuffled) -> Tokens:
    lines = (
        TokenLine(translate("original"), run.plain, right=run.right[0]),
        TokenLine(translate("shuffled"), run.yours, changed=frozenset(run.new), right=run.right[1]),
        *reference_line(run.truth, run.right[0]),
    )
    title = translate(
        "What the decoder writes; outlined: different words" if run.new else "What the decoder writes"
    )
    return Tokens(lines, current=run.t - 1, wide=PAGE_WIDTH_PX, tall=90, title=title)


def weights(run: Shuffled) -> Bars:
    return source_bars(
        run.weights,
        run.source,
        compare=run.plain_weights[list(run.order)],
        compare_names=(translate("shuffled"), translate("original")),
        wide=560,
        title=translate("Weights of step {t}, word by word", t=run.t),
    )


def change(run: Shuffled) -> Curves:
    """Change of the context at every step: both shuffles, and shuffled states in 64-bit precision."""
    floor, steps = PRECISION[64] / 100, np.arange(1, run.gaps.shape[1] + 1)
    lines = tuple(
        Line(translate(name), steps, np.maximum(gaps, floor), role, points=True)
        for name, role, gaps in (
            ("states", "source", run.gaps[0]),
            ("words", "target", run.gaps[1]),
            ("states, 64-bit", "quiet", run.gaps_64_bit),
        )
    )
    return Curves(
        lines,
        x_title=translate("step t"),
        y_title=translate("largest change in c_t"),
        x_range=(1, len(steps)),
        y_range=(floor, 10),
        log_y=True,
        rules=tuple(
            (precision, translate("{bits}-bit precision", bits=bits)) for bits, precision in PRECISION.items()
        ),
        current=run.t,
        key="step",
        wide=700,
        title=translate("How much the context changes"),
    )
