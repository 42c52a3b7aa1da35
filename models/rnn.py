"""Recurrent cells, written out: the vanilla RNN, the GRU and the LSTM.

Each cell does the same computation in two ways: `step` does one time step and passes every quantity to a tap;
`forward` does a batch of whole sequences with a compiled kernel, for training. A test compares them.
The state of a cell is a tuple: (h,) or, for the LSTM, (h, cell).
"""

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.gru_autograd import GRUFunction
from models.trace import UNTAPPED, AnyTap

State = tuple[Tensor, ...]
States = tuple[State, ...]  # one state per layer, the lowest first


class Cell(nn.Module):
    """Base class of the three cells: sizes, weights stacked gate by gate, and an initial state of zeros."""

    gates: tuple[str, ...] = ()  # the order of the blocks in W_xh, W_hh and the biases
    state_vectors = 1  # 1 for (h,), 2 for (h, cell)

    def __init__(self, P: int, m: int):
        super().__init__()
        self.P, self.m = P, m
        G = max(1, len(self.gates))
        self.W_xh = nn.Parameter(nn.init.xavier_uniform_(torch.empty(G, m, P)).reshape(G * m, P))
        self.W_hh = nn.Parameter(torch.cat([nn.init.orthogonal_(torch.empty(m, m)) for _ in range(G)]))
        self.b_h = nn.Parameter(torch.zeros(G * m))

    def initial_state(self, *batch: int) -> State:
        return tuple(self.W_hh.new_zeros(*batch, self.m) for _ in range(self.state_vectors))

    def step(self, x_t: Tensor, state: State, tap: AnyTap = UNTAPPED) -> State:
        raise NotImplementedError

    def forward(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read whole sequences: x (B, T, P) → all h (B, T, m), and the last state"""
        raise NotImplementedError


class VanillaRNN(Cell):
    """h_t = tanh(W_hh h_{t-1} + W_xh x_t + b_h)        lesson recurrence, cell"""

    def step(self, x_t: Tensor, state: State, tap: AnyTap = UNTAPPED) -> State:
        (h_prev,) = state
        from_memory = tap("from_memory", F.linear(h_prev, self.W_hh))  # (m,)
        from_input = tap("from_input", F.linear(x_t, self.W_xh))  # (m,)
        return (tap("h", torch.tanh(tap("sum", from_memory + from_input + self.b_h))),)

    def forward(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        weights = [self.W_xh, self.W_hh, self.b_h, torch.zeros_like(self.b_h)]
        h, last = torch.rnn_tanh(x, state[0][None], weights, True, 1, 0.0, self.training, False, True)
        return h, (last[0],)


class GRU(Cell):
    """r_t = σ(W_xr x_t + W_hr h_{t-1} + b_r)                  reset gate: how much of h_{t-1} enters n_t
    z_t = σ(W_xz x_t + W_hz h_{t-1} + b_z)                     update gate: how much of h_{t-1} stays
    n_t = tanh(W_xn x_t + r_t ∘ (W_hn h_{t-1} + b_hn) + b_n)   candidate
    h_t = (1 − z_t) ∘ n_t + z_t ∘ h_{t-1}                      lesson recurrence, gates
    """

    gates = ("r", "z", "n")

    def __init__(self, P: int, m: int):
        super().__init__(P, m)
        self.b_hh = nn.Parameter(torch.zeros(3 * m))  # its last block is b_hn, which the reset gate scales

    def step(self, x_t: Tensor, state: State, tap: AnyTap = UNTAPPED) -> State:
        (h_prev,) = state
        x_r, x_z, x_n = F.linear(x_t, self.W_xh, self.b_h).chunk(3, -1)  # (m,) each
        h_r, h_z, h_n = F.linear(h_prev, self.W_hh, self.b_hh).chunk(3, -1)  # (m,) each
        r = tap("r", torch.sigmoid(x_r + h_r))  # (m,)
        z = tap("z", torch.sigmoid(x_z + h_z))  # (m,)
        n = tap("n", torch.tanh(x_n + r * h_n))  # (m,)
        return (tap("h", (1 - z) * n + z * h_prev),)

    def forward(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        weights = (self.W_xh, self.W_hh, self.b_h, self.b_hh)
        if torch.is_grad_enabled() and self.W_hh.requires_grad and x.device.type == "cpu":
            # torch has no types for it
            h = GRUFunction.apply(x, state[0], *weights)  # type: ignore[no-untyped-call]
            return h, (h[:, -1],)
        h, last = torch.gru(x, state[0][None], weights, True, 1, 0.0, self.training, False, True)
        return h, (last[0],)


class LSTM(Cell):
    """i_t, f_t, o_t = σ(W_x· x_t + W_h· h_{t-1} + b_·)   input gate, forget gate, output gate
    g_t = tanh(W_xg x_t + W_hg h_{t-1} + b_g)             candidate
    cell_t = f_t ∘ cell_{t-1} + i_t ∘ g_t                 long-term memory
    h_t = o_t ∘ tanh(cell_t)                              lesson recurrence, gates
    """

    gates = ("i", "f", "g", "o")
    state_vectors = 2

    def __init__(self, P: int, m: int):
        super().__init__(P, m)
        with torch.no_grad():
            self.b_h[m : 2 * m] = 1.0  # a bias of 1 opens the forget gates at the start

    def step(self, x_t: Tensor, state: State, tap: AnyTap = UNTAPPED) -> State:
        h_prev, cell_prev = state
        sums = F.linear(x_t, self.W_xh, self.b_h) + F.linear(h_prev, self.W_hh)  # (4m,)
        i, f, g, o = sums.chunk(4, -1)  # (m,) each
        i = tap("i", torch.sigmoid(i))
        f = tap("f", torch.sigmoid(f))
        g = tap("g", torch.tanh(g))
        o = tap("o", torch.sigmoid(o))
        cell = tap("cell", f * cell_prev + i * g)  # (m,)
        return tap("h", o * torch.tanh(cell)), cell

    def forward(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        weights = [self.W_xh, self.W_hh, self.b_h, torch.zeros_like(self.b_h)]
        first = (state[0][None], state[1][None])
        h, last, cell = torch.lstm(x, first, weights, True, 1, 0.0, self.training, False, True)
        return h, (last[0], cell[0])


CELLS: dict[str, type[Cell]] = {"vanilla": VanillaRNN, "GRU": GRU, "LSTM": LSTM}


CONNECTIONS = ("none", "residual", "dense")  # kinds of connections between the layers of a stack


class Stack(nn.Module):
    """Layers of cells: layer 1 reads the input, every other layer reads the output of the layer below.

    The output of layer l is its h. A residual connection adds the input of layer l, and dense connections
    add the inputs of layers 2 to l (Britz et al. 2017, section 4.3). The input of layer 1 is not added,
    because it may have another size. Connections go up, not through time: layer l's state is its own h.
    Its quantities are called `layer1.h`, `layer2.z`, …; its state is a tuple of the layers' states.
    """

    def __init__(self, kind: str, P: int, m: int, layers: int = 1, connection: str = "none"):
        super().__init__()
        self.connection = connection
        cells = nn.ModuleList(CELLS[kind](P if layer == 0 else m, m) for layer in range(layers))
        self.cells = cast(Sequence[Cell], cells)

    def initial_state(self, *batch: int) -> States:
        return tuple(cell.initial_state(*batch) for cell in self.cells)

    def layer_output(self, h: Tensor, below: Sequence[Tensor]) -> Tensor:
        """The output of a layer, from its h and the outputs of the layers below it (the lowest first)."""
        added = {"none": below[:0], "residual": below[-1:], "dense": below}[self.connection]
        return sum(added, h)

    def output(self, states: States) -> Tensor:
        """The output of the top layer in these states."""
        outputs: list[Tensor] = []
        for state in states:
            outputs.append(self.layer_output(state[0], outputs))
        return outputs[-1]

    def step(self, x_t: Tensor, states: States, tap: AnyTap = UNTAPPED) -> States:
        new, outputs = [], list[Tensor]()
        for layer, (cell, state) in enumerate(zip(self.cells, states, strict=True), start=1):
            state = cell.step(x_t, state, tap.inside(f"layer{layer}"))
            new.append(state)
            x_t = self.layer_output(state[0], outputs)  # the layer above reads this output
            outputs.append(x_t)
        return tuple(new)

    def forward(self, x: Tensor, states: States) -> tuple[Tensor, States]:
        """Run all layers: x (B, T, P) → outputs of the top layer (B, T, m), and the last states"""
        outputs, new = self.layers(x, states)
        return outputs[-1], new

    def layers(self, x: Tensor, states: States) -> tuple[list[Tensor], States]:
        """Run all layers: x (B, T, P) → outputs (B, T, m) of each, the lowest first, and the last states"""
        new, outputs = [], list[Tensor]()
        for cell, state in zip(self.cells, states, strict=True):
            h, state = cell(x, state)
            new.append(state)
            x = self.layer_output(h, outputs)
            outputs.append(x)
        return outputs, tuple(new)


def spectral_radius(W: Tensor) -> float:
    """The largest |eigenvalue| of W_hh. Below 1 a linear echo fades, above 1 it grows (lesson recurrence)."""
    return torch.linalg.eigvals(W).abs().max().item()
