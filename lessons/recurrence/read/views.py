"""The text coloured by a unit, the next words, the surprisal, and all units."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import compact
from lessons.kit.pictures.phrases import bold_word, word_at
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.recurrence.read.compute import StoryReading
from lessons.recurrence.story_models import MEASURED_STORIES
from lessons.recurrence.unit_pictures import WIDTH_PX, draw_next_words, draw_unit_map, full_scale

WEAK_CORRELATION = 0.2  # a weaker correlation explains less than 4% of the variance


def layer_names(run: StoryReading) -> tuple[str, ...]:
    return ("lower ", "upper ") if len(run.h) == 2 else ("",)


def text_coloured(run: StoryReading) -> Tokens:
    lines = tuple(
        TokenLine(f"{layer}unit {unit}", run.words, memory)
        for layer, unit, memory in zip(layer_names(run), run.units, run.memory, strict=True)
    )
    memory = "the cell state of one unit" if run.cell == "LSTM" else "one unit"
    return Tokens(
        lines,
        top=full_scale(run.memory),
        current=run.t - 1,
        wide=WIDTH_PX,
        tall=240,
        title=f"The text, coloured by {memory}: red above zero, blue below",
    )


def reading(run: StoryReading) -> str:
    sentences = [
        describe_correlations(run),
        f"After {word_at(run.words, run.t - 1)} the model expects {bold_word(run.next_words[0])} with"
        f" probability **{compact(run.probabilities[0])}**.",
    ]
    if run.true_next == run.next_words[0]:
        sentences.append("The text continues with this word.")
    elif run.true_next is not None:
        sentences.append(
            f"The text continues with {bold_word(run.true_next)}, to which the model gave a probability of"
            f" **{compact(run.true_probability)}**."
        )
    return " ".join(sentences)


def describe_correlations(run: StoryReading) -> str:
    strengths = np.abs(run.correlations)
    memory = "the cell state of " if run.cell == "LSTM" else ""
    units = " and ".join(
        f"**{strength:.2f}** for {memory}{layer}unit **{unit}**"
        for layer, unit, strength in zip(layer_names(run), run.units, strengths, strict=True)
    )
    weak = ", which is very weak" if max(strengths) < WEAK_CORRELATION else ""
    return f"In {MEASURED_STORIES} other stories, the |correlation| with **{run.feature}** is {units}{weak}."


def units(run: StoryReading) -> Heatmap:
    title = "Every unit at every word" if len(run.h) == 1 else "Lower layer: every unit at every word"
    return draw_unit_map(run.h[0], run.words, run.units[0], run.t, title)


def upper_units(run: StoryReading) -> Heatmap | str:
    if len(run.h) == 1:
        return ""
    return draw_unit_map(run.h[1], run.words, run.units[1], run.t, "Upper layer: every unit at every word")


def next_words(run: StoryReading) -> Bars:
    return draw_next_words(run.next_words, run.probabilities, run.words[run.t - 1], run.true_next)


def follows(run: StoryReading) -> Bars:
    """For each feature, the unit that correlates with it best."""
    arrows = ("", "") if len(run.h) == 1 else (" ↓", " ↑")
    return Bars(
        np.abs([follower.correlation for follower in run.followers]),
        tuple(f"{each.feature} → {each.unit}{arrows[each.layer - 1]}" for each in run.followers),
        role="context",
        keys=tuple(f"unit:{follower.unit - 1}" for follower in run.followers),
        wide=520,
        title="|correlation| of the best unit" + (" (↓ lower, ↑ upper layer)" if len(run.h) == 2 else ""),
    )


def surprise(run: StoryReading) -> Tokens:
    """The surprisal of every word but <bos>, which is given."""
    words = run.words[1:]
    notes = tuple(f"{word}: {bits:.1f} bits" for word, bits in zip(words, run.surprise, strict=True))
    return Tokens(
        (TokenLine("surprise", words, run.surprise, notes),),
        role="target",
        top=12,
        first=2,
        current=run.t - 2 if run.t > 1 else None,
        title="How surprising was each word? (bits: −log₂ P)",
    )
