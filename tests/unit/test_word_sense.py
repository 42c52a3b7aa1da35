"""Word sense: words after the ambiguous word affect only the bidirectional model."""

import pytest
import torch

from models.trace import EditError
from models.vocabulary import InputError
from models.word_sense import SenseConfig, SenseEncoder
from tests.unit.test_multihead import shaken

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
SENTENCE, CHANGED, BANK = [3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 9], 3


def small_model(two_sided: bool) -> SenseEncoder:
    config = SenseConfig(12, 3, two_sided, d=8, heads=2, layers=2, d_fc=12, max_length=10)
    return shaken(SenseEncoder(config))


def test_only_two_sides_can_use_the_last_word():
    left, both = small_model(False), small_model(True)
    assert torch.equal(left.run(SENTENCE, BANK).probabilities[:5], left.run(CHANGED, BANK).probabilities[:5])
    assert (
        both.run(SENTENCE, BANK).answer_probabilities - both.run(CHANGED, BANK).answer_probabilities
    ).abs().max() > 1e-3


@pytest.mark.parametrize("two_sided", [False, True])
def test_forward_is_run_and_ignores_padding(two_sided):
    model = small_model(two_sided)
    tokens, mask = (
        torch.tensor([SENTENCE, [*SENTENCE[:4], 0, 0]]),
        torch.tensor([[1] * 6, [1] * 4 + [0] * 2]).bool(),
    )
    logits = model(tokens, torch.tensor([BANK, 1]), mask)
    for row, (sentence, position) in zip(logits, ((SENTENCE, BANK), (SENTENCE[:4], 1)), strict=True):
        trace = model.run(sentence, position)
        torch.testing.assert_close(row, trace.logits[position], **CLOSE)
        torch.testing.assert_close(row.softmax(-1), trace.answer_probabilities, **CLOSE)
    torch.testing.assert_close(model(tokens[:1], torch.tensor([BANK])), logits[:1], **CLOSE)
    assert trace.weights.shape == (2, 2, 4, 4)
    assert trace.probabilities.shape == (4, 3)
    torch.testing.assert_close(trace.weights.sum(-1), torch.ones(2, 2, 4))


@pytest.mark.parametrize("two_sided", [False, True])
def test_the_sentence_unfolds(two_sided):
    model = small_model(two_sided)
    rows = model.answers_by_prefix(SENTENCE, BANK)
    assert rows.shape == (3, 3)
    for t, row in enumerate(rows, BANK + 1):
        torch.testing.assert_close(row, model.run(SENTENCE[:t], BANK).answer_probabilities, **CLOSE)
    assert torch.allclose(rows[0], rows[-1], atol=1e-5) != two_sided


def test_shared_embeddings_are_the_columns_of_the_words():
    config = SenseConfig(12, 12 + 3, True, d=8, heads=2, layers=2, d_fc=12, max_length=10, shared=True)
    model = shaken(SenseEncoder(config))
    assert model.W.shape == (8, 3)
    torch.testing.assert_close(model.W_o, torch.cat([model.W, model.body.E.T], 1))
    trace = model.run(SENTENCE, BANK)
    x = trace.values["norm.out"]
    torch.testing.assert_close(trace.logits[:, 3:], x @ model.body.E.T + model.b[3:], **CLOSE)
    torch.testing.assert_close(
        model(torch.tensor([SENTENCE]), torch.tensor([BANK]))[0], trace.logits[BANK], **CLOSE
    )


def test_edits():
    model = small_model(False)
    plain = model.run(SENTENCE, BANK)
    for name in plain.values:
        torch.testing.assert_close(
            model.run(SENTENCE, BANK, {name: lambda value, step: value.clone()}).logits, plain.logits
        )
    lifted = {f"layer{n}.self.mask": lambda mask, step: torch.ones_like(mask) for n in (1, 2)}
    torch.testing.assert_close(
        model.run(SENTENCE, BANK, lifted).logits, small_model(True).run(SENTENCE, BANK).logits, **CLOSE
    )
    with pytest.raises(EditError):
        model.run(SENTENCE, BANK, {"layer3.self.mask": lambda value, step: value})


@pytest.mark.parametrize(
    ("tokens", "position", "message"),
    [([], 0, "at least one"), ([3, 4], 2, "1 to 2"), ([3, 4], -1, "1 to 2"), ([3] * 11, 0, "at most 10")],
)
def test_wrong_input_is_met_at_the_door(tokens, position, message):
    with pytest.raises(InputError, match=message):
        small_model(True).run(tokens, position)
