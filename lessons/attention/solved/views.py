"""Both translations, exact match by length, and how many numbers each decoder can use."""

import numpy as np

from lessons.attention.pictures import PAGE_WIDTH_PX
from lessons.attention.seed_metrics import last_trained_bucket
from lessons.attention.solved.compute import Solved
from lessons.kit.pictures.by_length import exact_match_by_length
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, seed_count
from lessons.kit.pictures.tokens import TokenLine, Tokens

NAMES, ROLES = ("one vector", "attention"), ("target", "weight")


def translations(run: Solved) -> Tokens:
    missing_in = [
        [name for name, missing in zip(NAMES, run.missing, strict=True) if n in missing]
        for n in range(len(run.truth))
    ]
    notes = tuple(
        f"{word}: missing with {' and with '.join(names)}" if names else word
        for word, names in zip(run.truth, missing_in, strict=True)
    )
    outputs = (
        TokenLine(name, output, changed=frozenset(wrong), right=right)
        for name, output, wrong, right in zip(NAMES, run.outputs, run.wrong, run.right, strict=True)
    )
    lines = (
        TokenLine("reads", run.source),
        *outputs,
        TokenLine("right is", run.truth, notes=notes, changed=frozenset().union(*run.missing), quiet=True),
    )
    without, with_attention = run.full
    title = (
        f"Two translations, after {without:,} and {with_attention:,} training steps; outlined: wrong words,"
        " and below: missing words"
    )
    return Tokens(lines, key="word", wide=PAGE_WIDTH_PX, tall=190, title=title)


def reading(run: Solved) -> str:
    bucket = int(np.flatnonzero(run.lengths[:, 0] <= run.length)[-1])
    low, high = run.lengths[bucket]
    without, with_attention = (seeds[:, bucket].mean() for seeds in run.exact)
    sentences = [
        describe_outputs(run),
        f"On test sentences of {low} to {high} words exact match is **{without:.2f}** without attention and"
        f" **{with_attention:.2f}** with attention.",
        describe_training(run),
    ]
    if run.length > run.trained[1]:
        bucket = last_trained_bucket(run.lengths, run.trained[1])
        low, high = run.lengths[bucket]
        sentences.append(
            f"On {low} to {high} words, the longest in training, attention has"
            f" **{run.exact[1][:, bucket].mean():.2f}**."
        )
    return " ".join(sentences)


def describe_outputs(run: Solved) -> str:
    """Which of the two fully trained models translates the sentence correctly, and what is wrong."""
    without, with_attention = run.right
    correct = {
        (True, True): "both models translate this sentence correctly.",
        (False, True): "only the model with attention translates this sentence correctly.",
        (True, False): "only the model without attention translates this sentence correctly.",
        (False, False): "neither model translates this sentence correctly.",
    }[without, with_attention]
    sentence = f"After all their training steps {correct}"
    if all(run.right):
        return sentence
    return (
        f"{sentence} Without attention {describe_errors(run, 0)}; with attention {describe_errors(run, 1)}."
    )


def describe_errors(run: Solved, model: int) -> str:
    """Say how many words an output (0: no attention, 1: attention) lacks, or how many are extra."""
    missing, wrong = len(run.missing[model]), len(run.wrong[model])
    if not (missing or wrong):
        return "nothing is missing"
    count, problem = (missing, "missing") if missing else (wrong, "too many")
    return f"{bold_count(count, 'word')} {'is' if count == 1 else 'are'} {problem}"


def describe_training(run: Solved) -> str:
    """The training steps behind the metrics, and the size of both models."""
    without, with_attention = run.steps
    steps = (
        f"{without:,} training steps each"
        if without == with_attention
        else f"{with_attention:,} training steps with attention and {without:,} without"
    )
    return (
        f"Both values are after {steps}. The model with attention has {run.parameters[1]:,} parameters and"
        f" the other one {run.parameters[0]:,}."
    )


def by_length(run: Solved) -> Curves:
    series = [
        (f"{name}, {steps:,} steps", role, exact)
        for name, steps, role, exact in zip(NAMES, run.steps, ROLES, run.exact, strict=True)
    ]
    vector, attention = (
        f"{steps:,} steps, {seed_count(len(exact))}"
        for steps, exact in zip(run.steps, run.exact, strict=True)
    )
    return exact_match_by_length(
        series,
        run.lengths,
        run.trained[1],
        current=run.length,
        wide=PAGE_WIDTH_PX,
        tall=240,
        title=f"Exact match by length: c of size {run.code} ({vector}), and attention ({attention})",
    )


def stored(run: Solved) -> Curves:
    T = np.arange(run.lengths[0, 0], run.lengths[-1, 1] + 1)
    sizes = np.full(len(T), run.code), T * run.width
    lines = tuple(
        Line(name, T, size, role)
        for name, role, size in zip(("one vector c", "all hᵢ"), ROLES, sizes, strict=True)
    )
    without, with_attention = run.stored
    return Curves(
        lines,
        x_title="source words T",
        y_title="numbers",
        x_range=(float(T[0]), float(T[-1])),
        y_range=(0, float(sizes[1][-1])),
        current=run.length,
        wide=700,
        title=(
            f"Numbers that the decoder can use: at {run.length} words {without:,} without attention,"
            f" {with_attention:,} with"
        ),
    )
