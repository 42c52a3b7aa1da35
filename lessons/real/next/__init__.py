"""Experiment `next`: a real language model predicts the next token of any text."""

from lessons.kit.contract import Act, Preset, Slider, Text
from lessons.real.fetching import fetch_job
from lessons.real.next import views
from lessons.real.next.compute import MAX_ROLLED, compute
from lessons.real.next.exercises import CAPITAL, how_sure
from lessons.real.pretrained_model import MAX_CHARACTERS
from lessons.real.recordings import RecordedExperiment
from models.decoding import filters

ITALY = "The capital of Italy is"
JOKE = "Why did the chicken cross the road? Because"
CODE = "def add(a, b):\n    return"
EXPERIMENT = RecordedExperiment(
    "next",
    "Next piece",
    (
        Text("text", "Text in any language", CAPITAL, (ITALY, JOKE, CODE, "Le chat est sur"), MAX_CHARACTERS),
        Slider("temperature", "Temperature τ", 1.0, 0, 2, 0.05),
        Slider("k", "Top-k (0: off)", 0, 0, 100),
        Slider("p", "Top-p (1: off)", 1.0, 0, 1, 0.01),
        Slider("min_p", "Min-p (0: off)", 0.0, 0, 1, 0.01),
        Slider("n", "Number of pieces to draw", 0, 0, MAX_ROLLED),
        Slider("seed", "Seed", 0, 0, 999),
    ),
    compute,
    (views.text_pieces, views.next_pieces, views.pieces_left, views.reading),
    (
        Preset(
            "Draw ten pieces",
            "Change the seed. Which pieces stay the same, and which ones change?",
            {"text": JOKE, "n": 10},
        ),
        Preset(
            "Nucleus",
            "Top-p with p = 0.9 keeps few pieces if the model is sure. How many does it keep here?",
            {"text": JOKE, "p": 0.9},
        ),
        Preset(
            "A story",
            "Open “What does our own story model expect here?” and compare the two models.",
            {"text": views.STORY_START},
        ),
        Preset("Code", "The same model writes Python. Which piece does it expect?", {"text": CODE}),
    ),
    how_sure,
    fetch_job(compute),
    code=(filters.temper, filters.top_k, filters.top_p, filters.min_p),
    acts=(Act("ours", (views.our_words, views.beside_ours, views.ours_sentence)),),
    layout=("text_pieces", ("next_pieces", "pieces_left"), "reading"),
    core=True,
    is_heavy=True,
)
