"""The guess and the exercises of experiment `steer`, with computed answers."""

from functools import cache

import numpy as np

from lessons.attention.steer.compute import Steered, compute
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import REORDERING
from lessons.kit.exercises import guess
from lessons.kit.language import translate
from models.tasks.everyday.lexicon import lexicon
from models.tasks.translation.lexicon import ADJECTIVES

OUTCOMES = (
    "it stays the same",
    "it loses “économique” and nothing else",
    "it changes in many places",
)
UNIFORM_TOLERANCE = 0.01  # maximum difference between the weights of a uniform row
MIN_UNIFORM_STEPS = 3


def steer_to_european() -> Steered:
    row = tuple(float(word == "european") for word in REORDERING.split())
    return compute(REORDERING, "query after", 6, ((6, row),))


def outcome() -> str:
    run = steer_to_european()
    if not (run.lost or run.new):
        return OUTCOMES[0]
    return OUTCOMES[1] if not run.new and [run.plain[n] for n in run.lost] == ["économique"] else OUTCOMES[2]


steering = guess(
    "steering",
    "Step 6 is about to write “économique”. You move all its weight to “european”. What happens to the"
    " sentence?",
    {
        OUTCOMES[0]: (
            "The word is computed from c₆, and c₆ from the weights of this step. Drag the bar of “european”"
            " and watch the next word change."
        ),
        OUTCOMES[1]: lambda: translate(
            "c₆ becomes the state of “european”, so step 6 writes “{word}” at once. No later step goes back"
            " to “economic”. Drag its bar and compare both lines.",
            word=steer_to_european().yours[5],
        ),
        OUTCOMES[2]: (
            "You moved the weights of one step only. The later steps choose their own weights. Drag the"
            " bar of “european” and compare both lines."
        ),
    },
    outcome,
    "The other steps keep their own weights. What would you write at step 6 if you saw only “european”,"
    " and what would you write next?",
)


@cache
def adjective_forms() -> frozenset[str]:
    """All French forms of the adjectives that the translators know."""
    small = (form for adjective in ADJECTIVES.values() for form in (*adjective[1:5], adjective.vowel))
    everyday = (form for each in lexicon().adjectives for form in (*each.forms, each.vowel))
    return frozenset((*small, *everyday)) - {""}


def check_adjective(_: None, state: State) -> Verdict:
    run = compute(**state)
    lost = [run.plain[n] for n in run.lost]
    if not adjective_forms() & set(run.plain):
        message = "This sentence has no adjective. Choose a sentence with one, such as the first suggestion."
        return Verdict(False, translate(message))
    if not run.edited:
        return Verdict(
            False,
            translate(
                "All weights are still the model’s. Go to the step that writes an adjective and move its"
                " weights."
            ),
        )
    if len(lost) == 1 and lost[0] in adjective_forms() and not run.new:
        message = "Yes: “{word}” is gone and every other word stayed. You changed only weights."
        return Verdict(True, translate(message, word=lost[0]))
    if not (run.lost or run.new):
        return Verdict(
            False,
            translate(
                "The sentence is still the same. Which step writes the adjective, and which word should it"
                " attend to instead?"
            ),
        )
    return Verdict(
        False,
        translate(
            "The output is now “{output}”. Remove one adjective and nothing else: which word comes after it?",
            output=" ".join(run.yours),
        ),
    )


def check_uniform_steps(_: None, state: State) -> Verdict:
    run = compute(**state)
    rows = run.your_weights[[n - 1 for n in run.edited]]
    count = int((np.ptp(rows, axis=1) < UNIFORM_TOLERANCE).sum()) if len(rows) else 0
    if count < MIN_UNIFORM_STEPS:
        message = "Steps with uniform weights: {count}. You need at least {least}."
        return Verdict(False, translate(message, count=count, least=MIN_UNIFORM_STEPS))
    if run.lost or run.new:
        return Verdict(
            False,
            translate(
                "{count} steps have uniform weights, but the sentence changed. Undo one and try another:"
                " “Explanation?” shows which steps keep their word.",
                count=count,
            ),
        )
    message = "Yes: {count} steps have uniform weights, and not one word changed."
    return Verdict(True, translate(message, count=count))


EXERCISES = (
    Exercise(
        "adjective",
        "In “Steer”, make the sentence lose one adjective and nothing else. Change only attention weights.",
        check_adjective,
        "At the step of the adjective, give all weight to the source word whose translation should come"
        " next.",
        experiment="steer",
    ),
    Exercise(
        "unmoved",
        "In “Steer”, give at least three steps uniform weights (the row “even”) so that the sentence does not"
        " change.",
        check_uniform_steps,
        "“Explanation?” shows which words are still written with even weights. Choose “even” at those steps.",
        experiment="steer",
    ),
)
