"""Ablation: what the translation loses without a part, a head, a norm or the mask."""

from functools import partial

import numpy as np
import pytest
import torch

from lessons.kit.example_sentences import (
    AMBIGUOUS_BANK,
    IDIOM,
    MANY_TO_ONE,
    NEGATION,
    QUESTION,
)
from lessons.transformer import LESSON
from lessons.transformer.ablate import measurement, part_table
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
from lessons.transformer.block.compute import BLOCKS, block
from lessons.transformer.decode import views as decode_views
from lessons.transformer.decode.compute import MAX_STEPS, decode
from lessons.transformer.translator import (
    ATTENTION_PATHS,
    HEADS,
    LAYERS,
    MAX_OUTPUT_TOKENS,
    TRANSLATOR,
    load_transformer,
    original_trace,
    read_text,
)
from models.metrics import exact_match, translate
from models.vocabulary import Vocabulary
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
ALL_HEADS = [(kind, layer, head) for kind in ATTENTION_PATHS for layer in LAYERS for head in HEADS]
preset = partial(helpers.preset, LESSON)


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
    source, which = read_text(text)[0], (part, kind, 1, int(head), by)
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
    assert len(shares) == 2 + len(ALL_HEADS) + len(measurement.other_parts())
    assert np.isnan(results[0].exact_without).all()
    assert np.isfinite(results[-1].exact_without).all()
    plain, yours = results[-1].exact
    assert yours < plain
    assert_says(ablate_views.reading(results[-1]), 12, plain, yours)
    by_part = part_table.exact_by_part(results[-1])
    assert list(by_part.values()) == sorted(by_part.values())
    assert by_part["encoder positions"] == yours
    assert len(by_part) == 1 + len(measurement.other_parts())
    assert part_table.every_part(results[0]).rows
    table = part_table.every_part(results[-1])
    assert [row[0] for row in table.rows] == ["nothing", *by_part]
    assert_says(part_table.worst_part(results[-1]), *list(by_part)[:: len(by_part) - 1], plain)


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
    source, edits = read_text(AMBIGUOUS_BANK)[0], ablation_edits("causal mask", "cross", 1, 1)
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
    source = read_text(AMBIGUOUS_BANK)[0]
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
