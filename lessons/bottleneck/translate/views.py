"""The unrolled encoder and decoder, the output, and the distribution at one step."""

import numpy as np

from lessons.bottleneck.pictures import draw_encoder_decoder, encoder_chain, without_eos
from lessons.bottleneck.translate.compute import Translation
from lessons.bottleneck.translate.output_pictures import does_the_same, draw_program, draw_words
from lessons.bottleneck.translate.tasks import OPTIONS
from lessons.kit.checkpoints import load_card
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.base import Picture
from lessons.kit.pictures.by_length import exact_match_by_length
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, percent, signed, subscript
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled
from models.vocabulary import BOS

SHOWN_STATE_UNITS = 12  # numbers of the previous state shown in “inputs”
VERDICTS = {
    True: "This output is right.",
    False: "This output is wrong.",
    None: "The right output for this input is not known.",
}


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


def written(run: Translation) -> Picture:
    """The whole output, and the correct output where the two may differ."""
    lines = [TokenLine("it writes", without_eos(run.outputs), right=run.right)]
    if run.truth is not None and not (run.right and OPTIONS[run.task].draw is not draw_words):
        lines.append(TokenLine("right", run.truth, quiet=True))
    return OPTIONS[run.task].draw(tuple(lines), run.t - 1, "The whole output")


def previous_output(run: Translation) -> str:
    return run.outputs[run.t - 2] if run.t > 1 else BOS


def reading(run: Translation) -> str:
    read = bold_count(len(run.words), OPTIONS[run.task].unit)
    example = [f"Until you type an input of this task, you see its example, “**{run.text}**”."]
    token = "its last output" if run.t > 1 else "the start token"
    context = "c, " if run.every else ""
    inputs = f"{context}its state s{subscript(run.t - 1)} and {token} “**{previous_output(run)}**”"
    sentences = [
        *(example if run.example else []),
        f"The encoder packs {read} into **{len(run.c)}** numbers.",
        f"At step **{run.t}** the decoder gets {inputs}. It writes “**{run.outputs[run.t - 1]}**” with"
        f" probability **{run.chosen[run.t - 1]:.2f}**.",
        verdict(run),
        f"The model gets **{percent(run.exact_match)}** of all test inputs of this task exactly right.",
    ]
    return " ".join(sentences)


def verdict(run: Translation) -> str:
    is_program = OPTIONS[run.task].draw is draw_program
    if is_program and run.right is False and run.truth and does_the_same(without_eos(run.outputs), run.truth):
        return "This is not the right program, but with these values it does the same."
    return VERDICTS[run.right]


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
        title="How sure was the decoder at each step?",
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


def beside(run: Translation) -> Picture:
    """The outputs of the two models for this input."""
    lines = [TokenLine("one vector", without_eos(run.outputs), right=run.right)]
    if run.with_attention:
        output, is_right = run.with_attention
        lines.append(TokenLine("attention", output, right=is_right))
    if run.truth is not None and not any(line.right for line in lines):
        lines.append(TokenLine("right", run.truth, quiet=True))
    return OPTIONS[run.task].draw(tuple(lines), None, "One vector beside attention")


def by_length(run: Translation) -> Curves:
    """Exact match on test inputs by length, from the cards."""
    option, series = OPTIONS[run.task], []
    for name, role, translator in (
        ("one vector", "context", option.model),
        ("attention", "weight", option.attention),
    ):
        if translator:
            rows = load_card(translator.name).metrics["by_length"]
            series.append((name, role, np.array([[row["exact_match"] for row in rows]])))
    card = load_card(option.model.name).metrics
    buckets = np.array([[row["from"], row["to"]] for row in card["by_length"]])
    longest = card["trained_lengths"][1]
    title = "Fraction of test inputs with the right output, by length"
    return exact_match_by_length(series, buckets, longest, x_title=f"source {option.unit}s T", title=title)


def compare_models(run: Translation) -> str:
    option = OPTIONS[run.task]
    if not option.attention:
        return (
            f"The model with one vector gets **{percent(run.exact_match, 1)}** of the test inputs exactly"
            " right. For this task there is no model with attention."
        )
    one, other = (load_card(model.name) for model in (option.model, option.attention))
    exact = other.metrics["natural"]["exact_match"]
    steps = one.recipe["steps"], other.recipe["steps"]
    return (
        f"Of all test inputs, the model with one vector gets **{percent(run.exact_match, 1)}** exactly right"
        f" and the model with attention **{percent(exact, 1)}**. "
        + (
            f"Both models were trained for {steps[0]:,} steps."
            if steps[0] == steps[1]
            else f"The model with one vector was trained for {steps[0]:,} steps, the other one for"
            f" {steps[1]:,}."
        )
        + f" The model with one vector has {one.parameters:,} parameters, and the other one has"
        f" {other.parameters:,}."
    )
