"""Experiment `tune`: instruction tuning of our story model, and what it forgets."""

from lessons.kit.contract import Act, Experiment, Job, Preset, SavedRuns, Slider, Text
from lessons.real.tune import views
from lessons.real.tune.compute import MAX_CHARACTERS, MAX_RUNS, compute, tune
from lessons.real.tune.exercises import OPENING, QUESTION, STORY, what_next
from lessons.real.tune.tuning import mixed_batches, question_batch
from models.device import with_gpu
from models.tasks.story_questions import questions_about
from models.train import fit

EXPERIMENT = Experiment(
    "tune",
    "Tune",
    (
        Text("story", "Story", STORY, ("anna was sad . leo had a red drum .",), MAX_CHARACTERS),
        Text(
            "question",
            "Question",
            QUESTION,
            ("who walked to the river ?", "what was blue ?", "what was the map like ?"),
            100,
        ),
        Slider("mix", "Batches with stories, in %", OPENING["mix"], 0, 75, 25),
        Slider("power", "Learning rate, as a power of ten", OPENING["power"], -4, -1.5, 0.25),
        Slider("budget", "Seconds of training", OPENING["budget"], 5, 60, 5),
        SavedRuns("runs", "Your runs", max_runs=MAX_RUNS),
    ),
    compute,
    (views.prompt, views.answers, views.right_curve, views.forgetting_curve, views.reading),
    (
        Preset("Questions only", "Press “Tune”. What happens to the perplexity on stories?", {}),
        Preset(
            "With stories",
            "Half of the batches are stories. How much does the model forget now?",
            {"mix": 50},
        ),
        Preset(
            "Small steps",
            "The learning rate is ten times smaller. Which of the two curves changes less?",
            {"power": -3.5},
        ),
        Preset(
            "A question of another kind",
            "The training pairs never ask “where”. What does the tuned model answer?",
            {"question": "where is the kite ?"},
        ),
    ),
    what_next,
    Job("Tune", with_gpu(tune)),
    code=(questions_about, question_batch, mixed_batches, fit),
    acts=(
        Act("word", (views.next_words,)),
        Act("rule", (views.by_rivals,)),
        Act("forgets", (views.forgotten, views.without_question)),
        Act("data", (views.data,)),
    ),
    layout=("prompt", "answers", ("right_curve", "forgetting_curve"), "reading"),
)
