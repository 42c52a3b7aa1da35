"""One part switched off: the translation before and after, and what it costs on many sentences."""

from difflib import SequenceMatcher

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.transformer.compute.ablate import Ablated

Words = tuple[str, ...]


def differences(plain: Words, yours: Words) -> tuple[frozenset[int], frozenset[int]]:
    """Places in each that the other has not: what was lost, what is new."""
    parts = SequenceMatcher(None, plain, yours, autojunk=False).get_opcodes()
    lost = frozenset(n for kind, a, b, _, _ in parts if kind != "equal" for n in range(a, b))
    return lost, frozenset(n for kind, _, _, a, b in parts if kind != "equal" for n in range(a, b))


def translations(run: Ablated) -> Tokens:
    lost, new = differences(run.plain, run.yours)
    lines = [
        TokenLine("source", run.source),
        TokenLine("untouched", run.plain, changed=lost),
        TokenLine("yours", run.yours, changed=new),
    ]
    if run.at_once is not None:
        wrong = frozenset(n for n, (a, b) in enumerate(zip(run.plain, run.at_once, strict=True)) if a != b)
        lines.append(TokenLine("yours, at once", run.at_once, changed=wrong))
    return Tokens(tuple(lines), title=f"Switched off: {what(run)}")


def what(run: Ablated) -> str:
    attention = f"{run.kind}-attention, layer {run.layer}"
    return {
        "one head": f"head {run.head} of {attention}",
        "all heads of a layer": f"all heads of {attention}",
        "residual": f"the residual around {attention}",
        "norm": f"the norm before {attention}",
        "causal mask": "the causal mask of every layer",
    }.get(run.part, run.part)


def reading(run: Ablated) -> str:
    lost, new = differences(run.plain, run.yours)
    was, now = (f"**{chance:.2f}**" for chance in run.probabilities)
    if run.part == "nothing":
        said = f"Nothing is off. The model gives its translation a probability of {was}."
    elif not lost and not new:
        said = f"Without {what(run)} the translation is **the same**; its probability goes from {was} to {now}."
    else:
        said = f"Without {what(run)}, **{len(lost)}** words are lost and **{len(new)}** are new."
    if run.at_once is not None:
        wrong = sum(a != b for a, b in zip(run.plain, run.at_once, strict=True))
        said += f" Read all at once, as in training, **{wrong}** of {len(run.plain)} predictions change: "
        said += "every place now sees what comes after it."
    if not run.measured:
        return said + " Press **measure** to see what it costs on many sentences."
    before, after = (f"**{share:.0%}**" if np.isfinite(share) else "…" for share in run.exact)
    return said + f" On **{run.measured}** fresh sentences: {before} word for word untouched, {after} without it."


def word_by_word(run: Ablated) -> Bars:
    """Where the part is missed, even if the translation is the same."""
    keys, names = tuple(f"step:{n}" for n in range(1, len(run.plain) + 1)), ("yours", "untouched")
    title = "P of each word of the untouched translation"
    return Bars(run.forced[1], run.plain, role="target", compare=run.forced[0], compare_names=names, keys=keys, title=title)


def accuracy(run: Ablated) -> Bars | str:
    if not run.measured:
        return ""
    return Bars(run.exact, ("untouched", "yours"), title=f"Exact match on {run.measured} fresh sentences")


def every_head(run: Ablated) -> Heatmap | str:
    if not run.measured:
        return ""
    heads = tuple(f"head {n + 1}" for n in range(run.exact_without.shape[1]))
    look = {"keys": ("attention", "head"), "row_title": "attention, layer", "role": "target", "top": 0.2}
    if run.part == "one head":
        look["changed"] = ((run.kinds.index(f"{run.kind} {run.layer}"), run.head - 1),)
    return Heatmap(1 - run.exact_without, run.kinds, heads, title="Share of sentences that go wrong without one head", **look)
