"""The experts' answers shaded by weight, the draggable bars, and the softmax step by step."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.advice.compute import ANSWERS, Advice

WIDTH_PX = 430


def answers(run: Advice) -> Tokens:
    """Each answer shaded by its weight; below, every word shaded by the sum of its weights."""
    lines = [
        TokenLine(expert, ANSWERS[expert], np.full(len(ANSWERS[expert]), weight))
        for expert, weight in zip(run.experts, run.weights, strict=True)
    ]
    order = np.argsort(-run.blend, kind="stable")
    lines.append(TokenLine("blended", tuple(run.words[i] for i in order), run.blend[order]))
    title = "How do we connect two distant places? Every answer, shaded by its weight"
    return Tokens(tuple(lines), role="weight", key="spoken", wide=900, title=title)


def reading(run: Advice) -> str:
    experts, words = find_largest(run.weights), find_largest(run.blend)
    names = join_with_and([f"the **{run.experts[n]}**" for n in experts])
    weight = f"**{run.weights[experts[0]]:.2f}**"
    quoted = join_with_and([f"“**{run.words[n]}**”" for n in words])
    has = "has the largest weight," if len(experts) == 1 else "share the largest weight:"
    are = "the strongest word is" if len(words) == 1 else "the strongest words are"
    each = " each" if len(words) > 1 else ""
    sentences = [
        f"{names[0].upper()}{names[1:]} {has} {weight}{' each' if len(experts) > 1 else ''}.",
        "All four weights add up to **1**.",
        f"In the blended answer {are} {quoted}, with **{run.blend[words[0]]:.2f}**{each}"
        f"{write_sum(run, words)}.",
    ]
    return " ".join(sentences)


def write_sum(run: Advice, words: list[int]) -> str:
    """Write the sum of weights behind these words; "" unless the same two or more experts say all of them."""
    speakers = {tuple(np.flatnonzero(run.said[:, word])) for word in words}
    shared = speakers.pop() if len(speakers) == 1 else ()
    parts = " + ".join(f"{run.weights[n]:.2f} ({run.experts[n]})" for n in shared)
    return f" ≈ {parts}" if len(shared) > 1 else ""


def find_largest(values: np.ndarray) -> list[int]:
    """Indices of the largest value, including ties."""
    return np.flatnonzero(np.isclose(values, values.max(), rtol=0, atol=1e-9)).tolist()


def matches(run: Advice) -> Bars:
    title = "Drag: how well does each field match?"
    return Bars(
        run.match, run.experts, role="source", top=5, handle="match", high=5, wide=WIDTH_PX, title=title
    )


def weights(run: Advice) -> Bars:
    return Bars(run.weights, run.experts, wide=WIDTH_PX, title="The weight of each expert")


def ask_weight(run: Advice) -> str:
    best = int(run.match.argmax())
    match, weight = f"{run.match[best]:.2f}", f"{run.weights[best]:.2f}"
    if run.hard:
        return f"Why does a match of {match} get a weight of {weight}?"
    return f"How does a match of {match} become a weight of {weight}?"


def softened(run: Advice) -> Matrix:
    """The steps from matches to weights; a hard choice has only one step."""
    column = (len(run.match), 1)
    match = Block("match", run.match.reshape(column), "source")
    weight = Block("weight", run.weights.reshape(column), "weight")
    if run.hard:
        return Matrix((match, "the best gets all:", weight), top=5, title="A hard choice")
    powers = np.exp(run.match)
    terms = (
        match,
        "exp of each:",
        Block("exp", powers.reshape(column)),
        f"divided by their sum, {powers.sum():.2f}:",
        weight,
    )
    return Matrix(terms, top=5, title=f"In this order: {', '.join(run.experts)}")
