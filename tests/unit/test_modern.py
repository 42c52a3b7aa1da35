"""The modern Transformer agrees with examples by hand and with transformers; its cache changes nothing."""

import math
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from models.decoding import Settings, beam, greedy, phrase_probability, samples, score
from models.metrics import greedy_batch
from models.modern import (
    PAIRINGS,
    CausalLM,
    CausalLMConfig,
    FeedForward,
    GroupedQueryAttention,
    Norm,
    rotary_angles,
    rotate,
    truncate_caches,
)
from models.multihead import MultiHeadAttention, causal
from models.trace import EditError
from models.vocabulary import InputError
from tests.unit.test_multihead import disturb, seeded, shaken

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
WORDS = 19
LLAMA = CausalLMConfig(WORDS, d=24, heads=6, kv_heads=2, layers=2, d_fc=20, max_length=40)
GPT2 = replace(
    LLAMA, kv_heads=6, norm="layer", positions="learned", activation="gelu", gated=False, bias=True
)
KINDS = {
    "llama": LLAMA,
    "llama, own output layer": replace(LLAMA, tied=False),
    "llama, pairs of neighbours": replace(LLAMA, pairing="neighbours"),
    "gpt-2": GPT2,
}
MODELS = {name: shaken(CausalLM(config)) for name, config in KINDS.items()}
MODEL = MODELS["llama"]
TEXT = [3, 4, 5, 3, 9, 16, 5]


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]


# ---- examples by hand ----


def test_rotation_by_hand():
    """A rotation by 90° maps (1, 0) to (0, 1) and (0, 1) to (-1, 0); the two pairs have different angles."""
    quarter = torch.tensor([[math.pi / 2]])
    torch.testing.assert_close(
        rotate(torch.tensor([[1.0, 0.0]]), quarter), torch.tensor([[0.0, 1.0]]), **CLOSE
    )
    torch.testing.assert_close(
        rotate(torch.tensor([[0.0, 1.0]]), quarter), torch.tensor([[-1.0, 0.0]]), **CLOSE
    )
    x, angles = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[math.pi / 2, math.pi]])
    torch.testing.assert_close(rotate(x, angles, "halves"), torch.tensor([[-3.0, -2.0, 1.0, -4.0]]), **CLOSE)
    torch.testing.assert_close(
        rotate(x, angles, "neighbours"), torch.tensor([[-2.0, 1.0, -3.0, -4.0]]), **CLOSE
    )


def test_angles_by_hand():
    """Four dimensions have two pairs: θ = 1 and θ = base^(-1/2)."""
    torch.testing.assert_close(rotary_angles(2, 4, 4, 100.0), torch.tensor([[2.0, 0.2], [3.0, 0.3]]))


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.sampled_from(PAIRINGS))
def test_only_the_distance_between_query_and_key_counts(s, t, shift, pairing):
    q, k = torch.randn(2, 1, 8, generator=seeded(1))

    def match(s, t):
        turned_q, turned_k = (
            rotate(x, rotary_angles(at, at + 1, 8, 100.0), pairing) for x, at in ((q, s), (k, t))
        )
        return (turned_q * turned_k).sum()

    torch.testing.assert_close(match(s + shift, t + shift), match(s, t), atol=1e-4, rtol=1e-4)


def test_norms_by_hand():
    x = torch.tensor([[3.0, 4.0, 0.0, 0.0]])
    rms, layer, none = (
        Norm(CausalLMConfig(9, d=4, heads=2, eps=0.0, norm=kind)) for kind in ("rms", "layer", "none")
    )
    torch.testing.assert_close(rms(x), x / 2.5)  # the root mean square is √((9 + 16) / 4) = 2.5
    torch.testing.assert_close(layer(x), F.layer_norm(x, (4,)), **CLOSE)
    assert torch.equal(none(x), x)


def test_gate_by_hand():
    """With all weights 1 the result is SiLU(a + b) (a + b) with a gate, and SiLU(a + b) without."""
    x, silu = torch.tensor([[1.0, 2.0]]), 3 / (1 + math.exp(-3))
    for gated, expected in ((True, silu * 3), (False, silu)):
        fc = FeedForward(CausalLMConfig(9, d=2, heads=1, kv_heads=1, d_fc=1, gated=gated)).requires_grad_(
            False
        )
        for weight in fc.parameters():
            weight.fill_(1)
        torch.testing.assert_close(fc(x), torch.full((1, 2), expected))


def test_grouped_queries_are_heads_with_repeated_keys():
    """Grouped queries must equal multi-head attention with each group's keys and values repeated."""
    grouped = shaken(GroupedQueryAttention(replace(LLAMA, bias=True)))
    multi = MultiHeadAttention(LLAMA.d, LLAMA.heads).requires_grad_(False)
    for name in "qkvo":
        W, b = getattr(grouped, name).W, getattr(grouped, name).b
        if name in "kv":
            W, b = (x.unflatten(-1, (2, 4)).repeat_interleave(3, dim=-2).flatten(-2) for x in (W, b))
        getattr(multi, f"W_{name}").copy_(W)
        getattr(multi, f"b_{name}").copy_(b)
    x = torch.randn(2, 5, LLAMA.d, generator=seeded(2))
    mask = causal(5)
    torch.testing.assert_close(grouped(x, None, mask, None)[0], multi(x, x, mask), **CLOSE)


# ---- against transformers, with random weights ----


def oracle_of(name, model):
    """Build transformers' model of the same kind with the same weights."""
    transformers = pytest.importorskip(
        "transformers", reason="the oracle is the package transformers, which is not installed"
    )
    c = model.config
    if name == "gpt-2":
        config = transformers.GPT2Config(
            vocab_size=c.words,
            n_embd=c.d,
            n_head=c.heads,
            n_layer=c.layers,
            n_inner=c.d_fc,
            n_positions=c.max_length,
        )
        oracle = transformers.GPT2LMHeadModel._from_config(config, attn_implementation="eager")
    else:
        config = transformers.LlamaConfig(
            vocab_size=c.words,
            hidden_size=c.d,
            num_attention_heads=c.heads,
            num_key_value_heads=c.kv_heads,
            num_hidden_layers=c.layers,
            intermediate_size=c.d_fc,
            max_position_embeddings=c.max_length,
            rms_norm_eps=c.eps,
            rope_parameters={"rope_type": "default", "rope_theta": c.base},
            tie_word_embeddings=c.tied,
        )
        oracle = transformers.LlamaForCausalLM._from_config(config, attn_implementation="eager")
    oracle.load_state_dict(dict(foreign_weights(name, model)), strict=False)
    return oracle.requires_grad_(False).eval()


def foreign_weights(name, model):
    """Rename our weights to the names that transformers uses."""
    for n, layer in enumerate(model.layers):
        a, f = layer.attention, layer.fc
        if name == "gpt-2":
            place = f"transformer.h.{n}."
            for theirs, norm in (("ln_1", layer.norm1), ("ln_2", layer.norm2)):
                yield f"{place}{theirs}.weight", norm.γ
                yield f"{place}{theirs}.bias", norm.β
            yield f"{place}attn.c_attn.weight", torch.cat([a.q.W, a.k.W, a.v.W], dim=1)
            yield f"{place}attn.c_attn.bias", torch.cat([a.q.b, a.k.b, a.v.b])
            for theirs, part in (("attn.c_proj", a.o), ("mlp.c_fc", f.up), ("mlp.c_proj", f.down)):
                yield f"{place}{theirs}.weight", part.W
                yield f"{place}{theirs}.bias", part.b
        else:
            place = f"model.layers.{n}."
            yield f"{place}input_layernorm.weight", layer.norm1.γ
            yield f"{place}post_attention_layernorm.weight", layer.norm2.γ
            for part in "qkvo":
                yield f"{place}self_attn.{part}_proj.weight", getattr(a, part).W.T
            for part in ("gate", "up", "down"):
                yield f"{place}mlp.{part}_proj.weight", getattr(f, part).W.T
    if name == "gpt-2":
        yield "transformer.wte.weight", model.E
        yield "transformer.wpe.weight", model.P
        yield "transformer.ln_f.weight", model.norm.γ
        yield "transformer.ln_f.bias", model.norm.β
        yield "lm_head.weight", model.E
    else:
        yield "model.embed_tokens.weight", model.E
        yield "model.norm.weight", model.norm.γ
        yield "lm_head.weight", model.E if model.out is None else model.out.W.T


@pytest.mark.parametrize("name", ["llama", "llama, own output layer", "gpt-2"])
def test_agrees_with_transformers(name):
    model = MODELS[name]
    oracle, trace = oracle_of(name, model), model.run(TEXT)
    found = oracle(torch.tensor([TEXT]), output_hidden_states=True, output_attentions=True)
    torch.testing.assert_close(trace.logits, found.logits[0], **CLOSE)
    torch.testing.assert_close(trace.weights, torch.cat(found.attentions), **CLOSE)
    torch.testing.assert_close(trace.stream[:-1], torch.cat(found.hidden_states[:-1]), **CLOSE)
    torch.testing.assert_close(
        trace.values["norm.out"], found.hidden_states[-1][0], **CLOSE
    )  # transformers returns the last state after the norm


def test_the_two_pairings_are_one_model_in_another_order():
    """Rotary pairs (i, i + d/2) and (2i, 2i + 1) must give the same logits if W_q and W_k are permuted."""
    # order of the dimensions: 0, d/2, 1, d/2 + 1, ...
    order = torch.arange(LLAMA.d_head).view(2, -1).T.flatten()
    twin = CausalLM(replace(LLAMA, pairing="neighbours")).requires_grad_(False)
    twin.load_state_dict(MODEL.state_dict())
    for layer in twin.layers:
        for part in (layer.attention.q, layer.attention.k):
            part.W.copy_(part.W.unflatten(-1, (-1, LLAMA.d_head))[..., order].flatten(-2))
    torch.testing.assert_close(twin.run(TEXT).logits, MODEL.run(TEXT).logits, **CLOSE)


# ---- what a run records, and what can be edited ----


def test_forward_is_run(model):
    trace = model.run(TEXT)
    logits = model(torch.tensor([TEXT, TEXT[::-1]]))
    torch.testing.assert_close(logits[0], trace.logits, **CLOSE)
    torch.testing.assert_close(logits[1], model.run(TEXT[::-1]).logits, **CLOSE)
    torch.testing.assert_close(trace.weights.sum(-1), torch.ones(2, 6, len(TEXT)))
    torch.testing.assert_close(trace.probabilities, trace.logits.softmax(-1))
    torch.testing.assert_close(model.logit_lens(trace.stream[-1]), trace.logits, **CLOSE)
    expected = trace.logits.log_softmax(-1)[:-1].gather(-1, torch.tensor(TEXT[1:])[:, None])[:, 0]
    torch.testing.assert_close(model.logprobs(TEXT).float(), expected, **CLOSE)


def test_logprobs_of_a_long_text(monkeypatch):
    """The output layer works on blocks of rows; the block size must not change the result."""
    whole = MODEL.logprobs(TEXT)
    monkeypatch.setattr("models.modern.MAX_LOGIT_ROWS", 2)
    torch.testing.assert_close(MODEL.logprobs(TEXT), whole)
    assert len(whole) == len(TEXT) - 1


@settings(max_examples=25)
@given(st.lists(st.integers(3, WORDS - 1), min_size=2, max_size=9), st.data())
def test_no_token_sees_a_later_one(text, data):
    place = data.draw(st.integers(1, len(text) - 1))
    changed = [*text]
    changed[place] = (text[place] + 1) % WORDS
    before, after = MODEL.run(text).logits, MODEL.run(changed).logits
    torch.testing.assert_close(before[:place], after[:place], **CLOSE)
    assert not torch.allclose(before[place:], after[place:], **CLOSE)


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind in ("llama", "gpt-2") for name in sorted(MODELS[kind].run(TEXT).values)],
)
def test_edits(kind, name):
    model = MODELS[kind]
    plain = model.run(TEXT)
    same = model.run(TEXT, {name: lambda value, step: value.clone()})
    torch.testing.assert_close(same.logits, plain.logits, **CLOSE)
    assert (model.run(TEXT, {name: disturb}).logits - plain.logits).abs().max() > 1e-4
    with pytest.raises(EditError):
        model.run(TEXT, {name + "s": lambda value, step: value})


@pytest.mark.parametrize(
    "changes",
    [
        {"positions": "none"},
        {"norm": "layer"},
        {"norm": "none"},
        {"gated": False},
        {"activation": "relu"},
        {"pairing": "neighbours"},
        {"base": 100.0},
    ],
    ids=str,
)
def test_a_part_replaced(changes):
    """Replacing one part must share the weights, change the result and leave the original model as it was."""
    plain = MODEL.run(TEXT).logits
    variant = MODEL.variant(**changes)
    assert all(
        weight.data_ptr() == MODEL.get_parameter(name).data_ptr()
        for name, weight in variant.named_parameters()
    )
    assert (variant.run(TEXT).logits - plain).abs().max() > 1e-3
    assert torch.equal(MODEL.run(TEXT).logits, plain)


def test_switching_rotation_off_is_turning_by_nothing():
    off = MODEL.run(TEXT, {"angles": lambda value, step: torch.zeros_like(value)})
    torch.testing.assert_close(MODEL.variant(positions="none").run(TEXT).logits, off.logits, **CLOSE)


def test_wrong_settings_and_input():
    with pytest.raises(ValueError, match=r"P\b.*positions"):
        MODEL.variant(positions="learned")
    for wrong in ({"norm": "batch"}, {"positions": "alibi"}, {"heads": 5}, {"kv_heads": 4}, {"heads": 8}):
        with pytest.raises(ValueError, match=r"\w"):
            CausalLMConfig(WORDS, **({"d": 24, "heads": 6, "kv_heads": 2} | wrong))
    for tokens in ([], [WORDS], [-1], [3] * (LLAMA.max_length + 1)):
        with pytest.raises(InputError):
            MODEL.run(tokens)


# ---- the cache ----


def test_cache_or_no_cache(model):
    """A text read in two parts, or token by token, must give the same result as the whole text at once."""
    whole = model.run(TEXT)
    for cut in (1, 4, 6):
        rest = model.run(TEXT[cut:], past=model.run(TEXT[:cut]).caches)
        torch.testing.assert_close(rest.logits, whole.logits[cut:], **CLOSE)
        torch.testing.assert_close(rest.weights, whole.weights[:, :, cut:], **CLOSE)
        for found, expected in zip(rest.caches, whole.caches, strict=True):
            torch.testing.assert_close(found, expected, **CLOSE)
    writer = model.writer(TEXT[:1])
    state, rows = writer.begin(), []
    for token in TEXT:
        logits, state = writer.next(torch.tensor([token]), state)
        rows.append(logits[0])
    torch.testing.assert_close(torch.stack(rows), whole.logits, **CLOSE)


def test_the_beginning_of_a_trace_serves_another_text():
    """A trace must be reused for a text with the same beginning: only the last token is computed."""
    other = [*TEXT[:-1], 11]
    found = MODEL.run(other[-1:], past=truncate_caches(MODEL.run(TEXT).caches, len(TEXT) - 1))
    torch.testing.assert_close(found.logits[0], MODEL.run(other).logits[-1], **CLOSE)
    with pytest.raises(InputError):
        MODEL.run([3] * (LLAMA.max_length - 2), past=truncate_caches(MODEL.run(TEXT).caches, 3))


# ---- decoding with models/decoding ----


@pytest.mark.parametrize("prompt", [[], [4], TEXT])
def test_greedy_is_the_likeliest_token_again_and_again(model, prompt):
    text = prompt or [model.config.bos]
    written = greedy(model.writer(prompt, eos=0), 6)
    for n, token in enumerate(written.tokens):
        logits = model.run([*text, *written.tokens[:n]]).logits[-1]
        torch.testing.assert_close(written.logits[n], logits, **CLOSE)
        assert token == logits.argmax()
    assert written.finished == (written.tokens[-1] == 0)


def test_search_and_samples(model):
    writer = model.writer(TEXT)
    likeliest = beam(writer, 4, 5)
    expected = model.logprobs([*TEXT, *likeliest.tokens()])[len(TEXT) - 1 :]
    assert likeliest.best.total == pytest.approx(expected.sum().item(), abs=1e-4)
    texts = samples(writer, 3, 5, Settings(temperature=1.5, top_k=4), seed=2)
    for text in texts:
        assert score(writer, text.tokens).total == pytest.approx(text.total, abs=1e-4)
    assert len({text.tokens for text in texts}) > 1
    [said] = phrase_probability(model.writer([3]), TEXT, [4, 5], [2])
    assert said == pytest.approx(model.logprobs([3, *TEXT, *[4, 5] * 3])[-2:].sum().exp().item(), rel=1e-3)


def test_prompts_side_by_side(model):
    prompts = torch.tensor([TEXT, TEXT[::-1], [7] * len(TEXT)])
    together = greedy_batch(model, prompts, 5)
    for prompt, row in zip(prompts.tolist(), together.tolist(), strict=True):
        alone = greedy(model.writer(prompt), 5).tokens
        assert tuple(row[: len(alone)]) == alone
