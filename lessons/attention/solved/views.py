"""Both translations, exact match by length, and how many numbers each decoder can use."""

import numpy as np

from lessons.attention.pictures import PAGE_WIDTH_PX
from lessons.attention.seed_metrics import last_trained_bucket
from lessons.attention.solved.compute import Solved
from lessons.kit.language import translate, translate_plural
from lessons.kit.pictures.by_length import exact_match_by_length
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import seed_count
from lessons.kit.pictures.tokens import TokenLine, Tokens

NAMES, ROLES = ("one vector", "attention"), ("target", "weight")


def translations(run: Solved) -> Tokens:
    notes = tuple(describe_word(run, n) for n in range(len(run.truth)))
    outputs = (
        TokenLine(translate(name), output, changed=frozenset(wrong), right=right)
        for name, output, wrong, right in zip(NAMES, run.outputs, run.wrong, run.right, strict=True)
    )
    missing = frozenset().union(*run.missing)
    lines = (
        TokenLine(translate("reads"), run.source),
        *outputs,
        TokenLine(translate("right is"), run.truth, notes=notes, changed=missing, quiet=True),
    )
    without, with_attention = run.full
    title = translate(
        "Two translations, after {without:,} and {with_attention:,} training steps; outlined: wrong words,"
        " and below: missing words",
        without=without,
        with_attention=with_attention,
    )
    return Tokens(lines, key="word", wide=PAGE_WIDTH_PX, tall=190, title=title)


def describe_word(run: Solved, n: int) -> str:
    """The n-th word of the reference, and which outputs lack it."""
    templates = {
        (False, False): "{word}",
        (True, False): "{word}: missing with one vector",
        (False, True): "{word}: missing with attention",
        (True, True): "{word}: missing with one vector and with attention",
    }
    without, with_attention = (n in missing for missing in run.missing)
    return translate(templates[without, with_attention], word=run.truth[n])


def reading(run: Solved) -> str:
    bucket = int(np.flatnonzero(run.lengths[:, 0] <= run.length)[-1])
    low, high = run.lengths[bucket]
    without, with_attention = (seeds[:, bucket].mean() for seeds in run.exact)
    sentences = [
        describe_outputs(run),
        translate(
            "On test sentences of {low} to {high} words exact match is **{without:.2f}** without attention"
            " and **{with_attention:.2f}** with attention.",
            low=low,
            high=high,
            without=without,
            with_attention=with_attention,
        ),
        describe_training(run),
    ]
    if run.length > run.trained[1]:
        bucket = last_trained_bucket(run.lengths, run.trained[1])
        low, high = run.lengths[bucket]
        sentences.append(
            translate(
                "On {low} to {high} words, the longest in training, attention has **{exact:.2f}**.",
                low=low,
                high=high,
                exact=run.exact[1][:, bucket].mean(),
            )
        )
    return " ".join(sentences)


def describe_outputs(run: Solved) -> str:
    """Which of the two fully trained models translates the sentence correctly, and what is wrong."""
    without, with_attention = run.right
    sentence = translate(
        {
            (True, True): "After all their training steps both models translate this sentence correctly.",
            (False, True): (
                "After all their training steps only the model with attention translates this sentence"
                " correctly."
            ),
            (True, False): (
                "After all their training steps only the model without attention translates this sentence"
                " correctly."
            ),
            (False, False): (
                "After all their training steps neither model translates this sentence correctly."
            ),
        }[without, with_attention]
    )
    if all(run.right):
        return sentence
    errors = translate(
        "Without attention {without}; with attention {with_attention}.",
        without=describe_errors(run, 0),
        with_attention=describe_errors(run, 1),
    )
    return f"{sentence} {errors}"


def describe_errors(run: Solved, model: int) -> str:
    """Say how many words an output (0: no attention, 1: attention) lacks, or how many are extra."""
    missing, wrong = len(run.missing[model]), len(run.wrong[model])
    if missing:
        return translate_plural("**{n}** word is missing", "**{n}** words are missing", missing)
    if wrong:
        return translate_plural("**{n}** word is too many", "**{n}** words are too many", wrong)
    return translate("nothing is missing")


def describe_training(run: Solved) -> str:
    """The training steps behind the metrics, and the size of both models."""
    without, with_attention = run.steps
    steps = translate(
        "Both values were measured after {steps:,} training steps."
        if without == with_attention
        else "Both values were measured after {steps:,} training steps with attention and {without:,}"
        " without.",
        steps=with_attention,
        without=without,
    )
    sizes = translate(
        "The model with attention has {with_attention:,} parameters and the other one {without:,}.",
        with_attention=run.parameters[1],
        without=run.parameters[0],
    )
    return f"{steps} {sizes}"


def by_length(run: Solved) -> Curves:
    series = [
        (translate("{name}, {n:,} steps", name=translate(name), n=steps), role, exact)
        for name, steps, role, exact in zip(NAMES, run.steps, ROLES, run.exact, strict=True)
    ]
    vector, attention = (
        translate("{n:,} steps, {seeds}", n=steps, seeds=seed_count(len(exact)))
        for steps, exact in zip(run.steps, run.exact, strict=True)
    )
    return exact_match_by_length(
        series,
        run.lengths,
        run.trained[1],
        current=run.length,
        wide=PAGE_WIDTH_PX,
        tall=240,
        title=translate(
            "Exact match by length: c of size {size} ({vector}), and attention ({attention})",
            size=run.code,
            vector=vector,
            attention=attention,
        ),
    )


def stored(run: Solved) -> Curves:
    T = np.arange(run.lengths[0, 0], run.lengths[-1, 1] + 1)
    sizes = np.full(len(T), run.code), T * run.width
    lines = tuple(
        Line(name, T, size, role)
        for name, role, size in zip(
            (translate("one vector c"), translate("all hᵢ")), ROLES, sizes, strict=True
        )
    )
    without, with_attention = run.stored
    return Curves(
        lines,
        x_title=translate("source words T"),
        y_title=translate("numbers"),
        x_range=(float(T[0]), float(T[-1])),
        y_range=(0, float(sizes[1][-1])),
        current=run.length,
        wide=700,
        title=translate(
            "Numbers that the decoder can use: at {n} words {without:,} without attention,"
            " {with_attention:,} with",
            n=run.length,
            without=without,
            with_attention=with_attention,
        ),
    )
