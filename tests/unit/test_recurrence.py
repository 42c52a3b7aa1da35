"""Lesson `recurrence`: its numbers agree with oracles, and its claims, exercises and pictures hold."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from lessons.kit.checkpoints import STORIES, read_story, story_words
from lessons.kit.contract import InputError
from lessons.kit.pictures.numbers import compact
from lessons.recurrence import LESSON, cell, edit, gates, gradient, memory, read, roles
from lessons.recurrence.edit.compute import CLAMP, FLIP, Edited
from lessons.recurrence.gates.compute import CLAMP_OPTIONS, GATES, OWN_VALUE
from lessons.recurrence.gradient.compute import (
    FAINT,
    RUNS,
    Reach,
    gradient_norms,
    long_stories,
    strongest_cell,
)
from lessons.recurrence.memory.compute import KINDS, rotation
from lessons.recurrence.sentences import (
    BOY_SENTENCE,
    BOY_STORY,
    GIRL_SENTENCE,
    GIRL_STORY,
    QUOTATION,
    STEP_AFTER_NAME,
)
from lessons.recurrence.story_models import (
    FEATURES,
    MEASURED_STORIES,
    best_followers,
    correlations,
    load_story_model,
    mark_hero,
    run_original,
    unit_at_rank,
)
from models.rnn import CELLS
from models.tasks.task import split_of
from models.vocabulary import Vocabulary
from tests import helpers
from tests.helpers import payload, takes_only
from tests.says import assert_says, numbers, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset, changed = partial(helpers.preset, LESSON), partial(helpers.changed, LESSON)


# ---- all experiments ----


def test_long_texts_stay_small():
    """The payload of one event must stay small at the largest input."""
    text = " ".join(story_words(long_stories()[0][: STORIES.max_words]))
    assert payload(EXPERIMENTS["read"], text=text, cell="vanilla", layers="2", t=31) <= 200_000


@pytest.mark.parametrize("slug", ["read", "edit", "gates", "roles"])
@pytest.mark.parametrize(
    ("text", "fact"),
    [(" ", "type"), ("Привет", "English")],
)
def test_bad_text_raises_an_error_that_says_what_to_do(slug, text, fact):
    with pytest.raises(InputError) as refused:
        EXPERIMENTS[slug].run({"text": text})
    assert_says(str(refused.value), fact)


# ---- cell ----


@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 2**16))
def test_the_cell_agrees_with_torch(m, d, seed):
    rng = np.random.default_rng(seed)
    state = {
        name: rng.uniform(-1, 1, np.shape(value))
        for name, value in EXPERIMENTS["cell"].state().items()
        if np.shape(value)
    }
    run = cell.compute(m=m, d=d, t=3, **state)
    oracle = torch.nn.RNN(d, m, dtype=torch.float64)
    weights = {
        "weight_hh_l0": run.W_hh,
        "weight_ih_l0": run.W_xh,
        "bias_ih_l0": run.b_h,
        "bias_hh_l0": 0 * run.b_h,
    }
    oracle.load_state_dict({name: torch.tensor(value) for name, value in weights.items()})
    h = oracle(torch.tensor(run.x), torch.tensor(run.h_0)[None])[0].detach().numpy()
    np.testing.assert_allclose(run.h, h, atol=1e-12)
    np.testing.assert_allclose(run.sum, run.from_memory + run.from_input + run.b_h, atol=1e-12)
    np.testing.assert_allclose(
        run.h[2], np.tanh(run.W_hh @ run.h_before + run.W_xh @ run.x[2] + run.b_h), atol=1e-12
    )
    assert run.limits()["W_xh"] == (m, d)
    assert run.limits()["x_more"] == ((6, d - 1) if d > 1 else (0, 0))


def test_presets_of_cell():
    run = preset("cell", "No memory")
    np.testing.assert_array_equal(run.h[1], np.tanh(run.from_input[1]))
    gained = np.diff(preset("cell", "A sum that saturates").h[:, 0])
    assert (gained > 0).all()
    assert gained[-1] < gained[0] / 5
    blinker = preset("cell", "A blinker").h[:, 0]
    assert (blinker[1:] * blinker[:-1] < 0).all()
    swap = preset("cell", "Two units that swap").h
    np.testing.assert_array_equal((swap != 0).argmax(1), [0, 1, 0, 1, 0, 1])


def test_every_number_explains_how_it_was_computed():
    run = EXPERIMENTS["cell"].run()
    from_memory = cell.views.terms(run).terms[0]
    for note, value in zip(from_memory.made, run.from_memory[run.t - 1], strict=True):
        products, total = note[0].replace("−", "-").split(" = ")
        assert sum(
            np.prod([float(factor) for factor in product.split(" × ")]) for product in products.split(" + ")
        ) == pytest.approx(value, abs=0.02)
        assert float(total) == pytest.approx(value, abs=0.005)


# ---- memory ----


@given(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5))
def test_a_linear_echo_is_a_power_of_the_matrix(a, b):
    run = memory.compute(((a, b),), "linear", 1.0, 0.0, 12)
    powers = [np.linalg.matrix_power(rotation((a, b)), step)[:, 0] for step in range(12)]
    np.testing.assert_allclose(run.h, powers, atol=1e-9, rtol=1e-9)
    np.testing.assert_allclose(run.leading, [a, abs(b)], atol=1e-12)
    np.testing.assert_allclose(run.envelope, run.size, atol=1e-9, rtol=1e-9)


@given(st.floats(-1.5, 1.5), st.floats(0, 1.5), st.floats(-2, 6))
def test_a_gate_mixes_lambda_with_what_it_keeps(a, b, keep):
    """ρ must be |z + (1 − z) λ| for the GRU and |f + i λ| for the LSTM."""
    gate, into, eigenvalue = 1 / (1 + np.exp(-keep)), 1 / (1 + np.exp(5)), a + 1j * b
    for kind, step in (("GRU", gate + (1 - gate) * eigenvalue), ("LSTM", gate + into * eigenvalue)):
        run = memory.compute(((a, b),), kind, 1.0, keep, 10)
        assert run.keep == pytest.approx(gate)
        assert run.enters == pytest.approx(into if kind == "LSTM" else 1 - gate)
        assert run.rho == pytest.approx(abs(step))
        assert run.rho == pytest.approx(np.hypot(*run.leading))
        assert run.envelope[-1] == pytest.approx(run.size[0] * run.rho**9)


def test_half_life_agrees_with_logarithms():
    assert memory.compute(((0.9, 0.0),), "linear", 1.0, 0.0, 60).half_life == int(
        np.ceil(np.log(0.5) / np.log(0.9))
    )
    assert memory.compute(((1.0, 0.0),), "linear", 1.0, 0.0, 60).half_life is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "eigenvalue", [(0.9, 0.0), (-0.9, 0.0), (0.6, 0.6), (-1.3, 0.3), (1.3, 0.0), (0.2, 1.2), (0.5, -0.5)]
)
@pytest.mark.parametrize("keep", [-1.0, 1.0, 3.0])
def test_the_fate_is_what_a_long_run_ends_in(kind, eigenvalue, keep):
    """The fate must not depend on how many steps are drawn."""
    short, run = (memory.compute((eigenvalue,), kind, 0.7, keep, T) for T in (10, 900))
    assert short.fate == run.fate
    if run.fate == "fades":
        assert run.size[-1] < 0.02
    else:
        assert run.fate == ("grows" if kind == "linear" else "saturates")
        assert run.size[-1] > 0.02


def test_on_the_circle_only_a_linear_echo_stays():
    for eigenvalue in ((1.0, 0.0), (0.6, 0.8)):
        assert memory.compute((eigenvalue,), "linear", 1.0, 0.0, 60).fate == "stays"
        worn = memory.compute((eigenvalue,), "vanilla", 1.0, 0.0, 600)
        assert worn.fate == "wears off"
        assert 0.03 < worn.size[-1] < 0.1
        assert worn.size[-1] / worn.size[-2] > 0.99  # the echo shrinks more and more slowly


def test_the_period_follows_from_the_angle_of_the_eigenvalue():
    assert memory.compute(((0.0, 0.95),), "linear", 1.0, 0.0, 60).turn == pytest.approx(4)
    assert memory.compute(((-0.9, 0.0),), "linear", 1.0, 0.0, 60).turn == pytest.approx(2)
    assert memory.compute(((0.8, 0.0),), "vanilla", 1.0, 0.0, 60).turn is None
    assert (
        memory.compute(((0.1, 0.05),), "vanilla", 1.0, 0.0, 60).turn is None
    )  # the echo fades before one oscillation


def test_the_reading_of_an_echo_never_contradicts_its_numbers():
    rng = np.random.default_rng(3)
    halving = {"eigenvalue": ((-0.4, 0.5),), "kind": "GRU", "keep": -2.0}  # with these settings ρ is 0.498
    for n in range(150):
        a, b = np.round(rng.uniform(-1.5, 1.5, 2) * 20) / 20
        state = {
            "eigenvalue": ((a, b),),
            "kind": str(rng.choice(KINDS)),
            "keep": float(rng.choice([-2, 0, 3, 6])),
        }
        state = state if n else halving
        run = EXPERIMENTS["memory"].run(state | {"T": int(rng.choice([10, 30, 60]))})
        reading = memory.views.reading(run)
        written = numbers_close_to(reading, run.rho, 0.005)
        assert written, reading
        if run.turn and run.turn > 2.001:
            assert numbers_close_to(reading, run.turn, 0.05 if run.turn < 9.95 else 0.5), reading
        if run.fate in ("fades", "grows", "saturates"):  # rounding must not move ρ across 1
            assert any((r < 1) == (run.fate == "fades") for r in written), reading
        if run.fate == "fades" and run.rho >= 0.495:
            steps = float(np.log(0.5) / np.log(run.rho))
            assert numbers_close_to(reading, steps, 0.05 if 1.05 <= steps < 9.95 else 0.5), reading
        elif run.fate == "fades":
            assert_says(reading, "more than half")


def numbers_close_to(text: str, value: float, half: float) -> list[float]:
    """Numbers in the text that equal the value within this tolerance."""
    return [
        number for number, rounded in numbers(text) if abs(number - value) <= 1.01 * rounded <= 1.02 * half
    ]


@pytest.mark.parametrize("pulse", [0.1, 2.0])
def test_a_large_echo_shrinks_until_tanh_holds_it(pulse):
    """Even with ρ > 1, an echo larger than the saturated size must shrink."""
    run = memory.compute(((1.05, 0.0),), "GRU", pulse, 5.5, 60)
    assert run.fate == "saturates"
    grown = run.size[-1] / run.size[0]
    assert (grown > 1) == (pulse < 1)
    assert_says(memory.views.reading(run), compact(grown))


def test_presets_of_memory():
    titles = ("Inside the circle", "Nearly on the circle", "Outside the circle", "A gate that keeps")
    real, ringing, outside, kept = runs = [preset("memory", title) for title in titles]
    assert [run.fate for run in runs] == ["fades", "fades", "saturates", "fades"]
    assert [run.turn is not None for run in runs] == [False, True, False, False]
    assert np.ptp((real.size[1:] / real.size[:-1])[3:]) < 0.05
    assert ringing.half_life > 20
    assert kept.size[-1] > 0.8 * kept.size[0] > 4 * real.size[-1]
    sizes = [memory.compute(((1.2, 0.0),), "vanilla", pulse, 0.0, 60).size[-1] for pulse in (0.2, 2.0)]
    assert sizes[0] == pytest.approx(sizes[1], abs=1e-3)  # the final size does not depend on the pulse
    assert outside.size[-1] > outside.size[0]


def test_controls_without_effect_are_idle():
    assert "keep" in EXPERIMENTS["memory"].run({"kind": "vanilla"}).idle()
    assert not EXPERIMENTS["memory"].run({"kind": "LSTM"}).idle()
    assert "value" in EXPERIMENTS["edit"].run().idle()
    assert not EXPERIMENTS["edit"].run({"action": CLAMP}).idle()
    assert "every" in EXPERIMENTS["gates"].run().idle()
    assert not EXPERIMENTS["gates"].run({"force": "0"}).idle()
    assert set(EXPERIMENTS["gradient"].run({"weights": "trained"}).idle()) == {"radius", "keep"}
    assert not EXPERIMENTS["gradient"].run().idle()


# ---- read ----


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("layers", ["1", "2"])
def test_reading_agrees_with_the_training_forward_pass(cell, layers):
    run = read.compute(BOY_STORY, cell, layers, "she/he", 3, 4)
    model, tokens = load_story_model(cell, int(layers)), read_story(BOY_STORY)
    logits = model(torch.tensor([[Vocabulary.bos, *tokens]]))[0]
    bits = F.cross_entropy(logits[:-1], torch.tensor(tokens), reduction="none") / np.log(2)
    np.testing.assert_allclose(run.surprise, bits, atol=1e-3)
    np.testing.assert_allclose(run.probabilities, logits[3].softmax(-1).topk(8).values, atol=1e-5)
    assert run.true_next == run.words[4]
    assert run.true_probability == pytest.approx(2 ** -float(bits[3]), abs=1e-4)
    assert run.h.shape == (int(layers), len(tokens) + 1, 128)


def test_features_mark_the_right_words():
    words = tuple("<bos> then mira said : “ tom ( he ) ran . ” she".split())
    found = {name: follow(words) for name, follow in FEATURES.items()}
    assert found["she/he"] == [0, 0] + [1] * 12
    assert [
        word for word, inside in zip(words, found["quotes"], strict=True) if inside
    ] == "“ tom ( he ) ran .".split()
    assert [word for word, inside in zip(words, found["brackets"], strict=True) if inside] == ["(", "he"]
    assert sum(found["full stop"]) == 1


def test_correlations_agree_with_numpy():
    """`correlations` reads stories as one batch; the result must equal that of single runs."""
    documents = [
        ("<bos>", *story.tokens)
        for story in STORIES.draw_documents("train", MEASURED_STORIES, seed=1, kind="story")
    ]
    values = [
        run_original("LSTM", 1, tuple(STORIES.vocabulary.ids(words[1:]))).values["layer1.cell"]
        for words in documents
    ]
    marks = np.concatenate([mark_hero(words) for words in documents])
    for rank in (1, 2, 128):
        unit = unit_at_rank(rank, "LSTM")
        expected = np.corrcoef(marks, torch.cat(values)[:, unit])[0, 1]
        assert correlations("LSTM", 1)[0, 0, unit] == pytest.approx(expected, abs=1e-3)


def test_units_are_ranked_by_correlation():
    order = [unit_at_rank(rank, "GRU", 2, 2, "quotes") for rank in range(1, 129)]
    assert sorted(order) == list(range(128))
    strength = np.abs(correlations("GRU", 2)[1, 1, order])
    assert (np.diff(strength) <= 0).all()


def strongest_she_he(cell: str) -> float:
    return abs(next(found.correlation for found in best_followers(cell) if found.feature == "she/he"))


def test_one_gated_unit_remembers_she_or_he_and_no_vanilla_unit_does():
    assert strongest_she_he("GRU") > 0.8
    assert strongest_she_he("LSTM") > 0.8
    assert strongest_she_he("vanilla") < 0.4
    she, he = (
        read.compute(text, "GRU", "1", "she/he", 1, 10).h[0, 5:, unit_at_rank(1, "GRU")]
        for text in (GIRL_STORY, BOY_STORY)
    )
    assert (np.sign(she) == np.sign(she[0])).all()
    assert (np.sign(he) == -np.sign(she[0])).all()
    assert min(np.abs(she).min(), np.abs(he).min()) > 0.5


def test_the_unit_stands_for_she_until_the_name():
    run = read.compute(BOY_STORY, "GRU", "1", "she/he", 1, 1)
    she, unit = np.sign(correlations("GRU", 1)[0, 0, run.units[0] - 1]), run.h[0, :, run.units[0] - 1]
    assert run.words[STEP_AFTER_NAME - 2] == "leo"
    assert (np.sign(unit) == she).nonzero()[0].tolist() == list(range(STEP_AFTER_NAME - 2))
    for text, expected in (
        (GIRL_SENTENCE, ["she", "he"]),
        (BOY_STORY.split(" he")[0], ["he", "she"]),
    ):  # one edit at a single step
        once = EXPERIMENTS["edit"].run({"text": text, "only": True})
        assert [likely[-1] for likely in once.likely] == expected


def test_the_reading_names_both_layers():
    run = preset("read", "Two layers")
    strengths = (f"{strength:.2f}" for strength in np.abs(run.correlations))
    assert_says(read.views.reading(run), *strengths, *map(str, run.units), run.feature, "lower", "upper")


def test_the_default_step_is_where_the_pronoun_comes():
    run = EXPERIMENTS["read"].run()
    assert (run.words[run.t - 1], run.next_words[0], run.true_next) == (".", "he", "he")


def test_the_named_unit_is_marked_and_colours_the_text():
    run = read.compute(BOY_STORY, "GRU", "1", "she/he", 3, 5)
    best = unit_at_rank(3, "GRU")
    assert run.units == (best + 1,)
    picture = read.views.units(run)
    assert picture.rows[picture.current_row] == f"unit {best + 1}"
    line = read.views.text_coloured(run).lines[0]
    assert line.label == f"unit {best + 1}"
    np.testing.assert_array_equal(line.values, run.h[0][:, best])


def test_an_lstm_unit_is_drawn_by_its_cell_state():
    """The correlation is measured on the cell state, so the picture must show and name the cell state."""
    run = read.compute(BOY_STORY, "LSTM", "2", "quotes", 2, 5)
    values = run_original("LSTM", 2, read_story(BOY_STORY)).values
    for layer, (unit, line) in enumerate(zip(run.units, read.views.text_coloured(run).lines, strict=True), 1):
        np.testing.assert_array_equal(line.values, values[f"layer{layer}.cell"][:, unit - 1])
    assert_says(read.views.reading(run), "cell state")
    assert not says(read.views.reading(read.compute(BOY_STORY, "GRU", "2", "quotes", 2, 5)), "cell state")


def test_a_quotation_mark_is_not_put_in_quotation_marks():
    text = QUOTATION.split(" then")[0]  # the text itself ends with a quotation mark
    for t in range(1, len(read_story(text)) + 2):
        for slug, reading in (
            ("read", read.views.reading),
            ("edit", edit.views.reading),
            ("gates", gates.views.reading),
        ):
            sentence = reading(EXPERIMENTS[slug].run({"text": text, "t": t}))
            assert not re.search("“[“”]”", sentence.replace("*", "")), (slug, sentence)


# ---- scales of pictures ----


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("rank", [1, 54, 72])
def test_no_value_lies_beyond_its_scale(cell, rank):
    """Every value must lie inside its scale, including an LSTM's cell state, which is not bounded by 1."""
    run = EXPERIMENTS["edit"].run({"text": GIRL_STORY, "cell": cell, "rank": rank, "t": 4})
    assert edit.views.touched(run).top >= np.abs(run.memory).max()
    assert edit.views.difference(run).top >= np.abs(run.h[1] - run.h[0]).max()
    low, high = edit.views.fading(run).y_range
    assert low <= 0 <= max(run.change_of_h.max(), run.total_variation.max()) <= high
    story = EXPERIMENTS["read"].run({"text": GIRL_STORY, "cell": cell, "rank": rank})
    assert read.views.text_coloured(story).top >= np.abs(story.memory).max()


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("force", CLAMP_OPTIONS)
def test_no_curve_of_a_gate_is_cut(gate, force):
    run = EXPERIMENTS["gates"].run({"gate": gate, "force": force, "every": True, "rank": 54})
    picture = gates.views.kept(run)
    assert all(np.abs(line.y).max() <= picture.y_range[1] == -picture.y_range[0] for line in picture.lines)


# ---- edit ----


@pytest.mark.parametrize("cell", CELLS)
def test_an_edit_begins_at_its_step(cell):
    run = edit.compute(GIRL_SENTENCE, cell, 7, CLAMP, 0.5, 4, False)
    np.testing.assert_array_equal(run.h[0, :3], run.h[1, :3])
    np.testing.assert_allclose(run.memory[1, 3:], 0.5)
    once = edit.compute(GIRL_SENTENCE, cell, 7, FLIP, 0.0, 4, True)
    assert once.memory[1, 3] == -once.memory[0, 3]
    np.testing.assert_allclose(
        run.total_variation, 0.5 * np.abs(probabilities(run, 1) - probabilities(run, 0)).sum(-1), atol=1e-5
    )


def probabilities(run: Edited, which: int) -> np.ndarray:
    """Output probabilities (T, V), computed from the states alone."""
    model = load_story_model(run.cell)
    return model.out(torch.tensor(run.h[which])).softmax(-1).numpy()


def test_changing_one_number_turns_she_into_he():
    run = preset("edit", "After the name")
    assert [likely[-1] for likely in run.likely] == ["she", "he"]
    run = preset("edit", "In the LSTM’s cell")
    assert run.likely[0][-1] == "she"
    assert dict(zip(run.next_words, run.probabilities[1] - run.probabilities[0], strict=True))["he"] > 0.2


def test_a_gated_unit_keeps_one_change_and_a_vanilla_unit_loses_it():
    kept, lost = (
        preset("edit", title).change_of_h[STEP_AFTER_NAME - 1 :]
        for title in ("One step only", "A vanilla unit")
    )
    assert kept[-1] > 0.8 * kept[0]
    assert lost[-1] < 0.5 * lost[0]


# ---- gates ----


@pytest.mark.parametrize("gate", GATES)
def test_a_forced_gate_has_its_value(gate):
    own, shut, every = (
        gates.compute(BOY_STORY, gate, *how, 5)
        for how in ((OWN_VALUE, 3, False), ("0", 3, False), ("1", 3, True))
    )
    np.testing.assert_array_equal(own.memory[0], own.memory[1])
    assert (shut.all_units[:, shut.unit - 1] == 0).all()
    assert (np.delete(shut.all_units, shut.unit - 1, 1) > 0).any(0).all()
    assert (every.all_units == 1).all()


def test_the_memory_follows_the_equations():
    run = gates.compute(BOY_STORY, "LSTM forget gate f", "0", 1, False, 5)
    values = dict(zip(run.names, run.values, strict=True))
    np.testing.assert_allclose(run.memory[1], values["i"] * values["g"], atol=1e-6)
    np.testing.assert_allclose(run.h[1], values["o"] * np.tanh(run.memory[1]), atol=1e-6)
    run = gates.compute(BOY_STORY, "GRU reset gate r", "1", 1, False, 5)
    values, before = dict(zip(run.names, run.values, strict=True)), np.concatenate([[0], run.h[1, :-1]])
    np.testing.assert_allclose(run.h[1], (1 - values["z"]) * values["n"] + values["z"] * before, atol=1e-6)


def test_presets_of_gates():
    for title, pronoun in (("Forget gate at 0", "she"), ("Output gate at 0", "he")):
        run = preset("gates", title)
        own, yours = dict(zip(run.next_words, run.probabilities.T, strict=True))[pronoun]
        assert yours < 0.5 * own
    held, kept = (
        np.abs(preset("gates", title).memory[:, 9]) for title in ("Forget gate at 0", "Output gate at 0")
    )
    assert held[1] < 0.5 * held[0]
    assert kept[1] > 0.5 * kept[0]
    shut = preset("gates", "Output gate at 0")
    before, *after = shut.memory[1, shut.words.index("leo") - 1 :]
    assert before < 0 < min(after)  # the sign changes at the name and stays until the end
    assert (shut.h[1] == 0).all()
    z = preset("gates", "The update gate of a GRU").values[CELLS["GRU"].gates.index("z")]
    assert z[4:6].min() < 0.5  # the state is updated at the name, or right after it
    assert z[6:10].min() > 0.9  # the gate then keeps the state until the pronoun
    frozen = preset("gates", "Update gate at 1")
    assert (frozen.h[1] == 0).all()
    assert "0.00<" not in gates.views.next_words(frozen).svg()


def test_an_unchanged_surprisal_is_called_the_same():
    state = {"gate": "GRU reset gate r", "force": "0", "t": 1}
    one, every = (EXPERIMENTS["gates"].run(state | {"every": every}) for every in (False, True))
    assert f"{one.surprise[0]:.1f}" == f"{one.surprise[1]:.1f}"
    assert_says(gates.views.reading(one), f"{one.surprise[1]:.1f}")
    assert not says(gates.views.reading(one), "compared with")
    assert_says(gates.views.reading(every), *(f"{bits:.1f}" for bits in every.surprise), "compared with")


def test_the_word_that_follows_is_marked():
    run = EXPERIMENTS["gates"].run()
    assert (run.true_next, run.words[run.t]) == ("he", "he")
    assert "he ✓" in gates.views.next_words(run).labels
    assert EXPERIMENTS["gates"].run({"t": 61}).true_next is None


# ---- gradient ----


def test_the_vanilla_gradient_is_a_product_of_jacobians():
    T, model = 10, load_story_model("vanilla")
    h = model.run(long_stories()[0][: T - 1]).h[0].double()
    J, expected = torch.eye(128).double(), []
    for t in range(T - 1, -1, -1):
        expected.append(J.norm() / 128**0.5)
        J = J @ torch.diag(1 - h[t] ** 2) @ model.rnn.cells[0].W_hh.double()
    np.testing.assert_allclose(gradient_norms("vanilla", "trained", 0.0, T)[0][0], expected, rtol=1e-3)


def test_the_lstm_gradient_against_finite_differences():
    T, t, small, model = 4, 1, 1e-2, load_story_model("LSTM")
    columns = []
    for unit in range(128):
        ends = []
        for sign in (1, -1):

            def nudge(cell, step, sign=sign, unit=unit):
                cell[unit] += sign * small * (step == t)
                return cell

            ends.append(model.run(long_stories()[0][: T - 1], {"layer1.cell": nudge}).h[0, -1])
        columns.append((ends[0] - ends[1]) / (2 * small))
    expected = torch.stack(columns, 1).norm() / 128**0.5
    assert gradient_norms("LSTM", "trained", 0.0, T)[0][0, T - 1 - t] == pytest.approx(
        expected.item(), rel=0.01
    )


def farthest_norms(run: Reach, cell: str) -> np.ndarray:
    """The gradient norm at the farthest distance (runs,)."""
    return run.norms[run.cells.index(cell), :, -1]


def test_gradients_vanish_and_explode():
    vanishing, exploding = (preset("gradient", title) for title in ("Radius 0.5", "Radius 1.5"))
    assert vanishing.radius == pytest.approx(0.5, abs=1e-4)
    assert vanishing.faint_from[0] < 10
    assert farthest_norms(exploding, "vanilla").min() > 10
    assert exploding.factor[0] < exploding.radius  # tanh makes the gradient grow more slowly
    assert exploding.norms.shape == (3, RUNS["untrained"], 60)
    seeds = exploding.norms[:, :, -1]
    assert len(np.unique(seeds)) == seeds.size  # every seed gives a different model


def test_the_distance_below_one_percent_agrees_with_the_rule():
    run = EXPERIMENTS["gradient"].run({"cell": "LSTM", "weights": "trained"})
    n, ((rule, _),) = run.cells.index("LSTM"), gradient.views.reach(run).rules
    assert (run.median[n, run.faint_from[n] :] < rule).all()
    assert run.median[n, run.faint_from[n] - 1] >= rule


@pytest.mark.parametrize(
    ("state", "above"),
    [
        ({"cell": "LSTM", "keep": 0.5, "T": 20}, True),
        ({"cell": "GRU", "keep": 2.0, "T": 60}, False),
    ],
)
def test_a_gradient_near_one_percent_is_written_with_enough_digits(state, above):
    """Near 1% two decimals are not enough: 0.014 is above and 0.0096 below, but both round to “0.01”."""
    run = EXPERIMENTS["gradient"].run(state)
    end = run.median[run.cells.index(run.cell), -1]
    assert (end > FAINT) == above
    reading = gradient.views.reading(run)
    assert_says(reading, "above" if above else "below")
    sides = {np.sign(value - FAINT) for value in numbers_close_to(reading, end, FAINT / 4)}
    assert sides == {1 if above else -1}, reading


def test_an_untrained_gate_helps_as_far_as_it_is_open():
    shut, usual, wide = (EXPERIMENTS["gradient"].run({"keep": keep}) for keep in (0.0, 1.0, 3.0))
    for gated in ("GRU", "LSTM"):
        assert farthest_norms(shut, gated).max() < farthest_norms(shut, "vanilla").min()
    assert (
        farthest_norms(usual, "LSTM").min()
        > farthest_norms(usual, "vanilla").max()
        > farthest_norms(usual, "GRU").max()
    )
    assert farthest_norms(wide, "GRU").min() > 100 * farthest_norms(wide, "vanilla").max()


def test_what_training_did_to_the_gradients():
    """The trained GRU must pass the gradient on; the LSTM less than untrained, but more than vanilla."""
    trained, fresh = preset("gradient", "After training"), EXPERIMENTS["gradient"].run()
    assert trained.norms.shape[1] == RUNS["trained"]
    assert strongest_cell(trained) == "GRU"
    assert farthest_norms(trained, "LSTM").min() > farthest_norms(trained, "vanilla").max()
    assert np.median(farthest_norms(trained, "LSTM")) < farthest_norms(fresh, "LSTM").min()
    few = dict(zip(trained.cells, trained.carried[:, 7], strict=True))
    assert few["vanilla"] < 0.5 < 0.9 < min(few["GRU"], few["LSTM"])
    assert trained.carried[:, -1] == pytest.approx(1)


def test_cells_whose_bands_overlap_have_no_winner():
    trained = preset("gradient", "After training")
    assert strongest_cell(replace(trained, norms=trained.norms[[0, 1, 1]])) is None


# ---- roles ----


def test_which_states_are_used():
    encoder, reader, decoder = (preset("roles", title) for title in ("Encoder", "Language model", "Decoder"))
    assert encoder.used == (len(encoder.words) - 1,)
    np.testing.assert_array_equal(decoder.context, encoder.states[-1])
    assert decoder.words[1:] == decoder.outputs[:-1]
    assert (
        decoder.outputs == tuple("la belle maison a été achetée . <eos>".split()) == (*decoder.truth, "<eos>")
    )
    assert (encoder.right, reader.right, decoder.right) == (None, None, True)
    assert reader.used == tuple(range(len(reader.words)))
    assert (encoder.fed_back, reader.fed_back, decoder.fed_back) == (False, False, True)
    assert [job.used for job in encoder.jobs] == [1, 7, 8]
    assert encoder.jobs[2].writes == decoder.outputs


def test_suggested_sentences_are_unseen_and_translated_correctly():
    offered = next(control for control in EXPERIMENTS["roles"].controls if control.name == "text")
    for sentence in (offered.default, *offered.suggestions):
        assert split_of(tuple(sentence.split())) != "train", sentence
        run = roles.compute("decoder", sentence, 1)
        assert run.right, sentence
        assert all(job.reads for job in run.jobs)


def test_a_decoders_output_is_drawn_with_the_right_translation():
    decoder = preset("roles", "Decoder")
    assert [(line.words, line.right) for line in roles.views.written(decoder).lines] == [
        (decoder.outputs, True),
        (decoder.truth, None),
    ]
    assert roles.views.written(preset("roles", "Encoder")) == ""


# ---- exercises ----


ONE_INPUT = ((1.0,), *((0.0,),) * 5)
FLIPPING = ((-1.2, 0.0, 0.0, 0.0), *((0.0,) * 4,) * 3)
ANSWERS = {  # slug → correct (answer, state), then wrong ones
    "count": [(32, {}), (28, {}), (33, {})],
    "by-hand": [(0.76, {}), (1.0, {}), (0.46, {})],
    "blink": [
        (None, changed("cell", W_hh=FLIPPING, x=ONE_INPUT)),
        (None, changed("cell")),
        (None, changed("cell", W_hh=FLIPPING)),
        (None, changed("cell", W_hh=((-0.1, 0.0, 0.0, 0.0), *FLIPPING[1:]), x=ONE_INPUT)),
    ],
    "survive": [
        (None, changed("memory", kind="linear", eigenvalue=((0.0, 0.98),), T=10)),
        (None, changed("memory", kind="linear", eigenvalue=((0.9, 0.0),))),
        (None, changed("memory", kind="linear", eigenvalue=((1.05, 0.0),), T=10)),
    ],
    "one-percent": [(44, {}), (100, {}), (22, {})],
    "copy": [("i = 0, f = 1", {}), ("i = 1, f = 1", {}), ("i = 1, f = 0", {}), ("i = 0, f = 0", {})],
    "pronoun": [
        (None, changed("edit", text=BOY_SENTENCE)),
        (None, changed("edit")),
        (None, changed("edit", t=len(read_story(GIRL_SENTENCE)) + 1, cell="vanilla")),
        (None, changed("edit", text=BOY_SENTENCE, rank=128)),
        (None, changed("edit", text="one day , mira walked to the")),
    ],
}


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.slug)
def test_exercises_take_the_right_answer_and_no_other(exercise):
    takes_only(exercise, *ANSWERS[exercise.slug])


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.slug)
def test_no_exercise_shows_raw_subscripts(exercise):
    texts = [
        exercise.question,
        exercise.hint,
        *(exercise.check(*answer).message for answer in ANSWERS[exercise.slug]),
    ]
    assert not [text for text in texts if re.search(r"_\{|_t\b|\^", text)]


@pytest.mark.parametrize("gate", ["LSTM output gate o", "GRU update gate z"])
def test_the_drawn_cell_computes_its_memory_from_the_numbers_beside_it(gate):
    run = LESSON.experiment("gates").run({"gate": gate})
    picture = gates.views.built(run)
    values = picture.values
    expected = (
        values["f"] * values["before"] + values["i"] * values["g"]
        if run.cell == "LSTM"
        else values["z"] * values["before"] + (1 - values["z"]) * values["n"]
    )
    assert values["memory"] == pytest.approx(expected, abs=1e-4)
    assert picture.draw().width <= picture.wide


@pytest.mark.parametrize(
    ("values", "met"),
    [
        ({"eigenvalue": ((0.5, 0.0),), "kind": "linear"}, True),  # both echoes fade
        ({"eigenvalue": ((1.0, 0.0),), "kind": "linear"}, False),  # both echoes stay
        ({"eigenvalue": ((1.3, 0.0),), "kind": "vanilla"}, True),  # tanh gives both the same size
        ({"eigenvalue": ((0.9, 0.0),), "kind": "LSTM", "keep": 6.0}, False),  # the gate keeps the difference
    ],
)
def test_two_inputs_meet_or_not(values, met):
    run = EXPERIMENTS["memory"].run({"T": 60} | values)
    np.testing.assert_allclose(run.h_of_half, EXPERIMENTS["memory"].run({"T": 60, "pulse": 0.5} | values).h)
    assert_says(memory.views.describe_two_inputs(run), "have met" if met else "have not met")
