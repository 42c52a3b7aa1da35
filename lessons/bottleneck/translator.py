"""The translators of this lesson, and the teacher that their outputs are compared with."""

from collections.abc import Iterable
from typing import Any

from lessons.kit.checkpoints import TRANSLATION, Tokens, Words, english, load_card, translate
from lessons.kit.memo import memoize
from lessons.kit.references import differing_positions, matches_reference, reference_for
from models import recipes
from models.vocabulary import Vocabulary

TRANSLATOR = "translation-none-128-s0"  # one vector c of size 128: the decoder's first state
ATTENTION_MODELS = recipes.seeds_of("translation-oneway-128")  # the same encoder and decoder, with attention
MAX_OUTPUT_STEPS = 61
TEACHERS = tuple(f"translation-additive-64-s{seed}" for seed in (0, 1, 2))  # also with attention


def models_with_context_dim(k: str) -> tuple[str, ...]:
    """Names of the models whose c has size k, one per seed."""
    return recipes.seeds_of(f"translation-none-{k}")


def trained_lengths() -> tuple[int, int]:
    """Lengths in words of the shortest and the longest source sentence in the translators' training."""
    shortest, longest = load_card(TRANSLATOR).metrics["trained_lengths"]
    return shortest, longest


@memoize
def teacher_words(source: Tokens) -> Words:
    """The correct translation if the grammar can give it; otherwise the output of a model with attention."""
    return reference_for(TRANSLATION, english(source)) or translate(TEACHERS[0], source)


def teacher_tokens(source: Tokens) -> Tokens:
    """Inputs and targets of the decoder in teacher forcing: the teacher's words and <eos>."""
    return (*TRANSLATION.target.ids(teacher_words(source)), Vocabulary.eos)


def compare_translations(source: Tokens, models: Iterable[str]) -> dict[str, Any]:
    """Translate one sentence with several models and compare each output with the teacher and the reference.

    The keys are fields of a Result: words, teacher, truth, outputs, right, changed.
    """
    words, teacher = english(source), teacher_words(source)
    truth = reference_for(TRANSLATION, words)
    outputs = tuple(translate(model, source) for model in models)
    return {
        "words": words,
        "teacher": teacher,
        "truth": truth,
        "outputs": outputs,
        "right": tuple(matches_reference(output, truth) for output in outputs),
        "changed": tuple(differing_positions(teacher, output)[1] for output in outputs),
    }
