"""Experiment `curve`: accuracy by sentence length, for each size of c and each training time."""

from lessons.bottleneck.curve import views
from lessons.bottleneck.curve.compute import FIRST_K, LONG_TRAINING, LONGEST_TRAINING, SHORT_TRAINING, compute
from lessons.bottleneck.curve.exercises import long_sentences
from lessons.bottleneck.curve.remeasure import measure_again, measure_in_rounds
from lessons.bottleneck.measurements import MEASURES
from lessons.bottleneck.sentences import FOURTEEN_WORDS, SEVENTEEN_WORDS, source_control
from lessons.kit.checkpoints import BUDGET_OPTIONS, CONTEXT_DIMS
from lessons.kit.contract import Act, Choice, Experiment, Job, Preset
from lessons.kit.example_sentences import PASSIVE, REORDERING
from models import metrics, train

EXPERIMENT = Experiment(
    "curve",
    "The bottleneck",
    (
        Choice("code", "Size of c, k", FIRST_K, CONTEXT_DIMS),
        Choice("steps", "Training steps", SHORT_TRAINING, tuple(BUDGET_OPTIONS)),
        Choice("measure", "Measured by", "exact match", tuple(MEASURES)),
        source_control("text", "One sentence to try", SEVENTEEN_WORDS, PASSIVE, REORDERING, FOURTEEN_WORDS),
    ),
    compute,
    (views.curves, views.budgets, views.reading),
    (
        Preset(
            "Trained longer",
            "The same c, four times the training. Does the cliff stay where it was?",
            {"steps": LONG_TRAINING},
        ),
        Preset(
            "Four numbers",
            "This is the smallest c. Does a short sentence still get through?",
            {"code": "4", "steps": LONGEST_TRAINING},
        ),
        Preset(
            "Word by word",
            "Token accuracy counts words, not whole sentences. At which length does each size fall?",
            {"code": "64", "measure": "token accuracy"},
        ),
        Preset(
            "All of it",
            "The largest c and the longest training: what is left of the cliff?",
            {"code": CONTEXT_DIMS[-1], "steps": LONGEST_TRAINING},
        ),
    ),
    long_sentences,
    Job("measure again on unseen sentences", measure_again),
    code=(metrics.exact_match, train.budget_ladder, measure_in_rounds),
    layout=(("curves", "budgets"), "reading"),
    acts=(
        Act("sentence", (views.outputs,)),
        Act("learning", (views.learning, views.still)),
        Act("sizes", (views.table, views.best_size, views.describe_seed_range)),
        Act(
            "words",
            (views.words, views.generated, views.describe_words),
            (("words", "generated"), "describe_words"),
        ),
        Act("papers", (views.paper_and_ours, views.orders)),
    ),
    demonstrates="Trained longer",
    core=True,
)
