"""The logit lens on a real model, and patching the residual stream of one prompt into another."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.real.pretrained_model import (
    Reading,
    Words,
    clamp,
    encode,
    model,
    most_probable,
    pieces,
    read,
    run_up,
)
from lessons.real.recordings import recorded

MAX_LENS_PIECES = 16
PIECES_SHOWN = 8
LAYER_STEP = 3  # layers between two points of the transplant curve


@dataclass(frozen=True)
class Lens(Result):
    words: Words
    donor_words: Words
    layers: np.ndarray  # (n,) 0 … number of layers
    lens_words: Words  # (n,) likeliest token after each layer, at the last position
    lens_best: np.ndarray  # (n,) P of that token
    lens_final: np.ndarray  # (n,) P of the model's final prediction
    answer: str  # the model's likeliest next token for the text
    donor_answer: str  # the model's likeliest next token for the other prompt
    tried: np.ndarray  # (m,) layers at which the transplant was tried
    own: np.ndarray  # (m,) P(answer) after a transplant at each of these layers
    taken_over: np.ndarray  # (m,) P(donor's answer) after a transplant at each of these layers
    candidates: Words
    before: np.ndarray  # (candidates,)
    after: np.ndarray  # (candidates,) with the transplant at the chosen layer
    position: int  # 1-based position in the text
    donor_position: int
    layer: int

    def limits(self) -> dict[str, int]:
        return {"position": len(self.words), "donor_position": len(self.donor_words)}


def transplant(reading: Reading, position: int, donor: Tensor, layers: list[int]) -> Tensor:
    """P of the next token (n, V) when the stream at one position is replaced after each of n layers in turn.

    donor: the other prompt's stream at its position (layers + 1, d)
    """

    def begin(n: int) -> Tensor | None:  # (1, T − position, d): earlier positions and layers do not change
        if n not in layers:
            return None
        x = reading.stream[n, position:].clone()
        x[0] = donor[n]
        return x[None]

    x = run_up(reading, position, begin)  # one run per layer, lowest first
    order = sorted(set(layers))
    with torch.inference_mode():
        p = model().logit_lens(x[:, -1]).double().softmax(-1)
    return p[[order.index(layer) for layer in layers]]


def lens_by_layer(reading: Reading) -> tuple[Words, np.ndarray, np.ndarray]:
    """The likeliest token at the last position after each layer, its P, and P of the final answer."""
    with read.lock, torch.inference_mode():
        p = model().logit_lens(reading.stream[:, -1]).double().softmax(-1)  # (layers + 1, V)
    best = p.argmax(-1)
    return pieces(best.tolist()), p.amax(-1).numpy(), p[:, best[-1]].numpy()


@recorded("lens", Lens, "text")
def compute(text: str, donor: str, position: int, donor_position: int, layer: int) -> Lens:
    tokens, other = encode(text, "text", MAX_LENS_PIECES), encode(donor, "donor", MAX_LENS_PIECES)
    reading, donor_reading = read(tokens), read(other)
    place, donor_place = min(position, len(tokens)) - 1, min(donor_position, len(other)) - 1
    count = len(reading.stream) - 1
    layer = clamp("layer", layer, count)
    tried = [*range(0, count + 1, LAYER_STEP)]
    p = transplant(reading, place, donor_reading.stream[:, donor_place], [layer, *tried])  # (1 + m, V)
    before = reading.probabilities
    answer, donor_answer = (int(each.logits.argmax()) for each in (reading, donor_reading))
    shown = list(dict.fromkeys([answer, donor_answer, *most_probable(before, 4), *most_probable(p[0], 4)]))[
        :PIECES_SHOWN
    ]
    lens_words, lens_best, lens_final = lens_by_layer(reading)
    return Lens(
        words=pieces(tokens),
        donor_words=pieces(other),
        layers=np.arange(count + 1),
        lens_words=lens_words,
        lens_best=lens_best,
        lens_final=lens_final,
        answer=pieces([answer])[0],
        donor_answer=pieces([donor_answer])[0],
        tried=np.array(tried),
        own=p[1:, answer].numpy(),
        taken_over=p[1:, donor_answer].numpy(),
        candidates=pieces(shown),
        before=before[shown].numpy(),
        after=p[0, shown].numpy(),
        position=place + 1,
        donor_position=donor_place + 1,
        layer=layer,
    )
