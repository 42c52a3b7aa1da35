"""Questions that every lesson asks in the same way. The right answer is worked out when somebody answers, never typed in."""

from collections.abc import Callable, Iterable, Mapping

from lessons.kit.contract import Choice, Exercise, Number, State, Verdict

HUNDREDTH = 0.0051  # half of the second decimal, and a little for what rounding adds
WHOLE = 0.5  # any number that rounds to the right one


def one_of(label: str, options: Iterable[str]) -> Choice:
    """An answer chosen among options; none is chosen at first."""
    return Choice("answer", label, None, tuple(options))


Why = str | Callable[[], str]  # worked out when somebody answers


def worded(why: Why) -> str:
    return why if isinstance(why, str) else why()


def guess(
    slug: str,
    question: str,
    whys: Mapping[str, Why],
    answer: Callable[[], str | None],
    hint: str,
    covers: tuple[str, ...] = (),
) -> Exercise:
    """A prediction. `whys`: every option, right or wrong, with a sentence about why, pointing at what is then in view.

    `answer` computes which option is right; None means that nobody can tell, and then no guess is wrong. `covers` are the views
    that would give it away. `hint` is a way to think.
    """

    def check(given: str, state: State) -> Verdict:
        right, why = answer(), worded(whys[given])
        if right is None:
            return Verdict(None, f"Nobody can tell. {why}")
        return Verdict(given == right, f"Yes. {why}" if given == right else f"No. {why} The answer: {right}.")

    return Exercise(slug, question, check, hint, one_of("Your guess", whys), covers=covers)


def number(
    slug: str,
    question: str,
    answer: Callable[[], float],
    hint: str,
    why: Why,
    within: float = HUNDREDTH,
    experiment: str | None = None,
) -> Exercise:
    """An answer typed as a number; right if it is nearer than `within` to what the code works out."""

    def check(given: float, state: State) -> Verdict:
        right = abs(given - answer()) < within
        return Verdict(right, f"Yes. {worded(why)}" if right else f"Not yet. {hint}")

    def solution() -> str:
        """The answer for lecturers: all digits of a whole number, four decimals of another."""
        return f"{answer():,.4f}".rstrip("0").rstrip(".").replace("-", "−")

    return Exercise(
        slug, question, check, hint, Number("answer", "Your answer"), experiment, solution=solution
    )


def verdicts(exercise: Exercise, state: State) -> list[tuple[str, Verdict]]:
    """Every option of a question, and what is said to who chooses it."""
    options = exercise.answer.options if isinstance(exercise.answer, Choice) else ()
    return [(option, exercise.check(option, state)) for option in options]


def nearest(options: Iterable[str], value: float) -> str:
    """Of numbers written as options, the one closest to the value."""
    return min(options, key=lambda option: abs(float(option) - value))
