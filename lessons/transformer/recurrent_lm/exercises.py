"""Guess and exercises for experiment `recurrent_lm`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import plural
from lessons.kit.pictures.tokens import quote
from lessons.transformer.recurrent_lm.compute import (
    ATTENTIVE,
    KEEP,
    MEASURED_MODELS,
    PLAIN,
    LookBack,
    compare_seeds,
    compute,
    read_measured,
)
from lessons.transformer.recurrent_lm.stories import NAME
from models.tasks.story_recall import DISTANCES

ON_NAME, ON_LATER = "the name itself", "a later word"
SPREAD = "none clearly; the weights are about the same everywhere"
NAME_DISTANCE = len(NAME.split()) - NAME.split().index("leo")
LARGE_WEIGHT = 0.5  # the largest weight counts as a choice from here on
MIN_GAIN = 0.1  # rise of P that the challenge asks for
ASKED_DISTANCE = 40
ONLY_NAMES, ONLY_THINGS = "for names, not for things", "for things, not for names"
BOTH, NEITHER = "for both", "for neither; the difference between seeds is larger"


def own_run() -> LookBack:
    return compute(NAME, 0, KEEP, 0)


def largest_weight() -> str:
    run = own_run()
    if run.strongest is None or run.own_row[run.strongest] < LARGE_WEIGHT:
        return SPREAD
    return ON_NAME if run.strongest == run.cue else ON_LATER


def describe_largest() -> str:
    run = own_run()
    if run.strongest is None or run.cue is None:
        return ""
    weight, word = run.own_row[run.strongest], run.words[run.strongest]
    distance = plural(run.strongest - run.cue, "word")
    return f"The largest weight, {weight:.2f}, is on the state after {quote(word)}, {distance} after “leo”."


where_it_looks = guess(
    "where-it-looks",
    "After “poor” the name of the hero should follow: “leo”, which was mentioned"
    f" {NAME_DISTANCE} words before. To which word does the GRU with attention give its largest weight?",
    {
        ON_NAME: lambda: f"{describe_largest()} Put all weight on “leo” and compare.",
        ON_LATER: lambda: (
            f"{describe_largest()} Each state is a summary of the whole text up to its word, so it can still"
            " know the name."
        ),
        SPREAD: lambda: f"{describe_largest()} Make the weights uniform and compare.",
    },
    largest_weight,
    "Attention sees states, not words. Which states can know the name?",
    covers=("story", "states", "told_states", "looked_at", "told_looks"),
)


def check_better_weights(_: None, state: State) -> Verdict:
    run = compute(**state)
    before, after = run.chance
    if run.do == KEEP:
        return Verdict(False, "The weights are still the model’s. Choose a word, then move all weight to it.")
    if after < before + MIN_GAIN:
        return Verdict(
            False,
            f"Not yet: P of {quote(run.due)} was {before:.2f} and is {after:.2f}. It should rise by at least"
            f" {MIN_GAIN}. Open “Which states still know the word?”.",
        )
    return Verdict(
        True,
        f"Yes: P of {quote(run.due)} rises from {before:.2f} to {after:.2f}. The state after"
        f" {quote(run.words[run.chosen])} knew more than the one that the model looked at.",
    )


def is_clear(kind: str) -> bool:
    """Whether every seed with attention is above every seed without, at the asked distance."""
    return bool(compare_seeds(kind)[DISTANCES.index(ASKED_DISTANCE)])


def where_attention_helps() -> str:
    name, thing = is_clear("name"), is_clear("object")
    return (BOTH if thing else ONLY_NAMES) if name else ONLY_THINGS if thing else NEITHER


def describe_seeds() -> str:
    sentences = []
    for kind, noun in (("name", "a name"), ("object", "a thing")):
        for model in (PLAIN, ATTENTIVE):
            P = read_measured(MEASURED_MODELS[model], kind).probabilities[:, DISTANCES.index(ASKED_DISTANCE)]
            sentences.append(f"P of {noun} is between {P.min():.2f} and {P.max():.2f} for the {model}.")
    return " ".join(sentences)


help_of_attention = guess(
    "help-of-attention",
    f"Three GRUs with attention and three without differ in their seed. A word was mentioned {ASKED_DISTANCE}"
    " words before. For which words is every GRU with attention better than every one without?",
    {
        ONLY_NAMES: describe_seeds,
        ONLY_THINGS: describe_seeds,
        BOTH: describe_seeds,
        NEITHER: describe_seeds,
    },
    where_attention_helps,
    "In “A GRU that looks back”, open “What if the word was mentioned long ago?” for a name and for a thing."
    " Do the bands overlap?",
)

EXERCISES = (
    help_of_attention,
    Exercise(
        "better-weights",
        "In “A GRU that looks back”, change the weights so that P of the right word rises by at least"
        f" {MIN_GAIN}.",
        check_better_weights,
        "Which states still know the word? The closer look shows it for every word of the text.",
        experiment="recurrent_lm",
    ),
)
