"""One recurrence, three uses."""

from lessons.kit.pictures.unrolled import Chain, Unrolled
from lessons.recurrence.compute.jobs import Role


def unrolled(run: Role) -> Unrolled:
    """A decoder stands on its encoder: the context between them is all it knows of the source."""
    role = "target" if run.role == "decoder" else "source"
    how = {"start": run.start, "used": frozenset(run.used), "fed_back": run.fed_back}
    chain = Chain(run.role, run.words, run.states, role, outputs=run.outputs or None, **how)
    look = {"current": run.t - 1, "title": TITLES[run.role], "top": 0.5}
    if not run.source:
        return Unrolled((chain,), **look)
    last = frozenset({len(run.source) - 1})
    below = Chain("encoder", run.source, run.source_states, used=last, key="source", first=0)
    return Unrolled((below, chain), context=run.context, **look)


TITLES = {
    "encoder": "Only the last state is handed on",
    "language model": "Every state predicts the next word",
    "decoder": "Every output is the next input",
}


def reading(run: Role) -> str:
    T = len(run.words)
    if run.role == "encoder":
        return (
            f"The encoder reads **{T}** words, and **{len(run.used)}** of its {T} states is used: the last one, "
            f"**{run.states.shape[1]}** numbers that must hold the whole sentence."
        )
    word, said, share = run.words[run.t - 1], run.outputs[run.t - 1], run.probabilities[run.t - 1]
    now = f"At step **{run.t}** it has read “**{word}**” and says “**{said}**” ({share:.2f})"
    if run.role == "language model":
        return f"All **{len(run.used)}** states are used, each to predict what follows. {now}; then it reads your next word."
    return (
        f"It starts from the encoder’s last state, and all **{len(run.used)}** states are used. {now}; that is what it reads next."
    )
