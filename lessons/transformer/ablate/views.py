"""The translation before and after a part is switched off, and the loss in accuracy on many sentences."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import bold_count, plural
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.references import count_word_changes, differing_positions
from lessons.transformer.ablate.compute import AblationRun
from lessons.transformer.ablate.edits import PARTS_WITH_OUTPUT

WIDTH_PX = 900


def sentence(run: AblationRun) -> Tokens:
    lines = [TokenLine("source", run.source)]
    if run.truth is not None:
        lines.append(TokenLine("reference", run.truth, quiet=True))
    return Tokens(tuple(lines), title="The sentence to translate", wide=WIDTH_PX)


def translations(run: AblationRun) -> Tokens:
    lost, added = map(frozenset, differing_positions(run.plain, run.yours))
    lines = [
        TokenLine("original", run.plain, changed=lost, right=run.right[0]),
        TokenLine("edited", run.yours, changed=added, right=run.right[1]),
    ]
    if run.at_once is not None:
        lines.append(
            TokenLine("edited, in one pass", run.at_once, changed=frozenset(changed_in_one_pass(run)))
        )
    replacement = ", replaced by its mean" if is_mean_ablation(run) else ""
    return Tokens(tuple(lines), title=f"Switched off: {part_name(run)}{replacement}", wide=WIDTH_PX)


def changed_in_one_pass(run: AblationRun) -> list[int]:
    """Positions at which the prediction changes when the whole original translation is given as input."""
    pairs = zip(run.plain, run.at_once or (), strict=True)
    return [position for position, (before, after) in enumerate(pairs) if before != after]


def is_mean_ablation(run: AblationRun) -> bool:
    return run.by == "mean" and run.part in PARTS_WITH_OUTPUT


def part_name(run: AblationRun) -> str:
    attention = f"{run.kind}-attention, layer {run.layer}"
    return {
        "one head": f"head {run.head} of {attention}",
        "all heads of a layer": f"all heads of {attention}",
        "residual": f"the residual around {attention}",
        "norm": f"the norm before {attention}",
        "all norms": "every norm of the model",
        "causal mask": "the causal mask of every layer",
    }.get(run.part, run.part)


def reading(run: AblationRun) -> str:
    sentences = [describe_translation(run)]
    if run.right[1] is not None:
        sentences.append("This translation is correct." if run.right[1] else "This translation is wrong.")
    if run.at_once is not None:
        count = len(changed_in_one_pass(run))
        verb = "changes" if count == 1 else "change"
        sentences.append(
            f"If the decoder reads the whole translation in one pass, as in training, **{count}** of"
            f" {len(run.plain)} predictions {verb}."
        )
    sentences.append(describe_measurement(run))
    return " ".join(sentences)


def describe_translation(run: AblationRun) -> str:
    """Describe how switching off the part changes this translation."""
    before, after = (f"**{probability:.2f}**" for probability in run.probabilities)
    if run.part == "nothing":
        return f"Nothing is switched off. The model gives its translation a probability of {before}."
    name = part_name(run)
    condition = f"With the mean in place of {name}" if is_mean_ablation(run) else f"Without {name}"
    if run.plain == run.yours:
        change = f"stays at {before}" if before == after else f"changes from {before} to {after}"
        return f"{condition}, the translation is **the same**, and its probability {change}."
    changes = count_word_changes(run.plain, run.yours)
    words = plural(len(run.plain), "word")
    moved = f"**{changes.moved}** of its {words} {'changes' if changes.moved == 1 else 'change'} place"
    if not (changes.lost or changes.new):
        return f"{condition}, {moved} in the translation."
    return (
        f"{condition}, the translation loses **{changes.lost}** of its {words} and gets"
        f" {bold_count(changes.new, 'new word')}{f'; {moved}' if changes.moved else ''}."
    )


def describe_measurement(run: AblationRun) -> str:
    if not run.measured:
        return "Is this so in other sentences? Press **Measure on many sentences**."
    before, after = (f"**{share:.2f}**" if np.isfinite(share) else "…" for share in run.exact)
    part = "with the mean in its place" if is_mean_ablation(run) else "without the part"
    return f"On **{run.measured}** unseen sentences, exact match is {before} originally and {after} {part}."


def word_by_word(run: AblationRun) -> Bars:
    """P of each word with and without the part, which changes even if the translation stays the same."""
    return Bars(
        run.forced[1],
        run.plain,
        title="P of each word of the original translation, given the earlier words",
        role="target",
        compare=run.forced[0],
        keys=tuple(f"step:{n}" for n in range(1, len(run.plain) + 1)),
        upright=True,
        wide=WIDTH_PX,
    )


def accuracy(run: AblationRun) -> Bars | str:
    if not run.measured:
        return (
            "Press **Measure on many sentences** to switch off every head once, on sentences that were not"
            " used in training."
        )
    title = f"Exact match on {run.measured} unseen sentences"
    return Bars(run.exact, ("original", "edited"), title=title, wide=420)


def every_head(run: AblationRun) -> Heatmap | str:
    if not run.measured:
        return ""
    condition = "with one head replaced by its mean" if run.by == "mean" else "without one head"
    chosen = (run.kinds.index(f"{run.kind} {run.layer}"), run.head - 1)
    return Heatmap(
        1 - run.exact_without,
        run.kinds,
        tuple(f"head {n + 1}" for n in range(run.exact_without.shape[1])),
        title=f"Fraction of sentences that are wrong {condition}",
        keys=("attention", "head"),
        row_title="attention, layer",
        role="target",
        top=0.2,
        changed=(chosen,) if run.part == "one head" else (),
    )
