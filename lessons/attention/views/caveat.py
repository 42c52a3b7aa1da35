"""What attention does not say."""

from itertools import combinations
from typing import Any

import numpy as np

from lessons.attention.compute.caveat import Moved
from lessons.attention.compute.others import NOTHING_ALIKE
from lessons.attention.views.parts import WIDE, next_bars, placed, source_keys, truth_line
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import lowered, plural
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
    return Curves(
        lines,
        current=run.mix,
        title=f"Step {run.t}: is “{run.word}” still written when it looks elsewhere?",
        **axes,
    )


def reading(run: Moved) -> str:
    holds, now = run.holds[run.t - 1], run.next_words[0]
    said = f"Moved by {run.mix:.2f}, step {run.t} writes “**{now}**” ({run.next_probabilities[1, 0]:.2f}). "
    if idle := run.idle():
        said = f"{idle['mix']} So step {run.t} keeps its weights, and writes “**{now}**”."
    elif holds == 1:
        said += f"“**{run.word}**” is written even when its weights go **all the way** to {run.towards}."
    else:
        said += (
            f"“**{run.word}**” holds until **{holds:.2f}**; all the way at {run.towards}, it is"
            f" “**{run.last}**”."
        )
    return (
        f"{said} Made even one at a time, **{int(run.even.sum())}** of these {len(run.output)} steps still"
        " write their word."
    )


def survives(run: Moved) -> Tokens:
    notes = tuple(f"{word}: {how_long(hold)}" for word, hold in zip(run.output, run.holds, strict=True))
    other = frozenset(np.flatnonzero(~run.even).tolist())
    lines = (
        TokenLine("holds up to", run.output, np.nan_to_num(run.holds), notes),
        TokenLine("each alone even", run.evenly, changed=other),
        *truth_line(run.truth, run.right),
    )
    title = (
        f"How far can each step alone move to {run.towards}? Below: each alone even; outlined: another word"
    )
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
    return Bars(
        run.row,
        run.source,
        keys=source_keys(len(run.source)),
        label_role="source",
        wide=ASIDE,
        title=title,
        **names,
    )


def next_words(run: Moved) -> Bars:
    own, moved = run.next_probabilities
    return next_bars(
        run.next_words, moved, own, compare_names=("moved", "its own"), wide=ASIDE, title="The next word"
    )


def other_weights(run: Moved) -> Bars:
    names: dict[str, Any] = {"compare": run.own_row, "compare_names": ("found", "its own")}
    title = f"The farthest weights found for step {run.t}"
    return Bars(
        run.other.row,
        run.source,
        keys=source_keys(len(run.source)),
        label_role="source",
        wide=ASIDE,
        title=title,
        **names,
    )


def other_words(run: Moved) -> Bars:
    own, found = run.other.probabilities
    return next_bars(
        run.other.words, found, own, compare_names=("found", "its own"), wide=ASIDE, title="The next word"
    )


def told_other(run: Moved) -> str:
    other, strongest = run.other, int(run.own_row.argmax())
    found = int(other.row.argmax())
    said = (
        f"The search found weights with a divergence of **{other.divergence:.2f}** nats (at most"
        f" {NOTHING_ALIKE:.2f}) and an output that differs by **{other.off:.2f}**. The strongest look was"
        f" {placed(run.source, strongest)} ({run.own_row[strongest]:.2f})"
    )
    if found == strongest:
        return f"{said}, and still is ({other.row[found]:.2f})."
    return (
        f"{said}, and is {placed(run.source, found)} now ({other.row[found]:.2f}). Which would you give as"
        " the reason?"
    )


def by_length(run: Moved) -> Curves:
    x, names = run.trained.lengths.mean(1), (("learned", "weight"), ("even", "quiet"))
    lines = tuple(
        Line(
            f"{name} ({plural(len(seeds), 'seed')})",
            x,
            seeds.mean(0),
            role,
            seeds.min(0),
            seeds.max(0),
            points=True,
        )
        for (name, role), seeds in zip(names, run.trained.by_length, strict=True)
    )
    beyond = ((run.trained.longest + 0.5, float(run.trained.lengths[-1, 1]), "longer than trained"),)
    ends: dict[str, Any] = {
        "x_range": (float(run.trained.lengths[0, 0]), float(run.trained.lengths[-1, 1])),
        "y_range": (0, 1),
    }
    title = f"Exactly right, by length ({run.trained.steps:,} steps each; bands: from the least to the most)"
    axes: dict[str, Any] = {"x_title": "source words T", "y_title": "exact match", "wide": WIDE, "tall": 240}
    return Curves(lines, shaded=beyond, title=title, **axes, **ends)


def told_frozen(run: Moved) -> str:
    (learned, even), trained = run.trained.exact, run.trained
    last = int(np.flatnonzero(trained.lengths[:, 1] <= trained.longest)[-1])
    low, high = trained.lengths[last]
    long_learned, long_even = (seeds[:, last].mean() for seeds in trained.by_length)
    said = (
        f"With weights that cannot choose, **{even.mean():.3f}** of fresh sentences come out exactly right"
        f" ({spread(even)}); with learned ones **{learned.mean():.3f}** ({spread(learned)}). Of {low} to"
        f" {high} words, **{long_even:.2f}** against **{long_learned:.2f}**."
    )
    if max(even) < min(learned):
        return (
            f"{said} Nothing without a choice comes near a run with it: at these steps this task needs to"
            " choose where to look."
        )
    return f"{said} Their runs overlap: at this size the task hardly needs the choice."


def spread(seeds: np.ndarray) -> str:
    return f"{min(seeds):.3f} to {max(seeds):.3f}"


def both_outputs(run: Moved) -> Tokens:
    names = ("learned", "even")
    lines = (
        *(
            TokenLine(*each[:2], right=each[2])
            for each in zip(names, run.trained.outputs, run.trained.right, strict=True)
        ),
        *truth_line(run.trained.truth, *run.trained.right),
    )
    return Tokens(lines, key="word", wide=WIDE, title="What both write for this sentence")


def aligners(run: Moved) -> Table:
    """Every run counts: a mean, and from the least to the most."""
    rows = tuple(
        (
            rival.name,
            f"{rival.steps:,}",
            f"{rival.parameters:,}",
            str(len(rival.aer)),
            Runs(rival.aer, 0, 0.35, 3, "source"),
            Runs(rival.exact, 0.9, 1, 3, "target"),
        )
        for rival in run.rivals
    )
    headings = ("model", "steps", "parameters", "seeds", "AER (lower is better)", "exactly right")
    return Table(
        headings,
        rows,
        sorted_by="AER (lower is better)",
        title="Our models on fresh sentences, the best aligner first",
    )


def best_of_both(run: Moved) -> str:
    """Who aligns best, who translates best; where runs overlap, nobody can tell."""
    aligner, translator = run.rivals[0], max(run.rivals, key=lambda rival: np.mean(rival.exact))
    said = (
        f"Over its seeds “**{aligner.name}**” has the lowest AER, and “**{translator.name}**” is exactly"
        " right most often. "
    )
    if aligner is translator:
        return said + "Here the best aligner is the best translator, too."
    if max(aligner.aer) < min(translator.aer) and max(aligner.exact) < min(translator.exact):
        return (
            said
            + f"No run of “{translator.name}” aligns as well, and no run of “{aligner.name}” translates as"
            " well."
        )
    said += "Their runs overlap, so nobody can tell which of the two is better."
    looks, writes = max(
        combinations(run.rivals, 2), key=lambda pair: np.mean(pair[1].exact) - np.mean(pair[0].exact)
    )
    if max(looks.aer) < min(writes.aer) and max(looks.exact) < min(writes.exact):
        said += (
            f" But every run of “**{looks.name}**” aligns better than any of “**{writes.name}**”, and"
            " translates worse."
        )
    return said
