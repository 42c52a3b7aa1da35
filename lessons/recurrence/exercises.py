"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

from collections.abc import Callable
from functools import cache

import numpy as np
import torch

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE, guess, nearest, number, one_of
from lessons.kit.pictures.numbers import compact, small
from lessons.recurrence.compute import hand, jobs, reach, stories
from lessons.recurrence.sentences import AFTER_NAME, HOUSE, LEO, SHORT
from models.rnn import CELLS

# ---- one guess for each experiment ----


def knows_after_forgetting() -> str:
    """Two runs with W_hh = 0 that differ only in x_1: does h_6 differ?"""
    zero, one = [[0.0, 0.0], [0.0, 0.0]], [[1.0], [0.5]]
    cell = hand.cell_with("vanilla", W_hh=zero, W_xh=one, b_h=[0, 0])
    ends = [
        hand.walk(cell, torch.eye(6, 1).double() * first, cell.initial_state()).last("h") for first in (1.0, -1.0)
    ]
    return "nothing" if torch.equal(*ends) else "a little"


forgetting = guess(
    "forgetting",
    "Set all of W_hh to zero. What does h₆ still know of x₁?",
    {
        "nothing": (
            "Try “No memory”: the arrow along time carries zeros, so each h is made from its own input alone."
        ),
        "a little": (
            "x₁ could reach h₆ only along the arrows W_hh, five times; each of them multiplies by zero."
        ),
        "all of it": (
            "The cell is the same at every step, but its memory passes through W_hh, and zero times anything"
            " is zero."
        ),
    },
    knows_after_forgetting,
    "Start at x₁ in the picture and follow the arrows. Which of them lead to h₆?",
)

HALVES = ("2", "7", "20")


def echo() -> hand.MemoryRun:
    return hand.memory(((0.9, 0.0),), "linear", 1.0, 0.0, 60)


def left_after(steps: int) -> str:
    return f"after {steps} steps {echo().size[steps] / echo().size[0]:.2f} of it is left"


half_life = guess(
    "half-life",
    "No tanh, λ = 0.9: after how many steps is half of the pulse gone?",
    {
        "2": lambda: f"One tenth goes at each step: {left_after(2)}. Choose “Inside, real”.",
        "7": lambda: f"0.9 times 0.9 times … shrinks quickly: {left_after(7)}. Choose “Inside, real”.",
        "20": lambda: f"It is much sooner: {left_after(20)}. Choose “Inside, real”.",
    },
    lambda: nearest(HALVES, echo().half_life or 0),
    "How much is left after two steps? After four? Go on from there.",
)
STAYS, FADES, SWITCHES = "it stays on one side", "it fades in a few words", "it changes with every word"


def after_the_name() -> np.ndarray:
    """What the best she/he unit of the GRU holds once the name of the story is read."""
    run = stories.read(LEO, "GRU", "1", "she/he", 1, 1)
    return run.h[0, run.words.index("leo") :, run.units[0] - 1]


def unit_does() -> str:
    h = after_the_name()
    if (np.sign(h) != np.sign(h[0])).sum() > len(h) / 3:
        return SWITCHES
    return STAYS if abs(h[-1]) > np.abs(h).max() / 2 else FADES


next_word = guess(
    "next-word",
    "The best of 128 units follows “she or he”. What will it do after “leo”, to the end of the text?",
    {
        STAYS: lambda: (
            "It says “she” until told otherwise, and turns at the name. From there on it is never nearer to"
            f" zero than {np.abs(after_the_name()).min():.2f}."
        ),
        FADES: lambda: (
            f"At the last word it is still {abs(after_the_name()[-1]):.2f} from zero. A gate can keep a"
            " number."
        ),
        SWITCHES: (
            "Other units do. This one stands for something that does not change with the words in between."
        ),
    },
    unit_does,
    "When will the model need to know about whom the story is, and what happens until then?",
    covers=("text_coloured", "next_words"),
)


def flipped() -> tuple[str, str, float]:
    """The words expected at the end, untouched and with the unit turned over; and how likely the new one is."""
    run = stories.edit(SHORT, "GRU", 1, "flip its sign", 0.0, AFTER_NAME, False)
    plain, yours = (likely[-1] for likely in run.likely)
    return plain, yours, float(run.probabilities[1].max())


def flip_said() -> str:
    plain, yours, _ = flipped()
    return "it stays" if plain == yours else f"{plain} becomes {yours}"


flipping = guess(
    "flipping",
    "One of 128 units is turned over from the word after “mira” on. What happens to the word expected at the"
    " end?",
    {
        "it stays": lambda: (
            f"At “{SHORT.split()[AFTER_NAME - 2]}” the other 127 were as they were, and still the last word"
            " of “yours” is another: to turn this one was enough."
        ),
        "she becomes he": lambda: (
            f"In the bars “{flipped()[1]}” has {flipped()[2]:.2f} now. To change one number was enough."
        ),
        "she becomes the": (
            "The model still wants a person there, as the bars show; only which one has changed."
        ),
    },
    flip_said,
    "The unit is the one that follows she/he best. What would its other sign mean?",
    covers=("expected", "next_words"),
)

ALWAYS, AT_ENDS, NEVER = "all the time", "where a sentence ends", "hardly ever"


def lets_out() -> tuple[float, float]:
    """The mean of o after the name: at full stops, and elsewhere."""
    run = stories.gates(LEO, "LSTM o · lets out", stories.OWN, 1, False, 1)
    words, o = np.array(run.words[5:]), run.values[run.names.index("o"), 5:]
    return float(o[words == "."].mean()), float(o[words != "."].mean())


def output_gate_opens() -> str:
    at_end, elsewhere = lets_out()
    return ALWAYS if min(at_end, elsewhere) > 0.5 else AT_ENDS if at_end > 0.5 else NEVER


output_gate = guess(
    "output-gate",
    "One LSTM unit remembers that it is about a boy. When will its gate o let that out, once the name is"
    " read?",
    {
        ALWAYS: lambda: f"In the row o it is {lets_out()[1]:.2f} on average between full stops: mostly shut.",
        AT_ENDS: lambda: (
            f"In the row o it is {lets_out()[0]:.2f} at full stops, {lets_out()[1]:.2f} elsewhere: “he” may"
            " follow."
        ),
        NEVER: lambda: f"Look at the full stops in the row o: {lets_out()[0]:.2f}. There it opens.",
    },
    output_gate_opens,
    "Which words of a story depend on “he or she”, and where can they stand?",
    covers=("unit_gates", "kept"),
)


@cache
def trained() -> reach.Reach:
    return reach.gradient("GRU", "trained", 1.0, 0.0, reach.LONGEST)


def at_the_end(cell: str) -> Callable[[], str]:
    """From the least to the most of all stories, at the farthest distance."""

    def said() -> str:
        ends = trained().stretch[trained().cells.index(cell), :, -1]
        return (
            f"Trained, it is {small(ends.min())} to {small(ends.max())} there, over {len(ends)} stories."
            f" {CELL_SAID[cell]}"
        )

    return said


CELL_SAID = {
    "vanilla": (
        "Its matrix multiplies at every step, and this training has not mended that: choose “After training”,"
        " then vanilla."
    ),
    "GRU": "This one learned gates that stay open: choose “After training”.",
    "LSTM": (
        "Fresh it was the strongest; this one also learned to forget: choose “After training”, then LSTM."
    ),
}
farthest = guess(
    "farthest",
    "At the start the cells are fresh. After training, whose gradient will be the strongest"
    f" {reach.LONGEST - 1} steps back?",
    {cell: at_the_end(cell) for cell in CELLS},
    lambda: reach.strongest(trained()),
    "A fresh cell has no reason to keep anything. Who can learn to keep, and what must it change for that?",
)

OWN_WORD, NEXT_ENGLISH, TRUE_FRENCH = (
    "the word it has just written",
    "the next English word",
    "the true French word",
)


def read_by_decoder() -> str:
    """What enters a decoder's second step, held against its own first word."""
    run = jobs.roles("decoder", HOUSE, 1)
    return OWN_WORD if run.words[1:] == run.outputs[:-1] else TRUE_FRENCH


states_used = guess(
    "states-used",
    "Here it is an encoder. As a decoder it will translate the sentence: what will it read at step 2?",
    {
        OWN_WORD: lambda: (
            f"Choose “Decoder”: “{jobs.roles('decoder', HOUSE, 1).outputs[0]}” goes back in along the dashed"
            " arrow."
        ),
        NEXT_ENGLISH: (
            "The encoder has read those; choose “Decoder”: of the English only the strip c between them is"
            " handed on."
        ),
        TRUE_FRENCH: (
            "In training it may; here nobody knows it. Choose “Decoder” and follow the dashed arrows."
        ),
    },
    read_by_decoder,
    "When somebody uses a translator, which words are there at that moment?",
)


# ---- check yourself ----


def parameters() -> float:
    cell = hand.cell_with("vanilla", W_hh=np.zeros((4, 4)), W_xh=np.zeros((4, 3)), b_h=np.zeros(4))
    return sum(weight.numel() for weight in cell.parameters())


def one_step() -> float:
    cell = hand.cell_with("vanilla", W_hh=[[0.5]], W_xh=[[1.0]], b_h=[0.1])
    return cell.step(torch.tensor([0.5]).double(), (torch.tensor([0.8]).double(),))[0].item()


def steps_to_one_percent() -> float:
    size = echo().size
    return float(np.argmax(size < 0.01 * size[0]))


def alternates(_: None, state: State) -> Verdict:
    run = hand.cell(**state)
    if np.abs(run.x[1:]).max() > 0:
        return Verdict(False, "Only the first input may be there: set x₂ to x₆ to 0.")
    turns = run.h[1:] * run.h[:-1]  # (5, m)
    blinking = ((turns < 0) & (np.abs(run.h[1:]) > 0.05)).all(0)
    if blinking.any():
        return Verdict(True, f"Yes: unit {int(blinking.argmax()) + 1} changes its sign at every step.")
    return Verdict(
        False,
        "No unit changes its sign at every step yet, or it is too faint. What must a weight do to turn a sign"
        " over?",
    )


def survives(_: None, state: State) -> Verdict:
    run = hand.memory(**{**state, "T": 60})
    left, most = run.size[20] / run.size[0], run.size.max() / run.size[0]
    if most > 1.02:
        return Verdict(
            False,
            f"The echo grew to {compact(most)} times its first size. Where in the plane does no echo grow?",
        )
    if left < 0.5:
        said = (
            f"After 20 steps {compact(left)} of the pulse is left. The reading gives ρ: what is ρ to the"
            " power 20?"
        )
        return Verdict(False, said)
    return Verdict(True, f"Yes: {left:.2f} of the pulse is left after 20 steps, and it never grew.")


def changes_pronoun(_: None, state: State) -> Verdict:
    plain, yours = (likely[-1] for likely in stories.edit(**state).likely)
    if plain != "he":
        return Verdict(
            False, f"Untouched, the model expects “{plain}” at the end of your text. Use a story about a boy."
        )
    if yours == "she":
        return Verdict(True, "Yes: he became she, and you touched one number a step.")
    return Verdict(
        False,
        f"The model still expects “{yours}”. Units stand in the order of how well they follow she/he: which"
        " place did you choose?",
    )


def copies(given: str, state: State) -> Verdict:
    """Tries the answer on an LSTM whose input wants to overwrite the cell."""
    i, f = (float(part[-1]) for part in given.split(", "))
    cell = hand.cell_with("LSTM", W_xh=[[1.0]] * 4, W_hh=[[0.0]] * 4, b_h=[0.0] * 4)
    tap = hand.Tap({"i": lambda v, _: v * 0 + i, "f": lambda v, _: v * 0 + f})
    before = torch.tensor([0.7]).double()
    _h, after = cell.step(torch.ones(1).double(), (torch.zeros(1).double(), before), tap)
    if torch.equal(before, after):
        return Verdict(
            True, "Yes: cellₜ = 1 · cellₜ₋₁ + 0 · gₜ. The number stays the same for any number of steps."
        )
    was, became = (f"{cell.item():.2f}" for cell in (before, after))
    return Verdict(
        False,
        f"A cell state of {was} became {became}. In the equation for cellₜ, which gate multiplies cellₜ₋₁?",
    )


CHECK_YOURSELF = (
    number(
        "count",
        "How many numbers does a vanilla cell with m = 4 units and d = 3 numbers in an input learn: W_hh,"
        " W_xh and b_h together?",
        parameters,
        "Shapes are m × m, m × d and m × 1.",
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
        "A memory that comes back with the other sign needs a negative weight, and one strong enough to"
        " last.",
        experiment="cell",
    ),
    Exercise(
        "survive",
        "In An echo, set λ so that after 20 steps at least half of the pulse is left, and it never grows.",
        survives,
        "The size of a linear echo is |λ| to the power t. Try the linear cell first, then explain why the"
        " vanilla one is harder.",
        experiment="memory",
    ),
    number(
        "one-percent",
        "Every step multiplies a gradient by 0.9. After how many steps is less than 1% left?",
        steps_to_one_percent,
        "0.9 to the power n must be below 0.01. In An echo, the linear cell with λ = 0.9 shows it on the log"
        " axis.",
        "That is a short text: one reason why long ones are hard to learn from.",
        WHOLE,
        "memory",
    ),
    Exercise(
        "copy",
        "Which gates make an LSTM’s cell carry a number on unchanged, whatever comes in?",
        copies,
        "cellₜ = f · cellₜ₋₁ + i · gₜ. Which values of f and i leave cellₜ₋₁ alone?",
        one_of("Gates", ("i = 1, f = 1", "i = 1, f = 0", "i = 0, f = 1", "i = 0, f = 0")),
    ),
    Exercise(
        "pronoun",
        "In What if?, find a text after which the model expects “he”, and turn it into “she” by changing a"
        " single unit.",
        changes_pronoun,
        "The first unit in the order follows she/he best. Change it at the name, or later.",
        experiment="edit",
    ),
)
