"""What a norm does to one word's numbers: over the word itself, over its batch, or with statistics kept from training."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import cast

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lessons.kit.contract import Result, Rows
from lessons.transformer.compute import placed, trained
from lessons.transformer.compute.sentence import model
from models.blocks import NORMS, Norm
from models.trace import Tap

MINE = ((1.5,), (-0.5,), (2.5,), (0.5,), (-1.0,), (1.0,))  # a word's numbers, at the start
NEIGHBOURS = (
    (-1.5, 2.0, -1.0, -1.5, 2.0, -1.0),
    (-1.0, -1.5, 0.5, 2.0, -1.5, -1.5),
    (1.5, -1.5, -1.0, -1.0, 1.0, 2.0),
)


@dataclass(frozen=True)
class Normed(Result):
    x: np.ndarray  # (d,)
    stretch: float  # γ, the same for all numbers
    shift: float  # β
    loud: float  # what all numbers of the other sentence are multiplied by
    mean: float
    std: float
    centred: np.ndarray  # (d,) x − mean
    scaled: np.ndarray  # (d,) the same, divided by std
    out: (
        np.ndarray
    )  # (3, d) by layer norm; by batch norm in training; by batch norm in use, with running statistics
    quiet: np.ndarray  # (3, d) the same when the other sentence is as it was
    start: np.ndarray  # (3, d) the same when everything is as it was
    batch: np.ndarray  # (words, d) yours first
    place: str  # where the norm stands: a name of models.blocks.NORMS
    rate: int  # of the recorded trainings, by its number
    moment: int  # which moment of them, from 0

    @property
    def moved(self) -> np.ndarray:
        """(3,) how far your numbers moved at most, because the other sentence changed."""
        return np.abs(self.out - self.quiet).max(1)

    @cached_property
    def learned(self) -> tuple[np.ndarray, np.ndarray]:
        """(d,) each: γ and β of the first norm in the trained Transformer."""
        norm = cast(Norm, model().encoder.layers[0].norms[0])
        return norm.γ.numpy(), norm.β.numpy()

    @cached_property
    def fresh(self) -> dict[str, placed.Fresh]:
        """Of each place of the norm: how large the numbers are before training."""
        return {norm: placed.fresh(norm) for norm in NORMS}

    @cached_property
    def films(self) -> dict[str, trained.Filmed]:
        """Of each place of the norm: the recorded trainings, at every rate."""
        return trained.films()


def norms(
    x: Rows,
    stretch: float,
    shift: float,
    loud: float,
    place: str = placed.NAMES["pre"],
    lr: str = "0.008",
    moment: int = trained.MOMENTS,
) -> Normed:
    mine, others = torch.tensor(x)[:, 0], torch.tensor(NEIGHBOURS)  # (d,), (words, d)
    norm, tap = Norm(len(mine)).requires_grad_(False), Tap()
    at_first = torch.tensor(MINE)[:, 0]
    start = torch.stack([norm(at_first), *over_batch(at_first, others, 1.0, 0.0)])
    norm.γ.fill_(stretch)
    norm.β.fill_(shift)
    out = norm(mine, tap)
    mean, std = tap.last("mean").item(), tap.last("std").item()
    return Normed(
        x=mine.numpy(),
        stretch=stretch,
        shift=shift,
        loud=loud,
        mean=mean,
        std=std,
        centred=(mine - mean).numpy(),
        scaled=((mine - mean) / std).numpy(),
        out=torch.stack([out, *over_batch(mine, loud * others, stretch, shift)]).numpy(),
        quiet=torch.stack([out, *over_batch(mine, others, stretch, shift)]).numpy(),
        start=start.numpy(),
        batch=torch.cat([mine[None], loud * others]).numpy(),
        place=next(norm for norm, name in placed.NAMES.items() if name == place),
        rate=trained.RATES.index(lr),
        moment=moment - 1,
    )


def over_batch(mine: Tensor, others: Tensor, γ: float, β: float) -> tuple[Tensor, Tensor]:
    """γ (x − mean) / std + β for each number by itself (d,): in training, and in use.

    In training mean and std are those of the batch at hand; in use they are running means over the batches of training.
    """
    batch = torch.cat([mine[None], others])  # (words, d)
    in_training = F.batch_norm(batch, None, None, training=True, eps=Norm.eps)[0]
    in_use = F.batch_norm(batch, *running(), training=False, eps=Norm.eps)[0]
    return γ * in_training + β, γ * in_use + β


@cache
def running() -> tuple[Tensor, Tensor]:
    """(d,) each: mean and variance that a batch norm has kept, here from one batch of training: the batch at the start."""
    norm = nn.BatchNorm1d(
        len(MINE), affine=False, momentum=None
    )  # without momentum: the mean over all batches seen
    norm(torch.cat([torch.tensor(MINE)[:, 0][None], torch.tensor(NEIGHBOURS)]))
    return cast(Tensor, norm.running_mean), cast(Tensor, norm.running_var)
