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
from lessons.kit.language import translate, translate_plural
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.by_length import exact_match_by_length
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import signed, subscript
from lessons.kit.pictures.phrases import bold_word, word_at
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens, quote


def chance(run: Moved) -> Curves:
    lines = tuple(
        Line(quote(word), run.mixes, p, role)
        for word, role, p in zip((run.word, run.rival), ("target", "quiet"), run.probabilities, strict=True)
    )
    return Curves(
        lines,
        x_title=translate("mix μ: from the model’s weights to {goal}", goal=translate(run.towards)),
        y_title=translate("P at this step"),
        x_range=(0, 1),
        y_range=(0, 1),
        current=run.mix,
        wide=PAGE_WIDTH_PX,
        tall=200,
        title=translate("Step {t}: is “{word}” still written when its weights move?", t=run.t, word=run.word),
    )


def reading(run: Moved) -> str:
    holds, now = run.holds[run.t - 1], bold_word(run.next_words[0])
    P = run.next_probabilities[1, 0]
    moved = translate(
        "With its weights moved by {mix:.2f}, step {t} writes {word} with P = {p:.2f}.",
        mix=run.mix,
        t=run.t,
        word=now,
        p=P,
    )
    goal = translate(run.towards)
    if idle := run.idle():
        template = "So step {t} keeps its weights and writes {word}."
        sentences = [idle["mix"], translate(template, t=run.t, word=now)]
    elif holds == 1:
        template = "Step {t} writes {word} even when the weights move **all the way** to {goal}."
        sentences = [moved, translate(template, t=run.t, word=bold_word(run.word), goal=goal)]
    else:
        sentences = [
            moved,
            translate(
                "Step {t} writes {word} up to a mix of **{mix:.2f}**. With {goal} alone, it writes {last}.",
                word=bold_word(run.word),
                mix=holds,
                goal=goal,
                t=run.t,
                last=bold_word(run.last),
            ),
        ]
    sentences.append(
        translate(
            "When one step at a time gets even weights, **{count}** of these {steps} steps still write their"
            " word.",
            count=int(run.stays_even.sum()),
            steps=len(run.output),
        )
    )
    return " ".join(sentences)


def survives(run: Moved) -> Tokens:
    notes = tuple(
        translate("{name}: {value}", name=word, value=describe_hold(hold))
        for word, hold in zip(run.output, run.holds, strict=True)
    )
    different = frozenset(np.flatnonzero(~run.stays_even).tolist())
    lines = (
        TokenLine(translate("original"), run.output, np.nan_to_num(run.holds), notes),
        TokenLine(translate("even"), run.evenly, changed=different),
        *reference_line(run.truth, run.right),
    )
    title = translate(
        "Colour: how far each step can move to {goal} and still write its word. Below: one step at a time"
        " with even weights; outlined: another word",
        goal=translate(run.towards),
    )
    return Tokens(lines, role="weight", current=run.t - 1, wide=PAGE_WIDTH_PX, tall=130, title=title)


def describe_hold(hold: float) -> str:
    if np.isnan(hold):
        return translate("no next step to move towards")
    return translate("always written" if hold == 1 else "written up to a mix of {mix:.2f}", mix=hold)


# ---- closer look: moved weights ----


def ask_weights(run: Moved) -> str:
    return translate("What are the weights of step {t} at a mix of {mix:.2f}?", t=run.t, mix=run.mix)


def weights(run: Moved) -> Bars:
    title = translate("Weights {weights}, moved", weights=f"α{subscript(run.t)}ᵢ")
    return compare_weights(run, run.row, "moved", title)


def next_words(run: Moved) -> Bars:
    return compare_next_words(run.next_words, run.next_probabilities, "moved")


def compare_weights(run: Moved, row: np.ndarray, name: str, title: str) -> Bars:
    names = (translate(name), translate("the model’s"))
    return source_bars(
        row, run.source, compare=run.own_row, compare_names=names, wide=HALF_WIDTH_PX, title=title
    )


def compare_next_words(words: tuple[str, ...], probabilities: np.ndarray, name: str) -> Bars:
    """Next-word bars for probabilities (2, 8): with the model's weights and with the other weights."""
    own, other = probabilities
    names, title = (translate(name), translate("the model’s")), translate("The next word")
    return next_word_bars(words, other, compare=own, compare_names=names, wide=HALF_WIDTH_PX, title=title)


# ---- closer look: other weights with the same output ----


def other_weights(run: Moved) -> Bars:
    title = translate("The most different weights found for step {t}", t=run.t)
    return compare_weights(run, run.other.row, "found", title)


def other_words(run: Moved) -> Bars:
    return compare_next_words(run.other.words, run.other.probabilities, "found")


def told_other(run: Moved) -> str:
    other, before, after = run.other, int(run.own_row.argmax()), int(run.other.row.argmax())
    sentences = [
        translate(
            "The search found weights with a divergence of **{divergence:.2f}** nats (of at most {most:.2f})."
            " These weights move P by a total variation distance of **{off:.2f}**.",
            divergence=other.divergence,
            most=MAX_DIVERGENCE,
            off=other.off,
        )
    ]
    values = {"word": word_at(run.source, before), "weight": run.own_row[before], "now": other.row[after]}
    if after == before:
        template = "The largest weight was on {word} ({weight:.2f}) and still is ({now:.2f})."
    else:
        template = (
            "The largest weight was on {word} ({weight:.2f}) and is now on {other} ({now:.2f}). Which of the"
            " two would you give as the reason?"
        )
    return " ".join([*sentences, translate(template, **values, other=word_at(run.source, after))])


# ---- closer look: models trained with uniform weights ----


def by_length(run: Moved) -> Curves:
    trained = run.trained
    series = [
        (translate_plural(f"{name} ({{n}} seed)", f"{name} ({{n}} seeds)", len(exact)), role, exact)
        for name, role, exact in zip(("learned", "even"), ("weight", "quiet"), trained.by_length, strict=True)
    ]
    title = translate(
        "Exact match by length ({steps:,} training steps each; bands: lowest to highest seed)",
        steps=trained.steps,
    )
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
        translate(
            "With even weights exact match on unseen sentences is **{mean:.3f}** ({range}).",
            mean=even.mean(),
            range=seed_range(even),
        ),
        translate(
            "With learned weights it is **{mean:.3f}** ({range}).",
            mean=learned.mean(),
            range=seed_range(learned),
        ),
        translate(
            "On sentences of {low} to {high} words it is **{even:.2f}** with even and **{learned:.2f}** with"
            " learned weights.",
            low=low,
            high=high,
            even=long_even,
            learned=long_learned,
        ),
        translate(conclusion),
    ]
    return " ".join(sentences)


def seed_range(values: np.ndarray) -> str:
    return translate("{low} to {high}", low=signed(min(values), 3), high=signed(max(values), 3))


def both_outputs(run: Moved) -> Tokens | str:
    trained = run.trained
    if trained.missing:
        return translate(
            "These two models do not know {word}: choose a suggested sentence to compare what they write.",
            word=bold_word(trained.missing[0]),
        )
    title = translate("What both models write for this sentence")
    lines = (
        *(
            TokenLine(translate(name), output, right=right)
            for name, output, right in zip(("learned", "even"), trained.outputs, trained.right, strict=True)
        ),
        *reference_line(trained.truth, *trained.right),
    )
    return Tokens(lines, key="word", wide=PAGE_WIDTH_PX, title=title)


# ---- closer look: alignment and translation quality ----


def aligners(run: Moved) -> Table:
    """AER and exact match of every model: the mean and the range over its seeds."""
    rows = tuple(
        (
            translate(model.name),
            signed(model.steps, 0),
            signed(model.parameters, 0),
            str(len(model.aer)),
            Runs(model.aer, 0, 0.35, 3, "source"),
            Runs(model.exact, 0.9, 1, 3, "target"),
        )
        for model in run.rivals
    )
    aer = translate("AER (lower is better)")
    first = map(translate, ("model", "steps", "parameters", "seeds"))
    title = translate("Our models on unseen sentences, the lowest AER first")
    return Table((*first, aer, translate("exact match")), rows, sorted_by=aer, title=title)


def best_of_both(run: Moved) -> str:
    """Say which model aligns best and which translates best, if the ranges of the runs do not overlap."""
    aligner, translator = run.rivals[0], max(run.rivals, key=lambda model: np.mean(model.exact))
    names = {"aligner": translate(aligner.name), "translator": translate(translator.name)}
    sentences = [
        translate(
            "On average over its seeds “**{aligner}**” has the lowest AER, and “**{translator}**” has the"
            " highest exact match.",
            **names,
        )
    ]
    if aligner is translator:
        sentences.append(translate("Here the best aligner is also the best translator."))
    elif aligns_better_translates_worse(aligner, translator):
        template = "No run of “{translator}” aligns as well, and no run of “{aligner}” translates as well."
        sentences.append(translate(template, **names))
    else:
        sentences.append(translate("Their runs overlap, so we cannot tell which of the two is better."))
        first, second = max(
            combinations(run.rivals, 2), key=lambda pair: np.mean(pair[1].exact) - np.mean(pair[0].exact)
        )
        if aligns_better_translates_worse(first, second):
            sentences.append(
                translate(
                    "However, every run of “**{first}**” aligns better than any of “**{second}**” and"
                    " translates worse.",
                    first=translate(first.name),
                    second=translate(second.name),
                )
            )
    return " ".join(sentences)


def aligns_better_translates_worse(first: SeedMetrics, second: SeedMetrics) -> bool:
    """Whether every run of `first` has a lower AER and a lower exact match than every run of `second`."""
    return max(first.aer) < min(second.aer) and max(first.exact) < min(second.exact)
