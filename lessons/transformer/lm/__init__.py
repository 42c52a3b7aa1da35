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
            "A story, up to the word that is due",
            COLOUR,
            (f"{COLOUR} white", NAME, OPEN_QUOTE, PLURAL_SUBJECT),
        ),
        Choice("head", "Head", "layer 2, head 1", HEAD_NAMES),
        Choice("do", "Let it", "leave it alone", INTERVENTIONS),
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
            "And then the thing",
            "One word later, “box” is expected: which heads look for it?",
            {"text": f"{COLOUR} white", "head": "layer 2, head 4"},
        ),
        Preset(
            "Who was it?",
            "“poor …”: one person was named, and two heads attend to the name.",
            {"text": NAME, "head": "layer 2, head 2"},
        ),
        Preset(
            "Still open", "A quotation must be closed. Open “How early is it known?”.", {"text": OPEN_QUOTE}
        ),
        Preset(
            "Never learned",
            "“the farmers … were” is right. No head attends to “farmers”, and the model expects “was”.",
            {"text": PLURAL_SUBJECT},
        ),
    ),
    predict=one_head_less,
    code=(head_edits, TransformerLM.logit_lens, MultiHeadAttention),
    core=True,
)
