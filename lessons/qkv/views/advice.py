"""Whom to trust."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.compute.layer import ADVICE, Advice


def answers(run: Advice) -> Tokens:
    """Each answer on a ground as strong as its weight; below, all words by what they add up to."""
    lines = [
        TokenLine(expert, ADVICE[expert], np.full(len(ADVICE[expert]), weight))
        for expert, weight in zip(run.experts, run.weights, strict=True)
    ]
    best = np.argsort(-run.blend, kind="stable")
    lines.append(TokenLine("blended", tuple(run.words[i] for i in best), run.blend[best]))
    title = "How do we bridge two far places? Every answer, as loud as its weight"
    return Tokens(tuple(lines), role="weight", key="spoken", wide=900, title=title)


def reading(run: Advice) -> str:
    best, word = int(run.weights.argmax()), int(run.blend.argmax())
    said = f"The **{run.experts[best]}** gets **{run.weights[best]:.2f}** of the weight; all weights add up to **1**. "
    loud = [n for n, speaks in enumerate(run.said[:, word]) if speaks]
    sum_of = " + ".join(f"{run.weights[n]:.2f} ({run.experts[n]})" for n in loud)
    said += f"The strongest word of the blend is “**{run.words[word]}**” with **{run.blend[word]:.2f}**"
    return said + (f" = {sum_of}." if len(loud) > 1 else ".")


def matches(run: Advice) -> Bars:
    title = "Drag: how well does each field match?"
    return Bars(run.match, run.experts, role="source", top=5, handle="match", high=5, wide=430, title=title)


def weights(run: Advice) -> Bars:
    return Bars(run.weights, run.experts, wide=430, title="The weight each expert gets")


def weight_asked(run: Advice) -> str:
    best = int(run.match.argmax())
    return f"How does a match of {run.match[best]:.2f} become a weight of {run.weights[best]:.2f}?"


def softened(run: Advice) -> Matrix:
    """From matches to weights, step by step; a hard choice takes one step."""
    column = (len(run.match), 1)
    match, weight = Block("match", run.match.reshape(column), "source"), Block("weight", run.weights.reshape(column), "weight")
    if run.hard:
        return Matrix((match, "the best gets all:", weight), top=5, title="A hard choice")
    powers = np.exp(run.match)
    terms = (match, "e to that power:", Block("exp", powers.reshape(column)), f"divided by their sum, {powers.sum():.2f}:", weight)
    return Matrix(terms, top=5, title=f"In this order: {', '.join(run.experts)}")
