"""The unrolled recurrence in the chosen role, a decoder's output, and the three roles side by side."""

from typing import Any

from lessons.kit.pictures.numbers import bold_count
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Chain, Unrolled
from lessons.recurrence.roles.compute import DECODER, ENCODER, LANGUAGE_MODEL, Job, RoleRun
from lessons.recurrence.unit_pictures import ACT_WIDTH_PX, WIDTH_PX

TITLES = {
    ENCODER: "An encoder reads; states that are not used are faint",
    LANGUAGE_MODEL: "A language model reads and predicts each next word",
    DECODER: "A decoder writes one word per step",
}
INPUTS = {ENCODER: "your text", LANGUAGE_MODEL: "your text", DECODER: "what it has just written"}


def unrolled(run: RoleRun) -> Unrolled:
    """The unrolled chain of the role; below a decoder, its encoder and the context between them."""
    chain = Chain(
        run.role,
        run.words,
        run.states,
        "target" if run.role == DECODER else "source",
        outputs=run.outputs or None,
        start=run.start,
        used=frozenset(run.used),
        fed_back=run.fed_back,
    )
    options: dict[str, Any] = {"current": run.t - 1, "top": 0.5, "wide": WIDTH_PX, "tall": 380}
    if run.source_states is None:
        return Unrolled((chain,), title=TITLES[run.role], **options)
    last = frozenset({len(run.source) - 1})
    encoder = Chain("encoder", run.source, run.source_states, used=last, key="source", first=0)
    return Unrolled((encoder, chain), context=run.context, title=TITLES[run.role], **options)


def written(run: RoleRun) -> Tokens | str:
    """A decoder's output and the correct translation; empty for the other roles."""
    if run.role != DECODER:
        return ""
    lines = [TokenLine("it writes", run.outputs, right=run.right)]
    if run.truth is not None:
        lines.append(TokenLine("right", run.truth, quiet=True))
    return Tokens(tuple(lines), title="The sentence it wrote", current=run.t - 1, wide=WIDTH_PX, tall=80)


def reading(run: RoleRun) -> str:
    if run.role == ENCODER:
        return (
            f"The encoder reads {bold_count(len(run.words), 'word')}. Only **{len(run.used)}** of its"
            f" {len(run.words)} states is used: the last one, whose **{run.states.shape[1]}** numbers"
            " must hold the whole sentence."
        )
    word, output, p = run.words[run.t - 1], run.outputs[run.t - 1], run.probabilities[run.t - 1]
    is_last = run.t == len(run.words)
    if run.role == LANGUAGE_MODEL:
        sentences = [
            f"All **{len(run.used)}** states are used, each to predict the next word.",
            f"At step **{run.t}** the model reads “**{word}**” and predicts “**{output}**” with P = {p:.2f}.",
            *([] if is_last else ["Then it reads the next word of your text."]),
        ]
    else:
        sentences = [
            f"The decoder starts from the encoder’s last state, and all **{len(run.used)}** states are used.",
            f"At step **{run.t}** it reads “**{word}**” and writes “**{output}**” with P = {p:.2f}.",
            "Then the decoder stops." if is_last else "This word is its next input.",
        ]
    return " ".join(sentences)


def three(run: RoleRun) -> Table:
    """A table of the same text in all three roles."""
    return Table(
        ("job", "its inputs are", "states that are used", "its outputs"),
        tuple(summary_row(job) for job in run.jobs),
        marked=frozenset({[job.role for job in run.jobs].index(run.role)}),
        key="job",
        wide=ACT_WIDTH_PX,
        title="The same cell, three jobs",
    )


def summary_row(job: Job) -> tuple[str, ...]:
    used = f"{job.used} of {len(job.reads)}" if job.reads else "this model does not know these words"
    return job.role, INPUTS[job.role], used, " ".join(job.writes) or "none"
