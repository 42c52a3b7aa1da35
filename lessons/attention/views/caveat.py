"""What attention does not say."""

import numpy as np

from lessons.attention.compute.caveat import PAPER, Moved
from lessons.attention.views.parts import next_bars, source_keys
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.tokens import TokenLine, Tokens


def chance(run: Moved) -> Curves:
    lines = tuple(
        Line(f"“{word}”", run.mixes, p, role)
        for word, role, p in zip((run.word, run.rival), ("target", "quiet"), run.probabilities, strict=True)
    )
    axes = {
        "x_range": (0, 1),
        "y_range": (0, 1),
        "x_title": f"mix: from its own weights to {run.towards}",
        "y_title": "P at this step",
    }
    return Curves(
        lines, current=run.mix, wide=860, title=f"Step {run.t}: is “{run.word}” still written when it looks elsewhere?", **axes
    )


def reading(run: Moved) -> str:
    holds, now = run.holds[run.t - 1], run.next_words[0]
    said = f"Moved by {run.mix:.2f}, step {run.t} writes “**{now}**” ({run.next_probabilities[1, 0]:.2f}). "
    if holds == 1:
        said += f"“**{run.word}**” is written even when its weights go **all the way** to {run.towards}."
    else:
        said += f"“**{run.word}**” holds until **{holds:.2f}**; all the way at {run.towards}, it is “**{run.last}**”."
    return (
        f"{said} With completely even attention **{int(run.even.sum())}** of these {len(run.output)} words would still be written."
    )


def survives(run: Moved) -> Tokens:
    notes = tuple(
        f"{word}: always written" if hold == 1 else f"{word}: written up to a mix of {hold:.2f}"
        for word, hold in zip(run.output, run.holds, strict=True)
    )
    even = frozenset(np.flatnonzero(run.even).tolist())
    lines = (
        TokenLine("holds up to", run.output, run.holds, notes),
        TokenLine("even weights", tuple(word if n in even else "·" for n, word in enumerate(run.output))),
    )
    title = f"How far can each word’s weights be moved to {run.towards}? Below: what survives even attention"
    return Tokens(lines, role="weight", current=run.t - 1, title=title)


def weights(run: Moved) -> Bars:
    names = {"compare": run.own_row, "compare_names": ("moved", "its own")}
    title = f"Weights of step {run.t}, {run.mix:.2f} of the way"
    return Bars(run.row, run.source, keys=source_keys(len(run.source)), label_role="source", title=title, **names)


def next_words(run: Moved) -> Bars:
    own, moved = run.next_probabilities
    return next_bars(run.next_words, moved, f"Next word, {run.mix:.2f} of the way", own, compare_names=("moved", "its own"))


def errors(run: Moved) -> Bars:
    title = "Our models: alignment error rate, best first"
    return Bars(run.aer, run.models, role="source", top=0.3, digits=3, keys=models(run), title=title)


def misses(run: Moved) -> Bars:
    title = "Sentences not exactly right: same order?"
    return Bars(1 - run.exact, run.models, role="target", top=0.06, digits=3, keys=models(run), title=title)


def models(run: Moved) -> tuple[str, ...]:
    return tuple(f"model:{name}" for name in run.models)


def papers(run: Moved) -> str:
    """Paper, ours, same order?"""
    paper = min(PAPER["aer"], key=PAPER["aer"].get), max(PAPER["bleu"], key=PAPER["bleu"].get)
    ours = run.models[0], run.models[int(run.exact.argmax())]
    same = "yes" if (paper[0] == paper[1]) == (ours[0] == ours[1]) else "no"
    return (
        f"Paper (Luong et al. 2015, English to German): best AER {PAPER['aer'][paper[0]]:.2f} by {paper[0]}, best BLEU in Table 4 "
        f"{PAPER['bleu'][paper[1]]:.1f} by {paper[1]}. Ours: best AER **{run.aer[0]:.2f}** by **{ours[0]}**, best exact match "
        f"**{run.exact.max():.2f}** by **{ours[1]}**; rank correlation of good alignment and exact match over {len(run.models)} "
        f"models **{agreement(run.aer, run.exact):.2f}** (1 is perfect). Is the best aligner another one than the best translator, "
        f"as in the paper? **{same}**."
    )


def agreement(aer: np.ndarray, exact: np.ndarray) -> float:
    """Spearman’s rank correlation of low AER with high exact match."""
    ranks = [np.argsort(np.argsort(values)) for values in (-aer, exact)]
    return float(np.corrcoef(*ranks)[0, 1])
