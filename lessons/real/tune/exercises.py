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
GOAL_RIGHT, GOAL_PERPLEXITY = 0.8, 1.25  # fraction of questions; factor on the base model's perplexity


def opening(**changes: Any) -> Tuning:
    return compute(**(OPENING | changes))


def what_follows() -> str:
    run = opening()
    if not run.base_answer:
        return KINDS_OF_TEXT[2]
    return KINDS_OF_TEXT[0] if run.base_answer == run.expected else KINDS_OF_TEXT[1]


def why() -> str:
    return (
        f"It writes “{' '.join(opening().base_answer)}”, because in its stories a question in quotation marks"
        " is something that a person says."
    )


what_next = guess(
    "what-next",
    "Our story model has read thousands of stories, but never a question with an answer. It reads a story and"
    f" “{QUESTION}”. What does it write next?",
    {
        KINDS_OF_TEXT[0]: lambda: (
            f"The story contains the answer, but the model never learned to give answers. {why()}"
        ),
        KINDS_OF_TEXT[1]: why,
        KINDS_OF_TEXT[2]: lambda: f"A text rarely ends in the middle of a story. {why()}",
    },
    what_follows,
    "What came after a question in quotation marks in the stories that the model has read?",
    covers=("answers", "next_words"),
)

rule_of_thumb = number(
    "rule-of-thumb",
    "Some stories name several possible answers. If you always choose the first one, what percentage of the"
    " questions do you answer correctly?",
    lambda: 100 * first_mention_right()[1],
    "In “Tune”, open the closer look about the simple rule. Which row has several possible answers?",
    lambda: (
        f"The rule answers {percent(first_mention_right()[1])} correctly. A tuned model should be better than"
        " this rule."
    ),
    within=WHOLE_NUMBER + 0.01,
    experiment="tune",
)


def remembers(answer: None, state: State) -> Verdict:
    runs = [saved.run for saved in load_saved_runs(state["runs"])]
    if not runs:
        return Verdict(False, "Not yet: there is no run. In “Tune”, press the button “Tune”.")
    found = [(run.last.right, run.last.perplexity[0] / run.looks[0].perplexity[0]) for run in runs]
    for right, factor in found:
        if right >= GOAL_RIGHT and factor <= GOAL_PERPLEXITY:
            return Verdict(
                True,
                f"Yes: {percent(right)} of the answers are correct, and the perplexity on stories grew only"
                f" by"
                f" a factor of {compact(factor)}.",
            )
    right, factor = found[0]
    return Verdict(
        False,
        f"Not yet: in this run {percent(right)} of the answers are correct, and the perplexity on stories"
        f" grew"
        f" by a factor of {compact(factor)}.",
    )


answers_and_remembers = Exercise(
    "answers-and-remembers",
    f"In “Tune”, train the model so that it answers at least {percent(GOAL_RIGHT)} of the unseen questions"
    f" and its perplexity on stories grows by a factor of at most {GOAL_PERPLEXITY}.",
    remembers,
    "What could the model read between the questions so that it does not forget its stories?",
    experiment="tune",
)
EXERCISES = (rule_of_thumb, answers_and_remembers)
