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
            "Look elsewhere",
            "Word 3 now attends to the other shape. Which word is written?",
            {"t": 3, "look": LOOKS[2]},
        ),
        Preset(
            "One above the other",
            "The same two shapes in other places. Which words change?",
            {"drawing": draw_shapes(("small", "cross", 1, 7), ("large", "square", 6, 4)), "t": 4},
        ),
        Preset(
            "A shape it never saw",
            "A diagonal line. The model knows four shapes and has to choose one.",
            {"drawing": draw_shapes(diagonal=6), "t": 3},
        ),
        Preset(
            "All patches alike",
            "Every patch gets the same weight. Is the word still right?",
            {"t": 3, "look": LOOKS[3]},
        ),
    ),
    exercises.where,
    code=(drawings.encode, attend),
    acts=(Act("maps", (views.maps,)),),
    layout=(("grid", ("sentence", "next_words")), "reading"),
)
