"""Lesson 7, decoding: from probabilities to text, by search or by dice."""

from pathlib import Path

from lessons.decoding import exercises, pictogram, views
from lessons.decoding.compute import gallery as galleries
from lessons.decoding.compute import loop as loops
from lessons.decoding.compute import search, word
from lessons.decoding.compute.common import READERS, WRITERS
from lessons.kit.contract import Choice, Experiment, Job, Lesson, Preset, Slider, Text
from models import decoding

MARKET = "one day , mira walked to the"
HARBOUR = "one day , mira walked to the harbour ."
CASTLE = "one day , leo went to the castle ."
SURE = "one day , mira walked"
SEED = Slider("seed", "Seed of the dice", 0, 0, 999)

# ---- word by word ----

sample = Experiment(
    slug="sample",
    title="Word by word",
    controls=(
        Choice("model", "Who writes", "GRU", word.SAMPLERS),
        Text("text", "The story so far: type to branch, delete to go back", MARKET, (HARBOUR, CASTLE, "the boats")),
        Slider("n", "Words to roll after it", 3, 0, word.ROLLS),
        Slider("seed", "Seed of the dice", 3, 0, 999),
        Text("source", "Translator: the English sentence", "the small books are old .", ("i gave him the letters .",)),
        Text("target", "Translator: French words so far", "", ("les petits",)),
    ),
    compute=word.sample,
    views=(views.sample.text_so_far, views.sample.reading, views.sample.next_words, views.sample.chain),
    presets=(
        Preset(
            "From nothing", "No word is typed: the dice write all of it. Take words back with the slider.", {"text": "", "n": 20}
        ),
        Preset(
            "Branch",
            "The same dice after another beginning. Which of the later words are still the same?",
            {"text": "one day , leo walked to the"},
        ),
        Preset("Choose yourself", "No dice: read the bars, type the word you like, read again.", {"n": 0}),
        Preset(
            "A translator rolls",
            "The same dice for a translator: its distributions are narrow, so chance has little to say. Look at the factors.",
            {"model": "translator", "n": 3},
        ),
    ),
    predict=exercises.how_probable,
    code=(decoding.sample, decoding.draw),
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
        Slider("penalty", "Repetition penalty (1: off)", 1, 0.5, 3, 0.05),
        Text("ban", "Ban words (with spaces between)", "", ("she", "she the")),
        Text("boost", "Boost words", "", ("he", "nobody suddenly")),
        Slider("by", "… their logits by", 3, -10, 10, 0.5),
        SEED,
    ),
    compute=word.filters,
    views=(
        views.filters.logits,
        views.filters.adjusted,
        views.filters.reading,
        views.filters.tempered,
        views.filters.after_top_k,
        views.filters.after_top_p,
        views.filters.renormalised,
        views.filters.uncertainty,
    ),
    presets=(
        Preset("All off", "Nothing is changed or removed: this is the model itself.", {"temperature": 1, "k": 0, "p": 1}),
        Preset(
            "Cold",
            "A low temperature makes the likely likelier: the entropy falls before any cut.",
            {"temperature": 0.2, "k": 0, "p": 1},
        ),
        Preset(
            "A nucleus follows",
            "The same p after other words: here the model is unsure, and the nucleus is larger by itself. A top-k would not know.",
            {"text": MARKET, "temperature": 1, "k": 0},
        ),
        Preset(
            "Steered",
            "One word is banned and one is lifted by 3. In the second picture they are outlined, with their old places as ticks.",
            {"temperature": 1, "k": 0, "p": 1, "ban": "she", "boost": "he"},
        ),
    ),
    predict=exercises.larger_nucleus,
    code=(decoding.stages, decoding.temper, decoding.top_k, decoding.top_p, decoding.penalise, decoding.adjust),
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
            exercises.MONEY,
            (exercises.FISH, exercises.PIERRE, exercises.CRISIS, "were the matches red ?"),
        ),
        Slider("width", "Width of the beam", 2, 1, 8),
        Slider("penalty", "Length penalty λ", 0, 0, 2, 0.1),
        Text("addends", "Sum for addition", "93+8", ("85+55", "2+22", "95+47")),
    ),
    compute=search.beam,
    views=(views.beam.tree, views.beam.reading, views.beam.side_by_side, views.beam.by_width, views.beam.lengths),
    presets=(
        Preset("Beam beats greedy", "Greedy takes “de”, the likelier word, and is stuck with soup. The beam kept “d'” too.", {}),
        Preset(
            "More probable, and wrong",
            "Greedy translates this right. A wider beam finds something the model likes better: about money.",
            {"source": exercises.FISH},
        ),
        Preset(
            "Wider is worse",
            "Compare the widths: with one place more, the answer is lost that a narrower beam had.",
            {"source": exercises.PIERRE, "width": 6},
        ),
        Preset(
            "A sum, exactly",
            "Ten digits and a short output: full search is easy. Is the most probable answer the right one?",
            {"model": "addition", "width": 3},
        ),
    ),
    predict=exercises.never_worse,
    code=(decoding.beam, decoding.exhaustive),
)

# ---- loops ----

loop = Experiment(
    slug="loop",
    title="Loops",
    controls=(
        Text(
            "phrase",
            "Phrase",
            "i want to go home .",
            exercises.PHRASES,
        ),
        Slider("r", "Said so many times before", 3, 0, loops.MOST),
        Choice("model", "Who writes on", "GRU", tuple(READERS)),
        Slider("p", "Nucleus: top-p", 0.9, 0, 1, 0.01),
        Slider("temperature", "Nucleus: temperature", 1, 0, 2, 0.05),
        Slider("seed", "Nucleus: seed", 0, 0, 999),
        Slider("penalty", "Remedy: repetition penalty", 1.2, 1, 3, 0.05),
        Slider("n", "Remedy: no n words twice (0: off)", 3, 0, loops.GRAM),
    ),
    compute=loops.loop,
    views=(views.loop.again_and_again, views.loop.reading, views.loop.texts, views.loop.cost, views.loop.on_a_log_axis),
    presets=(
        Preset(
            "It feeds itself",
            "At first the phrase is rare. Follow the lines: being said makes it likelier.",
            {},
        ),
        Preset(
            "Never seen",
            "A phrase that no story has. Does saying it a hundred times help? Read the second picture, on the log axis.",
            {"phrase": "my brave lamp sold seven swords .", "r": 50},
        ),
        Preset(
            "Out of one loop, into the next",
            "The penalty drives greedy away from the boats, and where does it end?",
            {"phrase": "the boats were wet .", "seed": 1},
        ),
        Preset(
            "Too strong a remedy",
            "A high penalty and no pair of words twice: no loop, but what does it write?",
            {"penalty": 3, "n": 2},
        ),
    ),
    predict=exercises.who_loops,
    code=(decoding.phrase_logprobs, decoding.no_repeat, decoding.repeats),
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
    views=(
        views.gallery.texts,
        views.gallery.reading,
        views.gallery.perplexity,
        views.gallery.repetition,
        views.gallery.orders,
        views.gallery.variety,
        views.gallery.more,
    ),
    presets=(
        Preset("Search repeats", "Look at greedy: outlined sentences were written before.", {"way": "greedy"}),
        Preset(
            "Pure dice wander",
            "Nothing is cut: now and then a word of the long tail comes, and the text leaves its path.",
            {"way": "pure sampling"},
        ),
        Preset("A Transformer", "The same ways, another model: which orders stay?", {"model": "Transformer", "number": 2}),
    ),
    predict=exercises.most_human,
    job=Job("Write fresh texts this way", galleries.again),
    code=(galleries.made.written, galleries.made.figures, decoding.repeats, decoding.distinct),
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
    presets=(
        Preset("Ten", "Ten draws: most words were never seen.", {"n": 10}),
        Preset("Ten thousand", "Every tick is met. Where is the marker on the line?", {"n": 10_000}),
        Preset(
            "A wide choice",
            "A high temperature spreads the draws over many words: the whole line moves up.",
            {"temperature": 2, "n": 1000},
        ),
    ),
    predict=exercises.halve,
    code=(decoding.histogram, decoding.uniforms),
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
