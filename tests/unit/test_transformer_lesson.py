"""Lesson `transformer`: its numbers are the model's, its claims hold, and its exercises can be solved."""

import inspect
import re
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import models.scoreboard
from lessons.kit.checkpoints import STORIES
from lessons.kit.contract import InputError
from lessons.kit.example_sentences import (
    AMBIGUOUS_BANK,
    IDIOM,
    MANY_TO_ONE,
    NEGATION,
    QUESTION,
    REORDERING,
)
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.base import SMALL_FONT_PX, text_width
from lessons.transformer import LESSON
from lessons.transformer.ablate import measurement
from lessons.transformer.ablate import views as ablate_views
from lessons.transformer.ablate.compute import ablate, translate_ablated
from lessons.transformer.ablate.edits import (
    MEAN_SENTENCES,
    PARTS,
    REPLACEMENTS,
    ablation_edits,
    mean_outputs,
)
from lessons.transformer.block import views as block_views
from lessons.transformer.block.compute import BLOCKS, block, count_parameters
from lessons.transformer.block.exercises import SHAPES
from lessons.transformer.decode import views as decode_views
from lessons.transformer.decode.compute import MAX_STEPS, decode, decode_steps
from lessons.transformer.decode.walk import CELLS, mean_by_group
from lessons.transformer.heads import views as heads_views
from lessons.transformer.heads.compute import (
    ALIGNER_HABIT,
    HABIT_SENTENCES,
    HABITS,
    MIN_HABIT_SHARE,
    count_habits,
    heads,
)
from lessons.transformer.heads.exercises import aligner_count, aligner_shares
from lessons.transformer.lm import compute as lm_compute
from lessons.transformer.lm import views as lm_views
from lessons.transformer.lm.compute import (
    HEAD_NAMES,
    INTERVENTIONS,
    KEEP,
    LOOK_AT_CUE,
    LOOK_AWAY,
    MODELS,
    RESIDUAL_STREAM,
    SWITCH_OFF,
    StoryRun,
    edited_trace,
    find_cue,
    lm,
)
from lessons.transformer.lm.stories import COLOUR, NAME, OPEN_QUOTE, PLURAL_SUBJECT
from lessons.transformer.norms import views as norms_views
from lessons.transformer.norms.compute import norms
from lessons.transformer.norms.placement import COMPUTE_ORDER, PLACEMENTS, untrained_spread
from lessons.transformer.norms.recorded import RATES
from lessons.transformer.pointwise import views as pointwise_views
from lessons.transformer.pointwise.compute import pointwise
from lessons.transformer.scoreboard import views as scoreboard_views
from lessons.transformer.scoreboard.compute import (
    COLUMNS,
    EVERYDAY,
    PRONUNCIATION,
    SATURATED_EXACT_MATCH,
    SMALL_WORLD,
    model_label,
    scoreboard,
)
from lessons.transformer.scoreboard.compute import TASKS as SCOREBOARD_TASKS
from lessons.transformer.scoreboard.exercises import exact_match_beyond
from lessons.transformer.translator import (
    ATTENTION_PATHS,
    HEADS,
    LAYERS,
    MAX_OUTPUT_TOKENS,
    MODEL_NAME,
    TRANSLATOR,
    load_transformer,
    original_trace,
    read_text,
)
from models import export_script, train, zoo
from models.blocks import NORMS
from models.copying import load_copying
from models.data import held_out
from models.metrics import exact_match, translate
from models.recipes import seeds_of
from models.trace import Tap
from models.vocabulary import Vocabulary
from models.zoo import Card
from tests import helpers
from tests.helpers import EVERYDAY_SENTENCES, payload
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
ALL_HEADS = [(kind, layer, head) for kind in ATTENTION_PATHS for layer in LAYERS for head in HEADS]
preset = partial(helpers.preset, LESSON)


def longest_sentence() -> str:
    """A sentence of the maximum length."""
    return " ".join([*("the dog sees the man and".split() * 7)[:39], "."])


def source_tokens(text: str) -> tuple[int, ...]:
    return read_text(text)[0]


# ---- all experiments with a sentence ----


@pytest.mark.parametrize("slug", ["block", "heads", "ablate", "pointwise", "decode"])
def test_the_longest_and_the_shortest_sentence(slug):
    """The payload of one event must stay small at the largest input, and a single word must work."""
    for text in (longest_sentence(), "Go."):
        assert payload(EXPERIMENTS[slug], text=text) <= 200_000


@pytest.mark.parametrize("slug", ["block", "heads", "ablate", "pointwise", "decode"])
def test_no_word_is_refused(slug):
    for text in EVERYDAY_SENTENCES:
        with collect_notices() as notices:
            EXPERIMENTS[slug].run({"text": text})
        assert set(notices) <= {"text"}


@pytest.mark.parametrize("slug", ["block", "heads", "ablate", "pointwise", "decode"])
@pytest.mark.parametrize(("text", "fact"), [(" ", "type"), ("Привет", "English"), ("the " * 500, 400)])
def test_bad_text_is_refused_with_what_to_do(slug, text, fact):
    with pytest.raises(InputError) as refused:
        EXPERIMENTS[slug].run({"text": text})
    assert_says(str(refused.value), fact)
    assert refused.value.control == "text"


# ---- blocks ----


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("name", BLOCKS)
def test_every_value_of_a_block_is_that_of_the_trace(name, layer):
    run, trace = block(MANY_TO_ONE, name, layer), load_transformer().run(source_tokens(MANY_TO_ONE))
    assert run.quantities
    for quantity in run.quantities:
        value = trace.values[quantity.tap]
        expected = torch.cat(list(value), -1) if value.dim() == 3 else value  # heads concatenated
        np.testing.assert_array_equal(quantity.values, expected.numpy())
        assert (
            len(quantity.rows)
            == len(quantity.values)
            == len(run.source if quantity.side == "source" else run.reads)
        )


@pytest.mark.parametrize("layer", LAYERS)
def test_blocks_follow_from_each_other(layer):
    """Each block's output must equal the result of the model's own modules on its inputs."""
    found = {name: [q.values for q in block(REORDERING, name, layer).quantities] for name in BLOCKS}
    for side, times in (("encoder", ("1st", "2nd")), ("decoder", ("1st", "2nd", "3rd"))):
        word, position, x, _ = found[f"{side}: embedding + position"]
        np.testing.assert_allclose(x, word + position, atol=1e-5)
        before, hidden, out = (torch.tensor(value) for value in found[f"{side}: feed-forward network"])
        fc = getattr(load_transformer(), side).layers[int(layer) - 1].fc
        torch.testing.assert_close(fc(before), out, atol=1e-5, rtol=1e-4)
        assert (hidden >= 0).all()
        for time in times:
            carried, change, total, normed = found[f"{side}: add & norm, {time}"]
            np.testing.assert_allclose(total, carried + change, atol=1e-5)
            assert normed.shape == total.shape
    np.testing.assert_array_equal(found["encoder: self-attention"][-1], found["encoder: add & norm, 1st"][1])
    np.testing.assert_array_equal(found["decoder: cross-attention"][0], found["decoder: add & norm, 1st"][-1])


def test_all_parameters_belong_to_a_block():
    """Parameters must add up: each block once per layer, and the first norm of each stack."""
    once = ("position", "softmax")
    total = sum(
        count_parameters(load_transformer(), name, layer)
        for name in BLOCKS
        for layer in ((1,) if name.endswith(once) else range(1, len(LAYERS) + 1))
    )
    first_norms = sum(
        w.numel()
        for stack in (load_transformer().encoder, load_transformer().decoder)
        for w in stack.layers[0].norms[0].parameters()
    )
    assert total + first_norms == Card.read(MODEL_NAME).parameters
    assert (len(LAYERS), len(HEADS)) == (load_transformer().config.layers, load_transformer().config.heads)


def test_the_diagram_outlines_one_block():
    for name in BLOCKS:
        run = block(IDIOM, name, "1")
        picture = block_views.diagram(run)
        assert picture.frame()["chosen"].sum() == 1
        picks = [
            group for group in ElementTree.fromstring(picture.svg()).iter("g") if group.get("class") == "pick"
        ]
        heavy = [
            pick.get("data-value") for pick in picks if pick.find("rect[@stroke-width='2.5']") is not None
        ]
        assert heavy == [name]


def test_the_diagram_is_drawn_as_it_computes():
    assert load_transformer().config.norm == "pre"
    picture = block_views.diagram(EXPERIMENTS["block"].run())
    for side, parts in picture.boxes.items():
        labels = [part.label for part in parts]
        sums = [n for n, label in enumerate(labels) if label == "+"]
        norms = len(
            load_transformer().encoder.layers[0].norms
            if side == "encoder"
            else load_transformer().decoder.layers[0].norms
        )
        assert len(sums) == norms
        assert all(labels[n - 2] == "norm" for n in sums), "the norm is inside the branch, before the block"
    _, around = picture.wires()
    assert len(around) == 5  # one residual connection per block on both sides


def test_step_numbers_are_separated_from_the_words():
    """A step number must not be followed by a full stop: “6. .” cannot be read."""
    run = block(MANY_TO_ONE, "decoder: linear + softmax", "1")
    rows = block_views.tensors(run).sheets[-1].rows
    assert [row.split()[-1] for row in rows] == list(run.writes)
    assert not any(re.search(r"\d\. ", row) for row in rows)


# ---- heads ----


@pytest.mark.parametrize("kind", ["encoder self", "decoder self"])
def test_a_repeated_word_is_named_with_its_number(kind):
    found = set()
    for layer in LAYERS:
        for head in HEADS:
            run = heads(REORDERING, kind, layer, head)
            rows, looked = (run.source, run.source) if kind == "encoder self" else (run.writes, run.reads)
            first = int(kind == "decoder self")
            row, column = np.unravel_index(run.chosen[first:].argmax(), run.chosen[first:].shape)
            assert_says(heads_views.reading(run), rows[first + row], looked[column], run.chosen[first:].max())
            for words, place in ((rows, first + int(row)), (looked, int(column))):
                twice = words.count(words[place]) > 1
                found.add(twice)
                assert says(heads_views.reading(run), f"{words[place]} (word {place + 1})") == twice
    assert False in found


def test_maps_are_those_of_the_trace_and_the_future_is_masked():
    run, trace = (
        heads(REORDERING, "decoder self", "1", "1"),
        load_transformer().run(source_tokens(REORDERING)),
    )
    for kind, weights in (
        ("encoder self", trace.encoder_self),
        ("decoder self", trace.decoder_self),
        ("cross", trace.cross),
    ):
        np.testing.assert_array_equal(run.maps(kind), weights.numpy())
        np.testing.assert_allclose(run.maps(kind).sum(-1), 1, atol=1e-5)
    assert not np.triu(run.decoder_self[0, 0], 1).any()
    enlarged = heads_views.one(run)
    assert np.isnan(enlarged.grid[np.triu_indices(len(run.writes), 1)]).all()


def test_habits_agree_with_a_loop_and_need_half_of_the_steps():
    """A habit must agree with a loop over words, and is only named if it holds in half of the steps."""
    pairs = held_out(TRANSLATOR.task.name, HABIT_SENTENCES, range(5, 15))
    hits = []
    for pair in pairs:
        with torch.inference_mode():
            trace = load_transformer().run(
                TRANSLATOR.task.source.ids(pair.source), target=[*TRANSLATOR.task.target.ids(pair.target), 2]
            )
        hits += [(t, int(row.argmax())) in pair.alignment for t, row in enumerate(trace.cross[1, 1])]
    habit = count_habits()["cross"][1][1]
    assert habit.says == "looks at the gold word of the word it writes"
    assert habit.share == pytest.approx(
        np.mean(hits), abs=0.002
    )  # a near tie may be decided differently in a batch
    for table in count_habits().values():
        for layer in table:
            assert all((habit.share >= MIN_HABIT_SHARE) == bool(habit.says) for habit in layer)


def test_what_the_presets_of_heads_show():
    run = preset("heads", "Which bank?")
    assert {"bank", "river"} < set(run.source)
    assert preset("heads", "A question").writes[0] == "est-ce"
    assert preset("heads", "Another word order").aer.min() < 0.3


def test_a_small_map_gives_its_layer_and_its_head():
    run = heads(IDIOM, "cross", "2", "3")
    root = ElementTree.fromstring(heads_views.maps(run).svg())
    rows = [group for group in root.iter("g") if group.get("data-pick") == "layer"]
    picks = [
        (row.get("data-value"), pick.get("data-value"))
        for row in rows
        for pick in row
        if pick.get("class") == "pick"
    ]
    assert picks == [(layer, head) for layer in LAYERS for head in HEADS]
    outlined = [
        (row.get("data-value"), p.get("data-value"))
        for row in rows
        for p in row
        if p.find("rect[@stroke]") is not None
    ]
    assert outlined == [("2", "3")]


def test_aligning_heads_are_counted():
    """The number of aligning heads must not depend on a head close to the threshold."""
    shares = aligner_shares()
    assert sum(share > MIN_HABIT_SHARE + 0.1 for share in shares) > 2
    assert aligner_count() == "3 or more"
    assert ALIGNER_HABIT in HABITS["cross"]


def test_sentences_on_offer_have_gold():
    for text in (EXPERIMENTS["heads"].controls[0].default, *EXPERIMENTS["heads"].controls[0].suggestions):
        assert TRANSLATOR.pair(tuple(text.split()))
        run = heads(text, "cross", "1", "1")
        assert (run.aer is not None) == run.right
    assert heads("the dogs see the dogs .", "cross", "1", "1").gold is None


# ---- ablation ----


@pytest.mark.parametrize("text", [AMBIGUOUS_BANK, NEGATION, QUESTION])
@pytest.mark.parametrize(
    ("part", "kind", "head"),
    [
        *((part, "cross", "4") for part in PARTS),
        ("one head", "encoder self", "3"),
        ("norm", "decoder self", "1"),
    ],
)
@pytest.mark.parametrize("by", REPLACEMENTS)
def test_the_fast_ablated_translation_agrees_with_the_model(text, part, kind, head, by):
    source, which = source_tokens(text), (part, kind, 1, int(head), by)
    limit = min(MAX_OUTPUT_TOKENS, len(original_trace(source).output) + 10)
    slow = load_transformer().run(source, edits=ablation_edits(*which), limit=limit)
    quick = translate_ablated(source, *which)
    assert quick.output == slow.output
    rounding = max(2e-3, 1e-4 * float(slow.logits.abs().max()))  # without norms the values are large
    torch.testing.assert_close(quick.logits, slow.logits, atol=rounding, rtol=1e-3)


def test_exact_match_by_one_pass_agrees_with_greedy_decoding():
    """Exact match from one pass must equal that of greedy decoding on the same sentences."""
    pairs = TRANSLATOR.task.pairs("test", measurement.MEASURED_SENTENCES, seed=101, lengths=range(4, 17))
    outputs = translate(load_transformer(), [TRANSLATOR.task.source.ids(pair.source) for pair in pairs])
    expected = exact_match(
        [TRANSLATOR.task.target.tokens(output) for output in outputs], [pair.target for pair in pairs]
    )
    assert measurement.exact_match(1, {}) == pytest.approx(expected)
    assert sum(len(batch.targets) for batch in measurement.unseen_batches(1)) == len(pairs)


def test_the_job_measures_and_ends(monkeypatch):
    monkeypatch.setattr(measurement, "MEASURED_SENTENCES", 12)
    measurement.unseen_batches.cache_clear()
    job = EXPERIMENTS["ablate"].job
    shares, results = zip(
        *job.run(**EXPERIMENTS["ablate"].state({"part": "encoder positions", "sample": 9})), strict=True
    )
    measurement.unseen_batches.cache_clear()
    assert list(shares) == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) == 2 + len(ALL_HEADS)
    assert np.isnan(results[0].exact_without).all()
    assert np.isfinite(results[-1].exact_without).all()
    plain, yours = results[-1].exact
    assert yours < plain
    assert_says(ablate_views.reading(results[-1]), 12, plain, yours)


def test_what_the_presets_of_ablate_show():
    for title in ("One head", "Four heads", "No residual"):
        run = preset("ablate", title)
        assert (run.yours != run.plain) or title == "One head"
    run = preset("ablate", "No mask")
    assert run.at_once != run.plain
    changed = sum(a != b for a, b in zip(run.plain, run.at_once, strict=True))
    assert_says(ablate_views.reading(run), changed, "changes" if changed == 1 else "change")


def test_without_the_mask_the_newest_position_sees_what_it_saw_before():
    """In layer 1 only earlier positions must change; the newest position reads them in layer 2."""
    source, edits = source_tokens(AMBIGUOUS_BANK), ablation_edits("causal mask", "cross", 1, 1)
    for t in (2, 6, 9):
        written = original_trace(source).output[:t]
        masked, free = (
            load_transformer().run(source, target=written, edits=given).values for given in ({}, edits)
        )
        one, two = (
            (masked[f"decoder.layer{n}.out"] - free[f"decoder.layer{n}.out"]).abs().amax(-1) for n in (1, 2)
        )
        assert one[-1] < 1e-5 < 0.1 < one[:-1].max()
        assert two[-1] > 1e-3
    assert measurement.exact_match(1, edits, causal=False) > 0.7 * measurement.exact_match(1, {})
    assert_says(
        LESSON.text.experiments["ablate"].after,
        "mask",
        "newest position",
        "earlier positions",
        "layer 2",
        "cache",
    )


def test_a_mean_is_that_of_held_out_sentences():
    """The mean of a head must equal the average over single runs, and mean ablation must use it."""
    name = "decoder.layer1.cross.heads"
    pairs = TRANSLATOR.task.pairs("validation", MEAN_SENTENCES, lengths=range(4, 17))
    known = [
        (TRANSLATOR.task.source.ids(pair.source), (*TRANSLATOR.task.target.ids(pair.target), Vocabulary.eos))
        for pair in pairs
    ]
    runs = [load_transformer().run(source, target=target).values[name] for source, target in known]
    mean = torch.cat([run[2] for run in runs]).mean(0)  # (d_head,)
    torch.testing.assert_close(mean_outputs()[name][2, 0], mean, atol=1e-5, rtol=1e-4)
    source = source_tokens(AMBIGUOUS_BANK)
    seen = translate_ablated(source, "one head", "cross", 1, 3, "mean").values[name]
    torch.testing.assert_close(seen[2], mean.expand_as(seen[2]), atol=1e-5, rtol=1e-4)
    assert not torch.allclose(seen[1], seen[1, :1].expand_as(seen[1]), atol=1e-3), "the other heads are free"


def test_zero_and_mean_ablation_differ():
    zero, mean = (EXPERIMENTS["ablate"].run({"part": "encoder positions", "by": by}) for by in REPLACEMENTS)
    for run, facts in ((zero, ("without", "encoder positions")), (mean, ("mean", "encoder positions"))):
        assert_says(ablate_views.reading(run), *facts, len(run.plain))
    assert not says(ablate_views.reading(zero), "mean")
    assert not np.allclose(zero.forced, mean.forced)


def test_one_norm_can_go_but_not_all():
    """Removing one norm must do little harm; without any norm almost no sentence is right."""
    assert max(
        measurement.exact_match(1, ablation_edits("norm", kind, layer, 1))
        for kind in ATTENTION_PATHS
        for layer in (1, 2)
    ) > 0.5 * measurement.exact_match(1, {})
    assert measurement.exact_match(1, ablation_edits("all norms", "cross", 1, 1)) < 0.05
    edits = ablation_edits("all norms", "cross", 1, 1)
    norms = [name for name, module in load_transformer().named_modules() if type(module).__name__ == "Norm"]
    assert len(edits) == 2 * len(norms)


def test_controls_without_effect_are_idle():
    for part in PARTS:
        runs = [
            ablation_edits(part, kind, layer, head).keys()
            for kind in ATTENTION_PATHS
            for layer in (1, 2)
            for head in (1, 2)
        ]
        idle = ablate(IDIOM, part, "cross", "1", "1", 1).idle()
        assert ("kind" in idle) == ("layer" in idle) == (len(set(map(frozenset, runs))) == 1)
        assert ("head" in idle) == (part != "one head")
        zero, mean = (ablate(IDIOM, part, "cross", "1", "1", 1, by).forced for by in REPLACEMENTS)
        assert ("by" in idle) == np.array_equal(zero, mean)
    for name in BLOCKS:
        one, two = (block(IDIOM, name, layer) for layer in LAYERS)
        same = all(
            np.array_equal(a.values, b.values) for a, b in zip(one.quantities, two.quantities, strict=True)
        )
        assert ("layer" in one.idle()) == same


def test_outputs_are_compared_with_the_reference():
    run = EXPERIMENTS["ablate"].run()
    untouched_line, yours = ablate_views.translations(run).lines
    assert (untouched_line.right, yours.right) == (True, False)
    assert ablate_views.sentence(run).lines[1].words == run.truth
    assert_says(ablate_views.reading(run), "wrong")
    assert block_views.diagram(EXPERIMENTS["block"].run()).mark == "✓ correct"
    assert decode_views.walk(decode(MANY_TO_ONE, MAX_STEPS)).mark == "✓ correct"
    assert decode_views.walk(decode(MANY_TO_ONE, 6)).mark == ""
    assert_says(decode_views.reading(decode(MANY_TO_ONE, MAX_STEPS)), "correct")


# ---- position-wise FFN ----


@given(st.integers(1, 7), st.floats(-3, 3), st.sampled_from(LAYERS))
def test_only_the_changed_position_moves(position, amount, layer):
    run = pointwise(IDIOM, layer, position, amount)
    others = np.arange(len(run.source)) != position - 1
    assert not run.fc[others].any()  # exactly 0
    if abs(amount) > 0.01:
        assert np.abs(run.attention).max(1).all()  # attention passes the change to every word


def test_the_pointwise_reading_names_words_and_numbers():
    run = pointwise(IDIOM, "1", 3, 1.0)
    assert run.fc[run.position - 1].any()
    fc, _, attention = pointwise_views.reading(run).partition("After self-attention")
    others = np.delete(np.abs(run.attention), run.position - 1, axis=0).max()
    assert_says(fc, 1, len(run.source), "words", "no other word")
    assert_says(attention, len(run.source), "words", others, "other words")
    assert_says(pointwise_views.sizes(run).title, "length")
    assert_says(pointwise_views.reading(pointwise(IDIOM, "1", 5, 1.0)), "the (word 5)")


def test_sizes_do_not_depend_on_the_sentence():
    short, long = (pointwise(text, "1", 1, 1.0) for text in ("Go.", longest_sentence()))
    np.testing.assert_array_equal(short.parameters, long.parameters)
    d, d_fc = load_transformer().config.d, load_transformer().config.d_fc
    parameters = dict(zip(short.parts, short.parameters, strict=True))
    assert parameters["feed-forward network"] == 2 * d * d_fc + d_fc + d


# ---- decoding ----


def test_steps_go_through_five_stages_to_the_end():
    walk = decode_steps(2, 6)
    assert [step.stage for step in walk] == [1, 2, 2, 3, 3, 3, 4, 5, 5, 5, 5, 5]
    assert walk[-1].written == 6
    run = decode(MANY_TO_ONE, MAX_STEPS)
    assert (run.t, run.limits()["t"]) == (len(walk), len(walk))
    assert run.writes[run.place] == "<eos>"
    assert EXPERIMENTS["decode"].controls[1].high == MAX_STEPS


@pytest.mark.parametrize("text", [MANY_TO_ONE, REORDERING, QUESTION])
def test_step_by_step_and_all_at_once_are_the_same(text):
    run = decode(text, 1)
    assert 0 < run.difference < 1e-3
    np.testing.assert_allclose(run.one_by_one, run.at_once, atol=1e-4)


def test_a_repeated_source_word_is_named_with_its_number():
    run = decode(IDIOM, 6)
    looked = int(run.cross[run.step.decoder - 2, run.place].argmax())
    assert run.source.count(run.source[looked]) == 2
    assert_says(
        decode_views.reading(run), f"{run.source[looked]} (word {looked + 1})", run.cross[-1, run.place].max()
    )


@pytest.mark.parametrize("text", ["Go.", "she gave up .", MANY_TO_ONE])
def test_the_legend_of_the_walk_fits(text):
    walk = decode_views.walk(decode(text, 1))
    [legend] = [
        each
        for each in ElementTree.fromstring(walk.svg()).iter("text")
        if "".join(each.itertext()) == walk.legend
    ]
    assert float(legend.get("x")) + text_width(walk.legend, SMALL_FONT_PX) < walk.width


def test_the_walk_shows_only_computed_states():
    """Number of state columns on each floor, from the top of the decoder down to the source."""
    walks = {t: decode_views.walk(decode(MANY_TO_ONE, t)) for t in (1, 2, 3, 4, 6, 9)}
    there = {t: [len(floor.values) for floor in walk.floors()] for t, walk in walks.items()}
    assert there == {
        1: [0, 0, 0, 0, 0, 7],
        2: [0, 0, 0, 0, 7, 7],
        3: [0, 0, 0, 7, 7, 7],
        4: [0, 0, 1, 7, 7, 7],
        6: [1, 1, 1, 7, 7, 7],
        9: [3, 3, 3, 7, 7, 7],
    }
    states = np.arange(2.0 * 64).reshape(2, 64)
    np.testing.assert_array_equal(mean_by_group(states), states.reshape(2, CELLS, -1).mean(-1))


@pytest.mark.parametrize("text", [MANY_TO_ONE, REORDERING, longest_sentence()])
def test_words_of_the_walk_do_not_overlap(text):
    walk = decode_views.walk(decode(text, MAX_STEPS))
    for y, words, *_ in walk.lines_of_words():
        lines = {}
        for x, base, short in walk.words(y, words):
            assert x - text_width(short) / 2 >= lines.get(base, 0) - 1
            lines[base] = x + text_width(short) / 2


# ---- the scoreboard ----


def test_the_scoreboard_agrees_with_cards_and_measurements():
    boards = [scoreboard("exact match", task) for task in SCOREBOARD_TASKS]
    names, rows = models.scoreboard.model_names(), [row for board in boards for row in board.rows]
    assert set(models.scoreboard.load_scoreboard()["ms"]) == set(names)
    assert {name.rpartition("-s")[0] for name in names} - {row.model for row in rows} == {
        "translation-slow-64",  # shown in no lesson
        "translation-wild-64",
    }
    for row in rows:
        cards = [Card.read(name) for name in seeds_of(row.model)]
        cards = [
            card for card in cards if card.recipe["steps"] == row.steps
        ]  # seeds trained for fewer steps are excluded from the mean
        assert row.seeds == len(cards)
        assert row.exact == pytest.approx(np.mean([card.metrics["natural"]["exact_match"] for card in cards]))
        assert row.parameters == cards[0].parameters
        assert row.steps == Card.read(f"{row.model}-s0").recipe["steps"]
    for board in boards:
        assert all(row.lesson in board.lessons for row in board.rows)
        assert all(len(row.by_length) == len(board.lengths) for row in board.rows)
        assert [row.exact for row in board.rows] == sorted((row.exact for row in board.rows), reverse=True)
    fastest = scoreboard("ms per sentence").rows
    assert fastest[0].ms == min(row.ms for row in fastest)
    assert scoreboard("AER").rows[-1].aer is None  # no AER without attention


def test_the_board_shows_seeds_as_ranges_and_what_separates_models():
    board = scoreboard("beyond training")
    beyond = [row.by_length[board.beyond] for row in board.rows]
    assert beyond == sorted(beyond, reverse=True)
    cells = {
        row.name: cells for row, cells in zip(board.rows, scoreboard_views.results(board).rows, strict=True)
    }
    for row in board.rows:
        cards = [Card.read(name).metrics for name in seeds_of(row.model)[: row.seeds]]
        exact = [card["natural"]["exact_match"] for card in cards]
        longer = [card["by_length"][board.beyond]["exact_match"] for card in cards]
        assert_says(cells[row.name][0].words, round(min(exact), 3), round(max(exact), 3))
        assert_says(cells[row.name][1].words, round(min(longer), 2), round(max(longer), 2))
        assert (cells[row.name][0].value, cells[row.name][1].value) == pytest.approx(
            (np.mean(exact), np.mean(longer))
        )
    near = [row for row in board.rows if row.exact >= SATURATED_EXACT_MATCH]
    spans = [
        max(of) - min(of)
        for of in ([row.exact for row in near], [row.by_length[board.beyond] for row in near])
    ]
    assert spans[1] > 10 * spans[0], "beyond training they differ"
    longer = [row.by_length[board.beyond] for row in near]
    steps, parameters = ([getattr(row, name) for row in near] for name in ("steps", "parameters"))
    said = scoreboard_views.reading(board)
    assert_says(said, len(near), len(board.rows), SATURATED_EXACT_MATCH, min(longer), max(longer))
    assert_says(said, min(steps), max(steps), min(parameters), max(parameters))


def test_the_board_of_everyday_english_shows_who_copies_unknown_names():
    """Only models with attention can copy a name that they do not know."""
    board = scoreboard("names copied", EVERYDAY)
    for row in board.rows:
        figures = load_copying()[row.file]
        assert (row.copied, row.correct) == (figures["copied"], figures["correct"])
        has_attention = Card.read(row.file).config.get("context") in ("attention", None)
        assert row.copied > 0.5 if has_attention else row.copied < 0.1
    assert board.rows[0].copied == max(row.copied for row in board.rows)
    assert "names copied" in scoreboard_views.results(board).headings
    best, worst = board.rows[0], board.rows[-1]
    assert_says(scoreboard_views.reading(board), best.copied, best.correct, worst.copied, board.hidden_names)


def test_the_board_of_pronunciation_shows_phoneme_errors_of_every_seed():
    board = scoreboard("phoneme errors", PRONUNCIATION)
    table = scoreboard_views.results(board)
    column = table.headings.index("phoneme errors")
    for row, cells in zip(board.rows, table.rows, strict=True):
        errors = [Card.read(name).metrics["natural"]["error_rate"] for name in seeds_of(row.model)]
        assert_says(cells[column].words, round(min(errors), 3), round(max(errors), 3))
    assert [row.errors for row in board.rows] == sorted(row.errors for row in board.rows)
    assert_says(
        scoreboard_views.reading(board), *board.rows[0].errors_by_seed, *board.rows[-1].errors_by_seed
    )


@pytest.mark.parametrize(("sort", "task"), [("AER", PRONUNCIATION), ("names copied", SMALL_WORLD)])
def test_a_board_without_the_column_is_sorted_by_lesson(sort, task):
    with collect_notices() as notices:
        board = scoreboard(sort, task)
    assert board.rows == scoreboard("lesson", task).rows
    assert_says(notices["sort"], sort, task)


def test_a_model_with_attention_is_not_filed_under_the_bottleneck():
    board = scoreboard("lesson")
    for row in board.rows:
        config = Card.read(row.file).config
        if config.get("context") == "attention" or "d_fc" in config:
            assert board.lessons[row.lesson] > board.lessons["bottleneck"], row.name
        assert row.attends == (
            config.get("context") == "attention" and config["encoder"] == "recurrent" and row.aer < 0.9
        )


def test_the_guess_about_longer_sentences_can_be_won():
    """Exactly one option must be right, with every seed; uniform weights do not count as attention."""
    guess, board = EXPERIMENTS["scoreboard"].predict, scoreboard("lesson")
    verdicts = {option: guess.check(option, {}) for option in guess.answer.options}
    assert sorted(verdict.ok for verdict in verdicts.values()) == [False, False, True]
    ours, others = exact_match_beyond()
    assert len(ours) == 3 < len(others)
    assert 0 < max(ours) < min(others)
    uniform = next(row for row in board.rows if row.model == "translation-uniform-64")
    assert uniform.by_length[board.beyond] < min(ours)
    for verdict in verdicts.values():
        assert_says(verdict.message, min(ours), max(ours), min(others), max(others))
    [right] = [verdict for verdict in verdicts.values() if verdict.ok]
    card = Card.read("translation-transformer-s0")
    assert_says(
        right.message,
        card.recipe["steps"],
        card.parameters,
        Card.read("translation-additive-64-s0").recipe["steps"],
    )


def test_both_tables_of_the_board_have_the_same_rows():
    board = scoreboard("AER")
    made, does = scoreboard_views.board(board), scoreboard_views.results(board)
    assert (made.head_height, made.row_height) == (does.head_height, does.row_height)
    assert (
        list(made.frame()["model (download)"])
        == list(does.frame()["model"])
        == [row.name for row in board.rows]
    )
    assert all(f"{row.steps:,}" in made.svg() for row in board.rows)


@pytest.mark.parametrize("task", SCOREBOARD_TASKS)
@pytest.mark.parametrize("sort", COLUMNS)
def test_no_heading_of_the_board_is_cut(sort, task):
    board = scoreboard(sort, task)
    for table in (scoreboard_views.board(board), scoreboard_views.results(board)):
        assert "…" not in table.svg()
        assert table.draw().width < table.wide + 1


@pytest.mark.parametrize("task", SCOREBOARD_TASKS)
def test_only_models_that_can_be_exported_are_links(task):
    board = scoreboard("lesson", task)
    linked = re.findall(r'href="home/([^"]+)\.zip"', scoreboard_views.board(board).svg())
    assert sorted(linked) == sorted(
        row.file for row in board.rows if row.file in export_script.exportable_names()
    )


def test_every_model_can_be_downloaded():
    board = scoreboard("lesson")
    linked = re.findall(
        r'href="home/([^"]+)\.zip"',
        scoreboard_views.board(board).svg() + scoreboard_views.others(board).svg(),
    )
    assert sorted(linked) == sorted(export_script.exportable_names())
    assert len(board.rows) > 20 < len(board.others)


def test_the_command_measures_again():
    shipped, again = (
        models.scoreboard.load_scoreboard(),
        models.scoreboard.measure(["translation-dot-64-s0", "translation-transformer-s0"], 2, 1),
    )
    assert again.keys() == shipped.keys()
    assert again["lengths"] == shipped["lengths"]
    assert all(0 < ms < 10_000 for ms in again["ms"].values())
    assert shipped["cores"] >= 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", shipped["date"])


# ---- exercises ----


def exercise(slug: str):
    return next(exercise for exercise in LESSON.exercises if exercise.slug == slug)


def test_numbers_asked_for_are_computed():
    assert exercise("fc-size").check(64 * 128 + 128 + 128 * 64 + 64, {}).ok
    assert exercise("maps").check(3 * 2 * 4, {}).ok
    assert not exercise("maps").check(8, {}).ok
    assert_says(exercise("fc-size").solution(), 64 * 128 + 128 + 128 * 64 + 64)


def test_challenges_can_be_solved_and_are_not_solved_yet():
    start = EXPERIMENTS["ablate"].state()
    states = [
        start | {"text": text, "part": "one head", "kind": kind, "layer": layer, "head": head}
        for text in EXPERIMENTS["ablate"].controls[0].suggestions
        for kind, layer, head in ALL_HEADS
    ]
    needed = next(state for state in states if exercise("break").check(None, state).ok)
    spare = next(state for state in states if exercise("spare").check(None, state).ok)
    for slug, wrong in (("break", spare), ("spare", needed)):
        assert not exercise(slug).check(None, wrong).ok
        assert not exercise(slug).check(None, start).ok
    start = EXPERIMENTS["heads"].state()
    errors = np.array(Card.read(MODEL_NAME).metrics["aer_by_head"])
    layer, head = (str(n + 1) for n in np.unravel_index(errors.argmin(), errors.shape))
    assert exercise("best-aligner").check(None, start | {"kind": "cross", "layer": layer, "head": head}).ok
    assert not exercise("best-aligner").check(None, start).ok
    assert (
        not exercise("best-aligner")
        .check(None, start | {"kind": "encoder self", "layer": layer, "head": head})
        .ok
    )


def test_needed_heads_are_counted():
    needed = 0
    for layer in LAYERS:
        for head in HEADS:
            run = EXPERIMENTS["ablate"].run(
                {"text": QUESTION, "part": "one head", "kind": "cross", "layer": layer, "head": head}
            )
            needed += run.yours != run.plain
    assert exercise("needed-heads").check(needed, {}).ok
    assert not exercise("needed-heads").check(needed + 1, {}).ok


def test_counts_in_the_texts_are_right():
    assert len(ALL_HEADS) == 24
    residuals = [name for name in original_trace(source_tokens(IDIOM)).values if ".residual" in name]
    assert len(residuals) == 10
    assert (load_transformer().config.d, load_transformer().config.d_fc) == (64, 128)
    assert len(decode(MANY_TO_ONE, 1).writes) == 6
    assert f"{len(IDIOM.split())} × {load_transformer().config.d}" in SHAPES
    board = scoreboard("lesson")
    beyond = {row.model: row.by_length[board.beyond] for row in board.rows}
    assert beyond["translation-transformer"] < beyond["translation-additive-64"]
    assert model_label("translation-scaled-dot-64") == "scaled dot, 64"
    assert model_label("everyday-none-128") == "one vector, 128"
    assert model_label("translation-none-4") == "no attention, k = 4"
    assert model_label("translation-none-two-layers") == "no attention, two layers"


# ---- a language model ----


def test_the_options_match_the_story_model():
    config = Card.read(MODELS["Transformer"]).config
    assert len(HEAD_NAMES) == config["layers"] * config["heads"]
    assert len(RESIDUAL_STREAM) == config["layers"] + 1


@pytest.mark.parametrize(
    ("text", "due", "cue"),
    [
        (COLOUR, "white", "white"),
        (f"{COLOUR} white", "box", "box"),
        (NAME, "leo", "leo"),
        (OPEN_QUOTE, "”", "“"),
    ],
)
def test_a_head_of_the_upper_layer_attends_to_the_cue(text, due, cue):
    found = EXPERIMENTS["lm"].run({"text": text})
    assert found.due == due
    assert [found.words[place] for place in found.cue] == [cue]
    assert found.on_cue[1].max() > 0.6
    assert found.chance[0] > 0.9


@pytest.mark.parametrize("do", INTERVENTIONS)
def test_only_the_chosen_head_is_changed(do):
    found = EXPERIMENTS["lm"].run({"do": do, "head": "layer 2, head 3"})
    plain = lm_compute.original_trace(found._tokens)
    yours = edited_trace(found._tokens, 2, 3, do, found.cue)
    others = [head for head in range(4) if head != 2]
    assert torch.equal(plain.weights[:, others], yours.weights[:, others])
    row = torch.tensor(found.row)
    if do == LOOK_AT_CUE:
        assert row[list(found.cue)].sum() == pytest.approx(1)
    if do == LOOK_AWAY:
        assert row[list(found.cue)].sum() == 0
        assert row.sum() + yours.weights[1, 2, -1, 0] == pytest.approx(1, abs=1e-5)
    assert (found.chance[0] == found.chance[1]) == (do == KEEP)


def test_every_option_of_the_guess_about_one_head_tells_how_far_p_falls():
    was, now = EXPERIMENTS["lm"].run({"do": SWITCH_OFF}).chance
    assert now < was
    guess = EXPERIMENTS["lm"].predict
    for option in guess.answer.options:
        assert_says(guess.check(option, {}).message, "falls", was, now)


def test_every_head_off_is_the_same_as_switching_it_off_by_hand():
    found = EXPERIMENTS["lm"].run({"head": "layer 2, head 1", "do": SWITCH_OFF})
    assert found.without[1, 0] == pytest.approx(found.chance[1], abs=1e-6)
    assert found.without[1, 0] == found.without.min()


def read(found: StoryRun) -> list[float]:
    """P of the next word at every point of the residual stream, rounded as shown."""
    return [round(due, 2) for *_, due in found.early]


def test_the_lens_ends_with_the_output_of_the_model():
    found = EXPERIMENTS["lm"].run({})
    assert found.early[-1][2] == pytest.approx(found.chance[0], abs=1e-5)
    assert found.early[-1][0][0] == found.due
    gains = np.diff([due for *_, due in found.early])
    assert_says(lm_views.told_lens(found), *read(found), f"layer {gains.argmax() + 1}")


def test_a_word_never_said_has_no_cue_and_a_mark_has_the_one_that_is_open():
    assert find_cue("kite", ("a", "drum")) == ()
    assert find_cue("drum", ("a", "drum", "a", "drum")) == (1, 3)
    assert find_cue("”", ("“", "yes", "”", "“", "no")) == (3,)
    assert_says(lm_views.reading(preset("lm", "Not learned")), "was", "has not occurred")


def test_what_is_expected_need_not_be_right():
    found = preset("lm", "Not learned")
    assert found.due == "was"  # agrees with the farmers
    assert found.on_cue.max() == 0
    assert (
        lm_compute.original_trace(found._tokens).weights[:, :, -1, 1 + found.words.index("farmers")].max()
        < 0.05
    )
    assert_says(lm_views.reading(found), "was", found.chance[0], found.recurrent)
    counts = sum(row["count"] for row in Card.read(MODELS["GRU"]).metrics["memory"]["number"])
    assert_says(lm_views.by_distance(found).title, "was", "were", counts)
    assert not says(lm_views.reading(found), "move its weights")


@pytest.fixture(scope="module")
def stories() -> list[StoryRun]:
    """Beginnings of held-out stories, cut after any word."""
    documents = STORIES.documents("test", 30, seed=3)
    return [lm(" ".join(words[:cut]), "layer 2, head 1", KEEP) for words in documents for cut in (15, 27, 40)]


def test_the_lens_never_contradicts_its_own_numbers(stories):
    seen = set()
    for found in stories:
        chances, said = np.array([due for *_, due in found.early]), lm_views.told_lens(found)
        assert_says(said, *read(found))
        unsure = chances.max() < 0.5
        falls = not unsure and round(chances[-1], 2) < round(chances.max(), 2)
        assert says(said, "not sure") == unsure
        assert says(said, "highest") == falls
        if says(said, "adds the most"):
            gains = np.diff(chances.round(2))  # computed from the rounded numbers shown
            assert_says(said, f"layer {gains.argmax() + 1}")
            assert chances[0] <= chances[-1] / 2
        seen.add((unsure, bool(falls), says(said, "adds the most")))
    assert len(seen) > 2, "states of several kinds"


def test_a_head_that_lowers_p_is_named(stories):
    told = 0
    for found in stories:
        was, said = found.chance[0], lm_views.told_every(found)
        higher = int((found.without.round(2) > round(was, 2)).sum())
        assert says(said, "raises P") == bool(higher)
        assert says(said, "matters most") == bool(round(found.without.min(), 2) < round(was, 2))
        if higher:
            layer, head = np.unravel_index(found.without.argmax(), found.without.shape)
            assert_says(said, higher, f"layer {layer + 1}, head {head + 1}", "rises", found.without.max())
        told += bool(higher)
    assert told > len(stories) / 4


@pytest.mark.parametrize(
    ("head", "word"), [("layer 2, head 4", "falls"), ("layer 1, head 2", "rises"), ("layer 2, head 1", None)]
)
def test_the_reading_says_whether_p_rises_or_falls(head, word):
    found = EXPERIMENTS["lm"].run({"text": PLURAL_SUBJECT, "head": head, "do": SWITCH_OFF})
    was, now = found.chance
    assert_says(
        lm_views.reading(found),
        round(now, 2),
        ("stays" if round(was, 2) == round(now, 2) else "rises" if now > was else "falls"),
    )
    assert word is None or says(lm_views.reading(found), word)


def test_a_lens_on_a_guess_and_figures_of_another_kind_say_so():
    found = EXPERIMENTS["lm"].run({"text": "one"})
    assert found.chance[0] < 0.5
    assert_says(lm_views.told_lens(found), *read(found))
    assert_says(lm_views.told_distance(found), found.due, "things")
    thing = preset("lm", "The lost thing")
    far = {name: rows[-1] for name, rows in thing.memory.items()}
    assert_says(
        lm_views.told_distance(thing),
        *(row["accuracy"] for row in far.values()),
        far["GRU"]["count"],
        thing.by_luck,
    )
    assert not says(lm_views.told_distance(thing), "things")


def test_one_head_can_change_the_next_word():
    check = next(each.check for each in LESSON.exercises if each.slug == "another-word")
    state = EXPERIMENTS["lm"].state
    assert check(None, state({"text": NAME, "head": "layer 2, head 2", "do": LOOK_AWAY})).ok
    assert not check(None, state({"text": NAME, "head": "layer 1, head 2", "do": SWITCH_OFF})).ok
    assert not check(None, state({"text": NAME})).ok
    assert not check(None, state({"do": SWITCH_OFF})).ok


# ---- norms ----

NUMBERS = st.lists(st.floats(-4, 4).map(lambda value: round(value, 1)), min_size=6, max_size=6).filter(
    lambda row: np.std(row) > 0.2
)


@given(NUMBERS, st.floats(-2, 2), st.floats(-2, 2), st.floats(0.1, 8))
def test_layer_norm_gives_beta_and_gamma_and_never_hears_another_sentence(row, γ, β, loud):
    found = norms(tuple((value,) for value in row), γ, β, loud)
    expected = torch.nn.functional.layer_norm(torch.tensor(row), (6,)) * γ + β
    assert np.allclose(found.out[0], expected, atol=1e-4)
    assert found.out[0].mean() == pytest.approx(β, abs=1e-3)
    assert found.out[0].std() == pytest.approx(abs(γ), abs=2e-3)
    assert found.moved[0] == 0
    assert found.moved[2] == 0


def test_batch_norm_in_use_is_torchs_with_the_statistics_of_the_first_batch():
    """Batch norm at test time must match torch: running means from training, unchanged by later batches."""
    layer = torch.nn.BatchNorm1d(6, momentum=None, affine=False)
    first, loud = EXPERIMENTS["norms"].run(), EXPERIMENTS["norms"].run({"x": ((2.0,),) * 6, "loud": 6.0})
    layer.train()(torch.tensor(first.batch))
    for run in (first, loud):
        np.testing.assert_allclose(run.out[2], layer.eval()(torch.tensor(run.batch))[0], atol=1e-5)
    assert loud.moved[1] > 0.2 > 0 == loud.moved[2]
    assert_says(norms_views.reading(loud), loud.moved[1], loud.moved[2], "in training", "after training")
    assert norms_views.batch_norm_in_use(loud).title != norms_views.batch_norm(loud).title


def test_ticks_stay_at_the_start_and_one_and_a_half_more_moves_no_bar_of_layer_norm():
    first, more = EXPERIMENTS["norms"].run(), preset("norms", "Every number plus 1.5")
    for view, moves in ((norms_views.layer_norm, False), (norms_views.batch_norm, True)):
        bars = view(more)
        assert np.allclose(bars.compare, view(first).values, atol=1e-4)
        assert (np.abs(bars.values - bars.compare).max() > 0.1) == moves


def test_no_bar_of_a_norm_exceeds_the_axis():
    for shift in (1.0, -1.0):
        for x in (
            ((4.0,), *((-4.0,),) * 5),
            ((4.0,), (-4.0,)) * 3,
            ((-4.0,), (4.0,)) * 3,
            ((4.0,),) * 6,
            ((-4.0,),) * 6,
        ):
            for loud in (0.0, 8.0):
                run = EXPERIMENTS["norms"].run({"x": x, "stretch": 1.5, "shift": shift, "loud": loud})
                assert np.abs(run.out).max() < norms_views.MAX_OUTPUT


def test_batch_norm_is_torch_s_and_hears_the_other_sentence():
    found = EXPERIMENTS["norms"].run({"loud": 3.0})
    layer = torch.nn.BatchNorm1d(6).train()
    assert np.allclose(found.out[1], layer(torch.tensor(found.batch))[0].detach(), atol=1e-5)
    assert found.moved[1] > 0.2
    assert_says(norms_views.reading(found), found.moved[0], found.moved[1])


def test_numbers_all_alike_leave_only_beta():
    found = EXPERIMENTS["norms"].run({"x": ((2.0,),) * 6, "shift": 0.5})
    assert np.allclose(found.out[0], 0.5)
    assert_says(norms_views.reading(found), "β", 0.5)
    assert not says(norms_views.reading(found), "γ")


def test_seeds_that_diverged_are_counted_and_not_called_0_percent():
    films = EXPERIMENTS["norms"].run().films
    [rate] = np.flatnonzero(films["none"].broke.any(1))
    steps = [step for step in films["none"].broke[rate].tolist() if step]
    assert len(steps) == 2
    state = EXPERIMENTS["norms"].state({"lr": RATES[rate]})
    run, verdict = EXPERIMENTS["norms"].run(state), exercise("parted").check(None, state)
    assert verdict.ok
    left = np.nanmean(films["none"].accuracy[rate, :, -1])
    for said in (verdict.message, norms_views.told_training(run)):
        none = said.partition("no norm")[2]
        assert_says(none, round(left, 2), "2 of 3 seeds diverged")
    assert_says(norms_views.told_training(run), *steps)
    for other in RATES[:rate]:
        wrong = exercise("parted").check(None, state | {"lr": other})
        assert not wrong.ok
        assert_says(wrong.message, *(film.ends[RATES.index(other)] for film in films.values()))


def test_the_text_cites_early_uses_of_pre_norm():
    words = LESSON.text.experiments["norms"]
    place = next(closer for slug, closer in words.acts.items() if slug == "place")
    assert_says(str(place), "tensor2tensor", "Baevski", 2019, "GPT-2", "Xiong", 2020)


def test_numbers_grow_without_norms_and_stay_with_post_norm():
    sizes = {norm: untrained_spread(norm).stream for norm in NORMS}
    assert sizes["pre"][0] == sizes["post"][0] == sizes["none"][0], "the same words, the same embedding"
    np.testing.assert_allclose(sizes["post"][1:], 1, atol=1e-3)
    assert (np.diff(sizes["none"]) > 0).all()
    assert sizes["none"][-1] > 3 * sizes["pre"][-1]


@pytest.mark.parametrize("norm", NORMS)
def test_the_picture_has_the_norm_where_the_layer_has_it(norm):
    """The picture's order of norm, f and + must match what the layer computes."""
    run, order = EXPERIMENTS["norms"].run({"place": PLACEMENTS[norm]}), COMPUTE_ORDER[norm]
    places = norms_views.wiring(run).positions()
    assert list(places) == list(order)
    assert list(places.values()) == sorted(places.values())
    layer = zoo.build("transformer", {"source_words": 9, "target_words": 9, "norm": norm}).encoder.layers[0]
    x, seen = torch.randn(5, 64, generator=torch.Generator().manual_seed(0)), Tap()
    y = layer.add_norm(1, x, lambda x: 2 * seen("given", x), seen)
    values = {"x": x, "+": seen.last("added1"), "norm": seen.finish().get("norm1.out")}
    assert torch.equal(seen.last("given"), values[order[order.index("f") - 1]])
    assert torch.equal(y, values[order[-1]])


def test_the_norm_of_the_exercise_by_hand():
    check = next(each.check for each in LESSON.exercises if each.slug == "layer-norm")
    assert check(round(2 / (8 / 3) ** 0.5, 2), {}).ok
    assert not check(1.0, {}).ok


def test_what_stays_to_two_digits_is_not_said_to_move():
    spare = ablate(REORDERING, "one head", "encoder self", "1", "1", 1)
    was, now = (f"{chance:.2f}" for chance in spare.probabilities)
    assert was == now == "1.00"
    assert_says(ablate_views.reading(spare), "stays", 1.0)


def test_where_no_head_is_missed_none_is_missed_most():
    run = lm(OPEN_QUOTE, "layer 2, head 1", KEEP)
    even = replace(run)
    vars(even)["without"] = np.full_like(run.without, run.chance[0])
    assert_says(lm_views.told_every(even), "no single head", 8, "stays", run.chance[0])
    assert not says(lm_views.told_every(even), ("matters most", "raises"))


def test_a_quotation_mark_is_not_put_in_quotation_marks():
    run = lm(OPEN_QUOTE, "layer 2, head 1", KEEP)
    assert run.due == "”"
    for said in (
        lm_views.story(run).title,
        lm_views.reading(run),
        lm_views.told_every(run),
        lm_views.told_lens(run),
    ):
        assert "“”" not in said.replace("**", "")
    assert_says(lm_views.story(run).title, "the mark")


def test_training_seconds_are_those_of_the_processor():
    """The lesson must say processor time, because the training code measures it."""
    words = LESSON.text.experiments["scoreboard"].after
    assert re.search(r"process_time\(\) - (self\.)?began", inspect.getsource(train))
    assert_says(words, "training seconds", "processor time")
