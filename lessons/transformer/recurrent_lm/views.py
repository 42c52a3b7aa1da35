"""Where the recurrent model looks, P of the right word by distance, and which states still know it."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import format_rate, plural, seed_count
from lessons.kit.pictures.phrases import bold_word, join_with_and, word_at
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens, quote
from lessons.transformer.recurrent_lm.compute import (
    ATTENTIVE,
    EVEN,
    KEEP,
    MODELS,
    ONLY,
    PLAIN,
    SHORT_TRANSFORMER,
    TRANSFORMER,
    UNIFORM,
    LookBack,
    Measured,
)
from lessons.transformer.recurrent_lm.stories import GAPS

WIDTH_PX, HALF_WIDTH_PX = 920, 450
ROLES = {
    PLAIN: "quiet",
    ATTENTIVE: "weight",
    TRANSFORMER: "source",
    UNIFORM: "context",
    SHORT_TRANSFORMER: "source",
}
SHORT_NAMES = {PLAIN: "GRU", ATTENTIVE: "GRU, attention", TRANSFORMER: "Transformer"}  # beside their lines
KIND_NAMES = {
    "name": "name",
    "pronoun": "pronoun (she or he)",
    "colour": "colour",
    "object": "thing",
    "mark": "closing mark",
}


def story(run: LookBack) -> Tokens:
    notes = [f"{word}: {weight:.2f}" for word, weight in zip(run.words, run.row, strict=True)]
    notes[-1] = describe_query(run)
    for i in range(*run.inserted):
        notes[i] += " (inserted)"
    mention = frozenset() if run.cue is None else frozenset({run.cue})
    return Tokens(
        (TokenLine("reads", run.words, run.row, tuple(notes), changed=mention),),
        role="weight",
        pick="word",
        current=run.chosen,
        wide=WIDTH_PX,
        tall=165,
        title=f"Weights on the states after each word when {quote(run.due)} should come next. Click a word",
    )


def describe_query(run: LookBack) -> str:
    return f"{run.words[-1]}: its state is the query"


def by_gap(run: LookBack) -> Curves:
    """P of the right word in this text, with more and more words inserted."""
    cue, start, x_title = run.cue, 0, "inserted words"
    if cue is not None and cue < run.inserted[0]:  # then every inserted word makes the distance longer
        start, x_title = len(run.words) - cue - run.gap, f"words since {quote(run.words[cue])}"
    x = [start + gap for gap in GAPS]
    return Curves(
        tuple(Line(SHORT_NAMES[name], x, run.chances[name], ROLES[name], points=True) for name in MODELS),
        x_range=(x[0], x[-1]),
        y_range=(0, 1),
        x_title=x_title,
        y_title="P",
        current=start + run.gap,
        wide=HALF_WIDTH_PX,
        tall=225,
        title=f"P of {quote(run.due)} as the distance grows",
    )


def next_words(run: LookBack) -> Bars:
    (original, edited), words = run.next_probabilities, run.next_words
    return Bars(
        edited,
        words,
        role="target",
        keys=tuple(f"word:{word}" for word in words),
        compare=original,
        compare_names=("edited", "original"),
        wide=HALF_WIDTH_PX,
        tall=150,
        title=f"The next word: {ATTENTIVE}",
    )


def reading(run: LookBack) -> str:
    return " ".join([describe_models(run), describe_look(run), describe_change(run)])


def describe_models(run: LookBack) -> str:
    at = GAPS.index(run.gap)
    figures = join_with_and([f"**{run.chances[name][at]:.2f}** for the {name}" for name in MODELS])
    known = "" if run.cue is not None else "No earlier word tells which word comes next. "
    return f"{known}P of {bold_word(run.due)} is {figures}."


def describe_look(run: LookBack) -> str:
    """Say which state has the largest weight, and whether it is the mention."""
    if run.strongest is None:
        return f"Before the first word lies **{run.on_start:.2f}** of the weight."
    weight, word = run.own_row[run.strongest], word_at(run.words, run.strongest)
    look = f"The largest weight, **{weight:.2f}**, is on the state after {word}"
    if run.cue is None:
        return f"{look}."
    if run.strongest == run.cue:
        return f"{look}, {plural(run.back or 0, 'word')} back."
    distance = run.strongest - run.cue
    side = f"{plural(abs(distance), 'word')} {'after' if distance > 0 else 'before'}"
    return f"{look}: not on {quote(run.words[run.cue])}, but {side} it."


def describe_change(run: LookBack) -> str:
    before, after = run.chance
    if run.do == KEEP:
        return "What if the weights are uniform?"
    condition = "With uniform weights"
    if run.do != EVEN:
        amount = "all" if run.do == ONLY else "no"
        condition = f"With {amount} weight on the state after {word_at(run.words, run.chosen)}"
    best = run.next_words[int(run.next_probabilities[1].argmax())]
    result = "this word is still the most probable" if best == run.due else f"it writes {bold_word(best)}"
    return f"{condition}, P of the {ATTENTIVE} {moved(before, after)}, and {result}."


def moved(before: float, after: float) -> str:
    """“stays at 0.98”, “falls from 0.98 to 0.09” or “rises from 0.67 to 0.69”, comparing rounded values."""
    if f"{before:.2f}" == f"{after:.2f}":
        return f"stays at **{after:.2f}**"
    return f"{'rises' if after > before else 'falls'} from {before:.2f} to **{after:.2f}**"


# ---- which states know the word ----


def states(run: LookBack) -> Tokens:
    earlier = zip(run.words[:-1], run.by_state[:-1], strict=True)
    notes = [f"all weight on {word}: P = {p:.2f}" for word, p in earlier]
    mention = frozenset() if run.cue is None else frozenset({run.cue})
    return Tokens(
        (TokenLine("P", run.words, run.by_state, (*notes, describe_query(run)), changed=mention),),
        role="target",
        pick="word",
        current=run.chosen,
        wide=WIDTH_PX,
        title=f"P of {quote(run.due)} if all weight were on the state after this word",
    )


def told_states(run: LookBack) -> str:
    P = run.by_state
    if len(P) < 2:
        return "There is no earlier word."
    best = int(np.nanargmax(P))
    sentences = [
        f"P would be highest, **{P[best]:.2f}**, with all weight on the state after"
        f" {word_at(run.words, best)}. With the model’s own weights it is **{run.chance[0]:.2f}**."
    ]
    if run.cue is not None and run.cue < len(P) - 2:
        later = P[run.cue + 1 : -1]
        known = int((later >= P[run.cue] / 2).sum())
        word = bold_word(run.words[run.cue])
        if best != run.cue:
            sentences.append(f"The state after {word} gives **{P[run.cue]:.2f}**.")
        sentences.append(
            f"Of the {plural(len(later), 'later state')}, **{known}** would give a P at least half as high as"
            f" the state after {word}."
        )
    return " ".join(sentences)


# ---- measured over many texts ----


def by_distance(run: LookBack) -> Curves:
    found = next(iter(run.measured.values()))
    return Curves(
        tuple(draw_measured(name, measured) for name, measured in run.measured.items()),
        x_range=(0, float(found.distances[-1])),
        y_range=(0, 1),
        x_title="words since the only mention",
        y_title="mean P of the right word",
        rules=((run.guessing, "by chance"),),
        wide=WIDTH_PX,
        tall=290,
        title=f"The right {KIND_NAMES[run.counted]}, among the words of its kind",
    )


def draw_measured(name: str, measured: Measured) -> Line:
    P = measured.probabilities
    band = {"low": P.min(0), "high": P.max(0)} if len(P) > 1 else {}
    return Line(name, measured.distances, P.mean(0), ROLES[name], points=True, **band)


def told_measured(run: LookBack) -> str:
    far = int(run.measured[PLAIN].distances[-1])
    last = {name: measured.probabilities[:, -1] for name, measured in run.measured.items()}
    plain, attentive, uniform = last[PLAIN], last[ATTENTIVE], last[UNIFORM]
    return (
        f"After {far} words mean P is **{plain.mean():.2f}** without attention ({seed_count(len(plain))})."
        f" With attention, mean P is **{attentive.mean():.2f}** ({seed_count(len(attentive))}, from"
        f" {attentive.min():.2f} to {attentive.max():.2f}). {compare_seeds(run)} With weights"
        f" that were uniform in training, P is **{uniform.mean():.2f}** ({seed_count(len(uniform))})."
    )


def compare_seeds(run: LookBack) -> str:
    """Say at how many distances all seeds with attention are above all seeds without."""
    above = run.clearly_above
    count = len(run.measured[PLAIN].distances)
    if above == count:
        return f"At all {count} distances every seed with attention is above every seed without it."
    if not above:
        return "At no distance are all seeds with attention above all seeds without it."
    return f"At **{above}** of {count} distances every seed with attention is above every seed without it."


def models(run: LookBack) -> Table:
    """How the models were trained: what makes the comparison fair, and what does not."""
    perplexities = [training.perplexity for training in run.training.values()]
    low, high = (end([end(values) for values in perplexities]) for end in (min, max))
    rows = tuple(
        (
            name,
            f"{training.steps:,}",
            format_rate(training.rate),
            f"{training.parameters:,}",
            str(len(training.perplexity)),
            Runs(training.perplexity, float(low) - 0.1, float(high) + 0.1),
        )
        for name, training in run.training.items()
    )
    return Table(
        ("model", "steps", "learning rate", "parameters", "seeds", "perplexity"),
        rows,
        key="model",
        wide=WIDTH_PX,
        title="How the models were trained",
    )


# ---- where it looks in many texts ----


def looked_at(run: LookBack) -> Bars:
    looks = run.looks
    return Bars(
        np.array([count for _, count in looks.at]),
        tuple(word for word, _ in looks.at),
        top=looks.texts,
        digits=0,
        wide=560,
        title=f"The state with the largest weight, in {looks.texts} texts",
    )


def told_looks(run: LookBack) -> str:
    looks, (word, count) = run.looks, run.looks.at[0]
    sentences = [
        f"In {looks.texts} texts the next word is a {KIND_NAMES[run.counted]}; the only word that tells"
        f" which one stands {looks.distance} words earlier. In **{looks.on_mention}** of these texts the"
        " largest weight is on the state after that word."
    ]
    if looks.on_mention < looks.texts / 2:
        sentences.append(f"Most often, in **{count}**, it is on the state after {bold_word(word)}.")
    return " ".join(sentences)
