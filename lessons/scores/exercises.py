"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

from functools import partial

import numpy as np
import torch

from lessons.kit.contract import Exercise, Rows, State, Verdict
from lessons.kit.exercises import guess, number, one_of
from lessons.kit.pictures.numbers import signed
from lessons.scores.compute import plane, same, scaling, sizes, trained
from models.attention import ScaledDot

KEYS = tuple(f"h{low}" for low in "₁₂₃₄")
CLEARLY = 0.01  # by how much a winner has to win


# ---- one guess for each experiment ----

IDENTITY = ((1.0, 0.0), (0.0, 1.0))
SHORTER = (plane.ARROWS[0], tuple(x / 2 for x in plane.ARROWS[1]), *plane.ARROWS[2:])  # h₁ is half as long
DRAG = f"Drag h₁ to ({', '.join(signed(x) for x in SHORTER[1])}) and see."


def by_dot(arrows: Rows, unit: bool = False) -> list[str]:
    """The scores of the four keys, as they are written."""
    return [signed(score) for score in plane.scores_of("dot", arrows, IDENTITY, unit).tolist()]


def wins_when_shorter() -> str:
    return KEYS[int(plane.scores_of("dot", SHORTER, IDENTITY, False).argmax())]


length_counts = guess(
    "length-counts",
    "At the start h₁ has the best dot score. You make h₁ half as long, without turning it. Who wins then?",
    {
        "h₁": lambda: (
            f"h₁ still points best, but half as long it has half the score, {by_dot(SHORTER)[0]}, and h₂ has "
            f"{by_dot(SHORTER)[1]}. {DRAG} With unit norm, by direction alone, h₁ wins again."
        ),
        "h₂": lambda: (
            f"Half the length is half the score: h₁ falls from {by_dot(plane.ARROWS)[0]} to"
            f" {by_dot(SHORTER)[0]}, and h₂ stays at {by_dot(SHORTER)[1]}. Length counts as direction does."
            f" {DRAG}"
        ),
        "h₃": lambda: (
            f"h₃ points away from s: its score is {by_dot(SHORTER)[2]}, below zero, whatever h₁ does. {DRAG}"
        ),
    },
    wins_when_shorter,
    "A dot product adds up products. What happens to each of them when both numbers of h₁ are halved?",
)


UNTOLD = "it cannot be told"


def most_right() -> str:
    """Where the best and another overlap, it could be chance."""
    runs = trained.figures()["exact_match"]
    best = int(runs.mean(1).argmax())
    others = np.delete(runs, best, axis=0)
    return trained.NAMES[best] if runs[best].min() > others.max() else UNTOLD


def how_right(name: str) -> str:
    """What can be said of this score: its runs, and whether they reach the best."""
    runs = dict(zip(trained.NAMES, trained.figures()["exact_match"], strict=True))
    best = max(runs, key=lambda other: runs[other].mean())
    low, high = (reach(runs.get(name, runs[best])) for reach in (np.min, np.max))
    said, leads = (
        f"three trainings gave {low:.3f} to {high:.3f}",
        f"{runs[best].min():.3f} to {runs[best].max():.3f} of {best}",
    )
    if name in (best, UNTOLD):
        rivals = [other for other in runs if other != best and runs[other].max() >= low]
        shared = (
            f"{' and '.join(rivals).capitalize()} overlap{'s' * (len(rivals) == 1)}"
            if rivals
            else "No other score overlaps"
        )
        return f"{best.capitalize()} is best on average: {said}. {shared} with it."
    if high >= runs[best].min():
        return f"{name.capitalize()} may be the best: {said}, which overlaps with the {leads}."
    return f"{name.capitalize()} is behind: {said}, and all of that is below the {leads}."


best_score = guess(
    "best-score",
    "Same data, same steps, trained three times each: which score translates most test sentences rightly?",
    {name: partial(how_right, name) for name in (*trained.NAMES, UNTOLD)},
    most_right,
    "A score with more to learn can do more, if training finds it. And train one score twice: you get two"
    " results.",
    covers=("scoreboard", "beside_papers"),
)

NOTICE = ("one key", "all four, alike", "all four, each its own")
OFF = ((1.0, 0.5), (0.0, 1.0))
SHOWN = "“One number off” shows it."


def one_number_off() -> same.Same:
    return same.same(
        same.PAIRS[0], 1, OFF, plane.ADDITIVE["W_1"], plane.ADDITIVE["W_2"], ((1.0,),) * 3, ((0.0,) * 4,) * 3
    )


def who_notices() -> str:
    moved = one_number_off().difference
    return NOTICE[0] if np.count_nonzero(moved) == 1 else NOTICE[1] if np.ptp(moved) < CLEARLY else NOTICE[2]


def moves() -> str:
    run = one_number_off()
    return ", ".join(f"{key} {signed(moved)}" for key, moved in zip(KEYS, run.difference, strict=True))


off_by_one = guess(
    "identity",
    "At the start W is the identity, and both scores agree. You set its top right number to 0.5. Which of the"
    " four scores move?",
    {
        NOTICE[0]: lambda: (
            f"Row 1 of W meets the first number of s, column 2 the second number of every key: {moves()}."
            f" {SHOWN}"
        ),
        NOTICE[1]: lambda: (
            f"It is 0.5 times s’s first number times the key’s second number, and those differ: {moves()}."
            f" {SHOWN}"
        ),
        NOTICE[2]: lambda: (
            f"Each moves by 0.5 times s’s first number times its own second number: {moves()}. {SHOWN}"
        ),
    },
    who_notices,
    "Write out sᵀ W h for two numbers. In which product does the top right number of W stand?",
)

SURVIVE = ("all five", "the three with matrices", "only additive", "none")
SMALL = (4, 3, 2)  # d₁, d₂, d₃
SET = f"Set d₁ to {SMALL[0]} and d₂ to {SMALL[1]} and see."


def survivors() -> str:
    defined = [
        name
        for name, count in zip(sizes.NAMES, sizes.sizes(*SMALL).parameters, strict=True)
        if count is not None
    ]
    sets = {
        sizes.NAMES: SURVIVE[0],
        ("bilinear", "scaled bilinear", "additive"): SURVIVE[1],
        ("additive",): SURVIVE[2],
        (): SURVIVE[3],
    }
    return sets[tuple(defined)]


which_survive = guess(
    "which-survive",
    f"Keys have {SMALL[0]} numbers, the query has {SMALL[1]}. Which scores can still be computed?",
    {
        SURVIVE[0]: (
            "Dot and scaled dot pair the numbers of s and h one by one: the key’s last one has no partner."
            f" {SET}"
        ),
        SURVIVE[1]: (
            "W leads from the key’s size to the query’s, W₁ and W₂ lead both to d₃. Dot has nothing that"
            f" could. {SET}"
        ),
        SURVIVE[2]: (
            f"Additive brings both to d₃. But W between s and h can be {SMALL[1]}×{SMALL[0]}: it need not be"
            f" square. {SET}"
        ),
        SURVIVE[3]: f"A matrix need not be square: one side of W fits the query, the other the key. {SET}",
    },
    survivors,
    "Which part of each formula touches s and h at once, and must it have as many rows as columns?",
)

FACTORS = ("it stays", "it doubles", "it grows four times")


def spreads() -> np.ndarray:
    """(11,) of the unscaled scores, by size; measured on three draws."""
    return np.mean([scaling.samples(seed).spread[0] for seed in range(3)], axis=0)


def spread_of_four_times_d() -> str:
    return FACTORS[int(np.abs(np.array([1, 2, 4]) - spreads()[8] / spreads()[6]).argmin())]


def grew() -> str:
    return f"{spreads()[6]:.1f} to {spreads()[8]:.1f}"


four_times = guess(
    "four-times",
    "Vectors get four times as many numbers, 256 instead of 64. What happens to the spread of their dot"
    " products?",
    {
        FACTORS[0]: lambda: (
            "Four times as many random products are added up, and they cancel only in part: it goes from"
            f" {grew()}."
        ),
        FACTORS[1]: lambda: (
            "Variances add up, so the variance is four times as large and the spread, its root, twice:"
            f" {grew()}."
        ),
        FACTORS[2]: lambda: (
            f"It is the variance that grows four times. The spread is its root, and goes from {grew()}."
        ),
    },
    spread_of_four_times_d,
    "Throw one coin a hundred times, then four hundred times: how much further from half do you expect the"
    " heads to be?",
    covers=("spread",),
)


# ---- check yourself ----


def bilinear_by_hand() -> float:
    arrows = ((1.0, 2.0), (3.0, -1.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    return plane.scores_of("bilinear", arrows, ((0.0, 1.0), (1.0, 0.0)), False)[0].item()


def additive_parameters() -> float:
    count = sizes.sizes(128, 64, 32).parameters[sizes.NAMES.index("additive")]
    assert count is not None  # additive fits all sizes
    return count


def divisor() -> float:
    return 1 / ScaledDot(256).scale


def two_keys() -> float:
    return torch.softmax(torch.tensor([2.0, 0.0]) / 2, -1)[0].item()


LIMITS = ("the value of the winner", "the mean of the values", "zero")


def hot_context() -> str:
    values = ((1.0, 0.0), (0.0, 2.0), (-2.0, 1.0), (1.5, 1.0))
    run = plane.plane(
        ((1.0, 0.5), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)), values, "dot", IDENTITY, False, 9.0
    )
    targets = (run.values[run.winner], run.values.mean(0), np.zeros(2))
    return LIMITS[int(np.argmin([np.linalg.norm(run.context - target) for target in targets]))]


def heat(given: str, _: State) -> Verdict:
    right = hot_context()
    if given == right:
        return Verdict(
            True, f"Yes, {right}: divided by a large τ all scores are nearly 0, and all weights the same."
        )
    return Verdict(
        False,
        "Not yet. What is left of the differences between scores when all are divided by a very large"
        " number?",
    )


def disagree(_: None, state: State) -> Verdict:
    """Dot and cosine on the learner's arrows, whichever score is chosen."""
    winners = []
    for unit, name in ((False, "dot"), (True, "cosine")):
        scores = plane.scores_of("dot", state["arrows"], IDENTITY, unit)
        first, second = scores.topk(2).values
        if first - second < CLEARLY:
            return Verdict(
                False, f"By {name} it is a tie at the top. Move a key a little, so that one of them wins."
            )
        winners.append(KEYS[int(scores.argmax())])
    if winners[0] != winners[1]:
        return Verdict(
            True,
            f"Yes: by dot {winners[0]} wins, by cosine {winners[1]}. The lengths of the keys decide by dot,"
            " not by cosine.",
        )
    return Verdict(
        False, f"Both choose {winners[0]}. Which key points best, and how could another still win by dot?"
    )


def doubles(_: None, state: State) -> Verdict:
    run = same.same(**{**state, "pair": same.PAIRS[0]})
    one, other = run.one, run.other
    if np.allclose(one, 2 * other, atol=1e-3):
        return Verdict(
            True, "Yes: every bilinear score is twice the dot score. A matrix can also set the temperature."
        )
    worst = int(np.abs(one - 2 * other).argmax())
    found, wanted = signed(one[worst]), signed(2 * other[worst])
    return Verdict(
        False,
        f"For {KEYS[worst]} bilinear gives {found}, and twice the dot is {wanted}. I changes nothing; what"
        " doubles?",
    )


CHECK_YOURSELF = (
    number(
        "by-hand",
        "s = (1, 2), h = (3, −1), and W swaps the two numbers of a vector: W = (0 1; 1 0). What is the"
        " bilinear score sᵀ W h?",
        bilinear_by_hand,
        "First W h: its two numbers change places. Then the dot product with s.",
        "W h is (−1, 3), and 1 · (−1) + 2 · 3 is the score.",
    ),
    Exercise(
        "disagree",
        "In The plane, place the keys so that dot and cosine disagree about the winner.",
        disagree,
        "Cosine looks at the angle only. Let one short key point exactly where s points, and make another one"
        " long.",
        experiment="plane",
    ),
    number(
        "softmax",
        "Two keys have scores 2 and 0. What is the weight of the first at temperature τ = 2? (two decimals)",
        two_keys,
        "Divide both scores by τ, then softmax: exp(1) / (exp(1) + exp(0)).",
        "At τ = 1 it would be more, at a larger τ nearer to one half.",
    ),
    Exercise(
        "hot",
        "The temperature τ grows without bound. Where does the context go?",
        heat,
        "Move the temperature in The plane to its right end.",
        one_of("The context becomes", LIMITS),
    ),
    Exercise(
        "double",
        "In Same or not, choose bilinear and dot, and set W so that every bilinear score is twice the dot"
        " score.",
        doubles,
        "W = I gives the dot score itself.",
        experiment="same",
    ),
    number(
        "count",
        "Keys of d₁ = 128 numbers, a query of d₂ = 64, and d₃ = 32: how many numbers does the additive score"
        " learn?",
        additive_parameters,
        "W₁ is d₃ × d₁, W₂ is d₃ × d₂, and vₐ has d₃ numbers.",
        "d₃ · (d₁ + d₂ + 1), and the length of the sentence plays no part.",
    ),
    number(
        "divisor",
        "By what number is the dot product of two vectors of 256 numbers divided, so that its spread"
        " stays 1?",
        divisor,
        "The variance of the sum is 256. The spread is its square root.",
        "√256: the spread of the unscaled scores.",
    ),
)
