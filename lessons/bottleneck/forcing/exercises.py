"""The guess of experiment `forcing`, with a computed answer."""

from lessons.bottleneck.forcing.compute import INPUT_WORDS, compute
from lessons.bottleneck.sentences import PRONOUN
from lessons.kit.exercises import guess


def later_changes_when_taught() -> str:
    """Whether teacher forcing changes as many later words as free running, fewer, or none."""
    free, taught = (max(changes) for changes in compute(PRONOUN, INPUT_WORDS[1], 3, "ils").later_changes)
    return "none" if not taught else "fewer" if taught < free else "as many"


changes_when_taught = guess(
    "who-recovers",
    "At the start “ils” changes later words, too. If each step read the teacher’s word instead, how many"
    " later words would change?",
    {
        "as many": (
            "The mistake would have to reach the later steps. In the last line step 4 has read the teacher’s"
            " “elle”, not “ils”."
        ),
        "fewer": "Nothing of “ils” reaches a later step: in the last line no word after it is marked.",
        "none": (
            "In the last line only “ils” itself is marked. So in training the decoder never meets its own"
            " mistakes."
        ),
    },
    later_changes_when_taught,
    "Follow the dashed arrows: how does a word that was written reach the next step?",
    covers=("side_by_side",),
)
