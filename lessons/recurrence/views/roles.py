"""One recurrence, three uses."""

from typing import Any

from lessons.kit.pictures.numbers import counted
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Chain, Unrolled
from lessons.recurrence.compute.jobs import Job, Role

TITLES = {
    "encoder": "An encoder reads; states that nobody looks at are faint",
    "language model": "A language model reads, and guesses each next word",
    "decoder": "A decoder writes",
}


def unrolled(run: Role) -> Unrolled:
    """A decoder stands on its encoder: the context between them is all it knows of the source."""
    role = "target" if run.role == "decoder" else "source"
    how: dict[str, Any] = {"start": run.start, "used": frozenset(run.used), "fed_back": run.fed_back}
    chain = Chain(run.role, run.words, run.states, role, outputs=run.outputs or None, **how)
    look: dict[str, Any] = {
        "current": run.t - 1,
        "title": TITLES[run.role],
        "top": 0.5,
        "wide": 920,
        "tall": 380,
    }
    if run.source_states is None:
        return Unrolled((chain,), **look)
    last = frozenset({len(run.source) - 1})
    below = Chain("encoder", run.source, run.source_states, used=last, key="source", first=0)
    return Unrolled((below, chain), context=run.context, **look)


def written(run: Role) -> Tokens | str:
    """What a decoder wrote, beside what is right."""
    if run.role != "decoder":
        return ""
    lines = [TokenLine("it writes", run.outputs, right=run.right)]
    if run.truth is not None:
        lines.append(TokenLine("right", run.truth, quiet=True))
    return Tokens(tuple(lines), title="The sentence it wrote", current=run.t - 1, wide=920, tall=80)


def reading(run: Role) -> str:
    T = len(run.words)
    if run.role == "encoder":
        return (
            f"The encoder reads {counted(T, 'word')}, and **{len(run.used)}** of its {T} states is used: the"
            f" last one, **{run.states.shape[1]}** numbers that must hold the whole sentence."
        )
    word, said, share = run.words[run.t - 1], run.outputs[run.t - 1], run.probabilities[run.t - 1]
    now = f"At step **{run.t}** it has read “**{word}**” and says “**{said}**” ({share:.2f})"
    if run.role == "language model":
        then = "; then it reads your next word" if run.t < T else ""
        return f"All **{len(run.used)}** states are used, each to predict what follows. {now}{then}."
    then = "; that is what it reads next" if run.t < T else ", and stops"
    return (
        f"It starts from the encoder’s last state, and all **{len(run.used)}** states are used. {now}{then}."
    )


SOURCES = {"encoder": "your text", "language model": "your text", "decoder": "what it has just written"}


def three(run: Role) -> Table:
    """The same text in all three jobs."""
    now = frozenset({[job.role for job in run.jobs].index(run.role)})
    headings = ("job", "its inputs are", "states that are used", "its outputs")
    rows = tuple(summary(job) for job in run.jobs)
    return Table(headings, rows, marked=now, key="job", title="The same cell, three jobs", wide=860)


def summary(job: Job) -> tuple[str, ...]:
    used = f"{job.used} of {len(job.reads)}" if job.reads else "it does not know these words"
    return job.role, SOURCES[job.role], used, " ".join(job.writes) or "none"
