"""Model sizes side by side, the surprisal of a text, and which claims hold for the real model."""

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.table import Table
from lessons.real.pretrained_model import model_name
from lessons.real.scale.compute import Scale

MAX_BITS = 20.0


def side_by_side(run: Scale) -> Table:
    """Sizes of both models, and how well they predict the typed text."""
    ours, real = run.our_perplexity, run.perplexity
    predicted = (
        (
            "perplexity on your text",
            "–" if ours is None else f"{ours:,.1f} per word",
            f"{real:,.1f} per piece",
        ),
    )
    return Table(
        ("", "our story model", model_name()),
        (*run.rows, *predicted),
        key="quantity",
        title="Two language models",
    )


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
        title=f"{model_name()}: surprisal of each piece in bits",
    )


def reading(run: Scale) -> str:
    real = f"{model_name()} needs **{run.bits_per_character:.2f}** bits per character for this text"
    if run.our_bits_per_character is None:
        return f"{real}. Our story model does not know all words of this text."
    return (
        f"{real}. Our story model, which was trained only on stories, needs"
        f" **{run.our_bits_per_character:.2f}** bits per character."
    )


def claim_table(run: Scale) -> Table:
    return Table(
        ("claim of this course", "lesson", f"measured on {model_name()}", "holds here?"),
        run.claims,
        key="claim",
        title=f"Claims of this course, measured on {model_name()}",
    )


def claim_sentence(run: Scale) -> str:
    held = sum(claim[-1] == "yes" for claim in run.claims)
    return (
        f"**{held}** of {len(run.claims)} claims hold for this model, with the opening settings of these"
        " experiments."
    )
