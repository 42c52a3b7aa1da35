"""From logits to a word, stage by stage. The same words stand in the same places in every picture."""

import math
from typing import Any

import numpy as np

from lessons.decoding.compute.word import Filtered
from lessons.decoding.views.words import bold
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import compact

TOP = 15.0  # of logits
ROOM = {"wide": 214, "tall": 330}  # four stages side by side


def bars(
    run: Filtered,
    name: str,
    before: tuple[str, str],  # a stage, and what its ticks are called
    title: str,
    cut: bool = False,
    changed: tuple[int, ...] = (),
    room: dict[str, Any] = ROOM,
) -> Bars:
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
        compare=run.probabilities[run.stage(before[0])],
        compare_names=("now", before[1]),
        **room,
        title=title,
    )


# ---- the main act ----


def tempered(run: Filtered) -> Bars:
    """Beside the model itself, so that what was banned or lifted shows too."""
    divided = (
        f"logits divided by {run.settings.temperature:g}"
        if run.live[run.stage("tempered")] > 1
        else "only the best is left"
    )
    return bars(run, "tempered", ("logits", "model"), f"1 · {divided}", changed=run.touched)


def after_top_k(run: Filtered) -> Bars:
    k = run.settings.top_k
    return bars(
        run, "top-k", ("tempered", "before"), f"2 · the {k} best stay" if k else "2 · top-k is off", bool(k)
    )


def after_top_p(run: Filtered) -> Bars:
    p = run.settings.top_p
    title = f"3 · the fewest that hold {p:g}" if p < 1 else "3 · top-p is off"
    return bars(run, "top-p", ("top-k", "before"), title, p < 1)


def renormalised(run: Filtered) -> Bars:
    return bars(
        run, "renormalised", ("top-p", "before"), "4 · shared out, and drawn", changed=(run.drawn_at,)
    )


def reading(run: Filtered) -> str:
    first, last = run.entropy[0], run.entropy[-1]
    said = f"Of **{run.vocabulary}** words **{run.live[-1]}** {'is' if run.live[-1] == 1 else 'are'} left; "
    said += f"the entropy goes from **{first:.2f}** to **{abs(last):.2f}** bits. "
    cut = run.mass[run.stage("tempered")] - run.mass[run.stage("top-p")]
    if cut > 0.005:
        said += f"The cuts took **{cut:.2f}** of the probability away, and the rest shares it. "
    said += (
        f"Seed {run.seed} gives a die of **{run.die:.2f}**: {bold(run.drawn)}"
        f" ({compact(run.drawn_probability)})"
    )
    return said + ("." if run.drawn == run.plain else f"; without filters it would be {bold(run.plain)}.")


# ---- closer ----


def logits(run: Filtered) -> Bars:
    keys = tuple(f"word:{word}" for word in run.words)
    return Bars(
        run.logits, run.words, role=None, top=TOP, keys=keys, digits=1, wide=420, title="The model’s logits u"
    )


def adjusted(run: Filtered) -> Bars:
    title = "Probabilities, with ban, lift and penalty"
    return bars(run, "penalised", ("logits", "model"), title, changed=run.touched, room={"wide": 420})


def uncertainty(run: Filtered) -> Bars:
    names = {"logits": "model", "penalised": "adjusted"}
    chosen = [stage for stage, name in enumerate(run.names) if name not in ("adjusted", "renormalised")]
    labels = tuple(f"{names.get(run.names[stage], run.names[stage])}: {run.live[stage]}" for stage in chosen)
    title = "Stage: live words, and entropy in bits"
    return Bars(
        run.entropy[chosen], labels, role="context", top=math.ceil(math.log2(run.vocabulary)), title=title
    )
