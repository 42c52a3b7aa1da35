"""How both models settle on a sense as the sentence grows."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.phrases import word_at
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.bank.compute import Sense
from lessons.qkv.sense_models import LEFT_TO_RIGHT, MIN_DECIDED, TWO_SIDED
from lessons.qkv.sense_pictures import draw_heads, write_senses

ROLES = {LEFT_TO_RIGHT: "source", TWO_SIDED: "target"}


def both_sides(run: Sense) -> Tokens:
    title = f"Sense that each model sees. Red: {run.senses[0]}, blue: {run.senses[1]}"
    return draw_sense_by_word(run, TWO_SIDED, title)


def left_to_right(run: Sense) -> Tokens:
    return draw_sense_by_word(run, LEFT_TO_RIGHT, "Read from left to right")


def draw_sense_by_word(run: Sense, model: str, title: str) -> Tokens:
    """Show under each word read so far which sense the ambiguous word has at that point."""
    probabilities, last = run.unfolding[run.readers.index(model)], run.position + run.t
    lean = np.concatenate([np.zeros(run.position), probabilities[:, 0] - probabilities[:, 1]])
    lean[last + 1 :] = 0  # not read yet
    notes = tuple(
        f"after “{word}”: {write_senses(run.senses, probabilities[n - run.position])}"
        if run.position <= n <= last
        else word
        for n, word in enumerate(run.words)
    )
    lines = (TokenLine(f"“{run.word}” is", run.words, lean, notes),)
    return Tokens(lines, current=last, wide=900, title=title)


def reading(run: Sense) -> str:
    left, both = run.now
    sense = int(both.argmax())
    name, other = run.senses[sense], run.senses[1 - sense]
    last_word = word_at(run.words, run.position + run.t)
    when = f"After reading up to {last_word}" if run.t else f"At {last_word} itself"
    side = "left" if run.is_cue_before else "right"
    left_accuracy, both_accuracy = (f"**{percent(accuracy)}**" for accuracy in run.overall[side])
    if both[sense] > MIN_DECIDED:
        first = (
            f"{when}, the bidirectional model gives the sense **{name}** of “{run.word}” a probability of"
            f" **{both[sense]:.3f}**."
        )
    else:
        first = (
            f"{when}, the bidirectional model is undecided: it gives **{both[sense]:.3f}** to {name} and"
            f" {both[1 - sense]:.3f} to {other}."
        )
    if run.is_cue_before:
        second = (
            f"The left-to-right model gives {name} **{left[sense]:.3f}**, because the disambiguating word"
            f" comes before “{run.word}”."
        )
    else:
        second = (
            f"The left-to-right model stays at **{left[sense]:.3f}** for {name}, because the mask hides all"
            f" words after “{run.word}”."
        )
    third = (
        f"In {run.counts[side]} test sentences the disambiguating word comes"
        f" {'before' if run.is_cue_before else 'after'} the ambiguous one: there the bidirectional model is"
        f" right in {both_accuracy} and the left-to-right model in {left_accuracy} of the cases."
    )
    return " ".join((first, second, third))


def senses(run: Sense) -> Bars:
    return Bars(
        run.now[1],
        run.senses,
        compare=run.now[0],
        compare_names=(run.readers[1], run.readers[0]),
        digits=3,
        wide=600,
        title=f"Probability of each sense of “{run.word}” so far",
    )


def curve(run: Sense) -> Curves:
    words_after = np.arange(run.unfolding.shape[1])
    lines = tuple(
        Line(model, words_after, probabilities[:, 0], ROLES[model], points=True)
        for model, probabilities in zip(run.readers, run.unfolding, strict=True)
    )
    return Curves(
        lines,
        x_title=f"words read after “{run.word}”",
        y_title=f"P({run.senses[0]})",
        x_range=(0, max(1, len(words_after) - 1)),
        y_range=(0, 1),
        rules=((0.5, "chance"),),
        current=run.t,
        title="Probability of the first sense while the sentence grows",
    )


def ask_weights(run: Sense) -> str:
    return f"Which words does “{run.word}” attend to?"


def gaze(run: Sense) -> Heatmap:
    words = run.words[: run.position + run.t + 1]
    return draw_heads(run.weights, run.rows, words, run.position, f"“{run.word}”")
