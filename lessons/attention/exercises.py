"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

import math
from typing import Any

import numpy as np
import torch

from lessons.attention.compute import caveat, shortcut, solved, steer, step, unordered
from lessons.attention.compute.wirings import WIRINGS
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE, guess, nearest, number, one_of
from lessons.kit.translators import model_of, source_of, untouched
from lessons.kit.truth import pair_of
from models.attention import attend
from models.metrics import aer, one_link_each
from models.tasks.translation.lexicon import ADJECTIVES

PIE = "he hit me with a pie ."
AREA = "the agreement on the european economic area was signed in august 1992 ."


# ---- one guess for each experiment ----


def most_seen() -> str:
    run = step.step(PIE, "query after", 4, 1)
    return run.source[int(run.weights.argmax())]


looks_at = guess(
    "looks-at",
    "“he hit me with a pie” becomes “il m’ a entarté”. When it writes “entarté”, which English word gets most of the weight?",
    ("he", "hit", "with", "pie"),
    most_seen,
    "At step 4 the longest green bar and the thickest curve say it.",
)


def best_possible() -> str:
    pair = pair_of(tuple(PIE.split()))
    return "yes" if aer([one_link_each(pair)], [pair.alignment]) == 0 else "no"


one_link = guess(
    "one-link",
    "The gold alignment links “entarté” to four English words; we count one link for each French word, its strongest look. "
    "Can the AER of “he hit me with a pie” be 0?",
    ("yes", "no"),
    best_possible,
    "Choose “Many to one” and count the dashed cells that no strongest look can reach.",
)

FATES = ("it stays the same", "it loses économique", "it falls apart")


def fate() -> str:
    row = tuple(float(word == "european") for word in AREA.split())
    run = steer.steer(AREA, "query after", 6, ((6, row),))
    if not (run.lost or run.new):
        return FATES[0]
    return FATES[1] if not run.new and [run.plain[n] for n in run.lost] == ["économique"] else FATES[2]


steering = guess(
    "steering",
    "At step 6 the model is about to write “économique”. You move all its weight to “european”. What happens to the sentence?",
    FATES,
    fate,
    "Try it: step 6, drag “european” to 1, and read the two lines.",
)

SHARES = ("0.1", "0.5", "0.9")


def right_at_twenty() -> str:
    run = solved.solved(20, 1, "64")
    return nearest(SHARES, run.exact[1, :, int(np.flatnonzero(run.lengths[:, 0] <= 20)[-1])].mean())


with_attention = guess(
    "with-attention",
    "64 units, sentences of 17 to 20 words: without attention almost none comes out right. What share does with attention?",
    SHARES,
    right_at_twenty,
    "Look at the green line at 20 words.",
)

CHANGES = ("only by rounding", "a little", "completely")


def context_change() -> str:
    run = unordered.unordered(AREA, 3, unordered.SHUFFLES[0], 5)
    gap = run.gaps[0].max()
    return CHANGES[0] if gap < 1e-4 else CHANGES[1] if gap < 0.3 else CHANGES[2]


shuffled = guess(
    "shuffled",
    "You shuffle the encoder’s states before the decoder looks at them. How much does the context c₅ change?",
    CHANGES,
    context_change,
    "A sum does not care about the order of its terms. The reading says how large the change is.",
)

FACTORS = ("10", "1000", "100000")


def times_weaker() -> str:
    without, with_it = shortcut.shortcut(20, shortcut.WEIGHTS[0], 99).now[:, 0]
    return min(FACTORS, key=lambda option: abs(math.log(float(option)) - math.log(with_it / without)))


weaker = guess(
    "weaker",
    "A sentence of 20 words, before training, the last step: about how many times weaker is the gradient to the first word without "
    "attention?",
    FACTORS,
    times_weaker,
    "Go to the last step and compare the two lines at the left end.",
)

SURVIVORS = ("1", "9", "15")
even_survivors = guess(
    "even-survivors",
    "This sentence has 15 words with its end mark. Suppose one step at a time looks at all source words alike. "
    "How many of the 15 are still written?",
    SURVIVORS,
    lambda: nearest(SURVIVORS, caveat.caveat(AREA, 1, caveat.TOWARDS[0], 1.0).even.sum()),
    "The lower line of words shows which ones survive.",
)


# ---- check yourself ----


def by_hand() -> float:
    """The context of the layer that the models use, with the scores given."""
    H = torch.tensor([[1.0], [-1.0], [2.0]])
    return attend(lambda s, keys: torch.tensor([1.0, 0.0, 0.0]), torch.zeros(1), H, H).item()


def weight_by_hand() -> float:
    return torch.softmax(torch.tensor([2.0, 1.0, 0.0]), 0)[0].item()


def stored_numbers() -> float:
    return float(solved.solved(20, 1, "64").stored[1])


def counted_aer() -> float:
    pair = pair_of(tuple(PIE.split()))
    return aer([one_link_each(pair)], [pair.alignment])


def state_moves(wiring: str) -> bool:
    """Is s_t another when α_t is even? The same words are fed, so only the context can tell."""
    plain = untouched(WIRINGS[wiring], source_of(PIE))
    even = {"weights": lambda weights, t: torch.full_like(weights, 1 / len(weights)) if t == 1 else weights}
    yours = model_of(WIRINGS[wiring]).run(plain.source, plain.output, edits=even)
    return not torch.equal(plain.s[1], yours.s[1])


def reaches_state(given: str, _: State) -> Verdict:
    moves = {wiring for wiring in WIRINGS if state_moves(wiring)}
    right = "both" if len(moves) == 2 else next(iter(moves), "neither")
    if given == right:
        return Verdict(True, f"Yes, {right}: there cₜ enters the cell. With the query after, it reaches only the output layer.")
    return Verdict(False, "Not that one. In Step by step, look at the wiring: where does the purple arrow from cₜ lead?")


FORMS = frozenset(form for adjective in ADJECTIVES.values() for form in (*adjective[1:5], adjective.vowel))


def loses_adjective(_: None, state: dict[str, Any]) -> Verdict:
    run = steer.steer(**state)
    lost = tuple(run.plain[n] for n in sorted(run.lost))
    if not FORMS & set(run.plain):
        return Verdict(False, "This sentence has no adjective to lose. Take one that has, such as the first suggestion.")
    if not run.edited:
        return Verdict(
            False, "The attention is still the model’s own. Go to the step that writes an adjective and move its weights."
        )
    if len(lost) == 1 and lost[0] in FORMS and not run.new:
        return Verdict(True, f"Yes: “{lost[0]}” is gone, and every other word stayed. You never touched a word.")
    if not (run.lost or run.new):
        return Verdict(
            False, "The sentence is still the same. At which step is the adjective written, and what should that step see?"
        )
    return Verdict(False, f"It now reads “{' '.join(run.yours)}”. Lose one adjective and nothing else: what comes after it?")


def stays_when_even(_: None, state: dict[str, Any]) -> Verdict:
    run = steer.steer(**state)
    rows = run.your_weights[[n - 1 for n in run.edited]]
    even = int((np.ptp(rows, axis=1) < 0.01).sum()) if len(rows) else 0
    if even < 3:
        return Verdict(False, f"{even} of your steps look at all words alike; make it three or more.")
    if run.lost or run.new:
        return Verdict(
            False, f"{even} steps are even, but the sentence changed. Undo one and try another: Not an explanation says which."
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
        "Three states of one unit: h = 1, −1, 2. Their scores are 1, 0, 0. What is the context c? (two decimals)",
        by_hand,
        "First softmax of 1, 0, 0; then the weighted sum of 1, −1, 2.",
        "It lies between the smallest and the largest h: a weighted mean can go nowhere else.",
    ),
    Exercise(
        "wiring",
        "You change the weights of step t. In which wiring can the decoder’s state sₜ at that same step become another one?",
        reaches_state,
        "Which wiring has cₜ go into the cell that makes sₜ?",
        one_of("Wiring", (*WIRINGS, "both", "neither")),
    ),
    number(
        "aer",
        "“he hit me with a pie .” and its translation have 8 gold links. A model links each of the 5 French words once, all gold. "
        "What is its AER? (two decimals)",
        counted_aer,
        "AER = 1 − 2 · (in both) / (model’s links + gold links).",
        "All it says is right, and still not 0: it says too little.",
        experiment="align",
    ),
    number(
        "stored",
        "An encoder with 64 units has read 20 words. How many numbers can a decoder with attention look at?",
        stored_numbers,
        "Every state is kept, one for each word.",
        "Without attention it would be 64, however long the sentence.",
        WHOLE,
        "solved",
    ),
    Exercise(
        "adjective",
        "In Steer, make the sentence lose one adjective, and nothing else, by moving attention only.",
        loses_adjective,
        "At the step of the adjective, look at what the sentence should say instead: the word whose translation comes next.",
        experiment="steer",
    ),
    Exercise(
        "unmoved",
        "In Steer, make at least three steps look at all words alike, and leave the sentence exactly as it was.",
        stays_when_even,
        "The tab Not an explanation shows which words survive even attention. Take “even” at those steps.",
        experiment="steer",
    ),
)
