"""Experiment `lm`: where does a Transformer language model look for a word mentioned earlier?"""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Text
from lessons.transformer.lm import views
from lessons.transformer.lm.compute import HEAD_NAMES, INTERVENTIONS, head_edits, lm
from lessons.transformer.lm.exercises import one_head_less
from lessons.transformer.lm.stories import COLOUR, NAME, OPEN_QUOTE, PLURAL_SUBJECT
from models.multihead import MultiHeadAttention
from models.transformer_lm import TransformerLM

EXPERIMENT = Experiment(
    slug="lm",
    title="Telling stories",
    controls=(
        Text(
            "text",
            "A story (the model predicts the next word)",
            COLOUR,
            (f"{COLOUR} white", NAME, OPEN_QUOTE, PLURAL_SUBJECT),
        ),
        Choice("head", "Head", "layer 2, head 1", HEAD_NAMES),
        Choice(
            "do",
            "Change of this head",
            INTERVENTIONS[0],
            INTERVENTIONS,
            {
                "leave it alone": INTERVENTIONS[0],
                "look only there": INTERVENTIONS[2],
                "look anywhere else": INTERVENTIONS[3],
            },
        ),
    ),
    compute=lm,
    views=(views.story, views.on_cue, views.next_words, views.reading),
    layout=("story", ("on_cue", "next_words"), "reading"),
    acts=(
        Act("every", (views.every_head, views.told_every)),
        Act("lens", (views.lens, views.told_lens)),
        Act("distance", (views.by_distance, views.told_distance)),
    ),
    presets=(
        Preset(
            "The lost thing",
            "One word later the model should write “box”. Which heads attend to “box”?",
            {"text": f"{COLOUR} white", "head": "layer 2, head 4"},
        ),
        Preset(
            "A name",
            "After “poor” the name of a person should follow. Two heads attend to the name.",
            {"text": NAME, "head": "layer 2, head 2"},
        ),
        Preset(
            "An open quotation",
            "A quotation must be closed. Open “In which layer does the model know the word?”.",
            {"text": OPEN_QUOTE},
        ),
        Preset(
            "Not learned",
            "“the farmers … were” is correct. But no head attends to “farmers”, and the model writes “was”.",
            {"text": PLURAL_SUBJECT},
        ),
    ),
    predict=one_head_less,
    code=(head_edits, TransformerLM.logit_lens, MultiHeadAttention),
    demonstrates={"do": INTERVENTIONS[1]},
    core=True,
)
