"""The guess of experiment `forcing`, with a computed answer."""

from lessons.bottleneck.forcing.compute import INPUT_WORDS, compute
from lessons.bottleneck.sentences import PRONOUN
from lessons.kit.exercises import guess


def later_changes_when_taught() -> str:
    """Whether teacher forcing changes as many later words as free running, fewer, or none."""
    free, taught = (max(changes) for changes in compute(PRONOUN, INPUT_WORDS[1], 3, "ils").later_changes)
    return "none" if not taught else "some, but fewer" if taught < free else "as many"


changes_when_taught = guess(
    "who-recovers",
    "With the opening settings, the forced word “ils” also changes later words. How many later words would"
    " change if each step read the teacher’s (correct) word instead?",
    {
        "as many": (
            "For that, the mistake would have to reach the later steps. But in the last line, step 4 reads"
            " the"
            " teacher’s “elle”, not “ils”."
        ),
        "some, but fewer": (
            "“ils” does not reach any later step: in the last line, no word after it is marked."
        ),
        "none": (
            "In the last line only “ils” itself is marked. This is why the decoder never meets its own"
            " mistakes"
            " in training."
        ),
    },
    later_changes_when_taught,
    "Follow the dashed arrows. How does a written word reach the next step?",
    covers=("side_by_side",),
)
