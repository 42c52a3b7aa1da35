"""The numbers of one word after layer norm, and after batch norm in training and in inference."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import cast

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lessons.kit.contract import Result, Rows
from lessons.transformer.norms.placement import PLACEMENTS, Spread, untrained_spread
from lessons.transformer.norms.recorded import RATES, RecordedTrainings, trainings_by_norm
from lessons.transformer.translator import load_transformer
from models.blocks import NORMS, Norm
from models.norms import MOMENTS
from models.trace import Tap

START_NUMBERS = ((1.5,), (-0.5,), (2.5,), (0.5,), (-1.0,), (1.0,))  # starting numbers of the learner's word
OTHER_WORDS = (
    (-1.5, 2.0, -1.0, -1.5, 2.0, -1.0),
    (-1.0, -1.5, 0.5, 2.0, -1.5, -1.5),
    (1.5, -1.5, -1.0, -1.0, 1.0, 2.0),
)


@dataclass(frozen=True)
class NormsRun(Result):
    """One run. Outputs have three rows: layer norm, batch norm in training, batch norm in inference."""

    x: np.ndarray  # (d,)
    stretch: float  # γ, shared by all numbers
    shift: float  # β
    loud: float  # factor on all numbers of the other sentence
    mean: float
    std: float
    centred: np.ndarray  # (d,) x − mean
    scaled: np.ndarray  # (d,) (x − mean) / std
    out: np.ndarray  # (3, d)
    quiet: np.ndarray  # (3, d) with the other sentence at its starting values
    start: np.ndarray  # (3, d) with everything at its starting values
    batch: np.ndarray  # (words, d) the learner's word comes first
    place: str  # placement of the norm: a name in models.blocks.NORMS
    rate: int  # index of the learning rate of the recorded training runs
    moment: int  # 0-based index of the recorded moment

    @property
    def moved(self) -> np.ndarray:
        """Largest change in the learner's numbers caused by the other sentence: (3,)."""
        return np.abs(self.out - self.quiet).max(1)

    @cached_property
    def learned(self) -> tuple[np.ndarray, np.ndarray]:
        """γ and β of the first norm in the trained Transformer: (d,) each."""
        norm = cast(Norm, load_transformer().encoder.layers[0].norms[0])
        return norm.γ.numpy(), norm.β.numpy()

    @cached_property
    def before_training(self) -> dict[str, Spread]:
        """Spread of the numbers before training, by placement of the norm."""
        return {norm: untrained_spread(norm) for norm in NORMS}

    @cached_property
    def films(self) -> dict[str, RecordedTrainings]:
        """Recorded training runs at every learning rate, by placement of the norm."""
        return trainings_by_norm()


def norms(
    x: Rows,
    stretch: float,
    shift: float,
    loud: float,
    place: str = PLACEMENTS["pre"],
    lr: str = "0.008",
    moment: int = MOMENTS,
) -> NormsRun:
    word, others = torch.tensor(x)[:, 0], torch.tensor(OTHER_WORDS)  # (d,), (words, d)
    norm, tap = Norm(len(word)).requires_grad_(False), Tap()
    start_word = torch.tensor(START_NUMBERS)[:, 0]
    start = torch.stack([norm(start_word), *batch_norm_outputs(start_word, others, 1.0, 0.0)])
    norm.γ.fill_(stretch)
    norm.β.fill_(shift)
    out = norm(word, tap)
    mean, std = tap.last("mean").item(), tap.last("std").item()
    return NormsRun(
        x=word.numpy(),
        stretch=stretch,
        shift=shift,
        loud=loud,
        mean=mean,
        std=std,
        centred=(word - mean).numpy(),
        scaled=((word - mean) / std).numpy(),
        out=torch.stack([out, *batch_norm_outputs(word, loud * others, stretch, shift)]).numpy(),
        quiet=torch.stack([out, *batch_norm_outputs(word, others, stretch, shift)]).numpy(),
        start=start.numpy(),
        batch=torch.cat([word[None], loud * others]).numpy(),
        place=next(norm for norm, name in PLACEMENTS.items() if name == place),
        rate=RATES.index(lr),
        moment=moment - 1,
    )


def batch_norm_outputs(word: Tensor, others: Tensor, γ: float, β: float) -> tuple[Tensor, Tensor]:
    """γ (x − mean) / std + β for each number of the word (d,): in training, and in inference.

    In training, mean and std come from this batch; in inference, from running averages over training.
    """
    batch = torch.cat([word[None], others])  # (words, d)
    in_training = F.batch_norm(batch, None, None, training=True, eps=Norm.eps)[0]
    in_use = F.batch_norm(batch, *running_statistics(), training=False, eps=Norm.eps)[0]
    return γ * in_training + β, γ * in_use + β


@cache
def running_statistics() -> tuple[Tensor, Tensor]:
    """Running mean and variance (d,) as in training; here from the starting batch only."""
    # momentum=None averages over all batches seen
    norm = nn.BatchNorm1d(len(START_NUMBERS), affine=False, momentum=None)
    norm(torch.cat([torch.tensor(START_NUMBERS)[:, 0][None], torch.tensor(OTHER_WORDS)]))
    return cast(Tensor, norm.running_mean), cast(Tensor, norm.running_var)
