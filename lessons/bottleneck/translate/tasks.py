"""The tasks of experiment `translate`: one entry per option of its menu."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lessons.bottleneck.sentences import PRONOUN, SEVENTEEN_WORDS
from lessons.bottleneck.translate.output_pictures import Lines, draw_phrases, draw_program, draw_words
from lessons.kit.checkpoints import Words
from lessons.kit.example_sentences import AMBIGUOUS_BANK, PASSIVE
from lessons.kit.pictures.base import Picture
from lessons.kit.translator import Translator

TRANSLATION_TASK = "English → French"
PRONUNCIATION_TASK = "word → sounds"
PARSING_TASK = "sentence → tree"
CODE_TASK = "command → code"
SUMMARY_TASK = "story → summary"
ANSWER_TASK = "story + question → answer"


@dataclass(frozen=True)
class TaskOption:
    """An option of the task menu: its translators, its example inputs and how its output is drawn."""

    model: Translator
    texts: Words  # suggestions; the first is the example
    unit: str = "character"  # unit of the source
    attention: Translator | None = None  # the model with attention, if there is one
    draw: Callable[[Lines, int | None, str], Picture] = draw_words  # outputs, current step, title
    takes_any_english: bool = False  # whether every English sentence is a valid input


OPTIONS: Mapping[str, TaskOption] = {
    TRANSLATION_TASK: TaskOption(
        Translator("everyday-none-128-s0"),
        (PASSIVE, PRONOUN, AMBIGUOUS_BANK, SEVENTEEN_WORDS),
        unit="word",
        attention=Translator("everyday-additive-64-s0"),
        takes_any_english=True,
    ),
    PRONUNCIATION_TASK: TaskOption(
        Translator("pronounce-none-128-s0"),
        ("castle", "thought", "answer", "tanmoy"),
        unit="letter",
        attention=Translator("pronounce-additive-128-s0"),
    ),
    PARSING_TASK: TaskOption(
        Translator("parsing-none-128-s0"),
        (
            "the farmer watched the doctor with the telescope .",
            "the farmer watched the doctor with the beard .",
            "the dog that the woman chased slept in the garden .",
            "my friend who opened the door with a key saw the old king and the doctor .",
        ),
        unit="word",
        attention=Translator("parsing-additive-64-s0"),
        draw=draw_phrases,
        takes_any_english=True,
    ),
    CODE_TASK: TaskOption(
        Translator("code-none-128-s0"),
        (
            "add two to x and print it .",
            "before you print x , double x .",
            "if x is greater than 3 , double z , then print z .",
            "repeat five times , add y to total , then print it .",
            "if y is greater than 4 , set total to the sum of x and n , then print total .",
        ),
        unit="word",
        attention=Translator("code-additive-64-s0"),
        draw=draw_program,
    ),
    SUMMARY_TASK: TaskOption(
        Translator("summaries-none-128-s0"),
        (
            "mira lost her red kite near the barn . paul found it behind the tower .",
            "mira had a blue key . she hid the key near the barn . tom walked to the barn . there he found"
            " the key and gave it back to mira .",
            "lena hid a map near the barn . a brave wolf shivered behind the hill . leo walked to the barn ."
            " there leo found it . ella lost a blue apple behind the cabin . soon ella found it near the"
            " well .",
        ),
        unit="word",
        attention=Translator("summaries-additive-64-s0"),
    ),
    ANSWER_TASK: TaskOption(
        Translator("answers-none-128-s0"),
        (
            "lena had a green ring . she lost the ring near the well . leo walked to the well . there he"
            " found it . what colour was the ring ?",
            "mira had a black kite . she hid the kite near the barn . max walked to the barn . there he"
            " found it . who found the kite ?",
            "rosa had a blue kite . she left the kite near the barn . tom walked to the barn . there he"
            " found it . whose was the kite ?",
            "tom lost an apple near the island . poor tom was hungry . the next day , max found the apple"
            " behind the beach . anna had a green crown . later , she hurried to the beach and broke it ."
            " where did anna go ?",
        ),
        unit="word",
        attention=Translator("answers-additive-64-s0"),
    ),
    "reversal": TaskOption(
        Translator("reversal-none-64-s0"),
        ("stressed", "bottleneck", "abc"),
        attention=Translator("reversal-additive-64-s0"),
    ),
    "copy": TaskOption(
        Translator("copy-none-64-s0"),
        ("stressed", "bottleneck", "abc"),
        attention=Translator("copy-additive-64-s0"),
    ),
    "addition": TaskOption(Translator("addition-none-128-s0"), ("27+58", "9+1", "250+250")),
    "dates": TaskOption(
        Translator("dates-none-64-s0"),
        ("the 3rd of march 1992", "3 mar '92", "march 3, 1992"),
        attention=Translator("dates-additive-64-s0"),
    ),
}
MODELS = {task: option.model for task, option in OPTIONS.items()}
SUGGESTIONS = {task: option.texts for task, option in OPTIONS.items()}
EXAMPLES = {task: texts[0] for task, texts in SUGGESTIONS.items()}
