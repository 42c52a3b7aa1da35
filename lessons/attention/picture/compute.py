"""Describe a drawing in words, and see which patches each word attends to; the weights can be moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import Words, load_card, load_model, most_probable, original_run
from lessons.kit.contract import Result
from lessons.kit.controls import Rows
from lessons.kit.language import translate
from lessons.kit.references import matches_reference
from models.tasks.drawings import (
    DRAWINGS,
    SIZE,
    Cells,
    connected,
    encode,
    find_relation,
    move,
    name_shape,
    patch_of,
    stencil,
)
from models.vocabulary import EOS

MODEL = "drawings-additive-64-s0"
LOOKS = ("its own weights", "the first shape", "the second shape", "all patches alike")
MAX_WORDS = 12  # longer than any sentence in training, in case the model does not stop


@dataclass(frozen=True)
class Described(Result):
    """A drawing, the sentence that the model writes for it, and the weights of each word."""

    cells: np.ndarray  # (12, 12) 1: filled
    t: int
    look: str
    plain: Words  # the original output, without <eos>
    yours: Words  # the output with the moved weights
    truth: Words | None  # the right sentence, if the drawing has only shapes of the course
    right: tuple[bool | None, bool | None]
    weights: np.ndarray  # (words, 36) of the edited run, including <eos>
    shapes: Words  # label of each shape: its name, or “shape 1”
    patches: np.ndarray  # (shapes, 36) bool: patches of each shape
    next_words: Words  # most probable words at step t
    probabilities: np.ndarray  # (2, …) original, edited
    exact_match: float  # on held-out drawings

    @property
    def shares(self) -> np.ndarray:
        """(shapes,) weight of word t on the patches of each shape."""
        return np.array([self.weights[self.t - 1][patches].sum() for patches in self.patches])

    @property
    def moved(self) -> bool:
        return self.look != LOOKS[0]

    def limits(self) -> dict[str, int]:
        return {"t": max(self.t, len(self.yours))}

    def idle(self) -> dict[str, str]:
        needed, message = {
            LOOKS[1]: (1, "There is no first shape to attend to."),
            LOOKS[2]: (2, "There is no second shape to attend to."),
        }.get(self.look, (0, ""))
        return {} if len(self.shapes) >= needed else {"look": translate(message)}


def compute(drawing: Rows, t: int, look: str) -> Described:
    cells = frozenset((int(r), int(c)) for r, c in np.argwhere(np.array(drawing)))
    words = encode(cells)
    source = tuple(DRAWINGS.source.ids(words))
    shapes = in_naming_order([*connected(cells)])
    patches = np.zeros((len(shapes), len(source)), dtype=bool)
    for n, shape in enumerate(shapes):
        patches[n, [patch_of(cell) for cell in shape]] = True
    original = original_run(MODEL, source)
    plain = words_of(original.output)
    t = min(t, max(1, len(plain)))
    row = moved_row(look, patches)
    edited = original if row is None else run_with_row(source, t, row)
    truth = DRAWINGS.answer(words) if DRAWINGS.answer else None
    yours = words_of(edited.output)
    P = torch.stack([original.probabilities[t - 1], edited.probabilities[t - 1]])
    best = most_probable(P[1], P[0], shown=6)
    return Described(
        cells=np.array(drawing, dtype=int),
        t=t,
        look=look,
        plain=plain,
        yours=yours,
        truth=truth,
        right=(matches_reference(plain, truth), matches_reference(yours, truth)),
        weights=edited.weights.numpy(),
        shapes=tuple(" ".join(name_shape(shape) or ("shape", str(n))) for n, shape in enumerate(shapes, 1)),
        patches=patches,
        next_words=DRAWINGS.target.tokens(best),
        probabilities=P[:, best].numpy(),
        exact_match=load_card(MODEL).metrics["natural"]["exact_match"],
    )


def in_naming_order(shapes: Sequence[Cells]) -> Sequence[Cells]:
    """Order two shapes as the sentence names them: the left or upper one first."""
    relation = find_relation(*shapes) if len(shapes) == 2 else None
    return relation[0] if relation else sorted(shapes, key=min)


def moved_row(look: str, patches: np.ndarray) -> Tensor | None:
    """The weights that the learner has chosen (36,); None for the model's own."""
    if look == LOOKS[3]:
        return torch.full((patches.shape[1],), 1 / patches.shape[1])
    number = LOOKS.index(look) - 1
    if not 0 <= number < len(patches):
        return None
    return torch.from_numpy(patches[number] / patches[number].sum()).float()


def run_with_row(source: tuple[int, ...], t: int, row: Tensor) -> Any:
    """Run the model with these weights at step t (from 1)."""

    def replace(weights: Tensor, step: int) -> Tensor:
        return row if step == t - 1 else weights

    with torch.inference_mode():
        return load_model(MODEL).run(source, edits={"weights": replace}, limit=MAX_WORDS)


def words_of(output: tuple[int, ...]) -> Words:
    return tuple(word for word in DRAWINGS.target.tokens(output[:MAX_WORDS]) if word != EOS)


# ---- drawings for defaults and presets ----


def draw_shapes(*shapes: tuple[str, str, int, int], diagonal: int = 0) -> Rows:
    """A drawing of shapes (size, shape, row, column), or of a diagonal line of this length."""
    cells: Cells = frozenset((3 + n, 3 + n) for n in range(diagonal))
    for size, shape, row, column in shapes:
        cells |= move(stencil(shape, size), row, column)
    return tuple(tuple(float((r, c) in cells) for c in range(SIZE)) for r in range(SIZE))


OPENING = draw_shapes(("small", "cross", 5, 1), ("large", "square", 4, 6))
