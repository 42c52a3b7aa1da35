"""Check yourself. Every right answer is computed here, none is typed in."""

import numpy as np
import torch

from lessons.kit.contract import Exercise, Number, State, Verdict
from lessons.kit.exercises import WHOLE, number, one_of
from lessons.qkv.compute import bank, blank, cost, dynamic, general, heads, layer, swoop
from lessons.qkv.guesses import weights_of
from models.multihead import causal


def numbered(given: float, state: State) -> Verdict:
    """The task that the slider in Parameters shows just now."""
    task = heads.task(state["number"])
    if round(given) == task.answer:
        return Verdict(True, f"Yes, task {task.number}: d = {task.d}, T = {task.T}, and T plays no part.")
    return Verdict(
        False,
        f"Not yet: task {task.number} has d = {task.d} and T = {task.T}. Three matrices; which of the two"
        " sizes do they have?",
    )


def is_C(given: str, _: State) -> Verdict:
    """Tries the expression where nothing fits by accident: T, T′ and m all differ."""
    run = swoop.swoop(given, T=5, steps=4, m=3, seed=1)
    return Verdict(
        not run.fault, "Yes: its rows are the contexts c_t." if not run.fault else f"No. {run.fault}"
    )


def two_voices(_: None, state: State) -> Verdict:
    run = layer.advice(**state)
    weights = dict(zip(run.experts, run.weights, strict=True))
    word, most = run.blend[run.words.index("signal")], max(weights["biologist"], weights["programmer"])
    if word >= 0.9 and most <= 0.6:
        return Verdict(True, f"Yes: “signal” has {word:.2f}, and no single expert more than {most:.2f}.")
    return Verdict(
        False,
        f"“signal” has {word:.2f} and its louder speaker {most:.2f}. Who says it, and who else is heard?",
    )


def all_look_at_first(_: None, state: State) -> Verdict:
    run = layer.matrices(**state)
    if len(run.X) < 3 or run.mask:
        return Verdict(False, "Use at least three rows, with the mask off.")
    least = run.A[:, 0].min()
    if least >= 0.8:
        return Verdict(True, f"Yes: every row gives the first at least {least:.2f}.")
    return Verdict(
        False,
        f"Row {int(run.A[:, 0].argmin()) + 1} gives the first only {least:.2f}. Its score must stand out in"
        " every row of E.",
    )


def taller(_: None, state: State) -> Verdict:
    run = general.general(**state)
    if run.Y is None:
        return Verdict(False, "There is no Y: first let queries and keys meet.")
    if run.V.shape[1] > 1:
        return Verdict(False, f"V has {run.V.shape[1]} columns. Give W_V a single one.")
    said = f"Y has {run.Y.size}, X has {run.X.size}"
    if run.Y.size > run.X.size:
        return Verdict(True, f"Yes: {said}. How many rows Y has is up to who asks.")
    return Verdict(False, f"Not yet: {said}. Y is one column wide now: what makes it taller?")


def overtaken() -> float:
    """The first length at which M has more parameters than the three matrices, for d = 8."""
    return next(float(T) for T in dynamic.LENGTHS if np.diff(dynamic.learned(T, 8)[::2]) < 0)


def fully_overtaken() -> int:
    """The same for a layer from all T · d numbers to all T · d numbers."""
    return next(T for T in dynamic.LENGTHS if dynamic.learned(T, 8)[2] < (T * 8) ** 2)


def undecided(_: None, state: State) -> Verdict:
    run = bank.bank(**{**state, "t": 99})
    if len(run.words) < run.position + 3:
        return Verdict(False, f"Write at least two words after “{run.word}”.")
    left = run.unfolding[1, -1].max()
    if left < 0.7:
        return Verdict(
            True,
            f"Yes: after “{run.words[-1]}” the likelier sense still has only {left:.2f}. Nothing has told"
            " yet.",
        )
    sense = run.senses[int(run.unfolding[1, -1].argmax())]
    return Verdict(False, f"It is {left:.2f} sure of {sense}. Which word told it? Stop before that one.")


def later(_: None, state: State) -> Verdict:
    run = blank.blank(**state)
    left = run.readers.index(bank.LEFT)
    there, here = run.together[left].max(), run.sense[left].max()
    said = f"From left to right: {there:.2f} at the blank, {here:.2f} at “{run.word}”."
    if run.position > run.place:
        return Verdict(False, f"{said} Let “{run.word}” come before the blank.")
    if there < blank.SURE:
        return Verdict(
            False,
            f"{said} At the blank it does not know yet: the word that tells must come before the blank.",
        )
    if here >= 0.7:
        return Verdict(
            False, f"{said} It knew at “{run.word}” already: let the word that tells come after “{run.word}”."
        )
    return Verdict(True, f"Yes. {said} What tells stands between the two.")


def meeting_point() -> float:
    """The length at which the projections are half of the work, by the counts of the experiment."""
    d = 64
    lengths = np.arange(1, 513)
    projections = 4 * lengths * d**2
    return float(lengths[abs(cost.counted(lengths, d, True)["products"][1] - 2 * projections).argmin()])


CHECK_YOURSELF = (
    number(
        "three-hundred",
        "d = 10, T = 4, one head, no biases. How many numbers do W_Q, W_K and W_V hold together?",
        lambda: heads.task(0).answer,
        "Each takes a row of d numbers to a row of d numbers. Is there a T in that?",
        "Three matrices of 10×10, and T plays no part.",
        WHOLE,
    ),
    Exercise(
        "variation",
        "And the task that Parameters shows just now, under “Can you count another one?” (its slider has a"
        " hundred)?",
        numbered,
        "Three matrices, each d×d.",
        Number("answer", "Your answer"),
        "parameters",
        solution=lambda: (
            f"3 · d² for the d of the task shown: {heads.task(0).answer} for task 0 (d = {heads.task(0).d})"
        ),
    ),
    Exercise(
        "contexts",
        "S has a row for each target step, H a row for each source word. Which expression makes all contexts"
        " at once?",
        is_C,
        "Write the shapes beneath: T′×m times m×T, and then? And which way must the weights add up to 1?",
        one_of("Expression", swoop.EXPRESSIONS),
        "swoop",
    ),
    number(
        "scores",
        "A decoder has written 7 words and looks at 9 source words. How many scores are in E?",
        lambda: weights_of(T=9, steps=7).size,
        "One score for each pair of a query and a key.",
        "7 queries times 9 keys.",
        WHOLE,
    ),
    number(
        "size-of-Y",
        "6 queries and 9 inputs; queries and keys have 3 numbers each, values have 2. How many numbers"
        " has Y?",
        lambda: layer.attend(torch.zeros(6, 3), torch.zeros(9, 3), torch.zeros(9, 2)).last("Y").numel(),
        "Every query takes home a mixture of values. How long is a mixture?",
        "6 rows of 2: how many inputs there are, and how wide keys are, plays no part.",
        WHOLE,
        "layer",
    ),
    Exercise(
        "taller",
        "In “In general”, get a Y with more numbers than X, though W_V has a single column.",
        taller,
        "Y has a row for each query. Who says how many queries there are?",
        experiment="layer",
    ),
    number(
        "overtaken",
        "d = 8, no biases. M is T × T: one weight for each pair of places, used for all d numbers of a word."
        " From which T on does M have more parameters than W_Q, W_K and W_V together?",
        overtaken,
        "How many parameters does a T × T matrix have? Compare that number with 3d².",
        lambda: (
            f"M has {overtaken():.0f}² = {overtaken() ** 2:.0f} parameters there, the three matrices 3 · 8² ="
            f" {dynamic.learned(1, 8)[2]}. From all T · d numbers to all T · d numbers it would be (T · d)²,"
            f" more from T = {fully_overtaken()} on."
        ),
        WHOLE,
        "dynamic",
    ),
    number(
        "hidden",
        "T = 6, with the causal mask. How many of the 36 weights are 0 because of the mask?",
        lambda: int((~causal(6)).sum()),
        "Row 1 may look at one word, row 2 at two, … Count the hatched cells.",
        "5 + 4 + 3 + 2 + 1.",
        WHOLE,
        "mask",
    ),
    Exercise(
        "two-voices",
        "In Advice, give the word “signal” at least 0.9 in the blend, with no expert above 0.6.",
        two_voices,
        "Two experts say it. Their weights add up.",
        experiment="advice",
    ),
    Exercise(
        "first-row",
        "In The layer, make every one of at least three rows give 0.8 or more of its weight to the first row,"
        " mask off.",
        all_look_at_first,
        "A long key pulls every query that points its way: make the first row of X large and the queries"
        " alike.",
        experiment="matrices",
    ),
    Exercise(
        "undecided",
        "In Bank, write at least two words after the ambiguous word and keep even the two-sided model"
        " undecided (below 0.7).",
        undecided,
        "Leave out the word that settles the sense: stop the sentence before it.",
        experiment="bank",
    ),
    Exercise(
        "later",
        "In Blank, let the left-to-right model know the sense at the blank (above 0.8), but not at the"
        " ambiguous word (below 0.7).",
        later,
        "It knows what it has read so far. Where must the word that tells stand?",
        experiment="blank",
    ),
    number(
        "meeting-point",
        "d = 64. At which T do the scores and sums (2T²d multiplications) cost as much as the projections"
        " (4Td²)?",
        meeting_point,
        "Divide both by 2Td.",
        "Shorter sentences pay for the projections, longer ones for the scores.",
        WHOLE,
        "cost",
    ),
)
