"""The model step by step, and the same sentence in one pass."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import scientific
from lessons.kit.pictures.phrases import correctness_mark, correctness_sentences, word_at
from lessons.transformer.decode.compute import STAGES, DecodeRun
from lessons.transformer.decode.walk import Walk


def walk(run: DecodeRun) -> Walk:
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
        mark=correctness_mark(run.right) if run.step.written == len(run.writes) else "",
        title=f"Stage {run.step.stage} of {len(STAGES)}: {STAGES[run.step.stage - 1]}",
        description=(
            "Each column is a word; each strip is its state in groups of units; curves are attention weights,"
            " the mean over heads."
        ),
    )


def reading(run: DecodeRun) -> str:
    passes = count_passes(len(run.writes))
    return " ".join(
        [
            *describe_step(run),
            f"Writing this sentence needs {passes} through the decoder; training on it needs **1**.",
        ]
    )


def describe_step(run: DecodeRun) -> list[str]:
    """Describe in sentences what was computed in this step."""
    step = run.step
    if step.stage == 1:
        d = run.encoder.shape[-1]
        return [
            f"All **{len(run.source)}** words go into the encoder at once, each as {d} numbers that also"
            " encode its position."
        ]
    if step.stage == 2:
        return [
            f"Encoder layer **{step.encoder - 1}** lets all **{len(run.source)}** words attend to each other"
            " in one step."
        ]
    if step.stage == 3 and step.decoder == 1:
        return [f"The decoder starts with “**{run.reads[0]}**”. No token is written yet."]
    if step.stage == 3:
        layer = step.decoder - 1
        weights = run.cross[layer - 1, run.position]
        attended = int(weights.argmax())
        return [
            f"Decoder layer **{layer}** attends to the tokens written so far, then to the source. Its largest"
            f" weight in the source is on {word_at(run.source, attended)} (**{weights[attended]:.2f}**)."
        ]
    token = (
        f"Token **{step.written}** of {len(run.writes)} is “**{run.writes[run.position]}**” with P ="
        f" **{run.one_by_one[run.position]:.2f}**."
    )
    remaining = len(run.writes) - step.written
    if remaining:
        verb = "is" if remaining == 1 else "are"
        return [token, f"This token becomes the next input; {count_passes(remaining)} {verb} left."]
    return [token, "The translation is complete.", *correctness_sentences(run.right, run.truth)]


def count_passes(count: int) -> str:
    return f"**{count}** pass{'es' * (count != 1)}"


def next_words(run: DecodeRun) -> Bars:
    """The likeliest tokens at the current position."""
    return Bars(
        run.probabilities,
        run.next_words,
        role="target",
        keys=tuple(f"word:{word}" for word in run.next_words),
        title=f"Probability of the next token after “{run.reads[run.position]}”",
    )


def ask_next(run: DecodeRun) -> str:
    return f"What else could follow “{run.reads[run.position]}”?"


def training(run: DecodeRun) -> Heatmap:
    """Decoder self-attention in training: all rows at once, with later words masked."""
    last_layer = run.decoder_self[-1]
    return Heatmap(
        np.where(np.tril(np.ones_like(last_layer)) > 0, last_layer, np.nan),
        run.writes,
        run.reads,
        title="All positions at once, with the future masked",
        keys=("target", "target"),
        row_role="target",
        column_role="target",
        current_row=run.position if run.step.written else None,
        wide=440,
        row_title="to predict",
        column_title="given, all at once",
    )


def both(run: DecodeRun) -> Bars:
    return Bars(
        run.one_by_one,
        run.writes,
        role="target",
        compare=run.at_once,
        compare_names=("step by step", "in one pass"),
        keys=tuple(f"target:{n}" for n in range(len(run.writes))),
        title="P of each token, step by step and in one pass",
    )


def agreement(run: DecodeRun) -> str:
    return (
        "Step by step and in one pass, log P differs by at most"
        f" **{scientific(run.difference)}**, which is rounding."
    )
