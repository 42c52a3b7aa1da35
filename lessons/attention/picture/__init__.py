"""Experiment `picture`: a drawing instead of a sentence; each word attends to patches of the drawing."""

from lessons.attention.picture import exercises, views
from lessons.attention.picture.compute import LOOKS, OPENING, compute, draw_shapes
from lessons.attention.translators import MAX_STEPS
from lessons.kit.contract import Act, Choice, Experiment, Pixels, Preset, Step
from models.attention import attend
from models.tasks import drawings

EXPERIMENT = Experiment(
    "picture",
    "A picture",
    (
        Pixels("drawing", "Draw: click or drag in the grid", OPENING),
        Step("t", "Word t of the sentence", 8, 1, MAX_STEPS),
        Choice("look", "At this word, attend to", LOOKS[0], LOOKS),
    ),
    compute,
    (views.grid, views.sentence, views.next_words, views.reading),
    (
        Preset(
            "Attend elsewhere",
            "Word 3 now attends to the other shape. Which word does the model write?",
            {"t": 3, "look": LOOKS[2]},
        ),
        Preset(
            "One above the other",
            "The same two shapes in other places. Which words change?",
            {"drawing": draw_shapes(("small", "cross", 1, 7), ("large", "square", 6, 4)), "t": 4},
        ),
        Preset(
            "An unknown shape",
            "The drawing is a diagonal line. The model knows only four shapes: which one does it name?",
            {"drawing": draw_shapes(diagonal=6), "t": 3},
        ),
        Preset(
            "Even weights",
            "Every patch gets the same weight. Is the word still right?",
            {"t": 3, "look": LOOKS[3]},
        ),
    ),
    exercises.where,
    code=(drawings.encode, attend),
    acts=(Act("maps", (views.maps,)),),
    layout=(("grid", ("sentence", "next_words")), "reading"),
)
