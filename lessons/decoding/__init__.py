"""Lesson 7, decoding: from probabilities to text, by search or by dice."""

from pathlib import Path

from lessons.decoding import exercises, pictogram, views
from lessons.decoding.compute import gallery as galleries
from lessons.decoding.compute import loop as loops
from lessons.decoding.compute import search, word
from lessons.decoding.compute.common import READERS, WRITERS
from lessons.decoding.exercises import HARBOUR, MARKET
from lessons.kit.contract import Act, Choice, Experiment, Job, Lesson, Preset, Slider, Text
from models import decoding

CASTLE = "one day , leo went to the castle ."
STATION = "we never arrived at the station ."
SURE = "one day , mira walked"
SEED = Slider("seed", "Seed of the dice", 0, 0, 999)

# ---- word by word ----

sample = Experiment(
    slug="sample",
    title="Word by word",
    controls=(
        Choice("model", "Who writes", "GRU", word.SAMPLERS),
        Text("text", "The story so far", MARKET, (HARBOUR, CASTLE, "the boats")),
        Text("source", "The English sentence", STATION, (exercises.GAVE_UP, exercises.CAR)),
        Text("target", "French words so far", "", ("nous",)),
        Slider("n", "Words to roll after it", exercises.ROLLED, 0, word.ROLLS),
        Slider("seed", "Seed of the dice", exercises.DIE, 0, 999),
    ),
    compute=word.sample,
    views=(views.sample.text_so_far, views.sample.reading, views.sample.next_words, views.sample.chain),
    layout=("text_so_far", "reading", ("next_words", "chain")),
    presets=(
        Preset("From nothing", "No word is typed: the dice write all of it.", {"text": "", "n": 20}),
        Preset(
            "Branch",
            "The same dice after another name. Which later words are still the same?",
            {"text": "one day , leo walked to the"},
        ),
        Preset("Choose yourself", "No dice: choose a bar, and another.", {"n": 0}),
        Preset(
            "A translator rolls",
            "Most of its words are nearly certain. Where did the dice have a say?",
            {"model": "translator", "n": 12, "seed": 6},
        ),
    ),
    predict=exercises.how_probable,
    code=(decoding.sample, decoding.draw),
    core=True,
)

# ---- filters ----

filters = Experiment(
    slug="filters",
    title="Filters",
    controls=(
        Choice("model", "Who offers words", "GRU", tuple(WRITERS)),
        Text("text", "The story so far", HARBOUR, (MARKET, SURE, "the boats were", "she said :")),
        Slider("temperature", "Temperature τ", 0.8, 0, 3, 0.05),
        Slider("k", "Top-k (0: off)", 6, 0, 100),
        Slider("p", "Top-p (1: off)", 0.9, 0, 1, 0.01),
        Slider("penalty", "Repetition penalty θ (1: off)", 1, 0.5, 3, 0.05),
        Text("ban", "Ban words", "", ("she", "she the")),
        Text("boost", "Lift words", "", ("her", "nobody suddenly")),
        Slider("by", "… their logits by", 3, -10, 10, 0.5),
        SEED,
    ),
    compute=word.filters,
    views=(
        views.filters.tempered,
        views.filters.after_top_k,
        views.filters.after_top_p,
        views.filters.renormalised,
        views.filters.reading,
    ),
    layout=(
        (("temperature", "tempered"), ("k", "after_top_k"), ("p", "after_top_p"), ("seed", "renormalised")),
        "reading",
    ),
    acts=(
        Act(
            "steer",
            (views.filters.logits, views.filters.adjusted),
            (("ban", "boost", "by", "penalty"), ("logits", "adjusted")),
        ),
        Act("unsure", (views.filters.uncertainty,)),
    ),
    presets=(
        Preset(
            "All off",
            "Nothing is changed or removed: this is the model itself.",
            {"temperature": 1, "k": 0, "p": 1},
        ),
        Preset("Cold", "The likely become likelier, before any cut.", {"temperature": 0.2, "k": 0, "p": 1}),
        Preset(
            "A nucleus follows",
            "The same p where the model is unsure: read how many are left.",
            {"text": MARKET, "temperature": 1, "k": 0},
        ),
        Preset(
            "Steered",
            "“she” is banned, “her” is lifted by 3: outlined at the left, ticks show what the model had.",
            {"temperature": 1, "k": 0, "p": 1, "ban": "she", "boost": "her"},
        ),
    ),
    predict=exercises.larger_nucleus,
    code=(
        decoding.stages,
        decoding.temper,
        decoding.top_k,
        decoding.top_p,
        decoding.penalise,
        decoding.adjust,
    ),
    core=True,
)

# ---- beam search ----

beam = Experiment(
    slug="beam",
    title="Beam search",
    controls=(
        Choice("model", "Model", "translator, one vector", tuple(search.MODELS)),
        Text(
            "source",
            "Sentence for a translator",
            exercises.GAVE_UP,
            (exercises.CAR, exercises.FRANCE, exercises.LONDON),
        ),
        Slider("width", "Width of the beam", 2, 1, 8),
        Slider("penalty", "Length penalty", 0, 0, 2, 0.1),
        Text("addends", "Sum for addition", "93+8", ("85+55", "2+22", "95+47")),
    ),
    compute=search.beam,
    views=(views.beam.tree, views.beam.reading, views.beam.side_by_side),
    acts=(
        Act("widths", (views.beam.by_width, views.beam.falls)),
        Act("length", (views.beam.lengths,), ("penalty", "lengths")),
    ),
    presets=(
        Preset(
            "More probable, and wrong",
            "Greedy is right here. The beam finds what the model likes better: another gift.",
            {"source": exercises.CAR},
        ),
        Preset(
            "One place more",
            "Compare this beam of two with greedy. Then give it four places.",
            {"source": exercises.FRANCE},
        ),
        Preset(
            "A sure model",
            "This model is sure of its sums. Is there anything left for a beam to find?",
            {"model": "addition", "width": 3},
        ),
        Preset(
            "The longer one wins",
            "Here log P is divided by the length (penalty 1). Is the answer another one with penalty 0, and"
            " which one is right?",
            {"source": exercises.LONDON, "penalty": 1.0},
        ),
    ),
    predict=exercises.never_worse,
    code=(decoding.beam, decoding.exhaustive),
    core=True,
)

# ---- loops ----

loop = Experiment(
    slug="loop",
    title="Loops",
    controls=(
        Text("phrase", "Phrase", exercises.HOME, exercises.PHRASES),
        Slider("r", "Said so many times before", 3, 0, loops.MOST),
        Choice("model", "Who writes on", "GRU", tuple(READERS)),
        Slider("temperature", "Nucleus: τ", 1, 0, 2, 0.05),
        Slider("p", "Nucleus: top-p", 0.9, 0, 1, 0.01),
        Slider("seed", "Nucleus: seed", 0, 0, 999),
        Slider("penalty", "Repetition penalty θ", 1.2, 1, 3, 0.05),
        Slider("n", "No n words twice (0: off)", 3, 0, loops.GRAM),
    ),
    compute=loops.loop,
    views=(views.loop.again_and_again, views.loop.reading, views.loop.texts),
    layout=("again_and_again", "reading", ("temperature", "p", "seed"), "texts"),
    acts=(
        Act("rare", (views.loop.rare,)),
        Act(
            "remedies",
            (views.loop.remedied, views.loop.cost, views.loop.verdicts),
            (("penalty", "n"), "remedied", "cost", "verdicts"),
        ),
    ),
    presets=(
        Preset("It feeds itself", "At first the phrase is rare. Being said makes it likelier.", {}),
        Preset(
            "Never seen",
            "No story has this phrase. Open the log axis below: does saying it help?",
            {"phrase": "my brave lamp sold seven swords .", "r": 50},
        ),
        Preset(
            "A nucleus is caught",
            "Top-p 0.5 keeps only the next word of the phrase, so the dice cannot leave it.",
            {"p": 0.5, "temperature": 0.7},
        ),
        Preset(
            "Too strong a remedy",
            "Open the remedies below. With the rule “no 1 word twice”, greedy leaves its loop. What does that"
            " cost?",
            {"n": 1},
        ),
    ),
    predict=exercises.feeds_itself,
    code=(decoding.phrase_logprobs, decoding.no_repeat, decoding.repeats),
    core=True,
)

# ---- gallery ----

gallery = Experiment(
    slug="gallery",
    title="Gallery",
    controls=(
        Choice("model", "Who writes", "GRU", tuple(galleries.made.MODELS)),
        Slider("number", "Beginning", 1, 1, galleries.made.COUNT),
        Choice("way", "Look closer at", "top-p 0.95", galleries.NAMES),
        Slider("seed", "Seed of fresh texts", 1, 1, 999),
    ),
    compute=galleries.gallery,
    views=(views.gallery.texts, views.gallery.reading),
    acts=(
        Act("figures", (views.gallery.figures, views.gallery.agreement)),
        Act("more", (views.gallery.more,)),
    ),
    presets=(
        Preset(
            "Caught",
            "Greedy and beam 16 write one sentence again and again. Do the texts drawn by dice?",
            {"number": 9},
        ),
        Preset(
            "Not caught",
            "Here greedy repeats no sentence, which is rare. Open the figures: how rare?",
            {"number": 25},
        ),
        Preset(
            "A Transformer",
            "The same ways with another model: it repeats sentences, too. Does it end in a loop?",
            {"model": "Transformer", "number": 7},
        ),
    ),
    predict=exercises.whose_text,
    job=Job("Write fresh texts this way", galleries.again),
    code=(
        galleries.made.written,
        galleries.made.figures,
        galleries.made.interval,
        decoding.repeats,
        decoding.distinct,
    ),
)

# ---- many draws ----

histogram = Experiment(
    slug="histogram",
    title="Many draws",
    controls=(
        Choice("model", "Whose distribution", "GRU", tuple(WRITERS)),
        Text("text", "The story so far", MARKET, (HARBOUR, SURE, "the boats were")),
        Slider("n", "Draws n", 100, 10, word.MOST, 10),
        Slider("temperature", "Temperature τ", 1, 0, 3, 0.05),
        SEED,
    ),
    compute=word.histogram,
    views=(views.histogram.shares, views.histogram.distance, views.histogram.reading),
    layout=(("shares", "distance"), "reading"),
    acts=(Act("slowly", (views.histogram.settles,)),),
    presets=(
        Preset("Ten", "Ten draws: most words were never seen.", {"n": 10}),
        Preset("Ten thousand", "Every tick is met. Where are you on the line?", {"n": 10_000}),
        Preset(
            "A wide choice",
            "A high temperature spreads the draws: the whole line moves up.",
            {"temperature": 2, "n": 1000},
        ),
        Preset("No choice", "At temperature 0 chance has nothing to decide.", {"temperature": 0}),
    ),
    predict=exercises.halve,
    code=(decoding.histogram, decoding.uniforms, word.expected_distances),
)

LESSON = Lesson(
    slug="decoding",
    title="Decoding and sampling",
    short="Decoding",
    line="Greedy, beam, temperature, top-k, top-p: one model, very different texts.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(sample, filters, beam, loop, gallery, histogram),
    exercises=exercises.CHECK_YOURSELF,
)
