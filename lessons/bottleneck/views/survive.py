"""What is left of each word in c."""

from typing import Any

import numpy as np

from lessons.bottleneck.compute.vector import Survived
from lessons.bottleneck.views.parts import WIDE, reference, without_end
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import percent, signed
from lessons.kit.pictures.tokens import TokenLine, Tokens

ROLES = ("weight", "context", "source", "target")


def heard(run: Survived) -> Tokens:
    """What came out of this c."""
    lines = [TokenLine("it says", without_end(run.outputs), right=run.right)]
    if not run.right:
        lines.append(reference(run.truth, run.teacher))
    return Tokens(tuple(lines), wide=WIDE, tall=80, title=f"What the decoder made of its {run.width} numbers")


def read_off(run: Survived) -> Tokens:
    """The sentence, and what the probe finds in c where each word was."""
    wrong = frozenset(i for i, word in enumerate(run.read_off) if word != run.words[i])
    notes = tuple(f"P({word}) = {p:.2f}" for word, p in zip(run.words, run.certainty, strict=False))
    lines = TokenLine("it read", run.words), TokenLine("left in c", run.read_off, run.certainty, notes, wrong)
    title = "A linear probe reads the words back from c; marked: not what stood there"
    return Tokens(lines, role="weight", key="source", first=0, wide=WIDE, tall=120, title=title)


def reading(run: Survived) -> str:
    found = sum(a == b for a, b in zip(run.read_off, run.words, strict=False))
    gains = run.gains[run.width]
    shares = [
        f"**{percent(run.natural[width])}** from {width} numbers"
        for width in sorted(run.natural, key=run.width.__ne__)
    ]
    said = (
        f"Of all test words the probe finds {', '.join(shares)}, a guess without c"
        f" **{percent(run.without)}**. "
    )
    said += "The gain at position " + ", ".join(
        f"{place}: **{signed(gains[place - 1])}**" for place in (1, 5, 10, 15)
    )
    return said + f". Here it names **{found}** of {len(run.read_off)} words, but one sentence proves little."


def gain(run: Survived) -> Curves:
    others = [width for width in run.gains if width != run.width]
    lines = [Line(f"k = {run.width}", run.positions, run.gains[run.width], "context", points=True)]
    lines += [Line(f"k = {width}", run.positions, run.gains[width], "quiet", dashed=True) for width in others]
    return Curves(
        tuple(lines), wide=WIDE, tall=190, title="Gain: found in c more often than without it", **axes(run)
    )


def axes(run: Survived) -> dict[str, Any]:
    return {
        "x_title": "position in the source",
        "y_title": "gain",
        "x_range": (1, len(run.positions)),
        "y_range": (-0.1, 1),
    }


def recovery(run: Survived) -> Curves:
    lines = (
        Line("probe on c", run.positions, run.recovered, "context", points=True),
        Line("without c", run.positions, run.commonest, "quiet", dashed=True),
    )
    return Curves(
        lines,
        wide=600,
        title="How often is the word at position i found? The very last are mostly full stops",
        **axes(run) | {"y_title": "share found"},
    )


def gain_by_length(run: Survived) -> Curves:
    lines = tuple(
        Line(f"{name} words", run.positions, line, role, points=True)
        for (name, line), role in zip(run.by_length, ROLES, strict=True)
    )
    return Curves(
        lines, wide=700, title="Gain by length of the sentence", **axes(run) | {"y_range": (-0.3, 1)}
    )


def pull(run: Survived) -> Bars:
    """How strongly each source word moves what is said."""
    keys = tuple(f"source:{n}" for n in range(len(run.words)))
    top = max(1.0, float(np.ceil(run.pull.max())))
    title = f"Length of the gradient of log P of {about(run)}"
    look: dict[str, Any] = {"top": top, "keys": keys, "upright": True, "label_role": "source", "wide": 700}
    return Bars(run.pull, run.words, role="source", title=title, **look)


def about(run: Survived) -> str:
    return f"“{run.outputs[run.t - 1]}”" if run.t else "the whole output"


def who_pulls(run: Survived) -> str:
    return f"Which source words could still change {about(run)}?"
