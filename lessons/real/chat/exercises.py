"""Guess and exercises for experiment `chat`. All answers are computed."""

from typing import Any

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.real.chat.compute import Chat, compute

SYSTEM = "You are a helpful assistant."
QUESTION = "Name three fruits."
OPENING = {"system": SYSTEM, "user": QUESTION, "template": True, "n": 20}
DIFFERENCES = ("other weights", "other text around the question", "a second model that checks the answer")

SHORT_PIECES = 5


def opening(**changes: Any) -> Chat:
    return compute(**(OPENING | changes))


def why() -> str:
    run = opening()
    return (
        f"The weights are the same. The template adds {len(run.prompt) - run.user_pieces} pieces to the"
        f" {run.user_pieces} pieces of the question, and in training answers followed such texts."
    )


what_makes_a_chat = guess(
    "what-makes-a-chat",
    "A language model continues texts. In this experiment you can switch the chat template off. What makes"
    " the"
    " model answer a question?",
    {
        DIFFERENCES[0]: lambda: f"Both texts come from the same file of weights. {why()}",
        DIFFERENCES[1]: lambda: f"Look at the pieces around the question in the picture. {why()}",
        DIFFERENCES[2]: lambda: f"There is only one model. {why()}",
    },
    lambda: DIFFERENCES[1] if len(opening().prompt) > opening().user_pieces else DIFFERENCES[0],
    "Look at all the pieces that the model reads. What is new compared with your question?",
    covers=("prompt", "answers"),
)

template_pieces = number(
    "template-pieces",
    f"You ask “{QUESTION}” with the opening settings of “Chat”. How many pieces does the model read in"
    f" total?",
    lambda: len(opening().prompt),
    "Count them in the picture or read the title of the picture.",
    lambda: (
        f"It reads {len(opening().prompt)} pieces, and {len(opening().special)} of them are marks of the"
        " template."
    ),
    within=0.5,
    experiment="chat",
)


def ends_itself(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if not run.uses_template:
        return Verdict(False, "Not yet: switch the template on.")
    if not run.ended:
        return Verdict(False, "Not yet: the answer was cut off. Let the model write more pieces.")
    if run.answer_pieces > SHORT_PIECES:
        return Verdict(
            False,
            f"Not yet: the answer has {run.answer_pieces} pieces. Find an answer with {SHORT_PIECES} or"
            f" fewer.",
        )
    return Verdict(
        True, f"Yes: after {run.answer_pieces} pieces the model wrote the mark that ends its turn."
    )


short_answer = Exercise(
    "short-answer",
    f"In “Chat”, get an answer of at most {SHORT_PIECES} pieces that the model ends by itself.",
    ends_itself,
    "How can your question or the system line ask for a very short answer?",
    experiment="chat",
)
EXERCISES = (template_pieces, short_answer)
