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


@dataclass(frozen=True)
class TaskOption:
    """A task with its model that has one context vector."""

    model: Translator
    texts: Words  # suggestions; the first is the example
    unit: str = "character"  # unit of the source
    attention: Translator | None = None  # the model with attention, if there is one
    draw: Callable[[Lines, int | None, str], Picture] = draw_words  # outputs, current step, title
    takes_any_english: bool = False  # whether no English sentence is foreign to this task


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
