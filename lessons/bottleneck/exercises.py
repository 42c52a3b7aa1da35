"""Guesses before the hand moves, and "Check yourself". Every right answer is computed here, none is typed in."""

import numpy as np

from lessons.bottleneck.compute import depth, measured, sentences, vector
from lessons.bottleneck.compute.common import TEACHERS, TRANSLATOR, ahead_of_all, of_size
from lessons.bottleneck.examples import CAR, GENDER, HOUSE, MARKET, MATCH
from lessons.bottleneck.views.score import times
from lessons.kit.checkpoints import TRANSLATION, load_card, longest_common_budget, read_source, translate
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE, guess, number, one_of
from lessons.kit.pictures.numbers import compact, seeds, short, signed
from models.vocabulary import SPECIAL

SHORTEST = 3  # words, the full stop included: no sentence of the task is shorter, and at this length there are solutions


# ---- one guess for each experiment ----


def numbers_for(words: int) -> str:
    """How many numbers pass from encoder to decoder for a sentence of so many words."""
    text = " ".join(["the"] * (words - 1) + ["."])
    return str(len(sentences.translate("English → French", text, 1).c))


handed_over = guess(
    "handed-over",
    "At the start, 6 words are handed over as 128 numbers. How many would 20 words be?",
    {
        "128": "c is one state, and a state has the same size whatever was read: type more words and count.",
        "427": (
            "That would be the same share for each word. But c was as long as this before the first word was"
            " read."
        ),
        "2560": (
            "That is a state for each of 20 words. They are made, the faint strips below, but only the last"
            " is handed over."
        ),
    },
    lambda: numbers_for(20),
    "Follow the purple arrow back: what exactly is it that goes up?",
)


def later_factors() -> np.ndarray:
    """Of the words after the wrong one."""
    return sentences.score(HOUSE, GENDER).factors[1:]


def paying() -> str:
    count = int((later_factors() < 0.5).sum())
    return "none of them" if not count else "one or two" if count <= 2 else "nearly all"


def smallest_later() -> str:
    run = sentences.score(HOUSE, GENDER)
    n = 1 + int(run.factors[1:].argmin())
    return (
        f"“{run.candidate[n]}” falls to {compact(run.factors[n])}: after “{run.candidate[n - 1]}” it wanted"
        f" “{run.preferred[n]}”"
    )


who_pays = guess(
    "who-pays",
    "At the start only “le” is wrong. How many of the words after it lose more than half of their"
    " probability?",
    {
        "none of them": lambda: (
            f"Each word is judged after the words before it, and “le” stands before them: {smallest_later()}."
        ),
        "one or two": lambda: f"{smallest_later()}. Further on the bars are tall again.",
        "nearly all": lambda: (
            f"Only where “le” matters for the next word: {(later_factors() >= 0.5).sum()} of the "
            f"{len(later_factors())} bars after it are tall."
        ),
    },
    paying,
    "Which of the words after an article must agree with it, and which do not care?",
    covers=("factors", "log_sum"),
)


def taught_wake() -> str:
    """Words after the forced one that are different when the teacher's words are read."""
    free, taught = (max(wake) for wake in sentences.forcing(MARKET, sentences.FED[1], 3, "ils").wake)
    return "none" if not taught else "fewer" if taught < free else "as many"


who_recovers = guess(
    "who-recovers",
    "At the start “ils” drags later words along. If each step read the teacher’s word instead, how many later"
    " words would change?",
    {
        "as many": (
            "The mistake would have to travel. In the last line step 4 has read “elle”, as the teacher says,"
            " not “ils”."
        ),
        "fewer": "Nothing of “ils” gets in at all: in the last line no word after it is marked.",
        "none": (
            "In the last line only “ils” itself is marked. So in training the decoder never meets its own"
            " mistakes."
        ),
    },
    taught_wake,
    "By which way does a word that was said reach the next step? Follow the dashed arrows.",
    covers=("side_by_side",),
)


def wired() -> measured.Wired:
    return measured.inject(HOUSE, "first state", "exact match")


def share_of(wiring: str) -> str:
    values = wired().natural[wiring]
    return f"it gets {values.mean():.2f} exactly right, with {seeds(len(values))}"


best_wiring = guess(
    "best-wiring",
    "Which wiring translates most test sentences exactly?",
    {
        "first state": lambda: (
            f"Used once, c must be remembered while the decoder writes: {share_of('first state')}."
        ),
        "every step": lambda: (
            f"It is told c again at each step: {share_of('every step')}. The table says what else differs."
        ),
        "one RNN": lambda: (
            f"The same weights read English and write French: {share_of('one RNN')}, and the fewest"
            " parameters."
        ),
    },
    lambda: wired().best,
    "Who has to remember what, and for how long, while the sentence is written?",
    covers=("by_length", "fair"),
)


def at_start() -> measured.Curve:
    return measured.curve(HOUSE, measured.CODE, measured.EARLY, "exact match")


SEEDED = (  # steps: the longest that every seed of the largest c was trained for
    f"{longest_common_budget(*of_size(measured.CONTEXT_DIMS[-1])):,}"
)


def seeded() -> measured.Curve:
    return measured.curve(HOUSE, measured.CONTEXT_DIMS[-1], SEEDED, "exact match")


def before_and_after(run: measured.Curve) -> list[float]:
    """The share that the c at the start gets right, over natural lengths, early and late."""
    return [
        float(run.by_steps[run.code].mean[list(measured.STEPS).index(steps)])
        for steps in (measured.EARLY, measured.LATE)
    ]


MOVED = (
    "no, it stays",
    "yes, but attention at its shortest stays ahead",
    "yes, and it passes attention at its shortest",
)


def trained_on() -> str:
    """What four times the training does for the c at the start: beside luck of a few hundredths, a tenth is a move."""
    run = at_start()
    before, late = before_and_after(run)
    if late - before < 0.1:
        return MOVED[0]
    return MOVED[1] if late < run.attention_by_steps.mean[0] else MOVED[2]


def by_training() -> str:
    run = at_start()
    before, late = before_and_after(run)
    counts = [
        seeds(int(run.by_steps[run.code].seeds[list(measured.STEPS).index(s)]))
        for s in (measured.EARLY, measured.LATE)
    ]
    return (
        f"On natural lengths k = {run.code} gets {before:.2f} after {measured.EARLY} steps ({counts[0]}) and"
        f" {late:.2f} after {measured.LATE} ({counts[1]}). Attention gets"
        f" {run.attention_by_steps.mean[0]:.2f} after {run.budgets[0]:,}."
    )


long_sentences = guess(
    "long-sentences",
    f"After {measured.EARLY} steps a c of {measured.CODE} numbers fails on long sentences. "
    "Does the cliff move with four times the training?",
    {
        MOVED[0]: lambda: f"Follow its line in the right picture. {by_training()}",
        MOVED[1]: lambda: f"{by_training()} So some of the cliff was training, and some is c.",
        MOVED[2]: lambda: f"Compare the ends of the two lines. {by_training()}",
    },
    trained_on,
    "Is a bag too small if things fall out of it, or was it only packed badly?",
    covers=("curves", "budgets", "table", "learning", "still", "outputs", "paper_and_ours", "orders"),
)


LAYERS = {"one": depth.ONE, "two": "GRU, 2 layers"}
LUCK = "neither: seeds differ more"


def layered(count: str) -> str:
    build = depth.depth(depth.ONE, "exact match").builds[LAYERS[count]]
    spread = (
        f"{build.natural.min():.2f} to {build.natural.max():.2f} exactly right, with"
        f" {seeds(len(build.natural))}"
    )
    return f"{spread} and {build.parameters:,} parameters"


def deepest() -> str:
    builds = depth.depth(depth.ONE, "exact match").builds
    return ahead_of_all({count: builds[build].natural for count, build in LAYERS.items()}) or LUCK


how_deep = guess(
    "how-deep",
    "Does a GRU of one layer or of two, in encoder and decoder each, get more sentences right after"
    f" {depth.STEPS:,} steps?",
    {
        "one": lambda: f"It has the least to learn: {layered('one')}. Two layers: {layered('two')}.",
        "two": lambda: (
            f"Twice the layers that pack and unpack: {layered('two')}. One layer: {layered('one')}."
        ),
        LUCK: lambda: f"One layer: {layered('one')}. Two layers: {layered('two')}.",
    },
    deepest,
    "More layers can do more. But what can be learned in so many steps?",
    covers=("by_length", "table", "learning", "still", "rates", "papers", "orders"),
)


def transplanted() -> str:
    run = vector.surgery(HOUSE, MATCH, 1.0, 1.0, 0.0, 1, 0)
    return (
        "of the house" if run.yours == run.plain else "of the match" if run.yours == run.donor else "of both"
    )


whose_words = guess(
    "whose-words",
    "It reads about the house, but at the start c comes from the sentence about the match. What will the"
    " translation speak of?",
    {
        "of the house": "The house was read, but nothing of it is left: compare the lines yours and second.",
        "of the match": "The lines yours and second are the same. The decoder has c and nothing else.",
        "of both": (
            "For that the decoder would need a second way to the source. Compare the lines yours and second."
        ),
    },
    transplanted,
    "In “Read, then write”, how many arrows lead from the encoder to the decoder?",
    covers=("side_by_side",),
)

PLACES = ("the first words", "the middle words", "the last words")


def gains_by_place() -> dict[str, float]:
    """Mean gain over guessing without c, as the picture shows it: each third of the positions."""
    line = vector.survive(HOUSE, "128", 0).gains["128"]
    return {name: float(np.mean(part)) for name, part in zip(PLACES, np.array_split(line, 3), strict=True)}


def gained(place: str) -> str:
    positions = np.array_split(vector.survive(HOUSE, "128", 0).positions, 3)[PLACES.index(place)]
    return (
        f"at positions {positions[0]} to {positions[-1]} the gain is {signed(gains_by_place()[place])} on"
        " average"
    )


first_or_last = guess(
    "first-or-last",
    "c is the state after the last word. Of a long sentence, which words does c hold best, beyond what can be"
    " guessed?",
    {
        PLACES[0]: lambda: (
            f"They were read long ago, and yet {gained(PLACES[0])}: the decoder has to begin with them."
        ),
        PLACES[1]: lambda: f"Look at the middle of the curve for k = 128: {gained(PLACES[1])}.",
        PLACES[2]: lambda: (
            f"A full stop is easily found at the end, but also without c: {gained(PLACES[2])}."
        ),
    },
    lambda: max(PLACES, key=gains_by_place().__getitem__),
    "Which words does the decoder need first, and which could anybody guess?",
    covers=("heard", "read_off", "gain", "recovery", "gain_by_length"),
)


LOSS_AT = 3  # the target word that the experiment shows at first


def encoder_is_told() -> str:
    run = vector.endtoend(CAR, LOSS_AT, "trained")
    return "all of them" if (run.trained > 0).all() else "only the last" if run.trained[-1] > 0 else "none"


def at_the_first() -> str:
    run = vector.endtoend(CAR, LOSS_AT, "trained")
    return f"at “{run.words[0]}”, the first, its gradient is still {short(float(run.trained[0]))} long"


encoder_learns = guess(
    "encoder-learns",
    "The loss is measured on French words only. Which of the states that read English does its gradient"
    " reach?",
    {
        "all of them": lambda: (
            f"The loss came down through c, and then back along the arrows: {at_the_first()}."
        ),
        "only the last": lambda: (
            f"c is the last state, but that was made from the state before, and so on: {at_the_first()}."
        ),
        "none": lambda: f"The French loss hangs on c, and c on every English word: {at_the_first()}.",
    },
    encoder_is_told,
    "If you changed one English state a little, could a French word become less probable?",
    covers=("unrolled", "every_word", "reach"),
)


# ---- check yourself ----


def product_of_four() -> float:
    return float(np.exp(np.log([0.9, 0.5, 0.8, 1.0]).sum()))


ENGLISH = len(TRANSLATION.source) - len(SPECIAL)  # words a sentence can have


def bits() -> float:
    """Of one word among all source words."""
    return float(np.log2(ENGLISH))


def half_exact() -> int:
    """The last length of the longest bucket in which every seed of the largest c gets at least half exactly right."""
    run = seeded()
    lowest = run.one_vector[run.code].low
    return max(
        (high for (_, high), share in zip(run.buckets, lowest, strict=True) if share >= 0.5), default=0
    )


def seeded_count() -> int:
    return int(seeded().one_vector[measured.CONTEXT_DIMS[-1]].seeds.min())


def second_best(_: None, state: State) -> Verdict:
    run = sentences.score(**state)
    own, yours = run.log_p
    if run.own == run.candidate:
        return Verdict(False, "That is its own output. Change at least one word.")
    if own - yours <= 3:
        return Verdict(
            True,
            f"Yes: log P is {signed(yours)}, of its own output {signed(own)}. It has more than one answer.",
        )
    n = int(run.factors.argmin())
    return Verdict(
        False,
        f"Yours is {times(own, yours)} times less probable. Its smallest factor is that of"
        f" “{run.candidate[n]}”: after the words before it the model wanted “{run.preferred[n]}”.",
    )


def unneeded(_: None, state: State) -> Verdict:
    run = vector.surgery(**state)
    if run.zeroed < 32:
        return Verdict(False, f"Zero so far: {run.zeroed} of {run.c.shape[1]} units. At least 32 must be.")
    if run.blend or run.noise or run.scale != 1:
        return Verdict(False, "Only zeros this time: no transplant, no noise, scale 1.")
    if run.yours != run.plain:
        return Verdict(
            False, f"Words of the output that are new: {len(run.changed)}. Which sentences need less of c?"
        )
    return Verdict(True, f"Yes: {run.zeroed} of {run.c.shape[1]} numbers gone, and not a word has changed.")


def shortest(_: None, state: State) -> Verdict:
    """The sentence of the live state through c of 4 numbers and through attention; right is what three teachers agree on."""
    source = read_source(state["text"], "text")
    if len(source) > SHORTEST:
        return Verdict(
            False,
            f"That has {len(source)} words, the full stop counted. There are sentences with {SHORTEST}.",
        )
    if len(source) < SHORTEST:
        return Verdict(
            False, f"The models learned sentences of {SHORTEST} words and more, the full stop counted."
        )
    answers = {translate(name, source) for name in TEACHERS}
    if len(answers) > 1:
        return Verdict(
            False, "Three models with attention cannot agree on its translation. Try an easier one."
        )
    (right,) = answers
    one, many = translate(of_size("4")[0], source), translate(measured.ATTENTION[0], source)
    heard = f"Four numbers say “{' '.join(one)}”, attention “{' '.join(many)}”, right is “{' '.join(right)}”."
    if many != right:
        return Verdict(False, f"Attention gets it wrong too. {heard}")
    if one == right:
        return Verdict(False, f"Both get it right. {heard} Try another subject or verb.")
    return Verdict(True, f"Yes, and none is shorter. {heard}")


def same_vector(given: str, _: State) -> Verdict:
    """The transplant, tried on the model."""
    right = transplanted()
    option = {
        "of the house": "from x, through attention",
        "of the match": "from c alone",
        "of both": "from both",
    }[right]
    if given == option:
        return Verdict(True, "Yes: with another c it says what the other sentence says, whatever was read.")
    return Verdict(False, "Try a full transplant in Surgery: the source is still read, but does it matter?")


def equal_cost() -> float:
    return float(load_card(TRANSLATOR).config["width"] * 20)


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
        f"Twenty words are {20 * np.log2(ENGLISH):.0f} bits; 128 numbers of 16 bits have {128 * 16:,}. "
        "Room is not what is missing: such a code is hard to learn, and hard to read.",
        0.06,
        "translate",
    ),
    number(
        "half",
        f"Up to which length does a context vector of size {measured.CONTEXT_DIMS[-1]}, after {SEEDED}"
        " training steps, get at least half of the sentences exactly right? (upper end of the bucket)",
        half_exact,
        f"In “The bottleneck”, choose k = {measured.CONTEXT_DIMS[-1]}, {SEEDED} steps and exact match. "
        "Which is the last point whose whole band is above one half?",
        lambda: f"All {seeds(seeded_count())} agree: of longer sentences each gets more wrong than right.",
        WHOLE,
        "curve",
    ),
    number(
        "all-states",
        "If the decoder could look at all the states of a sentence of 20 words, how many numbers would it"
        " have? (m = 128)",
        equal_cost,
        "One state of m numbers for each word.",
        "Memory that grows with the sentence: this is what attention uses, in the next lesson.",
        WHOLE,
        "translate",
    ),
    Exercise(
        "second-best",
        "In Score any output, for any source: find another candidate, at most e³ (about 20) times less"
        " probable than its own.",
        second_best,
        "Take a long source, where the model is unsure. In Read, then write the bars show what came second at"
        " each step.",
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
        "In The bottleneck, type the shortest sentence that one vector of 4 numbers gets wrong and attention"
        " right.",
        shortest,
        "Choose k = 4 and try short ones: somebody does something, and a full stop.",
        experiment="curve",
    ),
)
