"""Five trained scores side by side, and beside what papers found."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.references import differing_positions
from lessons.scores.compute.trained import CLAIMS, Trained

SMALL_LEAD = 0.05  # between the two largest weights of a row
ROOM = {"wide": 286, "tall": 232}  # three in a row, two rows, on one screen


def alignment(run: Trained, n: int) -> Heatmap:
    found, mark = run.sentence_aer[n], {None: "", True: " ✓", False: " ✗"}[run.right[n]]
    title = run.scores[n] + mark + (f" · AER {found:.2f}" if found is not None else "")
    gold = run.gold if found is not None else ()
    look: dict[str, Any] = {
        "row_role": "target",
        "column_role": "source",
        "keys": ("target", "source"),
        **ROOM,
    }
    return Heatmap(run.weights[n], run.outputs[n], run.source, gold=gold, title=title, **look)


def ask_why(run: Trained) -> str:
    sharp, soft = int(run.sharpest.argmax()), int(run.sharpest.argmin())
    largest = (
        f"{run.sharpest[sharp]:.2f} of its weight to one word, and {run.scores[soft]} only"
        f" {run.sharpest[soft]:.2f}"
    )
    return f"Why does {run.scores[sharp]} give {largest}?"


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


def one_word(run: Trained) -> Heatmap:
    gold = tuple(
        (n, i) for n, right in enumerate(run.right) if right for at, i in run.gold if at == run.t - 1
    )
    look: dict[str, Any] = {
        "column_role": "source",
        "keys": ("score", "source"),
        "gold": gold,
        "wide": 520,
        "tall": 236,
    }
    return Heatmap(
        run.rows, run.scores, run.source, title=f"Where each looks to write {written(run)}", **look
    )


def written(run: Trained) -> str:
    """Word 2, “politique”; or all that were written there."""
    words = " or ".join(f"“{word}”" for word in dict.fromkeys(run.words) if word is not None)
    return f"word {run.t}, {words}" if words else f"word {run.t}"


def reading(run: Trained) -> str:
    """Of one word and one training each, then of all three."""
    best, second = np.argsort(-run.exact_match.mean(1))[:2]
    first, then = (f"**{run.scores[n]}** (**{run.exact_match[n].mean():.3f}** right)" for n in (best, second))
    clear = run.exact_match[best].min() > run.exact_match[second].max()
    said = f"{looks(run)} {told(run)} Over three seeds, on fresh sentences, {first} is ahead of {then}"
    said += (
        ": no seed of one reaches the other." if clear else ", but their seeds overlap: it could be chance."
    )
    return said + timed(run)


def looks(run: Trained) -> str:
    """Which source word gets the largest weight with which scores, the commonest first; and where that lead is small."""
    there = np.flatnonzero(np.isfinite(run.rows).all(1)).tolist()
    at: dict[int, list[int]] = {}
    for n in there:
        at.setdefault(int(run.rows[n].argmax()), []).append(n)
    groups = sorted(at.items(), key=lambda group: -len(group[1]))
    parts = [f"{place(run, i)} with {which(run, some)} ({weights(run, i, some)})" for i, some in groups]
    said = f"For {written(run)}, the largest weight is on {', on '.join(parts)}; one seed each."
    return said + "".join(small_lead(run, n) for n in there)


def place(run: Trained, i: int) -> str:
    """The source word, and its number if the sentence has it more than once."""
    word = run.source[i]
    return f"“**{word}**”" + (f" (word {i + 1})" if run.source.count(word) > 1 else "")


def which(run: Trained, some: list[int]) -> str:
    return "all five scores" if len(some) == len(run.scores) else listed([run.scores[n] for n in some])


def weights(run: Trained, i: int, some: list[int]) -> str:
    found = run.rows[some, i]
    low, high = f"{found.min():.2f}", f"{found.max():.2f}"
    return low if low == high else f"{low} to {high}"


def small_lead(run: Trained, n: int) -> str:
    """A sentence about a largest weight that is hardly larger than the next one."""
    second, first = np.argsort(run.rows[n], kind="stable")[-2:].tolist() if len(run.source) > 1 else (0, 0)
    if second == first or run.rows[n, first] - run.rows[n, second] > SMALL_LEAD:
        return ""
    ahead, next_best = run.rows[n, first], run.rows[n, second]
    return (
        f" With {run.scores[n]} the lead is small: {ahead:.2f}, and {next_best:.2f} on {place(run, second)}."
    )


def listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def told(run: Trained) -> str:
    """Who is right, as far as that is known."""
    if run.truth is None:
        return "We do not know the right translation."
    right = sum(map(bool, run.right))
    return (
        f"**{right}** of {len(run.right)} translate it rightly"
        if right < len(run.right)
        else "All translate it rightly"
    ) + (", but they saw it in training." if run.seen else ".")


def timed(run: Trained) -> str:
    measured = np.isfinite(run.ms).all(1)
    if not measured.all():
        return ""
    means = run.ms.mean(1)
    fast, slow = int(means.argmin()), int(means.argmax())
    said = (
        f" A training step takes {means[fast]:.1f} ms with {run.scores[fast]} and {means[slow]:.1f} ms with"
        f" {run.scores[slow]}, "
    )
    said += "each the mean of three runs"
    if run.ms[fast].max() < run.ms[slow].min():
        return f"{said}."
    return f"{said}. Their runs overlap: the times are too noisy to say which score is faster."


def translations(run: Trained) -> Tokens:
    """What each wrote; words that the reference, or else most of the others, do not have there are marked."""
    wanted = run.truth or max(run.outputs, key=run.outputs.count)
    same = len(set(run.outputs)) == 1
    names, outputs, right = (
        (("all five",), run.outputs[:1], run.right[:1]) if same else (run.scores, run.outputs, run.right)
    )
    lines = [
        TokenLine(name, words, changed=frozenset(differing_positions(wanted, words)[1]), right=agrees)
        for name, words, agrees in zip(names, outputs, right, strict=True)
    ]
    if run.truth:
        lines.append(TokenLine("reference", run.truth, quiet=True))
    look: dict[str, Any] = {"key": "target", "first": 0, "current": run.t - 1, "wide": 380, "tall": 230}
    whole = Tokens(tuple(lines), title="What they write", **look)
    return Beginnings(
        tuple(beginning(line, 2 * len(run.source)) for line in lines), whole=whole, title=whole.title, **look
    )


@dataclass(frozen=True)
class Beginnings(Tokens):
    """A model that cannot stop writes on and on: its line breaks off in the picture, and is whole in the data."""

    whole: Tokens

    def frame(self) -> DataFrame:
        return self.whole.frame()


def beginning(line: TokenLine, most: int) -> TokenLine:
    if len(line.words) <= most:
        return line
    return replace(
        line, words=(*line.words[:most], "…"), changed=frozenset(n for n in line.changed if n < most)
    )


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
    title = "Same data, same steps, trained three times: mean (least–most). “Measure” times a training step"
    return Table(headings, rows, key="score", fill=True, wide=900, tall=170, title=title)


def beside_papers(run: Trained) -> Table:
    bleu = dict(zip(run.scores, run.bleu, strict=True))
    rows = []
    for claim in CLAIMS:
        first, second = bleu[claim.first], bleu[claim.second]
        ours = f"{claim.first} {first.mean():.1f}, {claim.second} {second.mean():.1f}"
        rows.append((claim.source, claim.found, ours, agreement(first, second)))
    headings = ("source", "paper, BLEU", "ours, BLEU, mean of three", "same order?")
    return Table(headings, tuple(rows), fill=True, title="Paper, ours, same order?")


def agreement(first: np.ndarray, second: np.ndarray) -> str:
    """Was the first ahead here too? If the ranges overlap, nobody can tell."""
    if first.min() > second.max():
        return "yes"
    return "no" if second.min() > first.max() else "cannot be told: the ranges overlap"
