"""The guess of experiment `roles`, with a computed answer."""

from lessons.kit.example_sentences import PASSIVE
from lessons.kit.exercises import guess
from lessons.recurrence.roles.compute import DECODER, RoleRun, compute

OWN_WORD = "the word it has just written"
NEXT_ENGLISH_WORD = "the next English word"
TRUE_FRENCH_WORD = "the true French word"


def run_decoder() -> RoleRun:
    return compute(DECODER, PASSIVE, 1)


def input_of_decoder() -> str:
    run = run_decoder()
    return OWN_WORD if run.words[1:] == run.outputs[:-1] else TRUE_FRENCH_WORD


decoder_input = guess(
    "states-used",
    "With the opening settings the recurrence is an encoder: it reads. A decoder writes the translation word"
    " by word. What does it read at step 2?",
    {
        OWN_WORD: lambda: (
            f"Choose “Decoder”: “{run_decoder().outputs[0]}” is fed back along the dashed arrow."
        ),
        NEXT_ENGLISH_WORD: (
            "The encoder has read the English words. Choose “Decoder”: only the strip c passes from the"
            " English sentence to the decoder."
        ),
        TRUE_FRENCH_WORD: (
            "In training it may read this word, but here the true word is not known. Choose “Decoder” and"
            " follow the dashed arrows."
        ),
    },
    input_of_decoder,
    "When a translator is in use, which words are known at that moment?",
)
