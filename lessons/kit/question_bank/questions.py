"""All guesses and exercises of a lesson as plain data with computed answers.

A challenge, whose answer is a state of the experiment, becomes an open question: learners hand in the link
of their state.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from lessons.kit.contract import Exercise, Experiment, Lesson, State, lesson_numbers
from lessons.kit.exercises import option_verdicts
from lessons.kit.templates import subscript_html

COURSE = "Seq2See"
HAND_IN = "Do this in the experiment, press “copy link” and paste the link here."


@dataclass(frozen=True)
class Option:
    text: str
    is_right: bool  # True for every option if the right one is unknown
    feedback: str


@dataclass(frozen=True)
class BankQuestion:
    """A question with options, with a number as its answer, or open."""

    id: str
    title: str
    text: str
    hint: str
    experiment: Experiment | None  # the experiment that the question is about
    link: str  # address of the experiment on the site; empty without an experiment
    options: tuple[Option, ...] = ()
    answer: float | None = None
    tolerance: float = 0.0
    feedback: str = ""  # text shown after a number is typed, or to the person who grades an open question


@cache
def lesson_questions(lesson: Lesson) -> tuple[BankQuestion, ...]:
    """Compute the answers of all guesses and exercises of a lesson; this runs its models."""
    guesses = [
        bank_question(lesson, experiment.predict, experiment, f"{lesson.slug}-{experiment.slug}-predict")
        for experiment in lesson.experiments
        if experiment.predict
    ]
    exercises = [
        bank_question(
            lesson,
            exercise,
            lesson.experiment(exercise.experiment) if exercise.experiment else None,
            f"{lesson.slug}-check-{exercise.slug}",
        )
        for exercise in lesson.exercises
    ]
    return (*guesses, *exercises)


def bank_question(lesson: Lesson, exercise: Exercise, experiment: Experiment | None, id: str) -> BankQuestion:
    """Compute the options or the number of one question, in the default state of its experiment."""
    state = experiment.state() if experiment else {}
    link = f"{lesson.slug}?experiment={experiment.slug}" if experiment else ""
    is_guess = experiment is not None and exercise is experiment.predict
    title = f"{lesson.title}: {experiment.title if experiment and is_guess else exercise.slug}"
    options = bank_options(exercise, state)
    number, feedback = right_number(exercise, state)
    is_open = not options and number is None
    text = f"{exercise.question} {HAND_IN}" if is_open else exercise.question
    return BankQuestion(
        id=id,
        title=title,
        text=text,
        hint=exercise.hint,
        experiment=experiment,
        link=link,
        options=options,
        answer=number,
        tolerance=exercise.tolerance,
        feedback=feedback,
    )


def bank_options(exercise: Exercise, state: State) -> tuple[Option, ...]:
    """The options of a question. If none is right, or the right one is unknown, every option is accepted."""
    verdicts = option_verdicts(exercise, state)
    nobody_can_tell = not any(verdict.ok for _, verdict in verdicts)
    return tuple(
        Option(option, bool(verdict.ok) or nobody_can_tell, verdict.message) for option, verdict in verdicts
    )


def right_number(exercise: Exercise, state: State) -> tuple[float | None, str]:
    """The number that answers an exercise, with its explanation; None and the solution if it has none."""
    solution = exercise.solution() if exercise.solution else exercise.hint
    if exercise.answer is None or not exercise.tolerance:
        return None, solution
    answer = float(exercise.answer.check(solution))
    return answer, exercise.check(answer, state).message


def category(lesson: Lesson, lessons: Sequence[Lesson]) -> str:
    """Name of the lesson's folder in a question bank."""
    return f"{COURSE}, lesson {lesson_numbers(lessons)[lesson.slug]}. {lesson.title}"


def question_html(question: BankQuestion, root: str) -> str:
    """The text of a question as HTML, with a link to its experiment if the address of the site is known."""
    text = subscript_html(question.text)
    if not (question.experiment and root):
        return f"<p>{text}</p>"
    link = Markup('<a href="{}">{}</a>').format(f"{root}/{question.link}", question.experiment.title)
    return f"<p>{text}</p><p>Experiment: {link}</p>"


def number_text(number: float) -> str:
    """A number with up to twelve digits, as platforms read it."""
    return f"{number:.12g}"
