"""Recurrent language model: all entry points agree, and an edit affects only its own call."""

import pytest
import torch
from torch.nn import functional as F

from models.decoding import greedy, score
from models.language_model import (
    AttentionLanguageModel,
    AttentionLanguageModelConfig,
    LanguageModel,
    LanguageModelConfig,
)
from models.rnn import CELLS
from models.trace import EditError
from models.vocabulary import Vocabulary

TOKENS = [5, 3, 9, 4, 7]


def fresh(cell: str = "LSTM", layers: int = 1) -> LanguageModel:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return LanguageModel(LanguageModelConfig(12, 4, 6, layers, cell)).requires_grad_(False).eval()


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("read", [0, 1, 3])
def test_all_doors_agree(cell, layers, read):
    """forward, run, and a writer that has already read part of the text all give the same logits."""
    model = fresh(cell, layers)
    trained = model(torch.tensor([[Vocabulary.bos, *TOKENS]]))[0]
    trace = model.run(TOKENS)
    torch.testing.assert_close(trace.logits, trained, atol=1e-5, rtol=0)
    assert trace.h.shape == (layers, len(TOKENS) + 1, 6)
    written = score(model.writer(TOKENS[:read]), TOKENS[read:])
    torch.testing.assert_close(written.logits, trained[read:-1], atol=1e-5, rtol=0)


@pytest.mark.parametrize("cell", CELLS)
def test_edits(cell):
    model = fresh(cell, 2)
    plain = model.run(TOKENS)
    for name in plain.values:
        assert torch.equal(model.run(TOKENS, {name: lambda value, step: value}).logits, plain.logits), name
        assert not torch.equal(
            model.run(TOKENS, {name: lambda value, step: value.mul_(0.5).add_(0.2)}).logits, plain.logits
        ), name
        assert torch.equal(model.run(TOKENS).logits, plain.logits), name
    with pytest.raises(EditError, match="layer3"):
        model.run(TOKENS, {"layer3.h": lambda value, step: value})


def test_clamping_a_unit_from_a_step_on_leaves_the_past_alone():
    """Clamping a unit, as in lesson `recurrence`, must not change earlier steps."""

    def clamp(value, step):
        value[2] = 0.9 if step >= 3 else value[2]
        return value

    model = fresh("GRU")
    plain, clamped = model.run(TOKENS), model.run(TOKENS, {"layer1.h": clamp})
    assert torch.equal(plain.logits[:3], clamped.logits[:3])
    assert (clamped.h[0, 3:, 2] == 0.9).all()
    assert ((plain.logits[3:] - clamped.logits[3:]).abs().amax(-1) > 0).all()


def test_greedy_writes_what_run_finds_likeliest():
    model = fresh()
    text = greedy(model.writer(TOKENS), 6).tokens
    trace = model.run([*TOKENS, *text[:-1]])
    assert tuple(trace.logits[len(TOKENS) :].argmax(-1).tolist()) == text


# ---- attention over its own earlier states ----


def attentive(score_name: str = "bilinear") -> AttentionLanguageModel:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        config = AttentionLanguageModelConfig(12, 4, 6, score=score_name)
        return AttentionLanguageModel(config).requires_grad_(False).eval()


@pytest.mark.parametrize("score_name", ["bilinear", "additive", "uniform"])
@pytest.mark.parametrize("read", [0, 1, 3])
def test_all_doors_agree_with_attention(score_name, read):
    model = attentive(score_name)
    trained = model(torch.tensor([[Vocabulary.bos, *TOKENS], [Vocabulary.bos, *TOKENS[::-1]]]))
    torch.testing.assert_close(model.run(TOKENS).logits, trained[0], atol=1e-5, rtol=0)
    torch.testing.assert_close(model.run(TOKENS[::-1]).logits, trained[1], atol=1e-5, rtol=0)
    written = score(model.writer(TOKENS[:read]), TOKENS[read:])
    torch.testing.assert_close(written.logits, trained[0, read:-1], atol=1e-5, rtol=0)


def test_attention_agrees_with_torch():
    """torch.nn.GRU and scaled_dot_product_attention, with h_0 = 0 in front of the earlier states."""
    model, text = attentive(), torch.tensor([Vocabulary.bos, *TOKENS])
    trace = model.run(TOKENS)
    gru, (ours,) = torch.nn.GRU(4, 6).requires_grad_(False), model.rnn.cells
    for theirs, tensor in (("weight_ih_l0", ours.W_xh), ("weight_hh_l0", ours.W_hh)):
        getattr(gru, theirs).copy_(tensor)
    gru.bias_ih_l0.copy_(ours.b_h)
    gru.bias_hh_l0.copy_(ours.b_hh)
    h, _ = gru(model.embed(text))  # (T, m)
    torch.testing.assert_close(trace.h[0], h, atol=1e-5, rtol=0)
    earlier = torch.cat([torch.zeros(1, 6), h[:-1]])
    context = F.scaled_dot_product_attention(
        (h @ model.score.W)[None], earlier[None], earlier[None], is_causal=True, scale=1
    )[0]
    torch.testing.assert_close(trace.values["context"], context, atol=1e-5, rtol=0)
    expected = F.linear(torch.cat([context, h], -1), model.out.weight, model.out.bias)
    torch.testing.assert_close(trace.logits, expected, atol=1e-5, rtol=0)


def test_uniform_attention_is_the_mean_of_the_earlier_states():
    trace = attentive("uniform").run(TOKENS)
    h = trace.h[0]
    for t in range(len(h)):
        mean = h[:t].sum(0) / (t + 1)  # h_0 = 0 counts as a state
        torch.testing.assert_close(trace.values["context"][t], mean, atol=1e-6, rtol=0)


def test_all_weight_on_the_initial_state_gives_no_context():
    model = attentive()

    def look_at_start(weights, step):
        return torch.eye(len(weights))[0].expand_as(weights)

    plain, edited = model.run(TOKENS), model.run(TOKENS, {"weights": look_at_start})
    assert (edited.values["context"] == 0).all()
    assert torch.equal(edited.h, plain.h)  # attention enters only the output
    own_half = F.linear(plain.h[0], model.out.weight[:, 6:], model.out.bias)
    torch.testing.assert_close(edited.logits, own_half, atol=1e-5, rtol=0)
