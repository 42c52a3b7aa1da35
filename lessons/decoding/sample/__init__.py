"""Experiment `sample`: sample a text word by word from a model's distributions."""

from lessons.decoding.prompts import BEAM_WINS, MANY_PLACES, NEW_SENTENCE, PROBABLE_BUT_WRONG
from lessons.decoding.sample import compute, exercises, views
from lessons.kit.contract import Choice, Experiment, Preset, Slider, Text
from models import decoding

EXPERIMENT = Experiment(
    slug="sample",
    title="Word by word",
    controls=(
        Choice("model", "Model", "GRU", compute.SAMPLERS),
        Text(
            "text",
            "Beginning of the story",
            MANY_PLACES,
            (NEW_SENTENCE, "one day , leo went to the castle .", "the boats"),
        ),
        Text(
            "source",
            "English sentence",
            "we never arrived at the station .",
            (BEAM_WINS, PROBABLE_BUT_WRONG),
        ),
        Text("target", "Beginning of the French sentence", "", ("nous",)),
        Slider("n", "Number of words to sample", exercises.SAMPLED_AT_START, 0, compute.MAX_SAMPLED),
        Slider("seed", "Seed of the random numbers", exercises.SEED_AT_START, 0, 999),
    ),
    compute=compute.compute,
    views=(views.text_so_far, views.reading, views.next_words, views.chain),
    layout=("text_so_far", "reading", ("next_words", "chain")),
    presets=(
        Preset("From nothing", "The text is empty, so all words are sampled.", {"text": "", "n": 20}),
        Preset(
            "Another name",
            "The same seed, but the story is about Leo. Which later words are still the same?",
            {"text": "one day , leo walked to the"},
        ),
        Preset("Choose yourself", "No word is sampled. Click a bar to choose the next word.", {"n": 0}),
        Preset(
            "A translator",
            "Most words of a translation are nearly certain. Which words were decided by chance?",
            {"model": "translator", "n": 12, "seed": 6},
        ),
    ),
    predict=exercises.GUESS,
    code=(decoding.sample, decoding.sample_ids),
    core=True,
)
