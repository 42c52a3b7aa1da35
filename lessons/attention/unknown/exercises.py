"""The guess and the exercises of experiment `unknown`, with computed answers."""

from typing import Any

from lessons.attention.unknown.compute import UnknownWords, compute
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number

NAME = "Tanmoy lives in London."
OPENING: dict[str, Any] = {"source": NAME, "model": "with attention", "n": 1, "word": 0}
OUTCOMES = ("it refuses the sentence", "it writes the name, copied", "it writes some other name")


def opening(**changes: Any) -> UnknownWords:
    return compute(**(OPENING | changes))


def outcome() -> str:
    run = opening()
    return OUTCOMES[1] if "tanmoy" in run.copied else OUTCOMES[2]


def why() -> str:
    run = opening()
    return (
        f"It reads and writes <unk>, and where the <unk> of the output looks (“{', '.join(run.looked_at)}”)"
        " the typed word is copied. No weight in the model belongs to this name."
    )


a_name_it_never_saw = guess(
    "a-name-it-never-saw",
    f"“{NAME}” The translator has never seen this name. What does it write?",
    {
        OUTCOMES[0]: lambda: f"No word is refused. {why()}",
        OUTCOMES[1]: lambda: f"The name arrives. {why()}",
        OUTCOMES[2]: lambda: (
            f"It could guess a frequent name, but in training an unknown word stayed one. {why()}"
        ),
    },
    outcome,
    "Each output word looks somewhere. Where would the word for an unknown name look?",
    covers=("lines", "row"),
)

one_vector_correct = number(
    "one-vector-correct",
    "With one vector instead of attention: what percentage of sentences with a hidden name is entirely"
    " correct?",
    lambda: 100 * opening(model="one vector").correct,
    "What would the decoder have to copy from?",
    lambda: f"{100 * opening(model='one vector').correct:.0f}%: without weights there is no word to copy.",
    within=1.0,
    experiment="unknown",
)


def writes_another(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.weights is None or not run.moved:
        return Verdict(False, "Use attention and move the weight of an <unk>.")
    original = compute(**{**state, "word": 0})
    if run.copied == original.copied:
        return Verdict(False, "The output is the same. Give the weight to another word.")
    return Verdict(True, f"Now it is “{' '.join(run.copied)}”: the weight decides what is written there.")


copy_another = Exercise(
    "copy-another",
    "Challenge: move the weight of an <unk> so that another word is written in its place.",
    writes_another,
    "Choose another bar in the picture of the weights.",
    experiment="unknown",
)
EXERCISES = (one_vector_correct, copy_another)
