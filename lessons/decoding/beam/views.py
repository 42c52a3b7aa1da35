"""The search tree, the outputs side by side, and log P by beam width."""

import re

import numpy as np

from lessons.decoding.beam.compute import SAME_LOG_P, WIDTHS, Searched
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import short, signed
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.tree import Branch, Tree

CORRECTNESS = {  # greedy, beam
    (True, True): "Both outputs are **correct**.",
    (True, False): "The greedy output is **correct**, the beam’s output is **not**.",
    (False, True): "The beam’s output is **correct**, the greedy output is **not**.",
    (False, False): "Neither output is correct.",
    (None, None): "",
}


def tree(run: Searched) -> Tree:
    branches = tuple(
        Branch(
            place,
            parent,
            word,
            float(total),
            kept=status != "pruned",
            reason=format_numbers(why),
            best=status == "best",
            ended=status in ("finished", "best") and word == "<eos>",
        )
        for place, (parent, word, total, status, why) in enumerate(
            zip(run.parents, run.words, run.totals, run.status, run.why, strict=True)
        )
    )
    title = f"Beam search with width {run.width} (bold: the answer, grey: pruned)"
    return Tree(branches, wide=920, tall=300, title=title)


def format_numbers(reason: str) -> str:
    """Format a reason with true minus signs and without “−0.00”."""
    return re.sub(r"-?\d+\.\d\d", lambda match: signed(float(match[0])), reason)


def side_by_side(run: Searched) -> Tokens:
    (greedy, beam), (greedy_right, beam_right) = run.totals_of, run.right
    lines = [
        TokenLine("source", run.source),
        TokenLine(f"greedy {signed(greedy)}", run.outputs[0], right=greedy_right),
        TokenLine(
            f"beam {run.width} {signed(beam)}",
            run.outputs[1],
            changed=frozenset(run.changed),
            right=beam_right,
        ),
    ]
    if run.exact:
        lines.append(TokenLine(f"exact {signed(run.exact_total)}", run.exact, right=run.exact_right))
    if run.truth:
        lines.append(TokenLine("reference", run.truth, quiet=True))
    title = "Greedy output, beam output and the most probable output of all, with log P"
    return Tokens(tuple(lines), wide=900, tall=200, title=title)


def reading(run: Searched) -> str:
    sentences = (describe_outputs(run), describe_exact(run), describe_correctness(run))
    return " ".join(filter(None, sentences))


def describe_outputs(run: Searched) -> str:
    greedy, beam = run.totals_of
    if run.width == 1:
        return f"A beam of width **1** is greedy search. It finds an output with log P = **{signed(beam)}**."
    if run.outputs[0] == run.outputs[1]:
        return (
            f"Greedy search and a beam of width **{run.width}** find the same output, with log P ="
            f" **{signed(beam)}**."
        )
    ratio = write_ratio(np.exp(min(abs(beam - greedy), 50)))
    return (
        f"Greedy search finds an output with log P = **{signed(greedy)}**; a beam of width **{run.width}**"
        f" finds one with **{signed(beam)}**. So the beam’s output is about **{ratio}** times"
        f" {'more' if beam > greedy else 'less'} probable."
    )


def describe_exact(run: Searched) -> str:
    """Describe what exhaustive search finds, and whether the beam found it too."""
    if not run.exact:
        return "An exhaustive search is not possible here: there are too many possible outputs."
    if abs(run.exact_total - run.totals_of[1]) < SAME_LOG_P:
        return "An exhaustive search finds no output that is more probable."
    exact = f"An exhaustive search finds an output with log P = **{signed(run.exact_total)}**"
    if run.had:
        return (
            f"{exact}. The beam found it too, but with a length penalty of {run.penalty:g} it prefers a"
            f" longer output (**{len(run.outputs[1])}** tokens)."
        )
    return f"{exact}, which {'greedy search' if run.width == 1 else 'the beam'} pruned on the way."


def describe_correctness(run: Searched) -> str:
    if run.width == 1:
        return {True: "This output is correct.", False: "This output is wrong.", None: ""}[run.right[0]]
    greedy, beam = run.totals_of
    lesson = (
        " So a more probable output is not always better."
        if run.right == (True, False) and beam > greedy
        else ""
    )
    return CORRECTNESS[run.right] + lesson


def write_ratio(ratio: float) -> str:
    """Format a ratio with two significant digits: 1.8 or 5,600."""
    return f"{ratio:.1f}" if ratio < 10 else short(float(f"{ratio:.2g}"))


def by_width(run: Searched) -> Bars:
    largest = max(1.0, *-run.by_width, *([-run.exact_total] if run.exact else []))
    return Bars(
        -run.by_width,
        tuple(f"width {width}" for width in WIDTHS),
        role="target",
        top=float(np.ceil(largest)),
        changed=frozenset({run.width - 1}),
        compare=np.full(len(WIDTHS), -run.exact_total) if run.exact else None,
        compare_names=("found", "exact best"),
        wide=480,
        title="−log P of the answer by width, without length penalty (shorter: more probable)",
    )


def falls(run: Searched) -> str:
    worse = [
        str(width)
        for width, narrower, total in zip(WIDTHS[1:], run.by_width, run.by_width[1:], strict=False)
        if total < narrower - SAME_LOG_P
    ]
    if not worse:
        return "Here every width finds an output that is at least as probable as with the next smaller width."
    return (
        f"At width **{join_with_and(worse)}** the output is less probable than with the next smaller width."
    )


def lengths(run: Searched) -> str:
    (greedy, beam), (greedy_length, beam_length) = run.scores_of, map(len, run.outputs)
    return (
        f"log P is divided by the length to the power **{run.penalty:g}**. The greedy output with"
        f" {greedy_length} tokens then scores **{signed(greedy)}**. The beam’s output with {beam_length}"
        f" tokens scores **{signed(beam)}**. The penalty decides only among finished outputs; pruning uses"
        " log P."
    )
