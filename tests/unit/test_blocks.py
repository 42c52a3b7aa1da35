"""Norm, position-wise feed-forward network, layers and stacks agree with PyTorch's modules."""

import math

import pytest
import torch
from torch import nn

from models.blocks import NORMS, FeedForward, Layer, Norm, TransformerStack, positions, unwrap_parameters
from models.multihead import causal
from models.trace import UNTAPPED, Tap
from models.vocabulary import InputError
from tests.unit.test_multihead import copied, seeded, shaken

D, HEADS, D_FC = 8, 2, 12


def oracle_layer(ours: Layer) -> nn.Module:
    kind = nn.TransformerDecoderLayer if ours.cross_attention is not None else nn.TransformerEncoderLayer
    oracle = kind(D, HEADS, D_FC, dropout=0.0, batch_first=True, norm_first=ours.norm == "pre")
    oracle.self_attn = copied(ours.self_attention)
    if ours.cross_attention is not None:
        oracle.multihead_attn = copied(ours.cross_attention)
    with torch.no_grad():
        for linear, W, b in (
            (oracle.linear1, ours.fc.W_1, ours.fc.b_1),
            (oracle.linear2, ours.fc.W_2, ours.fc.b_2),
        ):
            linear.weight.copy_(W.T)
            linear.bias.copy_(b)
        for n, norm in enumerate(ours.norms, 1):
            if ours.norm == "none":
                setattr(oracle, f"norm{n}", nn.Identity())
            else:
                copy_norm(getattr(oracle, f"norm{n}"), norm)
    # training mode avoids PyTorch's fused path; there is no dropout
    return oracle.requires_grad_(False).train()


def copy_norm(oracle: nn.LayerNorm, norm: Norm) -> nn.LayerNorm:
    with torch.no_grad():
        oracle.weight.copy_(norm.γ)
        oracle.bias.copy_(norm.β)
    return oracle


@pytest.fixture
def x():
    return torch.randn(3, 5, D, generator=seeded(5))


@pytest.fixture
def source():
    return torch.randn(3, 4, D, generator=seeded(6))


@pytest.mark.parametrize("tap", [UNTAPPED, Tap()], ids=["fast", "seen"])
def test_norm_is_torchs(x, tap):
    norm = shaken(Norm(D))
    torch.testing.assert_close(
        norm(7 * x + 3, tap), copy_norm(nn.LayerNorm(D), norm)(7 * x + 3), atol=1e-5, rtol=1e-5
    )


def test_norm_switched_off(x):
    norm = shaken(Norm(D))
    off = Tap(
        {"mean": lambda mean, step: torch.zeros_like(mean), "std": lambda std, step: torch.ones_like(std)}
    )
    torch.testing.assert_close(norm(x, off), norm.γ * x + norm.β)


def test_pointwise_moves_only_its_own_position(x):
    fc = shaken(FeedForward(D, D_FC))
    moved = x.clone()
    moved[:, 2] += 1
    change = (fc(moved) - fc(x)).abs().amax(-1)  # (3, 5)
    assert (change[:, 2] > 1e-3).all()
    assert (change[:, [0, 1, 3, 4]] == 0).all()


@pytest.mark.parametrize("tap", [UNTAPPED, Tap()], ids=["fast", "seen"])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("masked", [False, True])
def test_encoder_layer_is_torchs(x, norm, masked, tap):
    ours = shaken(Layer(D, HEADS, D_FC, norm, cross=False))
    expected = oracle_layer(ours)(x, src_mask=~causal(5) if masked else None)
    torch.testing.assert_close(
        ours(x, causal(5) if masked else None, tap=tap), expected, atol=1e-5, rtol=1e-5
    )


@pytest.mark.parametrize("tap", [UNTAPPED, Tap()], ids=["fast", "seen"])
@pytest.mark.parametrize("norm", NORMS)
def test_decoder_layer_is_torchs(x, source, norm, tap):
    ours = shaken(Layer(D, HEADS, D_FC, norm, cross=True))
    expected = oracle_layer(ours)(x, source, tgt_mask=~causal(5))
    torch.testing.assert_close(ours(x, causal(5), source, tap), expected, atol=1e-5, rtol=1e-5)


def test_without_norms_there_is_none_and_numbers_grow():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        plain, bare_stack = (TransformerStack(11, D, HEADS, 6, D_FC, 9, norm) for norm in ("pre", "none"))
    assert any("γ" in name for name, _ in plain.named_parameters())
    assert not any("γ" in name for name, _ in bare_stack.named_parameters())
    ids = torch.arange(9)
    assert bare_stack(ids).std() > 3 * plain(ids).std()


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_stacks_are_torchs(norm):
    sizes = {"d": D, "heads": HEADS, "layers": 2, "d_fc": D_FC, "max_length": 9, "norm": norm}
    encoder = shaken(TransformerStack(11, **sizes))
    decoder = shaken(TransformerStack(13, **sizes, cross=True))
    source = torch.randint(11, (3, 6), generator=seeded(2))
    target = torch.randint(13, (3, 5), generator=seeded(3))
    oracle_encoder = nn.TransformerEncoder(oracle_layer(encoder.layers[0]), 2, enable_nested_tensor=False)
    oracle_decoder = nn.TransformerDecoder(oracle_layer(decoder.layers[0]), 2)
    for oracle, ours in ((oracle_encoder, encoder), (oracle_decoder, decoder)):
        oracle.layers = nn.ModuleList(map(oracle_layer, ours.layers))
        oracle.norm = copy_norm(nn.LayerNorm(D), ours.norm) if norm == "pre" else None
    encoded = encoder(source)
    expected = oracle_encoder(encoder.E[source] * D**0.5 + positions(6, D))
    torch.testing.assert_close(encoded, expected, atol=1e-5, rtol=1e-5)
    states = oracle_decoder(decoder.E[target] * D**0.5 + positions(5, D), expected, tgt_mask=~causal(5))
    torch.testing.assert_close(decoder(target, causal(5), encoded), states, atol=1e-5, rtol=1e-5)


def test_no_residual_leaves_only_the_sublayer(x):
    layer = shaken(Layer(D, HEADS, D_FC, "post", cross=False))
    tap = Tap({f"residual{n}": lambda value, step: torch.zeros_like(value) for n in (1, 2)})
    y = layer.norms[0](layer.self_attention(x, x))
    torch.testing.assert_close(layer(x, tap=tap), layer.norms[1](layer.fc(y)), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("d", [8, 7])
def test_positions_are_waves(d):
    P = positions(300, d)
    assert P.shape == (300, d)
    for t in (0, 1, 17, 299):
        for j in range(d):
            angle = t / 10_000 ** ((j - j % 2) / d)
            assert P[t, j].item() == pytest.approx(math.cos(angle) if j % 2 else math.sin(angle), abs=1e-6)


def test_places_beyond_the_last_are_refused():
    stack = TransformerStack(11, D, HEADS, 1, D_FC, max_length=4)
    assert stack(torch.zeros(4, dtype=torch.long)).shape == (4, D)
    with pytest.raises(InputError, match="at most 4"):
        stack(torch.zeros(5, dtype=torch.long))
    with pytest.raises(ValueError, match="pre"):
        TransformerStack(11, D, HEADS, 1, D_FC, 4, norm="last")


def test_a_bare_stack_has_the_same_weights_and_leaves_the_stack_alone():
    stack = shaken(TransformerStack(11, D, HEADS, 2, D_FC, max_length=4))
    twin, ids = unwrap_parameters(stack), torch.tensor([[3, 4, 5]])
    before = stack(ids)
    stack.layers[1].fc.W_1.mul_(2)
    assert torch.equal(twin(ids), stack(ids))
    assert not torch.equal(before, stack(ids))
    assert "E" not in vars(stack)
    assert isinstance(stack.layers, nn.ModuleList)
