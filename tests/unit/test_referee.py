"""The referee: its intervals have the promised coverage, and its verdicts follow from them."""

from types import SimpleNamespace

import numpy as np
import pytest

from lessons import LESSONS
from lessons.kit import referee
from lessons.kit.referee import Claim, Ruling, Side, difference
from models import metrics
from tests.says import assert_says, says


@pytest.mark.parametrize("n", [0, 1, 7, 1000])
def test_yes_and_no_survive_being_written(n):
    flags = (np.random.default_rng(n).random(n) < 0.3).tolist()
    assert metrics.unpack_flags(metrics.pack_flags(flags)) == flags


def sample(
    accuracies, seeds: int, luck: float, count: int, rng: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random answers of two models, one pair per seed: some sentences are hard for all, and seeds differ."""
    hard = rng.random(count)
    sides = [
        [(0.7 * hard + 0.3 * rng.random(count)) < rng.normal(share, luck) for _ in range(seeds)]
        for share in accuracies
    ]
    return [(better.astype(float), worse.astype(float)) for better, worse in zip(*sides, strict=True)]


def test_the_difference_against_its_definition():
    pairs = sample((0.7, 0.6), 3, 0.05, 400, np.random.default_rng(0))
    better, worse = (np.stack(side) for side in zip(*pairs, strict=True))
    found = difference(pairs, (100, 400))
    assert found.mean[-1] == pytest.approx(better.mean() - worse.mean())
    assert found.by_seed[1, 0] == pytest.approx(better[1, :100].mean() - worse[1, :100].mean())
    assert found.shares == (pytest.approx(better.mean()), pytest.approx(worse.mean()))
    parts = np.array(
        [
            (better.mean(0) - worse.mean(0)).var() / 400,
            *(side.mean(1).var(ddof=1) / 3 for side in (better, worse)),
        ]
    )
    df = parts.sum() ** 2 / (parts**2 / (401, 2, 2)).sum()
    assert (found.high[-1] - found.low[-1]) / 2 == pytest.approx(
        referee.t_quantile(df) * parts.sum() ** 0.5, rel=0.02
    )


@pytest.mark.parametrize(
    ("df", "quantile"), [(1, 12.7062), (2, 4.3027), (4, 2.7764), (10, 2.2281), (30, 2.0423)]
)
def test_students_t_as_in_the_tables(df, quantile):
    assert referee.t_quantile(df) == pytest.approx(quantile, rel=1e-3)
    assert referee.t_two_sided_p(-quantile, df) == pytest.approx(0.05, rel=1e-3)


def test_holms_correction_worked_by_hand():
    assert referee.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert referee.holm([0.6, 0.7]) == [1.0, 1.0]


def bootstrap(pairs, rng: np.random.Generator, draws: int = 200) -> np.ndarray:
    """The percentile interval of a bootstrap over sentences and over the seeds of each side."""
    better, worse = (np.stack(side) for side in zip(*pairs, strict=True))
    seeds, count = better.shape
    drawn = [rng.multinomial(seeds, [1 / seeds] * seeds, draws) / seeds @ side for side in (better, worse)]
    sentences = rng.multinomial(count, [1 / count] * count, draws) / count
    return np.quantile(((drawn[0] - drawn[1]) * sentences).sum(1), (0.025, 0.975))


@pytest.mark.parametrize(("seeds", "luck"), [(1, 0.0), (3, 0.0), (3, 0.05)])
def test_the_interval_contains_the_truth_about_95_times_in_100(seeds, luck):
    rng, held, resampled = np.random.default_rng(1), 0, 0
    truth = np.subtract(
        *(np.mean([pair[side] for pair in sample((0.7, 0.6), 400, luck, 500, rng)]) for side in (0, 1))
    )
    for _ in range(400):
        pairs = sample((0.7, 0.6), seeds, luck, 150, rng)
        found, (low, high) = difference(pairs), bootstrap(pairs, rng)
        held += found.low[-1] <= truth <= found.high[-1]
        resampled += low <= truth <= high
    assert held / 400 >= 0.93
    if luck:
        assert resampled / 400 < 0.9, "three seeds are too few for a bootstrap"


def test_seeds_that_differ_widen_the_interval():
    """The interval must contain all three differences; one from sentences alone would contain none."""
    count, shares = 1000, ((0.64, 0.33), (0.59, 0.26), (0.52, 0.38))
    pairs = [tuple((np.arange(count) < share * count).astype(float) for share in pair) for pair in shares]
    found = difference(pairs)
    assert (found.low[-1] < found.by_seed[:, -1]).all()
    assert (found.by_seed[:, -1] < found.high[-1]).all()
    one = difference([tuple(np.mean(side, axis=0) for side in zip(*pairs, strict=True))])
    assert found.high[-1] - found.low[-1] > 3 * (one.high[-1] - one.low[-1])


def test_agreeing_on_a_few_is_not_certainty():
    ones = np.ones(referee.MIN_SENTENCES)
    found = difference([(ones, ones)])
    assert found.low[-1] < -0.05 < 0.05 < found.high[-1]


def test_verdicts():
    ones, zeros = np.ones(100), np.zeros(100)

    def verdict(*pairs, corrected=None):
        found = difference(pairs)
        return Ruling("", found, found.p if corrected is None else corrected).verdict

    assert verdict((ones, zeros), (ones, zeros)) == "holds"
    assert verdict((zeros, ones), (zeros, ones)) == "the opposite holds"
    assert verdict((ones, zeros)) == "holds for this pair"
    assert verdict((ones, ones), (ones, ones)) == "not settled"
    # one of three seeds disagrees
    assert verdict((ones, zeros), (ones, zeros), (zeros, ones)) == "not settled"
    assert verdict((ones, zeros), (ones, zeros), corrected=0.051) == "not settled"


@pytest.fixture
def trial(monkeypatch) -> dict:
    """Claims about made-up models with these fractions of correct answers."""
    answers = {"good0": 0.9, "good1": 0.9, "bad0": 0.5, "bad1": 0.5, "like0": 0.9, "like1": 0.89}
    bits = {
        name: (np.random.default_rng(n).random(1000) < share).astype(float)
        for n, (name, share) in enumerate(answers.items())
    }
    cards = {
        name: SimpleNamespace(recipe={"steps": 300 + 100 * name.startswith("good")}, parameters=7000)
        for name in bits
    }
    monkeypatch.setattr(referee, "correct_sentences", lambda model, steps: bits[model])
    monkeypatch.setattr(referee, "load_card", cards.get)
    good, bad, like = (Side(name, (f"{name}0", f"{name}1")) for name in ("good", "bad", "like"))
    claims = (
        Claim("better", good, bad),
        Claim("alike", good, like),
        Claim("one training", good, Side("bad", ("bad0",))),
    )
    return {"experiment": referee.referee(claims), "bits": bits, "cards": cards}


def test_claims_that_hold_and_claims_that_do_not(trial):
    experiment = trial["experiment"]
    run = experiment.run()
    assert [each.verdict for each in run.claims] == ["holds", "not settled", "holds for this pair"]
    assert [each.found.seeds for each in run.claims] == [2, 2, 1]
    assert [each.corrected for each in run.claims] == referee.holm([each.found.p for each in run.claims])
    assert_says(
        referee.reading(run), "better", "holds", "2 seeds", "3 claims", *run.found.shares, run.found.mean[-1]
    )
    assert_says(referee.reading(run), run.found.low[-1], run.found.high[-1], 0.95)
    alone = experiment.run({"claim": "one training", "against": referee.COMPARISONS[1], "seed": "1"})
    assert set(alone.idle()) == {"seed", "against"}
    assert not alone.own
    assert_says(referee.reading(alone), "one seed", "another training")
    assert experiment.predict.check("fewer than half", {}).ok


def test_a_difference_that_only_passes_alone_is_not_settled(trial):
    """Among several claims a p-value just below 0.05 must not settle one, and the reading must say why."""
    bits, good = trial["bits"], Side("good", ("good0", "good1"))
    n = np.arange(1000)
    for seed in "01":
        bits[f"good{seed}"], bits[f"like{seed}"] = (
            (n < 900) * 1.0,
            ((n >= 30) & (n < 916)) * 1.0,
        )  # 30 sentences lost, 16 won
    experiment = referee.referee(
        (Claim("alike", good, Side("like", ("like0", "like1"))), Claim("same", good, good))
    )
    run = experiment.run({"claim": "alike"})
    assert run.ruling.found.p < 0.05 < run.ruling.corrected
    assert run.ruling.verdict == "not settled"
    assert_says(referee.reading(run), run.ruling.corrected, "alone", "2 claims")


def test_the_reading_says_in_what_the_sides_are_unequal(trial):
    said = referee.reading(trial["experiment"].run())
    assert_says(said, ("unequal", "not equal"), 400, 300, "steps")
    assert not says(said, "parameters")
    trial["cards"]["bad0"].parameters = 9000
    assert_says(referee.reading(trial["experiment"].run()), 7000, 9000, "parameters")
    trial["cards"]["like0"].recipe["steps"] = 400
    equal = referee.reading(trial["experiment"].run({"claim": "alike"}))
    assert_says(equal, "both", 400, 7000)
    assert not says(equal, ("unequal", "not equal"))


def test_a_control_is_one_pair_of_seeds(trial):
    """A control must be one pair of seeds: over all pairs the differences cancel, whatever chance did."""
    experiment, good0, good1 = (
        trial["experiment"],
        *(trial["bits"][name][:500] for name in ("good0", "good1")),
    )
    run = experiment.run({"against": referee.COMPARISONS[1], "count": 500})
    assert run.found.mean[-1] == pytest.approx((good0 - good1).mean())
    assert run.found.high[-1] - run.found.low[-1] > 0.05
    assert referee.name_sides(run) == ("good, seed 0", "seed 1")
    other = experiment.run({"against": referee.COMPARISONS[1], "count": 500, "seed": "1"})
    assert other.found.mean[-1] == pytest.approx((good1 - good0).mean())
    assert referee.name_sides(other) == ("good, seed 1", "seed 0")
    assert run.own
    assert run.found.low[-1] < 0 < run.found.high[-1]
    assert_says(referee.reading(run), "contains 0")


def test_luck_that_can_be_told_is_told(trial):
    trial["bits"]["good1"][:200] = 0
    assert_says(referee.reading(trial["experiment"].run({"against": referee.COMPARISONS[1]})), "seed alone")


def test_seeds_are_offered_where_there_are_some(trial):
    one, two = Side("bad", ("bad0",)), Side("good", ("good0", "good1"))
    alone = referee.referee((Claim("one training", two, one),))
    assert [control.name for control in alone.controls] == ["claim", "count"]
    assert alone.run({"count": 100}).seeds == (0,)
    claims = Claim("one training", two, one), Claim("two trainings", two, Side("bad", ("bad0", "bad1")))
    control = next(preset for preset in referee.referee(claims).presets if preset.title == "A control")
    assert referee.referee(claims).run(control.state).own


def test_fewer_sentences_make_a_wider_band(trial):
    few, many = (trial["experiment"].run({"count": count, "seed": "0"}).found for count in (40, 1000))
    assert few.high[-1] - few.low[-1] > 3 * (many.high[-1] - many.low[-1])
    picture = referee.narrowing(trial["experiment"].run({"count": 40}))
    assert [line.name for line in picture.lines] == ["seed 0", "seed 1", "difference"]


# ---- the lessons' claims ----

REFEREED = [
    lesson for lesson in LESSONS if any(experiment.slug == "referee" for experiment in lesson.experiments)
]


@pytest.mark.parametrize("lesson", REFEREED, ids=lambda lesson: lesson.slug)
def test_no_claim_is_settled_by_luck(lesson):
    """Every claim must be trained with several seeds, and each settled one must pass Holm's correction."""
    run = lesson.experiment("referee").run()
    corrected = referee.holm([each.found.p for each in run.claims])
    for each, p in zip(run.claims, corrected, strict=True):
        assert each.found.seeds >= 3
        assert (each.verdict == "not settled") == (p >= 0.05)


def test_the_seeds_of_lesson_2_lie_inside_the_interval():
    run = next(lesson for lesson in LESSONS if lesson.slug == "bottleneck").experiment("referee").run()
    for each in run.claims:
        assert (each.found.low[-1] <= each.found.by_seed[:, -1]).all()
        assert (each.found.by_seed[:, -1] <= each.found.high[-1]).all()


def test_seeds_leave_open_what_sentences_alone_would_settle():
    """With several seeds two claims must stay open: additive against dot, and a matrix against none."""
    run = next(lesson for lesson in LESSONS if lesson.slug == "scores").experiment("referee").run()
    assert [
        each.verdict for each in run.claims if "helps dot" in each.title or "beats dot" in each.title
    ] == ["not settled", "not settled", "the opposite holds"]


@pytest.mark.parametrize(
    ("slug", "title"),
    [("transformer", "A Transformer beats a GRU with attention"), ("bottleneck", "A larger c holds more")],
)
def test_a_claim_about_two_models_gives_both_equal_steps(slug, title):
    run = (
        next(lesson for lesson in LESSONS if lesson.slug == slug).experiment("referee").run({"claim": title})
    )
    (steps, parameters), (other_steps, other_parameters) = run.budgets
    assert steps == other_steps
    assert_says(referee.reading(run), parameters, other_parameters)


def test_a_larger_vector_is_not_always_better():
    """At equal steps c of size 128 does not beat 64, so the claim about size must compare 64 with 16."""
    run = next(lesson for lesson in LESSONS if lesson.slug == "bottleneck").experiment("referee").run()
    by_title = {each.title: each for each in run.claims}
    assert by_title["A larger c holds more"].verdict == "holds"
    largest = by_title["A c of size 128 holds more than one of size 64"]
    assert largest.found.mean[-1] < 0
    assert largest.verdict == "not settled"


@pytest.mark.parametrize("lesson", REFEREED, ids=lambda lesson: lesson.slug)
def test_the_words_say_how_the_interval_and_the_verdicts_are_made(lesson):
    words = lesson.text.experiments["referee"].after
    assert_says(
        words, "two sentences", "Agresti and Min 2005", "seeds", "Student", "Holm", "the opposite holds"
    )
