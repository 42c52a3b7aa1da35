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
            "The story so far",
            MANY_PLACES,
            (NEW_SENTENCE, "one day , leo went to the castle .", "the boats"),
        ),
        Text(
            "source",
            "The English sentence",
            "we never arrived at the station .",
            (BEAM_WINS, PROBABLE_BUT_WRONG),
        ),
        Text("target", "French words so far", "", ("nous",)),
        Slider("n", "Words to sample", exercises.SAMPLED_AT_START, 0, compute.MAX_SAMPLED),
        Slider("seed", "Seed", exercises.SEED_AT_START, 0, 999),
    ),
    compute=compute.compute,
    views=(views.text_so_far, views.reading, views.next_words, views.chain),
    layout=("text_so_far", "reading", ("next_words", "chain")),
    presets=(
        Preset("From nothing", "You type no word: all words are sampled.", {"text": "", "n": 20}),
        Preset(
            "Branch",
            "The same seed after another name. Which later words are still the same?",
            {"text": "one day , leo walked to the"},
        ),
        Preset("Choose yourself", "No word is sampled: choose a bar, then another.", {"n": 0}),
        Preset(
            "A translator rolls",
            "Most of its words are nearly certain. Which words were decided by chance?",
            {"model": "translator", "n": 12, "seed": 6},
        ),
    ),
    predict=exercises.GUESS,
    code=(decoding.sample, decoding.draw),
    core=True,
)
