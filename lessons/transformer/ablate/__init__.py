"""Experiment `ablate`: which parts can the Transformer do without?"""

from lessons.kit.contract import Act, Choice, Experiment, Job, Preset, Slider
from lessons.kit.example_sentences import AMBIGUOUS_BANK, AMBIGUOUS_LIGHT, NEGATION, QUESTION, REORDERING
from lessons.transformer.ablate import views
from lessons.transformer.ablate.compute import ablate
from lessons.transformer.ablate.edits import PARTS, REPLACEMENTS, ablation_edits, mean_outputs
from lessons.transformer.ablate.exercises import no_positions
from lessons.transformer.ablate.measurement import exact_match, measure
from lessons.transformer.translator import attention_control, head_control, layer_control, sentence_control

EXPERIMENT = Experiment(
    slug="ablate",
    title="Without …",
    controls=(
        sentence_control(AMBIGUOUS_BANK, QUESTION, NEGATION, AMBIGUOUS_LIGHT, REORDERING),
        Choice("part", "Switch off", "encoder positions", PARTS),
        attention_control("encoder self"),
        layer_control(),
        head_control(),
        Slider("sample", "Sample of unseen sentences", 1, 1, 9),
        Choice("by", "Replace its output by", "zero", REPLACEMENTS),
    ),
    compute=ablate,
    views=(views.sentence, views.translations, views.reading),
    layout=("sentence", ("part", "by", "kind", "layer", "head"), "translations", "reading"),
    acts=(
        Act("words", (views.word_by_word,)),
        Act(
            "many",
            (views.accuracy, views.every_head),
            layout=("sample", ("accuracy", "every_head")),
        ),
    ),
    presets=(
        Preset(
            "Which light?",
            "One of 24 heads is off, and bright houses become houses of little weight. What happens with the"
            " mean?",
            {"text": AMBIGUOUS_LIGHT, "part": "one head", "kind": "encoder self", "layer": "1", "head": "1"},
        ),
        Preset(
            "No questions",
            "Another head is off, and “est-ce que” is missing. Only the question mark is left.",
            {"text": AMBIGUOUS_LIGHT, "part": "one head", "kind": "cross", "layer": "2", "head": "2"},
        ),
        Preset(
            "Nothing carried past",
            "One of ten residuals is cut: everything before this block is lost.",
            {"part": "residual", "kind": "encoder self", "layer": "1"},
        ),
        Preset(
            "No mask",
            "Word by word the translation is the same. In one pass, the model sees future words and errs.",
            {"part": "causal mask"},
        ),
    ),
    predict=no_positions,
    job=Job("measure", measure),
    code=(ablation_edits, mean_outputs, exact_match),
    core=True,
)
