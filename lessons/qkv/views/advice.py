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
    heard, words = strongest(run.weights), strongest(run.blend)
    who = ", the ".join(f"**{run.experts[n]}**" for n in heard)
    said = f"The {who} get{'s' if len(heard) == 1 else ''} **{run.weights[heard[0]]:.2f}** of the weight"
    said += f"{' each' if len(heard) > 1 else ''}; all weights add up to **1**. "
    which = ", ".join(f"“**{run.words[n]}**”" for n in words)
    said += (
        f"The strongest word{'s' if len(words) > 1 else ''} of the blend: {which}, with"
        f" **{run.blend[words[0]]:.2f}**"
    )
    speakers = {tuple(np.flatnonzero(run.said[:, word])) for word in words}
    loud = speakers.pop() if len(speakers) == 1 else ()
    return said + (
        f" ≈ {' + '.join(f'{run.weights[n]:.2f} ({run.experts[n]})' for n in loud)}."
        if len(loud) > 1
        else "."
    )


def strongest(values: np.ndarray) -> list[int]:
    """The largest, and all that tie with it."""
    return np.flatnonzero(np.isclose(values, values.max(), rtol=0, atol=1e-9)).tolist()


def matches(run: Advice) -> Bars:
    title = "Drag: how well does each field match?"
    return Bars(run.match, run.experts, role="source", top=5, handle="match", high=5, wide=430, title=title)


def weights(run: Advice) -> Bars:
    return Bars(run.weights, run.experts, wide=430, title="The weight each expert gets")


def weight_asked(run: Advice) -> str:
    best = int(run.match.argmax())
    if run.hard:
        return f"Why does a match of {run.match[best]:.2f} get a weight of {run.weights[best]:.2f}?"
    return f"How does a match of {run.match[best]:.2f} become a weight of {run.weights[best]:.2f}?"


def softened(run: Advice) -> Matrix:
    """From matches to weights, step by step; a hard choice takes one step."""
    column = (len(run.match), 1)
    match, weight = (
        Block("match", run.match.reshape(column), "source"),
        Block("weight", run.weights.reshape(column), "weight"),
    )
    if run.hard:
        return Matrix((match, "the best gets all:", weight), top=5, title="A hard choice")
    powers = np.exp(run.match)
    terms = (
        match,
        "exp of that:",
        Block("exp", powers.reshape(column)),
        f"divided by their sum, {powers.sum():.2f}:",
        weight,
    )
    return Matrix(terms, top=5, title=f"In this order: {', '.join(run.experts)}")
