"""Guess and exercises for experiment `tune`."""

from typing import Any

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.kit.pictures.numbers import compact, percent
from lessons.real.tune.compute import Tuning, compute
from lessons.real.tune.tuning import first_mention_right, load_saved_runs

STORY = "one day , sam walked to the river . he had lost a blue kite . max had a black map ."
QUESTION = "who had a black map ?"
OPENING: dict[str, Any] = {
    "story": STORY,
    "question": QUESTION,
    "mix": 0,
    "power": -2.5,
    "budget": 30,
    "runs": (),
}
KINDS_OF_TEXT = ("the answer", "more of the story", "nothing: the text ends")
GOAL_RIGHT, GOAL_PERPLEXITY = 0.8, 1.25  # fraction of questions; times the perplexity of the base model


def opening(**changes: Any) -> Tuning:
    return compute(**(OPENING | changes))


def what_follows() -> str:
    run = opening()
    if not run.base_answer:
        return KINDS_OF_TEXT[2]
    return KINDS_OF_TEXT[0] if run.base_answer == run.expected else KINDS_OF_TEXT[1]


def why() -> str:
    return (
        f"It writes “{' '.join(opening().base_answer)}”: in its stories, a question in quotation marks is"
        " something that a person says."
    )


what_next = guess(
    "what-next",
    "Our story model has read thousands of stories, but never a question with an answer. It reads a story and"
    f" “{QUESTION}”. What does it write next?",
    {
        KINDS_OF_TEXT[0]: lambda: (
            f"The story contains the answer, but nobody taught the model to give it. {why()}"
        ),
        KINDS_OF_TEXT[1]: why,
        KINDS_OF_TEXT[2]: lambda: f"The end of a text would be rare in the middle of a story. {why()}",
    },
    what_follows,
    "Which texts has the model seen in which a question stands in quotation marks?",
    covers=("answers", "next_words"),
)

rule_of_thumb = number(
    "rule-of-thumb",
    "Stories that name several possible answers: what percentage of the questions is right if the answer is"
    " always the first of them?",
    lambda: 100 * first_mention_right()[1],
    "Open the closer look about the simple rule.",
    lambda: f"{percent(first_mention_right()[1])}. A tuned model must do better than this rule.",
    within=WHOLE_NUMBER + 0.01,
    experiment="tune",
)


def remembers(answer: None, state: State) -> Verdict:
    runs = [saved.run for saved in load_saved_runs(state["runs"])]
    if not runs:
        return Verdict(False, "There is no run yet. Go to “Tune” and press “tune”.")
    found = [(run.last.right, run.last.perplexity[0] / run.looks[0].perplexity[0]) for run in runs]
    for right, factor in found:
        if right >= GOAL_RIGHT and factor <= GOAL_PERPLEXITY:
            return Verdict(
                True,
                f"{percent(right)} of the questions are right, and the perplexity on stories grew only by a"
                f" factor of {compact(factor)}.",
            )
    right, factor = found[0]
    return Verdict(
        False,
        f"Not yet: the run in view has {percent(right)} right, and its perplexity on stories grew by a factor"
        f" of {compact(factor)}.",
    )


answers_and_remembers = Exercise(
    "answers-and-remembers",
    f"Challenge: tune the model so that it answers at least {percent(GOAL_RIGHT)} of the unseen questions and"
    f" its perplexity on stories grows by a factor of at most {GOAL_PERPLEXITY}.",
    remembers,
    "What could the model read between the questions, so that it does not forget stories?",
    experiment="tune",
)
EXERCISES = (rule_of_thumb, answers_and_remembers)
