"""Test the claims of a lesson with model cards, which list the test sentences each model got right.

Both sides of a claim translate the same sentences, and each side was trained with several seeds. The
confidence interval of the difference accounts for both sources of variance: test sentences and seeds. Holm's
method corrects for testing many claims.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lessons.kit.checkpoints import figures_at, load_card
from lessons.kit.contract import Act, Choice, Experiment, Preset, Result, Slider
from lessons.kit.exercises import guess
from lessons.kit.language import translate, translate_plural
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import percent, seed_count, signed
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import quote
from models import metrics

MIN_SENTENCES, MAX_SENTENCES, SENTENCE_STEP = 20, 1000, 20  # range of the slider
CONFIDENCE = 0.95  # fraction of such intervals that contain the true difference
LARGEST_DF = 2000  # degrees of freedom above which Student's t is treated as normal
ALL_SEEDS = "all"
COMPARISONS = ("the second model of the claim", "the same model with another seed")
FORMER_COMPARISONS = ("its rival", "itself, another seed")


@dataclass(frozen=True)
class Side:
    """One side of a claim: models that differ only in their seed. `steps`: None for the end of training."""

    name: str
    models: tuple[str, ...]
    steps: int | None = None

    @property
    def budget(self) -> tuple[int, int]:
        """Training steps and parameters, from the card of the first seed."""
        card = load_card(self.models[0])
        return self.steps or card.recipe["steps"], card.parameters


@dataclass(frozen=True)
class Claim:
    title: str
    better: Side
    worse: Side
    former_title: str = ""  # the earlier title, still used in saved links

    @property
    def seeds(self) -> int:
        return min(len(self.better.models), len(self.worse.models))

    def next_seed(self, seed: int) -> int:
        """The other seed, used when the better side is compared with itself."""
        return (seed + 1) % len(self.better.models)


@lru_cache(maxsize=64)
def correct_sentences(model: str, steps: int | None) -> np.ndarray:
    """(sentences,) 1 where the model's translation is right; the same test sentences for all models."""
    return np.array(metrics.unpack_flags(figures_at(model, steps)["natural"]["right"]), dtype=float)


# ---- an interval, and a p-value ----


@dataclass(frozen=True)
class Difference:
    """Fraction correct of the better side minus that of the worse, for several numbers of sentences."""

    counts: np.ndarray  # (n,) numbers of sentences
    mean: np.ndarray  # (n,)
    low: np.ndarray  # (n,) ends of the interval
    high: np.ndarray
    by_seed: np.ndarray  # (seeds, n)
    shares: tuple[float, float]  # fraction correct of both sides, after all sentences
    p: float  # p-value of a two-sided t-test

    @property
    def seeds(self) -> int:
        return len(self.by_seed)


def difference(
    pairs: Sequence[tuple[np.ndarray, np.ndarray]], counts: Sequence[int] | np.ndarray = ()
) -> Difference:
    """Difference of two sides with Student's t interval. `pairs`: correctness (sentences,) of both, per seed.

    The squared standard error is a sum of three: the variance between sentences, and on each side between
    seeds. Welch and Satterthwaite give the degrees of freedom. (A bootstrap over three seeds is far too
    narrow, see tests/unit/test_referee.py.) One seed says nothing about other seeds. Two sentences that
    favour neither side are added (Agresti and Min 2005), so that agreeing on a few sentences is not
    certainty.
    """
    sides = [np.stack(side) for side in zip(*pairs, strict=True)]  # (seeds, sentences) each
    better, worse = sides
    n = np.array(counts if len(counts) else [better.shape[1]])
    x = (better - worse).mean(0)  # (sentences,)
    total, squares = x.cumsum()[n - 1], (x**2).cumsum()[n - 1]
    mean = total / (n + 2)
    errors, freedom = [((squares + 1) / (n + 2) - mean**2) / (n + 2)], [n + 1]
    if len(pairs) > 1:
        shares = [side.cumsum(1)[:, n - 1] / n for side in sides]  # (seeds, n) each
        errors += [share.var(0, ddof=1) / len(pairs) for share in shares]
        freedom += [np.full(len(n), len(pairs) - 1)] * 2
    error = np.sum(errors, axis=0)  # (n,) squared
    df = error**2 / np.sum([each**2 / free for each, free in zip(errors, freedom, strict=True)], axis=0)
    half_width = np.array([t_quantile(each) for each in df]) * np.sqrt(error)
    by_seed = (better - worse).cumsum(1)[:, n - 1] / n
    p = t_two_sided_p(float(mean[-1] / np.sqrt(error[-1])), float(df[-1]))
    return Difference(
        n, total / n, mean - half_width, mean + half_width, by_seed, (better.mean(), worse.mean()), p
    )


@lru_cache(maxsize=4096)
def t_angles(df: float) -> tuple[np.ndarray, np.ndarray]:
    """Student's t as an angle, t = √df · tan θ with density cos^(df − 1) θ: angles, and P(|θ| ≤ angle)."""
    angles = np.linspace(0, math.pi / 2, 2001)
    density = np.cos(angles) ** (min(df, LARGEST_DF) - 1)
    inside = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
    return angles, inside / inside[-1]


def t_quantile(df: float, share: float = CONFIDENCE) -> float:
    """The bound b with P(|T| ≤ b) equal to `share`."""
    angles, inside = t_angles(round(float(df), 2))
    return math.sqrt(min(df, LARGEST_DF)) * math.tan(np.interp(share, inside, angles))


def t_two_sided_p(t: float, df: float) -> float:
    """Two-sided p-value: P(|T| > |t|)."""
    angles, inside = t_angles(round(df, 2))
    return 1 - float(np.interp(math.atan(abs(t) / math.sqrt(min(df, LARGEST_DF))), angles, inside))


def holm(p: Sequence[float]) -> list[float]:
    """Correct p-values for testing several claims (Holm 1979); the smallest gets the largest factor."""
    order = np.argsort(p)
    scaled = np.array(p)[order] * np.arange(len(p), 0, -1)
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(1, np.maximum.accumulate(scaled))
    return corrected.tolist()


@dataclass(frozen=True)
class Ruling:
    """The difference measured for a claim, and the verdict after correction for all claims."""

    title: str
    found: Difference
    corrected: float  # the p-value after Holm's correction

    @property
    def verdict(self) -> str:
        if self.corrected >= 1 - CONFIDENCE:
            return "not settled"
        verdict = "holds" if self.found.mean[-1] > 0 else "the opposite holds"
        return verdict if self.found.seeds > 1 else f"{verdict} for this pair"


@dataclass(frozen=True)
class RefereeResult(Result):
    claim: str
    names: tuple[str, str]
    seeds: tuple[int, ...]
    count: int  # test sentences
    own: bool  # whether the model is compared with itself
    other_seed: int  # then the seed that the model is compared with
    found: Difference
    budgets: tuple[tuple[int, int], tuple[int, int]]  # (training steps, parameters) of both sides
    claims: tuple[Ruling, ...]  # every claim of the lesson
    _has_one_seed: bool  # whether this claim has a single seed although other claims have more

    @property
    def ruling(self) -> Ruling:
        """The ruling on the chosen claim."""
        return next(each for each in self.claims if each.title == self.claim)

    def idle(self) -> dict[str, str]:
        reason = translate("At least one side of this claim was trained with one seed only.")
        return {"seed": reason, "against": reason} if self._has_one_seed else {}


def compare_sides(
    claim: Claim, seed: str, count: int, own: bool, step: int = 0
) -> tuple[tuple[int, ...], Difference]:
    """The compared seeds and their difference; with a `step`, also on fewer sentences.

    A model against itself is one pair of seeds, because the differences of all pairs would add up to 0.
    """
    chosen = (
        (int(seed),) if seed != ALL_SEEDS and claim.seeds > 1 else (0,) if own else tuple(range(claim.seeds))
    )
    better, worse = claim.better, claim.worse
    pairs = []
    for n in chosen:
        rival = (better.models[claim.next_seed(n)], better.steps) if own else (worse.models[n], worse.steps)
        pairs.append(
            (correct_sentences(better.models[n], better.steps)[:count], correct_sentences(*rival)[:count])
        )
    return chosen, difference(pairs, range(step, count + 1, step) if step else ())


def rule_on_claims(claims: Sequence[Claim], seed: str, count: int) -> tuple[Ruling, ...]:
    """The rulings on all claims, corrected for their number."""
    found = [compare_sides(claim, seed, count, False)[1] for claim in claims]
    corrected = holm([each.p for each in found])
    return tuple(
        Ruling(claim.title, each, p) for claim, each, p in zip(claims, found, corrected, strict=True)
    )


# ---- views ----


def narrowing(run: RefereeResult) -> Curves:
    found, (first, second) = run.found, name_sides(run)
    seeds = [
        Line(translate("seed {n}", n=seed), found.counts, line, "quiet", dashed=True)
        for seed, line in zip(run.seeds, found.by_seed, strict=True)
        if len(run.seeds) > 1
    ]
    line = Line(translate("difference"), found.counts, found.mean, "weight", found.low, found.high)
    low, high = min(-0.1, float(found.low.min())), max(0.1, float(found.high.max()))
    return Curves(
        (*seeds, line),
        x_title=translate("test sentences so far"),
        y_title=translate("fraction correct: first minus second model"),
        x_range=(0, MAX_SENTENCES),
        y_range=(max(-1.0, np.floor(low * 10) / 10), min(1.0, np.ceil(high * 10) / 10)),
        rules=((0.0, translate("no difference")),),
        wide=900,
        tall=280,
        title=translate(
            "The difference, {first} minus {second}, with its {confidence} interval",
            first=first,
            second=second,
            confidence=percent(CONFIDENCE),
        ),
    )


def format_p_value(p: float) -> str:
    return translate("p < {p:.3f}", p=0.001) if p < 0.001 else translate("p = {p:.3f}", p=p)


def name_sides(run: RefereeResult) -> tuple[str, str]:
    """The names of both sides; a model that is compared with itself is named once."""
    first, second = map(translate, run.names)
    if not run.own:
        return first, second
    template = "{name}, seed {n}"
    return translate(template, name=first, n=run.seeds[0]), translate("seed {n}", n=run.other_seed)


def reading(run: RefereeResult) -> str:
    found, (first, second) = run.found, name_sides(run)
    values = {"first": first, "second": second, "share": found.shares[0], "other": found.shares[1]}
    sentences = [
        translate_plural(
            "Of **{n:,}** test sentence, the fraction translated correctly is **{share:.3f}** for {first} and"
            " **{other:.3f}** for {second}.",
            "Of **{n:,}** test sentences, the fraction translated correctly is **{share:.3f}** for {first}"
            " and **{other:.3f}** for {second}.",
            run.count,
            **values,
        ),
        translate(
            "The difference is **{difference}**, with a {confidence} interval from {low} to {high}.",
            difference=signed(found.mean[-1], 3),
            confidence=percent(CONFIDENCE),
            low=signed(found.low[-1], 3),
            high=signed(found.high[-1], 3),
        ),
    ]
    if run.own:
        own = (
            "The interval contains 0, so the test finds no difference between these two seeds."
            if found.low[-1] <= 0 <= found.high[-1]
            else "This difference comes from the seed alone, so do not trust a single training run."
        )
        return " ".join([*sentences, translate(own)])
    return " ".join([*sentences, state_verdict(run), explain_verdict(run), describe_budgets(run)])


def state_verdict(run: RefereeResult) -> str:
    template = {
        "not settled": "The claim “{claim}” is **not settled**.",
        "holds": "The claim “{claim}” **holds**.",
        "holds for this pair": "The claim “{claim}” **holds for this pair**.",
        "the opposite holds": "For “{claim}” **the opposite holds**.",
        "the opposite holds for this pair": "For “{claim}” **the opposite holds for this pair**.",
    }[run.ruling.verdict]
    return translate(template, claim=translate(run.claim))


def explain_verdict(run: RefereeResult) -> str:
    """Describe the basis of the verdict: seeds and the corrected p-value."""
    ruling = run.ruling
    text = translate_plural(
        "With {seeds} per model and a correction for the one claim of this lesson, {p}.",
        "With {seeds} per model and a correction for the {n} claims of this lesson, {p}.",
        len(run.claims),
        seeds=seed_count(len(run.seeds)),
        p=format_p_value(ruling.corrected),
    )
    sentences = [text]
    if len(run.seeds) == 1:
        sentences.append(translate("Another training could change this."))
    if ruling.verdict == "not settled" and ruling.found.p < 1 - CONFIDENCE:
        sentences.append(
            translate(
                "Tested alone, this difference would have counted. But the more claims we test, the more"
                " often chance alone produces a difference."
            )
        )
    return " ".join(sentences)


def describe_budgets(run: RefereeResult) -> str:
    """Describe the training steps and parameters of both sides, from their cards."""
    (steps, weights), (other_steps, other_weights) = run.budgets
    template = {
        (True, True): "Both models have {weights:,} parameters and were trained for {steps:,} steps.",
        (False, True): (
            "The two models are not equal: they have {weights:,} and {other_weights:,} parameters. Both were"
            " trained for {steps:,} steps."
        ),
        (True, False): (
            "The two models are not equal: they were trained for {steps:,} and {other_steps:,} steps."
        ),
        (False, False): (
            "The two models are not equal: they have {weights:,} and {other_weights:,} parameters; they were"
            " trained for {steps:,} and {other_steps:,} steps."
        ),
    }[weights == other_weights, steps == other_steps]
    values = {"weights": weights, "other_weights": other_weights, "steps": steps, "other_steps": other_steps}
    return translate(template, **values)


def verdicts(run: RefereeResult) -> Table:
    rows = tuple(
        (
            translate(each.title),
            f"{signed(each.found.mean[-1], 3)}",
            f"{signed(each.found.low[-1], 3)} … {signed(each.found.high[-1], 3)}",
            str(each.found.seeds),
            format_p_value(each.corrected).removeprefix("p ").removeprefix("= "),
            translate(each.verdict),
        )
        for each in run.claims
    )
    headings = tuple(map(translate, ("claim", "difference", "interval", "seeds", "p, corrected", "verdict")))
    marked = frozenset(n for n, each in enumerate(run.claims) if each.title == run.claim)
    template = "Test results of {claims} claims on {n:,} sentences"
    title = translate(template, claims=len(run.claims), n=run.count)
    return Table(headings, rows, key="claim", marked=marked, wide=900, title=title)


# ---- the experiment ----

HOLD_OPTIONS = ("all of them", "at least half", "fewer than half")


def referee(claims: tuple[Claim, ...]) -> Experiment:
    """Build the experiment that tests a lesson's claims. Its text is in the lesson's folder `referee`."""
    by_title = {claim.title: claim for claim in claims}
    seeds = max(claim.seeds for claim in claims)

    def compute(claim: str, against: str, seed: str, count: int) -> RefereeResult:
        chosen = by_title[claim]
        has_one_seed = chosen.seeds == 1
        own = against == COMPARISONS[1] and not has_one_seed
        used, found = compare_sides(chosen, seed, count, own, SENTENCE_STEP)
        names = chosen.better.name, chosen.worse.name
        return RefereeResult(
            claim=claim,
            names=names,
            seeds=used,
            count=count,
            own=own,
            other_seed=chosen.next_seed(used[0]),
            found=found,
            budgets=(chosen.better.budget, (chosen.better if own else chosen.worse).budget),
            claims=rule_on_claims(claims, seed, count),
            _has_one_seed=has_one_seed and seeds > 1,
        )

    def compute_without_seeds(claim: str, count: int) -> RefereeResult:
        """Compute without a choice of seeds, for claims whose models were trained with one seed."""
        return compute(claim, COMPARISONS[0], ALL_SEEDS, count)

    def count_holding() -> int:
        return sum(ruling.verdict == "holds" for ruling in rule_on_claims(claims, ALL_SEEDS, MAX_SENTENCES))

    def join_titles(holds: bool) -> str:
        """Join the titles of the claims that hold, or of those that do not."""
        rulings = rule_on_claims(claims, ALL_SEEDS, MAX_SENTENCES)
        titles = [quote(translate(one.title)) for one in rulings if (one.verdict == "holds") is holds]
        return ", ".join(titles) or translate("none")

    def answer() -> str:
        fraction = count_holding() / len(claims)
        return HOLD_OPTIONS[0 if fraction == 1 else 1 if fraction >= 0.5 else 2]

    whys = {
        HOLD_OPTIONS[0]: lambda: translate(
            "Claims that do not hold: {claims}. Open “Which of the other claims hold?”.",
            claims=join_titles(holds=False),
        ),
        HOLD_OPTIONS[1]: lambda: translate_plural(
            "{n} of {claims} claims holds. Open “Which of the other claims hold?”.",
            "{n} of {claims} claims hold. Open “Which of the other claims hold?”.",
            count_holding(),
            claims=len(claims),
        ),
        HOLD_OPTIONS[2]: lambda: translate(
            "Claims that hold: {claims}. Open “Which of the other claims hold?”.",
            claims=join_titles(holds=True),
        ),
    }
    predict = guess(
        "how-many-hold",
        f"We test the {len(claims)} claims of this lesson on {MAX_SENTENCES:,} sentences, with all seeds and"
        " with a correction for testing several claims. How many claims hold?",
        whys,
        answer,
        "Open the menu “Claim”. Which claims compare models that are nearly alike?",
        covers=("narrowing", "verdicts"),
    )
    other_seeds = (
        Choice(
            "against",
            "Compared with",
            COMPARISONS[0],
            COMPARISONS,
            dict(zip(FORMER_COMPARISONS, COMPARISONS, strict=True)),
        ),
        Choice("seed", "Seeds of the models", ALL_SEEDS, (ALL_SEEDS, *map(str, range(seeds)))),
    )
    controls: tuple[Any, ...] = (
        Choice(
            "claim",
            "Claim",
            claims[0].title,
            tuple(by_title),
            {claim.former_title: claim.title for claim in claims if claim.former_title},
        ),
        *(other_seeds if seeds > 1 else ()),
        Slider(
            "count", "Number of test sentences", MAX_SENTENCES, MIN_SENTENCES, MAX_SENTENCES, SENTENCE_STEP
        ),
    )
    few = Preset(
        "A small test", "40 sentences: how wide is the interval, and does it contain 0?", {"count": 40}
    )
    trained = next(claim.title for claim in claims if claim.seeds == seeds)
    luck = Preset(
        "A control",
        "The same model, trained with two seeds: how large is the difference by chance alone?",
        {"claim": trained, "against": COMPARISONS[1]},
    )
    one = Preset(
        "One training",
        "With one seed per model the interval ignores how much seeds differ. Which claims would you believe?",
        {"seed": "0", "count": 200},
    )
    return Experiment(
        "referee",
        "Referee",
        controls,
        compute if seeds > 1 else compute_without_seeds,
        (narrowing, reading),
        (
            (few, luck, one)
            if seeds > 1
            else (
                few,
                Preset("Twice as many", "The interval narrows with the square root of n.", {"count": 80}),
            )
        ),
        predict,
        code=(difference,),
        acts=(Act("all", (verdicts,)),),
    )
