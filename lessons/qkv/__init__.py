"""Lesson 5, queries, keys, values: attention as a layer of its own."""

from pathlib import Path

from lessons.kit.contract import Choice, Experiment, Handles, Job, Lesson, Matrix, Preset, Slider, Step, Text, Toggle
from lessons.qkv import exercises, pictogram, views
from lessons.qkv.compute import bank as senses
from lessons.qkv.compute import between as models_between
from lessons.qkv.compute import cost as costs
from lessons.qkv.compute import cross as crossing
from lessons.qkv.compute import heads as side_by_side
from lessons.qkv.compute import layer, sets
from lessons.qkv.compute import swoop as sweeps
from models import between as between_models
from models import blocks, multihead, sense
from models.attention import attend

# ---- whom to trust ----

advice = Experiment(
    "advice",
    "Advice",
    (
        Handles("match", "How well each field matches: drag the bars", ((4.0,), (1.0,), (2.0,), (1.5,)), 0, 5, 0.1),
        Toggle("hard", "Hear only the best match", False),
    ),
    layer.advice,
    (views.advice.answers, views.advice.matches, views.advice.weights, views.advice.reading),
    (
        Preset(
            "A valley",
            "The two places are two sides of a valley: the engineer’s field.",
            {"match": ((5.0,), (0.5,), (1.0,), (0.5,))},
        ),
        Preset(
            "Two computers",
            "The programmer’s field, and a bit the biologist’s. Which words do both of them say?",
            {"match": ((1.0,), (3.0,), (1.0,), (3.5,))},
        ),
        Preset(
            "Nobody knows better",
            "All match alike: everybody is heard equally, and no word stands out by much.",
            {"match": ((2.0,),) * 4},
        ),
        Preset("A hard choice", "Only the best match is heard. Move another bar: nothing happens until it wins.", {"hard": True}),
    ),
    exercises.all_equal,
    code=(multihead.scaled_dot_product,),
)

# ---- the attention layer ----

X = (
    (1.0, 0.0, 0.5, -0.5, 0.0, 1.0),
    (0.0, 1.0, -0.5, 0.5, 1.0, 0.0),
    (1.0, 1.0, 0.0, 0.0, -1.0, 0.5),
    (-1.0, 0.5, 1.0, 0.0, 0.5, -0.5),
    (0.5, -1.0, 0.0, 1.0, 0.0, 0.5),
    (0.0, 0.5, -1.0, -0.5, 1.0, 1.0),
)
W_Q = (
    (2.0, 0.0, 0.5, 0.0, -0.5, 0.0),
    (0.0, 1.0, 0.0, 0.5, 0.0, -0.5),
    (0.5, 0.0, 1.0, 0.0, 0.5, 0.0),
    (0.0, 0.5, 0.0, 1.0, 0.0, 0.5),
    (-0.5, 0.0, 0.5, 0.0, 1.0, 0.0),
    (0.0, -0.5, 0.0, 0.5, 0.0, 1.0),
)
W_K = (
    (0.0, 1.0, 0.0, 0.5, 0.0, 0.0),
    (2.0, 0.0, 0.5, 0.0, 0.0, 0.5),
    (0.0, 0.5, 0.0, 1.0, 0.0, 0.0),
    (0.5, 0.0, 1.0, 0.0, 0.5, 0.0),
    (0.0, 0.0, 0.0, 0.5, 0.0, 1.0),
    (0.0, 0.5, 0.0, 0.0, 1.0, 0.0),
)
W_V = (
    (1.0, -1.0, 0.0, 0.0, 0.5, 0.0),
    (1.0, 1.0, 0.0, 0.5, 0.0, 0.0),
    (0.0, 0.0, 1.0, -1.0, 0.0, 0.5),
    (0.0, 0.5, 1.0, 1.0, 0.0, 0.0),
    (0.5, 0.0, 0.0, 0.0, 1.0, -1.0),
    (0.0, 0.0, 0.5, 0.0, 1.0, 1.0),
)
matrices = Experiment(
    "matrices",
    "The layer",
    (
        Slider("T", "Rows (words) T", 3, 1, layer.MOST),
        Slider("d", "Numbers a row d", 2, 1, layer.MOST),
        Choice("fill", "Numbers", "own", layer.FILLS),
        Slider("seed", "Seed (random)", 1, 0, 99),
        Toggle("scale", "Divide by √d", True),
        Toggle("mask", "Causal mask", False),
        Matrix("X", "X, one row a word", X, -3, 3),
        Matrix("W_Q", "W_Q", W_Q, -3, 3),
        Matrix("W_K", "W_K", W_K, -3, 3),
        Matrix("W_V", "W_V", W_V, -3, 3),
    ),
    layer.matrices,
    (
        views.matrices.queries,
        views.matrices.keys,
        views.matrices.values,
        views.matrices.reading,
        views.matrices.scores,
        views.matrices.weights,
        views.matrices.outputs,
    ),
    (
        Preset("Identity", "All three matrices are I: Q, K and V are X itself. Whom does each row look at?", {"fill": "identity"}),
        Preset(
            "Masked",
            "Row t sees rows 1 to t only. The first row can look at nobody but itself.",
            {"mask": True, "T": 4, "fill": "random", "d": 3},
        ),
        Preset("One row", "With T = 1 there is nobody else to look at: Y is V, whatever Q and K say.", {"T": 1}),
        Preset("Six by six", "The same sums with larger matrices. Point at any cell.", {"T": 6, "d": 6, "fill": "random"}),
    ),
    exercises.looking,
    code=(multihead.scaled_dot_product, layer.attend),
)

# ---- all contexts at once ----

swoop = Experiment(
    "swoop",
    "At once",
    (
        Choice("expression", "Expression", "softmax(H Sᵀ) H", tuple(sweeps.EXPRESSIONS)),
        Slider("T", "Source words T", 4, 1, 6),
        Slider("steps", "Target steps T′", 3, 1, 6),
        Slider("m", "Numbers a state m", 2, 1, 6),
        Slider("seed", "Seed", 0, 0, 99),
    ),
    sweeps.swoop,
    (views.swoop.product, views.swoop.reading, views.swoop.loop, views.swoop.pace),
    (
        Preset("All contexts", "Queries in rows, keys in columns: one product for all scores.", {"expression": "softmax(S Hᵀ) H"}),
        Preset(
            "The wrong axis",
            "The shapes all fit, and yet: here the weights of a column add up to 1, not those of a row.",
            {"expression": "softmax over columns (S Hᵀ) H"},
        ),
        Preset("No softmax", "Defined, and wrong: scores are not weights.", {"expression": "S Hᵀ H"}),
        Preset(
            "Sizes that hide it",
            "T = T′ = m: now every product is defined, and only the numbers can tell.",
            {"expression": "softmax(Hᵀ S) H", "T": 3, "steps": 3, "m": 3},
        ),
    ),
    exercises.shape,
    Job("measure both", sweeps.measure),
    (sweeps.by_loop, sweeps.at_once, attend),
)

# ---- one layer, three uses ----

PIE = "he hit me with a pie ."
AREA = "the agreement on the european economic area was signed in august 1992 ."
MORNING = "my friend anna reads a new letter in the morning ."
cross = Experiment(
    "cross",
    "Self and cross",
    (
        Choice("kind", "Attention", "seq2seq, dot", tuple(crossing.KINDS)),
        Text("text", "Sentence", PIE, (AREA, MORNING, "it is raining cats and dogs .")),
        Slider("head", "Head (Transformer)", 1, 1, crossing.HEADS),
    ),
    crossing.cross,
    (views.cross.ours, views.cross.own, views.cross.reading, views.cross.inputs),
    (
        Preset("Lesson 3 again", "Q = S, K = V = H, no matrices: the alignment of a seq2seq model.", {"text": AREA}),
        Preset(
            "Divided by √m",
            "A model trained with the scaled dot product, with its scale.",
            {"kind": "seq2seq, scaled dot", "text": AREA},
        ),
        Preset(
            "Cross",
            "The decoder asks, the encoder is looked at, through learned matrices.",
            {"kind": "cross, in a Transformer", "head": 2},
        ),
        Preset("Self", "The same words ask and are looked at.", {"kind": "self, in a Transformer", "head": 1}),
    ),
    exercises.recovered,
    code=(layer.attend, crossing.in_seq2seq, crossing.in_transformer),
)

# ---- order ----

DOG = "the dog sees the man ."
order = Experiment(
    "order",
    "Order",
    (
        Text("text", "Sentence", DOG, ("the old man kicked the bucket .", PIE, MORNING)),
        Choice("order", "Order of the words", "reversed", sets.ORDERS),
        Slider("seed", "Seed (shuffled)", 0, 0, 99),
        Toggle("positions", "Add positions", False),
        Slider("pair", "Wave shown", 3, 1, 32),
    ),
    sets.order,
    (
        views.order.sentence,
        views.order.reading,
        views.order.before,
        views.order.after,
        views.order.moved,
        views.order.waves,
        views.order.encoding,
    ),
    (
        Preset(
            "A bag of words",
            "“dog” and “man” change places, and no word notices.",
            {"order": "two swapped"},
        ),
        Preset("With positions", "The same reversal. Now a word’s output depends on where everybody stands.", {"positions": True}),
        Preset("A slow wave", "A late pair hardly moves over 24 places; an early one tells neighbours apart.", {"pair": 16}),
    ),
    exercises.equivariant,
    code=(sets.self_attended, blocks.positions),
)

# ---- the mask ----

RIVER = "i arrived at the bank after crossing the river ."
mask = Experiment(
    "mask",
    "The mask",
    (
        Text("text", "Sentence (words of the bank model)", RIVER, ("we saw the bat near the cave .", "the crane then flew .")),
        Step("t", "Word to replace", 9, 1, 24),
        Text("word", "… by", "street", ("street", "lake", "owl", "ball"), 40),
        Toggle("masked", "Causal mask", True),
    ),
    sets.mask,
    (views.mask.sentence, views.mask.reading, views.mask.moved, views.mask.gaze),
    (
        Preset("A leak", "The mask is off: words before the change notice it.", {"masked": False}),
        Preset("Change the past", "Later words may look back, so they do notice.", {"t": 2, "word": "walked"}),
        Preset("The same word", "Nothing is changed, so nothing moves.", {"word": "river"}),
    ),
    exercises.looks_ahead,
    code=(multihead.causal, sets.read_through),
)

# ---- heads ----

heads = Experiment(
    "heads",
    "Heads",
    (
        Text("text", "Sentence", DOG, (PIE, MORNING, AREA)),
        Choice("layer", "Weights", side_by_side.LAYERS[0], side_by_side.LAYERS),
        Choice("heads", "Heads (fresh)", "2", ("1", "2", "4", "8")),
        Choice("d", "Numbers a word d (fresh)", "8", ("8", "16", "32", "64")),
        Slider("seed", "Seed (fresh)", 0, 0, 99),
    ),
    side_by_side.heads,
    (*views.heads.each_head, views.heads.reading, views.heads.mixing, views.heads.growth),
    (
        Preset("One head", "One map for everything: each row must share its weight among all it wants to know.", {"heads": "1"}),
        Preset("Eight heads", "Eight maps, each made from a single number a word.", {"heads": "8"}),
        Preset(
            "Trained",
            "After training the heads differ. In head 1 the words “with a pie” all look at one other word: which?",
            {"layer": side_by_side.LAYERS[1], "text": PIE},
        ),
    ),
    exercises.more,
    code=(multihead.MultiHeadAttention,),
)

# ---- bank ----

bank = Experiment(
    "bank",
    "Bank",
    (
        Text(
            "text",
            "Finish the sentence",
            RIVER,
            (
                "i arrived at the bank after crossing the street .",
                "we noticed the bark of the old dog .",
                "they saw the bat near the cave .",
                "she looked at the crane next to the bulldozer .",
                "he found the letter in the crossword .",
                "the mouse in the story was wireless .",
                "they noticed the seal on the iceberg .",
                "he looked for the spring in the mattress .",
            ),
        ),
        Step("t", "Words read after it", 5, 0, 23),
    ),
    senses.bank,
    (views.bank.unfolds, views.bank.reading, views.bank.senses, views.bank.curve, views.bank.gaze, views.bank.tested),
    (
        Preset(
            "The street",
            "One word changes, and with it the sense of a word that came four words earlier.",
            {"text": "i arrived at the bank after crossing the street ."},
        ),
        Preset("Not yet", "Read up to “the”: nobody can know, and the two-sided model says so.", {"t": 3}),
        Preset(
            "A long wait",
            "Seven words stand between “bat” and the word that tells.",
            {"text": "we saw the bat as soon as somebody pointed at the umpire .", "t": 8},
        ),
    ),
    exercises.at_bank,
    code=(sense.SenseEncoder,),
)

# ---- parameters ----

parameters = Experiment(
    "parameters",
    "Parameters",
    (
        Slider("d", "Numbers a word d", 10, 1, 64),
        Slider("T", "Words T", 4, 1, 64),
        Slider("heads", "Heads", 1, 1, 8),
        Slider("number", "Task for “Check yourself”", 0, 0, 99),
    ),
    side_by_side.parameters,
    (views.parameters.learned, views.parameters.computed, views.parameters.reading, views.parameters.task),
    (
        Preset("A long sentence", "T = 40: the right picture grows, the left one does not.", {"T": 40}),
        Preset("Twice as wide", "d = 20: every matrix holds four times as many numbers.", {"d": 20}),
        Preset("Five heads", "Heads share the numbers of a word; nothing is added.", {"heads": 5}),
    ),
    exercises.twice_as_long,
    code=(multihead.MultiHeadAttention,),
)

# ---- cost ----

cost = Experiment(
    "cost",
    "Cost",
    (
        Slider("T", "Words T", 128, 16, 512, 16),
        Slider("d", "Numbers a word d", 64, 16, 128, 16),
        Toggle("forcing", "All inputs known (training, teacher forcing)", True),
    ),
    costs.cost,
    (views.cost.work, views.cost.reading, views.cost.chain, views.cost.path, views.cost.memory),
    (
        Preset("A long text", "T = 512, far longer than d: the T² scores take over.", {"T": 512}),
        Preset("A short sentence", "T = 16: fewer words than numbers a word. The scores hardly count.", {"T": 16}),
        Preset(
            "Writing",
            "Not in training: each word must be written before it can be read. Now attention waits too.",
            {"forcing": False},
        ),
    ),
    exercises.scores_grow,
    Job("measure on this machine", costs.measure),
    (costs.counted, costs.forward),
)

# ---- between ----

between = Experiment(
    "between",
    "In between",
    (
        Text(
            "text",
            "Sentence",
            "the man sees the dog .",
            (DOG, "when the queen gives her the letters , she always sleeps in the morning .", AREA),
        ),
        Toggle("alphabetical", "Sort the words from A to Z first", False),
        Choice("metric", "Right means", "whole sentences", tuple(models_between.METRICS)),
    ),
    models_between.between,
    (views.between.outputs, views.between.reading, views.between.by_length, views.between.parts),
    (
        Preset("Who sees whom", "Compare with the default: which model cannot tell the two apart?", {"text": DOG}),
        Preset("Sorted", "The words from A to Z. One model does not mind at all.", {"alphabetical": True}),
        Preset(
            "Who sleeps",
            "The right words, told of the wrong person.",
            {"text": "when the queen gives her the letters , she always sleeps in the morning ."},
        ),
    ),
    exercises.unordered,
    code=(between_models.SelfAttentionEncoder,),
)

LESSON = Lesson(
    slug="qkv",
    title="Queries, keys, values",
    short="Q·K·V",
    line="Attention as three matrices: every position asks every other, all at once.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(advice, matrices, swoop, cross, order, mask, heads, bank, parameters, cost, between),
    exercises=exercises.CHECK_YOURSELF,
)
