"""The model at work, step by step; and training, all steps at once."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import scientific
from lessons.transformer.compute.decode import STAGES, Decoded
from lessons.transformer.views.truth import mark, verdict
from lessons.transformer.views.words import at
from lessons.transformer.walk import Walk


def walk(run: Decoded) -> Walk:
    return Walk(
        run.source,
        run.reads,
        run.writes,
        run.encoder,
        run.decoder,
        encoder_self=run.encoder_self,
        decoder_self=run.decoder_self,
        cross=run.cross,
        encoder_floors=run.step.encoder,
        decoder_floors=run.step.decoder,
        written=run.step.written,
        mark=mark(run.right) if run.step.written == len(run.writes) else "",
        title=f"Stage {run.step.stage} of {len(STAGES)}: {STAGES[run.step.stage - 1]}",
        description=(
            "Each column is a word; each strip its state in groups of units; curves are attention, heads on"
            " average."
        ),
    )


def reading(run: Decoded) -> str:
    step, place = run.step, run.place
    if step.stage == 1:
        d = run.encoder.shape[-1]
        said = (
            f"All **{len(run.source)}** words go in at once, each as {d} numbers that also say where it"
            " stands."
        )
    elif step.stage == 2:
        said = (
            f"Encoder layer **{step.encoder - 1}** lets all **{len(run.source)}** words look at each other,"
            " in one step."
        )
    elif step.stage == 3 and step.decoder == 1:
        said = f"The decoder starts with “**{run.reads[0]}**”; nothing is written yet."
    elif step.stage == 3:
        layer = step.decoder - 1
        weights = run.cross[layer - 1, place]
        looked = int(weights.argmax())
        said = (
            f"Decoder layer **{layer}** looks at what is written, then at the source: most at"
            f" {at(run.source, looked)} "
        )
        said += f"with **{weights[looked]:.2f}**."
    else:
        said = (
            f"Token **{step.written}** of {len(run.writes)}: “**{run.writes[place]}**” with"
            f" **{run.one_by_one[place]:.2f}**. "
        )
        left = len(run.writes) - step.written
        said += (
            f"It is fed back: **{left}** more pass{'es' * (left != 1)} to come." if left else "It ends here."
        )
        said += "" if left else verdict(run.right, run.truth)
    many = len(run.writes)
    return said + f" Writing takes **{many}** pass{'es' * (many != 1)} through the decoder, training **1**."


def next_words(run: Decoded) -> Bars:
    """What else the token at this place could have been."""
    title = f"After “{run.reads[run.place]}”: the next token"
    keys = tuple(f"word:{word}" for word in run.next_words)
    return Bars(run.probabilities, run.next_words, role="target", keys=keys, title=title)


def training(run: Decoded) -> Heatmap:
    """The same tokens in training: every row at once, the future masked."""
    last = run.decoder_self[-1]
    weights = np.where(np.tril(np.ones_like(last)) > 0, last, np.nan)
    look: dict[str, Any] = {"keys": ("target", "target"), "row_role": "target", "column_role": "target"}
    look |= {"current_row": run.place if run.step.written else None, "wide": 440}
    look |= {"row_title": "to predict", "column_title": "given, all at once"}
    return Heatmap(weights, run.writes, run.reads, title="All rows at once, the future masked", **look)


def both(run: Decoded) -> Bars:
    keys = tuple(f"target:{n}" for n in range(len(run.writes)))
    names, title = ("step by step", "all at once"), "P of each token, computed both ways"
    return Bars(
        run.one_by_one,
        run.writes,
        role="target",
        compare=run.at_once,
        compare_names=names,
        keys=keys,
        title=title,
    )


def agreement(run: Decoded) -> str:
    return (
        f"No log P of the two ways differs by more than **{scientific(run.difference)}**: that is rounding."
    )
