"""Where a language model looks for the expected word, and what happens without a head."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import bold_count, plural
from lessons.kit.pictures.phrases import bold_word, join_with_and
from lessons.kit.pictures.table import Bar, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens, quote
from lessons.transformer.lm.compute import (
    HEAD_NAMES,
    KEEP,
    LOOK_AT_CUE,
    LOOK_AWAY,
    OPENING_MARKS,
    SWITCH_OFF,
    StoryRun,
)

WIDTH_PX = 920
MAX_DISTANCE = 60  # end of the axis, in words; larger distances are drawn there
ROLES = {"Transformer": "weight", "GRU": "quiet"}
STAGES = ("words and positions", "after layer 1", "after layer 2")
KIND_NAMES = {
    "name": "name",
    "colour": "colour",
    "object": "thing",
    "number": "one of “was” and “were”",
    "mark": "mark",
}


def story(run: StoryRun) -> Tokens:
    notes = tuple(f"{word}: {weight:.2f}" for word, weight in zip(run.words, run.row, strict=True))
    lines = (TokenLine("reads", run.words, run.row, notes, changed=frozenset(run.cue)),)
    legend = " (outlined: where it was mentioned)" if run.cue else ""
    title = (
        f"Attention weights of layer {run.layer}, head {run.head} when {quote(run.due)} comes next{legend}"
    )
    return Tokens(lines, role="weight", wide=WIDTH_PX, tall=150, title=title)


def on_cue(run: StoryRun) -> Bars:
    title = (
        f"Weight of each head on {quote(run.words[run.cue[-1]])} (original model)"
        if run.cue
        else "The predicted word was not mentioned before"
    )
    return Bars(
        run.on_cue.ravel(),
        HEAD_NAMES,
        changed=frozenset({HEAD_NAMES.index(head_name(run))}),
        pick=("head", HEAD_NAMES),
        wide=430,
        title=title,
    )


def head_name(run: StoryRun) -> str:
    return f"layer {run.layer}, head {run.head}"


def next_words(run: StoryRun) -> Bars:
    original, edited = run.next_probabilities
    return Bars(
        edited,
        run.next_words,
        role="target",
        keys=tuple(f"word:{word}" for word in run.next_words),
        wide=430,
        title="Probability of the next word",
        compare=original,
        compare_names=("edited", "original"),
    )


def reading(run: StoryRun) -> str:
    before, after = run.chance
    sentences = [
        f"The Transformer expects {bold_word(run.due)} with P = **{before:.2f}**; the GRU of lesson 1 gives"
        f" it **{run.recurrent:.2f}**.",
        describe_cue(run),
    ]
    can_apply = bool(run.cue) or run.do == SWITCH_OFF
    if run.do == KEEP:
        sentences.append("What happens if you switch this head off?")
    elif not can_apply:
        sentences.append("So there is no weight to move. You can still switch the head off.")
    else:
        best = run.next_words[int(run.next_probabilities[1].argmax())]
        result = (
            "it is still the most probable word" if best == run.due else f"the model writes {bold_word(best)}"
        )
        condition = {
            SWITCH_OFF: f"Without {head_name(run)}",
            LOOK_AT_CUE: f"With all weight of {head_name(run)} on that word",
            LOOK_AWAY: f"With no weight of {head_name(run)} on that word",
        }[run.do]
        sentences.append(
            f"{condition}, P of {bold_word(run.due)} {describe_change(before, after)}, and {result}."
        )
    return " ".join(sentences)


def describe_cue(run: StoryRun) -> str:
    """Describe where the expected word was mentioned, and how much weight the chosen head gives it."""
    if not run.cue:
        return "This word has not occurred in the story yet."
    weight = run.on_cue[run.layer - 1, run.head - 1]
    cue, distance = run.words[run.cue[-1]], plural(run.back, "word")
    mention = (
        f"The mark {cue} has been open for {distance}"
        if run.due in OPENING_MARKS
        else f"This word occurred {distance} ago"
    )
    return f"{mention}, and the chosen head puts **{weight:.2f}** of its weight on it."


def describe_change(before: float, after: float) -> str:
    """“stays at 0.98”, “falls from 0.98 to 0.09” or “rises from 0.67 to 0.69”, comparing rounded values."""
    if f"{before:.2f}" == f"{after:.2f}":
        return f"stays at **{after:.2f}**"
    return f"{'rises' if after > before else 'falls'} from {before:.2f} to **{after:.2f}**"


# ---- every head ----


def every_head(run: StoryRun) -> Heatmap:
    layers, heads = run.without.shape
    return Heatmap(
        run.without,
        tuple(f"layer {n + 1}" for n in range(layers)),
        tuple(f"head {n + 1}" for n in range(heads)),
        wide=420,
        title=f"P of {quote(run.due)} when one head alone is off (original {run.chance[0]:.2f})",
        keys=("layer", "head"),
        role="target",
    )


def told_every(run: StoryRun) -> str:
    """Describe the head whose removal lowers P most, and the one whose removal raises P most."""
    before, least, most = run.chance[0], run.without.min(), run.without.max()
    falls, rises = round(least, 2) < round(before, 2), round(most, 2) > round(before, 2)
    if falls:
        safe = int((run.without > before / 2).sum())
        sentences = [
            f"**{find_head(run, least).capitalize()}** matters most: without it, P"
            f" {describe_change(before, least)}.",
            f"**{safe}** of the {run.without.size} heads can be switched off, one at a time, and P stays"
            " above half of its original value.",
        ]
    else:
        result = "P never falls" if rises else f"P stays at **{before:.2f}**"
        sentences = [f"No single head of the {run.without.size} is needed: {result}."]
    if rises:
        higher = int((run.without.round(2) > round(before, 2)).sum())
        sentences.append(f"Not every head helps: switching off {bold_count(higher, 'head')} raises P.")
        sentences.append(f"Without **{find_head(run, most)}**, P {describe_change(before, most)}.")
    return " ".join(sentences)


def find_head(run: StoryRun, value: float) -> str:
    """Name of the first head whose removal gives this P."""
    layer, head = np.argwhere(run.without == value)[0]
    return f"layer {layer + 1}, head {head + 1}"


# ---- logit lens ----


def lens(run: StoryRun) -> Table:
    rows: list[tuple[str | Bar, ...]] = []
    for stage, (words, P, due) in zip(STAGES, run.early, strict=True):
        best = (Bar(f"{word} {p:.2f}", float(p), role="target") for word, p in zip(words, P, strict=True))
        rows.append((stage, *best, Bar(f"{due:.2f}", due, role="weight")))
    headings = ("residual stream", "most probable", "second", "third", f"P of {quote(run.due)}")
    title = "What the output layer predicts from the residual stream"
    return Table(headings, tuple(rows), wide=WIDTH_PX, title=title)


def told_lens(run: StoryRun) -> str:
    P = np.array([due for _, _, due in run.early])
    stages = ("before layer 1", *STAGES[1:])
    values = join_with_and([f"**{p:.2f}** {stage}" for p, stage in zip(P, stages, strict=True)])
    gains, peak = np.diff(P.round(2)), int(P.argmax())  # differences of the rounded numbers
    if P[peak] < 0.5:
        summary = "P stays below one half, so the model is not sure of this word"
    elif round(P[peak], 2) > round(P[-1], 2):
        summary = f"P is highest {stages[peak]} and falls from there to the end"
    elif P[0] > P[-1] / 2:
        summary = "More than half of P is there before any attention"
    else:
        summary = f"Layer **{gains.argmax() + 1}** adds the most"
    return f"With the logit lens, P of {quote(run.due)} is {values}. {summary}."


# ---- distance ----


def by_distance(run: StoryRun) -> Curves:
    lines = []
    for name, rows in run.memory.items():
        x = [min((row["from"] + row["to"]) / 2, MAX_DISTANCE) for row in rows]
        lines.append(Line(name, x, [row["accuracy"] for row in rows], ROLES[name], points=True))
    count = sum(row["count"] for row in run.memory["GRU"])
    over = f" (over 50 words: at {MAX_DISTANCE})" if run.memory["GRU"][-1]["to"] > MAX_DISTANCE else ""
    return Curves(
        tuple(lines),
        x_range=(0, MAX_DISTANCE),
        y_range=(0, 1),
        x_title="words since the word that decides it",
        y_title="fraction correct",
        rules=((run.by_luck, "by chance"),),
        wide=WIDTH_PX,
        tall=230,
        title=f"The correct {KIND_NAMES[run.counted]} in {count:,} cases from held-out documents{over}",
    )


def told_distance(run: StoryRun) -> str:
    sentences = (
        [] if run.kind else [f"We have no figures for {quote(run.due)}, so these are for names of things."]
    )
    sentences += [describe_accuracy(run, 0), describe_accuracy(run, -1)]
    sentences.append(f"Guessing would give **{run.by_luck:.2f}**. Each model was trained only once.")
    return " ".join(sentences)


def describe_accuracy(run: StoryRun, group: int) -> str:
    """Describe both models' accuracy in one group of distances: the nearest (0) or the farthest (−1)."""
    rows = {name: rows[group] for name, rows in run.memory.items()}
    low, high, count = (rows["GRU"][key] for key in ("from", "to", "count"))
    distance = f"{low} words or more" if high > MAX_DISTANCE else f"{low} to {high} words"
    figures = " and ".join(f"**{row['accuracy']:.2f}** for the {name}" for name, row in rows.items())
    return f"In {plural(count, 'case')} with a distance of {distance}, the fraction correct is {figures}."
