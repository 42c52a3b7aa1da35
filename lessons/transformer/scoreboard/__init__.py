"""Experiment `scoreboard`: which model of the course is best, and at what?"""

from lessons.kit.contract import Act, Choice, Experiment, Preset
from lessons.transformer.scoreboard import views
from lessons.transformer.scoreboard.compute import (
    COLUMNS,
    EVERYDAY,
    PRONUNCIATION,
    SMALL_WORLD,
    TASKS,
    load_rows,
    scoreboard,
)
from lessons.transformer.scoreboard.exercises import beyond
from models.export_script import render_script

EXPERIMENT = Experiment(
    slug="scoreboard",
    title="Scoreboard",
    controls=(
        Choice("task", "Task", SMALL_WORLD, tuple(TASKS)),
        Choice("sort", "Sort by", "lesson", COLUMNS),
    ),
    compute=scoreboard,
    views=(views.board, views.results, views.reading),
    layout=(("board", "results"), "reading"),
    presets=(
        Preset(
            "Longer sentences",
            "The rows are sorted by sentences that are longer than in training. Now the models differ.",
            {"task": SMALL_WORLD, "sort": "beyond training"},
        ),
        Preset(
            "Best alignment",
            "The model with the best alignment is not always the best translator. Which one is it?",
            {"task": SMALL_WORLD, "sort": "AER"},
        ),
        Preset(
            "Unknown names",
            "One name in each sentence is unknown. Which models can still write it?",
            {"task": EVERYDAY, "sort": "names copied"},
        ),
        Preset(
            "Pronunciation",
            "The words come from a pronouncing dictionary. No model is nearly perfect here.",
            {"task": PRONUNCIATION, "sort": "phoneme errors"},
        ),
    ),
    predict=beyond,
    acts=(Act("others", (views.others,), is_for_stage=False),),
    code=(load_rows, render_script),
    core=True,
)
