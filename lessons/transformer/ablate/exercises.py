"""Guess and exercises for experiment `ablate`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import QUESTION
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.transformer.ablate.compute import AblationRun, ablate
from lessons.transformer.translator import HEADS, LAYERS

NOTHING, OTHER_WORDS, OTHER_ORDER = (
    "it stays the same",
    "it contains other words",
    "its words change places",
)


def run_without_positions() -> AblationRun:
    return ablate(QUESTION, "encoder positions", "encoder self", "1", "1", 1)


def compare_translations() -> str:
    run = run_without_positions()
    return (
        f"With positions the model writes “{' '.join(run.plain[:-1])}”. Without them it writes"
        f" “{' '.join(run.yours[:-1])}”, because the encoder cannot know the order of the words."
    )


def effect_without_positions() -> str:
    run = run_without_positions()
    if run.plain == run.yours:
        return NOTHING
    return OTHER_ORDER if sorted(run.plain) == sorted(run.yours) else OTHER_WORDS


no_positions = guess(
    "no-positions",
    "We switch off the positions in the encoder, so it sees a bag of words. What happens to the translation?",
    {
        NOTHING: lambda: f"Then the order of words would not matter. {compare_translations()}",
        OTHER_WORDS: lambda: f"Look at the outlined words in both outputs. {compare_translations()}",
        OTHER_ORDER: lambda: f"Look at both outputs. {compare_translations()}",
    },
    effect_without_positions,
    "Shuffle the English words on paper. Which part of the meaning can you still understand?",
    covers=("translations", "word_by_word"),
)

SWITCH_OFF_ONE_HEAD = Verdict(False, "Not yet: switch off one head and nothing else.")


def check_broken_translation(_: None, state: State) -> Verdict:
    run = ablate(**state)
    if run.part != "one head":
        return SWITCH_OFF_ONE_HEAD
    if run.plain == run.yours:
        return Verdict(
            False, "Not yet: the translation is the same. Try another head, with a question or a negation."
        )
    return Verdict(True, f"Yes: without this head the model writes “{' '.join(run.yours[:-1])}”.")


def check_spared_head(_: None, state: State) -> Verdict:
    run = ablate(**state)
    if run.part != "one head":
        return SWITCH_OFF_ONE_HEAD
    if len(run.source) < 6:
        return Verdict(False, "Not yet: choose a sentence of at least six words.")
    if run.plain != run.yours:
        return Verdict(
            False,
            "Not yet: without this head the translation changes. Most heads are not needed, so try another.",
        )
    before, after = (f"{probability:.2f}" for probability in run.probabilities)
    change = (
        f"even its probability stays at {before}"
        if before == after
        else f"only its probability changed, from {before} to {after}"
    )
    return Verdict(True, f"Yes: the translation is the same; {change}.")


def count_needed_heads() -> float:
    """Number of cross-attention heads without which the translation changes."""
    runs = [ablate(QUESTION, "one head", "cross", layer, head, 1) for layer in LAYERS for head in HEADS]
    return sum(run.plain != run.yours for run in runs)


EXERCISES = (
    Exercise(
        "break",
        "In “Without …”, break a translation by switching off a single head.",
        check_broken_translation,
        "Choose a suggested question or negation and switch off the heads of cross-attention one by one.",
        experiment="ablate",
    ),
    Exercise(
        "spare",
        "In “Without …”, use a sentence of six or more words and find a head that it does not need: without"
        " this head the translation is the same.",
        check_spared_head,
        "Choose “one head” and one of the suggested sentences. Which layers have you not tried yet?",
        experiment="ablate",
    ),
    number(
        "needed-heads",
        f"Translate “{QUESTION}” and switch off each of the 8 heads of cross-attention alone, with zero. For"
        " how many heads does the translation change?",
        count_needed_heads,
        "Choose “one head” and “cross”, then go through the heads of both layers.",
        "These are the heads that this translation needs.",
        WHOLE_NUMBER,
        "ablate",
    ),
)
