"""Lesson 2, sequence to sequence: an encoder, a decoder, and one vector between them."""

from pathlib import Path

from lessons.bottleneck import exercises, pictogram, views
from lessons.bottleneck.compute import measured, sentences, vector
from lessons.bottleneck.exercises import HOUSE
from lessons.kit.contract import Choice, Experiment, Job, Lesson, Preset, Slider, Step, Text
from models import gradients, metrics
from models.probe import LinearProbe
from models.seq2seq import Seq2Seq

MARKET = "yesterday , she went to the market ."
LETTERS = "his letters are not beautiful ."
MATCH = "the match was a piece of cake ."
RIVER = "i arrived at the bank after crossing the river ."
AGREEMENT = "the agreement on the european economic area was signed in august 1992 ."
BIRDS = "when we gave them the letters , four black birds were seen yesterday ."
LETTER = "the beautiful letter of my small children was written in january 1968 because it was old ."
SOUP = "marie eats the soup while she works with these girls at the market ."
LONGEST = 61  # output steps


def sentence(name: str = "text", label: str = "English sentence", default: str = HOUSE, *others: str) -> Text:
    return Text(name, label, default, tuple(text for text in others or (MARKET, RIVER, BIRDS, LETTER) if text != default))


# ---- step by step ----

translate = Experiment(
    "translate",
    "Read, then write",
    (
        Choice("task", "Task", "English → French", tuple(sentences.MODELS)),
        sentence("text", "Input (an example of the task until you type)"),
        Step("t", "Decoder step t", 3, 1, LONGEST),
    ),
    sentences.translate,
    (
        views.translate.unrolled,
        views.translate.reading,
        views.translate.next_words,
        views.translate.certainty,
        views.translate.three_inputs,
    ),
    (
        Preset(
            "Too long for one vector",
            "Fourteen words. Step to the end: whom does she work with, and who is this Pierre?",
            {"task": "English → French", "text": SOUP, "t": 7},
        ),
        Preset(
            "Reversal",
            "The last letter comes first. How long can a word be before letters go missing?",
            {"task": "reversal", "text": "bottleneck", "t": 1},
        ),
        Preset(
            "A sum",
            "Nobody told it what digits mean. The carry must be known before the first digit is written.",
            {"task": "addition", "text": "27+58", "t": 1},
        ),
        Preset(
            "A date",
            "Many characters, but only a day, a month and a year to keep: this fits.",
            {"task": "dates", "text": "the 3rd of march 1992", "t": 6},
        ),
    ),
    exercises.handed_over,
    code=(Seq2Seq,),
)

# ---- any output can be scored ----

score = Experiment(
    "score",
    "Score any output",
    (sentence(), sentence("candidate", "Your French (any known words)", "le beau maison a été acheté .", *exercises.CANDIDATES)),
    sentences.score,
    (views.score.side_by_side, views.score.reading, views.score.factors, views.score.log_sum),
    (
        Preset(
            "Its own words",
            "The candidate is what it writes by itself: every factor is as tall as the tick.",
            {"candidate": "la belle maison a été achetée ."},
        ),
        Preset(
            "One wrong gender",
            "One article is wrong. Look at the factors after it: does the model forgive?",
            {"candidate": "le belle maison a été achetée ."},
        ),
        Preset(
            "Words in the wrong order",
            "The same words, swapped. Which factor pays, and does a later one pay again?",
            {"candidate": "la maison belle a été achetée ."},
        ),
        Preset(
            "Stop early", "A good beginning, but it ends too soon: look at the factor of <eos>.", {"candidate": "la belle maison"}
        ),
    ),
    exercises.where_it_breaks,
    code=(sentences.score,),
)

# ---- teacher forcing ----

forcing = Experiment(
    "forcing",
    "One wrong word",
    (
        sentence(),
        Step("t", "Step t", 1, 1, LONGEST),
        Text("wrong", "Word it must say at step t (empty: its own)", "le", ("un", "les", "elle", "maison")),
        Choice("fed", "In the lower pictures, each step reads", sentences.FED[0], sentences.FED),
    ),
    sentences.forcing,
    (views.forcing.side_by_side, views.forcing.reading, views.forcing.wake, views.forcing.next_words, views.forcing.unrolled),
    (
        Preset(
            "A wrong article",
            "le instead of la. Which noun fits a masculine article, and what becomes of the house?",
            {"text": HOUSE, "t": 1, "wrong": "le"},
        ),
        Preset(
            "He instead of she",
            "One pronoun is forced. Which later word must agree with it?",
            {"text": MARKET, "t": 3, "wrong": "il"},
        ),
        Preset("A wrong noun", "The noun is wrong, and the rest goes on as if nothing had happened.", {"t": 3, "wrong": "livre"}),
        Preset(
            "Taught",
            "The teacher’s words come in whatever it says: the dashed arrows are gone, and so is the wake.",
            {"t": 1, "wrong": "le", "fed": sentences.FED[1]},
        ),
    ),
    exercises.who_recovers,
    code=(sentences.forcing,),
)

# ---- three wirings ----

inject = Experiment(
    "inject",
    "Where c goes in",
    (
        sentence("text", "English sentence", LETTER, HOUSE, RIVER, BIRDS),
        Choice("wiring", "c goes in as", "first state", tuple(measured.WIRINGS)),
        Choice("measure", "Measured by", "exact match", tuple(measured.MEASURES)),
    ),
    measured.inject,
    (views.inject.unrolled, views.inject.reading, views.inject.outputs, views.inject.by_length, views.inject.sizes),
    (
        Preset(
            "c at every step",
            "Follow the purple arrows: the decoder need not remember c, it is told again.",
            {"wiring": "every step"},
        ),
        Preset(
            "One RNN for both",
            "No second network: reading turns into writing at <bos>.",
            {"wiring": "one RNN", "text": HOUSE},
        ),
        Preset(
            "Word by word",
            "Token accuracy is kinder than exact match. Does the order of the three stay the same?",
            {"measure": "token accuracy"},
        ),
    ),
    exercises.best_wiring,
    code=(Seq2Seq,),
)

# ---- the curve ----

curve = Experiment(
    "curve",
    "The bottleneck",
    (
        Choice("width", "Numbers in the vector, m", "128", measured.WIDTHS),
        Choice("measure", "Measured by", "exact match", tuple(measured.MEASURES)),
        Choice("cell", "Add a line for another cell (m = 64)", "GRU", tuple(measured.CELLS)),
        sentence("text", "A sentence to try", LETTER, HOUSE, AGREEMENT),
    ),
    measured.curve,
    (
        views.curve.curves,
        views.curve.reading,
        views.curve.outputs,
        views.curve.table,
        views.curve.cells,
        views.curve.paper_and_ours,
        views.curve.orders,
    ),
    (
        Preset("A narrow vector", "32 numbers. With attention the same 32 are enough for most sentences.", {"width": "32"}),
        Preset(
            "Word by word",
            "Token accuracy shows the slope at every width: the longer the source, the less of it arrives.",
            {"width": "64", "measure": "token accuracy"},
        ),
        Preset(
            "Does the cell matter?",
            "A vanilla RNN of width 64 beside the GRU of the same width.",
            {"width": "64", "measure": "token accuracy", "cell": "vanilla"},
        ),
    ),
    exercises.long_sentences,
    Job("measure again on fresh sentences", measured.measure_again),
    code=(metrics.exact_match, metrics.token_accuracy, measured.measured),
)

# ---- surgery ----

surgery = Experiment(
    "surgery",
    "Surgery",
    (
        sentence(),
        sentence("donor", "Second sentence", MATCH, MARKET, LETTERS, "she gave up ."),
        Slider("blend", "Transplant: share of the second c", 0.5, 0.0, 1.0, 0.05),
        Slider("scale", "Scale c by", 1.0, -1.0, 2.0, 0.05),
        Slider("noise", "Add noise of size", 0.0, 0.0, 1.0, 0.05),
        Slider("seed", "Seed of the noise", 1, 1, 20),
        Slider("zeros", "Set so many units to 0", 0, 0, vector.M),
    ),
    vector.surgery,
    (views.surgery.side_by_side, views.surgery.reading, views.surgery.distances, views.surgery.vectors),
    (
        Preset("Half and half", "A point between two sentences is a sentence too, and it is neither of them.", {"blend": 0.5}),
        Preset("A full transplant", "The source is untouched. Whose translation comes out?", {"blend": 1.0}),
        Preset("Noise", "Move the noise up, then the seed. When does the sentence break, and how?", {"blend": 0.0, "noise": 0.5}),
        Preset("Half of it gone", "64 of 128 numbers are zero. Which word goes first?", {"blend": 0.0, "zeros": 64}),
    ),
    exercises.whose_words,
    code=(vector.operated,),
)

# ---- what is left ----

survive = Experiment(
    "survive",
    "What is left",
    (
        sentence("text", "English sentence", BIRDS, HOUSE, RIVER, LETTER),
        Choice("width", "Numbers in c", "128", ("64", "128")),
        Step("t", "Gradient of output word (0: of all)", 0, 0, LONGEST),
    ),
    vector.survive,
    (views.survive.read_off, views.survive.reading, views.survive.pull, views.survive.recovery, views.survive.recovery_by_length),
    (
        Preset(
            "Half the numbers", "Width 64: what does the probe still find, and what does the model say instead?", {"width": "64"}
        ),
        Preset("A long sentence", "Seventeen words. Which ones does the probe miss?", {"text": LETTER}),
        Preset(
            "One output word",
            "Only the last noun’s gradient: does it look at the word it translates?",
            {"text": HOUSE, "t": 3},
        ),
    ),
    exercises.first_or_last,
    code=(LinearProbe, gradients.watched, gradients.jacobian),
)

# ---- end to end ----

endtoend = Experiment(
    "endtoend",
    "End to end",
    (
        sentence("text", "English sentence", BIRDS, HOUSE, RIVER, LETTER),
        Step("t", "Loss of target word (0: of all)", 9, 0, 2 * 40 + 1),
        Choice("weights", "Weights", "trained", vector.WEIGHTS),
    ),
    vector.endtoend,
    (views.endtoend.unrolled, views.endtoend.reading, views.endtoend.reach, views.endtoend.losses, views.endtoend.every_word),
    (
        Preset("The first word", "The loss at step 1 has the shortest way back: one decoder step, then c.", {"t": 1}),
        Preset("The last word", "The loss at the end of the target must travel through every decoder step first.", {"t": 16}),
        Preset(
            "Before training",
            "Fresh weights: the loss is large, and hardly anything of it reaches the first words.",
            {"t": 0, "weights": "fresh"},
        ),
    ),
    exercises.encoder_learns,
    code=(gradients.watched, gradients.jacobian),
)

LESSON = Lesson(
    slug="bottleneck",
    title="Sequence to sequence",
    short="Bottleneck",
    line="An encoder reads, a decoder writes, and one list of numbers is all that passes between them.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(translate, score, forcing, inject, curve, surgery, survive, endtoend),
    exercises=exercises.CHECK_YOURSELF,
)
