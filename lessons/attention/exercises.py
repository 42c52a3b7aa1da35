"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

import math

import numpy as np
import torch

from lessons.attention.compute import align, caveat, others, readers, shortcut, solved, steer, step, unordered
from lessons.attention.compute.wirings import WIRINGS
from lessons.kit.checkpoints import load_model, original_run, read_source
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE, guess, nearest, number, one_of
from lessons.kit.pictures.numbers import scientific
from lessons.kit.references import known_pairs
from models.attention import attend
from models.metrics import aer, one_link_each
from models.tasks.translation.lexicon import ADJECTIVES

PIE = "he hit me with a pie ."
AREA = "the agreement on the european economic area was signed in august 1992 ."


# ---- one guess for each experiment ----

LEADS = ("about 1", "about 6", "about 20")


def best_two() -> tuple[np.ndarray, np.ndarray]:
    """The two highest scores of the step that writes “entarté”, and their weights."""
    run = step.step(PIE, "query after", 4, 1)
    first = np.argsort(-run.scores)[:2]
    return run.scores[first], run.weights[first]


def lead() -> float:
    (first, second), _ = best_two()
    return float(first - second)


ahead = guess(
    "ahead",
    "At the start “hit” gets almost all the weight. How far is its score ahead of the next best?",
    {
        "about 1": lambda: (
            f"One point makes a weight {math.e:.1f} times as large. Here it is"
            f" {np.divide(*best_two()[1]):.0f} times as large."
        ),
        "about 6": lambda: (
            f"It is {lead():.2f} ahead, and exp of that is {math.exp(lead()):.0f}: so many times the weight"
            " of the next. A small lead is enough."
        ),
        "about 20": lambda: (
            f"That would leave the next word two billionths. It has {best_two()[1][1]:.3f}: open “How did"
            " “hit” get …” below."
        ),
    },
    lambda: min(LEADS, key=lambda option: abs(float(option.removeprefix("about ")) - lead())),
    "Softmax: each point of lead multiplies by about 2.7. How often must you multiply to get from 0.003 to"
    " almost 1?",
    covers=("scores",),
)

SHAPES = ("down to the right", "down to the left", "spread out")
TURNED = ("zone", "économique", "européenne")


def shape_of_three() -> str:
    run = align.align(AREA, "additive")
    rows = [run.weights[run.target.index(word)] for word in TURNED]
    if min(row.max() for row in rows) < 0.5:
        return SHAPES[2]
    first, *_, last = (row.argmax() for row in rows)
    return SHAPES[0] if last > first else SHAPES[1]


shape = guess(
    "shape",
    "The map has a row for each French word, dark where it looks. What do the rows of “zone économique"
    " européenne” look like?",
    {
        "down to the right": (
            "Most rows do: most words keep their order. These three turn theirs round, as the dashed cells"
            " say."
        ),
        "down to the left": (
            "French says area, economic, european: each next word looks one place further back."
        ),
        "spread out": (
            "Each of the three has one word it comes from, and gives it most of its weight: one dark cell in"
            " each row."
        ),
    },
    shape_of_three,
    "Read both sentences. Which English word would you look at to write the first of the three, and which for"
    " the last?",
    covers=("alignment", "on_gold"),
)

FATES = ("it stays the same", "it loses économique", "it falls apart")


def steered() -> steer.Steered:
    row = tuple(float(word == "european") for word in AREA.split())
    return steer.steer(AREA, "query after", 6, ((6, row),))


def fate() -> str:
    run = steered()
    if not (run.lost or run.new):
        return FATES[0]
    return FATES[1] if not run.new and [run.plain[n] for n in run.lost] == ["économique"] else FATES[2]


steering = guess(
    "steering",
    "Step 6 is about to write “économique”. You move all its weight to “european”. What happens to the"
    " sentence?",
    {
        "it stays the same": (
            "The word is made from c₆, and c₆ from what the step looks at. Drag, and watch the next word"
            " change."
        ),
        "it loses économique": lambda: (
            f"c₆ becomes the state of “european”, so step 6 writes “{steered().yours[5]}” at once; no later"
            " step goes back for “economic”. Drag, and read both lines."
        ),
        "it falls apart": (
            "Only one step was moved. Later ones look where they want. Drag, and read both lines."
        ),
    },
    fate,
    "The other steps stay free. What would you write at step 6 if you saw “european”, and what would you say"
    " next?",
)

SHARES = ("0.1", "0.5", "0.9")


def right_by_length(bucket: int) -> np.ndarray:
    """(2,) without attention, with it: the share of sentences that are exactly right, in this bucket of lengths."""
    return np.array([seeds[:, bucket].mean() for seeds in solved.solved(20, 1, "32", "4,000").exact])


def up_to_twenty() -> np.ndarray:
    return right_by_length(int(np.flatnonzero(solved.solved(20, 1, "32", "4,000").lengths[:, 0] <= 20)[-1]))


with_attention = guess(
    "with-attention",
    "c of 32 numbers, 4,000 steps, 17 to 20 words: few sentences come out right. What share does with"
    " attention, trained as long?",
    {
        "0.1": lambda: (
            f"That would be nearly as bad as without ({up_to_twenty()[0]:.2f}). Find the attention line at 20"
            " words."
        ),
        "0.5": lambda: (
            f"It hardly falls on the way: {right_by_length(0)[1]:.2f} for the shortest, still"
            f" {up_to_twenty()[1]:.2f} at 20 words."
        ),
        "0.9": lambda: (
            f"{up_to_twenty()[1]:.2f}: each step fetches what it needs, so 20 words are hardly harder than 8;"
            " the shaded ones are."
        ),
    },
    lambda: nearest(SHARES, up_to_twenty()[1]),
    "What has to be carried through the whole sentence, if each step may look again?",
    covers=("by_length",),
)

CHANGES = ("only by rounding", "a little", "completely")


def context_change() -> float:
    return float(unordered.unordered(AREA, 3, unordered.SHUFFLES[0], 5).gaps[0].max())


shuffled = guess(
    "shuffled",
    "At the start the states stand in order 3. How much has the context c₅ changed by that?",
    {
        "only by rounding": lambda: (
            "Each state kept its weight, and a sum does not care about the order of its terms; "
            f"{scientific(context_change())} is rounding."
        ),
        "a little": (
            "For that a term of the sum must change. At the start every state took its weight along: no term"
            " is another."
        ),
        "completely": (
            "It would if the words were shuffled before they are read. At the start only finished states"
            " change places."
        ),
    },
    lambda: CHANGES[0] if context_change() < 1e-4 else CHANGES[1] if context_change() < 0.3 else CHANGES[2],
    "Write the context as a sum. Which of its factors knows the place i?",
    covers=("translations", "weights", "change"),
)

WAITS = ("at the", "at agreement", "at the full stop")


def first_look() -> tuple[str, float]:
    """Where the one-way model looks to write the first word, and how strongly."""
    run = readers.readers(AREA, 7, "")
    row = run.both[0].weights[0]
    return run.source[int(row.argmax())], float(row.max())


waits = guess(
    "waits",
    "“the agreement” becomes “l’ accord”. To write “l’” (not “le”, not “la”), where does a decoder look over"
    " one-way states?",
    {
        "at the": (
            "h₁ has read “the” and nothing else. It cannot know which noun will follow, and French needs to."
        ),
        "at agreement": lambda: (
            f"“{first_look()[0]}” gets {first_look()[1]:.2f}: h₂ is the first state that has read both words."
            " See the left map."
        ),
        "at the full stop": (
            "The last state has read all, but much else too. The nearest state that knows enough comes"
            " earlier."
        ),
    },
    lambda: {"the": WAITS[0], "agreement": WAITS[1], ".": WAITS[2]}.get(first_look()[0]),
    "What must you know to choose between le, la and l’? In which state is it for the first time?",
    covers=("one_way_map", "late"),
)

FACTORS = {"10 times": 10, "600 times": 600, "15,000 times": 15_000}


def gradients() -> np.ndarray:
    """(2, T) without attention, with it: at each source word."""
    return shortcut.shortcut(20, shortcut.WEIGHTS[0], 15).now


def times_weaker() -> np.ndarray:
    without, with_it = gradients()
    return with_it / without


weaker = guess(
    "weaker",
    "At the start: 20 words, step 15, nothing learned yet. How much weaker is the gradient to the first word"
    " without attention?",
    {
        "10 times": lambda: (
            f"At the last word it is {times_weaker()[-1]:.0f} times, after the decoder’s steps alone. See the"
            " left end."
        ),
        "600 times": lambda: (
            f"Over the source alone it falls {gradients()[0, -1] / gradients()[0, 0]:,.0f} times; the"
            " decoder’s steps come on top."
        ),
        "15,000 times": lambda: (
            f"About {round(times_weaker()[0], -3):,.0f} times: every step between multiplies by less than"
            " one. Attention needs one."
        ),
    },
    lambda: min(FACTORS, key=lambda option: abs(math.log(FACTORS[option] / times_weaker()[0]))),
    "Count the steps from y₁₅ back to x₁. If each leaves three quarters of a gradient, what is left?",
    covers=("by_word", "to_first"),
)

SURVIVORS = ("1", "7", "15")


def evenly() -> caveat.Moved:
    return caveat.caveat(AREA, 13, caveat.TOWARDS[0], 1.0, 0.05)


def lost_words() -> str:
    run = evenly()
    return ", ".join(f"“{word}”" for word, stays in zip(run.output, run.even, strict=True) if not stays)


even_survivors = guess(
    "even-survivors",
    "Let one step at a time look at all source words alike. How many of the 15 words (with the end mark) are"
    " still written?",
    {
        "1": (
            "A step is not lost without its look: its state knows what was written, and a mean of all states"
            " still tells much."
        ),
        "7": lambda: (
            f"Lost are {lost_words()}. The rest can be told from what stands before, and from the mean of all"
            " states."
        ),
        "15": lambda: (
            f"Some need their look: without it step 13 writes “{evenly().last}” in place of"
            f" “{evenly().word}”."
        ),
    },
    lambda: nearest(SURVIVORS, evenly().even.sum()),
    "Cover a word of the French sentence with your thumb. From which words around it could you tell it?",
    covers=("survives",),
)


# ---- check yourself ----


def by_hand() -> float:
    """The context of the layer that the models use, with the scores given."""
    H = torch.tensor([[1.0], [-1.0], [2.0]])
    return attend(lambda s, keys: torch.tensor([1.0, 0.0, 0.0]), torch.zeros(1), H, H).item()


def weight_by_hand() -> float:
    return torch.softmax(torch.tensor([2.0, 1.0, 0.0]), 0)[0].item()


def stored_numbers() -> float:
    return float(solved.solved(20, 1, "32", "4,000").stored[1])


def counted_aer() -> float:
    pair = known_pairs()[tuple(PIE.split())]
    return aer([one_link_each(pair)], [pair.alignment])


def state_moves(wiring: str) -> bool:
    """Is s_t another when α_t is even? The same words are fed, so only the context can tell."""
    plain = original_run(WIRINGS[wiring], read_source(PIE))
    even = {"weights": lambda weights, t: torch.full_like(weights, 1 / len(weights)) if t == 1 else weights}
    yours = load_model(WIRINGS[wiring]).run(plain.source, plain.output, edits=even)
    return not torch.equal(plain.s[1], yours.s[1])


def nothing_alike() -> float:
    """The divergence of two rows that share no word."""
    return others.divergence(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])).item()


def changed_numbers() -> float:
    """By word 9 of 13, in the states of a two-way reader."""
    run = readers.readers(AREA, 9, "")
    left, right = (run.both[1].halves > 0).sum(1)
    m = load_model(WIRINGS["query after"]).config.width
    return float((left + right) * m // 2)


def reaches_state(given: str, _: State) -> Verdict:
    moves = {wiring for wiring in WIRINGS if state_moves(wiring)}
    right = "both" if len(moves) == 2 else next(iter(moves), "neither")
    if given == right:
        return Verdict(
            True,
            f"Yes, {right}: there cₜ enters the cell. With the query after, it reaches only the output"
            " layer.",
        )
    return Verdict(
        False, "Not that one. In Step by step, open “Who asks?”: where does the purple arrow from cₜ lead?"
    )


FORMS = frozenset(form for adjective in ADJECTIVES.values() for form in (*adjective[1:5], adjective.vowel))


def loses_adjective(_: None, state: State) -> Verdict:
    run = steer.steer(**state)
    lost = tuple(run.plain[n] for n in sorted(run.lost))
    if not FORMS & set(run.plain):
        return Verdict(
            False, "This sentence has no adjective to lose. Take one that has, such as the first suggestion."
        )
    if not run.edited:
        return Verdict(
            False,
            "The attention is still the model’s own. Go to the step that writes an adjective and move its"
            " weights.",
        )
    if len(lost) == 1 and lost[0] in FORMS and not run.new:
        return Verdict(
            True, f"Yes: “{lost[0]}” is gone, and every other word stayed. You never touched a word."
        )
    if not (run.lost or run.new):
        return Verdict(
            False,
            "The sentence is still the same. At which step is the adjective written, and what should that"
            " step see?",
        )
    return Verdict(
        False,
        f"It now reads “{' '.join(run.yours)}”. Lose one adjective and nothing else: what comes after it?",
    )


def stays_when_even(_: None, state: State) -> Verdict:
    run = steer.steer(**state)
    rows = run.your_weights[[n - 1 for n in run.edited]]
    even = int((np.ptp(rows, axis=1) < 0.01).sum()) if len(rows) else 0
    if even < 3:
        return Verdict(False, f"{even} of your steps look at all words alike; make it three or more.")
    if run.lost or run.new:
        return Verdict(
            False,
            f"{even} steps are even, but the sentence changed. Undo one and try another: Explanation? says"
            " which.",
        )
    return Verdict(True, f"Yes: {even} steps look at everything alike, and not one word changed.")


CHECK_YOURSELF = (
    number(
        "softmax",
        "Three source words have the scores 2, 1 and 0. What weight does the first one get? (two decimals)",
        weight_by_hand,
        "e² / (e² + e¹ + e⁰).",
        "And if you add 5 to all three scores, nothing changes.",
    ),
    number(
        "context",
        "Three states of one unit: h = 1, −1, 2. Their scores are 1, 0, 0. What is the context c? (two"
        " decimals)",
        by_hand,
        "First softmax of 1, 0, 0; then the weighted sum of 1, −1, 2.",
        "It lies between the smallest and the largest h: a weighted mean can go nowhere else.",
    ),
    Exercise(
        "wiring",
        "You change the weights of step t. In which wiring can the decoder’s state sₜ at that same step"
        " become another one?",
        reaches_state,
        "Which wiring has cₜ go into the cell that makes sₜ?",
        one_of("Wiring", (*WIRINGS, "both", "neither")),
    ),
    number(
        "aer",
        "“he hit me with a pie .” and its translation have 8 gold links. A model links each of the 5 French"
        " words once, all gold. What is its AER? (two decimals)",
        counted_aer,
        "AER = 1 − 2 · (in both) / (model’s links + gold links).",
        "All it says is right, and still not 0: it says too little.",
        experiment="align",
    ),
    number(
        "stored",
        "An encoder with 128 units has read 20 words. How many numbers can a decoder with attention look at?",
        stored_numbers,
        "Every state is kept, one for each word.",
        "Without attention it would be k, however long the sentence.",
        WHOLE,
        "solved",
    ),
    number(
        "both-sides",
        "A two-way reader of 64 units, half of them for each way, reads 13 words. You change word 9. How many"
        " of its 13 · 64 numbers can change?",
        changed_numbers,
        "From the left, word 9 is known from place 9 on; from the right, from place 9 back. Each half has 32"
        " units.",
        "5 places from the left and 9 from the right, 32 numbers each.",
        WHOLE,
        "readers",
    ),
    number(
        "divergence",
        "One row of weights is 1, 0, another 0, 1. What is their Jensen–Shannon divergence in nats (natural"
        " logarithm, as in “Explanation?”)? (two decimals)",
        nothing_alike,
        "The mean of both rows is ½, ½. Each row has a divergence of 1 · ln(1 / ½) nats from it; take the"
        " mean. In bits it would be 1.",
        "ln 2 nats, or 1 bit: no two rows have a larger divergence.",
        experiment="caveat",
    ),
    Exercise(
        "adjective",
        "In Steer, make the sentence lose one adjective, and nothing else, by moving attention only.",
        loses_adjective,
        "At the step of the adjective, look at what the sentence should say instead: the word whose"
        " translation comes next.",
        experiment="steer",
    ),
    Exercise(
        "unmoved",
        "In Steer, make at least three steps look at all words alike, and leave the sentence exactly as it"
        " was.",
        stays_when_even,
        "The tab Explanation? shows which words survive even attention. Take “even” at those steps.",
        experiment="steer",
    ),
)
