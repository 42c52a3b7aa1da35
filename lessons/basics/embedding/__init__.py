"""Experiment `embedding`: each word becomes a row of numbers."""

from lessons.basics.embedding import views
from lessons.basics.embedding.compute import SHOWN_NUMBERS, cosines, embedding, principal_axes
from lessons.basics.embedding.exercises import near_red
from lessons.kit.contract import Act, Experiment, Matrix, Preset, Slider, Text

GROUP = "blue green black anna ella mira paul tom max sad proud lonely"
EXPERIMENT = Experiment(
    "embedding",
    "Embedding",
    (
        Text("word", "Word", "red", ("anna", "paul", "sad", "she", "small"), 40),
        Text("towards", "Move its row towards this word", "anna", ("paul", "sad", "he", "river"), 40),
        Slider("share", "Fraction of the distance", 0.0, 0.0, 1.0, 0.05),
        Matrix("change", "Added to the first numbers of the row", ((0.0,) * SHOWN_NUMBERS,), -9, 9, 0.5),
        Text(
            "group",
            "Words drawn in the plane",
            GROUP,
            ("river road street garden village", "he she boy girl"),
            200,
        ),
    ),
    embedding,
    (views.neighbours, views.plane, views.rows_of, views.reading),
    (
        Preset(
            "Colours and names", "Which words are close together? Nobody told the model about groups.", {}
        ),
        Preset(
            "Between two words",
            "The row has moved 60% of the distance from a colour to a name. Which words are near now?",
            {"share": 0.6},
        ),
        Preset(
            "A name",
            "Which names are near “paul”? Compare with “anna”.",
            {"word": "paul", "group": "max tom leo sam ella mira rosa lena"},
        ),
    ),
    near_red,
    code=(cosines, principal_axes),
    acts=(
        Act("lookup", (views.one_hot_product,), ("change", "one_hot_product"), views.ask_lookup),
        Act("cosine", (views.cosine_parts,)),
    ),
    layout=((("neighbours", "rows_of"), "plane"), "reading"),
    core=True,
)
