"""Question types shared by all lessons. The right answer is computed when a learner answers."""

from collections.abc import Callable, Iterable, Mapping

from lessons.kit.contract import Choice, Exercise, Number, State, Verdict
from lessons.kit.controls import Percentage
from lessons.kit.language import translate

TWO_DECIMALS = 0.0051  # tolerance: half a unit of the second decimal, plus rounding errors
WHOLE_NUMBER = 0.5  # tolerance: any number that rounds to the right one


def one_of(label: str, options: Iterable[str]) -> Choice:
    """An answer chosen from options, without a default."""
    return Choice("answer", label, None, tuple(options))


Why = str | Callable[[], str]  # an explanation, or a function that computes it when it is needed


def resolve_text(why: Why) -> str:
    return translate(why) if isinstance(why, str) else why()


def guess(
    slug: str,
    question: str,
    whys: Mapping[str, Why],
    answer: Callable[[], str | None],
    hint: str,
    covers: tuple[str, ...] = (),
) -> Exercise:
    """A prediction, asked before the learner sees the answer.

    `whys`: option → explanation. `answer` computes the right option; if it returns None, no guess is wrong.
    `covers`: views that would reveal the answer.
    """

    def check(chosen: str, state: State) -> Verdict:
        right, why = answer(), resolve_text(whys[chosen])
        if right is None:
            return Verdict(None, translate("There is no single right answer. {why}", why=why))
        if chosen == right:
            return Verdict(True, translate("Yes. {why}", why=why))
        return Verdict(False, translate("No. {why} The answer: {right}.", why=why, right=translate(right)))

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
    """A question answered with a number; right if it differs from the computed one by at most `within`."""

    def check(typed: float, state: State) -> Verdict:
        # 67% answers both “what fraction” and “what percentage”
        values = (typed, 100 * typed) if isinstance(typed, Percentage) else (typed,)
        if any(abs(value - answer()) < within for value in values):
            return Verdict(True, translate("Yes. {why}", why=resolve_text(why)))
        return Verdict(False, translate("Not yet. {hint}", hint=translate(hint)))

    def solution() -> str:
        """The answer for lecturers, with up to four decimals."""
        return f"{answer():,.4f}".rstrip("0").rstrip(".").replace("-", "−")

    entry = Number("answer", "Your answer")
    return Exercise(slug, question, check, hint, entry, experiment, solution=solution, tolerance=within)


def option_verdicts(exercise: Exercise, state: State) -> list[tuple[str, Verdict]]:
    """Each option of a question with its verdict."""
    options = exercise.answer.options if isinstance(exercise.answer, Choice) else ()
    return [(option, exercise.check(option, state)) for option in options]


def nearest_option(options: Iterable[str], value: float) -> str:
    """The option whose number is closest to the value."""
    return min(options, key=lambda option: abs(float(option) - value))
