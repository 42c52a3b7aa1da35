"""The cells agree with torch's, and the step-by-step and whole-sequence forms of each cell agree."""

import math

import pytest
import torch
from torch import nn

from models.gru_autograd import GRUFunction
from models.rnn import CELLS, CONNECTIONS, Stack, VanillaRNN, spectral_radius
from models.trace import Tap

ORACLES = {"vanilla": nn.RNN, "GRU": nn.GRU, "LSTM": nn.LSTM}


def randomised(module: nn.Module, seed: int = 0) -> nn.Module:
    """Randomise every weight and bias, so that each of them affects the result."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.4)
    return module


def oracle_of(stack: Stack, kind: str, P: int, m: int) -> nn.Module:
    """Build torch's network with our weights."""
    oracle = ORACLES[kind](P, m, len(stack.cells), batch_first=True)
    with torch.no_grad():
        for layer, cell in enumerate(stack.cells):
            getattr(oracle, f"weight_ih_l{layer}").copy_(cell.W_xh)
            getattr(oracle, f"weight_hh_l{layer}").copy_(cell.W_hh)
            getattr(oracle, f"bias_ih_l{layer}").copy_(cell.b_h)
            getattr(oracle, f"bias_hh_l{layer}").copy_(getattr(cell, "b_hh", torch.zeros_like(cell.b_h)))
    return oracle


@pytest.mark.parametrize("layers", [1, 2, 4])
@pytest.mark.parametrize("kind", CELLS)
class TestStack:
    P, m, T = 5, 7, 11

    def test_sweep_equals_torch(self, kind, layers):
        stack = randomised(Stack(kind, self.P, self.m, layers))
        x = torch.randn(3, self.T, self.P, generator=torch.Generator().manual_seed(1))
        h, states = stack(x, stack.initial_state(3))
        expected, last = oracle_of(stack, kind, self.P, self.m)(x)
        torch.testing.assert_close(h, expected, atol=1e-5, rtol=0)
        last_h = last[0] if kind == "LSTM" else last
        torch.testing.assert_close(torch.stack([state[0] for state in states]), last_h, atol=1e-5, rtol=0)

    def test_steps_equal_sweep(self, kind, layers):
        stack = randomised(Stack(kind, self.P, self.m, layers))
        x = torch.randn(self.T, self.P, generator=torch.Generator().manual_seed(2))
        swept, _ = stack(x[None], stack.initial_state(1))
        states, tap = stack.initial_state(), Tap()
        for t in tap.steps(range(self.T)):
            states = stack.step(x[t], states, tap)
        torch.testing.assert_close(tap.value(f"layer{layers}.h"), swept[0], atol=1e-5, rtol=0)


def one_unit_stack(connection: str) -> Stack:
    """Four vanilla cells of one unit with W_xh = 1, W_hh = 0.5 and b = 0."""
    stack = Stack("vanilla", 1, 1, 4, connection)
    with torch.no_grad():
        for cell in stack.cells:
            for parameter, value in zip((cell.W_xh, cell.W_hh, cell.b_h), (1.0, 0.5, 0.0), strict=True):
                parameter.fill_(value)
    return stack


def test_connections_by_hand():
    """Outputs of four layers after two steps, worked out in plain numbers."""
    for connection in CONNECTIONS:
        h = [0.0] * 4
        for x in (0.3, -0.2):
            outputs: list[float] = []
            layer_input = x
            for layer in range(4):
                h[layer] = math.tanh(layer_input + 0.5 * h[layer])
                output = h[layer]
                if connection == "residual" and layer > 0:
                    output = h[layer] + layer_input
                if connection == "dense" and layer > 0:
                    output = h[layer] + sum(outputs)
                outputs.append(output)
                layer_input = output
        stack = one_unit_stack(connection)
        swept, states = stack(torch.tensor([[[0.3], [-0.2]]]), stack.initial_state(1))
        assert swept[0, -1].item() == pytest.approx(outputs[-1], abs=1e-6)
        assert [state[0].item() for state in states] == pytest.approx(h, abs=1e-6)
        assert stack.output(states).item() == pytest.approx(outputs[-1], abs=1e-6)


def test_connections_only_add():
    """Residual: h1 + h2 + h3 + h4. Dense: 4 h1 + 2 h2 + h3 + h4, because inputs are added again."""
    states = tuple((torch.tensor([value]),) for value in (1.0, 10.0, 100.0, 1000.0))
    totals = [one_unit_stack(connection).output(states).item() for connection in CONNECTIONS]
    assert totals == [1000.0, 1111.0, 1124.0]


@pytest.mark.parametrize("connection", CONNECTIONS)
@pytest.mark.parametrize("kind", CELLS)
def test_connected_steps_equal_sweep(kind, connection):
    stack = randomised(Stack(kind, 5, 7, 4, connection))
    x = torch.randn(6, 5, generator=torch.Generator().manual_seed(2))
    swept, _ = stack(x[None], stack.initial_state(1))
    states = stack.initial_state()
    for t in range(6):
        states = stack.step(x[t], states)
        torch.testing.assert_close(stack.output(states), swept[0, t], atol=1e-5, rtol=0)


def test_vanilla_by_hand():
    cell = VanillaRNN(1, 1)
    with torch.no_grad():
        for parameter, value in zip((cell.W_xh, cell.W_hh, cell.b_h), (2.0, 0.5, -1.0), strict=True):
            parameter.fill_(value)
    tap = Tap()
    (h,) = cell.step(torch.tensor([0.75]), (torch.tensor([0.4]),), tap)
    assert tap.last("from_memory").item() == pytest.approx(0.2)
    assert tap.last("from_input").item() == pytest.approx(1.5)
    assert h.item() == pytest.approx(0.604368, abs=1e-6)  # h is tanh(0.2 + 1.5 − 1)


@pytest.mark.parametrize("kind", ["GRU", "LSTM"])
def test_a_gate_forced_open_keeps_the_memory(kind):
    """With z = 1 (GRU), or f = 1 and i = 0 (LSTM), the memory must not change."""
    stack = randomised(Stack(kind, 3, 4))
    keep = {"layer1.z": lambda v, t: torch.ones_like(v)}
    if kind == "LSTM":
        keep = {"layer1.f": lambda v, t: torch.ones_like(v), "layer1.i": lambda v, t: torch.zeros_like(v)}
    memory = torch.tensor([0.1, -0.2, 0.3, 0.9])
    states = ((memory,) if kind == "GRU" else (torch.zeros(4), memory),)
    tap = Tap(keep)
    for x_t in torch.randn(6, 3, generator=torch.Generator().manual_seed(0)):
        states = stack.step(x_t, states, tap)
    torch.testing.assert_close(states[0][-1], memory)


def test_spectral_radius_of_a_rotation():
    assert spectral_radius(torch.tensor([[0.0, -0.9], [0.9, 0.0]])) == pytest.approx(0.9)


@pytest.mark.parametrize(("B", "T", "P", "m"), [(3, 5, 4, 2), (1, 1, 2, 1), (2, 4, 3, 3)])
def test_the_gradient_written_out_is_the_gradient(B, T, P, m):
    shapes = ((B, T, P), (B, m), (3 * m, P), (3 * m, m), (3 * m,), (3 * m,))
    given = [torch.randn(*shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    x, h_0, *weights = given
    torch.testing.assert_close(
        GRUFunction.apply(*given), torch.gru(x, h_0[None], weights, True, 1, 0.0, True, False, True)[0]
    )
    assert torch.autograd.gradcheck(GRUFunction.apply, given)
