"""Lesson 3, attention: the decoder looks back at every word, and you can move its gaze."""

from pathlib import Path

from lessons.attention import exercises, pictogram, views
from lessons.attention.claims import CLAIMS
from lessons.attention.compute import align as aligning
from lessons.attention.compute import caveat as moving
from lessons.attention.compute import others, solved, steer
from lessons.attention.compute import readers as reading
from lessons.attention.compute import shortcut as reaching
from lessons.attention.compute import step as stepping
from lessons.attention.compute import unordered as shuffling
from lessons.attention.compute.wirings import WIRINGS
from lessons.kit.checkpoints import CONTEXT_DIMS, STEPS
from lessons.kit.contract import Act, Choice, Edits, Experiment, Lesson, Preset, Slider, Step, Text
from lessons.kit.referee import referee
from models import attention, gradients, metrics
from models.seq2seq import RecurrentEncoder, Seq2Seq

AREA = "the agreement on the european economic area was signed in august 1992 ."
PIE = "he hit me with a pie ."
BUCKET = "the old man kicked the bucket ."
RIVER = "i arrived at the bank after crossing the river ."
HOUSE = "they will buy a beautiful house ."
OLD = "is she old ?"  # est-ce que comes from no English word
MORNING = "she works in the morning ."  # in has no French word
RAIN = "it is raining cats and dogs ."
LONGEST = steer.MOST  # steps a decoder can take


def sentence(default: str, *suggestions: str) -> Text:
    return Text("source", "Source sentence", default, suggestions)


def wiring_choice() -> Choice:
    return Choice("wiring", "Wiring", "query after", tuple(WIRINGS))


def all_on(place: int, T: int) -> tuple[float, ...]:
    """All weight on one source word, counted from 0."""
    return tuple(float(i == place) for i in range(T))


# ---- one step ----

step = Experiment(
    "step",
    "Step by step",
    (
        sentence(PIE, BUCKET, HOUSE, AREA),
        wiring_choice(),
        Step("t", "Step t", 4, 1, LONGEST),
        Slider("unit", "Unit to follow by hand", 2, 1, 64),
    ),
    stepping.step,
    (views.step.unrolled, views.step.reading),
    (
        Preset(
            "One word, four sources", "“entarté” means hit … with a pie, yet it looks at one of them.", {}
        ),
        Preset(
            "The other wiring",
            "Now s₃ asks, before s₄ is made: open “Who asks?”.",
            {"wiring": "query before"},
        ),
        Preset("At the end", "Where does a decoder look to know that all is said?", {"t": 6}),
        Preset(
            "Words that change places",
            "Go on to 6 and 7: where does each of them look?",
            {"source": AREA, "t": 5},
        ),
    ),
    exercises.ahead,
    acts=(
        Act("query", (views.step.diagram,)),
        Act(
            "weight",
            (views.step.scores, views.step.weights),
            (("scores", "weights"),),
            asks=views.step.how_a_weight,
        ),
        Act(
            "context",
            (views.step.one_unit, views.step.all_units),
            (("one_unit", "unit"), "all_units"),
            asks=views.step.what_in_the_context,
        ),
        Act("word", (views.step.next_words,), asks=views.step.why_the_word),
    ),
    code=(attention.attend, attention.Additive, Seq2Seq.write),
    core=True,
)

# ---- alignment ----

align = Experiment(
    "align",
    "Alignment",
    (
        sentence(AREA, PIE, OLD, MORNING, RIVER, BUCKET),
        Choice("score", "Score", "additive", tuple(aligning.SCORES)),
    ),
    aligning.align,
    (views.align.alignment, views.align.pair, views.align.reading),
    (
        Preset("Many to one", "“entarté” has four gold words, and one strongest look.", {"source": PIE}),
        Preset(
            "No counterpart",
            "“est-ce qu’” comes from no English word. Where do these two look?",
            {"source": OLD},
        ),
        Preset(
            "Another score",
            "The same sentence by a model that scores with a scaled dot.",
            {"score": "scaled dot"},
        ),
    ),
    exercises.shape,
    acts=(Act("gold", (views.align.on_gold,)),),
    layout=(("alignment", "pair"), "reading"),
    code=(metrics.aer, metrics.links_of),
    core=True,
)

# ---- steering ----

T = len(AREA.split())
steering = Experiment(
    "steer",
    "Steer",
    (
        sentence(AREA, HOUSE, PIE, BUCKET),
        Step("t", "Step t", 6, 1, LONGEST),
        wiring_choice(),
        Edits("weights", "Drag a bar, or take a row for this step"),
    ),
    steer.steer,
    (
        views.steer.unrolled,
        views.steer.reading,
        views.steer.row,
        views.steer.translations,
        views.steer.next_words,
    ),
    (
        Preset(
            "Say it again",
            "Step 4 looks at “they” once more. Where does it go on from?",
            {"source": HOUSE, "t": 4, "weights": ((4, all_on(0, 7)),)},
        ),
        Preset(
            "Skip the future",
            "Step 2 looks past “will”. What of the tense?",
            {"source": HOUSE, "t": 2, "weights": ((2, all_on(2, 7)),)},
        ),
        Preset(
            "Look at the full stop",
            "In mid-sentence all weight goes to the last mark.",
            {"weights": ((6, all_on(T - 1, T)),)},
        ),
        Preset(
            "Even, everywhere",
            "Every step looks at all words alike. What is left?",
            {"t": 5, "weights": tuple((n, (round(1 / T, 4),) * T) for n in range(1, 11))},
        ),
    ),
    exercises.steering,
    acts=(
        Act("map", (views.steer.alignment,)),
        Act("context", (views.steer.contexts,), asks=views.steer.what_changed),
    ),
    layout=("unrolled", "reading", ("row", ("translations", "next_words"))),
    code=(steer.decoded, attention.attend),
    core=True,
)

# ---- the bottleneck solved ----

solving = Experiment(
    "solved",
    "Solved?",
    (
        Slider("length", "Length of the sentence T", 12, 3, 40),
        Slider("number", "Another sentence of this length", 1, 1, 20),
        Choice("code", "Numbers in c, k", "32", CONTEXT_DIMS),
        Choice("steps", "Training steps", "4,000", tuple(STEPS)),
    ),
    solved.solved,
    (views.solved.translations, views.solved.by_length, views.solved.reading),
    (
        Preset("Short", "Five words: do they fit into one vector?", {"length": 5}),
        Preset("As long as trained", "Twenty words. Who has lost the thread?", {"length": 20}),
        Preset(
            "A larger c, trained long",
            f"128 numbers, {solved.LATE} steps. How far does that carry?",
            {"code": "128", "steps": solved.LATE, "length": 16},
        ),
        Preset("Longer than trained", "Thirty words: neither has seen this length.", {"length": 30}),
    ),
    exercises.with_attention,
    acts=(Act("stored", (views.solved.stored,)),),
    code=(metrics.exact_match,),
)

# ---- no order ----

unordered = Experiment(
    "unordered",
    "Order?",
    (
        sentence(AREA, PIE, HOUSE, RIVER),
        Slider("seed", "Shuffle (0: as they are)", 3, 0, 50),
        Choice("what", "What is shuffled", shuffling.SHUFFLES[0], shuffling.SHUFFLES),
        Step("t", "Step t", 5, 1, LONGEST),
    ),
    shuffling.unordered,
    (views.unordered.unrolled, views.unordered.reading, views.unordered.translations),
    (
        Preset("As they are", "The thick curve goes to “area”. Remember its weight.", {"seed": 0}),
        Preset(
            "Shuffled states", "“area” stands first. Did its weight change? Did the sentence?", {"seed": 7}
        ),
        Preset(
            "Shuffled words",
            "Now the encoder reads in this order: the same words, other states.",
            {"seed": 7, "what": shuffling.SHUFFLES[1]},
        ),
    ),
    exercises.shuffled,
    acts=(Act("weights", (views.unordered.weights,)), Act("change", (views.unordered.change,))),
    code=(attention.attend, shuffling.states_shuffled),
)

# ---- one way, or both ----

readers = Experiment(
    "readers",
    "Both sides",
    (
        sentence(AREA, HOUSE, PIE, MORNING),
        Step("i", "Word to change i", 7, 1, LONGEST),
        Text("put", "Read there instead (empty: nothing)", "", ("house", "book", "women", "old")),
    ),
    reading.readers,
    (
        views.readers.one_way_map,
        views.readers.one_way_change,
        views.readers.two_way_map,
        views.readers.two_way_change,
        views.readers.reading,
    ),
    (
        Preset("The very last", "Only the full stop is gone. Which states could know?", {"i": T}),
        Preset("The very first", "Now both readers change from end to end. Or nearly?", {"i": 1, "put": "a"}),
        Preset(
            "Another noun",
            "“a beautiful” must agree with a noun still to come. Which states know that it is a book?",
            {"source": HOUSE, "i": 6, "put": "book"},
        ),
    ),
    exercises.waits,
    acts=(
        Act("halves", (views.readers.halves,)),
        Act("late", (views.readers.late, views.readers.told_late)),
        Act("measured", (views.readers.measured, views.readers.told_measured)),
        Act("sentences", (views.readers.sentences,)),
    ),
    layout=((("one_way_map", "one_way_change"), ("two_way_map", "two_way_change")), "reading"),
    code=(RecurrentEncoder, reading.changed),
)

# ---- the shortcut ----

shortcut = Experiment(
    "shortcut",
    "Shortcut",
    (
        Slider("length", "Length of the sentence T", 20, 4, 40),
        Choice("weights", "Weights", reaching.WEIGHTS[0], reaching.WEIGHTS),
        Step("t", "Step t", 15, 1, LONGEST + 20),
    ),
    reaching.shortcut,
    (views.shortcut.by_word, views.shortcut.reading, views.shortcut.sentence),
    (
        Preset(
            "A short way",
            "Five words: even without attention the way back is not long.",
            {"length": 5, "t": 4},
        ),
        Preset(
            "A long way", "Forty words, one of the last steps: read the exponents.", {"length": 40, "t": 38}
        ),
        Preset(
            "After training",
            "Whose gradient knows which word the step is about?",
            {"weights": reaching.WEIGHTS[1], "t": 13},
        ),
    ),
    exercises.weaker,
    acts=(Act("first", (views.shortcut.to_first,)),),
    code=(gradients.watched, gradients.gradient, reaching.by_step),
)

# ---- a caveat ----

caveat = Experiment(
    "caveat",
    "Explanation?",
    (
        sentence(AREA, PIE, HOUSE, RIVER, RAIN),
        Step("t", "Step t", 5, 1, LONGEST),
        Choice("towards", "Move the weights towards", moving.TOWARDS[0], moving.TOWARDS),
        Slider("mix", "How far to move them", 0.5, 0.0, 1.0, 0.025),
        Slider("allowed", "How much the output may differ", 0.05, 0.01, 0.5, 0.01),
    ),
    moving.caveat,
    (views.caveat.chance, views.caveat.reading, views.caveat.survives),
    (
        Preset(
            "Even, and the same",
            "Even weights write “zone” too. Did the peak on “area” explain it?",
            {"mix": 1.0},
        ),
        Preset(
            "It needs its look", "“1992” could be any year. Where does it give up?", {"t": 13, "mix": 0.8}
        ),
        Preset(
            "The wrong word",
            "All weight to the second best word: who gives way now?",
            {"towards": moving.TOWARDS[1], "mix": 1.0},
        ),
        Preset(
            "Known by heart",
            "A fixed phrase: even weights still write every word of it. And the full stop?",
            {"source": RAIN, "t": 4, "mix": 1.0},
        ),
    ),
    exercises.even_survivors,
    acts=(
        Act(
            "moved",
            (views.caveat.weights, views.caveat.next_words),
            (("weights", "next_words"),),
            asks=views.caveat.what_it_sees,
        ),
        Act(
            "others",
            (views.caveat.other_weights, views.caveat.other_words, views.caveat.told_other),
            ("allowed", ("other_weights", "other_words"), "told_other"),
        ),
        Act("frozen", (views.caveat.by_length, views.caveat.told_frozen, views.caveat.both_outputs)),
        Act("aligners", (views.caveat.aligners, views.caveat.best_of_both)),
    ),
    code=(moving.moved, others.farthest, attention.Uniform, metrics.aer),
    core=True,
)

LESSON = Lesson(
    slug="attention",
    title="Attention",
    short="Attention",
    line="At each step the decoder weighs all source words. Move the weights, and the sentence changes.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(step, align, steering, caveat, solving, unordered, readers, shortcut, referee(CLAIMS)),
    exercises=exercises.CHECK_YOURSELF,
)
