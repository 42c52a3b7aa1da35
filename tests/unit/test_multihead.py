"""The attention layer agrees with torch's, and its masks, taps and edits work."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from models.multihead import MultiHeadAttention, causal, scaled_dot_product
from models.trace import Tap


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def shaken(module: nn.Module, seed: int = 0) -> nn.Module:
    """Freeze the module and randomise all parameters, because biases of 0 and γ of 1 would hide mistakes."""
    generator = seeded(seed)
    for p in module.parameters():
        p.requires_grad_(False).copy_(0.5 * torch.randn(p.shape, generator=generator))
    return module


def disturb(value: torch.Tensor, step: int) -> torch.Tensor:
    """An edit that must change the output (a norm could undo an edit that only scales or shifts)."""
    return ~value if value.dtype == torch.bool else value + torch.rand(value.shape, generator=seeded(8))


def copied(ours: MultiHeadAttention) -> nn.MultiheadAttention:
    oracle = nn.MultiheadAttention(ours.W_q.shape[0], ours.heads, batch_first=True)
    with torch.no_grad():
        oracle.in_proj_weight.copy_(torch.cat([ours.W_q.T, ours.W_k.T, ours.W_v.T]))
        oracle.in_proj_bias.copy_(torch.cat([ours.b_q, ours.b_k, ours.b_v]))
        oracle.out_proj.weight.copy_(ours.W_o.T)
        oracle.out_proj.bias.copy_(ours.b_o)
    return oracle.requires_grad_(False).eval()


sizes = st.integers(1, 6)


@settings(max_examples=60)
@given(sizes, sizes, sizes, sizes, st.sampled_from([(), (3,), (2, 3)]), st.booleans(), st.integers(0, 10**6))
def test_scaled_dot_product_is_torchs(T_q, T_k, d, d_v, batch, masked, seed):
    generator = seeded(seed)
    Q, K, V = (
        3 * torch.randn(*batch, *shape, generator=generator) for shape in ((T_q, d), (T_k, d), (T_k, d_v))
    )
    mask = torch.rand(T_q, T_k, generator=generator) < 0.6 if masked else None
    tap = Tap()
    Y = scaled_dot_product(Q, K, V, mask, tap)
    torch.testing.assert_close(
        Y, F.scaled_dot_product_attention(Q, K, V, attn_mask=mask), atol=1e-5, rtol=1e-5
    )
    torch.testing.assert_close(Y, scaled_dot_product(Q, K, V, mask), atol=1e-5, rtol=1e-5)
    mask = torch.ones(T_q, T_k, dtype=torch.bool) if mask is None else mask
    weights = tap.last("weights")
    assert (weights[..., ~mask] == 0).all()
    torch.testing.assert_close(weights.sum(-1), mask.any(-1).float().expand(*batch, T_q))
    assert tap.last("scores")[..., ~mask].isfinite().all()  # scores are recorded before masking


def test_one_row_by_hand():
    Q, K, V = torch.tensor([[2.0, 0, 0, 0]]), torch.eye(4)[:2], torch.tensor([[1.0, 0], [0, 1.0]])
    a = torch.tensor(1.0).exp() / (torch.tensor(1.0).exp() + 1)  # the scores are 2/√4 = 1 and 0
    torch.testing.assert_close(scaled_dot_product(Q, K, V, None, Tap()), torch.stack([a, 1 - a])[None])


@pytest.mark.parametrize("heads", [1, 2, 4])
@pytest.mark.parametrize("masked", [False, True])
def test_multihead_is_torchs(heads, masked):
    ours = shaken(MultiHeadAttention(8, heads))
    x = torch.randn(3, 5, 8, generator=seeded(2))
    m = x if masked else torch.randn(3, 7, 8, generator=seeded(3))
    mask = causal(5) if masked else None
    expected, weights = copied(ours)(
        x, m, m, attn_mask=None if mask is None else ~mask, average_attn_weights=False
    )
    tap = Tap()
    torch.testing.assert_close(ours(x, m, mask, tap), expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(tap.last("weights"), weights, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(ours(x, m, mask), expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(
        ours(x[0], m[0], mask, Tap()), expected[0], atol=1e-5, rtol=1e-5
    )  # no batch axis


def test_shapes_of_what_is_seen():
    tap = Tap()
    MultiHeadAttention(8, 2)(torch.zeros(5, 8), torch.zeros(7, 8), None, tap)
    shapes = {name: tuple(tap.last(name).shape) for name in tap.quantities}
    assert shapes == {
        "k": (2, 7, 4),
        "v": (2, 7, 4),
        "q": (2, 5, 4),
        "mask": (5, 7),
        "scores": (2, 5, 7),
        "weights": (2, 5, 7),
        "Y": (2, 5, 4),
        "heads": (2, 5, 4),
        "out": (5, 8),
    }


def test_switching_off_a_head_is_leaving_out_its_rows_of_W_o():
    ours = shaken(MultiHeadAttention(8, 4))
    x = torch.randn(5, 8, generator=seeded(2))
    keep = torch.tensor([1.0, 1.0, 0.0, 1.0])[:, None, None]
    without = ours(x, x, None, Tap({"heads": lambda heads, step: heads * keep}))
    ours.W_o[4:6] = 0
    torch.testing.assert_close(without, ours(x, x), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    "lift", [torch.ones_like, lambda mask: torch.ones(mask.shape)], ids=["bool", "float"]
)
def test_the_mask_can_be_lifted(lift):
    ours = shaken(MultiHeadAttention(8, 2))
    x = torch.randn(5, 8, generator=seeded(2))
    lifted = ours(x, x, causal(5), Tap({"mask": lambda mask, step: lift(mask)}))
    torch.testing.assert_close(lifted, ours(x, x), atol=1e-5, rtol=1e-5)
    assert not torch.allclose(lifted, ours(x, x, causal(5)), atol=1e-2)


@settings(max_examples=30)
@given(st.permutations(range(6)))
def test_rows_permute_along(order):
    ours = shaken(MultiHeadAttention(8, 2))
    x = torch.randn(6, 8, generator=seeded(2))
    torch.testing.assert_close(ours(x[order], x[order]), ours(x, x)[order], atol=1e-5, rtol=1e-5)


def test_sizes_do_not_depend_on_T():
    layer = MultiHeadAttention(10, 2)
    assert sum(W.numel() for W in (layer.W_q, layer.W_k, layer.W_v)) == 300
    with pytest.raises(ValueError, match="heads"):
        MultiHeadAttention(10, 3)
