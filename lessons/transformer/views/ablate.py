"""One part switched off: the translation before and after, and what it costs on many sentences."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.references import differing_positions
from lessons.transformer.compute.ablate import REPLACED, Ablated

WIDE = 900


def sentence(run: Ablated) -> Tokens:
    lines = [TokenLine("source", run.source)]
    if run.truth is not None:
        lines.append(TokenLine("the truth", run.truth, quiet=True))
    return Tokens(tuple(lines), title="What is to be translated", wide=WIDE)


def translations(run: Ablated) -> Tokens:
    lost, new = map(frozenset, differing_positions(run.plain, run.yours))
    lines = [
        TokenLine("untouched", run.plain, changed=lost, right=run.right[0]),
        TokenLine("yours", run.yours, changed=new, right=run.right[1]),
    ]
    if run.at_once is not None:
        wrong = frozenset(n for n, (a, b) in enumerate(zip(run.plain, run.at_once, strict=True)) if a != b)
        lines.append(TokenLine("yours, at once", run.at_once, changed=wrong))
    return Tokens(
        tuple(lines), title=f"Switched off: {what(run)}{', its mean in its place' * by_mean(run)}", wide=WIDE
    )


def by_mean(run: Ablated) -> bool:
    return run.by == "mean" and run.part in REPLACED


def what(run: Ablated) -> str:
    attention = f"{run.kind}-attention, layer {run.layer}"
    return {
        "one head": f"head {run.head} of {attention}",
        "all heads of a layer": f"all heads of {attention}",
        "residual": f"the residual around {attention}",
        "norm": f"the norm before {attention}",
        "all norms": "every norm of the model",
        "causal mask": "the causal mask of every layer",
    }.get(run.part, run.part)


def reading(run: Ablated) -> str:
    lost, new = differing_positions(run.plain, run.yours)
    was, now = (f"**{chance:.2f}**" for chance in run.probabilities)
    without = f"With the mean in place of {what(run)}" if by_mean(run) else f"Without {what(run)}"
    truth = {None: "", True: " It is right ✓.", False: " It is wrong ✗."}[run.right[1]]
    if run.part == "nothing":
        said = f"Nothing is off. The model gives its translation a probability of {was}.{truth}"
    elif run.plain == run.yours:
        moved = f"stays at {was}" if was == now else f"goes from {was} to {now}"
        said = f"{without}, the translation is **the same**; its probability {moved}.{truth}"
    else:
        go, come = "goes" if len(lost) == 1 else "go", "other comes" if len(new) == 1 else "others come"
        said = f"{without}, **{len(lost)}** of {len(run.plain)} words {go} and **{len(new)}** {come}.{truth}"
    if run.at_once is not None:
        wrong = sum(a != b for a, b in zip(run.plain, run.at_once, strict=True))
        said += (
            f" Read all at once, as in training, **{wrong}** of {len(run.plain)} predictions"
            f" change{'s' * (wrong == 1)}."
        )
    if not run.measured:
        return said + " Is it always so? Press **measure**."
    before, after = (f"**{share:.2f}**" if np.isfinite(share) else "…" for share in run.exact)
    return (
        said + f" Of **{run.measured}** fresh sentences {before} are right untouched, {after}"
        f" {'so' if by_mean(run) else 'without it'}."
    )


def word_by_word(run: Ablated) -> Bars:
    """Where the part is missed, even if the translation is the same."""
    keys = tuple(f"step:{n}" for n in range(1, len(run.plain) + 1))
    look: dict[str, Any] = {
        "role": "target",
        "compare": run.forced[0],
        "keys": keys,
        "upright": True,
        "wide": WIDE,
    }
    return Bars(
        run.forced[1],
        run.plain,
        title="P of each word of the untouched translation, given those before it",
        **look,
    )


def accuracy(run: Ablated) -> Bars | str:
    if not run.measured:
        return (
            "Press **measure**: every head is then switched off once, on sentences that no model was"
            " trained on."
        )
    return Bars(
        run.exact,
        ("untouched", "yours"),
        title=f"Share of {run.measured} fresh sentences that are right",
        wide=420,
    )


def every_head(run: Ablated) -> Heatmap | str:
    if not run.measured:
        return ""
    heads = tuple(f"head {n + 1}" for n in range(run.exact_without.shape[1]))
    look: dict[str, Any] = {
        "keys": ("attention", "head"),
        "row_title": "attention, layer",
        "role": "target",
        "top": 0.2,
    }
    if run.part == "one head":
        look["changed"] = ((run.kinds.index(f"{run.kind} {run.layer}"), run.head - 1),)
    how = "with the mean of one head in its place" if run.by == "mean" else "without one head"
    return Heatmap(
        1 - run.exact_without, run.kinds, heads, title=f"Share of sentences that go wrong {how}", **look
    )
