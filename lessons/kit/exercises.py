"""Kinds of questions that all lessons share. The right answer is computed when a learner answers."""

from collections.abc import Callable, Iterable, Mapping

from lessons.kit.contract import Choice, Exercise, Number, State, Verdict

TWO_DECIMALS = 0.0051  # tolerance: half of the second decimal, and a little for rounding errors
WHOLE_NUMBER = 0.5  # tolerance: any number that rounds to the right one


def one_of(label: str, options: Iterable[str]) -> Choice:
    """An answer chosen among options, with no default."""
    return Choice("answer", label, None, tuple(options))


Why = str | Callable[[], str]  # an explanation, or a function that computes it when it is needed


def resolve_text(why: Why) -> str:
    return why if isinstance(why, str) else why()


def guess(
    slug: str,
    question: str,
    whys: Mapping[str, Why],
    answer: Callable[[], str | None],
    hint: str,
    covers: tuple[str, ...] = (),
) -> Exercise:
    """A prediction, asked before the learner sees the answer.

    `whys`: each option with its explanation. `answer` computes the right option; None means that there is
    none, and
    then no guess is wrong. `covers` names the views that would give the answer away.
    """

    def check(chosen: str, state: State) -> Verdict:
        right, why = answer(), resolve_text(whys[chosen])
        if right is None:
            return Verdict(None, f"Nobody can tell. {why}")
        return Verdict(
            chosen == right, f"Yes. {why}" if chosen == right else f"No. {why} The answer: {right}."
        )

    return Exercise(slug, question, check, hint, one_of("Your guess", whys), covers=covers)


def number(
    slug: str,
    question: str,
    answer: Callable[[], float],
    hint: str,
    why: Why,
    within: float = TWO_DECIMALS,
    experiment: str | None = None,
) -> Exercise:
    """An answer typed as a number; right if it is within this distance of the computed one."""

    def check(typed: float, state: State) -> Verdict:
        is_right = abs(typed - answer()) < within
        return Verdict(is_right, f"Yes. {resolve_text(why)}" if is_right else f"Not yet. {hint}")

    def solution() -> str:
        """The answer for lecturers, with up to four decimals."""
        return f"{answer():,.4f}".rstrip("0").rstrip(".").replace("-", "−")

    return Exercise(
        slug, question, check, hint, Number("answer", "Your answer"), experiment, solution=solution
    )


def option_verdicts(exercise: Exercise, state: State) -> list[tuple[str, Verdict]]:
    """Each option of a question with its verdict."""
    options = exercise.answer.options if isinstance(exercise.answer, Choice) else ()
    return [(option, exercise.check(option, state)) for option in options]


def nearest_option(options: Iterable[str], value: float) -> str:
    """The option whose number is closest to the value."""
    return min(options, key=lambda option: abs(float(option) - value))
