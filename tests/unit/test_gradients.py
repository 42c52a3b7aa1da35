"""Gradients match the written-out chain rule and PyTorch's autograd."""

from functools import partial

import pytest
import torch

from models.gradients import gradient, jacobian
from models.language_model import LanguageModel, LanguageModelConfig
from models.rnn import CELLS
from models.seq2seq import Seq2Seq, Seq2SeqConfig
from models.through_time import backpropagate, step_derivatives
from models.trace import EditError
from models.transformer import Transformer, TransformerConfig
from models.vocabulary import Vocabulary

TOKENS = [5, 3, 9, 4, 7]


def untrained(Model, config, seed=0):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Model(config).requires_grad_(False)


def test_the_last_state_by_every_earlier_one_is_a_product_of_jacobians():
    """∂h_T/∂h_t = ∏ diag(1 − h_k²) W_hh over k = t+1 … T (lesson `recurrence`, experiment `gradient`)."""
    model = untrained(LanguageModel, LanguageModelConfig(12, 4, 6, cell="vanilla"))
    found = jacobian(
        lambda edits: model.run(TOKENS, edits), "layer1.h", lambda trace: trace.h[0, -1]
    )  # (m, T, m)
    h, expected = model.run(TOKENS).h[0], torch.eye(6)
    for t in range(len(h) - 1, -1, -1):
        torch.testing.assert_close(found[:, t], expected, atol=1e-5, rtol=0)
        expected = expected @ torch.diag(1 - h[t] ** 2) @ model.rnn.cells[0].W_hh


@pytest.mark.parametrize("cell", CELLS)
def test_through_time_is_what_autograd_finds(cell):
    """For two models at once, ∂h_T/∂h_t (LSTM: ∂h_T/∂cell_t) equals the result of autograd."""
    models = [untrained(LanguageModel, LanguageModelConfig(12, 4, 6, cell=cell), seed) for seed in (0, 1)]
    texts, quantity = [TOKENS, TOKENS[::-1]], "layer1.cell" if cell == "LSTM" else "layer1.h"
    x = torch.stack(
        [
            model.embed(torch.tensor([Vocabulary.bos, *text]))
            for model, text in zip(models, texts, strict=True)
        ]
    )  # (2, T, P)
    found = torch.stack(
        list(backpropagate(CELLS[cell], *step_derivatives([model.rnn.cells[0] for model in models], x))), 2
    ).flip(2)  # (2, m, T, m)
    for model, text, J in zip(models, texts, found, strict=True):
        run = partial(model.run, text)
        expected = jacobian(run, quantity, lambda trace: trace.h[0, -1])
        torch.testing.assert_close(J, expected, atol=1e-5, rtol=0)
    assert not torch.allclose(found[0], found[1], atol=1e-2)


def test_what_comes_later_has_no_effect():
    model = untrained(LanguageModel, LanguageModelConfig(12, 4, 6, cell="vanilla"))
    for found in (
        jacobian(lambda edits: model.run(TOKENS, edits), "layer1.h", lambda trace: trace.h[0, 2]).norm(
            dim=(0, 2)
        ),  # (T,)
        gradient(lambda edits: model.run(TOKENS, edits), "layer1.h", lambda trace: trace.h[0, 2].sum()).norm(
            dim=-1
        ),
    ):
        assert (found[:3] > 0).all()
        assert (found[3:] == 0).all()
        assert len(found) == len(TOKENS) + 1


@pytest.mark.parametrize("context", ["every", "attention"])
def test_loss_by_source_embeddings_is_what_training_would_get(context):
    model = untrained(Seq2Seq, Seq2SeqConfig(12, 14, 4, 6, context=context))
    target = [6, 3, Vocabulary.eos]
    found = gradient(
        lambda edits: model.run(TOKENS, target, edits), "x", lambda trace: trace.logprobs.sum()
    )  # (T, P)
    model.embed_source.weight.requires_grad_()
    logits = model(torch.tensor([TOKENS]), torch.tensor([[Vocabulary.bos, *target[:-1]]]))[0]
    torch.log_softmax(logits, -1)[range(3), target].sum().backward()
    torch.testing.assert_close(found, model.embed_source.weight.grad[TOKENS], atol=1e-5, rtol=0)


def test_a_quantity_that_grows_needs_a_target():
    model = untrained(Transformer, TransformerConfig(12, 14, d=8, heads=2))
    objective = lambda trace: trace.logits.sum()  # noqa: E731
    with pytest.raises(EditError, match="target"):
        gradient(lambda edits: model.run(TOKENS, edits=edits, limit=4), "decoder.input", objective)
    found = gradient(
        lambda edits: model.run(TOKENS, [5, 6, Vocabulary.eos], edits), "decoder.input", objective
    )
    assert found.shape == (3, 8)
    assert (found.norm(dim=-1) > 0).all()
