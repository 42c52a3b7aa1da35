"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

from typing import Any

import numpy as np

from lessons.bottleneck.compute import measured, sentences, vector
from lessons.bottleneck.compute.common import TEACHERS, TRANSLATOR, figures
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE, guess, number, one_of
from lessons.kit.pictures.numbers import signed
from lessons.kit.translators import TRANSLATION, card_of, said, source_of
from models.vocabulary import SPECIAL

HOUSE = "the beautiful house was bought ."
CANDIDATES = ("la belle maison a été achetée .", "la belle maison", "la maison belle a été achetée .")
SHORTEST = 3  # words, the full stop included: no sentence of the task is shorter, and at this length there are solutions


# ---- one guess for each experiment ----


def numbers_for(words: int) -> str:
    """How many numbers pass from encoder to decoder for a sentence of so many words."""
    text = " ".join(["the"] * (words - 1) + ["."])
    return str(len(sentences.translate("English → French", text, 1).c))


handed_over = guess(
    "handed-over",
    "A sentence of 6 words is handed over as 128 numbers. How many numbers for a sentence of 20 words?",
    ("128", "427", "2560"),
    lambda: numbers_for(20),
    "Type a longer sentence and count: c has the same size whatever went into it.",
)


def breaks_at() -> str:
    run = sentences.score(HOUSE, "le belle maison a été achetée .")
    return run.candidate[int(run.factors.argmin())]


where_it_breaks = guess(
    "where-it-breaks",
    "“le belle maison a été achetée .” has one wrong word. Which factor is the smallest?",
    ("le", "belle", "maison", "achetée"),
    breaks_at,
    "Try “One wrong gender”. Each word is judged after the words before it, right or wrong.",
)


def wakes() -> tuple[int, int]:
    run = sentences.forcing(HOUSE, sentences.FED[0], 1, "le")
    return tuple(sum(place > 0 for place in places) for places in run.changed)


def recovers() -> str:
    free, taught = wakes()
    return "free running" if free < taught else "teacher forcing" if taught < free else "both the same"


who_recovers = guess(
    "who-recovers",
    "Its first word is forced to be “le” instead of “la”. Which way of feeding it changes fewer of the later words?",
    ("free running", "teacher forcing", "both the same"),
    recovers,
    "Count the marked words in the two lines called yours.",
)
best_wiring = guess(
    "best-wiring",
    "Which wiring translates most test sentences exactly?",
    measured.WIRINGS,
    lambda: max(measured.WIRINGS, key=lambda wiring: figures(measured.WIRINGS[wiring])["natural"]["exact_match"]),
    "The reading compares them over 1000 test sentences, and says how much is luck.",
)
SHARES = ("about 90 %", "about 50 %", "under 30 %")


def long_ones() -> str:
    """Exact match of one vector of 128 on the longest bucket that was trained."""
    run = measured.curve(HOUSE, "128", "GRU", "exact match")
    last = next(n for n, (_, high) in enumerate(run.buckets) if high == run.trained[1])
    share = run.one_vector["128"].mean[last]
    return SHARES[0] if share > 0.7 else SHARES[1] if share > 0.3 else SHARES[2]


long_sentences = guess(
    "long-sentences",
    "One vector of 128 numbers gets nearly all sentences of 3 to 8 words right. How many of 17 to 20 words, still within training?",
    SHARES,
    long_ones,
    "Follow the purple line with the band to just before the shade.",
)


def transplanted() -> str:
    run = vector.surgery(HOUSE, "the match was a piece of cake .", 1.0, 1.0, 0.0, 1, 0)
    return "of the house" if run.yours == run.plain else "of the match" if run.yours == run.donor else "of both"


whose_words = guess(
    "whose-words",
    "It reads about the house, but c comes from the sentence about the match. What will the translation speak of?",
    ("of the house", "of the match", "of both"),
    transplanted,
    "Pull the transplant to 1 and compare the lines yours and second says.",
)


def best_recovered() -> str:
    rows = figures("probe-none-128-s0")["by_length"][-1]["by_position"]  # the longest sentences trained on
    third = len(rows) // 3
    parts = {
        name: np.mean([row["accuracy"] for row in part])
        for name, part in zip(PLACES, (rows[:third], rows[third : 2 * third], rows[2 * third :]), strict=True)
    }
    return max(parts, key=parts.get)


PLACES = ("the first words", "the middle words", "the last words")
first_or_last = guess(
    "first-or-last",
    "In sentences of 17 to 20 words, which words can be read back from c most often?",
    PLACES,
    best_recovered,
    "Look at the line for 17–20 words in the last picture.",
)


def encoder_is_told() -> str:
    run = vector.endtoend(HOUSE, 0, "trained")
    return "yes, every one" if (run.trained > 0).all() else "only the last" if run.trained[-1] > 0 else "no"


encoder_learns = guess(
    "encoder-learns",
    "The loss is measured on French words only. Does a gradient of it reach the states that read English?",
    ("yes, every one", "only the last", "no"),
    encoder_is_told,
    "Look at the blue strips: their colours are gradients, and none is quite empty.",
)


# ---- check yourself ----


def product_of_four() -> float:
    return float(np.exp(np.log([0.9, 0.5, 0.8, 1.0]).sum()))


ENGLISH = len(TRANSLATION.source) - len(SPECIAL)  # words a sentence can have


def bits() -> float:
    """Of one word among all source words."""
    return float(np.log2(ENGLISH))


def half_exact() -> float:
    """The longest bucket in which one vector of 128 still gets at least half exactly right: its last length."""
    run = measured.curve(HOUSE, "128", "GRU", "exact match")
    return max(high for (_, high), share in zip(run.buckets, run.one_vector["128"].mean, strict=True) if share >= 0.5)


def second_best(_: None, state: dict[str, Any]) -> Verdict:
    run = sentences.score(**state)
    own, yours = run.log_p
    if run.own == run.candidate:
        return Verdict(False, "That is its own output. Change at least one word.")
    if own - yours <= 3:
        return Verdict(True, f"Yes: log P is {signed(yours)}, of its own output {signed(own)}. It has more than one answer.")
    n = int(run.factors.argmin())
    return Verdict(
        False,
        f"Yours is e^{own - yours:.1f} times less probable. The factor that costs most is “{run.candidate[n]}”: "
        f"after the words before it the model wanted “{run.preferred[n]}”.",
    )


def unneeded(_: None, state: dict[str, Any]) -> Verdict:
    run = vector.surgery(**state)
    if run.zeroed < 32:
        return Verdict(False, f"{run.zeroed} units are zero. At least 32 must be.")
    if run.blend or run.noise or run.scale != 1:
        return Verdict(False, "Only zeros this time: no transplant, no noise, scale 1.")
    if run.yours != run.plain:
        return Verdict(False, f"{len(run.changed)} words of the output are new. Which sentences need less of c?")
    return Verdict(True, f"Yes: {run.zeroed} of {run.c.shape[1]} numbers gone, and not a word has changed.")


def shortest(_: None, state: dict[str, Any]) -> Verdict:
    """The sentence of the live state through both models of width 32; right is what three teachers agree on."""
    source = source_of(state["text"], "text")
    if len(source) > SHORTEST:
        return Verdict(False, f"That has {len(source)} words, the full stop counted. There are sentences with {SHORTEST}.")
    if len(source) < SHORTEST:
        return Verdict(False, f"The models learned sentences of {SHORTEST} words and more, the full stop counted.")
    answers = {said(name, source) for name in TEACHERS}
    if len(answers) > 1:
        return Verdict(False, "Three models with attention cannot agree on its translation. Try an easier one.")
    (right,) = answers
    one, many = (said(f"translation-{kind}-32-s0", source) for kind in measured.KINDS.values())
    heard = f"One vector says “{' '.join(one)}”, attention “{' '.join(many)}”, right is “{' '.join(right)}”."
    if many != right:
        return Verdict(False, f"Attention gets it wrong too. {heard}")
    if one == right:
        return Verdict(False, f"Both get it right. {heard} Try another subject or verb.")
    return Verdict(True, f"Yes, and none is shorter. {heard}")


def same_vector(given: str, _: State) -> Verdict:
    """The transplant, tried on the model."""
    right = transplanted()
    option = {"of the house": "from x, through attention", "of the match": "from c alone", "of both": "from both"}[right]
    if given == option:
        return Verdict(True, "Yes: with another c it says what the other sentence says, whatever was read.")
    return Verdict(False, "Try a full transplant in Surgery: the source is still read, but does it matter?")


def equal_cost() -> float:
    return float(card_of(TRANSLATOR).config["width"] * 20)


CHECK_YOURSELF = (
    number(
        "product",
        "Four factors: 0.9, 0.5, 0.8 and 1.0. What is P(y|x)?",
        product_of_four,
        "A product, not a mean: one small factor makes all of it small.",
        "The weakest word decides, and no later word can make it good.",
        0.005,
        "score",
    ),
    Exercise(
        "from-where",
        "Without attention, where does the decoder have its knowledge of the source from?",
        same_vector,
        "A full transplant in Surgery decides it.",
        one_of("From where?", ("from c alone", "from x, through attention", "from both")),
        "surgery",
    ),
    number(
        "bits",
        f"Our English has {ENGLISH} words. How many bits does it take to name one of them? (one decimal)",
        bits,
        "The logarithm to base 2 of the number of words.",
        "Twenty words need twenty times as much; c stays the same size.",
        0.06,
        "translate",
    ),
    number(
        "half",
        "One vector of 128 numbers gets at least half of the sentences exactly right up to which length? (upper end of the bucket)",
        half_exact,
        "In The bottleneck, choose 128 and exact match, and find the last point that is still above 0.5.",
        "Everything longer is mostly lost, although the model was trained up to 20 words.",
        WHOLE,
        "curve",
    ),
    number(
        "all-states",
        "If the decoder could look at all the states of a sentence of 20 words, how many numbers would it have? (m = 128)",
        equal_cost,
        "One state of m numbers for each word.",
        "Memory that grows with the sentence: this is what attention uses, in the next lesson.",
        WHOLE,
        "translate",
    ),
    Exercise(
        "second-best",
        "In Score any output, for any source: find another candidate, at most e³ (about 20) times less probable than its own.",
        second_best,
        "Take a long source, where the model is unsure. In Read, then write the bars show what came second at each step.",
        experiment="score",
    ),
    Exercise(
        "unneeded",
        "In Surgery, set at least 32 units to zero without changing a word of the output, and nothing else.",
        unneeded,
        "Set the transplant to 0 first. Which sentences need the least of c?",
        experiment="surgery",
    ),
    Exercise(
        "shortest",
        "In The bottleneck, type the shortest sentence that one vector of width 32 gets wrong and attention of width 32 right.",
        shortest,
        "Choose width 32 and try short ones: somebody does something, and a full stop.",
        experiment="curve",
    ),
)
