"""The Transformer language model is causal and agrees in one pass, word by word, and beyond its window."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.trace import EditError
from models.transformer_lm import TransformerLM, TransformerLMConfig
from tests.unit.test_multihead import disturb, seeded, shaken

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
WORDS = 11


def small_model(window: int = 8) -> TransformerLM:
    config = TransformerLMConfig(WORDS, d=8, heads=2, layers=2, d_fc=12, window=window)
    return shaken(TransformerLM(config))


MODEL = small_model()
TEXT = [3, 4, 5, 3, 9]
PLAIN = MODEL.run(TEXT)


def words(n: int, seed: int = 0) -> list[int]:
    return torch.randint(3, WORDS, (n,), generator=seeded(seed)).tolist()


def test_forward_is_run():
    logits = MODEL(torch.tensor([[1, *TEXT], [1, *TEXT[::-1]]]))
    torch.testing.assert_close(logits[0], PLAIN.logits, **CLOSE)
    torch.testing.assert_close(logits[1], MODEL.run(TEXT[::-1]).logits, **CLOSE)
    assert PLAIN.tokens == (1, *TEXT)
    assert PLAIN.start == 0
    assert PLAIN.weights.shape == (2, 2, 6, 6)
    torch.testing.assert_close(PLAIN.weights.sum(-1), torch.ones(2, 2, 6))
    torch.testing.assert_close(PLAIN.probabilities, PLAIN.logits.softmax(-1))


@settings(max_examples=25)
@given(st.lists(st.integers(3, WORDS - 1), min_size=1, max_size=7), st.data())
def test_no_word_sees_a_later_one(text, data):
    place = data.draw(st.integers(0, len(text) - 1))
    changed = [*text]
    changed[place] = text[place] % (WORDS - 1) + 1
    before, after = MODEL.run(text).logits, MODEL.run(changed).logits
    assert torch.equal(before[: place + 1], after[: place + 1])
    assert not torch.equal(before[place + 1 :], after[place + 1 :])


@settings(max_examples=200)
@given(st.integers(2, 40), st.integers(1, 300))
def test_the_window(window, n):
    """The window must hold all words while they fit, then at least half; its start must never move back."""
    model = TransformerLM(TransformerLMConfig(WORDS, d=2, heads=1, layers=1, d_fc=1, window=window))
    seen = n - model.window_start(n)
    assert seen <= window
    assert seen == n if n <= window else seen > window // 2
    assert model.window_start(n) <= model.window_start(n + 1)


@pytest.mark.parametrize("window", [2, 5, 8])
@pytest.mark.parametrize("prompt", [0, 7, 19])
def test_writer_across_the_window(window, prompt):
    model, text = small_model(window), words(21)
    writer = model.writer(text[:prompt])
    state, token, rows = writer.begin(), writer.bos, []
    for n in range(prompt, len(text) + 1):
        logits, state = writer.next(torch.tensor([token]), state)
        rows.append(logits[0])
        token = text[n] if n < len(text) else None
        read = [1, *text[:n]]
        whole = model(torch.tensor(read[model.window_start(len(read)) :]))
        torch.testing.assert_close(logits[0], whole[-1], **CLOSE)
    torch.testing.assert_close(model.run(text).logits, whole, **CLOSE)
    torch.testing.assert_close(torch.stack(rows), model.text_logits(text)[prompt:], **CLOSE)


def test_texts_side_by_side_across_the_window():
    texts = torch.tensor([words(19, seed) for seed in range(3)])
    writer = MODEL.writer()
    seen, caches = writer.begin()
    state = (
        seen.expand(3, -1),
        tuple(tuple(part.expand(3, -1, -1, -1) for part in cache) for cache in caches),
    )
    logits, state = writer.next(torch.full((3,), writer.bos), state)
    for column in texts.T:
        logits, state = writer.next(column, state)
    for row, text in zip(logits, texts.tolist(), strict=True):
        torch.testing.assert_close(row, MODEL.text_logits(text)[-1], **CLOSE)


@pytest.mark.parametrize("name", sorted(PLAIN.values))
def test_edits(name):
    same = MODEL.run(TEXT, {name: lambda value, step: value.clone()})
    torch.testing.assert_close(same.logits, PLAIN.logits, **CLOSE)
    disturbed = MODEL.run(TEXT, {name: disturb})
    assert (disturbed.logits - PLAIN.logits).abs().max() > 1e-4
    with pytest.raises(EditError):
        MODEL.run(TEXT, {name + "s": lambda value, step: value})


def test_the_logit_lens_of_the_last_layer_is_the_output():
    torch.testing.assert_close(MODEL.logit_lens(PLAIN.values["layer2.out"]), PLAIN.logits, **CLOSE)
    assert not torch.allclose(MODEL.logit_lens(PLAIN.values["layer1.out"]), PLAIN.logits, **CLOSE)


def test_a_window_that_comes_again_is_read_once(monkeypatch):
    """In a repeated phrase the same windows occur many times; each must be computed once."""
    read, forward = [], TransformerLM.forward

    def noted(model, ids, *more):
        read.extend(map(tuple, ids.view(-1, ids.shape[-1]).tolist()))
        return forward(model, ids, *more)

    monkeypatch.setattr(TransformerLM, "forward", noted)
    text = [4, 5, 6, 7] * 3 * MODEL.config.window
    found = MODEL.text_logits(text)
    assert len(found) == len(text) + 1
    assert len(read) == len(set(read)) < 6
    torch.testing.assert_close(found[-1], MODEL.run(text).logits[-1], **CLOSE)
