"""Experiment `read`: a trained language model reads a text, which is coloured by one of its units."""

from lessons.kit.checkpoints import STORIES
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Step
from lessons.recurrence.read import views
from lessons.recurrence.read.compute import compute
from lessons.recurrence.read.exercises import unit_after_name
from lessons.recurrence.sentences import CELL_NAMES, GIRL_STORY, STORY_CONTROL
from lessons.recurrence.story_models import FEATURES, correlations
from models.language_model import LanguageModel

EXPERIMENT = Experiment(
    slug="read",
    title="Reading",
    controls=(
        STORY_CONTROL,
        Choice("cell", "Cell", "GRU", CELL_NAMES),
        Choice("layers", "Layers", "1", ("1", "2")),
        Choice("feature", "Rank the units by correlation with", "she/he", tuple(FEATURES)),
        Slider("rank", "Unit, ranked by correlation", 1, 1, 128),
        Step("t", "Step t", 10, 1, STORIES.max_words + 1),
    ),
    compute=compute,
    views=(views.text_coloured, views.reading, views.next_words),
    layout=("text_coloured", "reading", ("next_words", ("feature", "rank"))),
    acts=(
        Act("follows", (views.follows,)),
        Act("surprise", (views.surprise,)),
        Act("units", (views.units, views.upper_units)),
    ),
    presets=(
        Preset(
            "A boy’s name",
            "The unit stands for “she” at first, changes its sign at the name, and keeps the new sign.",
            {},
        ),
        Preset(
            "A girl’s name",
            "The same unit reads a girl’s name. Does its sign change?",
            {"text": GIRL_STORY},
        ),
        Preset(
            "A cell without gates",
            "This is the best of 128 units in the vanilla RNN. Does it remember the name?",
            {"cell": "vanilla"},
        ),
        Preset(
            "Two layers",
            "The upper layer reads the states of the lower layer. Which layer follows she/he better?",
            {"layers": "2"},
        ),
    ),
    predict=unit_after_name,
    code=(LanguageModel, correlations),
    core=True,
)
