"""Lesson `training`: recorded runs, gradient descent on two weights, overfitting, and saved runs."""

import io
import json
import math
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from lessons.kit.checkpoints import read_source
from lessons.kit.contract import InputError
from lessons.kit.jobs import artifacts
from lessons.kit.jobs.queue import JobQueue
from lessons.kit.notices import collect_notices
from lessons.training import LESSON, training_session
from lessons.training.dataset import generated_dataset
from lessons.training.film import views as film_views
from lessons.training.film.compute import COMPARISONS, MODELS, RATES, SMOOTHED_STEPS, film, load_recording
from lessons.training.live.compute import TASK_NAMES, go_on, live, train
from lessons.training.live.exercises import check_fast_run
from lessons.training.overfit import compute as overfit_compute
from lessons.training.overfit import views as overfit_views
from lessons.training.overfit.compute import (
    COMPARED_SIGNS,
    SEEDS,
    SHAPES,
    WIDTH,
    draw_examples,
    loss_gradient,
    overfit,
    wrong_label_count,
)
from lessons.training.rate import views as rate_views
from lessons.training.rate.compute import (
    MAX_GRADIENT,
    TARGET_SCALE,
    UNITS,
    WARM_UP_STEPS,
    loss,
    loss_and_gradient,
    rate,
)
from lessons.training.training_run import (
    CELLS,
    WIDTHS,
    Measurement,
    Plan,
    add_measurement,
    describe_differences,
    load_saved_runs,
    make_plan,
    pack_run,
    start_run,
    unpack_run,
)
from lessons.training.training_session import continue_run, home, train_and_measure, write_outputs
from models.batches import pair_batches
from models.recording import load_film
from models.tasks import TASKS
from tests import helpers
from tests.helpers import preset
from tests.says import assert_says, says

CONTROLS = {
    "task": "copy", "cell": "GRU", "attention": "dot", "width": "8", "layers": 1,
    "power": -2.0, "batch": "8", "seed": 0, "budget": 5,
}  # fmt: skip


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(artifacts, "STORE_PATHS", [str(tmp_path / "work.db")])


def plan_of(**controls) -> Plan:
    return make_plan(generated_dataset(TASK_NAMES[controls.pop("task")]), **controls)


def save_short_run(budget: float = 0.3, **change):
    """Train for a moment and store the run as `train` would."""
    plan = plan_of(**CONTROLS | change)
    dataset = generated_dataset(plan.task)
    model, run = plan.build_model(dataset.task), start_run(plan)
    batches = pair_batches(dataset.task.pairs("train", 50, lengths=range(1, 5)), dataset.task, plan.batch)
    for run in train_and_measure(dataset, model, run, batches, budget):  # noqa: B020
        artifacts.put(run.name, pack_run(run, model, dataset))
    return run, model


# ---- recordings ----


def test_attention_on_gold_links_agrees_with_a_loop():
    shown, take = film("learning rates", "good", "dot", 9), load_recording(RATES["good"])
    linked = {t for t, _ in shown.gold}
    by_hand = np.mean([sum(shown.weights[t, i] for u, i in shown.gold if u == t) for t in linked])
    assert take.on_gold[8] == pytest.approx(by_hand)


def test_a_loss_is_the_mean_of_the_last_steps():
    take, losses = load_recording(RATES["good"]), load_film(RATES["good"])["losses"]
    for step in (1, 21, 3000):
        assert take.loss(step) == pytest.approx(np.mean(losses[max(0, step - SMOOTHED_STEPS) : step]))


@pytest.mark.parametrize("model", MODELS)
def test_the_reading_gives_the_recorded_figures(model):
    shown, recorded = film("models", "good", model, 25), load_film(MODELS[model])["frames"][-1]
    others = {name: load_recording(checkpoint) for name, checkpoint in MODELS.items() if name != model}
    ended = [take.exact[take.moment_at(shown.step)] for take in others.values()]
    assert_says(
        film_views.reading(shown),
        recorded["step"],
        recorded["exact_match"],
        shown.take.loss(shown.step),
        *others,
        *ended,
    )
    assert shown.take.has_attention == (model != "no attention") == bool(recorded["weights"])
    assert shown.idle().keys() == {"rate"}


def test_the_transformer_has_the_least_on_gold_and_the_highest_exact_match():
    """The Transformer must have the lowest weight on gold and the highest exact match, as the text says."""
    takes = {name: load_recording(checkpoint) for name, checkpoint in MODELS.items()}
    assert max(takes, key=lambda name: takes[name].exact[-1]) == "Transformer"
    assert (
        min((name for name in takes if takes[name].has_attention), key=lambda name: takes[name].on_gold[-1])
        == "Transformer"
    )


def test_without_attention_there_is_no_attention_map():
    shown = film("models", "good", "no attention", 9)
    assert np.isnan(shown.weights).all()
    assert_says(film_views.reading(shown), "no attention")
    assert_says(film_views.when(shown), "no attention", shown.take.loss_half_step)
    assert [line.name for line in film_views.final(shown).lines] == [
        name for name in MODELS if name != "no attention"
    ]
    for picture in (film_views.gaze(shown), film_views.emergence(shown), film_views.final(shown)):
        assert "nan" not in picture.svg().lower()


@pytest.mark.parametrize(
    ("side", "chosen"), [(side, name) for side, names in COMPARISONS.items() for name in names]
)
def test_no_label_of_a_film_is_cut(side, chosen):
    shown = LESSON.experiment("film").run({"side": side, "model" if side == "models" else "rate": chosen})
    for draw in (film_views.loss, film_views.exact, film_views.emergence, film_views.final):
        assert "…</text>" not in draw(shown).svg(), draw.__name__
    rates = {f"{take.rate:g}" for take in shown.takes.values()} if side != "models" else set()
    assert_says(film_views.loss(shown).title, *rates)


# ---- rate ----


def test_the_gradient_points_uphill():
    run = rate(-1.0, False, False, "tanh", 4, ((0.5, 0.5),), 0)
    at, small = torch.tensor([[0.5, 0.5]]), 1e-3
    slopes = [
        (loss(at + small * one, "tanh", 4) - loss(at - small * one, "tanh", 4)).item() / (2 * small)
        for one in torch.eye(2)
    ]
    moved = run.weights[1] - run.weights[0]
    assert moved == pytest.approx([-0.1 * slope for slope in slopes], abs=1e-4)


@pytest.mark.parametrize("unit", UNITS)
def test_the_gradient_agrees_with_autograd(unit):
    weights = torch.tensor([[0.5, 0.5], [-1.2, 0.8], [1.1, -0.3]], requires_grad=True)
    L = loss(weights, unit, 7)
    [expected] = torch.autograd.grad(L.sum(), weights)
    with torch.no_grad():
        torch.testing.assert_close(loss_and_gradient(weights, unit, 7), (L, expected))


def test_clipping_bounds_a_step_and_warm_up_begins_with_a_tenth():
    free, clipped, warm = (
        rate(-1.0, warm, clip, "no tanh", 8, ((1.4, 1.4),), 0)
        for warm, clip in ((False, False), (False, True), (True, False))
    )
    first = [float(np.linalg.norm(run.weights[1] - run.weights[0])) for run in (free, clipped, warm)]
    assert first[0] > 0.1
    assert first[1] == pytest.approx(0.1 * MAX_GRADIENT, rel=1e-4)
    assert first[2] == pytest.approx(first[0] / WARM_UP_STEPS, rel=1e-4)


def test_a_diverged_loss_is_nan_and_the_reading_says_so():
    run = rate(0.0, False, False, "no tanh", 8, ((0.8, 0.8),), 60)
    assert run.diverged_at is not None
    assert np.isnan(run.losses[run.diverged_at :]).all()
    assert_says(rate_views.reading(run), "diverges", run.diverged_at, run.losses[0])
    assert "nan" not in rate_views.hills(run).svg().lower()


@pytest.mark.parametrize("power", [-2.0, -1.0, 0.5])
def test_the_reading_calls_a_risen_loss_worse(power):
    run = rate(power, False, False, "tanh", 8, ((0.8, 0.8),), 60)
    said = rate_views.reading(run)
    assert_says(said, run.losses[0], run.losses[-1])
    rose = run.losses[-1] > run.losses[0]
    assert rose == (power > 0)
    assert says(said, ("larger", "rose", "higher than at the start")) == rose
    assert says(said, "more than half") == (not rose and run.losses[-1] > 0.5 * run.losses[0])


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_a_loss_that_looks_the_same_is_neither_better_nor_worse(factor):
    run = rate(-1.0, False, False, "tanh", 8, ((0.8, 0.8),), 60)
    run = replace(run, losses=np.linspace(0.65, 0.65 * factor, len(run.losses)))
    said = rate_views.reading(run)
    assert_says(said, 0.65, "hardly changed")
    assert not says(said, ("larger", "more than half"))


def test_the_presets_without_tanh_diverge_and_clipping_brings_the_loss_down():
    free, clipped = (preset(LESSON, "rate", title) for title in ("Without tanh", "Without tanh, clipped"))
    assert (free.clip, clipped.clip) == (False, True)
    assert (free.rate, free.unit, free.length) == (clipped.rate, clipped.unit, clipped.length)
    assert 0 < free.diverged_at <= 10, "its preset says: play the first ten steps"
    assert clipped.losses[-1] < 0.6 * clipped.losses[0]


def test_without_tanh_the_loss_has_no_upper_bound_and_with_it_it_has():
    """With tanh the loss must have an upper bound, without tanh none."""
    far = torch.tensor([[50.0, 50.0]])
    assert loss(far, "tanh", 8).item() <= (1 + TARGET_SCALE) ** 2
    assert loss(far, "no tanh", 8).item() > 1e20


def test_adams_step_does_not_grow_with_the_gradient():
    """Adam's step must not grow with the gradient, as the lesson says about warm-up."""
    moved = []
    for scale in (1.0, 100.0):
        weight = torch.tensor([1.0], requires_grad=True)
        optimiser = torch.optim.Adam([weight], lr=0.01)
        (scale * weight).backward()
        optimiser.step()
        moved.append(1 - weight.item())
    assert moved[0] == pytest.approx(moved[1], rel=1e-3)
    warming = helpers.exercise(LESSON, "warming")
    assert_says(warming.check(3.0, {}).message, "Adam", ("few batches", "first steps"))
    assert not says(warming.check(3.0, {}).message, "largest")


# ---- runs ----


def test_a_saved_run_is_restored_completely(store):
    run, model = save_short_run()
    assert unpack_run(artifacts.get(run.name)) == run
    [saved], source = load_saved_runs([run.name]), [TASKS["copy"].source.ids("abc")]
    loaded = saved.load_model()
    assert all(
        torch.equal(a, b)
        for a, b in zip(loaded.state_dict().values(), model.state_dict().values(), strict=True)
    )
    assert (
        len(
            {tuple(write_outputs(each.eval(), generated_dataset("copy"), source)) for each in (loaded, model)}
        )
        == 1
    )


def test_the_run_in_view_is_shown_and_expired_runs_are_left_out(store):
    run, _ = save_short_run()
    shown = live(**CONTROLS, sentence="cab", runs=(run.name, "0" * 16))
    assert shown.view == run.name
    assert shown.source == ("c", "a", "b")
    assert shown.truth == ("c", "a", "b")
    assert [name for name, _ in shown.limits()["runs"]] == [run.name]


@pytest.mark.parametrize(
    ("task", "typed", "example"),
    [("reversal", "12 may 2020", "sequence"), ("sums", "letters", "27+58"), ("dates", "été", "3 march 1992")],
)
def test_a_sentence_of_another_task_is_replaced_by_an_example(store, task, typed, example):
    """The notice must name what cannot be read; an example of the task is shown and can be trained on."""
    with collect_notices() as notices:
        shown = live(**CONTROLS | {"task": task}, sentence=typed, runs=())
    assert "".join(shown.source) == example
    assert_says(notices["sentence"], example)
    name = TASK_NAMES[task]
    with pytest.raises(InputError) as error:
        read_source(typed, "sentence", TASKS[name])
    assert str(error.value) in notices["sentence"]
    going = train(sentence=typed, runs=(), **CONTROLS | {"task": task})
    assert "".join(next(going)[1].source) == example
    going.close()


def test_continuing_keeps_the_weights_and_the_measurements(store):
    run, model = save_short_run()
    [saved] = load_saved_runs([run.name])
    onward, new = continue_run(saved, -3.0, 5)
    assert new.name != run.name
    assert new.looks == run.looks
    assert new.plan.power == -3.0
    assert all(
        torch.equal(a, b)
        for a, b in zip(onward.state_dict().values(), model.state_dict().values(), strict=True)
    )


def test_an_interrupted_run_is_saved_and_can_be_continued(store):
    going = train(sentence="", runs=(), **CONTROLS)
    left = [next(going)[1] for _ in range(2)][-1]  # two measurements, then the process ends
    going.close()
    found = live(**CONTROLS, sentence="", runs=left.names)
    assert (found.run, found.limits()["job"]) == (left.run, True)
    assert found.run.left > 0
    *_, (share, ended) = go_on(sentence="", runs=left.names, **CONTROLS | {"budget": 0.2, "task": "dates"})
    assert share == 1
    assert ended.run.looks[:2] == left.run.looks
    assert (ended.plan.task, ended.run.left, ended.run.last.step > left.run.last.step) == ("copy", 0, True)
    assert ended.names == (ended.view, left.view)
    with pytest.raises(InputError, match="no run in view"):
        go_on(sentence="", runs=(), **CONTROLS)


def test_the_same_seed_begins_with_the_same_weights():
    plan = plan_of(**CONTROLS)
    one, two, other = (
        plan.build_model(TASKS["copy"]),
        plan.build_model(TASKS["copy"]),
        plan_of(**CONTROLS | {"seed": 1}).build_model(TASKS["copy"]),
    )
    assert all(
        torch.equal(a, b) for a, b in zip(one.state_dict().values(), two.state_dict().values(), strict=True)
    )
    assert any(
        not torch.equal(a, b)
        for a, b in zip(one.state_dict().values(), other.state_dict().values(), strict=True)
    )


def test_a_diverging_loss_ends_the_run(store, monkeypatch):
    real = training_session.fit

    def breaks(*given):
        for now in real(*given):
            yield replace(now, loss=math.nan)

    monkeypatch.setattr(training_session, "fit", breaks)
    run, _ = save_short_run()
    assert run.lost == 1
    assert math.isfinite(run.last.loss)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("cell", CELLS)
def test_every_width_and_cell_gives_a_model_or_an_error(cell, width):
    settings = CONTROLS | {"cell": cell, "width": width}
    if cell == "Transformer" and width == "1":
        with pytest.raises(InputError, match="width"):
            plan_of(**settings)
        return
    shown = live(**settings, sentence="", runs=())
    assert shown.weights is not None
    assert shown.weights.sum(1) == pytest.approx(np.ones(len(shown.fed)), abs=1e-5)


def test_runs_are_described_by_what_differs():
    one, two = plan_of(**CONTROLS), plan_of(**CONTROLS | {"attention": "none", "power": -1.0})
    assert describe_differences([one, two]) == ["dot, rate 0.01", "attention none, rate 0.1"]
    assert describe_differences([one]) == ["copy"]


# ---- artifacts ----


def test_old_artifacts_are_dropped_beyond_the_size_limit(store, monkeypatch):
    monkeypatch.setattr(artifacts, "MAX_ARTIFACT_BYTES", 10)
    names = [artifacts.new_name() for _ in range(3)]
    for name in names:
        artifacts.put(name, b"12345")
    assert [artifacts.get(name) for name in names] == [None, b"12345", b"12345"]
    assert artifacts.get("../../etc/passwd") is None


def test_without_a_store_there_are_no_artifacts(monkeypatch):
    monkeypatch.setattr(artifacts, "STORE_PATHS", [])
    artifacts.put("0" * 16, b"1")
    assert artifacts.get("0" * 16) is None


def test_other_processes_read_a_stored_artifact(store):
    artifacts.put("a" * 16, b"x")
    assert bytes(JobQueue(artifacts.STORE_PATHS[0]).huey.storage.peek_data("artifact " + "a" * 16)) == b"x"


# ---- download, overfitting ----


@pytest.mark.parametrize("cell", ["LSTM", "Transformer"])
def test_the_download_has_weights_vocabularies_and_code(store, cell):
    run, _ = save_short_run(cell=cell)
    shown = live(**CONTROLS, sentence="", runs=(run.name,))
    with zipfile.ZipFile(io.BytesIO(home(shown))) as files:
        assert {Path(name).suffix for name in files.namelist()} == {".py", ".json", ".safetensors"}
        card = json.loads(files.read(next(name for name in files.namelist() if name.endswith("json"))))
    assert card["vocabularies"]["source"].split("\n") == list(TASKS["copy"].source.words)
    with pytest.raises(InputError, match="Train one first"):
        home(live(**CONTROLS, sentence="", runs=()))


@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_the_gradient_of_all_weights_agrees_with_autograd(dropout):
    chance = torch.Generator().manual_seed(0)
    x, labels = map(torch.tensor, draw_examples(20, chance))
    weights = [(torch.randn(shape, generator=chance) / 4).requires_grad_() for shape in SHAPES]
    kept = (
        (torch.rand(20, WIDTH, generator=chance) >= dropout) / (1 - dropout) if dropout else torch.ones(20, 1)
    )
    W_1, W_2, b_1, b_2 = weights
    logits = (torch.tanh(x @ W_1 + b_1) * kept) @ W_2 + b_2
    L = torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], labels)
    expected = torch.cat([gradient.flatten() for gradient in torch.autograd.grad(L, weights)])
    given = (
        [weight.detach().numpy() for weight in weights],
        x.numpy(),
        labels.numpy(),
        kept.numpy() if dropout else None,
    )
    torch.testing.assert_close(torch.tensor(loss_gradient(*given)), expected)


@pytest.mark.parametrize(("examples", "wrong"), [(100, 0.1), (20, 0.1), (340, 0.3), (100, 0.0)])
def test_the_number_of_wrong_labels_is_exact(monkeypatch, examples, wrong):
    """Chance decides which labels are wrong, but their number must be exact."""
    seen = []
    monkeypatch.setattr(
        overfit_compute,
        "is_correct",
        lambda weights, x, labels: seen.append((x, labels)) or np.ones(labels.shape, bool),
    )
    overfit_compute.train.__wrapped__(examples, wrong, 0.0, 0.0, (0, 1))
    x, labels = seen[0]  # (seeds, n, 12), (seeds, n)
    truth = x[..., COMPARED_SIGNS[0]] == x[..., COMPARED_SIGNS[1]]
    assert {*(labels != truth).sum(1)} == {round(examples * wrong)} == {wrong_label_count(examples, wrong)}


def test_more_examples_close_the_gap_and_remedies_help():
    few, many, bare, helped = (
        overfit(*given, 0)
        for given in ((100, 0.1, 0.0, 0.0), (1000, 0.0, 0.0, 0.0), (200, 0.1, 0.0, 0.0), (200, 0.1, 0.3, 0.5))
    )
    assert few.gap > 20 > many.gap
    assert helped.new[:, -1].mean() > bare.new[:, -1].mean()


@pytest.mark.parametrize("title", ["Weight decay", "Dropout"])
def test_a_remedys_preset_changes_nothing_else_and_helps(title):
    experiment = LESSON.experiment("overfit")
    [state] = [item.state for item in experiment.presets if item.title == title]
    assert len(state) == 1
    assert experiment.run(state).new[:, -1].mean() > experiment.run().new[:, -1].mean() + 0.05


def test_the_curves_and_the_reading_are_of_all_seeds():
    run = overfit(100, 0.1, 0.0, 0.0, 3)
    assert run.new.shape == (SEEDS, len(run.steps))
    assert len({*run.new[:, -1]}) > 1
    known, unseen, alone = overfit_views.gap(run).lines
    for line, values in ((known, run.known), (unseen, run.new)):
        np.testing.assert_allclose(line.y, values.mean(0))
        np.testing.assert_allclose((line.low, line.high), (values.min(0), values.max(0)))
    np.testing.assert_allclose(alone.y, run.new[3])
    new = run.new[:, -1]
    assert_says(
        overfit_views.reading(run),
        100,
        10,
        SEEDS,
        run.known[:, -1].mean(),
        new.mean(),
        new.min(),
        new.max(),
    )
    verdict = LESSON.experiment("overfit").predict.check("few more than by guessing", {})
    assert verdict.ok
    assert_says(verdict.message, new.mean(), new.min(), new.max())


@pytest.mark.parametrize("known", [0.996, 0.994])
@pytest.mark.parametrize("new", [0.886, 0.894])
def test_the_gap_is_that_of_the_two_figures_shown(known, new):
    """The gap must match the rounded figures: 100% and 89% are 11 points apart."""
    run = overfit(100, 0.1, 0.0, 0.0, 0)
    run = replace(run, known=np.full_like(run.known, known), new=np.full_like(run.new, new))
    assert run.gap == round(100 * known) - 89
    said = overfit_views.reading(run)
    if run.gap > 10:
        assert_says(said, run.gap, "percentage points")
    else:
        assert not says(said, "gap")


def test_the_challenge_counts_seconds_of_training(store):
    run, model = save_short_run()
    assert not check_fast_run(None, {"runs": ()}).ok
    assert not check_fast_run(None, {"runs": (run.name,)}).ok
    better = add_measurement(run, Measurement(44.0, 900, 0.1, 0.95))
    artifacts.put(run.name, pack_run(better, model, generated_dataset(run.plan.task)))
    assert check_fast_run(None, {"runs": (run.name,)}).ok


def test_a_run_is_found_although_the_store_of_another_site_is_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(artifacts, "STORE_PATHS", [])
    ours = JobQueue(str(tmp_path / "ours.db"))
    artifacts.attach(ours)
    artifacts.put("a" * 16, b"x")
    (tmp_path / "theirs").mkdir()
    theirs = JobQueue(str(tmp_path / "theirs" / "work.db"))
    artifacts.attach(theirs)
    shutil.rmtree(tmp_path / "theirs")
    assert artifacts.get("a" * 16) == b"x"
    assert artifacts.get("b" * 16) is None
    del theirs  # deleting the queue removes its store path
    assert [ours.store] == artifacts.STORE_PATHS


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((-0.5, False, False, "no tanh", 8, ((1.4, -0.9),), 0), "first step"),
        ((-0.5, False, False, "no tanh", 8, ((-1.0, 1.0),), 0), "each step"),
        ((-0.5, True, False, "no tanh", 8, ((0.8, 0.8),), 0), "came down to"),
    ],
)
def test_the_reading_says_how_the_losses_diverged(given, said):
    run = rate(*given)
    losses = run.losses[: run.diverged_at]
    assert_says(rate_views.reading(run), run.diverged_at, said)
    assert (len(losses) == 1, bool((np.diff(losses) > 0).all())) == {
        "first step": (True, True),
        "each step": (False, True),
        "came down to": (False, False),
    }[said]
    if said == "came down to":
        assert_says(rate_views.reading(run), losses.min())


def test_a_network_that_guesses_repeats_wrong_labels_by_chance():
    """A model that guesses must match half of the wrong labels without having memorised any."""
    memorised = overfit(100, 0.1, 0.0, 0.0, 0)
    nothing = replace(
        memorised, new=memorised.new[:, ::-1], believed=1 - memorised.new[::-1, ::-1]
    )  # a run that has learned nothing, as before training
    for run in (memorised, nothing):
        assert_says(overfit_views.repeated(run), run.believed[:, -1].mean(), 1 - run.new[:, -1].mean())
    assert nothing.believed[:, -1].mean() > 0.4
    assert says(overfit_views.repeated(memorised), ("is memorised", "are memorised"))
    assert says(overfit_views.repeated(nothing), ("not memorised", "has not memorised"))


def test_three_quarters_correct_is_not_called_little():
    part, little = overfit(900, 0.3, 0.6, 0.2, 0), overfit(500, 0.2, 1.8, 0.7, 2)
    assert part.new[:, -1].mean() > 0.65 > little.new[:, -1].mean()
    assert not says(overfit_views.reading(part), "learned little")
    assert says(overfit_views.reading(little), "learned little")


def test_an_untrained_model_is_shown_once_for_all_rates_and_budgets(monkeypatch):
    first = live(**CONTROLS, sentence="cab", runs=())
    monkeypatch.setattr(training_session, "show_model", None)
    other = live(**CONTROLS | {"power": -2.0, "batch": "64", "budget": 15}, sentence="cab", runs=())
    assert (other.plan.power, other.plan.batch, other.plan.budget) == (-2.0, 64, 15)
    assert other.output == first.output
