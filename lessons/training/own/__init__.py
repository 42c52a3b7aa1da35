"""Experiment `own`: train a model on your own pairs."""

from lessons.kit.contract import Act, Choice, Experiment, Job, PairFile, Preset
from lessons.training import run_views
from lessons.training.own import views
from lessons.training.own.compute import go_on, own, train
from lessons.training.own.exercises import shuffled
from lessons.training.own.samples import SAMPLES
from lessons.training.pair_file import (
    BINARY,
    EMPTY,
    MAX_PAIRS,
    MAX_SIDE_TOKENS,
    MAX_TEXT_BYTES,
    MAX_VOCABULARY,
    NOT_UTF_8,
    UNITS,
    UTF_16,
    read_pairs,
)
from lessons.training.settings import training_controls
from lessons.training.training_session import home
from models.device import with_gpu
from models.train import fit

EXPERIMENT = Experiment(
    "own",
    "Your pairs",
    (
        PairFile(
            "pairs",
            "Your pairs",
            max_bytes=MAX_TEXT_BYTES,
            formats=(
                f"TSV or CSV, UTF-8, two columns. At most {MAX_TEXT_BYTES // 1000} KB, {MAX_PAIRS:,} pairs,"
                f" {MAX_SIDE_TOKENS['words']} words or {MAX_SIDE_TOKENS['characters']} characters per side,"
                f" {MAX_VOCABULARY:,} different words or characters."
            ),
            file_errors=(
                ("utf-16", UTF_16),
                ("encoding", NOT_UTF_8),
                ("binary", BINARY),
                ("empty", EMPTY),
            ),
        ),
        Choice("sample", "Sample", SAMPLES[0], SAMPLES),
        Choice("unit", "Read as", "words", tuple(UNITS)),
        *training_controls(20),
    ),
    own,
    (views.report, run_views.exact, run_views.gaze, views.tries, views.reading),
    (
        Preset("A good file", "1,500 sentences of the course. Press “train”.", {}),
        Preset(
            "Too few",
            "There are only 40 of these sentences. Press “train”: what does the model do with unseen ones?",
            {"sample": "forty of them"},
        ),
        Preset(
            "No rule",
            "The right sides are shuffled. Press “train”: does the loss still fall?",
            {"sample": "no rule"},
        ),
        Preset(
            "With faults",
            "Some lines are faulty, as spreadsheets produce them. Which ones are skipped?",
            {"sample": "with faults"},
        ),
    ),
    shuffled,
    Job("train", with_gpu(train), Job("go on", with_gpu(go_on))),
    files=(home,),
    code=(read_pairs, fit),
    acts=(
        Act("lines", (views.skipped, views.first)),
        Act("learned", (run_views.loss, run_views.compared)),
        Act(
            "more",
            (run_views.size,),
            (("sample", "cell"), ("width", "layers"), ("power", "batch"), "seed", "size"),
        ),
    ),
    layout=((("report", "exact"), "gaze"), ("tries", "sentence"), "reading"),
    demonstrates="No rule",
    core=True,
)
