"""Experiment `recurrent_lm`: what does attention over its own past add to a recurrent language model?"""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Text
from lessons.transformer.recurrent_lm import views
from lessons.transformer.recurrent_lm.compute import (
    EVEN,
    INTERVENTIONS,
    KEEP,
    ONLY,
    compute,
    probabilities_by_state,
    weight_edits,
)
from lessons.transformer.recurrent_lm.exercises import where_it_looks
from lessons.transformer.recurrent_lm.stories import GAP_STEP, MAX_GAP, NAME, OPEN_QUOTE, PRONOUN, THING
from models.language_model import AttentionLanguageModel

EXPERIMENT = Experiment(
    slug="recurrent_lm",
    title="A GRU that looks back",
    controls=(
        Text(
            "text",
            "A story (the models predict the next word)",
            NAME,
            (THING, PRONOUN, OPEN_QUOTE),
        ),
        Slider("gap", "Words inserted before the last sentence", 0, 0, MAX_GAP, GAP_STEP),
        Choice("do", "Weights of the last step", KEEP, INTERVENTIONS),
        Slider("word", "Chosen word (0: the outlined one)", 0, 0, 120),
    ),
    compute=compute,
    views=(views.story, views.by_gap, views.next_words, views.reading),
    layout=("story", ("by_gap", ("next_words", "do", "word")), "reading"),
    acts=(
        Act("states", (views.states, views.told_states)),
        Act("measured", (views.by_distance, views.told_measured, views.models)),
        Act("looks", (views.looked_at, views.told_looks)),
    ),
    presets=(
        Preset(
            "A lost thing",
            "The GRU is not sure which thing was lost. Where does attention find it?",
            {"text": THING},
        ),
        Preset(
            "Far away",
            "Sixty words are inserted. Which of the three models still knows the name?",
            {"gap": MAX_GAP},
        ),
        Preset(
            "Only the name",
            "All weight goes to the state after “leo”. Is that better than the model’s own choice?",
            {"do": ONLY},
        ),
        Preset(
            "Uniform weights",
            "Every state gets the same weight. Which word is written instead of the lost thing?",
            {"text": THING, "do": EVEN},
        ),
    ),
    predict=where_it_looks,
    code=(AttentionLanguageModel, weight_edits, probabilities_by_state),
    demonstrates={"do": ONLY},
)
