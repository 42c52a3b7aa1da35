"""The attention in your hands."""

import numpy as np

from lessons.attention.compute.steer import Steered
from lessons.attention.views.parts import looking, next_bars, quoted, source_keys
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled


def unrolled(run: Steered) -> Unrolled:
    whose = "your weights" if run.t in run.edited else "the model’s own weights"
    return looking(run.source, run.H, run.yours, run.s, run.t, run.row, run.context, f"Step {run.t}, with {whose}")


def reading(run: Steered) -> str:
    best, word = int(run.row.argmax()), run.yours[run.t - 1]
    share = run.probabilities[1][run.next_words.index(word)]
    alike = len(run.row) > 1 and np.ptp(run.row) < 0.005
    looks = "looks at all words alike" if alike else f"gives **{run.row[best]:.2f}** of its weight to “**{run.source[best]}**”"
    said = f"At step {run.t} the decoder {looks} and writes "
    said += f"“**{word}**” ({share:.2f})."
    if not (run.edited or run.waiting or run.unfit):
        second = int(np.argsort(run.row)[-2]) if len(run.row) > 1 else best
        return f"{said} You changed nothing yet: drag “**{run.source[second]}**” to the right."
    if run.edited:
        said += consequence(run)
    if run.waiting:
        said += f" Your sentence ends at step {len(run.yours)}, so the change at {steps(run.waiting)} waits."
    if run.unfit:
        said += f" The change at {steps(run.unfit)} was made for a sentence of another length and is left out here."
    return said


def consequence(run: Steered) -> str:
    said = f" The context moved by **{run.moved:.2f}**." if run.t in run.edited and np.isfinite(run.moved) else ""
    if not (run.lost or run.new):
        return f"{said} With your weights at {steps(run.edited)} the sentence **stays the same**."
    changes = []
    if run.lost:
        changes.append(f"lost {quoted(tuple(run.plain[n] for n in sorted(run.lost)))}")
    if run.new:
        changes.append(f"gained {quoted(tuple(run.yours[n] for n in sorted(run.new)))}")
    said += f" With your weights at {steps(run.edited)} the sentence {' and '.join(changes)}."
    return said if run.ended else f"{said} It does not find its end; we stopped it."


def steps(numbers: tuple[int, ...]) -> str:
    return f"step{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


def translations(run: Steered) -> Tokens:
    lines = (
        TokenLine("untouched", run.plain, changed=frozenset(run.lost)),
        TokenLine("yours", run.yours, changed=frozenset(run.new)),
    )
    return Tokens(lines, current=run.t - 1, title="The sentence, untouched and yours")


def row(run: Steered) -> Bars:
    """The row in the learner's hand."""
    plain = run.plain_row
    changed = (
        frozenset(np.flatnonzero(np.abs(run.row - plain) >= 0.05).tolist()) if plain is not None and run.t in run.edited else ()
    )
    return Bars(
        run.row,
        run.source,
        keys=source_keys(len(run.source)),
        handle="weights",
        compare=plain,
        changed=frozenset(changed),
        label_role="source",
        title=f"Weights of step {run.t}: drag a bar, the others make room",
    )


def next_words(run: Steered) -> Bars:
    before = run.yours[run.t - 2] if run.t > 1 else "the start"
    return next_bars(run.next_words, run.probabilities[1], f"Next word, after “{before}”", run.probabilities[0])


def alignment(run: Steered) -> Heatmap:
    gold = run.gold if run.gold and run.yours[: len(run.plain)] == run.plain else ()
    return Heatmap(
        run.your_weights,
        run.yours,
        run.source,
        keys=("step", "source"),
        row_role="target",
        column_role="source",
        gold=gold,
        current_row=run.t - 1,
        changed=tuple((step - 1, i) for step in run.edited for i in strongest(run.your_weights[step - 1])),
        title="Who looks where, yours" + (" (gold dashed)" if gold else ""),
    )


def strongest(row: np.ndarray) -> list[int]:
    """Where a row mainly looks: what is outlined of a row that the learner has set."""
    return np.flatnonzero(row >= 0.3 * row.max()).tolist()
