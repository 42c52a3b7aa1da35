"""One decoder step: the unrolled model, its scores and weights, the context unit by unit, the next word."""

import numpy as np

from lessons.attention.pictures import (
    HALF_WIDTH_PX,
    PAGE_WIDTH_PX,
    attention_step,
    next_word_bars,
    source_bars,
)
from lessons.attention.step.compute import DecoderStep
from lessons.attention.step.wiring_diagram import WiringDiagram
from lessons.kit.checkpoints import Words
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import MAX_NUMBER_LENGTH, Block, Matrix
from lessons.kit.pictures.numbers import signed, subscript
from lessons.kit.pictures.phrases import bold_word, correctness_sentences, word_at
from lessons.kit.pictures.unrolled import Unrolled

MAX_SCORE = 30.0  # upper bound on the scores of these models


def unrolled(run: DecoderStep) -> Unrolled:
    title = f"Step {run.t}: the weight of each source word"
    return attention_step(
        run.source, run.H, run.output, run.s, run.t, run.weights, run.context, tall=440, title=title
    )


def reading(run: DecoderStep) -> str:
    best, second, *_ = np.argsort(-run.scores, kind="stable").tolist()
    lead = run.scores[best] - run.scores[second]
    word = run.output[run.t - 1]
    sentences = [
        f"The query s{subscript(query_step(run))} gives {word_at(run.source, best)} the highest score,"
        f" {signed(run.scores[best])}: **{lead:.2f}** more than {word_at(run.source, second)}. The softmax"
        f" turns it into a weight of **{run.weights[best]:.2f}**.",
        f"From context and state the decoder writes {bold_word(word)} with"
        f" P = **{run.probabilities[0]:.2f}**.",
        *correctness_sentences(run.right, run.truth),
    ]
    return " ".join(sentences)


def is_query_before(run: DecoderStep) -> bool:
    return run.wiring == "query before"


def query_step(run: DecoderStep) -> int:
    """The step whose state is the query."""
    return run.t - is_query_before(run)


def diagram(run: DecoderStep) -> WiringDiagram:
    best = int(run.weights.argmax())
    query = f"the query is s{subscript(query_step(run))}"
    return WiringDiagram(
        query_before=is_query_before(run),
        t=run.t,
        s_before=run.s_before,
        s=run.s[run.t - 1],
        state=run.H[best],
        state_number=best + 1,
        weight=float(run.weights[best]),
        context=run.context,
        previous_word=run.before,
        word=run.output[run.t - 1],
        title=f"The wiring: {query}" + (f", then s{subscript(run.t)} is computed" * is_query_before(run)),
    )


def scores(run: DecoderStep) -> Bars:
    title = f"Scores e{subscript(run.t)}ᵢ: how well does each hᵢ fit the query?"
    return source_bars(run.scores, run.source, role=None, top=MAX_SCORE, wide=HALF_WIDTH_PX, title=title)


def weights(run: DecoderStep) -> Bars:
    title = f"Softmax: weights α{subscript(run.t)}ᵢ, their sum is 1"
    return source_bars(run.weights, run.source, wide=HALF_WIDTH_PX, title=title)


def one_unit(run: DecoderStep) -> Matrix:
    """The weighted sum of one unit in numbers, one row per source word."""
    words, alpha, h, products = terms_of_sum(run.source, run.weights, run.H[:, run.unit - 1])
    context = run.context[run.unit - 1]
    total = " + ".join(f"{w:.2f} · {signed(v)}" for w, v in zip(alpha, h, strict=True) if w >= 0.005)
    equations = tuple(
        (f"{word}: {w:.2f} · {signed(v)} = {signed(p)}",)
        for word, w, v, p in zip(words, alpha, h, products, strict=True)
    )
    alpha_notes = tuple((f"{word}: {w:.2f}",) for word, w in zip(words, alpha, strict=True))
    h_notes = tuple((f"{word}: {signed(v)}",) for word, v in zip(words, h, strict=True))
    terms = (
        Block(f"α_{run.t}", alpha[:, None], "weight", alpha_notes),
        "·",
        Block("h", h[:, None], "source", h_notes),
        "=",
        Block("α h", products[:, None], None, equations),
        "Σ",
        Block(f"c_{run.t}", np.array([[context]]), "context", ((f"{total} = {signed(context)}",),)),
    )
    is_complete = len(words) == len(run.source)
    rows = "one row per word" if is_complete else f"the {len(words) - 1} largest weights, then the rest"
    return Matrix(terms, title=f"The sum in unit {run.unit}: {rows}")


def terms_of_sum(
    words: Words, alpha: np.ndarray, h: np.ndarray
) -> tuple[Words, np.ndarray, np.ndarray, np.ndarray]:
    """Words, α, h and α h. If the grid is too small, words with small weights share the last row."""
    products = alpha * h
    if len(words) <= MAX_NUMBER_LENGTH:
        return words, alpha, h, products
    largest = np.sort(np.argsort(-alpha, kind="stable")[: MAX_NUMBER_LENGTH - 1])
    rest = np.setdiff1d(np.arange(len(words)), largest)
    mean = products[rest].sum() / max(alpha[rest].sum(), 1e-30)
    alpha, h, products = (
        np.append(values[largest], last)
        for values, last in ((alpha, alpha[rest].sum()), (h, mean), (products, products[rest].sum()))
    )
    return (*(words[i] for i in largest), f"the other {len(rest)} words"), alpha, h, products


def all_units(run: DecoderStep) -> Heatmap:
    """The query, each h_i times its weight, their sum c_t, and the state s_t, unit by unit."""
    m, T = run.H.shape[1], len(run.source)
    rows = (
        f"query s{subscript(query_step(run))}",
        *(f"α · {word}" for word in run.source),
        f"sum c{subscript(run.t)}",
        f"state s{subscript(run.t)}",
    )
    return Heatmap(
        np.vstack([run.query, run.parts, run.context, run.s[run.t - 1]]),
        rows,
        tuple(str(n + 1) for n in range(m)),
        role=None,
        keys=("row", "unit"),
        column_title="unit",
        current_row=T + 1,
        current_column=run.unit - 1,
        wide=PAGE_WIDTH_PX - 20,
        title=f"All {m} units: the last two rows are [c ; s], the input of the output layer",
    )


def next_words(run: DecoderStep) -> Bars:
    return next_word_bars(run.next_words, run.probabilities, title=f"The next word, at step {run.t}")


# ---- questions of the closer looks ----


def ask_weight(run: DecoderStep) -> str:
    best = int(run.weights.argmax())
    return f"How did “{run.source[best]}” get a weight of {run.weights[best]:.2f}?"


def ask_context(run: DecoderStep) -> str:
    return f"What is in the context c{subscript(run.t)}?"


def ask_word(run: DecoderStep) -> str:
    return f"Why does the decoder write “{run.output[run.t - 1]}”?"
