"""Experiment `live`: train a model yourself."""

from lessons.kit.contract import Act, Choice, Experiment, Job, Preset
from lessons.training import run_views
from lessons.training.live.compute import TASK_NAMES, go_on, live, train
from lessons.training.live.exercises import enough
from lessons.training.settings import training_controls
from lessons.training.training_session import home
from models.device import with_gpu
from models.train import fit, train_step, warm_up_then_cosine

EXPERIMENT = Experiment(
    "live",
    "Your run",
    (Choice("task", "Task", "dates", tuple(TASK_NAMES)), *training_controls(30)),
    live,
    (run_views.exact, run_views.loss, run_views.gaze, run_views.tries, run_views.reading),
    (
        Preset("Known to work", "Dates, with attention. Press “train” and watch the heatmap.", {}),
        Preset(
            "Real words",
            "20,000 words of a dictionary, letter by letter. After one minute read its attempts aloud.",
            {"task": "word → sounds", "budget": 60},
        ),
        Preset(
            "Without attention",
            "The same task, but the decoder gets one vector for the whole date. Press “train”.",
            {"attention": "none"},
        ),
        Preset(
            "Rate too large",
            "The learning rate is 0.3. Press “train”: what does the loss do?",
            {"power": -0.5},
        ),
    ),
    enough,
    Job("train", with_gpu(train), Job("go on", with_gpu(go_on))),
    files=(home,),
    code=(fit, train_step, warm_up_then_cosine),
    acts=(
        Act("compare", (run_views.compared,)),
        Act(
            "more",
            (run_views.size, run_views.epoch),
            (("width", "layers"), ("batch", "seed"), "size", "epoch"),
        ),
    ),
    layout=((("exact", "loss"), "gaze"), ("tries", "sentence"), "reading"),
    core=True,
)
