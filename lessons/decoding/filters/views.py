"""Pictures of each stage from logits to a word. Every picture shows the same words in the same positions."""

import math

import numpy as np

from lessons.decoding.filters.compute import Filtered
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import compact
from lessons.kit.pictures.phrases import bold_word

LOGIT_AXIS_END = 15.0
STAGE_SIZE_PX = (214, 330)  # maximum width and height if four stages are side by side
CLOSER_WIDTH_PX = 420


def draw_stage(
    run: Filtered,
    name: str,
    before: tuple[str, str],  # the stage to compare with, and the label of its ticks
    title: str,
    has_cut: bool = False,
    changed: tuple[int, ...] = (),
    size: tuple[int, int | None] = STAGE_SIZE_PX,
) -> Bars:
    """Draw the probabilities of one stage, with ticks for an earlier stage."""
    stage = run.stage(name)
    removed = frozenset(np.flatnonzero(run.removed[stage]).tolist())
    wide, tall = size
    return Bars(
        run.probabilities[stage],
        tuple(f"{word} ✗ cut" if place in removed else word for place, word in enumerate(run.words)),
        keys=tuple(f"word:{word}" for word in run.words),
        greyed=removed,
        changed=frozenset(changed),
        cut=len(run.words) - len(removed) if has_cut and removed else (),
        compare=run.probabilities[run.stage(before[0])],
        compare_names=("now", before[1]),
        wide=wide,
        tall=tall,
        title=title,
    )


def tempered(run: Filtered) -> Bars:
    """The tempered probabilities, compared with the unedited model to show banned and boosted words too."""
    is_divided = run.live[run.stage("tempered")] > 1
    effect = f"logits divided by {run.settings.temperature:g}" if is_divided else "only the best is left"
    return draw_stage(run, "tempered", ("logits", "model"), f"1 · {effect}", changed=run.touched)


def after_top_k(run: Filtered) -> Bars:
    k = run.settings.top_k
    title = f"2 · keep the {k} best" if k else "2 · top-k is off"
    return draw_stage(run, "top-k", ("tempered", "before"), title, bool(k))


def after_top_p(run: Filtered) -> Bars:
    p = run.settings.top_p
    title = f"3 · keep a probability of {p:g}" if p < 1 else "3 · top-p is off"
    return draw_stage(run, "top-p", ("top-k", "before"), title, p < 1)


def renormalised(run: Filtered) -> Bars:
    title = "4 · renormalise and draw"
    return draw_stage(run, "renormalised", ("top-p", "before"), title, changed=(run.drawn_at,))


def reading(run: Filtered) -> str:
    left = run.live[-1]
    removed = run.mass[run.stage("tempered")] - run.mass[run.stage("top-p")]
    sentences = [
        f"After all filters, **{left}** of **{run.vocabulary}** words {'is' if left == 1 else 'are'} left.",
        describe_entropy(run),
    ]
    if removed > 0.005:
        sentences.append(
            f"The cuts remove **{removed:.2f}** of the probability, which is divided among the words that are"
            " left."
        )
    sentences.append(
        f"The random number **{run.die:.2f}** draws {bold_word(run.drawn)}, which now has probability"
        f" {compact(run.drawn_probability)}."
    )
    if run.drawn != run.plain:
        sentences.append(f"Without filters, the same number would draw {bold_word(run.plain)}.")
    return " ".join(sentences)


def describe_entropy(run: Filtered) -> str:
    before, after = f"{run.entropy[0]:.2f}", f"{abs(run.entropy[-1]):.2f}"
    if before == after:
        return f"The uncertainty is unchanged: the entropy is **{before}** bits."
    direction = "falls" if abs(run.entropy[-1]) < run.entropy[0] else "rises"
    return f"The entropy {direction} from **{before}** to **{after}** bits."


def logits(run: Filtered) -> Bars:
    return Bars(
        run.logits,
        run.words,
        role=None,
        top=LOGIT_AXIS_END,
        keys=tuple(f"word:{word}" for word in run.words),
        digits=1,
        wide=CLOSER_WIDTH_PX,
        title="Logits u of the model",
    )


def adjusted(run: Filtered) -> Bars:
    title, size = "Probabilities, with ban, boost and penalty", (CLOSER_WIDTH_PX, None)
    return draw_stage(run, "penalised", ("logits", "model"), title, changed=run.touched, size=size)


def uncertainty(run: Filtered) -> Bars:
    names = {"logits": "model", "penalised": "adjusted"}
    stages = [
        stage for stage, name in enumerate(run.names) if name not in ("adjusted", "min-p", "renormalised")
    ]
    return Bars(
        run.entropy[stages],
        tuple(f"{names.get(run.names[stage], run.names[stage])}: {run.live[stage]}" for stage in stages),
        role="context",
        top=math.ceil(math.log2(run.vocabulary)),
        title="Words left and entropy in bits after each filter",
    )
