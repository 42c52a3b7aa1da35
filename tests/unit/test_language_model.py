"""Recurrent language model: all entry points agree, and an edit affects only its own call."""

import pytest
import torch

from models.decoding import greedy, score
from models.language_model import LanguageModel, LanguageModelConfig
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
