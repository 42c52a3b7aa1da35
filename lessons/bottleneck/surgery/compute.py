"""Run the translator with an edited c: mixed with another sentence's, scaled, with noise, or partly zero."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.bottleneck.translator import TRANSLATOR
from lessons.kit.checkpoints import Words
from lessons.kit.contract import Result
from lessons.kit.references import Positions, differing_positions, matches_reference

C_SIZE = 128  # size of c in TRANSLATOR


@dataclass(frozen=True)
class Operation(Result):
    """Outputs for the original c, the edited c and the c of the second sentence (the donor)."""

    words: Words
    donor_words: Words
    original: Words  # output for the original c; all outputs include <eos>
    edited: Words
    donor: Words
    truths: tuple[Words | None, Words | None]  # correct translations of both sentences, if known
    right: tuple[
        bool | None, bool | None, bool | None
    ]  # whether each output is correct; the donor is compared with the second truth
    changed: Positions  # positions of the edited output that differ from the original
    c: np.ndarray  # (3, m): original, edited, second sentence
    distances: np.ndarray  # (3,): original–edited, edited–second, original–second
    scale: float
    noise: float
    zeroed: int  # units set to 0
    blend: float

    @property
    def is_edited(self) -> bool:
        return not np.array_equal(self.c[0], self.c[1])

    def idle(self) -> dict[str, str]:
        if self.zeroed == self.c.shape[1]:
            return dict.fromkeys(("donor", "blend", "scale", "noise", "seed"), "Every unit is set to 0.")
        reasons = {} if self.noise else {"seed": "There is no noise yet."}
        if not self.scale:
            no_sentence = "c is scaled by 0: nothing of either sentence is left."
            return reasons | dict.fromkeys(("donor", "blend"), no_sentence)
        return reasons if self.blend else reasons | {"donor": "Its c is not used while its share is 0."}


def edit_context(
    c: Tensor, donor: Tensor, scale: float, noise: float, seed: int, zeros: int, blend: float
) -> Tensor:
    """Mix, then scale and add noise, then set the last units to 0, so that they stay 0.

    The standard deviation of the noise is `noise` times the root mean square of c's units.
    """
    size = c.square().mean().sqrt()
    c = (1 - blend) * c + blend * donor if blend else c
    c = scale * c
    if noise:
        c = c + noise * size * torch.randn(len(c), generator=torch.Generator().manual_seed(seed))
    return torch.cat([c[: len(c) - zeros], torch.zeros(zeros)])


def compute(
    text: str, donor: str, blend: float, scale: float, noise: float, seed: int, zeros: int
) -> Operation:
    sentences = TRANSLATOR.read_typed(text, "text"), TRANSLATOR.read_typed(donor, "donor")
    source, second_source = (TRANSLATOR.ids(sentence.words) for sentence in sentences)
    original, second = TRANSLATOR.run(source), TRANSLATOR.run(second_source)

    def edit(c: Tensor, step: int) -> Tensor:
        return edit_context(c, second.c, scale, noise, seed, zeros, blend)

    edited = TRANSLATOR.model.run(source, edits={"c": edit})
    vectors = torch.stack([original.c, edited.c, second.c])
    outputs = [TRANSLATOR.task.target.tokens(run.output) for run in (original, edited, second)]
    truth, second_truth = (TRANSLATOR.reference(sentence.words, ()) for sentence in sentences)
    return Operation(
        words=sentences[0].shown,
        donor_words=sentences[1].shown,
        original=outputs[0],
        edited=outputs[1],
        donor=outputs[2],
        truths=(truth, second_truth),
        right=(
            matches_reference(outputs[0], truth),
            matches_reference(outputs[1], truth),
            matches_reference(outputs[2], second_truth),
        ),
        changed=differing_positions(outputs[0], outputs[1])[1],
        c=vectors.numpy(),
        distances=(vectors[[0, 1, 0]] - vectors[[1, 2, 2]]).norm(dim=-1).numpy(),
        scale=scale,
        noise=noise,
        zeroed=zeros,
        blend=blend,
    )
