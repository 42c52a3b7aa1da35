"""Bits of a text and of c, exact match by bits per number, and one sentence with c rounded."""

import numpy as np

from lessons.bottleneck.bits.compute import FLOAT_BITS, SUFFICIENT, Bits
from lessons.bottleneck.pictures import FULL_COLOR_VALUE, HALF_WIDTH_PX, WIDTH_PX, reference_line, without_eos
from lessons.kit.checkpoints import CONTEXT_DIMS
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import bold_count, percent, plural, short
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from models.rounding import BITS
from models.vocabulary import EOS

HEIGHT_PX = 250


def budget(run: Bits) -> Bars:
    """Bits that the text needs by two estimates, and that c offers by three."""
    amounts = {
        "text, log₂ V": run.text_words * run.bound,
        "text, −log₂ P": run.text_words * run.measured,
        f"c, {FLOAT_BITS} bits each": run.c_numbers * FLOAT_BITS,
        f"c, {plural(run.bits, 'bit')} each": run.c_numbers * run.bits,
    }
    if run.size.sufficient:
        amounts[f"c, enough: {plural(run.size.sufficient, 'bit')}"] = run.c_numbers * run.size.sufficient
    return Bars(
        np.array(list(amounts.values())),
        tuple(amounts),
        role="context",
        top=float(max(amounts.values())),
        digits=0,
        wide=HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title=f"Bits in {run.text_words:,} words and in {run.c_numbers:,} numbers",
    )


def rounding_curve(run: Bits) -> Curves:
    """Exact match on test sentences, by bits per number."""
    x = np.array(BITS)
    lines = tuple(
        Line(
            f"k = {code}",
            x,
            run.sizes[code].exact_match,
            "context" if code == run.code else "source",
            dashed=code != run.code,
            points=code == run.code,
        )
        for code in CONTEXT_DIMS
    )
    return Curves(
        lines,
        x_title="bits per number of c",
        y_title="exact match",
        x_range=(float(BITS[0]), float(BITS[-1])),
        y_range=(0, 1),
        current=run.bits,
        key="bits",
        wide=HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title=f"Exact match with c rounded, {run.count:,} sentences",
    )


def outputs(run: Bits) -> Tokens:
    lines = (
        TokenLine("source", run.shown),
        reference_line(run.truth, run.teacher),
        TokenLine("c as it is", without_eos(run.unrounded), right=run.right[0]),
        TokenLine("c rounded", without_eos(run.rounded), changed=frozenset(run.changed), right=run.right[1]),
    )
    title = f"Your sentence with {plural(run.bits, 'bit')} per number; marked: changed by the rounding"
    return Tokens(lines, wide=WIDTH_PX, tall=140, title=title)


def reading(run: Bits) -> str:
    return " ".join([describe_fit(run), describe_sufficient(run), describe_sentence(run)])


def describe_fit(run: Bits) -> str:
    """Compare the bits of the text, estimated by the language model, with the bits that c offers."""
    need, offer = run.text_words * run.measured, run.c_numbers * run.bits
    fits = "fit" if need <= offer else "do not fit"
    return (
        f"At {run.measured:.2f} bits per word, {run.text_words:,} words need **{need:,.0f}** bits."
        f" These bits **{fits}** into {run.c_numbers:,} numbers of {plural(run.bits, 'bit')}, which hold"
        f" **{offer:,}** bits."
    )


def describe_sufficient(run: Bits) -> str:
    """Say how many bits per number the translator of the chosen size needs."""
    if run.size.sufficient is None:
        return f"The translator with k = {run.code} needs more than {BITS[-1]} bits per number."
    return (
        f"The translator with k = {run.code} keeps {percent(SUFFICIENT)} of its exact match with"
        f" **{run.size.sufficient}** bits per number."
    )


def describe_sentence(run: Bits) -> str:
    if run.rounded != run.unrounded:
        changed = bold_count(len(run.changed), "word")
        return f"Rounded to {plural(run.bits, 'bit')}, c gives another translation, with {changed} changed."
    return f"Rounded to {plural(run.bits, 'bit')}, c still gives **the same** translation of your sentence."


# ---- closer looks ----


def surprisal(run: Bits) -> Bars:
    """Bits of each word of the sentence."""
    return Bars(
        run.surprisals,
        (*run.shown, EOS),
        role="source",
        top=max(float(np.ceil(run.surprisals.max())), float(np.ceil(run.bound))),
        upright=True,
        label_role="source",
        wide=WIDTH_PX,
        title="Bits of each word, given the words before it: −log₂ P",
    )


def sentence_total(run: Bits) -> str:
    """Compare the bits of the sentence with the bits of c."""
    total, count = float(run.surprisals.sum()), len(run.surprisals)
    sentences = [
        f"The language model needs **{total:.1f}** bits for your sentence. Without a model, {count} words"
        f" at {run.bound:.1f} bits each would need **{count * run.bound:.0f}** bits."
    ]
    if run.enough_here:
        used = int(run.code) * run.enough_here
        sentences.append(
            f"From {plural(run.enough_here, 'bit')} per number on, the translation of your sentence stays the"
            f" same. This c has **{used:,}** bits, **{short(used / total, 2)}** times as many as the"
            " language model"
            " needs."
        )
    return " ".join(sentences)


def vector(run: Bits) -> Heatmap:
    units = run.c.shape[1]
    return Heatmap(
        run.c,
        ("c as it is", "c rounded"),
        tuple(str(n + 1) for n in range(units)),
        role=None,
        top=2 * FULL_COLOR_VALUE,
        keys=("context", "unit"),
        wide=WIDTH_PX,
        tall=130,
        title=f"c, {units} numbers; each rounded to one of {2**run.bits:,} values",
    )


def sizes(run: Bits) -> Table:
    """How many bits per number, and in all, the translators need."""
    rows = tuple(
        (
            f"k = {code}",
            f"{size.unrounded:.2f}",
            str(size.sufficient or f"more than {BITS[-1]}"),
            f"{int(code) * size.sufficient:,}" if size.sufficient else "–",
            f"{int(code) * FLOAT_BITS:,}",
        )
        for code, size in run.sizes.items()
    )
    return Table(
        (
            "size of c",
            "exact match",
            "enough bits per number",
            "bits in all",
            f"as {FLOAT_BITS}-bit numbers",
        ),
        rows,
        key="size",
        marked=frozenset({CONTEXT_DIMS.index(run.code)}),
        wide=700,
        title=f"Enough: exact match stays above {percent(SUFFICIENT)} of what it is without rounding",
    )
