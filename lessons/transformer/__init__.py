"""Lesson 6, the Transformer: its blocks, its heads, what it can do without, and how it writes."""

from pathlib import Path

from lessons.kit.contract import Act, Choice, Experiment, Handles, Job, Lesson, Preset, Slider, Step, Text
from lessons.kit.referee import referee
from lessons.transformer import exercises, pictogram, views
from lessons.transformer.claims import CLAIMS
from lessons.transformer.compute import ablate as ablating
from lessons.transformer.compute import block as blocks
from lessons.transformer.compute import decode as decoding
from lessons.transformer.compute import heads as looking
from lessons.transformer.compute import lm as telling
from lessons.transformer.compute import norms as norming
from lessons.transformer.compute import placed as placing
from lessons.transformer.compute import pointwise as pointing
from lessons.transformer.compute import scoreboard as scoring
from lessons.transformer.compute import trained as training
from lessons.transformer.compute.sentence import HEADS, KINDS, LAYERS
from lessons.transformer.exercises import AGREEMENT, BOX, HOUSES, PIE, QUESTION, RIVER, SHORT
from models import blocks as parts
from models import export_script, multihead, transformer, transformer_lm

NOT = "the dog will not be bought ."


def sentence(default: str, *others: str) -> Text:
    return Text("text", "English sentence", default, others)


LAYER = Choice("layer", "Layer", "1", LAYERS)
KIND = Choice("kind", "Attention", "cross", tuple(KINDS))

# ---- blocks ----

block = Experiment(
    slug="block",
    title="Blocks",
    controls=(
        sentence(SHORT, PIE, "she gave up .", QUESTION, AGREEMENT),
        Choice("block", "Block", "encoder: self-attention", tuple(blocks.BLOCKS)),
        LAYER,
    ),
    compute=blocks.block,
    views=(views.block.diagram, views.block.tensors, views.block.reading),
    layout=(("diagram", "tensors"), "reading"),
    acts=(Act("all-numbers", (views.block.whole,)),),
    presets=(
        Preset(
            "Where it stands",
            "“the” comes twice, with the same vector; the stripes of PE make its places differ.",
            {"block": "encoder: embedding + position"},
        ),
        Preset(
            "Up and down",
            "Inside, many numbers are exactly 0: that is the ReLU.",
            {"block": "encoder: point-wise FC"},
        ),
        Preset(
            "Two sentences meet",
            "The decoder’s rows ask, the encoder’s answer: two inputs, one output.",
            {"block": "decoder: cross-attention", "layer": "2"},
        ),
        Preset(
            "Words at last",
            "One distribution for each place: how sure is each?",
            {"block": "decoder: linear + softmax"},
        ),
    ),
    predict=exercises.shape_out,
    code=(parts.Layer, parts.PointwiseFC, parts.Norm),
    core=True,
)

# ---- heads ----

heads = Experiment(
    slug="heads",
    title="Heads",
    controls=(
        sentence(QUESTION, AGREEMENT, RIVER, PIE, NOT, HOUSES),
        KIND,
        Choice("layer", "Layer", "2", LAYERS),
        Choice("head", "Head", "1", HEADS),
    ),
    compute=looking.heads,
    views=(views.heads.maps, views.heads.reading, views.heads.one),
    layout=((("maps", "reading"), "one"),),
    acts=(Act("aligners", (views.heads.aligners,)),),
    presets=(
        Preset(
            "An adjective out of place",
            "Three words come out in another order: follow the gold cells.",
            {"text": AGREEMENT, "layer": "2", "head": "2"},
        ),
        Preset(
            "What has been written",
            "The upper right is hatched: it is the future, and masked.",
            {"kind": "decoder self", "layer": "1", "head": "2"},
        ),
        Preset(
            "Is it a question?",
            "Where does this head look before it writes “est-ce”?",
            {"layer": "1", "head": "3"},
        ),
        Preset(
            "Which light?",
            "Row “light”: which word tells it that this is not about weight?",
            {"text": HOUSES, "kind": "encoder self", "layer": "1", "head": "1"},
        ),
    ),
    predict=exercises.aligner,
    code=(multihead.MultiHeadAttention, multihead.scaled_dot_product, looking.habit),
)

# ---- what it can do without ----

ablate = Experiment(
    slug="ablate",
    title="Without …",
    controls=(
        sentence(RIVER, QUESTION, NOT, HOUSES, AGREEMENT),
        Choice("part", "Switch off", "encoder positions", ablating.PARTS),
        Choice("kind", "Attention", "encoder self", tuple(KINDS)),
        LAYER,
        Choice("head", "Head", "1", HEADS),
        Slider("sample", "Fresh sample", 1, 1, 9),
        Choice("by", "Take it out by", "zero", ablating.WAYS),
    ),
    compute=ablating.ablate,
    views=(views.ablate.sentence, views.ablate.translations, views.ablate.reading),
    layout=("sentence", ("part", "by", "kind", "layer", "head"), "translations", "reading"),
    acts=(
        Act("words", (views.ablate.word_by_word,)),
        Act(
            "many",
            (views.ablate.accuracy, views.ablate.every_head),
            layout=("sample", ("accuracy", "every_head")),
        ),
    ),
    presets=(
        Preset(
            "Which light?",
            "One of 24 heads is off, and bright houses become houses of little weight. And with its mean?",
            {"text": HOUSES, "part": "one head", "kind": "encoder self", "layer": "1", "head": "1"},
        ),
        Preset(
            "No questions",
            "Another head, and “est-ce que” is gone: only the mark still asks.",
            {"text": HOUSES, "part": "one head", "kind": "cross", "layer": "2", "head": "2"},
        ),
        Preset(
            "Nothing carried past",
            "One residual of ten is cut: all that was there before is gone.",
            {"part": "residual", "kind": "encoder self", "layer": "1"},
        ),
        Preset(
            "No mask",
            "Word by word it is not missed; read all at once, the model trips over the future.",
            {"part": "causal mask"},
        ),
    ),
    predict=exercises.no_positions,
    job=Job("measure", ablating.measure),
    code=(ablating.edits_of, ablating.means, ablating.exact_match),
    core=True,
)

# ---- point by point ----

pointwise = Experiment(
    slug="pointwise",
    title="One word at a time",
    controls=(
        sentence(SHORT, PIE, QUESTION, AGREEMENT),
        LAYER,
        Step("position", "Position i", 3, 1, 40),
        Slider("amount", "Added to each of its numbers", 1.0, -3.0, 3.0, 0.1),
    ),
    compute=pointing.pointwise,
    views=(views.pointwise.given, views.pointwise.changes, views.pointwise.reading),
    layout=(("given", "changes"), "reading"),
    acts=(Act("far", (views.pointwise.sizes,)), Act("learned", (views.pointwise.learned,))),
    presets=(
        Preset(
            "A nudge", "Even a small change reaches the others, but only through attention.", {"amount": 0.1}
        ),
        Preset(
            "Thirteen words",
            "A longer sentence: the rule is the same.",
            {"text": AGREEMENT, "position": 7, "amount": 2.0},
        ),
        Preset(
            "In the upper layer",
            "The same rule in layer 2, with other weights.",
            {"layer": "2", "position": 6, "amount": -2.0},
        ),
    ),
    predict=exercises.moving,
    code=(parts.PointwiseFC, pointing.pointwise),
)

# ---- norms ----

norms = Experiment(
    slug="norms",
    title="Norms",
    controls=(
        Handles("x", "One word’s numbers: drag the bars", norming.MINE, -4, 4, 0.1),
        Slider("stretch", "Stretch γ", 1.0, -1.5, 1.5, 0.1),
        Slider("shift", "Shift β", 0.0, -1.0, 1.0, 0.1),
        Slider("loud", "The other sentence in the batch, times", 1.0, 0.0, 8.0, 0.5),
        Choice("place", "The norm stands", "pre-norm", tuple(placing.NAMES.values())),
        Choice("lr", "Learning rate", "0.008", training.RATES),
        Step("moment", "Moment", training.MOMENTS, 1, training.MOMENTS),
    ),
    compute=norming.norms,
    views=(
        views.norms.given,
        views.norms.layer_norm,
        views.norms.batch_norm,
        views.norms.batch_norm_in_use,
        views.norms.reading,
    ),
    layout=(("given", "layer_norm"), ("batch_norm", "batch_norm_in_use"), "reading"),
    acts=(
        Act("by-hand", (views.norms.by_hand,)),
        Act("batch", (views.norms.batch,)),
        Act("learned", (views.norms.learned,)),
        Act(
            "place",
            (views.norms.wiring, views.norms.growth, views.norms.told_place),
            ("place", ("wiring", "growth"), "told_place"),
        ),
        Act(
            "training",
            (views.norms.loss, views.norms.accuracy, views.norms.sweep, views.norms.told_training),
            (("lr", "moment"), ("loss", "accuracy"), "sweep", "told_training"),
        ),
    ),
    presets=(
        Preset(
            "One and a half more",
            "1.5 was added to every number. Which bars still end at their ticks?",
            {"x": tuple((a + 1.5,) for (a,) in norming.MINE)},
        ),
        Preset(
            "One loud number",
            "One number is far off. What happens to the others?",
            {"x": ((4.0,), *norming.MINE[1:])},
        ),
        Preset(
            "A loud neighbour",
            "Your word is as it was, another sentence is not. Which of the three outputs move?",
            {"loud": 6.0},
        ),
        Preset(
            "In a hurry",
            "Open the last closer look: four times the learning rate. Which of the three still learn?",
            {"lr": "0.032"},
        ),
    ),
    predict=exercises.all_larger,
    code=(parts.Norm, norming.over_batch, parts.Layer.add_norm),
)

# ---- how it writes ----

decode = Experiment(
    slug="decode",
    title="Writing",
    controls=(
        sentence(PIE, SHORT, RIVER, QUESTION, AGREEMENT),
        Step("t", "Step", 6, 1, decoding.MOST),
    ),
    compute=decoding.decode,
    views=(views.decode.walk, views.decode.reading),
    acts=(
        Act(
            "next",
            (views.decode.next_words,),
            asks=lambda run: f"What else could follow “{run.reads[run.place]}”?",
        ),
        Act(
            "training",
            (views.decode.training, views.decode.both, views.decode.agreement),
            layout=(("training", ("both", "agreement")),),
        ),
    ),
    presets=(
        Preset("Source in", "All words at once; nothing has met yet.", {"t": 1}),
        Preset("The first token", "Two decoder layers later: the first distribution.", {"t": 7}),
        Preset(
            "One verb for four words",
            "“entarté” is written: where does cross-attention look?",
            {"t": 10},
        ),
        Preset(
            "To the end",
            "A long sentence, nearly done: one pass of the decoder for each token.",
            {"text": AGREEMENT, "t": 20},
        ),
    ),
    predict=exercises.training_passes,
    code=(transformer.Transformer, transformer.TransformerWriter),
)

# ---- a language model ----

LEO = (
    "one evening , leo and the wise dog hurried past the stall . his grandmother needed a white flute , "
    "but nobody showed some apples . poor"
)
QUOTE = (
    "one evening , a calm girl called ella hurried to the barn . she wanted a white drum more than anything ."
    " the poems were old . “ dear ella , where is the white drum ?"
)
FARMERS = (
    "anna carried some pots beside the village . the farmers who had a pigeon and who often saw the knives "
    "of the bakers from the square"
)

lm = Experiment(
    slug="lm",
    title="Telling stories",
    controls=(
        Text("text", "A story, up to the word that is due", BOX, (f"{BOX} white", LEO, QUOTE, FARMERS)),
        Choice("head", "Head", "layer 2, head 1", telling.PLACES),
        Choice("do", "Let it", "leave it alone", telling.DEEDS),
    ),
    compute=telling.lm,
    views=(views.lm.story, views.lm.on_cue, views.lm.next_words, views.lm.reading),
    layout=("story", ("on_cue", "next_words"), "reading"),
    acts=(
        Act("every", (views.lm.every_head, views.lm.told_every)),
        Act("lens", (views.lm.lens, views.lm.told_lens)),
        Act("distance", (views.lm.by_distance, views.lm.told_distance)),
    ),
    presets=(
        Preset(
            "And then the thing",
            "One word on, “box” is due: which heads look for that?",
            {"text": f"{BOX} white", "head": "layer 2, head 4"},
        ),
        Preset(
            "Who was it?",
            "“poor …”: one person was named, and two heads know where.",
            {"text": LEO, "head": "layer 2, head 2"},
        ),
        Preset("Still open", "A quotation must be closed. Open “How early is it known?”.", {"text": QUOTE}),
        Preset(
            "Never learned",
            "“the farmers … were” is right. No head looks at “farmers”, and it shows.",
            {"text": FARMERS},
        ),
    ),
    predict=exercises.one_head_less,
    code=(telling.edits_of, transformer_lm.TransformerLM.early, multihead.MultiHeadAttention),
    core=True,
)

# ---- the scoreboard ----

scoreboard = Experiment(
    slug="scoreboard",
    title="Scoreboard",
    controls=(Choice("sort", "Sort by", "lesson", scoring.COLUMNS),),
    compute=scoring.scoreboard,
    views=(views.scoreboard.board, views.scoreboard.results, views.scoreboard.reading),
    layout=(("board", "results"), "reading"),
    presets=(
        Preset(
            "Who is right most often?",
            "Many rows are close. How far apart are the seeds of one row?",
            {"sort": "exact match"},
        ),
        Preset(
            "Who goes on?",
            "Sorted by sentences longer than in training: now the rows differ.",
            {"sort": "beyond training"},
        ),
        Preset("Who aligns best?", "A good aligner need not be the best translator.", {"sort": "AER"}),
    ),
    predict=exercises.beyond,
    acts=(Act("others", (views.scoreboard.others,)),),
    code=(scoring.table, export_script.script),
    core=True,
)

LESSON = Lesson(
    slug="transformer",
    title="The Transformer",
    short="Transformer",
    line="Attention and small networks, stacked. Open every block, or switch it off.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(block, ablate, lm, scoreboard, heads, pointwise, norms, decode, referee(CLAIMS)),
    exercises=exercises.CHECK_YOURSELF,
)
