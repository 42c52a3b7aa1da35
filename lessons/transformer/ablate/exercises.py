"""Guess and exercises for experiment `ablate`. All answers are computed."""

from functools import cache

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import AMBIGUOUS_BANK, AMBIGUOUS_LIGHT
from lessons.kit.exercises import Why, guess, one_of
from lessons.transformer.ablate.compute import AblationRun, ablate
from lessons.transformer.translator import ATTENTION_PATHS, HEADS, LAYERS

POSITION_EFFECTS: dict[str, Why] = {
    "nothing changes": (
        "Compare the two lines: they differ. In a bag of words the model must guess who did what."
    ),
    "words are lost": lambda: (
        f"The model writes “{' '.join(run_without_positions().yours)}”. The encoder cannot know the order of"
        " the words."
    ),
    "a few words change place": (
        "The words that are in both lines keep their order. The outlined words are in only one of the lines."
    ),
}


def run_without_positions() -> AblationRun:
    return ablate(AMBIGUOUS_BANK, "encoder positions", "encoder self", "1", "1", 1)


def effect_without_positions() -> str:
    run, (nothing, lost, moved) = run_without_positions(), POSITION_EFFECTS
    if run.plain == run.yours:
        return nothing
    return moved if sorted(run.plain) == sorted(run.yours) else lost


no_positions = guess(
    "no-positions",
    "At the start the encoder has no positions: it sees a bag of words. What happens to the translation?",
    POSITION_EFFECTS,
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


@cache
def attention_of_deciding_head() -> tuple[str, str]:
    """Attention and layer of the heads without which “light” is translated as “légères”; "" if not unique."""
    places = {
        (kind, layer)
        for kind in ATTENTION_PATHS
        for layer in LAYERS
        for head in HEADS
        if is_misled(ablate(AMBIGUOUS_LIGHT, "one head", kind, layer, head, 1))
    }
    return places.pop() if len(places) == 1 else ("", "")


def is_misled(run: AblationRun) -> bool:
    """Whether the translation of “light” changes from “lumineuses” (bright) to “légères” (not heavy)."""
    return "légères" in run.yours and "lumineuses" in run.plain


def check_deciding_head(answer: str, _: State) -> Verdict:
    kind, layer = attention_of_deciding_head()
    if answer == f"{kind}, layer {layer}":
        return Verdict(
            True, "Yes: without it the model translates “light” as if no house had been mentioned."
        )
    return Verdict(
        False,
        f"Not that one. In “{AMBIGUOUS_LIGHT}” switch off heads one by one until “lumineuses” becomes"
        " “légères”.",
    )


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
    Exercise(
        "light-head",
        f"In “{AMBIGUOUS_LIGHT}” one head decides whether the houses are “lumineuses” (bright) or “légères”"
        " (of little weight). Where is this head?",
        check_deciding_head,
        "Switch off heads one by one in that sentence. Which words must meet for “light” to be understood?",
        one_of(
            "The head is in",
            ("encoder self, layer 1", "encoder self, layer 2", "decoder self, layer 1", "cross, layer 2"),
        ),
        "ablate",
    ),
)
