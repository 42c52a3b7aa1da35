"""Experiment `cache`: what a key–value cache saves, counted and measured."""

from lessons.kit.contract import Act, Job, Preset, Slider
from lessons.real.cache import views
from lessons.real.cache.compute import LENGTHS, cache_kilobytes, compute, count_products, measure
from lessons.real.cache.exercises import OPENING, how_much_work
from lessons.real.recordings import RecordedExperiment

EXPERIMENT = RecordedExperiment(
    "cache",
    "Cache",
    (
        Slider("T", "Number of pieces read so far", OPENING["T"], 1, LENGTHS[-1]),
        Slider("kv_heads", "Number of heads for keys and values", OPENING["kv_heads"], 1, 9),
    ),
    compute,
    (views.work, views.size, views.reading),
    (
        Preset("A long text", "The text has 128 pieces. How far apart are the two lines?", {"T": 128}),
        Preset(
            "A key for every head",
            "There are nine heads for keys, as in 2017. How large is the cache now?",
            {"kv_heads": 9},
        ),
    ),
    how_much_work,
    Job("Measure on this machine", measure),
    code=(count_products, cache_kilobytes),
    acts=(Act("times", (views.times,)),),
    layout=(("work", "size"), "reading"),
    is_heavy=True,
)
