"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

import torch

from lessons.kit.contract import Exercise, Number, State, Verdict
from lessons.kit.exercises import WHOLE, guess, nearest, number, one_of
from lessons.qkv.compute import bank, between, cost, cross, heads, layer, sets, swoop
from models.multihead import causal

# ---- one guess for each experiment ----

SHARES = ("0.00", "0.25", "1.00")
all_equal = guess(
    "all-equal",
    "All four fields match the question equally well. How much weight does each expert get?",
    SHARES,
    lambda: nearest(SHARES, layer.advice(((2.0,),) * 4, False).weights[0]),
    "Drag all four bars to the same length: softmax looks at differences only.",
)


def written(rows: int, columns: int) -> str:
    return f"{rows}×{columns}"


def size_of_A() -> str:
    zeros = ((0.0,) * layer.MOST,) * layer.MOST
    return written(*layer.matrices(5, 3, "own", 0, True, False, zeros, zeros, zeros, zeros).A.shape)


looking = guess(
    "size-of-a",
    "X has 5 rows of 3 numbers. How large is A?",
    ("3×3", "5×3", "5×5"),
    size_of_A,
    "Set T = 5 and d = 3 and read the shape under A: every row looks at every row.",
)


def size_of_weights() -> str:
    names = {3: "T′", 4: "T", 2: "m"}
    rows, columns = swoop.swoop("softmax(S Hᵀ) H", T=4, steps=3, m=2, seed=0).weights.shape
    return written(names[rows], names[columns])


shape = guess(
    "shape",
    "S is T′×m and H is T×m. How large is softmax(S Hᵀ)?",
    ("T′×T", "T×T′", "m×m"),
    size_of_weights,
    "One row for each target step, one column for each source word: the alignment map of lesson 3.",
)

DIFFERENCES = ("only by rounding", "by about 0.1", "by more than 0.5")


def same_layer() -> str:
    found = cross.cross("he hit me with a pie .", "seq2seq, dot", 1).weights_difference
    return DIFFERENCES[0] if found < 1e-5 else DIFFERENCES[1] if found < 0.5 else DIFFERENCES[2]


recovered = guess(
    "recovered",
    "Give this layer Q = S and K = V = H of a trained translator. By how much do its weights differ from the translator’s own?",
    DIFFERENCES,
    same_layer,
    "The two maps and the reading say it.",
)

ALONG = ("it moves along, unchanged", "it changes a little", "it becomes another word’s")


def along() -> str:
    run = sets.order("the dog sees the man .", "reversed", 0, False, 1)
    return ALONG[0] if run.moved[0].max() < 1e-4 else ALONG[1] if run.moved[0].max() < run.size else ALONG[2]


equivariant = guess(
    "equivariant",
    "Reverse the sentence, no positions. What happens to the output of “dog”?",
    ALONG,
    along,
    "The bars are the change of each word’s output.",
)

NOTICE = ("none", "only the one before it", "all eight")


def noticing() -> str:
    run = sets.mask("i arrived at the bank after crossing the river .", 9, "street", True)
    count = int((run.moved[:8] > 0).sum())
    return {0: NOTICE[0], 1: NOTICE[1]}.get(count, NOTICE[2])


looks_ahead = guess(
    "looks-ahead",
    "With the mask on, word 9 is replaced. How many of the eight outputs before it notice?",
    NOTICE,
    noticing,
    "Then switch the mask off and look again.",
)

COUNTS = ("the same", "8 times as many", "an eighth")


def more_heads() -> str:
    one, eight = (heads.learned(heads.fresh(64, many)) for many in (1, 8))
    return {1: COUNTS[0], 8: COUNTS[1]}.get(eight / one, COUNTS[2])


more = guess(
    "more-heads",
    "From 1 head to 8 heads, d stays 64. How many numbers does the layer learn then?",
    COUNTS,
    more_heads,
    "Heads share the d numbers: each gets d / heads of them.",
)

SURE = ("0.00", "0.50", "1.00")
at_bank = guess(
    "at-bank",
    "“I arrived at the bank after crossing the river.” Reading left to right, how probable is the river’s bank at the word “bank”?",
    SURE,
    lambda: nearest(SURE, bank.bank("i arrived at the bank after crossing the river .", 5).now[0, 1]),
    "At “bank” the river has not come yet, and the mask lets nothing come later.",
)

TIMES = ("as many", "twice as many", "four times as many")


def longer() -> str:
    short, long = (int(heads.parameters(10, T, 1, 0).learned[:3].sum()) for T in (4, 8))
    return {1: TIMES[0], 2: TIMES[1], 4: TIMES[2]}[long // short]


twice_as_long = guess(
    "twice-as-long",
    "The sentence grows from 4 to 8 words, d = 10. How many numbers do W_Q, W_K, W_V hold now?",
    TIMES,
    longer,
    "Move T and watch which bars follow.",
)


def more_scores() -> str:
    few, many = (int(heads.parameters(10, T, 1, 0).computed[3]) for T in (4, 8))
    return {1: TIMES[0], 2: TIMES[1], 4: TIMES[2]}[many // few]


scores_grow = guess(
    "scores-grow",
    "A sentence of twice as many words has how many scores in E?",
    TIMES,
    more_scores,
    "Every word looks at every word: T² scores.",
)

SORTED = ("it stays the same", "it changes")


def sorted_words() -> str:
    run = between.between("the man sees the dog .", True, "words")
    return SORTED[0] if run.outputs[1] == run.as_typed[1] else SORTED[1]


unordered = guess(
    "unordered",
    "Sort the words of a sentence from A to Z. What happens to the translation of the encoder without positions?",
    SORTED,
    sorted_words,
    "Try “Sorted”, and compare the lines of the models.",
)


# ---- check yourself ----


def numbered(given: float, state: State) -> Verdict:
    """The task that the slider in Parameters shows just now."""
    task = heads.task(state["number"])
    if round(given) == task.answer:
        return Verdict(True, f"Yes, task {task.number}: d = {task.d}, T = {task.T}, and T plays no part.")
    return Verdict(
        False,
        f"Not yet: task {task.number} has d = {task.d} and T = {task.T}. Three matrices; which of the two sizes do they have?",
    )


def is_C(given: str, _: State) -> Verdict:
    """Tries the expression where nothing fits by accident: T, T′ and m all differ."""
    run = swoop.swoop(given, T=5, steps=4, m=3, seed=1)
    return Verdict(not run.fault, "Yes: its rows are the contexts c_t." if not run.fault else f"No. {run.fault}")


def two_voices(_: None, state: State) -> Verdict:
    run = layer.advice(**state)
    weights = dict(zip(run.experts, run.weights, strict=True))
    word, most = run.blend[run.words.index("signal")], max(weights["biologist"], weights["programmer"])
    if word >= 0.9 and most <= 0.6:
        return Verdict(True, f"Yes: “signal” has {word:.2f}, and no single expert more than {most:.2f}.")
    return Verdict(False, f"“signal” has {word:.2f} and its louder speaker {most:.2f}. Who says it, and who else is heard?")


def all_look_at_first(_: None, state: State) -> Verdict:
    run = layer.matrices(**state)
    if len(run.X) < 3 or run.mask:
        return Verdict(False, "Use at least three rows, with the mask off.")
    least = run.A[:, 0].min()
    if least >= 0.8:
        return Verdict(True, f"Yes: every row gives the first at least {least:.2f}.")
    return Verdict(
        False, f"Row {int(run.A[:, 0].argmin()) + 1} gives the first only {least:.2f}. Its score must stand out in every row of E."
    )


def undecided(_: None, state: State) -> Verdict:
    run = bank.bank(**state | {"t": 99})
    if len(run.words) < run.position + 3:
        return Verdict(False, f"Write at least two words after “{run.word}”.")
    left = run.unfolding[1, -1].max()
    if left < 0.7:
        return Verdict(True, f"Yes: after “{run.words[-1]}” the likelier sense still has only {left:.2f}. Nothing has told yet.")
    sense = run.senses[int(run.unfolding[1, -1].argmax())]
    return Verdict(False, f"It is {left:.2f} sure of {sense}. Which word told it? Stop before that one.")


def meeting_point() -> float:
    """The length at which one more row of scores costs as much as one projection, by the counts of the experiment."""
    d = 64
    lengths = torch.arange(1, 513).numpy()
    products = cost.counted(lengths, d, True)["products"][1]
    from_scores = products - 4 * lengths * d**2
    return float(lengths[abs(from_scores - 2 * lengths * d**2).argmin()])


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
        "And the task that the tab Parameters shows just now (move its task slider for another one)?",
        numbered,
        "Three matrices, each d×d.",
        Number("answer", "Your answer"),
        "parameters",
    ),
    Exercise(
        "contexts",
        "S has a row for each target step, H a row for each source word. Which expression makes all contexts at once?",
        is_C,
        "Write the shapes beneath: T′×m times m×T, and then? And which way must the weights add up to 1?",
        one_of("Expression", swoop.EXPRESSIONS),
        "swoop",
    ),
    number(
        "scores",
        "A decoder has written 7 words and looks at 9 source words. How many scores are in E?",
        lambda: swoop.swoop("softmax(S Hᵀ) H", T=9, steps=7, m=2, seed=0).scores.size,
        "One score for each pair of a query and a key.",
        "7 queries times 9 keys.",
        WHOLE,
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
        "In The layer, make every one of at least three rows give 0.8 or more of its weight to the first row, mask off.",
        all_look_at_first,
        "A long key pulls every query that points its way: make the first row of X large and the queries alike.",
        experiment="matrices",
    ),
    Exercise(
        "undecided",
        "In Bank, write at least two words after the ambiguous word and keep even the two-sided model undecided (below 0.7).",
        undecided,
        "Leave out the word that settles the sense: stop the sentence before it.",
        experiment="bank",
    ),
    number(
        "meeting-point",
        "d = 64. At which T do the scores and sums (2T²d multiplications) cost as much as two projections (2Td²)?",
        meeting_point,
        "Divide both by 2Td.",
        "Shorter sentences pay for the projections, longer ones for the scores.",
        WHOLE,
        "cost",
    ),
)
