"""Lesson 5, queries, keys, values: attention as a layer of its own."""

from pathlib import Path

from lessons.kit.contract import (
    Act,
    Choice,
    Experiment,
    Handles,
    Job,
    Lesson,
    Matrix,
    Preset,
    Slider,
    Step,
    Text,
    Toggle,
)
from lessons.qkv import exercises, guesses, pictogram, views
from lessons.qkv.compute import bank as senses
from lessons.qkv.compute import between as models_between
from lessons.qkv.compute import blank as left_out
from lessons.qkv.compute import cost as costs
from lessons.qkv.compute import cross as crossing
from lessons.qkv.compute import dynamic as mixing
from lessons.qkv.compute import general as sizes
from lessons.qkv.compute import heads as side_by_side
from lessons.qkv.compute import layer, sets
from lessons.qkv.compute import swoop as sweeps
from models import blocks, multihead, word_sense
from models import self_attention_encoder as between_models
from models.attention import attend

# ---- whom to trust ----

advice = Experiment(
    "advice",
    "Advice",
    (
        Handles("match", "How well each field matches: drag the bars", layer.MATCH, 0, 5, 0.1),
        Toggle("hard", "Hear only the best match", False),
    ),
    layer.advice,
    (views.advice.answers, views.advice.matches, views.advice.weights, views.advice.reading),
    (
        Preset(
            "Two fields match",
            "The programmer’s field, and the biologist’s: which words do both of them say?",
            {"match": ((2.0,), (3.0,), (2.0,), (3.5,))},
        ),
        Preset(
            "One more each",
            "Every match is 1 more than at the start. Which weight is not as it was?",
            {"match": layer.raised(1)},
        ),
        Preset(
            "Nobody knows better",
            "All match alike: everybody is heard equally.",
            {"match": ((2.0,),) * 4},
        ),
        Preset(
            "A hard choice",
            "Only the best match is heard: another bar does nothing until it wins.",
            {"hard": True},
        ),
    ),
    guesses.one_more,
    code=(multihead.scaled_dot_product,),
    acts=(Act("softmax", (views.advice.softened,), asks=views.advice.weight_asked),),
    layout=("answers", ("matches", "weights"), "reading"),
    core=True,
)

# ---- the attention layer ----

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
        *(
            Matrix(name, label, rows, layer.LOW, layer.HIGH, in_picture=True)
            for name, label, rows in zip(
                ("X", "W_Q", "W_K", "W_V"),
                ("X, one row a word", "W_Q", "W_K", "W_V"),
                layer.START,
                strict=True,
            )
        ),
    ),
    layer.matrices,
    (views.matrices.layer, views.matrices.reading),
    (
        Preset("Identity", "All three matrices are I: Q, K and V are X itself.", {"fill": "identity"}),
        Preset(
            "Masked",
            "Row t sees rows 1 to t only; the first row sees nobody but itself.",
            {"mask": True, "T": 4, "fill": "random", "d": 3},
        ),
        Preset(
            "One row", "With T = 1 there is nobody else to look at: Y is V, whatever Q and K say.", {"T": 1}
        ),
        Preset(
            "Six by six",
            "The same sums with larger matrices; point at any cell.",
            {"T": 6, "d": 6, "fill": "random"},
        ),
    ),
    guesses.one_number,
    code=(multihead.scaled_dot_product, layer.attend),
    acts=(
        Act("scores", (views.matrices.scores,), asks=views.matrices.weight_asked),
        Act("outputs", (views.matrices.outputs,), asks=views.matrices.output_asked),
    ),
    core=True,
)

# ---- the layer in general ----

in_general = Experiment(
    "layer",
    "In general",
    (
        Slider("T_Q", "X_Q: rows T′", 2, 1, sizes.MOST),
        Slider("d_Q", "X_Q: columns d_Q", 4, 1, sizes.MOST),
        Slider("T", "X: rows T", 5, 1, sizes.MOST),
        Slider("d_X", "X: columns d_X", 3, 1, sizes.MOST),
        Toggle("own", "X itself asks", False),
        Slider("wide_Q", "W_Q: columns d_K", 2, 1, sizes.MOST),
        Slider("wide_K", "W_K: columns d_K, too", 2, 1, sizes.MOST),
        Slider("d_V", "W_V: columns d_V", 4, 1, sizes.MOST),
        Choice("fill", "W_Q, W_K, W_V", "random", sizes.FILLS),
        Slider("seed", "Seed", 2, 0, 99),
        Choice("turn", "Turn upside down", "nothing", sizes.TURNS),
    ),
    sizes.general,
    (views.general.whole, views.general.reading),
    (
        Preset("Self", "X asks itself: as many queries as inputs, and A is square.", {"own": True}),
        Preset(
            "Seq2seq",
            "All matrices are I: with decoder states as queries and encoder states as inputs this is lesson"
            " 3, by the scaled dot.",
            {"fill": "identity", "d_Q": 3},
        ),
        Preset(
            "Sizes that do not fit",
            "Queries of 2 numbers, keys of 3: which arrows end nowhere?",
            {"wide_K": 3},
        ),
        Preset(
            "Permuted inputs",
            "Rows of K and V and columns of A are upside down. And Y?",
            {"turn": "inputs"},
        ),
    ),
    guesses.free,
    code=(multihead.scaled_dot_product, sizes.general),
    acts=(
        Act("agree", (views.general.agree,)),
        Act("turned", (views.general.weights_turned, views.general.outputs_turned)),
    ),
    layout=(("T_Q", "d_Q", "T", "d_X"), "whole", "reading"),
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
    (views.swoop.product, views.swoop.reading),
    (
        Preset(
            "All contexts",
            "Queries in rows, keys in columns: one product for all scores.",
            {"expression": "softmax(S Hᵀ) H"},
        ),
        Preset(
            "The wrong axis",
            "The shapes fit, but the weights of a column add up to 1, not those of a row.",
            {"expression": "softmax over columns (S Hᵀ) H"},
        ),
        Preset("No softmax", "Defined, and wrong: scores are not weights.", {"expression": "S Hᵀ H"}),
        Preset(
            "Sizes that hide it",
            "T = T′ = m: every product is defined, only the numbers can tell.",
            {"expression": "softmax(Hᵀ S) H", "T": 3, "steps": 3, "m": 3},
        ),
    ),
    guesses.shape,
    Job("measure both", sweeps.measure),
    (sweeps.by_loop, sweeps.at_once, attend),
    (Act("loop", (views.swoop.loop,)), Act("pace", (views.swoop.pace,))),
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
    (views.cross.ours, views.cross.own, views.cross.reading),
    (
        Preset(
            "Lesson 3 again",
            "Q = S, K = V = H, no matrices: the alignment of a seq2seq model.",
            {"text": AREA},
        ),
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
        Preset(
            "Self", "The same words ask and are looked at.", {"kind": "self, in a Transformer", "head": 1}
        ),
    ),
    guesses.recovered,
    code=(layer.attend, crossing.in_seq2seq, crossing.in_transformer),
    acts=(Act("inputs", (views.cross.inputs,)),),
    layout=(("ours", "own"), "reading"),
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
    (views.order.sentence, views.order.moved, views.order.reading),
    (
        Preset(
            "A bag of words",
            "“dog” and “man” change places, and no word notices.",
            {"order": "two swapped"},
        ),
        Preset(
            "With positions",
            "The same reversal: now an output depends on where everybody stands.",
            {"positions": True},
        ),
        Preset(
            "As it stands",
            "Nothing is moved, so nothing changes, with positions or without.",
            {"order": "as it stands"},
        ),
    ),
    guesses.equivariant,
    code=(sets.self_attended, blocks.positions),
    acts=(
        Act("maps", (views.order.before, views.order.after), (("before", "after"),)),
        Act("waves", (views.order.waves, views.order.encoding), (("waves", "pair"), "encoding")),
    ),
    core=True,
)

# ---- fixed or made anew ----

dynamic = Experiment(
    "dynamic",
    "Fixed or anew?",
    (
        Choice("change", "Change the sentence", "reversed", mixing.CHANGES),
        Slider("T", "Words T", mixing.MADE_FOR, 3, len(mixing.WORDS)),
        Slider("d", "Numbers a word d", 4, 2, 8),
        Slider("seed", "Seed (all numbers)", 0, 0, 99),
    ),
    mixing.dynamic,
    (
        views.dynamic.sentence,
        views.dynamic.fixed,
        views.dynamic.window,
        views.dynamic.made,
        views.dynamic.reading,
    ),
    (
        Preset(
            "A word twice",
            "“dog” stands at two places: in which map are its columns equal?",
            {"change": "a word twice"},
        ),
        Preset(
            "Two swapped",
            "“dog” and “cat” change places: in A their rows and columns do, too.",
            {"change": "two swapped"},
        ),
        Preset(
            "Three words more", "Which of the three has no weights for them?", {"change": "nothing", "T": 8}
        ),
    ),
    guesses.anew,
    code=(mixing.fully_connected, mixing.convolution, mixing.attention),
    acts=(
        Act(
            "along",
            (views.dynamic.of_fixed, views.dynamic.of_window, views.dynamic.of_made),
            (("of_fixed", "of_window", "of_made"),),
        ),
        Act("pairs", (views.dynamic.made_before, views.dynamic.made_now), (("made_before", "made_now"),)),
        Act("counts", (views.dynamic.counts,)),
    ),
    layout=("sentence", ("fixed", "window", "made"), "reading"),
)

# ---- the mask ----

RIVER = "i arrived at the bank after crossing the river ."
mask = Experiment(
    "mask",
    "The mask",
    (
        Text(
            "text",
            "Sentence (words of the bank model)",
            RIVER,
            ("we saw the bat near the cave .", "the crane then flew ."),
        ),
        Step("t", "Word to replace", 9, 1, 24),
        Text("word", "… by", "street", ("street", "lake", "owl", "ball"), 40),
        Toggle("masked", "Causal mask", True),
    ),
    sets.mask,
    (views.mask.sentence, views.mask.gaze, views.mask.moved, views.mask.reading),
    (
        Preset("A leak", "The mask is off: words before the change notice it.", {"masked": False}),
        Preset(
            "Change the past", "Later words may look back, so they do notice.", {"t": 2, "word": "walked"}
        ),
        Preset("The same word", "Nothing is changed, so nothing moves.", {"word": "river"}),
    ),
    guesses.looks_ahead,
    code=(multihead.causal, sets.read_through),
    layout=("sentence", ("gaze", "moved"), "reading"),
    core=True,
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
    (*views.heads.each_head, views.heads.reading),
    (
        Preset(
            "One head",
            "One map for everything: each row shares its weight among all it wants to know.",
            {"heads": "1"},
        ),
        Preset("Eight heads", "Eight maps, each made from a single number a word.", {"heads": "8"}),
        Preset(
            "Trained",
            "The heads differ: in head 2 “with” and “pie” look at one and the same word. Which?",
            {"layer": side_by_side.LAYERS[1], "text": PIE},
        ),
    ),
    guesses.more,
    code=(multihead.MultiHeadAttention,),
    acts=(Act("mixing", (views.heads.mixing,)), Act("growth", (views.heads.growth,))),
    layout=(views.heads.NAMES[:4], views.heads.NAMES[4:], "reading"),
    core=True,
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
                "after crossing the river , i arrived at the bank .",
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
    (views.bank.both_sides, views.bank.left_to_right, views.bank.senses, views.bank.reading),
    (
        Preset(
            "The street",
            "One word changes, and with it the sense of a word four places earlier.",
            {"text": "i arrived at the bank after crossing the street ."},
        ),
        Preset(
            "Told before",
            "The river comes first. Does the mask still hide it?",
            {"text": "after crossing the river , i arrived at the bank .", "t": 0},
        ),
        Preset("Not yet", "Read up to “the”: nobody can know, and the two-sided model says so.", {"t": 3}),
        Preset(
            "A long wait",
            "Seven words stand between “bat” and the word that tells.",
            {"text": "we saw the bat as soon as somebody pointed at the umpire .", "t": 8},
        ),
    ),
    guesses.at_bank,
    code=(word_sense.SenseEncoder,),
    acts=(Act("when", (views.bank.curve,)), Act("where", (views.bank.gaze,), asks=views.bank.look_asked)),
)

# ---- blank ----

blank = Experiment(
    "blank",
    "Blank",
    (
        Text(
            "text",
            "Sentence with one blank ___",
            guesses.MUDDY,
            (
                "we noticed the bark of the ___ and it was loud .",
                "it ___ when they saw the bat near the cave .",
                "near the ___ , she looked at the crane and it flew .",
                "it was sealed when he found the letter in the ___ .",
                "it melted when they noticed the seal on the ___ and it cracked .",
                "the mouse in the story was ___ .",
            ),
        ),
    ),
    left_out.blank,
    (views.blank.filled, views.blank.words, views.blank.senses, views.blank.reading),
    (
        Preset(
            "Told before",
            "The same words in another order. Which model gains by it?",
            {"text": "it was muddy when i arrived at the bank after crossing the ___ ."},
        ),
        Preset(
            "Another bank",
            "One word changes, three places after the blank. Which words change places with which?",
            {"text": "i arrived at the bank after crossing the ___ and it was bankrupt ."},
        ),
        Preset(
            "Nothing tells",
            "Nobody can know. Is anybody sure?",
            {"text": "i arrived at the bank after crossing the ___"},
        ),
        Preset(
            "In between",
            "The river comes after “bank” and before the blank. What does the left-to-right model know"
            " where?",
            {"text": "i arrived at the bank after crossing the river and it was ___ ."},
        ),
    ),
    guesses.who_knows,
    code=(word_sense.SenseEncoder,),
    acts=(Act("looks", (views.blank.gaze,)), Act("known", (views.blank.known, views.blank.counted))),
    layout=("filled", ("words", "senses"), "reading"),
)

# ---- parameters ----

parameters = Experiment(
    "parameters",
    "Parameters",
    (
        Slider("d", "Numbers a word d", 10, 1, 64),
        Slider("T", "Words T", 4, 1, side_by_side.LONGEST),
        Slider("heads", "Heads", 1, 1, side_by_side.MOST_HEADS),
        Slider("number", "Task", 0, 0, 99),
    ),
    side_by_side.parameters,
    (views.parameters.learned, views.parameters.computed, views.parameters.reading),
    (
        Preset("A long sentence", "T = 40: the right picture grows, the left one does not.", {"T": 40}),
        Preset("Twice as wide", "d = 20: every matrix holds four times as many numbers.", {"d": 20}),
        Preset(
            "Five heads",
            "Heads share the numbers of a word: no more is learned, but E and A are kept once a head.",
            {"heads": 5},
        ),
    ),
    guesses.twice_as_long,
    code=(multihead.MultiHeadAttention,),
    acts=(Act("another", (views.parameters.task,), ("task", "number")),),
    layout=(("learned", "computed"), "reading"),
)

# ---- cost ----

cost = Experiment(
    "cost",
    "Cost",
    (
        Slider("T", "Words T", 128, 16, 512, 16),
        Slider("d", "Numbers a word d", 64, 16, 128, 16),
        Toggle("forcing", "All inputs known (training)", True),
    ),
    costs.cost,
    (views.cost.work, views.cost.chain, views.cost.reading),
    (
        Preset("A long text", "T = 512, far longer than d: the T² scores take over.", {"T": 512}),
        Preset(
            "A short sentence", "T = 16, fewer words than numbers a word: the scores hardly count.", {"T": 16}
        ),
        Preset(
            "Writing",
            "Each word must be written before it can be read: now attention waits too.",
            {"forcing": False},
        ),
    ),
    guesses.four_times,
    Job("measure on this machine", costs.measure),
    (costs.counted, costs.forward),
    (Act("path", (views.cost.path,)), Act("memory", (views.cost.memory,))),
    (("work", "chain"), "reading"),
)

# ---- between ----

ASKED = "is the beautiful letter very important ?"
between = Experiment(
    "between",
    "In between",
    (
        Text(
            "text",
            "Sentence",
            "the man sees the dog .",
            (DOG, ASKED, "when marie sleeps , five hundred nurses work in the evening .", AREA),
        ),
        Toggle("alphabetical", "Sort the words from A to Z first", False),
        Choice("metric", "Right means", "whole sentences", tuple(models_between.METRICS)),
    ),
    models_between.between,
    (views.between.outputs, views.between.by_length, views.between.reading),
    (
        Preset(
            "Who sees whom", "Compare with the default: which model cannot tell the two apart?", {"text": DOG}
        ),
        Preset("Sorted", "The words from A to Z: one model does not mind at all.", {"alphabetical": True}),
        Preset(
            "What is asked", "One model writes all the right words, and asks something else.", {"text": ASKED}
        ),
    ),
    guesses.unordered,
    code=(between_models.SelfAttentionEncoder,),
    acts=(Act("parts", (views.between.parts, views.between.sizes)),),
)

LESSON = Lesson(
    slug="qkv",
    title="Queries, keys, values",
    short="Q·K·V",
    line="Attention as three matrices: every position asks every other, all at once.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(
        advice,
        matrices,
        order,
        mask,
        heads,
        in_general,
        swoop,
        cross,
        dynamic,
        bank,
        blank,
        parameters,
        cost,
        between,
    ),
    exercises=exercises.CHECK_YOURSELF,
)
