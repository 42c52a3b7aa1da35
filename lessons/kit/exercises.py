"""Questions that every lesson asks in the same way. The right answer is worked out when somebody answers, never typed in."""

from collections.abc import Callable, Iterable

from lessons.kit.contract import Choice, Exercise, Number, State, Verdict

HUNDREDTH = 0.0051  # half of the second decimal, and a little for what rounding adds
WHOLE = 0.5  # any number that rounds to the right one


def one_of(label: str, options: Iterable[str]) -> Choice:
    """An answer chosen among options; none is chosen at first."""
    return Choice("answer", label, None, tuple(options))


def guess(slug: str, question: str, options: Iterable[str], answer: Callable[[], str], look: str) -> Exercise:
    """A prediction: `answer` computes which option is right; `look` says where to see it."""

    def check(given: str, state: State) -> Verdict:
        right = answer()
        return Verdict(given == right, f"{'Yes' if given == right else 'No'}: {right}. {look}")

    return Exercise(slug, question, check, look, one_of("Your guess", options))


def number(
    slug: str,
    question: str,
    answer: Callable[[], float],
    hint: str,
    why: str,
    within: float = HUNDREDTH,
    experiment: str | None = None,
) -> Exercise:
    """An answer typed as a number; right if it is nearer than `within` to what the code works out."""

    def check(given: float, state: State) -> Verdict:
        right = abs(given - answer()) < within
        return Verdict(right, f"Yes. {why}" if right else f"Not yet. {hint}")

    return Exercise(slug, question, check, hint, Number("answer", "Your answer"), experiment)


def nearest(options: Iterable[str], value: float) -> str:
    """Of numbers written as options, the one closest to the value."""
    return min(options, key=lambda option: abs(float(option) - value))
