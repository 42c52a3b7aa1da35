"""One guess for each experiment, before the hand moves. Every right answer is computed here, none is typed in."""

import numpy as np

from lessons.kit.exercises import guess, nearest
from lessons.kit.pictures.numbers import short, signed
from lessons.qkv.compute import bank, between, blank, cost, cross, dynamic, general, heads, layer, sets, swoop

PIE = "he hit me with a pie ."
DOG = "the dog sees the man ."
RIVER = "i arrived at the bank after crossing the river ."
MUDDY = "i arrived at the bank after crossing the ___ and it was muddy ."

NOTHING, GAINS, CLOSER = "no weight moves", "the engineer gains", "they come closer"


def raised() -> str:
    start, more = (layer.advice(layer.raised(by), False).weights for by in (0, 1))
    moved = more.max() - start.max()
    return NOTHING if abs(moved) < 1e-9 else GAINS if moved > 0 else CLOSER


one_more = guess(
    "one-more",
    "At the start the matches are 4, 1, 2 and 1.5. Add 1 to each: what happens to the weights?",
    {
        NOTHING: (
            "Softmax looks at differences only, and they are as before: choose “One more each” and compare."
        ),
        GAINS: "The engineer led by 2 and still leads by 2. Only a larger lead brings more weight.",
        CLOSER: (
            "5 to 3 is closer in proportion than 4 to 2, but softmax looks at differences, not at"
            " proportions."
        ),
    },
    raised,
    "exp(4 + 1) is exp(1) times exp(4). Which factors do all four share?",
)

ALL, FIRST, OTHERS = "all rows", "row 1 only", "rows 2 and 3 only"


def with_one_changed() -> layer.Attention:
    """The layer at the start, but for the first number of X."""
    X, *W = layer.START
    X = ((X[0][0] + 0.5, *X[0][1:]), *X[1:])
    return layer.matrices(3, 2, "own", 0, True, False, X, *W)


def reached() -> str:
    moved = (with_one_changed().moved > 1e-9).tolist()
    return {(True, True, True): ALL, (True, False, False): FIRST}.get(tuple(moved), OTHERS)


one_number = guess(
    "one-number",
    "At the start there are three rows. You change one number in row 1 of X: which rows of Y change?",
    {
        ALL: lambda: (
            "Row 1 of K and V changes too, and the first column of A is nowhere 0. With 0.5 more in its"
            f" first cell, rows 2 and 3 of Y move by {with_one_changed().moved[1]:.2f} and"
            f" {with_one_changed().moved[2]:.2f}."
        ),
        FIRST: "So it is for Q, K and V, made row by row. But every row of A has some weight in column 1.",
        OTHERS: (
            "They do, as they look at row 1. But row 1 looks at itself as well, and its query has changed."
        ),
    },
    reached,
    "Follow row 1 along the arrows. Who uses a row of K, or of V?",
)


def widened(matrix: str = "") -> general.General:
    """In general, as it starts, with one column more in this matrix."""
    widths = {"wide_Q": 2, "wide_K": 2, "d_V": 4}
    if matrix:
        widths[{"W_Q": "wide_Q", "W_K": "wide_K", "W_V": "d_V"}[matrix]] += 1
    return general.general(
        T=5, d_X=3, own=False, T_Q=2, d_Q=4, **widths, fill="random", seed=2, turn="nothing"
    )


def still_made() -> str | None:
    (found,) = (matrix for matrix in ("W_Q", "W_K", "W_V") if widened(matrix).Y is not None)
    return found


def torch_says(matrix: str) -> str:
    return f"torch says “{widened(matrix).fault}”"


free = guess(
    "free",
    "At the start Q and K have 2 columns each, V has 4. One matrix gets one more column: with which can Y"
    " still be made?",
    {
        "W_Q": lambda: f"Queries of 3 numbers cannot meet keys of 2: {torch_says('W_Q')}.",
        "W_K": lambda: f"Keys of 3 numbers cannot meet queries of 2: {torch_says('W_K')}.",
        "W_V": lambda: (
            f"Values are only added up: V and Y have {widened('W_V').V.shape[1]} columns then. Move the"
            " slider to see it."
        ),
    },
    still_made,
    "Which of Q, K and V meet in a dot product, and which is only added up?",
    covers=("agree",),
)


def written(rows: int, columns: int) -> str:
    return f"{rows}×{columns}"


def weights_of(T: int, steps: int) -> np.ndarray:
    """Of all steps at once."""
    weights = swoop.swoop("softmax(S Hᵀ) H", T=T, steps=steps, m=2, seed=0).weights
    assert weights is not None  # S and Hᵀ always meet
    return weights


def size_of_weights() -> str:
    return written(*weights_of(T=4, steps=3).shape)


shape = guess(
    "shape",
    "At the start S is 3×2 and H is 4×2. How large is softmax(S Hᵀ)?",
    {
        "3×4": (
            "A row for each of 3 target steps, a column for each of 4 source words: choose “All contexts” to"
            " see it."
        ),
        "4×3": "That is H Sᵀ, as in the picture: its rows are source words, and so it cannot meet H.",
        "2×2": "The 2 numbers of a state are summed over: no side of the product keeps them.",
    },
    size_of_weights,
    "A product has the rows of its first factor and the columns of its second.",
)

SAME, TENTH, FAR = "only by rounding", "by about 0.1", "by more than 0.5"


def difference() -> float:
    return cross.cross(PIE, "seq2seq, dot", 1).weights_difference


recovered = guess(
    "recovered",
    "This layer gets Q = S and K = V = H of a trained translator. How far are its weights from the"
    " translator’s own?",
    {
        SAME: lambda: f"The largest difference is {short(difference(), 2)}: the two maps are one.",
        TENTH: lambda: (
            f"Point at any cell, left and right: no two differ by more than {short(difference(), 2)}."
        ),
        FAR: (
            "The translator, too, takes a softmax of dot products; with Q = S and K = H they are the same dot"
            " products."
        ),
    },
    lambda: SAME if difference() < 1e-5 else TENTH if difference() < 0.5 else FAR,
    "Write α of lesson 3 above A of this lesson, and compare symbol by symbol.",
    covers=("own",),
)

ALONG, LITTLE, OTHER = "it moves along, unchanged", "it changes a little", "it becomes another word’s"


def order() -> sets.Order:
    return sets.order(DOG, "reversed", 0, False, 1)


def along() -> str:
    most = order().moved[0].max()
    return ALONG if most < 1e-4 else LITTLE if most < order().size else OTHER


equivariant = guess(
    "equivariant",
    "The sentence is reversed, and no positions are added. What happens to the output of “dog”?",
    {
        ALONG: lambda: (
            f"No number of any output changes by more than {short(order().moved[0].max(), 2)}, which is"
            " rounding."
        ),
        LITTLE: lambda: (
            f"It would, with positions: the ticks reach {order().moved[1].max():.2f}. Without, all bars are"
            " at 0."
        ),
        OTHER: "Every bar compares a word with itself at its old place, and every bar is at 0.",
    },
    along,
    "Does a dot product of two words know where they stand?",
    covers=("moved", "before", "after"),
)


def reversed_words() -> dynamic.Dynamic:
    return dynamic.dynamic("reversed", dynamic.MADE_FOR, 4, 0)


def followed() -> str:
    (found,) = (layer for layer, count in zip(dynamic.LAYERS, reversed_words().changed, strict=True) if count)
    return found


anew = guess(
    "anew",
    "A sentence is put in reverse. In which layer do the weights between places change?",
    {
        "fully connected": lambda: (
            f"Row 1 of M takes {signed(reversed_words().now[0, 0, 1])} of place 2, whoever stands there. "
            "Other words come out, by the same weights."
        ),
        "convolution": "Its three numbers say left, here and right. Who stands there they never ask.",
        "attention": lambda: (
            f"A is made from the words that have come: {reversed_words().changed[2]} of its"
            f" {reversed_words().now[2].size} weights are outlined, and none of the others’."
        ),
    },
    followed,
    "Which of these weights could you write down before you have read the sentence?",
    covers=("fixed", "window", "made", "of_fixed", "of_window", "of_made", "made_before", "made_now"),
)

NONE, ONE, EVERY = "none", "only the one before it", "all eight"


def masked(on: bool) -> sets.Mask:
    return sets.mask(RIVER, 9, "street", on)


looks_ahead = guess(
    "looks-ahead",
    "With the mask on, word 9 is replaced. How many of the eight outputs before it notice?",
    {
        NONE: "Nobody before word 9 may look at it, in any layer: their bars are exactly 0.",
        ONE: "The neighbour may not look ahead either: in the row of word 8 the cell of word 9 is hatched.",
        EVERY: lambda: (
            f"Without the mask they do, by up to {masked(False).moved_before:.2f}: choose “A leak”."
        ),
    },
    lambda: {0: NONE, 1: ONE}.get(int((masked(True).moved[:8] > 0).sum()), EVERY),
    "News of word 9 must first be fetched by somebody who looks at it. Who may?",
    covers=("gaze", "moved"),
)

EQUAL, EIGHTFOLD, EIGHTH = "the same", "8 times as many", "an eighth"


def of_heads(many: int) -> int:
    return heads.learned(heads.fresh(64, many))


more = guess(
    "more-heads",
    "From 1 head to 8 heads, d stays 64. How many numbers does the layer learn then?",
    {
        EQUAL: lambda: (
            f"{of_heads(1):,} with one head, {of_heads(8):,} with eight: they share the 64 numbers, 8 for"
            " each."
        ),
        EIGHTFOLD: (
            "Eight maps, but not eight layers: each head has an eighth of the columns of W_Q, W_K and W_V."
        ),
        EIGHTH: "Each head is an eighth as wide, and there are eight of them.",
    },
    lambda: {1.0: EQUAL, 8.0: EIGHTFOLD}.get(of_heads(8) / of_heads(1), EIGHTH),
    "W_Q is 64×64. Cut it into pieces of 8 columns: what is the sum of the pieces?",
    covers=("growth",),
)

SURE = {
    "0.00": "It has no reason to rule the river out: the sentence may still end with one.",
    "0.50": "At “bank” the river has not come yet, and the mask lets nothing reach “bank” later.",
    "1.00": "The two-sided model comes to that. This one would have to look ahead from “bank”.",
}
at_bank = guess(
    "at-bank",
    "At the start: “I arrived at the bank after crossing the river.” Read from left to right, how probable is"
    " the river’s bank?",
    SURE,
    lambda: nearest(SURE, bank.bank(RIVER, 5).now[0, 1]),
    "Cover everything after “bank” with a hand. What would you say?",
    covers=("left_to_right", "senses", "curve", "gaze"),
)

BOTH, ONLY, NEITHER = "both models", "only the two-sided one", "neither"


def muddy() -> np.ndarray:
    """(readers) by how much river words are likelier than street words, from the left and with both sides in view"""
    return np.diff(blank.blank(MUDDY).together)[:, 0]


def prefer_river() -> str | None:
    return {(True, True): BOTH, (False, True): ONLY, (False, False): NEITHER}.get(
        tuple((muddy() > 0.5).tolist())
    )


who_knows = guess(
    "who-knows",
    "“I arrived at the bank after crossing the ___ and it was muddy.” Which model clearly prefers river to"
    " street?",
    {
        BOTH: (
            "From the left, “muddy” has not been read when the blank comes: it is hatched, and street and"
            " river are near equal."
        ),
        ONLY: (
            "“muddy” says which bank, and the bank says what was crossed. From the blank, only one model sees"
            " “muddy”."
        ),
        NEITHER: lambda: (
            f"With both sides in view, words like river have {muddy()[1]:.2f} more than words like street."
        ),
    },
    prefer_river,
    "Cover everything after the blank with a hand. Which word is gone?",
    covers=("filled", "words", "senses", "gaze"),
)

AS_MANY, TWICE, FOURFOLD = "as many", "twice as many", "four times as many"


def longer() -> str:
    short, long = (int(heads.parameters(10, T, 1, 0).learned[:3].sum()) for T in (4, 8))
    return {1: AS_MANY, 2: TWICE, 4: FOURFOLD}[long // short]


twice_as_long = guess(
    "twice-as-long",
    "The sentence grows from 4 to 8 words, d = 10. How many numbers do W_Q, W_K, W_V hold now?",
    {
        AS_MANY: "One matrix serves every word: move T, and no bar on the left follows.",
        TWICE: (
            "That is so for Q, K and V, which have a row for each word. The matrices they are made with have"
            " none."
        ),
        FOURFOLD: (
            "That is so for E and A, one number for each pair of words; they are computed, not learned."
        ),
    },
    longer,
    "W_Q takes a row of 10 numbers to a row of 10 numbers. How many rows does it take?",
)

GROWN = ("4 times", "10 times", "16 times")


def grown() -> float:
    few, many = (cost.cost(T, 64, True).here["products"][1] for T in (128, 512))
    return many / few


four_times = guess(
    "four-times",
    "d = 64. From 128 words to 512, how many times as many multiplications does attention need?",
    {
        "4 times": (
            "Only its projections grow like that, as the recurrence does; the T² scores are 16 times as many."
        ),
        "10 times": lambda: (
            f"{grown():.1f}, to be exact: at 128 words half the work is projections (× 4), half scores and"
            " sums (× 16)."
        ),
        "16 times": (
            "Only the scores and sums grow like that; the projections of each word are 4 times as many."
        ),
    },
    lambda: min(GROWN, key=lambda option: abs(int(option.split()[0]) - grown())),
    "4Td² + 2T²d: at T = 2d the two parts are equal. Let each grow on its own.",
    covers=("work",),
)

STAYS, CHANGES = "it stays the same", "it changes"


def sorted_words() -> between.Between:
    return between.between("the man sees the dog .", True, "words")


unordered = guess(
    "unordered",
    "Sort the words of a sentence from A to Z. What happens to the translation of the encoder without"
    " positions?",
    {
        STAYS: (
            "It sees a set, and sorting leaves the set as it is: choose “Sorted” and compare the line of “no"
            " positions”."
        ),
        CHANGES: lambda: (
            f"Sorted or not, it writes “{' '.join(sorted_words().outputs[1])}”. The others are told the"
            " order, and they change."
        ),
    },
    lambda: STAYS if sorted_words().outputs[1] == sorted_words().as_typed[1] else CHANGES,
    "Recall Order: what did the layer without positions notice of a new order?",
)
