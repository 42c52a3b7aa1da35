"""The translators of this lesson, and the teacher that their outputs are compared with.

Experiments with one translator use one of everyday English. Comparisons of many trained models use the small
world of the task `translation`; names that begin with SMALL belong to it.
"""

from collections.abc import Iterable
from typing import Any

from lessons.kit.checkpoints import TRANSLATION, Tokens, Words, load_card, translate
from lessons.kit.memo import memoize
from lessons.kit.references import differing_positions, matches_reference, reference_for
from lessons.kit.translator import Translator
from lessons.kit.typed_text import TypedSentence
from models import recipes
from models.vocabulary import Vocabulary

TRANSLATOR = Translator("everyday-none-128-s0")  # one vector c of size 128: the decoder's first state
TEACHER = Translator("everyday-additive-64-s0")  # a model with attention
SMALL_TRANSLATOR = "translation-none-128-s0"
# models with attention, one per seed
SMALL_TEACHERS = tuple(f"translation-additive-64-s{seed}" for seed in (0, 1, 2))
ATTENTION_MODELS = recipes.seeds_of("translation-oneway-128")  # the same encoder and decoder, with attention
MAX_OUTPUT_STEPS = 71


def models_with_context_dim(k: str) -> tuple[str, ...]:
    """Names of the models of the small world whose c has size k, one per seed."""
    return recipes.seeds_of(f"translation-none-{k}")


def trained_lengths() -> tuple[int, int]:
    """Lengths in words of the shortest and the longest source in the training of the small world's models."""
    shortest, longest = load_card(SMALL_TRANSLATOR).metrics["trained_lengths"]
    return shortest, longest


@memoize
def teacher_words(source: Tokens) -> Words:
    """The correct translation if it is known; otherwise the output of a model with attention."""
    return TRANSLATOR.reference(TRANSLATOR.source_words(source), ()) or TEACHER.translate(source)


def teacher_tokens(source: Tokens) -> Tokens:
    """Inputs and targets of the decoder in teacher forcing: the teacher's words and <eos>."""
    return (*TRANSLATOR.task.target.ids(teacher_words(source)), Vocabulary.eos)


def small_teacher_words(source: Tokens) -> Words:
    """Like `teacher_words`, for a source of the small world."""
    return reference_for(TRANSLATION, TRANSLATION.source.tokens(source)) or translate(
        SMALL_TEACHERS[0], source
    )


def compare_translations(sentence: TypedSentence, models: Iterable[str]) -> dict[str, Any]:
    """Translate one sentence with several models of the small world and compare each output.

    The keys are fields of a Result: words, teacher, truth, outputs, right, changed.
    """
    source = tuple(TRANSLATION.source.ids(sentence.words))
    teacher, truth = small_teacher_words(source), reference_for(TRANSLATION, sentence.words)
    outputs = tuple(translate(model, source) for model in models)
    return {
        "words": sentence.shown,
        "teacher": teacher,
        "truth": truth,
        "outputs": outputs,
        "right": tuple(matches_reference(output, truth) for output in outputs),
        "changed": tuple(differing_positions(teacher, output)[1] for output in outputs),
    }
