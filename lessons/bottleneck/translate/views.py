"""The unrolled encoder and decoder, the output, and the distribution at one step."""

import numpy as np

from lessons.bottleneck.pictures import WIDTH_PX, draw_encoder_decoder, encoder_chain, without_eos
from lessons.bottleneck.translate.compute import PRONUNCIATION_TASK, TRANSLATION_TASK, Translation
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, percent, signed, subscript
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled
from models.vocabulary import BOS

SHOWN_STATE_UNITS = 12  # numbers of the previous state shown in “inputs”
VERDICTS = {True: ["This output is right."], False: ["This output is wrong."], None: []}


def unrolled(run: Translation) -> Unrolled:
    return draw_encoder_decoder(
        encoder_chain(run.words, run.H),
        (BOS, *run.outputs[:-1]),
        run.s,
        run.s_0,
        run.outputs,
        run.c,
        current=run.t - 1,
        every=run.every,
        tall=330,
        title="All that the decoder gets from the source is c",
    )


def written(run: Translation) -> Tokens:
    """The whole output, and the correct output where the two may differ."""
    lines = [TokenLine("it writes", without_eos(run.outputs), right=run.right)]
    if run.truth is not None:
        lines.append(TokenLine("right", run.truth, quiet=True))
    return Tokens(tuple(lines), current=run.t - 1, wide=WIDTH_PX, tall=80, title="The whole output")


def previous_output(run: Translation) -> str:
    return run.outputs[run.t - 2] if run.t > 1 else BOS


def reading(run: Translation) -> str:
    unit = (
        "word"
        if run.task == TRANSLATION_TASK
        else "letter"
        if run.task == PRONUNCIATION_TASK
        else "character"
    )
    example = [f"Until you type an input of this task, you see its example, “**{run.text}**”."]
    token = "its last output" if run.t > 1 else "the start token"
    context = "c, " if run.every else ""
    inputs = f"{context}its state s{subscript(run.t - 1)} and {token} “**{previous_output(run)}**”"
    sentences = [
        *(example if run.example else []),
        f"The encoder packs {bold_count(len(run.words), unit)} into **{len(run.c)}** numbers.",
        f"At step **{run.t}** the decoder gets {inputs}. It writes “**{run.outputs[run.t - 1]}**” with"
        f" probability **{run.chosen[run.t - 1]:.2f}**.",
        *VERDICTS[run.right],
        f"Of all test inputs of this task **{percent(run.exact_match)}** come out exactly right.",
    ]
    return " ".join(sentences)


def next_words(run: Translation) -> Bars:
    labels = (*run.next_words, f"{run.vocabulary - len(run.next_words)} others")
    return Bars(
        np.append(run.probabilities, run.rest),
        labels,
        role="weight",
        keys=(*(f"word:{word}" for word in run.next_words), "word:others"),
        greyed=frozenset({len(labels) - 1}),
        label_role="target",
        title=f"What could come at step {run.t}?",
    )


def ask_alternatives(run: Translation) -> str:
    return f"What else could have come at step {run.t}?"


def certainty(run: Translation) -> Curves:
    line = Line("P(chosen)", np.arange(1, len(run.chosen) + 1), run.chosen, "target", points=True)
    return Curves(
        (line,),
        x_title="decoder step t",
        y_title="probability",
        x_range=(1, max(2, len(run.chosen))),
        y_range=(0, 1),
        current=run.t,
        key="step",
        title="How sure was it at each step?",
    )


def inputs(run: Translation) -> Tokens:
    """Inputs of this step: a few numbers of the state, the previous output, all numbers of c."""
    state = run.s[run.t - 2] if run.t > 1 else run.s_0
    first_units = state[:SHOWN_STATE_UNITS]
    lines = (
        TokenLine(
            "previous state",
            (*map(signed, first_units), f"… s{subscript(run.t - 1)} has {len(state)}"),
            np.append(first_units, 0),
        ),
        TokenLine("previous output" if run.t > 1 else "start token", (previous_output(run),)),
        TokenLine("context c", tuple(map(signed, run.c)), run.c),
    )
    title = (
        f"The three things step {run.t} sees"
        if run.every
        else f"The two things step {run.t} sees, and c, which only s₀ saw"
    )
    return Tokens(lines, key="number", title=title)
