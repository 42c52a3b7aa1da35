"""The guess and the exercises of experiment `translate`, with computed answers."""

import numpy as np

from lessons.bottleneck.translate.compute import compute
from lessons.bottleneck.translate.tasks import MODELS, OPTIONS, TRANSLATION_TASK
from lessons.kit.checkpoints import load_card
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE_NUMBER, guess, number, one_of
from lessons.kit.pictures.numbers import percent
from models.recipes import RECIPES
from models.vocabulary import SPECIAL

SOURCE_WORDS = len(MODELS[TRANSLATION_TASK].task.source) - len(SPECIAL)  # the size of the English vocabulary


def size_of_c(words: int) -> str:
    """How many numbers pass from the encoder to the decoder for a sentence of this length."""
    text = " ".join(["the"] * (words - 1) + ["."])
    return str(len(compute(TRANSLATION_TASK, text, 1).c))


handed_over = guess(
    "handed-over",
    "At the start, 6 words are handed over as 128 numbers. How many numbers would it be for 20 words?",
    {
        "128": "c is one state, and a state has the same size whatever was read. Type more words and count.",
        "427": (
            "That would be the same amount per word. But c had its size before the first word was read, and"
            " it does not grow."
        ),
        "2560": (
            "That would be one state for each of the 20 words. The encoder does compute them (the faint"
            " strips), but hands over only the last."
        ),
    },
    lambda: size_of_c(20),
    "Follow the purple arrow back to the encoder. Which of the states does it come from?",
)


def bits_per_word() -> float:
    """Bits needed to name one word of the source vocabulary."""
    return float(np.log2(SOURCE_WORDS))


def size_of_all_states() -> float:
    return float(MODELS[TRANSLATION_TASK].model.config.width * 20)


FAIR_TASKS = tuple(  # tasks whose two models were trained for the same number of steps
    task
    for task, option in OPTIONS.items()
    if option.attention and RECIPES[option.model.name].steps == RECIPES[option.attention.name].steps
)


def exact_matches(task: str) -> tuple[float, float]:
    """Exact match of one vector and of attention on test inputs."""
    one, attention = (
        load_card(model.name) for model in (OPTIONS[task].model, OPTIONS[task].attention) if model
    )
    return one.metrics["natural"]["exact_match"], attention.metrics["natural"]["exact_match"]


def gap(task: str) -> float:
    one, attention = exact_matches(task)
    return attention - one


def hardest_task() -> str:
    """The task in which one vector is furthest behind attention."""
    return max(FAIR_TASKS, key=gap)


def check_hardest_task(given: str, _: State) -> Verdict:
    one, attention = exact_matches(given)
    figures = (
        f"In “{given}”, one vector is right for {percent(one)} of the test inputs, and attention for"
        f" {percent(attention)}."
    )
    if given == hardest_task():
        return Verdict(True, f"{figures} No other gap is as large.")
    return Verdict(False, f"{figures} Another gap is larger.")


EXERCISES = (
    Exercise(
        "hardest",
        "In these tasks both models were trained for the same number of steps. In which of them does one"
        " vector fall furthest behind attention?",
        check_hardest_task,
        "Choose a task and open “What would attention change?”. How far apart are the two curves?",
        one_of("Task", FAIR_TASKS),
        "translate",
        solution=hardest_task,
    ),
    number(
        "bits",
        f"Our English has {SOURCE_WORDS:,} words. How many bits does it take to name one of them? (one"
        " decimal)",
        bits_per_word,
        "Take the logarithm to base 2 of the number of words.",
        f"Twenty words need {20 * np.log2(SOURCE_WORDS):.0f} bits, and 128 numbers of 16 bits hold"
        f" {128 * 16:,}. So c is large enough; what is hard is to learn how to write such a code and how to"
        " read it.",
        0.06,
        "translate",
    ),
    number(
        "all-states",
        "If the decoder could look at all encoder states of a sentence of 20 words, how many numbers would it"
        " get? (m = 128)",
        size_of_all_states,
        "There is one state of m numbers for each word.",
        "This memory grows with the sentence. Attention, in the next lesson, uses it.",
        WHOLE_NUMBER,
        "translate",
    ),
)
