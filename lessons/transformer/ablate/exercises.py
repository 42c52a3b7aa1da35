"""Guess and exercises for experiment `ablate`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import QUESTION
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.transformer.ablate.compute import AblationRun, ablate
from lessons.transformer.translator import HEADS, LAYERS

NOTHING, OTHER_WORDS, OTHER_ORDER = "nothing changes", "other words are written", "words change place"


def run_without_positions() -> AblationRun:
    return ablate(QUESTION, "encoder positions", "encoder self", "1", "1", 1)


def compare_translations() -> str:
    run = run_without_positions()
    return (
        f"With positions the model writes “{' '.join(run.plain[:-1])}”, without them"
        f" “{' '.join(run.yours[:-1])}”: the encoder cannot know the order of the words."
    )


def effect_without_positions() -> str:
    run = run_without_positions()
    if run.plain == run.yours:
        return NOTHING
    return OTHER_ORDER if sorted(run.plain) == sorted(run.yours) else OTHER_WORDS


no_positions = guess(
    "no-positions",
    "At the start the encoder has no positions: it sees a bag of words. What happens to the translation?",
    {
        NOTHING: lambda: f"Then order would not matter. {compare_translations()}",
        OTHER_WORDS: lambda: f"Compare the two outputs word by word. {compare_translations()}",
        OTHER_ORDER: lambda: f"Compare the two outputs. {compare_translations()}",
    },
    effect_without_positions,
    "Shuffle the English words. Which parts of the meaning can you still put together?",
    covers=("translations", "word_by_word"),
)

SWITCH_OFF_ONE_HEAD = Verdict(False, "Switch off one head and nothing else.")


def check_broken_translation(_: None, state: State) -> Verdict:
    run = ablate(**state)
    if run.part != "one head":
        return SWITCH_OFF_ONE_HEAD
    if run.plain == run.yours:
        return Verdict(
            False, "The translation is still the same. Try a question or a negation, and another head."
        )
    return Verdict(True, f"Yes: without this head the model writes “{' '.join(run.yours[:-1])}”.")


def check_spared_head(_: None, state: State) -> Verdict:
    run = ablate(**state)
    if run.part != "one head":
        return SWITCH_OFF_ONE_HEAD
    if len(run.source) < 6:
        return Verdict(False, "Take a sentence of at least six words.")
    if run.plain != run.yours:
        return Verdict(False, "The translation changed. Most sentences do not need most heads: try another.")
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
        "In “Without …”, find a head that a sentence of six or more words does not need: the translation is"
        " the same without it.",
        check_spared_head,
        "Choose “one head” and one of the suggested sentences.",
        experiment="ablate",
    ),
    number(
        "needed-heads",
        f"“{QUESTION}” How many of the 8 heads of cross-attention does this translation need? Switch each off"
        " alone, with zero.",
        count_needed_heads,
        "Choose “one head” and “cross”, then go through the heads of both layers.",
        "The model needs a head here if its translation changes without it.",
        WHOLE_NUMBER,
        "ablate",
    ),
)
