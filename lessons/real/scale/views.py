"""Model sizes side by side, the surprisal of a text, and which claims hold for the real model."""

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.table import Table
from lessons.real.scale.compute import Scale

MAX_BITS = 20.0


def side_by_side(run: Scale) -> Table:
    return Table(("", "our story model", "SmolLM2"), run.rows, key="quantity", title="Two language models")


def surprisals(run: Scale) -> Bars:
    return Bars(
        run.bits.clip(max=MAX_BITS),
        run.words[1:],
        role="target",
        top=MAX_BITS,
        digits=1,
        upright=True,
        wide=430,
        tall=260,
        title="SmolLM2: surprisal of each piece in bits",
    )


def reading(run: Scale) -> str:
    real = f"SmolLM2 needs **{run.bits_per_character:.2f}** bits per character for this text"
    if run.our_bits_per_character is None:
        return f"{real}. Our story model does not know all words of this text."
    return (
        f"{real}. Our story model, which was trained only on stories, needs"
        f" **{run.our_bits_per_character:.2f}**."
    )


def claim_table(run: Scale) -> Table:
    return Table(
        ("claim of this course", "lesson", "measured on SmolLM2", "holds here?"),
        run.claims,
        key="claim",
        title="Claims of this course, measured on SmolLM2",
    )


def claim_sentence(run: Scale) -> str:
    held = sum(claim[-1] == "yes" for claim in run.claims)
    return (
        f"**{held}** of {len(run.claims)} claims hold for this model, with the opening settings of these"
        " experiments."
    )
