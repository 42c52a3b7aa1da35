"""Lesson 2, sequence to sequence: an encoder, a decoder, and one vector between them."""

from pathlib import Path

from lessons.bottleneck import exercises, pictogram, views
from lessons.bottleneck.claims import CLAIMS
from lessons.bottleneck.compute import depth, measured, sentences, vector
from lessons.bottleneck.compute.common import MEASURES
from lessons.bottleneck.examples import (
    AGREEMENT,
    BIRDS,
    BOOKS,
    CAR,
    GENDER,
    HOUSE,
    LETTER,
    LETTERS,
    MARKET,
    MATCH,
    OWN,
    RIVER,
    SOUP,
)
from lessons.kit.checkpoints import CONTEXT_DIMS
from lessons.kit.contract import Act, Choice, Experiment, Job, Lesson, Preset, Slider, Step, Text
from lessons.kit.referee import referee
from models import gradients, metrics, train
from models.probe import LinearProbe
from models.rnn import Stack
from models.seq2seq import Seq2Seq

LONGEST = 61  # output steps


def sentence(name: str = "text", label: str = "English sentence", default: str = HOUSE, *others: str) -> Text:
    return Text(
        name,
        label,
        default,
        tuple(text for text in others or (MARKET, RIVER, BIRDS, LETTER) if text != default),
    )


# ---- step by step ----

translate = Experiment(
    "translate",
    "Read, then write",
    (
        Choice("task", "Task", "English → French", tuple(sentences.MODELS)),
        sentence("text", "Input"),
        Step("t", "Decoder step t", 3, 1, LONGEST),
    ),
    sentences.translate,
    (views.translate.unrolled, views.translate.reading, views.translate.written),
    (
        Preset(
            "A longer sentence",
            "Seventeen words, and the same strip for c. Does all of it arrive?",
            {"task": "English → French", "text": LETTER, "t": 7},
        ),
        Preset(
            "Reversal",
            "The last letter comes first. Type longer words: when does ✗ come?",
            {"task": "reversal", "text": "bottleneck", "t": 1},
        ),
        Preset(
            "A sum",
            "The carry must be known before the first digit is written.",
            {"task": "addition", "text": "27+58", "t": 1},
        ),
        Preset(
            "A date",
            "Many characters, but only a day, a month and a year to keep.",
            {"task": "dates", "text": "the 3rd of march 1992", "t": 6},
        ),
    ),
    exercises.handed_over,
    code=(Seq2Seq,),
    acts=(
        Act("inputs", (views.translate.inputs,)),
        Act(
            "next",
            (views.translate.next_words, views.translate.certainty),
            (("next_words", "certainty"),),
            asks=views.translate.what_else,
        ),
    ),
    core=True,
)

# ---- any output can be scored ----

score = Experiment(
    "score",
    "Score any output",
    (
        sentence(),
        Text(
            "candidate",
            "Your French (any known words)",
            GENDER,
            (OWN, "la belle maison", "la maison belle a été achetée ."),
        ),
    ),
    sentences.score,
    (views.score.side_by_side, views.score.reading, views.score.factors),
    (
        Preset(
            "Its own words", "What it writes by itself: every bar is as tall as its tick.", {"candidate": OWN}
        ),
        Preset(
            "All masculine",
            "Adjective and participle agree with “le” now. Which words pay?",
            {"candidate": "le beau maison a été acheté ."},
        ),
        Preset(
            "Wrong order",
            "Two words are swapped. Which factors pay?",
            {"candidate": "la maison belle a été achetée ."},
        ),
        Preset(
            "Stop early",
            "The sentence ends too soon. Look at the factor of the full stop.",
            {"candidate": "la belle maison"},
        ),
    ),
    exercises.who_pays,
    code=(sentences.score,),
    acts=(Act("sum", (views.score.log_sum,)),),
)

# ---- teacher forcing ----

forcing = Experiment(
    "forcing",
    "One wrong word",
    (
        sentence("text", "English sentence", MARKET, HOUSE, BOOKS, BIRDS),
        Step("t", "Step t of what it says by itself", 3, 1, LONGEST),
        Text("wrong", "Word to say at step t (empty: its own)", "ils", ("il", "nous", "je", "marie")),
        Choice("fed", "In the picture, each step reads", sentences.FED[0], sentences.FED),
    ),
    sentences.forcing,
    (views.forcing.unrolled, views.forcing.reading, views.forcing.side_by_side),
    (
        Preset(
            "A wrong article",
            "One book instead of many: what becomes of the words after “le”?",
            {"text": BOOKS, "t": 1, "wrong": "le"},
        ),
        Preset(
            "He instead of she",
            "Which later word must agree with the pronoun?",
            {"wrong": "il"},
        ),
        Preset(
            "A wrong noun",
            "Does the participle follow “livre”, or what was read?",
            {"text": HOUSE, "t": 3, "wrong": "livre"},
        ),
        Preset(
            "Taught",
            "“ils” is said, but step 4 reads the teacher’s “elle”.",
            {"fed": sentences.FED[1]},
        ),
    ),
    exercises.who_recovers,
    code=(sentences.forcing,),
    acts=(Act("wake", (views.forcing.next_words, views.forcing.wake), (("next_words", "wake"),)),),
)

# ---- three wirings ----

inject = Experiment(
    "inject",
    "Where c goes in",
    (
        Choice("wiring", "c goes in as", "first state", tuple(measured.WIRINGS)),
        Choice("measure", "Measured by", "exact match", tuple(MEASURES)),
        sentence("text", "English sentence", HOUSE, LETTER, RIVER, BIRDS),
    ),
    measured.inject,
    (views.inject.unrolled, views.inject.reading, views.inject.by_length, views.inject.fair),
    (
        Preset(
            "c at every step",
            "It need not remember c: it is told again.",
            {"wiring": "every step"},
        ),
        Preset(
            "One RNN for both",
            "Reading turns into writing at <bos>.",
            {"wiring": "one RNN"},
        ),
        Preset(
            "A longer sentence",
            "Open, below, what the three make of it.",
            {"text": LETTER},
        ),
        Preset(
            "Word by word",
            "A kinder measure. Is the order the same?",
            {"measure": "token accuracy"},
        ),
    ),
    exercises.best_wiring,
    code=(Seq2Seq,),
    layout=("unrolled", "reading", ("by_length", "fair")),
    acts=(Act("sentence", (views.inject.outputs, views.inject.unequal)),),
)

# ---- the curve ----

curve = Experiment(
    "curve",
    "The bottleneck",
    (
        Choice("code", "Numbers in c, k", measured.CODE, measured.CONTEXT_DIMS),
        Choice("steps", "Training steps", measured.EARLY, tuple(measured.STEPS)),
        Choice("measure", "Measured by", "exact match", tuple(MEASURES)),
        sentence("text", "One sentence to try", LETTER, HOUSE, AGREEMENT, SOUP),
    ),
    measured.curve,
    (views.curve.curves, views.curve.budgets, views.curve.reading),
    (
        Preset(
            "Trained longer",
            "The same c, four times the training. Does the cliff stay where it was?",
            {"steps": measured.LATE},
        ),
        Preset(
            "Four numbers",
            "As little as can be: what is left of a short sentence?",
            {"code": "4", "steps": measured.MOST},
        ),
        Preset(
            "Word by word",
            "Words are counted, not sentences. Where does each size fall?",
            {"code": "64", "measure": "token accuracy"},
        ),
        Preset(
            "All of it",
            "As many numbers and steps as there are: what is left of the cliff?",
            {"code": CONTEXT_DIMS[-1], "steps": measured.MOST},
        ),
    ),
    exercises.long_sentences,
    Job("measure again on fresh sentences", measured.measure_again),
    code=(metrics.exact_match, train.budget_ladder, measured.measured),
    layout=(("curves", "budgets"), "reading"),
    acts=(
        Act("sentence", (views.curve.outputs,)),
        Act("learning", (views.curve.learning, views.curve.still)),
        Act("sizes", (views.curve.table, views.curve.best_size)),
        Act("papers", (views.curve.paper_and_ours, views.curve.orders)),
    ),
    core=True,
)

# ---- cells, and layers on layers ----

deep = Experiment(
    "depth",
    "Cells and layers",
    (
        Choice("build", "Encoder and decoder made of", depth.ONE, tuple(depth.BUILDS)),
        Choice("measure", "Measured by", "exact match", tuple(MEASURES)),
    ),
    depth.depth,
    (views.depth.by_length, views.depth.table, views.depth.reading),
    (
        Preset(
            "No gates",
            "A vanilla RNN, at its own learning rate. What is left at 9 words?",
            {"build": "vanilla, 1 layer"},
        ),
        Preset("Two memories", "An LSTM, whose h and cell both begin with c.", {"build": "LSTM, 1 layer"}),
        Preset("The deepest", "The most parameters of all. Does it lead?", {"build": [*depth.BUILDS][-1]}),
    ),
    exercises.how_deep,
    code=(Stack, train.budget_ladder),
    layout=(("by_length", "table"), "reading"),
    acts=(
        Act("rates", (views.depth.rates,)),
        Act("learning", (views.depth.learning, views.depth.still)),
        Act("papers", (views.depth.papers, views.depth.orders)),
    ),
)

# ---- surgery ----

surgery = Experiment(
    "surgery",
    "Surgery",
    (
        sentence(),
        sentence("donor", "Second sentence", MATCH, MARKET, LETTERS, "she gave up ."),
        Slider("blend", "Transplant", 1.0, 0.0, 1.0, 0.05),
        Slider("scale", "Scale c by", 1.0, -1.0, 2.0, 0.05),
        Slider("noise", "Noise of size", 0.0, 0.0, 1.0, 0.05),
        Slider("seed", "Seed of noise", 1, 1, 20),
        Slider("zeros", "Units set to 0", 0, 0, vector.M),
    ),
    vector.surgery,
    (views.surgery.vectors, views.surgery.side_by_side, views.surgery.reading),
    (
        Preset(
            "In between", "A point between two sentences: is it a sentence too, and which?", {"blend": 0.55}
        ),
        Preset(
            "Noise",
            "Move the noise, then its seed. How does the sentence break?",
            {"blend": 0.0, "noise": 0.5},
        ),
        Preset(
            "Half of it gone",
            "64 of 128 numbers are zero. Which word goes first?",
            {"blend": 0.0, "zeros": 64},
        ),
        Preset(
            "Upside down",
            "Every number of c has the other sign. Is what comes out French?",
            {"blend": 0.0, "scale": -1.0},
        ),
    ),
    exercises.whose_words,
    code=(vector.operated,),
    layout=("vectors", ("blend", "scale", "zeros", "noise", "seed"), "side_by_side", "reading"),
    acts=(Act("distances", (views.surgery.distances,)),),
    core=True,
)

# ---- what is left ----

survive = Experiment(
    "survive",
    "What is left",
    (
        sentence("text", "English sentence", BIRDS, HOUSE, RIVER, LETTER),
        Choice("width", "Numbers in c", "128", vector.PROBED),
        Step("t", "Gradient of output word (0: of all)", 0, 0, LONGEST),
    ),
    vector.survive,
    (views.survive.heard, views.survive.read_off, views.survive.reading, views.survive.gain),
    (
        Preset(
            "Half the numbers", "What does the probe still find, and what is said instead?", {"width": "64"}
        ),
        Preset("A long sentence", "Seventeen words. Which ones does the probe miss?", {"text": LETTER}),
        Preset("A short sentence", "Six words through the same c. Is anything missing?", {"text": HOUSE}),
    ),
    exercises.first_or_last,
    code=(LinearProbe, gradients.watched, gradients.jacobian),
    acts=(
        Act("baseline", (views.survive.recovery,)),
        Act("lengths", (views.survive.gain_by_length,)),
        Act("pull", (views.survive.pull,), ("t", "pull"), asks=views.survive.who_pulls),
    ),
)

# ---- end to end ----

endtoend = Experiment(
    "endtoend",
    "End to end",
    (
        sentence("text", "English sentence", CAR, HOUSE, RIVER, BIRDS),
        Step("t", "Loss of target word (0: of all)", exercises.LOSS_AT, 0, 2 * 40 + 1),
        Choice("weights", "Weights", "trained", vector.WEIGHTS),
    ),
    vector.endtoend,
    (views.endtoend.losses, views.endtoend.unrolled, views.endtoend.reading),
    (
        Preset("The first word", "The shortest way back: one decoder step, then c.", {"t": 1}),
        Preset(
            "A hard word",
            "The year it gets wrong. How large is its loss, beside those of the other words?",
            {"text": LETTER, "t": 13},
        ),
        Preset(
            "Near the end",
            "This loss must pass every decoder step before c.",
            {"text": BIRDS, "t": 15},
        ),
        Preset(
            "Before training",
            "All words cost about the same. How much reaches the first word?",
            {"t": 0, "weights": "fresh"},
        ),
    ),
    exercises.encoder_learns,
    code=(gradients.watched, gradients.jacobian),
    acts=(Act("reach", (views.endtoend.reach,)), Act("all", (views.endtoend.every_word,))),
)

LESSON = Lesson(
    slug="bottleneck",
    title="Sequence to sequence",
    short="Bottleneck",
    line="An encoder reads, a decoder writes, and one list of numbers is all that passes between them.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(translate, curve, surgery, score, forcing, inject, deep, survive, endtoend, referee(CLAIMS)),
    exercises=exercises.CHECK_YOURSELF,
)
