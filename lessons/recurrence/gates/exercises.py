"""The guess and the exercises of experiment `gates`, with computed answers."""

import numpy as np
import torch

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, one_of
from lessons.recurrence.gates.compute import OWN_VALUE, compute
from lessons.recurrence.hand_cells import build_cell
from lessons.recurrence.sentences import BOY_STORY
from models.trace import Tap

ALWAYS, AT_ENDS, NEVER = "all the time", "where a sentence ends", "hardly ever"
FIRST_STEP_AFTER_NAME = 5  # 0-based index of the first step after the name


def mean_output_gate() -> tuple[float, float]:
    """The mean output gate after the name, at full stops and at other words."""
    run = compute(BOY_STORY, "LSTM output gate o", OWN_VALUE, 1, False, 1)
    o = run.values[run.names.index("o"), FIRST_STEP_AFTER_NAME:]
    is_stop = np.array(run.words[FIRST_STEP_AFTER_NAME:]) == "."
    return float(o[is_stop].mean()), float(o[~is_stop].mean())


def when_output_gate_opens() -> str:
    at_end, elsewhere = mean_output_gate()
    return ALWAYS if min(at_end, elsewhere) > 0.5 else AT_ENDS if at_end > 0.5 else NEVER


output_gate = guess(
    "output-gate",
    "One LSTM unit remembers that the story is about a boy. When, after the name, is its output gate o"
    " open, so that h shows what the unit remembers?",
    {
        ALWAYS: lambda: (
            f"In the row of o the gate is {mean_output_gate()[1]:.2f} on average between full stops, so it is"
            " mostly closed."
        ),
        AT_ENDS: lambda: (
            "In the row of o the gate is {:.2f} at full stops and {:.2f} elsewhere: after a full"
            " stop “he” may"
            " follow.".format(*mean_output_gate())
        ),
        NEVER: lambda: (
            f"Look at the full stops in the row of o: there the gate is {mean_output_gate()[0]:.2f}."
        ),
    },
    when_output_gate_opens,
    "Which words of a story depend on “he or she”, and where in a sentence can they come?",
    covers=("unit_gates", "kept"),
)


def check_copy(given: str, state: State) -> Verdict:
    """Check the answer on an LSTM whose input would overwrite the cell state."""
    i, f = (float(part[-1]) for part in given.split(", "))
    cell = build_cell("LSTM", W_xh=[[1.0]] * 4, W_hh=[[0.0]] * 4, b_h=[0.0] * 4)
    tap = Tap({"i": lambda value, _: value * 0 + i, "f": lambda value, _: value * 0 + f})
    before = torch.tensor([0.7]).double()
    _, after = cell.step(torch.ones(1).double(), (torch.zeros(1).double(), before), tap)
    if torch.equal(before, after):
        return Verdict(
            True, "Yes: cellₜ = 1 · cellₜ₋₁ + 0 · gₜ. The number stays the same for any number of steps."
        )
    return Verdict(
        False,
        f"A cell state of {before.item():.2f} became {after.item():.2f}. In the equation for cellₜ, which"
        " gate multiplies cellₜ₋₁?",
    )


EXERCISES = (
    Exercise(
        "copy",
        "With which values of the gates does an LSTM’s cell state carry a number unchanged, whatever"
        " the input?",
        check_copy,
        "cellₜ = f · cellₜ₋₁ + i · gₜ. Which values of f and i leave cellₜ₋₁ unchanged?",
        one_of("Gates", ("i = 1, f = 1", "i = 1, f = 0", "i = 0, f = 1", "i = 0, f = 0")),
    ),
)
