"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

from typing import Any

import numpy as np
import torch

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE, guess, nearest, number, one_of
from lessons.recurrence.compute import hand, jobs, reach, stories
from models.rnn import CELLS

# ---- one guess for each experiment ----


def knows_after_forgetting() -> str:
    """Two runs with W_hh = 0 that differ only in x_1: does h_6 differ?"""
    zero, one = [[0.0, 0.0], [0.0, 0.0]], [[1.0], [0.5]]
    cell = hand.cell_with("vanilla", W_hh=zero, W_xh=one, b_h=[0, 0])
    ends = [hand.walk(cell, torch.eye(6, 1).double() * first, cell.start()).last("h") for first in (1.0, -1.0)]
    return "nothing" if torch.equal(*ends) else "something"


forgetting = guess(
    "forgetting",
    "Set all of W_hh to zero. What does h₆ still know of x₁?",
    ("nothing", "something"),
    knows_after_forgetting,
    "Try “Forget at once”: with W_hh = 0 the arrow along time carries zeros, whatever the input was.",
)

HALVES = ("2", "7", "20")
half_life = guess(
    "half-life",
    "No tanh, λ = 0.9: after how many steps is half of the pulse gone?",
    HALVES,
    lambda: nearest(HALVES, hand.memory(((0.9, 0.0),), "linear", 1.0, 0.0, 60).half_life),
    "Choose the linear cell and drag λ to 0.9: the reading counts the steps. 0.9 times 0.9 times … adds up quickly.",
)


def after(text: str) -> str:
    """What the one-layer GRU expects after a text."""
    return stories.edit(text, "GRU", 1, "set it to 0", 0.0, 1, True).likely[0][-1]


next_word = guess(
    "next-word",
    "The model has read “one day , mira walked to the harbour .” Which word does it expect next?",
    ("he", "she", "the"),
    lambda: after("one day , mira walked to the harbour ."),
    "Choose “She” and look at the bars at step 10. The name stands five words back, and is still in the state.",
)


def flipped() -> str:
    run = stories.edit("one day , mira walked to the harbour .", "GRU", 1, "flip its sign", 0.0, 5, False)
    plain, yours = (likely[-1] for likely in run.likely)
    return "it stays" if plain == yours else f"{plain} becomes {yours}"


flipping = guess(
    "flipping",
    "One of 128 units changes its sign at “mira”. What happens to the word expected at the end?",
    ("it stays", "she becomes he", "she becomes the"),
    flipped,
    "Compare the last word of the two lines, and the bars with their untouched marks.",
)

WHEN = ("all the time", "where a sentence ends", "hardly ever")


def output_gate_opens() -> str:
    """The mean of o after the name, at full stops and elsewhere."""
    text = "one day , leo went to the castle . he saw the sword ."
    run = stories.gates(text, "LSTM o · lets out", "own value", 1, False, 1)
    words, o = np.array(run.words[5:]), run.values[run.names.index("o"), 5:]
    at_end, elsewhere = o[words == "."].mean() > 0.5, o[words != "."].mean() > 0.5
    return WHEN[0] if at_end and elsewhere else WHEN[1] if at_end else WHEN[2]


output_gate = guess(
    "output-gate",
    "One LSTM unit remembers that the story is about a boy. When will its output gate o let that out, once the name is read?",
    WHEN,
    output_gate_opens,
    "Look along the row o: what is the next word that depends on “he or she”, and where can it stand?",
)
farthest = guess(
    "farthest",
    "After training, whose gradient reaches 59 steps back most strongly?",
    CELLS,
    lambda: tuple(CELLS)[int(reach.gradient("GRU", "trained", 1.0, reach.LONGEST).stretch[:, -1].argmax())],
    "Choose “trained” and compare the three lines at their right end.",
)
states_used = guess(
    "states-used",
    "An encoder without attention reads six words. How many of its six states does the decoder get to see?",
    ("1", "3", "6"),
    lambda: str(len(jobs.roles("encoder", "the beautiful house was bought .", 1).used)),
    "In the picture the states that nobody uses are faint.",
)


# ---- check yourself ----


def parameters() -> float:
    cell = hand.cell_with("vanilla", W_hh=np.zeros((4, 4)), W_xh=np.zeros((4, 3)), b_h=np.zeros(4))
    return sum(weight.numel() for weight in cell.parameters())


def one_step() -> float:
    cell = hand.cell_with("vanilla", W_hh=[[0.5]], W_xh=[[1.0]], b_h=[0.1])
    return cell.step(torch.tensor([0.5]).double(), (torch.tensor([0.8]).double(),))[0].item()


def steps_to_one_percent() -> float:
    size = hand.memory(((0.9, 0.0),), "linear", 1.0, 0.0, 60).size
    return float(np.argmax(size < 0.01 * size[0]))


def alternates(_: None, state: dict[str, Any]) -> Verdict:
    run = hand.cell(**state)
    if np.abs(run.x[1:]).max() > 0:
        return Verdict(False, "Only the first input may be there: set x₂ to x₆ to 0.")
    turns = run.h[1:] * run.h[:-1]  # (5, m)
    blinking = ((turns < 0) & (np.abs(run.h[1:]) > 0.05)).all(0)
    if blinking.any():
        return Verdict(True, f"Yes: unit {int(blinking.argmax()) + 1} changes its sign at every step.")
    return Verdict(
        False, "No unit changes its sign at every step yet, or it is too faint. What must a weight do to turn a sign over?"
    )


def survives(_: None, state: dict[str, Any]) -> Verdict:
    run = hand.memory(**state | {"T": 60})
    left, most = run.size[20] / run.size[0], run.size.max() / run.size[0]
    if most > 1.02:
        return Verdict(False, f"It grew to {most:.1f} times its size. Where in the plane does nothing grow?")
    if left < 0.5:
        return Verdict(False, f"After 20 steps {left:.2f} of it is left. How long is λ, and what is that to the power 20?")
    return Verdict(True, f"Yes: {left:.2f} of the pulse is left after 20 steps, and it never grew.")


def changes_pronoun(_: None, state: dict[str, Any]) -> Verdict:
    plain, yours = (likely[-1] for likely in stories.edit(**state).likely)
    if plain != "he":
        return Verdict(False, f"Untouched, the model expects “{plain}” at the end of your text. Use a story about a boy.")
    if yours == "she":
        return Verdict(True, "Yes: he became she, and you touched one number a step.")
    return Verdict(
        False,
        f"The model still expects “{yours}”. Units stand in the order of how well they follow she/he: which place did you choose?",
    )


def copies(given: str, _: State) -> Verdict:
    """Tries the answer on an LSTM whose input wants to overwrite the cell."""
    i, f = (float(part[-1]) for part in given.split(", "))
    cell = hand.cell_with("LSTM", W_xh=[[1.0]] * 4, W_hh=[[0.0]] * 4, b_h=[0.0] * 4)
    tap = hand.Tap({"i": lambda v, _: v * 0 + i, "f": lambda v, _: v * 0 + f})
    before = torch.tensor([0.7]).double()
    _, after = cell.step(torch.ones(1).double(), (torch.zeros(1).double(), before), tap)
    if torch.equal(before, after):
        return Verdict(True, "Yes: cell_t = 1 · cell_{t−1} + 0 · g_t, the same number, however long.")
    return Verdict(False, f"A cell of 0.70 became {after.item():.2f}. Read the line for cell_t: what multiplies the old cell?")


CHECK_YOURSELF = (
    number(
        "count",
        "How many numbers does a vanilla cell with m = 4 units and P = 3 features have to learn: W_hh, W_xh and b_h together?",
        parameters,
        "Shapes are m × m, m × P and m × 1.",
        "And the number of steps plays no part.",
    ),
    number(
        "by-hand",
        "One unit: W_hh = 0.5, W_xh = 1, b_h = 0.1, h₀ = 0.8, x₁ = 0.5. What is h₁? (two decimals)",
        one_step,
        "Add three terms, then take tanh. Or set it up in the tab One cell with m = 1.",
        "0.5 · 0.8 from memory, 0.5 from the input, 0.1 of bias, and tanh of the sum.",
        experiment="cell",
    ),
    Exercise(
        "blink",
        "In One cell, make a unit of h change its sign at every step, with no input after the first.",
        alternates,
        "A memory that comes back with the other sign needs a negative weight, and one strong enough to last.",
        experiment="cell",
    ),
    Exercise(
        "survive",
        "In An echo, set λ so that after 20 steps at least half of the pulse is left, and it never grows.",
        survives,
        "The size of a linear echo is |λ| to the power t. Try the linear cell first, then explain why the vanilla one is harder.",
        experiment="memory",
    ),
    number(
        "one-percent",
        "Every step multiplies a gradient by 0.9. After how many steps is less than 1 % left?",
        steps_to_one_percent,
        "0.9 to the power n must be below 0.01. In An echo, the linear cell with λ = 0.9 shows it on the log axis.",
        "That is a short text: this is why long sentences are hard.",
        WHOLE,
        "memory",
    ),
    Exercise(
        "copy",
        "Which gates make an LSTM’s cell carry a number on unchanged, whatever comes in?",
        copies,
        "cell_t = f · cell_{t−1} + i · g_t.",
        one_of("Gates", ("i = 1, f = 1", "i = 1, f = 0", "i = 0, f = 1", "i = 0, f = 0")),
    ),
    Exercise(
        "pronoun",
        "In What if?, find a text after which the model expects “he”, and turn it into “she” by changing a single unit.",
        changes_pronoun,
        "The first unit in the order follows she/he best. Change it at the name or later.",
        experiment="edit",
    ),
)
