"""Do the claims of a lesson hold? Claims are data; the cards of their models say which test sentences came out right.

Both models of a claim translate the same sentences, so what counts is how often only one of them is right. With few sentences,
or one training of each, much can look like a difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lessons.kit.contract import Act, Choice, Experiment, Preset, Result, Slider
from lessons.kit.exercises import guess
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted, signed
from lessons.kit.pictures.table import Table
from lessons.kit.translators import rung
from models import metrics

LEAST, MOST, STEP = 20, 1000, 20  # test sentences
SURE = 1.96  # standard errors: 95 of 100 such intervals hold the true difference
ALL = "all"
RIVALS = ("its rival", "itself, another seed")


@dataclass(frozen=True)
class Side:
    """Models that differ by their seed only; `steps` if they were measured on the way."""

    name: str
    models: tuple[str, ...]
    steps: int | None = None


@dataclass(frozen=True)
class Claim:
    title: str
    better: Side
    worse: Side

    @property
    def seeds(self) -> int:
        return min(len(self.better.models), len(self.worse.models))

    def after(self, seed: int) -> int:
        """The seed that a seed of the better side is held against, where that is its own rival."""
        return (seed + 1) % len(self.better.models)


@lru_cache(maxsize=64)
def right(model: str, steps: int | None) -> np.ndarray:
    """(sentences,) 1 where the model's translation is the true one: the same test sentences for all models."""
    return np.array(metrics.from_hex(rung(model, steps)["natural"]["right"]), dtype=float)


@dataclass(frozen=True)
class Difference:
    """How much more the better side has right, with an interval, after some numbers of sentences."""

    counts: np.ndarray  # (places,) of sentences
    mean: np.ndarray  # (places,)
    low: np.ndarray
    high: np.ndarray
    by_seed: np.ndarray  # (seeds, places)
    shares: tuple[float, float]  # of both sides, after all

    @property
    def verdict(self) -> str:
        if self.low[-1] > 0 and (self.by_seed[:, -1] > 0).all():
            return "holds"
        if self.high[-1] < 0 and (self.by_seed[:, -1] < 0).all():
            return "the opposite holds"
        return "not settled"


def difference(pairs: Sequence[tuple[np.ndarray, np.ndarray]], counts: Sequence[int] | np.ndarray = ()) -> Difference:
    """Of paired answers, one pair a seed, each (sentences,). To each count two sentences are added that speak for neither side
    (Agresti and Min 2005), so that agreeing on a few is not certainty."""
    better, worse = (np.stack(side) for side in zip(*pairs, strict=True))  # (seeds, sentences)
    n = np.array(counts if len(counts) else [better.shape[1]])
    x = (better - worse).mean(0)  # (sentences,)
    total, squares = x.cumsum()[n - 1], (x**2).cumsum()[n - 1]
    mean = total / (n + 2)
    error = np.sqrt((squares + 1) / (n + 2) - mean**2) / np.sqrt(n + 2)
    by_seed = (better - worse).cumsum(1)[:, n - 1] / n
    return Difference(n, total / n, mean - SURE * error, mean + SURE * error, by_seed, (better.mean(), worse.mean()))


@dataclass(frozen=True)
class Judged(Result):
    claim: str
    names: tuple[str, str]
    seeds: tuple[int, ...]
    count: int  # test sentences
    own: bool  # held against itself
    found: Difference
    claims: tuple[tuple[str, int, Difference], ...]  # every claim of the lesson: title, seeds, what was found
    _alone: bool  # only one seed was trained, of a claim among others that have more

    def idle(self) -> dict[str, str]:
        why = "One seed was trained of at least one of them."
        return {"seed": why, "against": why} if self._alone else {}


def judged(claim: Claim, seed: str, count: int, own: bool, step: int = 0) -> tuple[tuple[int, ...], Difference]:
    """With a step also on the way there. A model against itself is one pair: of all pairs together, what each seed gains the
    next one loses, and nothing would be left to see."""
    chosen = (int(seed),) if seed != ALL and claim.seeds > 1 else (0,) if own else tuple(range(claim.seeds))
    better, worse = claim.better, claim.worse
    pairs = []
    for n in chosen:
        rival = (better.models[claim.after(n)], better.steps) if own else (worse.models[n], worse.steps)
        pairs.append((right(better.models[n], better.steps)[:count], right(*rival)[:count]))
    return chosen, difference(pairs, range(step, count + 1, step) if step else ())


# ---- what is shown ----


def narrowing(run: Judged) -> Curves:
    found, (first, second) = run.found, run.names
    seeds = [
        Line(f"seed {seed}", found.counts, line, "quiet", dashed=True)
        for seed, line in zip(run.seeds, found.by_seed, strict=True)
        if len(run.seeds) > 1
    ]
    line = Line("difference", found.counts, found.mean, "weight", found.low, found.high)
    low, high = min(-0.1, float(found.low.min())), max(0.1, float(found.high.max()))
    return Curves(
        (*seeds, line),
        x_title="test sentences so far",
        y_title="share right: the first less the second",
        x_range=(0, MOST),
        y_range=(max(-1.0, np.floor(low * 10) / 10), min(1.0, np.ceil(high * 10) / 10)),
        rules=((0.0, "no difference"),),
        wide=900,
        tall=280,
        title=f"The difference, {first} less {second}, and where it lies 95 times in 100",
    )


def reading(run: Judged) -> str:
    found = run.found
    first, second = (f"{name} **{share:.3f}**" for name, share in zip(run.names, found.shares, strict=True))
    said = f"After {counted(run.count, 'sentence')}: {first}, {second}. The difference is **{signed(found.mean[-1], 3)}**, "
    said += f"between {signed(found.low[-1], 3)} and {signed(found.high[-1], 3)}. "
    if run.own:
        same = found.verdict == "not settled"
        return said + (
            "Luck alone makes no difference that could be told." if same else "So much can a seed alone do: beware of one training."
        )
    seeds = "one seed each, so another training might turn it" if len(run.seeds) == 1 else f"with all {len(run.seeds)} seeds"
    return said + f"“{run.claim}”: **{found.verdict}**, {seeds}."


def verdicts(run: Judged) -> Table:
    rows = tuple(
        (
            title,
            f"{signed(found.mean[-1], 3)}",
            f"{signed(found.low[-1], 3)} … {signed(found.high[-1], 3)}",
            str(seeds),
            found.verdict,
        )
        for title, seeds, found in run.claims
    )
    headings = ("claim", "difference", "interval", "seeds", "verdict")
    marked = frozenset(n for n, (title, *_) in enumerate(run.claims) if title == run.claim)
    title = f"Every claim, each against its rival, on {run.count:,} sentences"
    return Table(headings, rows, key="claim", marked=marked, wide=760, title=title)


# ---- the experiment ----

SOME = ("all of them", "at least half", "fewer than half")


def referee(claims: tuple[Claim, ...]) -> Experiment:
    """The last experiment of a lesson with measured claims. Its words are under `referee` in the lesson's text."""
    by_title = {claim.title: claim for claim in claims}
    seeds = max(claim.seeds for claim in claims)

    def compute(claim: str, against: str, seed: str, count: int) -> Judged:
        chosen = by_title[claim]
        alone = chosen.seeds == 1
        own = against == RIVALS[1] and not alone
        used, found = judged(chosen, seed, count, own, STEP)
        names = chosen.better.name, chosen.worse.name
        if own:
            names = f"{chosen.better.name}, seed {used[0]}", f"seed {chosen.after(used[0])}"
        return Judged(
            claim=claim,
            names=names,
            seeds=used,
            count=count,
            own=own,
            found=found,
            claims=tuple((one.title, len((each := judged(one, seed, count, False))[0]), each[1]) for one in claims),
            _alone=alone and seeds > 1,
        )

    def once(claim: str, count: int) -> Judged:
        """Where nothing was trained twice there is no seed to choose."""
        return compute(claim, RIVALS[0], ALL, count)

    def told(holds: bool) -> list[str]:
        """The claims that hold, or those that do not."""
        run = once(claims[0].title, MOST)
        return [f"“{title}”" for title, _, found in run.claims if (found.verdict == "holds") is holds]

    def answer() -> str:
        share = len(told(True)) / len(claims)
        return SOME[0] if share == 1 else SOME[1] if share >= 0.5 else SOME[2]

    whys = {
        SOME[0]: lambda: f"Not proven: {', '.join(told(False)) or 'none'}. Open the table below.",
        SOME[1]: lambda: f"{len(told(True))} of {len(claims)} do. Open the table below.",
        SOME[2]: lambda: f"These do: {', '.join(told(True)) or 'none'}. Open the table below.",
    }
    predict = guess(
        "how-many-hold",
        f"Tested on {MOST:,} sentences, with every seed there is: how many of the lesson’s claims hold?",
        whys,
        answer,
        "Which of them compare things that are nearly alike, or only one training of each?",
        covers=("narrowing", "verdicts"),
    )
    other_seeds = Choice("against", "Held against", RIVALS[0], RIVALS), Choice("seed", "Seeds", ALL, (ALL, *map(str, range(seeds))))
    controls: tuple[Any, ...] = (
        Choice("claim", "Claim", claims[0].title, tuple(by_title)),
        *(other_seeds if seeds > 1 else ()),
        Slider("count", "Test sentences", MOST, LEAST, MOST, STEP),
    )
    few = Preset("A small test", "Forty sentences: how wide is the band, and is 0 in it?", {"count": 40})
    trained = next(claim.title for claim in claims if claim.seeds == seeds)
    luck = Preset(
        "A control", "The same model twice, from other seeds: what can luck do?", {"claim": trained, "against": RIVALS[1]}
    )
    one = Preset("One training", "One seed each. Which claims would you have believed?", {"seed": "0", "count": 200})
    return Experiment(
        "referee",
        "Referee",
        controls,
        compute if seeds > 1 else once,
        (narrowing, reading),
        (few, luck, one) if seeds > 1 else (few, Preset("Twice as many", "The band narrows with the root of n.", {"count": 80})),
        predict,
        code=(difference,),
        acts=(Act("all", (verdicts,)),),
    )
