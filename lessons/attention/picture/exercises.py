"""The guess and the exercises of experiment `picture`, with computed answers."""

from lessons.attention.picture.compute import LOOKS, OPENING, Described, compute
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.kit.language import translate
from models.tasks.drawings import PATCH, PATCHES

PLACES = ("on the small cross", "on the large square", "spread over all patches")
NOUN = 8  # the step that writes the last noun of the opening sentence


def opening(**changes: object) -> Described:
    return compute(**({"drawing": OPENING, "t": NOUN, "look": LOOKS[0]} | changes))  # type: ignore[arg-type]


def where_it_looks() -> str:
    shares = opening().shares
    return PLACES[2] if max(shares) < 0.5 else PLACES[int(shares.argmax())]


def figures() -> str:
    cross, square = opening().shares
    template = "The patches of the cross get {cross:.2f} of the weight, those of the square {square:.2f}."
    return translate(template, cross=cross, square=square)


where = guess(
    "where",
    "The model describes this drawing as “a small cross left of a large square”. Where is the attention while"
    " it writes the last word, “square”?",
    {
        PLACES[0]: lambda: translate("The model has already written “cross”. {figures}", figures=figures()),
        PLACES[1]: lambda: translate(
            "{figures} Nobody told the model where the square is.", figures=figures()
        ),
        PLACES[2]: lambda: translate(
            "In that case every word would get the same context. {figures}", figures=figures()
        ),
    },
    where_it_looks,
    "Which part of the drawing do you look at when you write this word?",
    covers=("grid", "next_words"),
)


def writes_above(answer: None, state: State) -> Verdict:
    run = compute(**state)
    said = translate("The model writes “{output}”.", output=" ".join(run.plain))
    if "above" not in run.plain:
        message = "{said} Place one shape higher than the other, in the same columns."
        return Verdict(False, translate(message, said=said))
    if run.truth != run.plain:
        message = "{said} This does not describe your drawing. Use two of the four shapes."
        return Verdict(False, translate(message, said=said))
    return Verdict(True, said)


EXERCISES = (
    number(
        "patches",
        f"A patch has {PATCH} × {PATCH} cells, each filled or empty. How many words does the encoder’s"
        " vocabulary need?",
        lambda: len(PATCHES),
        "Each cell doubles the number of patterns.",
        "The patches are the words of this language; their order in the grid is their order in the sentence.",
        within=WHOLE_NUMBER,
        experiment="picture",
    ),
    Exercise(
        "above",
        "Challenge: draw two shapes so that the model rightly writes “above”.",
        writes_above,
        "Two shapes are above each other if they share a column and no row.",
        experiment="picture",
    ),
)
