"""The guess and the exercises of experiment `unknown`, with computed answers."""

from typing import Any

from lessons.attention.unknown.compute import UnknownWords, compute
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.kit.language import translate
from lessons.kit.pictures.numbers import percent

NAME = "Tanmoy lives in London."
OPENING: dict[str, Any] = {"source": NAME, "model": "with attention", "n": 1, "word": 0}
OUTCOMES = (
    "nothing, because it refuses the sentence",
    "the same name, copied from the sentence",
    "another name, which it knows",
)


def opening(**changes: Any) -> UnknownWords:
    return compute(**(OPENING | changes))


def outcome() -> str:
    run = opening()
    return OUTCOMES[1] if "tanmoy" in run.copied else OUTCOMES[2]


def why() -> str:
    run = opening()
    return translate(
        "The model reads <unk> and writes <unk>. The <unk> in the output attends to “{word}”, and this word"
        " is copied to its place. No parameter of the model belongs to this name.",
        word=", ".join(run.looked_at),
    )


a_name_it_never_saw = guess(
    "a-name-it-never-saw",
    f"“{NAME}” The translator has never seen this name. What does it write in its place?",
    {
        OUTCOMES[0]: lambda: translate("The translator takes any word. {why}", why=why()),
        OUTCOMES[1]: lambda: translate("The name is in the output. {why}", why=why()),
        OUTCOMES[2]: lambda: translate(
            "In training, the right output for an unknown word was <unk>, not another name. {why}",
            why=why(),
        ),
    },
    outcome,
    "Which source word does the decoder attend to when it writes the word for an unknown name?",
    covers=("lines", "row"),
)

one_vector_correct = number(
    "one-vector-correct",
    "A model has one context vector instead of attention. What percentage of the sentences with one unknown"
    " name does it get entirely right?",
    lambda: 100 * opening(model="one vector").correct,
    "Which weights could tell this model what to copy?",
    lambda: translate(
        "{correct}: without attention weights no word can be copied.",
        correct=percent(opening(model="one vector").correct),
    ),
    within=1.0,
    experiment="unknown",
)


def writes_another(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.weights is None or not run.moved:
        return Verdict(False, translate("Choose “with attention” and move the weight of an <unk>."))
    original = compute(**{**state, "word": 0})
    if run.copied == original.copied:
        return Verdict(False, translate("The output has not changed. Give the weight to another word."))
    message = "The output is now “{output}”: the weight decides which word is copied."
    return Verdict(True, translate(message, output=" ".join(run.copied)))


copy_another = Exercise(
    "copy-another",
    "Challenge: move the weight of an <unk> so that another word is written in its place.",
    writes_another,
    "Click another bar in the picture of the weights.",
    experiment="unknown",
)
EXERCISES = (one_vector_correct, copy_another)
