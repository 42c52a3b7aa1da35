"""What attention does not say."""

from itertools import combinations
from typing import Any

import numpy as np

from lessons.attention.compute.caveat import Moved
from lessons.attention.views.parts import WIDE, next_bars, source_keys, truth_line
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import lowered
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens

ASIDE = 440  # the room of one of two pictures side by side


def chance(run: Moved) -> Curves:
    lines = tuple(
        Line(f"“{word}”", run.mixes, p, role)
        for word, role, p in zip((run.word, run.rival), ("target", "quiet"), run.probabilities, strict=True)
    )
    axes: dict[str, Any] = {
        "x_range": (0, 1),
        "y_range": (0, 1),
        "x_title": f"mix μ: from its own weights to {run.towards}",
        "y_title": "P at this step",
        "wide": WIDE,
        "tall": 250,
    }
    return Curves(lines, current=run.mix, title=f"Step {run.t}: is “{run.word}” still written when it looks elsewhere?", **axes)


def reading(run: Moved) -> str:
    holds, now = run.holds[run.t - 1], run.next_words[0]
    said = f"Moved by {run.mix:.2f}, step {run.t} writes “**{now}**” ({run.next_probabilities[1, 0]:.2f}). "
    if idle := run.idle():
        said = f"{idle['mix']} So step {run.t} keeps its weights, and writes “**{now}**”."
    elif holds == 1:
        said += f"“**{run.word}**” is written even when its weights go **all the way** to {run.towards}."
    else:
        said += f"“**{run.word}**” holds until **{holds:.2f}**; all the way at {run.towards}, it is “**{run.last}**”."
    return f"{said} Made even one at a time, **{int(run.even.sum())}** of these {len(run.output)} steps still write their word."


def survives(run: Moved) -> Tokens:
    notes = tuple(f"{word}: {how_long(hold)}" for word, hold in zip(run.output, run.holds, strict=True))
    other = frozenset(np.flatnonzero(~run.even).tolist())
    lines = (
        TokenLine("holds up to", run.output, np.nan_to_num(run.holds), notes),
        TokenLine("each alone even", run.evenly, changed=other),
        *truth_line(run.truth, run.right),
    )
    title = f"How far can each step alone move to {run.towards}? Below: each alone even; outlined: another word"
    return Tokens(lines, role="weight", current=run.t - 1, wide=WIDE, tall=130, title=title)


def how_long(hold: float) -> str:
    if np.isnan(hold):
        return "no next step to move towards"
    return "always written" if hold == 1 else f"written up to a mix of {hold:.2f}"


# ---- closer ----


def what_it_sees(run: Moved) -> str:
    """The question of that closer look."""
    return f"What does step {run.t} look at, {run.mix:.2f} of the way?"


def weights(run: Moved) -> Bars:
    names: dict[str, Any] = {"compare": run.own_row, "compare_names": ("moved", "its own")}
    title = f"Weights α{lowered(run.t)}ᵢ, moved"
    return Bars(run.row, run.source, keys=source_keys(len(run.source)), label_role="source", wide=ASIDE, title=title, **names)


def next_words(run: Moved) -> Bars:
    own, moved = run.next_probabilities
    return next_bars(run.next_words, moved, own, compare_names=("moved", "its own"), wide=ASIDE, title="The next word")


def aligners(run: Moved) -> Table:
    """Every run counts: a mean, and from the least to the most."""
    rows = tuple(
        (
            rival.name,
            f"{rival.steps:,}",
            str(len(rival.aer)),
            Runs(rival.aer, 0, 0.35, 3, "source"),
            Runs(rival.exact, 0.9, 1, 3, "target"),
        )
        for rival in run.rivals
    )
    headings = ("model", "steps", "seeds", "AER (lower is better)", "exactly right")
    return Table(headings, rows, sorted_by="AER (lower is better)", title="Our models on fresh sentences, the best aligner first")


def best_of_both(run: Moved) -> str:
    """Who aligns best, who translates best, of those trained more than once; where runs overlap, nobody can tell."""
    several = [rival for rival in run.rivals if len(rival.aer) > 1]
    aligner, translator = several[0], max(several, key=lambda rival: np.mean(rival.exact))
    said = f"Over its seeds “**{aligner.name}**” has the lowest AER, and “**{translator.name}**” is exactly right most often. "
    if aligner is translator:
        return said + "Here the best aligner is the best translator, too."
    if max(aligner.aer) < min(translator.aer) and max(aligner.exact) < min(translator.exact):
        return said + f"No run of “{translator.name}” aligns as well, and no run of “{aligner.name}” translates as well."
    said += "Their runs overlap, so nobody can tell which of the two is better."
    looks, writes = max(combinations(several, 2), key=lambda pair: np.mean(pair[1].exact) - np.mean(pair[0].exact))
    if max(looks.aer) < min(writes.aer) and max(looks.exact) < min(writes.exact):
        said += f" But every run of “**{looks.name}**” aligns better than any of “**{writes.name}**”, and translates worse."
    return said
