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
from lessons.kit.language import translate
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import MAX_NUMBER_LENGTH, Block, Matrix
from lessons.kit.pictures.numbers import signed, subscript
from lessons.kit.pictures.phrases import bold_word, correctness_sentences, word_at
from lessons.kit.pictures.unrolled import Unrolled

MAX_SCORE = 30.0  # upper bound on the scores of these models


def unrolled(run: DecoderStep) -> Unrolled:
    title = translate("Step {t}: the weight of each source word", t=run.t)
    return attention_step(
        run.source, run.H, run.output, run.s, run.t, run.weights, run.context, tall=440, title=title
    )


def reading(run: DecoderStep) -> str:
    best, second, *_ = np.argsort(-run.scores, kind="stable").tolist()
    lead = run.scores[best] - run.scores[second]
    word = run.output[run.t - 1]
    sentences = [
        translate(
            "The query {query} gives {best} the highest score, {score}: **{lead:.2f}** more than {second}."
            " The softmax turns it into a weight of **{weight:.2f}**.",
            query=f"s{subscript(query_step(run))}",
            best=word_at(run.source, best),
            score=signed(run.scores[best]),
            lead=lead,
            second=word_at(run.source, second),
            weight=run.weights[best],
        ),
        translate(
            "From context and state the decoder writes {word} with P = **{p:.2f}**.",
            word=bold_word(word),
            p=run.probabilities[0],
        ),
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
    is_before = is_query_before(run)
    template = (
        "The wiring: the query is {query}, then {state} is computed"
        if is_before
        else "The wiring: the query is {query}"
    )
    return WiringDiagram(
        query_before=is_before,
        t=run.t,
        s_before=run.s_before,
        s=run.s[run.t - 1],
        state=run.H[best],
        state_number=best + 1,
        weight=float(run.weights[best]),
        context=run.context,
        previous_word=run.before,
        word=run.output[run.t - 1],
        title=translate(template, query=f"s{subscript(query_step(run))}", state=f"s{subscript(run.t)}"),
    )


def scores(run: DecoderStep) -> Bars:
    title = translate("Scores {scores}: how well does each hᵢ fit the query?", scores=f"e{subscript(run.t)}ᵢ")
    return source_bars(run.scores, run.source, role=None, top=MAX_SCORE, wide=HALF_WIDTH_PX, title=title)


def weights(run: DecoderStep) -> Bars:
    title = translate("Softmax: weights {weights}, their sum is 1", weights=f"α{subscript(run.t)}ᵢ")
    return source_bars(run.weights, run.source, wide=HALF_WIDTH_PX, title=title)


def one_unit(run: DecoderStep) -> Matrix:
    """The weighted sum of one unit in numbers, one row per source word."""
    words, alpha, h, products = terms_of_sum(run.source, run.weights, run.H[:, run.unit - 1])
    context = run.context[run.unit - 1]
    total = " + ".join(f"{signed(w)} · {signed(v)}" for w, v in zip(alpha, h, strict=True) if w >= 0.005)
    equations = tuple(
        (name_value(word, f"{signed(w)} · {signed(v)} = {signed(p)}"),)
        for word, w, v, p in zip(words, alpha, h, products, strict=True)
    )
    alpha_notes = tuple((name_value(word, signed(w)),) for word, w in zip(words, alpha, strict=True))
    h_notes = tuple((name_value(word, signed(v)),) for word, v in zip(words, h, strict=True))
    terms = (
        Block(f"α_{run.t}", alpha[:, None], "weight", alpha_notes),
        "·",
        Block("h", h[:, None], "source", h_notes),
        "=",
        Block("α h", products[:, None], None, equations),
        "Σ",
        Block(f"c_{run.t}", np.array([[context]]), "context", ((f"{total} = {signed(context)}",),)),
    )
    template = (
        "The sum in unit {unit}: one row per word"
        if len(words) == len(run.source)
        else "The sum in unit {unit}: the {n} largest weights, then the rest"
    )
    return Matrix(terms, title=translate(template, unit=run.unit, n=len(words) - 1))


def name_value(name: str, value: str) -> str:
    return translate("{name}: {value}", name=name, value=value)


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
    others = translate("the other {n} words", n=len(rest))
    return (*(words[i] for i in largest), others), alpha, h, products


def all_units(run: DecoderStep) -> Heatmap:
    """The query, each h_i times its weight, their sum c_t, and the state s_t, unit by unit."""
    m, T = run.H.shape[1], len(run.source)
    rows = (
        translate("query {query}", query=f"s{subscript(query_step(run))}"),
        *(f"α · {word}" for word in run.source),
        translate("sum {context}", context=f"c{subscript(run.t)}"),
        translate("state {state}", state=f"s{subscript(run.t)}"),
    )
    return Heatmap(
        np.vstack([run.query, run.parts, run.context, run.s[run.t - 1]]),
        rows,
        tuple(str(n + 1) for n in range(m)),
        role=None,
        keys=("row", "unit"),
        column_title=translate("unit"),
        current_row=T + 1,
        current_column=run.unit - 1,
        wide=PAGE_WIDTH_PX - 20,
        title=translate("All {n} units: the last two rows are [c ; s], the input of the output layer", n=m),
    )


def next_words(run: DecoderStep) -> Bars:
    title = translate("The next word, at step {t}", t=run.t)
    return next_word_bars(run.next_words, run.probabilities, title=title)


# ---- questions of the closer looks ----


def ask_weight(run: DecoderStep) -> str:
    best = int(run.weights.argmax())
    template = "How did “{word}” get a weight of {weight:.2f}?"
    return translate(template, word=run.source[best], weight=run.weights[best])


def ask_context(run: DecoderStep) -> str:
    return translate("What is in the context {context}?", context=f"c{subscript(run.t)}")


def ask_word(run: DecoderStep) -> str:
    return translate("Why does the decoder write “{word}”?", word=run.output[run.t - 1])
