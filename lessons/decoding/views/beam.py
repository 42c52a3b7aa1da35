"""The tree of a search, and who finds what."""

import re

import numpy as np

from lessons.decoding.compute.search import SAME, WIDTHS, Searched
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import short, signed
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.tree import Branch, Tree


def tree(run: Searched) -> Tree:
    ended = ("finished", "best")
    branches = tuple(
        Branch(
            place,
            parent,
            word,
            float(total),
            kept=status != "pruned",
            reason=typeset(why),
            best=status == "best",
            ended=status in ended and word == "<eos>",
        )
        for place, (parent, word, total, status, why) in enumerate(
            zip(run.parents, run.words, run.totals, run.status, run.why, strict=True)
        )
    )
    title = f"Beam search, width {run.width}: bold the answer, grey what was pruned"
    return Tree(branches, wide=920, tall=300, title=title)


def typeset(reason: str) -> str:
    """Its numbers as everywhere: a true minus, and no minus zero."""
    return re.sub(r"-?\d+\.\d\d", lambda found: signed(float(found[0])), reason)


def side_by_side(run: Searched) -> Tokens:
    greedy, found = run.right
    lines: tuple[TokenLine, ...] = (
        TokenLine("source", run.source),
        TokenLine(f"greedy {signed(run.totals_of[0])}", run.outputs[0], right=greedy),
        TokenLine(
            f"beam {run.width} {signed(run.totals_of[1])}",
            run.outputs[1],
            changed=frozenset(run.changed),
            right=found,
        ),
    )
    lines += (
        (TokenLine(f"exact {signed(run.exact_total)}", run.exact, right=run.exact_right),)
        if run.exact
        else ()
    )
    lines += (TokenLine("truth", run.truth, quiet=True),) if run.truth else ()
    return Tokens(
        lines,
        wide=900,
        tall=200,
        title="Greedy, your beam, and the most probable of all outputs, with their log P",
    )


def reading(run: Searched) -> str:
    greedy, found = run.totals_of
    gain = found - greedy
    said = f"Greedy finds log P = **{signed(greedy)}**, a beam of **{run.width}** finds **{signed(found)}**"
    if run.width == 1:
        said = f"A beam of **1** is greedy search: it finds log P = **{signed(found)}**. "
    elif run.outputs[0] == run.outputs[1]:
        said += ", the same output. "
    else:
        said += (
            f": about **{about(np.exp(min(abs(gain), 50)))}** times {'more' if gain > 0 else 'less'}"
            " probable. "
        )
    if not run.exact:
        said += "The exact best is out of reach here: too many beginnings are worth a try. "
    elif abs(run.exact_total - found) < SAME:
        said += "No output of all is more probable: full search finds the same. "
    else:
        said += (
            f"Full search finds **{signed(run.exact_total)}**: {'greedy' if run.width == 1 else 'the beam'} "
        )
        longer = (
            f"had it, too; a length penalty of {run.penalty:g} prefers the longer one"
            f" (**{len(run.outputs[1])}** tokens). "
        )
        said += longer if run.had else "has lost the best one on the way. "
    if run.width == 1:
        return (
            said + {True: "Its output is right ✓.", False: "Its output is wrong ✗.", None: ""}[run.right[0]]
        )
    if run.right == (True, False):
        return said + RIGHT[run.right] + (": more probable is not more true." if gain > 0 else ".")
    return (said + RIGHT[run.right]).strip()


def about(times: float) -> str:
    """1.8 or 5,600: two digits, for more mean nothing."""
    return f"{times:.1f}" if times < 10 else short(float(f"{times:.2g}"))


RIGHT = {
    (True, True): "Both are right ✓.",
    (True, False): "Greedy is **right** ✓, the beam is **not** ✗",
    (False, True): "The beam is **right** ✓, greedy is not ✗.",
    (False, False): "Neither is right ✗.",
    (None, None): "",
}


# ---- closer ----


def by_width(run: Searched) -> Bars:
    labels = tuple(f"width {width}" for width in WIDTHS)
    top = float(np.ceil(max(1.0, *-run.by_width, *([-run.exact_total] if run.exact else []))))
    compare = np.full(len(WIDTHS), -run.exact_total) if run.exact else None
    title = "−log P of the answer by width, no length penalty: shorter is more probable"
    return Bars(
        -run.by_width,
        labels,
        role="target",
        top=top,
        changed=frozenset({run.width - 1}),
        compare=compare,
        compare_names=("found", "exact best"),
        wide=480,
        title=title,
    )


def falls(run: Searched) -> str:
    found = [
        wide
        for wide, narrow, now in zip(WIDTHS[1:], run.by_width, run.by_width[1:], strict=False)
        if now < narrow - SAME
    ]
    if not found:
        return "Here no width finds less than the one before it."
    return f"Here a beam finds less than the next narrower one at width **{', '.join(map(str, found))}**."


def lengths(run: Searched) -> str:
    greedy, found = run.scores_of
    counts = [len(output) for output in run.outputs]
    return (
        f"Divided by length to the power **{run.penalty:g}**: greedy **{signed(greedy)}** ({counts[0]}"
        f" tokens), beam **{signed(found)}** ({counts[1]} tokens). It decides among outputs that ended;"
        " pruning still goes by log P."
    )
