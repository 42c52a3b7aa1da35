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
        f"The weights are the same. The template adds {len(run.prompt) - run.user_pieces} pieces around the"
        f" {run.user_pieces} of the question, and in training such texts were followed by answers."
    )


what_makes_a_chat = guess(
    "what-makes-a-chat",
    "A language model continues texts. What makes it answer a question instead?",
    {
        DIFFERENCES[0]: lambda: f"Both answers come from one file of weights. {why()}",
        DIFFERENCES[1]: lambda: f"Look at the pieces around the question. {why()}",
        DIFFERENCES[2]: lambda: f"There is only one model here. {why()}",
    },
    lambda: DIFFERENCES[1] if len(opening().prompt) > opening().user_pieces else DIFFERENCES[0],
    "Look at everything that the model reads.",
    covers=("prompt", "answers"),
)

template_pieces = number(
    "template-pieces",
    f"“{QUESTION}”, with the system line of the opening: how many pieces does the model read in all?",
    lambda: len(opening().prompt),
    "Count them in the picture, or read its title.",
    lambda: f"{len(opening().prompt)} pieces, {len(opening().special)} of them marks of the template.",
    within=0.5,
    experiment="chat",
)


def ends_itself(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if not run.uses_template:
        return Verdict(False, "Switch the template on.")
    if not run.ended:
        return Verdict(False, "The answer was cut off. Let it write more pieces.")
    if run.answer_pieces > SHORT_PIECES:
        return Verdict(
            False, f"The answer has {run.answer_pieces} pieces. Find one with {SHORT_PIECES} or fewer."
        )
    return Verdict(
        True, f"After {run.answer_pieces} pieces the most probable next piece was the end of the turn."
    )


short_answer = Exercise(
    "short-answer",
    f"Challenge: get an answer of at most {SHORT_PIECES} pieces that the model ends by itself.",
    ends_itself,
    "Ask for one word, or tell the system line to be brief.",
    experiment="chat",
)
EXERCISES = (template_pieces, short_answer)
