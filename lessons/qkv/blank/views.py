"""What each model predicts for the blank, which sense it assigns, and how often it is right."""

from statistics import mean

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent, plural
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.blank.compute import Filled
from lessons.qkv.sense_models import CHECKPOINTS, LEFT_TO_RIGHT, MIN_DECIDED, TWO_SIDED
from lessons.qkv.sense_pictures import draw_heads, write_senses

LEFT, BOTH = (list(CHECKPOINTS).index(model) for model in (LEFT_TO_RIGHT, TWO_SIDED))
CUE_PLACES = {
    "left": "left of the blank",
    "right": "right of the blank",
    "both": "on both sides",
    "nowhere": "nowhere",
}


def filled(run: Filled) -> Tokens:
    """The sentence with each model's prediction in the blank. Words that the model cannot see are hatched."""
    title = f"Most probable word. Red: {run.senses[0]}, blue: {run.senses[1]}, hatched: hidden from the blank"
    return Tokens((fill_line(run, BOTH), fill_line(run, LEFT)), wide=900, title=title)


def fill_line(run: Filled, model: int) -> TokenLine:
    words, lean, notes = list(run.words), np.zeros(len(run.words)), list(run.words)
    words[run.place] = write_fill(run, model)
    lean[run.position] = np.subtract(*run.sense[model])
    lean[run.place] = np.subtract(*run.sense_totals[model])
    notes[run.position] = f"“{run.word}”: {write_senses(run.senses, run.sense[model])}"
    notes[run.place] = f"words of {write_senses(run.senses, run.sense_totals[model])}"
    if model == LEFT:
        lean[run.place + 1 :] = np.nan
        notes[run.place + 1 :] = [f"{word}: not seen from the blank" for word in run.words[run.place + 1 :]]
    return TokenLine(run.readers[model], tuple(words), lean, tuple(notes), frozenset({run.place}))


def write_fill(run: Filled, model: int) -> str:
    """The text in the blank: a word of the decided sense, one per sense, or the likeliest word with “?”."""
    sense = run.decided_sense(model)
    if sense is not None:
        return run.best_words[model][sense][0]
    if run.other_words[model] > 0.5:
        return f"{run.likeliest[model][0]} ?"
    return " or ".join(word for word, _ in sorted(run.best_words[model], key=lambda pair: -pair[1]))


def words(run: Filled) -> Bars:
    both, left = (np.append(run.chances[model], run.not_shown[model]) for model in (BOTH, LEFT))
    ends = np.cumsum(run.groups)[:-1].tolist()  # numbers of bars before each line
    return Bars(
        both,
        (*run.fitting, "any other"),
        compare=left,
        compare_names=(TWO_SIDED, LEFT_TO_RIGHT),
        cut=tuple(sorted({end for end in ends if 0 < end < len(run.fitting)})),
        wide=440,
        tall=250,
        title=f"Which word fits? {describe_groups(run)}",
    )


def describe_groups(run: Filled) -> str:
    """Which bars belong to which sense."""
    names = (*(f"for {sense}" for sense in run.senses), "for either sense")
    shown = [name for name, count in zip(names, run.groups, strict=True) if count]
    return f"First words {', then '.join(shown)}" if len(shown) > 1 else f"Words {shown[0]}"


def senses(run: Filled) -> Bars:
    both, left = (np.concatenate([run.sense[model], run.sense_totals[model]]) for model in (BOTH, LEFT))
    return Bars(
        both,
        (*run.senses, *(f"blank: {sense}" for sense in run.senses)),
        compare=left,
        compare_names=(TWO_SIDED, LEFT_TO_RIGHT),
        cut=2,
        wide=440,
        title=f"Sense of “{run.word}” (above the line) and of the blank (below)",
    )


def reading(run: Filled) -> str:
    return (
        f"The bidirectional model {describe_fill(run, BOTH)}. The left-to-right model"
        f" {describe_fill(run, LEFT)}. {compare_models(run)}"
    )


def describe_fill(run: Filled, model: int) -> str:
    """Describe what this model predicts for the blank."""
    sense = run.decided_sense(model)
    if sense is not None:
        word, p = run.best_words[model][sense]
        return (
            f"fills in “**{word}**” ({p:.2f}); all words for the sense “{run.senses[sense]}” together have"
            f" **{run.sense_totals[model, sense]:.2f}**"
        )
    if run.other_words[model] > 0.5:
        word, p = run.likeliest[model]
        return f"prefers words that tell neither sense, above all “{word}” (**{p:.2f}**)"
    (first, p), (second, q) = run.best_words[model]
    return f"is undecided between “{first}” (**{p:.2f}**) and “{second}” (**{q:.2f}**)"


def compare_models(run: Filled) -> str:
    """Describe which model is sure of a sense, and which words reveal it."""
    both, left = run.decided_sense(BOTH), run.decided_sense(LEFT)
    has_words_after = any(word != "." for word in run.words[run.place + 1 :])
    if both is None and left is None and run.other_words[BOTH] > 0.5 and run.sense[BOTH].max() > MIN_DECIDED:
        sense = int(run.sense[BOTH].argmax())
        return (
            f"The word in the blank does not decide the sense: at “{run.word}” the bidirectional model gives"
            f" “{run.senses[sense]}” **{run.sense[BOTH, sense]:.2f}**."
        )
    if both is None and left is None:
        return "Neither model is sure of a sense at the blank."
    if both is None:
        reason = ", because it does not see the words right of the blank" if has_words_after else ""
        return f"Only the left-to-right model is sure of a sense{reason}."
    if left is None:
        reason = (
            ", because only this model sees the disambiguating word right of the blank"
            if has_words_after
            else ""
        )
        return f"Only the bidirectional model is sure of a sense{reason}."
    if left != both:
        reason = (
            ", because only the bidirectional model sees the words right of the blank"
            if has_words_after
            else ""
        )
        return f"The models disagree about the sense{reason}."
    at_word = run.sense[LEFT, both]
    if run.position < run.place and at_word < 0.7:
        return (
            f"The disambiguating word comes between “{run.word}” and the blank. So at “{run.word}” the"
            f" left-to-right model gives “{run.senses[both]}” only **{at_word:.2f}**."
        )
    return "Both models see the disambiguating word, because it stands left of the blank."


def gaze(run: Filled) -> Heatmap:
    return draw_heads(run.weights, run.rows, run.words, run.place, "the blank")


def known(run: Filled) -> Table:
    rows = tuple(
        (
            f"{CUE_PLACES[side]}, {model}",
            Runs(figures.fits, 0, 1),
            Runs(figures.first, 0, 1),
            Runs(figures.perplexity, 0, 50),
            f"{run.ideal[side]:.2f}",
        )
        for side, by_model in run.measured.items()
        for model, figures in by_model.items()
    )
    seeds = len(run.measured["left"][LEFT_TO_RIGHT].fits)
    headings = (
        "disambiguating word, model",
        "right sense likelier",
        "likeliest is the word left out",
        "perplexity",
        "perplexity, ideal",
    )
    title = f"{run.count} test sentences of each kind, {plural(seeds, 'seed')}"
    return Table(headings, rows, key="kind", wide=900, title=title)


def counted(run: Filled) -> str:
    def accuracies(side: str) -> tuple[str, ...]:
        means = (mean(run.measured[side][model].fits) for model in (TWO_SIDED, LEFT_TO_RIGHT))
        return tuple(f"**{percent(value)}**" for value in means)

    (right_both, right_left), (left_both, left_left) = accuracies("right"), accuracies("left")
    return (
        "With the disambiguating word right of the blank, the bidirectional model prefers the right sense in"
        f" {right_both} of the blanks and the left-to-right model in {right_left}. With the word left of the"
        f" blank, it is {left_both} and {left_left}."
    )
