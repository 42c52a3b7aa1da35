"""Both scores as equations with editable matrices, and their difference."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.matrix import Block, Edit, Matrix
from lessons.kit.pictures.numbers import bold_count, signed, small
from lessons.kit.pictures.table import Table
from lessons.scores.same.compute import PAIRS, Same
from lessons.scores.score_functions import KEY_MARKS, KEY_NAMES

ROUNDING = 1e-6  # float32 has about seven digits
SCORE_AXES = (3.0, 10.0, 30.0, 100.0)  # possible ends of the axis; the smallest that fits all bars is used
EDIT_RANGE = (-3.0, 3.0)
MAX_ENTRIES = 3  # maximum number of entries listed in the reading


def both(run: Same) -> Bars:
    one, other = run.names
    largest = max(np.abs(run.one).max(), np.abs(run.other).max())
    return Bars(
        run.one,
        KEY_NAMES,
        role=None,
        top=next(top for top in SCORE_AXES if top >= largest),
        keys=KEY_MARKS,
        label_role="source",
        compare=run.other,
        compare_names=run.names,
        title=f"Do both scores agree? Bar: {one}, mark: {other}",
    )


def to_the_last_digit(run: Same) -> Table:
    one, other = run.names
    rows = tuple(
        (key, signed(a, 7), signed(b, 7), small(a - b))
        for key, a, b in zip(KEY_NAMES, run.one.tolist(), run.other.tolist(), strict=True)
    )
    return Table(
        ("key", one, other, "difference"), rows, key="key", title="Both scores with seven decimals (float32)"
    )


def reading(run: Same) -> str:
    one, other = run.names
    largest = float(np.abs(run.difference).max())
    wanted = "I" if run.pair == PAIRS[0] else "[W₁ W₂]"
    difference = f"The largest difference between {one} and {other} is **{small(largest)}**"
    if not run.changed:
        why = ", which is only rounding" if largest else ": they are exactly equal"
        return (
            f"{difference}{why}. Because W is **{wanted}**, both are **one function** with two names, for all"
            " s and h."
        )
    entries = ", ".join(f"row {r + 1} column {c + 1}" for r, c in sorted(run.changed)[:MAX_ENTRIES])
    more = len(run.changed) - MAX_ENTRIES
    conclusion = (
        "For these keys the scores happen to be equal."
        if largest < ROUNDING
        else "So these are now two different functions."
    )
    count = bold_count(len(run.changed), "number")
    where = f" ({entries})" if more <= 0 else ""
    return (
        f"{difference}. {count} of W differ{'s' * (len(run.changed) == 1)} from {wanted}{where}. {conclusion}"
    )


def first(run: Same) -> Matrix:
    n = furthest_key(run)
    terms: tuple[Block | str, ...]
    if run.pair == PAIRS[0]:
        W = editable("W", "W", run.matrices["W"], run.changed)
        terms = (query_row(run), W, all_keys(run), "=", Block("e", run.one[None]))
    else:
        h, s = Block(f"h_{n + 1}", run.H[n][:, None], "source"), Block("s", run.s[:, None], "target")
        W_1, W_2 = (editable(name, name, run.matrices[name]) for name in ("W_1", "W_2"))
        e = Block(f"e_{n + 1}", run.one[n])
        terms = (v_row(run), "tanh (", W_1, h, "+", W_2, s, ")", "=", e)
    return Matrix(terms, top=2.0, title=f"{run.names[0].capitalize()}, {describe_keys(run)}")


def second(run: Same) -> Matrix:
    n = furthest_key(run)
    terms: tuple[Block | str, ...]
    if run.pair == PAIRS[0]:
        terms = (query_row(run), all_keys(run), "=", Block("e", run.other[None]))
    else:
        W = editable("W", "W_c", run.matrices["W"], run.changed)
        stacked = Block(f"[h_{n + 1} ; s]", np.concatenate([run.H[n], run.s])[:, None])
        terms = (v_row(run), "tanh (", W, stacked, ")", "=", Block(f"e_{n + 1}", run.other[n]))
    return Matrix(terms, top=2.0, title=f"{run.names[1].capitalize()}, {describe_keys(run)}")


def editable(
    name: str, control: str, values: np.ndarray, changed: frozenset[tuple[int, int]] = frozenset()
) -> Block:
    """A matrix that the learner can edit in the equation."""
    return Block(name, values, changed=changed, edit=Edit(control, *EDIT_RANGE))


def query_row(run: Same) -> Block:
    return Block("sᵀ", run.s[None], "target")


def v_row(run: Same) -> Block:
    return Block("v_{a}ᵀ", run.matrices["v"].T)


def all_keys(run: Same) -> Block:
    return Block("h_1 … h_4", run.H.T, "source")


def furthest_key(run: Same) -> int:
    """The key on which the two scores differ most."""
    return int(np.abs(run.difference).argmax())


def describe_keys(run: Same) -> str:
    if run.pair == PAIRS[0]:
        return "all four keys at once, one per column"
    differs = ", where they differ most" if np.abs(run.difference).max() > ROUNDING else ""
    return f"for {KEY_NAMES[furthest_key(run)]}{differs}"
