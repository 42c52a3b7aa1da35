"""Five trained scores side by side, and beside what papers found."""

import numpy as np

from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.scores.compute.trained import CLAIMS, Trained

NARROW, WIDEST = 300, 860  # pixels of a small multiple: three in a row, fewer if the sentence is long


def alignment(run: Trained, n: int) -> Heatmap:
    words, found = run.outputs[n], run.sentence_aer[n]
    title = run.scores[n] + (f" · AER {found:.2f}" if found is not None else "")
    gold = run.gold if found is not None else ()
    widest = min(max(NARROW, 164 + 17 * len(run.source)), WIDEST)  # room for every word
    look = {"row_role": "target", "column_role": "source", "keys": ("target", "source"), "wide": widest}
    return Heatmap(run.weights[n], words, run.source, gold=gold, title=title, **look)


def dot(run: Trained) -> Heatmap:
    return alignment(run, 0)


def scaled_dot(run: Trained) -> Heatmap:
    return alignment(run, 1)


def bilinear(run: Trained) -> Heatmap:
    return alignment(run, 2)


def scaled_bilinear(run: Trained) -> Heatmap:
    return alignment(run, 3)


def additive(run: Trained) -> Heatmap:
    return alignment(run, 4)


def reading(run: Trained) -> str:
    sharp, soft = int(run.sharpest.argmax()), int(run.sharpest.argmin())
    said = (
        f"Here **{run.scores[sharp]}** looks most sharply, with a largest weight of **{run.sharpest[sharp]:.2f}** on average, "
        f"and **{run.scores[soft]}** most softly, **{run.sharpest[soft]:.2f}**. "
    )
    means = run.exact_match.mean(1)
    best, second = np.argsort(-means)[:2]
    clear = run.exact_match[best].min() > run.exact_match[second].max()
    said += f"On fresh sentences, over three seeds, **{run.scores[best]}** is right most often (**{means[best]:.3f}**), "
    return said + f"{'clearly' if clear else 'but not clearly'} ahead of {run.scores[second]} (**{means[second]:.3f}**)."


def translations(run: Trained) -> Tokens:
    """What each wrote; words that the reference, or else most of the others, do not have there are marked."""
    wanted = run.truth or max(run.outputs, key=run.outputs.count)
    told = zip(run.scores, run.outputs, strict=True) if len(set(run.outputs)) > 1 else [("all five", run.outputs[0])]
    lines = [
        TokenLine(name, words, changed=frozenset(t for t, word in enumerate(words) if wanted[t : t + 1] != (word,)))
        for name, words in told
    ]
    if run.truth:
        lines.append(TokenLine("reference", run.truth))
    return Tokens(tuple(lines), key="target", first=0, title="What they write")


def scoreboard(run: Trained) -> Table:
    slowest = max(20.0, 1.2 * np.nan_to_num(run.ms).max())
    rows = tuple(
        (
            name,
            Runs(run.exact_match[n], 0.9, 1.0, 3),
            Runs(run.aer[n], 0.0, 0.2, 3, "context"),
            f"{run.parameters[n]:,}",
            Runs(run.ms[n], 0, slowest, int(slowest < 100), "target"),
        )
        for n, name in enumerate(run.scores)
    )
    headings = ("score", "exact match ↑", "AER ↓", "parameters", "ms a step ↓")
    title = "Same data, same budget, three seeds: mean (least–most); a step is timed when you press “Measure”"
    return Table(headings, rows, key="score", fill=True, title=title)


def beside_papers(run: Trained) -> Table:
    bleu = dict(zip(run.scores, run.bleu, strict=True))
    rows = []
    for claim in CLAIMS:
        first, second = bleu[claim.first], bleu[claim.second]
        ours = f"{claim.first} {first.mean():.1f}, {claim.second} {second.mean():.1f}"
        rows.append((claim.source, claim.found, ours, agreement(first, second)))
    headings = ("source", "paper, BLEU", "ours, BLEU over 3 seeds", "same order?")
    return Table(headings, tuple(rows), fill=True, title="Paper, ours, same order?")


def agreement(first: np.ndarray, second: np.ndarray) -> str:
    if first.mean() <= second.mean():
        return "no"
    return "yes" if first.min() > second.max() else "yes, but seeds overlap"
