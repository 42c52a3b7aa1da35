"""One decoder step."""

from typing import Any

import numpy as np

from lessons.attention.compute.step import DecoderStep
from lessons.attention.views.parts import WIDE, Words, graded, looking, next_bars, placed, source_keys
from lessons.attention.views.wiring import Wiring
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import LONGEST, Block, Matrix
from lessons.kit.pictures.numbers import lowered, signed
from lessons.kit.pictures.unrolled import Unrolled

HIGHEST = 30.0  # the scores of these models stay below
ASIDE = 440  # the room of one of two pictures side by side


def unrolled(run: DecoderStep) -> Unrolled:
    title = f"Step {run.t}: how much it looks at each word"
    return looking(
        run.source, run.H, run.output, run.s, run.t, run.weights, run.context, tall=440, title=title
    )


def reading(run: DecoderStep) -> str:
    best, *others = np.argsort(-run.scores, kind="stable").tolist()
    ahead = (
        f", **{run.scores[best] - run.scores[others[0]]:.2f}** ahead of {placed(run.source, others[0])}"
        if others
        else ""
    )
    written = run.output[run.t - 1]
    return (
        f"The query s{lowered(asking(run))} scores {placed(run.source, best)} highest"
        f" ({signed(run.scores[best])}{ahead}), softmax "
        f"turns that into a weight of **{run.weights[best]:.2f}**, and with the context made so the decoder"
        f" writes “**{written}**” "
        f"({run.probabilities[list(run.next_words).index(written)]:.2f}).{graded(run.output, run.truth, run.right)}"
    )


def asking(run: DecoderStep) -> int:
    """The step whose state is the query."""
    return run.t - (run.wiring == "query before")


def diagram(run: DecoderStep) -> Wiring:
    best = int(run.weights.argmax())
    asks = (
        f"s{lowered(run.t - 1)} asks, then s{lowered(run.t)} is made"
        if run.wiring == "query before"
        else f"s{lowered(run.t)} asks"
    )
    return Wiring(
        run.wiring == "query before",
        run.t,
        run.s_before,
        run.s[run.t - 1],
        run.H[best],
        best + 1,
        float(run.weights[best]),
        run.context,
        run.before,
        run.output[run.t - 1],
        title=f"The wiring: {asks}",
    )


def scores(run: DecoderStep) -> Bars:
    look: dict[str, Any] = {"role": None, "top": HIGHEST, "label_role": "source", "wide": ASIDE}
    title = f"Scores e{lowered(run.t)}ᵢ: how well does each hᵢ fit the query?"
    return Bars(run.scores, run.source, keys=source_keys(len(run.source)), title=title, **look)


def weights(run: DecoderStep) -> Bars:
    title = f"Softmax: weights α{lowered(run.t)}ᵢ, together 1"
    return Bars(
        run.weights,
        run.source,
        keys=source_keys(len(run.source)),
        label_role="source",
        wide=ASIDE,
        title=title,
    )


def one_unit(run: DecoderStep) -> Matrix:
    """The weighted sum of one unit in numbers, a row for each source word."""
    words, alpha, h, products = rows_in_numbers(run.source, run.weights, run.H[:, run.unit - 1])
    made = tuple(
        (f"{word}: {w:.2f} · {signed(v)} = {signed(p)}",)
        for word, w, v, p in zip(words, alpha, h, products, strict=True)
    )
    total = " + ".join(f"{w:.2f} · {signed(v)}" for w, v in zip(alpha, h, strict=True) if w >= 0.005)
    terms = (
        Block(
            f"α_{run.t}",
            alpha[:, None],
            "weight",
            tuple((f"{word}: {w:.2f}",) for word, w in zip(words, alpha, strict=True)),
        ),
        "·",
        Block(
            "h",
            h[:, None],
            "source",
            tuple((f"{word}: {signed(v)}",) for word, v in zip(words, h, strict=True)),
        ),
        "=",
        Block("α h", products[:, None], None, made),
        "Σ",
        Block(
            f"c_{run.t}",
            run.context[None, [run.unit - 1]],
            "context",
            ((f"{total} = {signed(run.context[run.unit - 1])}",),),
        ),
    )
    each = (
        "a row for each word"
        if len(words) == len(run.source)
        else f"the {len(words) - 1} strongest, then the rest"
    )
    return Matrix(terms, title=f"The sum in unit {run.unit}: {each}")


def rows_in_numbers(
    words: Words, alpha: np.ndarray, h: np.ndarray
) -> tuple[Words, np.ndarray, np.ndarray, np.ndarray]:
    """Words, α, h and α h: all rows if a grid can show their numbers; else the strongest in their order, then the others as one."""
    products = alpha * h
    if len(words) <= LONGEST:
        return words, alpha, h, products
    strong = np.sort(np.argsort(-alpha, kind="stable")[: LONGEST - 1])
    rest = np.setdiff1d(np.arange(len(words)), strong)
    mean = products[rest].sum() / max(alpha[rest].sum(), 1e-30)
    alpha, h, products = (
        np.append(values[strong], last)
        for values, last in ((alpha, alpha[rest].sum()), (h, mean), (products, products[rest].sum()))
    )
    return (*(words[i] for i in strong), f"the other {len(rest)} words"), alpha, h, products


def all_units(run: DecoderStep) -> Heatmap:
    """Query, each h_i times its weight, their sum, and the state: what goes in, and what goes to the output layer."""
    m, T = run.H.shape[1], len(run.source)
    values = np.vstack([run.query, run.parts, run.context, run.s[run.t - 1]])
    rows = (
        f"query s{lowered(asking(run))}",
        *(f"α · {word}" for word in run.source),
        f"sum c{lowered(run.t)}",
        f"state s{lowered(run.t)}",
    )
    columns = tuple(str(n + 1) for n in range(m))
    look: dict[str, Any] = {
        "role": None,
        "keys": ("row", "unit"),
        "column_title": "unit",
        "current_row": T + 1,
        "current_column": run.unit - 1,
    }
    title = f"All {m} units: the last two rows are [c ; s], the input of the output layer"
    return Heatmap(values, rows, columns, wide=WIDE - 20, title=title, **look)


def next_words(run: DecoderStep) -> Bars:
    return next_bars(run.next_words, run.probabilities, title=f"The next word, at step {run.t}")


# ---- what the closer looks ask ----


def how_a_weight(run: DecoderStep) -> str:
    best = int(run.weights.argmax())
    return f"How did “{run.source[best]}” get {run.weights[best]:.2f}?"


def what_in_the_context(run: DecoderStep) -> str:
    return f"What is in c{lowered(run.t)}?"


def why_the_word(run: DecoderStep) -> str:
    return f"Why does it write “{run.output[run.t - 1]}”?"
