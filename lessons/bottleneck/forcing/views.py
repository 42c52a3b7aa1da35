"""The decoder with a forced word, its outputs, and how far the word's influence reaches."""

import numpy as np

from lessons.bottleneck.forcing.compute import INPUT_WORDS, Forced
from lessons.bottleneck.pictures import FULL_COLOR_VALUE, WIDTH_PX, explain_marks, reference_line, without_eos
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Chain, Unrolled

MAX_NAMED_STEPS = 17  # a longer chain leaves no space for its name


def unrolled(run: Forced) -> Unrolled:
    """The decoder with your word. Dashed arrows feed back its own words; the teacher's words enter below."""
    is_long = len(run.s) > MAX_NAMED_STEPS
    name = "" if is_long else "decoder writes"
    is_free = run.fed == INPUT_WORDS[0]
    chain = Chain(name, run.read, run.s, "target", run.outputs, run.s_0, fed_back=is_free)
    return Unrolled(
        (chain,),
        top=FULL_COLOR_VALUE,
        wide=WIDTH_PX,
        tall=150 if is_long else 240,
        title=f"The decoder: each step reads {run.fed}",
    )


def side_by_side(run: Forced) -> Tokens:
    outputs = (("free running", run.free[1]), ("taught", run.guesses[1]))
    lines = [
        TokenLine(name, without_eos(words), changed=frozenset(changed), right=right)
        for (name, words), changed, right in zip(outputs, run.changed, run.right, strict=True)
    ]
    return Tokens(
        (reference_line(run.truth, run.teacher), *lines),
        current=run.t - 1,
        wide=WIDTH_PX,
        tall=130,
        title=f"“free running” reads its own words, “taught” the teacher’s words; {explain_marks(run.truth)}",
    )


def reading(run: Forced) -> str:
    own_word = run.free[0][run.t - 1]
    if not run.wrong:
        return (
            f"No word is forced: at step **{run.t}** the decoder writes its own word, “**{own_word}**”. Type"
            " another word for this step."
        )
    if run.wrong == own_word:
        return (
            f"At step **{run.t}** you force “**{run.wrong}**”, but the decoder would write this word anyway."
            " Force another word."
        )
    sentences = [
        f"At step **{run.t}** you force “**{run.wrong}**” instead of “**{own_word}**”.",
        describe_free_running(run),
        f"If the decoder reads the teacher’s words, it changes"
        f" {bold_count(max(run.later_changes[1]), 'later word')}, because step {run.t + 1} reads"
        f" “**{run.teacher[run.t - 1]}**” in both cases.",
        *describe_marks(run),
    ]
    return " ".join(sentences)


def describe_free_running(run: Forced) -> str:
    changes = run.later_changes[0]
    moved = f"{bold_count(changes.moved, 'word')} only {'changes' if changes.moved == 1 else 'change'} place"
    return (
        f"If the decoder reads its own words, it loses {bold_count(changes.lost, 'later word')} of its"
        f" original output and adds"
        f" {bold_count(changes.new, 'new word')}{f'; {moved}' if changes.moved else ''}."
    )


def describe_marks(run: Forced) -> list[str]:
    """Explain the marks where they differ from the words that changed because of your word."""
    marked = tuple(sum(position >= run.t for position in positions) for positions in run.changed)
    if marked == tuple(changes.new for changes in run.later_changes):
        return []
    regardless = f" with or without “{run.wrong}”" if marked[1] else ""
    return [
        f"Marks show words that differ from the {'correct translation' if run.truth else 'teacher’s words'}."
        f" After step {run.t} there are **{marked[0]}** in “free running” and **{marked[1]}** in"
        f" “taught”{regardless}."
    ]


def wake(run: Forced) -> Curves:
    steps = np.arange(1, len(run.total_variation) + 1)
    return Curves(
        (Line("moved", steps, run.total_variation, "target", points=True),),
        x_title="step",
        y_title="total variation distance",
        x_range=(1, max(2, len(steps))),
        y_range=(0, 1),
        current=run.t,
        key="step",
        title=f"How far each prediction moved, reading {run.fed}",
    )


def next_words(run: Forced) -> Bars:
    original, forced = run.next_probabilities
    return Bars(
        forced,
        run.next_words,
        role="weight",
        keys=tuple(f"word:{word}" for word in run.next_words),
        compare=original,
        label_role="target",
        title=f"Step {run.t + 1}, right after your word",
    )
