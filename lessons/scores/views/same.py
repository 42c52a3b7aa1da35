"""Two names, one function."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.matrix import Block, Edit, Matrix
from lessons.kit.pictures.numbers import counted, signed, small
from lessons.kit.pictures.table import Table
from lessons.scores.compute.same import PAIRS, Same

KEYS = tuple(f"h{low}" for low in "₁₂₃₄")
AT = tuple(f"key:{i}" for i in range(4))
ROUNDING = 1e-6  # float32 has about seven digits
TOPS = (3.0, 10.0, 30.0, 100.0)  # ends of the axis of the scores: the next one only when a bar would be cut
REACH = (-3.0, 3.0)  # of every number that can be edited


def both(run: Same) -> Bars:
    one, other = run.names
    top = next(top for top in TOPS if top >= max(np.abs(run.one).max(), np.abs(run.other).max()))
    look: dict[str, Any] = {
        "role": None,
        "top": top,
        "keys": AT,
        "label_role": "source",
        "compare_names": run.names,
    }
    return Bars(
        run.one,
        KEYS,
        compare=run.other,
        title=f"Do they agree? {one.capitalize()} is the bar, {other} the mark",
        **look,
    )


def to_the_last_digit(run: Same) -> Table:
    one, other = run.names
    rows = tuple(
        (key, signed(a, 7), signed(b, 7), small(a - b))
        for key, a, b in zip(KEYS, run.one.tolist(), run.other.tolist(), strict=True)
    )
    return Table(("key", one, other, "difference"), rows, key="key", title="To the last digit (float32)")


def reading(run: Same) -> str:
    one, other = run.names
    largest = float(np.abs(run.difference).max())
    wanted = "I" if run.pair == PAIRS[0] else "[W₁ W₂]"
    said = f"The largest difference between {one} and {other} is **{small(largest)}**"
    if not run.changed:
        said += ": exactly the same. " if not largest else ": rounding in the last digit, nothing else. "
        return (
            said + f"W is **{wanted}**, so they are **one function** under two names, whatever s and h are."
        )
    entries = ", ".join(f"row {r + 1} column {c + 1}" for r, c in sorted(run.changed)[:3])
    more = f" and {len(run.changed) - 3} more" if len(run.changed) > 3 else ""
    said += f". W differs from {wanted} in {counted(len(run.changed), 'place')} ({entries}{more})"
    return said + (
        ", and these keys happen not to notice." if largest < ROUNDING else ": now they are two functions."
    )


def first(run: Same) -> Matrix:
    given, n = run.matrices, furthest(run)
    terms: tuple[Block | str, ...]
    if run.pair == PAIRS[0]:
        W = own("W", "W", given["W"], run.changed)
        terms = (Block("sᵀ", run.s[None], "target"), W, all_keys(run), "=", Block("e", run.one[None]))
    else:
        h, s = Block(f"h_{n + 1}", run.H[n][:, None], "source"), Block("s", run.s[:, None], "target")
        W_1, W_2 = own("W_1", "W_1", given["W_1"]), own("W_2", "W_2", given["W_2"])
        terms = (
            Block("v_{a}ᵀ", given["v"].T),
            "tanh (",
            W_1,
            h,
            "+",
            W_2,
            s,
            ")",
            "=",
            Block(f"e_{n + 1}", run.one[n]),
        )
    return Matrix(terms, top=2.0, title=f"{run.names[0].capitalize()}, {shown(run)}")


def second(run: Same) -> Matrix:
    given, n = run.matrices, furthest(run)
    terms: tuple[Block | str, ...]
    if run.pair == PAIRS[0]:
        terms = (Block("sᵀ", run.s[None], "target"), all_keys(run), "=", Block("e", run.other[None]))
    else:
        W, both = own("W", "W_c", given["W"], run.changed), np.concatenate([run.H[n], run.s])[:, None]
        stacked = Block(f"[h_{n + 1} ; s]", both)
        terms = (
            Block("v_{a}ᵀ", given["v"].T),
            "tanh (",
            W,
            stacked,
            ")",
            "=",
            Block(f"e_{n + 1}", run.other[n]),
        )
    return Matrix(terms, top=2.0, title=f"{run.names[1].capitalize()}, {shown(run)}")


def own(
    name: str, control: str, values: np.ndarray, changed: frozenset[tuple[int, int]] = frozenset()
) -> Block:
    """A matrix of the learner's."""
    return Block(name, values, changed=changed, edit=Edit(control, *REACH))


def furthest(run: Same) -> int:
    """The key on which the two differ most."""
    return int(np.abs(run.difference).argmax())


def shown(run: Same) -> str:
    if run.pair == PAIRS[0]:
        return "all four keys at once, one a column"
    return f"for {KEYS[furthest(run)]}" + (
        ", where they differ most" if np.abs(run.difference).max() > ROUNDING else ""
    )


def all_keys(run: Same) -> Block:
    return Block("h_1 … h_4", run.H.T, "source")
