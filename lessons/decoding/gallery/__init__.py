"""Experiment `gallery`: many texts by each decoding strategy, and their metrics next to those of a paper."""

from lessons.decoding.gallery import compute, exercises, views
from lessons.kit.contract import Act, Choice, Experiment, Job, Preset, Slider
from models import decoding, gallery

EXPERIMENT = Experiment(
    slug="gallery",
    title="Gallery",
    controls=(
        Choice("model", "Model", "GRU", tuple(gallery.MODELS)),
        Slider("number", "Prompt number", 1, 1, gallery.TEXT_COUNT),
        Choice("way", "Strategy for more texts", "top-p 0.95", compute.NAMES),
        Slider("seed", "Seed of new texts", 1, 1, 999),
    ),
    compute=compute.compute,
    views=(views.texts, views.reading),
    acts=(
        Act("figures", (views.figures, views.agreement)),
        Act("more", (views.more,)),
    ),
    presets=(
        Preset(
            "Caught",
            "Greedy and beam 16 write one sentence again and again. Do the sampled texts repeat sentences"
            " too?",
            {"number": 9},
        ),
        Preset(
            "Not caught",
            "Here the greedy text repeats no sentence. Open “What do many texts show?”: how rare is that?",
            {"number": 25},
        ),
        Preset(
            "A Transformer",
            "The Transformer repeats sentences too. Does its text end in a loop?",
            {"model": "Transformer", "number": 7},
        ),
    ),
    predict=exercises.GUESS,
    job=Job("Write new texts with this strategy", compute.write_new_texts),
    code=(
        gallery.write_text,
        gallery.figures,
        gallery.interval,
        decoding.find_loop,
        decoding.distinct,
    ),
)
