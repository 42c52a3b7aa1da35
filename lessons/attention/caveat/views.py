"""The output with moved weights, other weights with the same output, and models with uniform weights."""

from itertools import combinations

import numpy as np

from lessons.attention.caveat.adversarial import MAX_DIVERGENCE
from lessons.attention.caveat.compute import Moved
from lessons.attention.pictures import (
    HALF_WIDTH_PX,
    PAGE_WIDTH_PX,
    next_word_bars,
    reference_line,
    source_bars,
)
from lessons.attention.seed_metrics import SeedMetrics, last_trained_bucket
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.by_length import exact_match_by_length
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import plural, subscript
from lessons.kit.pictures.phrases import bold_word, word_at
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens


def chance(run: Moved) -> Curves:
    lines = tuple(
        Line(f"“{word}”", run.mixes, p, role)
        for word, role, p in zip((run.word, run.rival), ("target", "quiet"), run.probabilities, strict=True)
    )
    return Curves(
        lines,
        x_title=f"mix μ: from the model’s weights to {run.towards}",
        y_title="P at this step",
        x_range=(0, 1),
        y_range=(0, 1),
        current=run.mix,
        wide=PAGE_WIDTH_PX,
        tall=250,
        title=f"Step {run.t}: is “{run.word}” still written when its weights move?",
    )


def reading(run: Moved) -> str:
    holds, now = run.holds[run.t - 1], bold_word(run.next_words[0])
    P = run.next_probabilities[1, 0]
    moved = f"With its weights moved by {run.mix:.2f}, step {run.t} writes {now} with P = {P:.2f}."
    if idle := run.idle():
        sentences = [idle["mix"], f"So step {run.t} keeps its weights and writes {now}."]
    elif holds == 1:
        sentences = [
            moved,
            f"Step {run.t} writes {bold_word(run.word)} even when the weights move **all the way** to"
            f" {run.towards}.",
        ]
    else:
        sentences = [
            moved,
            f"{bold_word(run.word)} is written up to a mix of **{holds:.2f}**. With {run.towards} alone, step"
            f" {run.t} writes {bold_word(run.last)}.",
        ]
    sentences.append(
        f"When one step at a time gets even weights, **{int(run.stays_even.sum())}** of these"
        f" {len(run.output)} steps still write their word."
    )
    return " ".join(sentences)


def survives(run: Moved) -> Tokens:
    notes = tuple(f"{word}: {describe_hold(hold)}" for word, hold in zip(run.output, run.holds, strict=True))
    different = frozenset(np.flatnonzero(~run.stays_even).tolist())
    lines = (
        TokenLine("original", run.output, np.nan_to_num(run.holds), notes),
        TokenLine("even weights", run.evenly, changed=different),
        *reference_line(run.truth, run.right),
    )
    title = (
        f"Colour: how far each step can move to {run.towards} and still write its word. Below: one step at a"
        " time with even weights; outlined: another word"
    )
    return Tokens(lines, role="weight", current=run.t - 1, wide=PAGE_WIDTH_PX, tall=130, title=title)


def describe_hold(hold: float) -> str:
    if np.isnan(hold):
        return "no next step to move towards"
    return "always written" if hold == 1 else f"written up to a mix of {hold:.2f}"


# ---- closer look: moved weights ----


def ask_weights(run: Moved) -> str:
    return f"What are the weights of step {run.t} at a mix of {run.mix:.2f}?"


def weights(run: Moved) -> Bars:
    return compare_weights(run, run.row, "moved", f"Weights α{subscript(run.t)}ᵢ, moved")


def next_words(run: Moved) -> Bars:
    return compare_next_words(run.next_words, run.next_probabilities, "moved")


def compare_weights(run: Moved, row: np.ndarray, name: str, title: str) -> Bars:
    names = (name, "the model’s")
    return source_bars(
        row, run.source, compare=run.own_row, compare_names=names, wide=HALF_WIDTH_PX, title=title
    )


def compare_next_words(words: tuple[str, ...], probabilities: np.ndarray, name: str) -> Bars:
    """Next-word bars for probabilities (2, 8): with the model's weights and with the other weights."""
    own, other = probabilities
    names = (name, "the model’s")
    return next_word_bars(
        words, other, compare=own, compare_names=names, wide=HALF_WIDTH_PX, title="The next word"
    )


# ---- closer look: other weights with the same output ----


def other_weights(run: Moved) -> Bars:
    title = f"The most different weights found for step {run.t}"
    return compare_weights(run, run.other.row, "found", title)


def other_words(run: Moved) -> Bars:
    return compare_next_words(run.other.words, run.other.probabilities, "found")


def told_other(run: Moved) -> str:
    other, before, after = run.other, int(run.own_row.argmax()), int(run.other.row.argmax())
    sentences = [
        f"The search found weights with a divergence of **{other.divergence:.2f}** nats (of at most"
        f" {MAX_DIVERGENCE:.2f}). The output differs by **{other.off:.2f}**."
    ]
    largest = f"The largest weight was on {word_at(run.source, before)} ({run.own_row[before]:.2f})"
    if after == before:
        sentences.append(f"{largest} and still is ({other.row[after]:.2f}).")
    else:
        sentences.append(f"{largest} and is now on {word_at(run.source, after)} ({other.row[after]:.2f}).")
        sentences.append("Which of the two would you give as the reason?")
    return " ".join(sentences)


# ---- closer look: models trained with uniform weights ----


def by_length(run: Moved) -> Curves:
    trained = run.trained
    series = [
        (f"{name} ({plural(len(exact), 'seed')})", role, exact)
        for name, role, exact in zip(("learned", "even"), ("weight", "quiet"), trained.by_length, strict=True)
    ]
    title = f"Exact match by length ({trained.steps:,} training steps each; bands: lowest to highest seed)"
    return exact_match_by_length(
        series, trained.lengths, trained.longest, wide=PAGE_WIDTH_PX, tall=240, title=title
    )


def told_frozen(run: Moved) -> str:
    trained, (learned, even) = run.trained, run.trained.exact
    bucket = last_trained_bucket(trained.lengths, trained.longest)
    low, high = trained.lengths[bucket]
    long_learned, long_even = (seeds[:, bucket].mean() for seeds in trained.by_length)
    conclusion = (
        "No run with even weights comes near a run with learned ones: after this many steps, this task needs"
        " learned weights."
        if max(even) < min(learned)
        else "Their runs overlap: at this size the task hardly needs learned weights."
    )
    sentences = [
        f"With even weights exact match on unseen sentences is **{even.mean():.3f}** ({seed_range(even)}).",
        f"With learned weights it is **{learned.mean():.3f}** ({seed_range(learned)}).",
        f"On sentences of {low} to {high} words it is **{long_even:.2f}** with even and"
        f" **{long_learned:.2f}** with learned weights.",
        conclusion,
    ]
    return " ".join(sentences)


def seed_range(values: np.ndarray) -> str:
    return f"{min(values):.3f} to {max(values):.3f}"


def both_outputs(run: Moved) -> Tokens | str:
    trained = run.trained
    if trained.missing:
        return (
            f"These two models do not know {bold_word(trained.missing[0])}: choose a suggested sentence to"
            " compare what they write."
        )
    lines = (
        *(
            TokenLine(name, output, right=right)
            for name, output, right in zip(("learned", "even"), trained.outputs, trained.right, strict=True)
        ),
        *reference_line(trained.truth, *trained.right),
    )
    return Tokens(lines, key="word", wide=PAGE_WIDTH_PX, title="What both models write for this sentence")


# ---- closer look: alignment and translation quality ----


def aligners(run: Moved) -> Table:
    """AER and exact match of every model: the mean and the range over its seeds."""
    rows = tuple(
        (
            model.name,
            f"{model.steps:,}",
            f"{model.parameters:,}",
            str(len(model.aer)),
            Runs(model.aer, 0, 0.35, 3, "source"),
            Runs(model.exact, 0.9, 1, 3, "target"),
        )
        for model in run.rivals
    )
    headings = ("model", "steps", "parameters", "seeds", "AER (lower is better)", "exact match")
    title = "Our models on unseen sentences, the lowest AER first"
    return Table(headings, rows, sorted_by="AER (lower is better)", title=title)


def best_of_both(run: Moved) -> str:
    """Say which model aligns best and which translates best, if the ranges of the runs do not overlap."""
    aligner, translator = run.rivals[0], max(run.rivals, key=lambda model: np.mean(model.exact))
    sentences = [
        f"On average over its seeds “**{aligner.name}**” has the lowest AER, and “**{translator.name}**” has"
        " the highest exact match."
    ]
    if aligner is translator:
        sentences.append("Here the best aligner is also the best translator.")
    elif aligns_better_translates_worse(aligner, translator):
        sentences.append(
            f"No run of “{translator.name}” aligns as well, and no run of “{aligner.name}” translates as"
            " well."
        )
    else:
        sentences.append("Their runs overlap, so we cannot tell which of the two is better.")
        first, second = max(
            combinations(run.rivals, 2), key=lambda pair: np.mean(pair[1].exact) - np.mean(pair[0].exact)
        )
        if aligns_better_translates_worse(first, second):
            sentences.append(
                f"However, every run of “**{first.name}**” aligns better than any of “**{second.name}**” and"
                " translates worse."
            )
    return " ".join(sentences)


def aligns_better_translates_worse(first: SeedMetrics, second: SeedMetrics) -> bool:
    """Whether every run of `first` has a lower AER and a lower exact match than every run of `second`."""
    return max(first.aer) < min(second.aer) and max(first.exact) < min(second.exact)
