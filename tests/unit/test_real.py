"""Lesson `real` with the real weights, and with recordings where the weights are missing."""

import json
import threading
from dataclasses import replace

import numpy as np
import pytest
import torch

from lessons.kit.notices import collect_notices
from lessons.real import LESSON, RECORDED, fetching
from lessons.real import recordings as recordings_module
from lessons.real.fetching import fetch_job
from lessons.real.pretrained_model import (
    HEADS,
    LAYERS,
    RunCache,
    encode,
    model,
    most_probable,
    pieces,
    read,
    read_edited,
    shared_length,
)
from lessons.real.recordings import from_json, recordings, restored, rounded, states_of, to_json
from models.vocabulary import InputError

FRANCE = "The capital of France is"


def run(slug: str, **state):
    return LESSON.experiment(slug).run(state)


# ---- without weights ----


@pytest.mark.parametrize("experiment", RECORDED, ids=lambda experiment: experiment.slug)
def test_recordings_have_the_opening_state_and_every_preset(experiment):
    for state in states_of(experiment):
        with collect_notices() as notices:
            result = experiment.compute(**state)
        assert "Recorded run" in " ".join(notices.values())
        assert json.dumps(to_json(result))  # the whole result can be recorded
    assert len(recordings(experiment.slug)) == len(
        {json.dumps(state, sort_keys=True) for state in states_of(experiment)}
    )


def test_a_state_that_was_not_recorded_shows_the_opening_one():
    assert run("next", text="Hello").words == run("next").words


def test_a_recording_is_the_result_again():
    result = run("lens")
    again = from_json(type(result), json.loads(json.dumps(to_json(result))))
    assert again.words == result.words
    assert np.allclose(again.own, result.own, rtol=1e-4)
    assert restored(rounded(((1, "a"), (2.123456789, "b")))) == ((1, "a"), (2.1235, "b"))


def test_shared_beginnings():
    assert shared_length((1, 2, 3), (1, 2, 4)) == 2
    assert shared_length((1, 2), (1, 2, 4)) == 2
    assert shared_length((3,), (1,)) == 0


def test_our_story_model_stands_beside_the_real_one():
    from lessons.real.next.compute import our_prediction
    from lessons.real.next.views import STORY_START

    ours = our_prediction(STORY_START)
    assert (ours.words[-1], ours.unknown) == ("the", ())
    assert list(ours.probabilities) == sorted(ours.probabilities, reverse=True)
    assert 0 < ours.entropy < np.log2(ours.vocabulary)
    lost = our_prediction("one day <pad> <script> 👩‍🚀")
    assert set(lost.unknown) >= {"<", "script", "👩"}
    assert (lost.candidates, lost.entropy) == ((), None)
    assert our_prediction("").entropy is None


def test_a_phrase_of_one_piece_has_no_probability_in_its_first_copy():
    from lessons.real.loop.compute import per_copy
    from lessons.real.loop.views import reading

    plain = per_copy(np.log([0.25, 0.5]), 1)
    assert np.isnan(plain[0])
    assert plain[1:] == pytest.approx([0.25, 0.5])
    assert per_copy(np.log([0.25, 0.5, 0.5]), 2) == pytest.approx([0.25, 0.5])
    opening = run("loop")
    said = reading(replace(opening, plain=np.array([np.nan, *opening.plain[1:]])))
    assert "copy 2" in said
    assert "–" not in said


def test_small_maps_keep_the_sum_of_each_row():
    from lessons.real.heads.compute import MAX_GROUPS, group_positions

    weights = np.random.default_rng(0).random((2, 3, 21, 21))
    weights /= weights.sum(-1, keepdims=True)
    grouped = group_positions(weights)
    assert grouped.shape == (2, 3, MAX_GROUPS, MAX_GROUPS)
    assert np.allclose(grouped.sum(-1), 1)
    assert np.allclose(group_positions(weights[..., :4, :4]), weights[..., :4, :4])


def test_all_maps_stay_small():
    from lessons.real.heads.views import all_maps

    full = replace(run("heads"), _small_maps=np.random.default_rng(0).random((LAYERS, HEADS, 8, 8)).round(2))
    assert len(all_maps(full).svg()) > len(all_maps(run("heads")).svg())
    assert len(all_maps(run("heads")).svg()) < 150_000


def test_recordings_are_not_cached_because_live_runs_replace_them(monkeypatch):
    experiment = LESSON.experiment("next")
    assert experiment.is_private(experiment.state())
    monkeypatch.setattr(recordings_module, "is_available", lambda: True)
    assert not experiment.is_private(experiment.state())


def test_the_notice_says_how_to_get_the_weights(monkeypatch):
    monkeypatch.setenv("SEQ2SEE_FETCH", "1")
    assert recordings_module.FETCH in recordings_module.notice()
    monkeypatch.delenv("SEQ2SEE_FETCH")
    monkeypatch.setenv("SEQ2SEE_MODEL", "owner/other")
    assert "get owner/other" in recordings_module.notice()


def test_weights_are_fetched_only_where_the_owner_allows_it(monkeypatch):
    compute = LESSON.experiment("next").compute
    monkeypatch.delenv("SEQ2SEE_FETCH", raising=False)
    assert fetch_job(compute) is None
    monkeypatch.setenv("SEQ2SEE_FETCH", "1")
    monkeypatch.setattr(fetching.time, "sleep", lambda seconds: None)
    release = threading.Event()

    def get(progress):
        progress("Downloading", 50, 100)
        release.wait(10)

    monkeypatch.setattr(fetching.pretrained, "get", get)
    steps = fetch_job(compute).run(**LESSON.experiment("next").state())
    assert next(steps)[0] < 1
    assert next(share for share, _ in steps if share) == pytest.approx(0.45)
    release.set()
    assert [share for share, _ in steps][-1] == 1

    def fail(progress):
        raise fetching.pretrained.PretrainedError("no connection")

    monkeypatch.setattr(fetching.pretrained, "get", fail)
    with pytest.raises(InputError, match="no connection"):
        list(fetch_job(compute).run(**LESSON.experiment("next").state()))
    monkeypatch.setattr(fetching, "is_available", lambda: True)
    assert fetch_job(compute) is None


# ---- with weights ----


def test_the_sizes_of_controls_are_those_of_the_model(real_weights):
    assert (model().config.layers, model().config.heads) == (LAYERS, HEADS)


def test_the_next_piece_of_a_fact(real_weights):
    result = run("next")
    assert result.candidates[0] == "␣Paris"
    assert result.model[0] == pytest.approx(0.77, abs=0.02)
    assert run("next", min_p=1.0).left[-1] == 1
    assert run("next", p=0.9).left[2] == 10
    assert run("next", k=3).left == (result.vocabulary, 3, 3, 3)


def test_moving_a_filter_does_not_run_the_model(real_weights, monkeypatch):
    run("next")
    monkeypatch.setattr(model(), "read_tokens", lambda *_, **__: pytest.fail("the model was run"))
    assert run("next", temperature=0.5).entropy[1] < run("next").entropy[1]


def test_a_text_that_shares_its_beginning_gives_the_same_numbers(real_weights):
    tokens = encode(f"{FRANCE} a")
    read.clear()
    alone = read(tokens)
    read.clear()
    read(encode(FRANCE))
    shared = read(tokens)
    assert torch.allclose(alone.weights, shared.weights, atol=1e-4)
    assert torch.allclose(alone.logits, shared.logits, atol=1e-2)
    assert torch.allclose(alone.stream[:, -1], shared.stream[:, -1], atol=5e-2)


def test_readings_are_bounded_by_bytes(real_weights):
    cache = RunCache(max_bytes=2 << 20)
    for n in range(5):
        cache((1, 2, 3 + n))
    assert 1 <= len(cache.readings) < 5
    assert sum(cache.sizes.values()) <= 2 << 20
    assert cache.sizes.keys() == cache.readings.keys()
    assert (1, 2, 7) in cache.readings


def test_a_changed_last_word_costs_one_piece(real_weights, monkeypatch):
    """The model must read only the tokens after the cached prefix, also when it samples or chats."""
    from lessons.real.chat.compute import write_up_to
    from lessons.real.next.compute import roll
    from models.decoding import Settings

    read.clear()
    tokens = encode(FRANCE)
    read(tokens)
    lengths, layers = [], model().run_layers
    monkeypatch.setattr(
        model(), "run_layers", lambda x, *a, **k: lengths.append(x.shape[-2]) or layers(x, *a, **k)
    )
    read((*tokens[:-1], 11))
    roll.cache_clear()
    roll(tokens, Settings(), 0, 2)
    write_up_to.cache_clear()
    write_up_to((*tokens, 11), 2)
    assert lengths == [1] * len(lengths)


def test_a_run_that_begins_in_the_middle_is_the_whole_run(real_weights):
    """Edits and transplants, which reuse lower layers and earlier positions, agree with runs from scratch."""
    from lessons.real.heads.compute import look_at, switch_off
    from lessons.real.lens.compute import transplant

    tokens = encode(FRANCE)
    for name, edit in (("self.heads", switch_off(2)), ("self.weights", look_at(2, 1))):
        whole = model().run(tokens, {f"layer12.{name}": edit}).logits[-1]
        assert torch.allclose(read_edited(tokens, 12, {name: edit}), whole, atol=1e-3)
    donor = read(encode("The capital of Italy is")).stream[:, 3]
    layers = [7, 0, 30, 7]
    p = transplant(read(tokens), 3, donor, layers)

    def replaced(layer):
        def edit(x, step):
            x[3] = donor[layer]
            return x

        return edit

    for row, layer in zip(p, layers, strict=True):
        name = f"layer{layer}.out" if layer else "input"
        whole = model().run(tokens, {name: replaced(layer)}).probabilities[-1]
        assert torch.allclose(row.float(), whole, atol=1e-4)


def test_copies_and_pieces_are_the_beginning_of_longer_runs(real_weights):
    few, many = run("loop", copies=3), run("loop", copies=20)
    assert few.plain == pytest.approx(many.plain[:3])
    short, long = run("chat", n=3), run("chat", n=10)
    assert long.answer.startswith(short.answer)
    assert short.answer_pieces == 3


def test_the_pairs_shown_are_those_that_are_rotated(real_weights):
    result = run("modern", position=10)
    assert np.allclose(
        np.linalg.norm(result.query, axis=1), np.linalg.norm(result.rotated, axis=1), rtol=1e-4
    )
    cos, sin = np.cos(result.angles), np.sin(result.angles)
    a, b = result.query.T
    assert np.allclose(result.rotated, np.stack([a * cos - b * sin, a * sin + b * cos], 1), atol=1e-4)


def test_transplanting_italy_makes_paris_rome(real_weights):
    result = run("lens")
    after = dict(zip(result.candidates, result.after, strict=True))
    assert (result.answer, result.donor_answer) == ("␣Paris", "␣Rome")
    assert after["␣Rome"] > 10 * after["␣Paris"]
    late = run("lens", layer=27)
    assert late.after[0] == pytest.approx(late.before[0], abs=0.1)


def test_a_transplant_from_the_same_prompt_changes_nothing(real_weights):
    result = run("lens", donor=FRANCE)
    assert result.after == pytest.approx(result.before, abs=1e-4)


def test_batched_ablations_agree_with_single_ones(real_weights):
    from lessons.real.heads.compute import CHANGES

    result = run("heads", change=CHANGES[1])
    at = result.candidates.index(result.best)
    assert result.after[at] - result.before[at] == pytest.approx(result.effects[result.head - 1], abs=1e-4)


def test_effects_of_all_heads_agree_with_single_runs(real_weights):
    result, tokens = run("heads"), encode(FRANCE)
    assert result.last_effects.shape == (LAYERS, HEADS)
    before = read(tokens).probabilities[result._best]
    for layer, head in ((1, 5), (13, 1), (30, 9)):

        def off(outputs, step, head=head):
            outputs[head - 1, -1] = 0
            return outputs

        with torch.inference_mode():
            logits = model().run(tokens, {f"layer{layer}.self.heads": off}).logits[-1]
        change = logits.double().softmax(-1)[result._best] - before
        assert result.last_effects[layer - 1, head - 1] == pytest.approx(change.item(), abs=1e-4)


def test_induction_heads_copy_and_are_missed(real_weights):
    result = run("heads")
    assert result.copying.max() > 0.6
    second = slice(12, None)
    assert result.repeated_p[second].mean() > 10 * result.repeated_p_without[second].mean()


def test_repetition_raises_and_the_penalty_lowers(real_weights):
    result = run("loop", copies=10, penalty=1.3)
    assert result.plain[-1] > 10 * result.plain[0]
    assert result.penalised[-1] < result.plain[-1]


def test_a_chat_is_a_text_with_a_template(real_weights):
    result = run("chat", n=4)
    assert result.prompt[0] == "<|im_start|>"
    assert len(result.prompt) > result.user_pieces
    assert "fruits" in run("chat", n=12).answer
    assert run("chat", template=False, n=4).prompt == pieces(encode("Name three fruits."))


def test_switching_a_part_off_costs_bits(real_weights):
    result = run("modern", part="no rotary positions")
    assert result.changed.mean() > result.original.mean() + 0.5
    assert np.allclose(result.x * result.gamma / result.rms, result.normed, atol=1e-3)
    assert np.allclose(result.gate * result.up, result.hidden, atol=1e-3)


def test_most_probable_comes_first(real_weights):
    assert most_probable(torch.tensor([0.1, 0.7, 0.2]), 2) == [1, 2]


@pytest.mark.parametrize("text", ["", "   " * 0, "word " * 300])
def test_bad_texts_get_a_sentence(real_weights, text):
    with pytest.raises(InputError):
        run("next", text=text)


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "👩‍🚀", "你好", "<|im_end|>", "\n\n"])
def test_any_other_text_is_read(real_weights, text):
    assert run("next", text=text).words
