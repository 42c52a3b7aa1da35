"""From logits to a word, stage by stage. The same words stand in the same places in every picture."""

import math

import numpy as np

from lessons.decoding.compute.word import Filtered
from lessons.kit.pictures.bars import Bars

TOP = 15.0  # of logits


def bars(run: Filtered, name: str, title: str, cut: bool = False, before: str | None = None, changed: tuple[int, ...] = ()) -> Bars:
    stage = run.stage(name)
    removed = frozenset(np.flatnonzero(run.removed[stage]).tolist())
    kept = len(run.words) - len(removed)
    return Bars(
        run.probabilities[stage],
        tuple(f"{word} ✗" if place in removed else word for place, word in enumerate(run.words)),
        keys=tuple(f"word:{word}" for word in run.words),
        greyed=removed,
        changed=frozenset(changed),
        cut=kept if cut and removed else None,
        compare=None if before is None else run.probabilities[run.stage(before)],
        compare_names=("now", "before"),
        title=title,
    )


def logits(run: Filtered) -> Bars:
    keys = tuple(f"word:{word}" for word in run.words)
    title = "1 · The model’s logits z"
    return Bars(run.logits, run.words, role=None, top=TOP, keys=keys, digits=1, title=title)


def adjusted(run: Filtered) -> Bars:
    title = "2 · Probabilities, with ban, boost and penalty"
    return bars(run, "penalised", title, before="logits", changed=run.touched)


def tempered(run: Filtered) -> Bars:
    return bars(run, "tempered", f"3 · Tempered: z / {run.settings.temperature:g}", before="penalised")


def after_top_k(run: Filtered) -> Bars:
    k = run.settings.top_k
    return bars(run, "top-k", f"4 · Top-k: the {k} best stay" if k else "4 · Top-k: off", bool(k), "tempered")


def after_top_p(run: Filtered) -> Bars:
    p = run.settings.top_p
    title = f"5 · Top-p: the fewest that hold {p:g} of the rest" if p < 1 else "5 · Top-p: off"
    return bars(run, "top-p", title, p < 1, "top-k")


def renormalised(run: Filtered) -> Bars:
    return bars(run, "renormalised", f"6 · Shared out to 1, and drawn: “{run.drawn}”", before="top-p", changed=(run.drawn_at,))


def uncertainty(run: Filtered) -> Bars:
    names = {"logits": "model", "penalised": "adjusted"}
    chosen = [stage for stage, name in enumerate(run.names) if name not in ("adjusted", "renormalised")]
    labels = tuple(f"{names.get(run.names[stage], run.names[stage])}: {run.live[stage]}" for stage in chosen)
    title = "Stage: live words, and entropy in bits"
    return Bars(run.entropy[chosen], labels, role="context", top=math.ceil(math.log2(run.vocabulary)), title=title)


def reading(run: Filtered) -> str:
    first, last = run.entropy[0], run.entropy[-1]
    said = f"Of **{run.vocabulary}** words **{run.live[-1]}** {'is' if run.live[-1] == 1 else 'are'} left; "
    said += f"the entropy goes from **{first:.2f}** to **{abs(last):.2f}** bits. "
    cut = run.mass[run.stage("tempered")] - run.mass[run.stage("top-p")]
    if cut > 0.005:
        said += f"The cuts took **{cut:.2f}** of the probability away, and the rest shares it. "
    said += f"Seed {run.seed} gives a die of **{run.die:.2f}**: “**{run.drawn}**” ({run.drawn_probability:.2f})"
    return said + ("." if run.drawn == run.plain else f"; without filters it would be “**{run.plain}**”.")
