"""Experiment `ablate`: which parts can the Transformer do without?"""

from lessons.kit.contract import Act, Choice, Experiment, Job, Preset, Slider
from lessons.kit.example_sentences import AMBIGUOUS_BANK, NEGATION, PASSIVE, QUESTION, REORDERING
from lessons.transformer.ablate import views
from lessons.transformer.ablate.compute import ablate
from lessons.transformer.ablate.edits import PARTS, REPLACEMENTS, ablation_edits, mean_outputs
from lessons.transformer.ablate.exercises import no_positions
from lessons.transformer.ablate.measurement import exact_match, measure
from lessons.transformer.ablate.part_table import every_part, worst_part
from lessons.transformer.translator import attention_control, head_control, layer_control, sentence_control

EXPERIMENT = Experiment(
    slug="ablate",
    title="Without …",
    controls=(
        sentence_control(QUESTION, PASSIVE, NEGATION, AMBIGUOUS_BANK, REORDERING),
        Choice("part", "Part to switch off", "encoder positions", PARTS),
        attention_control("encoder self"),
        layer_control(),
        head_control(),
        Slider("sample", "Sample of unseen sentences", 1, 1, 9),
        Choice("by", "Replace the output by", "zero", REPLACEMENTS),
    ),
    compute=ablate,
    views=(views.sentence, views.translations, views.reading),
    layout=("sentence", ("part", "by", "kind", "layer", "head"), "translations", "reading"),
    acts=(
        Act("words", (views.word_by_word,)),
        Act(
            "many",
            (views.accuracy, views.every_head, every_part, worst_part),
            layout=("sample", ("accuracy", "every_head"), "every_part", "worst_part"),
        ),
    ),
    presets=(
        Preset(
            "One head",
            "One of 24 heads is off. Which words change? Try other heads and mean ablation.",
            {"part": "one head", "kind": "cross", "layer": "2", "head": "2"},
        ),
        Preset(
            "Four heads",
            "All heads of cross-attention in layer 2 are off. Can those of layer 1 replace them?",
            {"part": "all heads of a layer", "kind": "cross", "layer": "2"},
        ),
        Preset(
            "No residual",
            "One of ten residual connections is cut, so everything before this block is lost.",
            {"part": "residual", "kind": "encoder self", "layer": "1"},
        ),
        Preset(
            "No mask",
            "In one pass the model sees future words. How many of its predictions change?",
            {"part": "causal mask"},
        ),
    ),
    predict=no_positions,
    job=Job("Measure on many sentences", measure),
    code=(ablation_edits, mean_outputs, exact_match),
    core=True,
)
