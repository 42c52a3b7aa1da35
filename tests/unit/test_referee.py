"""The referee: intervals that keep their promise, and verdicts that follow from them."""

import numpy as np
import pytest

from lessons import LESSONS
from lessons.kit import referee
from lessons.kit.referee import Claim, Side, difference
from models import metrics


@pytest.mark.parametrize("n", [0, 1, 7, 1000])
def test_yes_and_no_survive_being_written(n):
    flags = (np.random.default_rng(n).random(n) < 0.3).tolist()
    assert metrics.from_hex(metrics.in_hex(flags)) == flags


def test_the_difference_against_its_definition():
    rng = np.random.default_rng(0)
    better, worse = rng.random((3, 400)) < 0.8, rng.random((3, 400)) < 0.7
    found = difference(list(zip(better.astype(float), worse.astype(float), strict=True)), (100, 400))
    assert found.mean[-1] == pytest.approx(better.mean() - worse.mean())
    assert found.by_seed[1, 0] == pytest.approx(better[1, :100].mean() - worse[1, :100].mean())
    assert found.shares == (pytest.approx(better.mean()), pytest.approx(worse.mean()))
    spread = (better.mean(0) - worse.mean(0)).std() / 20  # √400
    assert (found.high[-1] - found.low[-1]) / 2 == pytest.approx(referee.SURE * spread, rel=0.02)


def test_the_interval_holds_the_truth_about_95_times_in_100():
    rng, held, truth = np.random.default_rng(1), 0, 0.8 - (0.9 * 0.7 + 0.1 * 0.5)
    for _ in range(1000):
        hard, luck = rng.random((2, 60))  # the same sentences for both: the answers hang together
        better, worse = hard < 0.8, np.where(luck < 0.9, hard < 0.7, rng.random(60) < 0.5)
        found = difference([(better.astype(float), worse.astype(float))])
        held += found.low[-1] <= truth <= found.high[-1]
    assert 0.93 <= held / 1000 <= 0.99


def test_agreeing_on_a_few_is_not_certainty():
    ones = np.ones(referee.LEAST)
    found = difference([(ones, ones)])
    assert found.low[-1] < -0.05 < 0.05 < found.high[-1]


def test_verdicts():
    ones, zeros = np.ones(100), np.zeros(100)
    assert difference([(ones, zeros)]).verdict == "holds"
    assert difference([(zeros, ones)]).verdict == "the opposite holds"
    assert difference([(ones, ones)]).verdict == "not settled"
    assert difference([(ones, zeros), (ones, zeros), (zeros, ones)]).verdict == "not settled"  # one seed says otherwise


@pytest.fixture
def trial(monkeypatch) -> dict:
    """Claims about models that are right as written here."""
    answers = {"good0": 0.9, "good1": 0.9, "bad0": 0.5, "bad1": 0.5, "like0": 0.9, "like1": 0.89}
    bits = {name: (np.random.default_rng(n).random(1000) < share).astype(float) for n, (name, share) in enumerate(answers.items())}
    monkeypatch.setattr(referee, "right", lambda model, steps: bits[model])
    good, bad, like = (Side(name, (f"{name}0", f"{name}1")) for name in ("good", "bad", "like"))
    claims = Claim("better", good, bad), Claim("alike", good, like), Claim("one training", good, Side("bad", ("bad0",)))
    return {"experiment": referee.referee(claims), "bits": bits}


def test_claims_that_hold_and_claims_that_do_not(trial):
    experiment = trial["experiment"]
    run = experiment.run()
    assert [found.verdict for _, _, found in run.claims] == ["holds", "not settled", "holds"]
    assert [seeds for _, seeds, _ in run.claims] == [2, 2, 1]
    assert "“better”: **holds**, with all 2 seeds" in referee.reading(run)
    alone = experiment.run({"claim": "one training", "against": referee.RIVALS[1], "seed": "1"})
    assert set(alone.idle()) == {"seed", "against"}
    assert not alone.own
    assert "one seed each, so another training might turn it" in referee.reading(alone)
    assert experiment.predict.check("at least half", {}).ok


def test_a_control_is_one_pair_of_seeds(trial):
    """Not all pairs at once: their differences add up to nothing, whatever luck has done."""
    experiment, good0, good1 = trial["experiment"], *(trial["bits"][name][:500] for name in ("good0", "good1"))
    run = experiment.run({"against": referee.RIVALS[1], "count": 500})
    assert run.found.mean[-1] == pytest.approx((good0 - good1).mean())
    assert run.found.high[-1] - run.found.low[-1] > 0.05
    assert run.names == ("good, seed 0", "seed 1")
    other = experiment.run({"against": referee.RIVALS[1], "count": 500, "seed": "1"})
    assert other.found.mean[-1] == pytest.approx((good1 - good0).mean())
    assert other.names == ("good, seed 1", "seed 0")
    assert run.own
    assert run.found.verdict == "not settled"
    assert "Luck alone" in referee.reading(run)


def test_luck_that_can_be_told_is_told(trial):
    trial["bits"]["good1"][:200] = 0
    assert "So much can a seed alone do" in referee.reading(trial["experiment"].run({"against": referee.RIVALS[1]}))


def test_seeds_are_offered_where_there_are_some(trial):
    one, two = Side("bad", ("bad0",)), Side("good", ("good0", "good1"))
    alone = referee.referee((Claim("one training", two, one),))
    assert [control.name for control in alone.controls] == ["claim", "count"]
    assert alone.run({"count": 100}).seeds == (0,)
    claims = Claim("one training", two, one), Claim("two trainings", two, Side("bad", ("bad0", "bad1")))
    control = next(preset for preset in referee.referee(claims).presets if preset.title == "A control")
    assert referee.referee(claims).run(control.state).own


def test_fewer_sentences_make_a_wider_band(trial):
    few, many = (trial["experiment"].run({"count": count}).found for count in (40, 1000))
    assert few.high[-1] - few.low[-1] > 3 * (many.high[-1] - many.low[-1])
    picture = referee.narrowing(trial["experiment"].run({"count": 40}))
    assert [line.name for line in picture.lines] == ["seed 0", "seed 1", "difference"]


@pytest.mark.parametrize("slug", ["bottleneck", "attention", "scores", "transformer"])
def test_the_words_say_how_the_band_and_the_verdicts_are_made(slug):
    """Two sentences are added, so the band is not even around the difference; and there are three verdicts."""
    words = next(lesson for lesson in LESSONS if lesson.slug == slug).words.sections["referee"].after
    assert "two sentences are added that speak for neither side" in words
    assert "the opposite holds" in words
