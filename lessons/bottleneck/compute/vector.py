"""Operating on c itself, what is left of each word in it, and how the loss reaches back through it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.bottleneck.compute.common import TRANSLATOR, figures, taught, teacher_of
from lessons.kit.checkpoints import (
    TRANSLATION,
    Tokens,
    Words,
    english,
    french,
    load_model,
    original_run,
    read_source,
    untrained_model,
)
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import Places, differing_positions, matches_reference, reference_for
from models import zoo
from models.gradients import jacobian
from models.seq2seq import Seq2Seq

M = 128  # of the TRANSLATOR's c

# ---- surgery ----


@dataclass(frozen=True)
class Operated(Result):
    """Untouched, yours, and what the second sentence gives by itself."""

    words: Words
    donor_words: Words
    plain: Words  # outputs, with <eos>
    yours: Words
    donor: Words
    truths: tuple[Words | None, Words | None]  # of the sentence and of the second one, where they are known
    right: tuple[
        bool | None, bool | None, bool | None
    ]  # untouched and yours by the first truth, the donor by the second
    changed: Places  # of yours that differ from untouched
    c: np.ndarray  # (3, m): untouched, yours, the second sentence's
    distances: np.ndarray  # (3,): |c − yours|, |yours − second|, |c − second|
    scale: float
    noise: float
    zeroed: int  # units set to 0
    blend: float

    @property
    def touched(self) -> bool:
        return not np.array_equal(self.c[0], self.c[1])

    def idle(self) -> dict[str, str]:
        if self.zeroed == self.c.shape[1]:
            return dict.fromkeys(("donor", "blend", "scale", "noise", "seed"), "Every unit is set to 0.")
        found = {} if self.noise else {"seed": "There is no noise yet."}
        if not self.scale:
            found |= dict.fromkeys(
                ("donor", "blend"), "c is scaled by 0: nothing of either sentence is left."
            )
        elif not self.blend:
            found["donor"] = "Nothing of its c is mixed in yet."
        return found


def operated(
    c: Tensor, donor: Tensor, scale: float, noise: float, seed: int, zeros: int, blend: float
) -> Tensor:
    """First the transplant, then scale and noise, then zeros: what is set to 0 stays 0."""
    c = (1 - blend) * c + blend * donor if blend else c
    if noise:
        c = scale * c + noise * torch.randn(len(c), generator=torch.Generator().manual_seed(seed))
    else:
        c = scale * c
    return torch.cat([c[: len(c) - zeros], torch.zeros(zeros)])


def surgery(
    text: str, donor: str, blend: float, scale: float, noise: float, seed: int, zeros: int
) -> Operated:
    source, second = read_source(text, "text"), read_source(donor, "donor")
    plain, other = original_run(TRANSLATOR, source), original_run(TRANSLATOR, second)

    def operate(c: Tensor, step: int) -> Tensor:
        return operated(c, other.c, scale, noise, seed, zeros, blend)

    yours = load_model(TRANSLATOR).run(source, edits={"c": operate})
    vectors = torch.stack([plain.c, yours.c, other.c])
    outputs = [french(run.output) for run in (plain, yours, other)]
    own, others = reference_for(TRANSLATION, english(source)), reference_for(TRANSLATION, english(second))
    return Operated(
        words=english(source),
        donor_words=english(second),
        plain=outputs[0],
        yours=outputs[1],
        donor=outputs[2],
        truths=(own, others),
        right=(
            matches_reference(outputs[0], own),
            matches_reference(outputs[1], own),
            matches_reference(outputs[2], others),
        ),
        changed=differing_positions(outputs[0], outputs[1])[1],
        c=vectors.numpy(),
        distances=torch.stack([vectors[a] - vectors[b] for a, b in ((0, 1), (1, 2), (0, 2))])
        .norm(dim=-1)
        .numpy(),
        scale=scale,
        noise=noise,
        zeroed=zeros,
        blend=blend,
    )


# ---- what is left of each word ----

PROBED = ("64", "128")  # widths of c that have a probe


@dataclass(frozen=True)
class Survived(Result):
    """Gain: how much more often the probe finds a word in c than the best guess without c."""

    width: str
    t: int  # output word looked at; 0 for the whole output
    words: Words  # (T)
    outputs: Words  # (T') with <eos>
    teacher: Words
    truth: Words | None  # the translation by the grammar, where it is known
    right: bool | None  # is the output the truth
    read_off: Words  # (≤ 20) what the probe reads at each position of c
    certainty: np.ndarray  # (≤ 20,) the probability it gives to the word that was there
    positions: np.ndarray  # (20,)
    recovered: np.ndarray  # (20,) on the card: share of test words found at each position
    commonest: np.ndarray  # (20,) the best guess without c
    gains: dict[str, np.ndarray]  # (20,) by width
    by_length: tuple[tuple[str, np.ndarray], ...]  # "3–8" → (20,) gain; NaN where sentences end
    natural: dict[str, float]  # by width: share of all test words that the probe finds
    without: float  # and the best guess without c
    _source: Tokens

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.outputs)}

    @cached_property
    def pull(self) -> np.ndarray:
        """(T,) ‖∂ log P / ∂ x_i‖ of that word, or of all"""
        return pulls(translator(self.width), self._source)[self.t]


def translator(width: str) -> str:
    return f"translation-none-{width}-s0"


@memoize
def pulls(name: str, source: Tokens) -> np.ndarray:
    """(T' + 1, T): how strongly each source word moves log P of the whole output (row 0) and of each word of it."""
    model, target = load_model(name), original_run(name, source).output
    J = jacobian(
        lambda edits: model.run(source, target, edits), "x", lambda trace: trace.logprobs
    )  # (T', T, P)
    return torch.cat([J.sum(0, keepdim=True), J]).norm(dim=-1).numpy()


def survive(text: str, width: str, t: int) -> Survived:
    source, name = read_source(text, "text"), translator(width)
    trace, (probe, card) = original_run(name, source), zoo.load(f"probe-none-{width}-s0")
    chances = probe(trace.c[None])[0].softmax(-1)[: len(source)]  # (≤ positions, V)
    rows, truth = card.metrics["by_position"], reference_for(TRANSLATION, english(source))
    return Survived(
        width=width,
        t=min(t, len(trace.output)),
        words=english(source),
        outputs=french(trace.output),
        teacher=teacher_of(source),
        truth=truth,
        right=matches_reference(french(trace.output), truth),
        read_off=english(chances.argmax(-1)),
        certainty=chances[range(len(chances)), list(source[: len(chances)])].numpy(),
        positions=np.array([row["position"] for row in rows]),
        recovered=np.array([row["accuracy"] for row in rows]),
        commonest=np.array([row["commonest"] for row in rows]),
        gains={m: gain(figures(f"probe-none-{m}-s0")["by_position"], len(rows)) for m in PROBED},
        by_length=tuple(
            (f"{part['from']}–{part['to']}", gain(part["by_position"], len(rows)))
            for part in card.metrics["by_length"]
        ),
        natural={m: figures(f"probe-none-{m}-s0")["natural"]["accuracy"] for m in PROBED},
        without=card.metrics["natural"]["commonest"],
        _source=source,
    )


def gain(rows: list[dict], positions: int) -> np.ndarray:
    """(positions,) share found minus the best guess without c; NaN where no sentence reaches."""
    line = np.full(positions, np.nan)
    for row in rows:
        line[row["position"] - 1] = row["accuracy"] - row["commonest"]
    return line


# ---- end to end ----

WEIGHTS = ("trained", "fresh")
H, S = "encoder.layer1.h", "decoder.layer1.h"  # as the run names them


def weighted(weights: str) -> Seq2Seq:
    return load_model(TRANSLATOR) if weights == "trained" else untrained_model(TRANSLATOR)


@memoize
def reach(weights: str, source: Tokens, quantity: str) -> np.ndarray:
    """∂ loss_t / ∂ quantity (T', steps, m) for every target word t, when the decoder is fed the teacher's words."""
    model, target = weighted(weights), taught(source)
    return jacobian(
        lambda edits: model.run(source, target, edits), quantity, lambda trace: -trace.logprobs
    ).numpy()


@memoize
def losses_of(weights: str, source: Tokens) -> np.ndarray:
    """(T',) −log P of each of the teacher's words"""
    return 0 - weighted(weights).run(source, taught(source)).logprobs.numpy()  # never −0


@dataclass(frozen=True)
class EndToEnd(Result):
    """Gradients of the loss at target word t (all words together if t is 0)."""

    weights: str
    t: int
    words: Words  # (T)
    teacher: Words  # (T') with <eos>
    losses: np.ndarray  # (T',) −log P of each word
    to_h: np.ndarray  # (T, m) ∂L/∂h_i
    to_s: np.ndarray  # (T', m) ∂L/∂s_j
    sizes: np.ndarray  # (T', T) ‖∂L_t/∂h_i‖ for every word
    _source: Tokens

    @cached_property
    def fresh(self) -> np.ndarray:
        """(T,) ‖∂L/∂h_i‖ before training, of the same word"""
        return lengths("fresh", self._source, self.t)

    @cached_property
    def trained(self) -> np.ndarray:
        """(T,)"""
        return lengths("trained", self._source, self.t)

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.teacher)}


def chosen(t: int) -> slice:
    """Rows of a Jacobian: of target word t, or of all."""
    return slice(t - 1, t) if t else slice(None)


def lengths(weights: str, source: Tokens, t: int) -> np.ndarray:
    """(T,) ‖∂L/∂h_i‖"""
    return np.linalg.norm(reach(weights, source, H)[chosen(t)].sum(0), axis=-1)


def endtoend(text: str, t: int, weights: str) -> EndToEnd:
    source = read_source(text, "text")
    to_h, to_s, losses = reach(weights, source, H), reach(weights, source, S), losses_of(weights, source)
    t = min(t, len(losses))
    return EndToEnd(
        weights=weights,
        t=t,
        words=english(source),
        teacher=french(taught(source)),
        losses=losses,
        to_h=to_h[chosen(t)].sum(0),
        to_s=to_s[chosen(t)].sum(0),
        sizes=np.linalg.norm(to_h, axis=-1),
        _source=source,
    )
