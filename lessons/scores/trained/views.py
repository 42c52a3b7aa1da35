"""Five trained scores side by side: weights, translations, metrics, and the results of papers."""

from dataclasses import replace
from typing import Any

import numpy as np

from lessons.kit.pictures.alignment import alignment_map
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.phrases import correctness_mark, join_with_and, word_at
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.references import differing_positions
from lessons.scores.trained.compute import Trained
from lessons.scores.trained.papers import PAPER_RESULTS
from lessons.scores.trained.truncated_tokens import TruncatedTokens

SMALL_LEAD = 0.05  # a smaller difference between a row's two largest weights is mentioned


def one_word(run: Trained) -> Heatmap:
    gold = tuple((n, i) for n, right in enumerate(run.right) if right for t, i in run.gold if t == run.t - 1)
    return Heatmap(
        run.rows,
        run.scores,
        run.shown,
        column_role="source",
        keys=("score", "source"),
        gold=gold,
        wide=520,
        tall=236,
        title=f"Weights of each model for {name_word(run)}",
    )


def name_word(run: Trained) -> str:
    """Name the selected word: "Word 2, “politique”", or all words that the models wrote at this position."""
    words = " or ".join(f"“{word}”" for word in dict.fromkeys(run.words) if word is not None)
    return f"word {run.t}, {words}" if words else f"word {run.t}"


# ---- the reading ----


def reading(run: Trained) -> str:
    sentences = [*describe_weights(run), count_correct(run), compare_best_two(run), *describe_times(run)]
    return " ".join(sentences)


def describe_weights(run: Trained) -> list[str]:
    """Say which source word gets the largest weight under which scores, most frequent word first."""
    models = np.flatnonzero(np.isfinite(run.rows).all(1)).tolist()
    by_position: dict[int, list[int]] = {}
    for n in models:
        by_position.setdefault(int(run.rows[n].argmax()), []).append(n)
    groups = sorted(by_position.items(), key=lambda group: -len(group[1]))
    parts = [
        f"{word_at(run.shown, i)} with {name_scores(run, some)} ({weight_range(run.rows[some, i])})"
        for i, some in groups
    ]
    return [
        f"For {name_word(run)}, the largest weight is on {'; on '.join(parts)}.",
        *(sentence for n in models for sentence in describe_small_lead(run, n)),
    ]


def name_scores(run: Trained, some: list[int]) -> str:
    return "all five scores" if len(some) == len(run.scores) else join_with_and([run.scores[n] for n in some])


def weight_range(weights: np.ndarray) -> str:
    low, high = f"{weights.min():.2f}", f"{weights.max():.2f}"
    return low if low == high else f"{low} to {high}"


def describe_small_lead(run: Trained, n: int) -> list[str]:
    """Say so if the largest weight of model n is hardly larger than its second largest."""
    if len(run.source) == 1:
        return []
    second, first = np.argsort(run.rows[n], kind="stable")[-2:].tolist()
    if run.rows[n, first] - run.rows[n, second] > SMALL_LEAD:
        return []
    return [
        f"With {run.scores[n]}, {word_at(run.shown, second)} gets nearly as much weight:"
        f" {run.rows[n, second]:.2f} instead of {run.rows[n, first]:.2f}."
    ]


def count_correct(run: Trained) -> str:
    if run.truth is None:
        return "We do not know a reference translation of this sentence."
    correct = sum(map(bool, run.right))
    models = "All models" if correct == len(run.right) else f"**{correct}** of {len(run.right)} models"
    seen = ", but they saw the sentence in training" if run.seen else ""
    return f"{models} translate it correctly{seen}."


def compare_best_two(run: Trained) -> str:
    """The two best scores over three seeds, and whether their ranges overlap."""
    best, second = np.argsort(-run.exact_match.mean(1))[:2]
    (first, high), (then, low) = (
        (f"**{run.scores[n]}**", f"**{run.exact_match[n].mean():.3f}**") for n in (best, second)
    )
    is_clear = run.exact_match[best].min() > run.exact_match[second].max()
    conclusion = (
        "The worst seed of the first is better than the best seed of the second."
        if is_clear
        else "The seeds overlap, so this difference could be chance."
    )
    return (
        f"On unseen sentences, the mean exact match of three seeds is {high} with {first} and {low} with"
        f" {then}. {conclusion}"
    )


def describe_times(run: Trained) -> list[str]:
    """The fastest and the slowest training step, once they are measured."""
    if not np.isfinite(run.ms).all():
        return []
    means = run.ms.mean(1)
    fast, slow = int(means.argmin()), int(means.argmax())
    sentences = [
        f"A training step takes {means[fast]:.1f} ms with {run.scores[fast]} and {means[slow]:.1f} ms with"
        f" {run.scores[slow]}, each the mean of three runs."
    ]
    if run.ms[fast].max() >= run.ms[slow].min():
        sentences.append("The times of the runs overlap, so they are too noisy to say which is faster.")
    return sentences


# ---- translations and metrics ----


def translations(run: Trained) -> Tokens:
    """Output of each model, with outlines around words not in the reference (or most frequent output)."""
    expected = run.truth or max(run.outputs, key=run.outputs.count)
    are_equal = len(set(run.outputs)) == 1
    names = ("all five",) if are_equal else run.scores
    lines = [
        TokenLine(name, words, changed=frozenset(differing_positions(expected, words)[1]), right=right)
        for name, words, right in zip(names, run.outputs, run.right, strict=False)
    ]
    if run.truth:
        lines.append(TokenLine("reference", run.truth, quiet=True))
    look: dict[str, Any] = {"key": "target", "first": 0, "current": run.t - 1, "wide": 380, "tall": 230}
    full = Tokens(tuple(lines), title="What the models write", **look)
    shown = tuple(truncate(line, 2 * len(run.source)) for line in lines)
    return TruncatedTokens(shown, full=full, title=full.title, **look)


def truncate(line: TokenLine, max_words: int) -> TokenLine:
    if len(line.words) <= max_words:
        return line
    changed = frozenset(n for n in line.changed if n < max_words)
    return replace(line, words=(*line.words[:max_words], "…"), changed=changed)


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
    headings = ("score", "exact match ↑", "AER ↓", "parameters", "ms per step ↓")
    title = "Mean (range) of three trainings on the same data. “Measure a training step” adds the time"
    return Table(headings, rows, key="score", fill=True, wide=900, tall=156, title=title)


# ---- closer look: alignment maps ----


def ask_why(run: Trained) -> str:
    sharp, soft = int(run.sharpest.argmax()), int(run.sharpest.argmin())
    return (
        f"Why is the largest weight of a row {run.sharpest[sharp]:.2f} on average with {run.scores[sharp]},"
        f" but only {run.sharpest[soft]:.2f} with {run.scores[soft]}?"
    )


def model_map(run: Trained, n: int) -> Heatmap:
    sentence_aer = run.sentence_aer[n]
    has_aer = sentence_aer is not None
    mark = f" {correctness_mark(run.right[n])}".rstrip()
    return alignment_map(
        run.weights[n],
        run.outputs[n],
        run.shown,
        gold=run.gold if has_aer else (),
        wide=286,
        tall=232,
        title=run.scores[n] + mark + (f" · AER {sentence_aer:.2f}" if has_aer else ""),
    )


def dot(run: Trained) -> Heatmap:
    return model_map(run, 0)


def scaled_dot(run: Trained) -> Heatmap:
    return model_map(run, 1)


def bilinear(run: Trained) -> Heatmap:
    return model_map(run, 2)


def scaled_bilinear(run: Trained) -> Heatmap:
    return model_map(run, 3)


def additive(run: Trained) -> Heatmap:
    return model_map(run, 4)


# ---- closer look: papers ----


def beside_papers(run: Trained) -> Table:
    bleu = dict(zip(run.scores, run.bleu, strict=True))
    rows = tuple(
        (
            paper.source,
            paper.finding,
            f"{paper.better} {bleu[paper.better].mean():.1f}, {paper.worse} {bleu[paper.worse].mean():.1f}",
            compare_order(bleu[paper.better], bleu[paper.worse]),
        )
        for paper in PAPER_RESULTS
    )
    headings = ("source", "BLEU in the paper", "our BLEU, mean of three", "same order?")
    return Table(headings, rows, fill=True, title="Results of papers compared with ours")


def compare_order(better: np.ndarray, worse: np.ndarray) -> str:
    """Say whether our runs are in the same order; if their ranges overlap, the order is undecided."""
    if better.min() > worse.max():
        return "yes"
    return "no" if worse.min() > better.max() else "undecided: the ranges overlap"
