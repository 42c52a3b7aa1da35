"""Two trained encoders that predict the sense of a word: one reads left to right, one reads both sides."""

import numpy as np
import torch

from lessons.kit.checkpoints import load_card, load_model
from lessons.kit.memo import memoize
from models.word_sense import SenseTrace

LEFT_TO_RIGHT, TWO_SIDED = "left to right", "both sides"
CHECKPOINTS = {LEFT_TO_RIGHT: "bank-left-to-right-s0", TWO_SIDED: "bank-both-sides-s0"}
MIN_DECIDED = 0.8  # above this probability, a model counts as having decided on a sense


@memoize
def run_model(model: str, tokens: tuple[int, ...]) -> SenseTrace:
    return load_model(CHECKPOINTS[model]).run(tokens, 0)


def weights_from(model: str, tokens: tuple[int, ...], position: int) -> np.ndarray:
    """Attention weights from one position: (layers · heads, words); NaN where a word is masked."""
    trace = run_model(model, tokens)
    hidden = trace.values["layer1.self.mask"][position] == 0  # (words,)
    return trace.weights[:, :, position].masked_fill(hidden, torch.nan).flatten(0, 1).numpy()


def head_labels() -> tuple[str, ...]:
    """Row labels for `weights_from`, layer by layer."""
    config = load_card(CHECKPOINTS[TWO_SIDED]).config
    return tuple(
        f"layer {n + 1} head {h + 1}" for n in range(config["layers"]) for h in range(config["heads"])
    )
