"""The guess and the exercises of experiment `curve`, with computed answers."""

from lessons.bottleneck.curve.compute import FIRST_K, LONG_TRAINING, SHORT_TRAINING, Curve, compute
from lessons.bottleneck.translator import ATTENTION_MODELS, SMALL_TEACHERS, models_with_context_dim
from lessons.kit.checkpoints import (
    BUDGET_OPTIONS,
    CONTEXT_DIMS,
    longest_common_budget,
    read_source,
    translate,
)
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import PASSIVE
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.kit.pictures.numbers import seed_count

MIN_WORDS = 3  # length of the shortest sentences of the task, counting the full stop
MIN_MOVE = 0.1  # well above the difference between seeds (a few hundredths)
LARGEST_K = CONTEXT_DIMS[-1]
# the longest budget that all seeds have completed
COMMON_STEPS = f"{longest_common_budget(*models_with_context_dim(LARGEST_K)):,}"
CLIFF_MOVES = (
    "no, as many as before",
    "yes, but attention after its shortest training is still better",
    "yes, and it gets better than attention after its shortest training",
)


def compute_start() -> Curve:
    return compute(PASSIVE, FIRST_K, SHORT_TRAINING, "exact match")


def scores_by_training(run: Curve) -> list[float]:
    """Scores of the chosen c on sentences of natural length, after short and after long training."""
    return [
        float(run.by_steps[run.code].mean[list(BUDGET_OPTIONS).index(steps)])
        for steps in (SHORT_TRAINING, LONG_TRAINING)
    ]


def effect_of_training() -> str:
    run = compute_start()
    short, long = scores_by_training(run)
    if long - short < MIN_MOVE:
        return CLIFF_MOVES[0]
    return CLIFF_MOVES[1] if long < run.attention_by_steps.mean[0] else CLIFF_MOVES[2]


def describe_training() -> str:
    run = compute_start()
    short, long = scores_by_training(run)
    short_seeds, long_seeds = (
        seed_count(int(run.by_steps[run.code].seeds[list(BUDGET_OPTIONS).index(steps)]))
        for steps in (SHORT_TRAINING, LONG_TRAINING)
    )
    return (
        f"On natural lengths k = {run.code} gets {short:.2f} after {SHORT_TRAINING} steps ({short_seeds}) and"
        f" {long:.2f} after {LONG_TRAINING} ({long_seeds}). Attention gets"
        f" {run.attention_by_steps.mean[0]:.2f} after {run.budgets[0]:,}."
    )


long_sentences = guess(
    "long-sentences",
    f"After {SHORT_TRAINING} steps a c of size {FIRST_K} fails on long sentences. Does it translate more"
    " sentences correctly with four times the training? (Attention, lesson 3, looks back at every word.)",
    {
        CLIFF_MOVES[0]: lambda: (
            f"Follow the line of k = {FIRST_K} in the right picture. {describe_training()}"
        ),
        CLIFF_MOVES[1]: lambda: (
            f"{describe_training()} So the cliff comes partly from short training and partly from the size of"
            " c."
        ),
        CLIFF_MOVES[2]: lambda: f"Compare the ends of the two lines. {describe_training()}",
    },
    effect_of_training,
    "Things fall out of a bag. Is the bag too small, or was it packed badly?",
    covers=("curves", "budgets", "table", "learning", "still", "outputs", "paper_and_ours", "orders"),
)


def compute_largest() -> Curve:
    """Run with the largest c, after the longest training that all its seeds completed."""
    return compute(PASSIVE, LARGEST_K, COMMON_STEPS, "exact match")


def longest_half_right() -> int:
    """Longest length in the last bucket where every seed gets at least half of the sentences right."""
    run = compute_largest()
    lowest = run.one_vector[run.code].low
    return max(
        (high for (_, high), score in zip(run.buckets, lowest, strict=True) if score >= 0.5), default=0
    )


def count_largest_seeds() -> int:
    return int(compute_largest().one_vector[LARGEST_K].seeds.min())


def check_shortest(_: None, state: State) -> Verdict:
    """Check the learner's sentence; its reference is the output on which three attention models agree."""
    source = read_source(state["text"], "text")
    if len(source) > MIN_WORDS:
        return Verdict(
            False,
            f"Your sentence has {len(source)} words with its full stop. There are sentences with"
            f" {MIN_WORDS}.",
        )
    if len(source) < MIN_WORDS:
        return Verdict(
            False, f"The models learned sentences of at least {MIN_WORDS} words, the full stop included."
        )
    answers = {translate(name, source) for name in SMALL_TEACHERS}
    if len(answers) > 1:
        return Verdict(
            False, "Three models with attention disagree on the translation. Try an easier sentence."
        )
    (right,) = answers
    vector, attention = (
        translate(models[0], source) for models in (models_with_context_dim("4"), ATTENTION_MODELS)
    )
    outputs = (
        f"One vector of size 4 writes “{' '.join(vector)}”, attention writes “{' '.join(attention)}”, and"
        f" “{' '.join(right)}” is right."
    )
    if attention != right:
        return Verdict(False, f"Attention gets it wrong, too. {outputs}")
    if vector == right:
        return Verdict(False, f"Both get it right. {outputs} Try another subject or verb.")
    return Verdict(True, f"Yes, and no sentence is shorter. {outputs}")


EXERCISES = (
    number(
        "half",
        f"Up to which length does a context vector of size {LARGEST_K}, after {COMMON_STEPS} training steps,"
        " get at least half of the sentences exactly right? (upper end of the bucket)",
        longest_half_right,
        f"In “The bottleneck”, choose k = {LARGEST_K}, {COMMON_STEPS} steps and exact match. Which is the"
        " last point whose whole band is above one half?",
        lambda: (
            f"All {seed_count(count_largest_seeds())} agree: each gets more than half of the longer sentences"
            " wrong."
        ),
        WHOLE_NUMBER,
        "curve",
    ),
    Exercise(
        "shortest",
        "In “The bottleneck”, type the shortest sentence that one vector of size 4 gets wrong and attention"
        " gets right.",
        check_shortest,
        "Choose k = 4 and try sentences with a subject, a verb and a full stop.",
        experiment="curve",
    ),
)
