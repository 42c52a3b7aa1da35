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
            "Who goes on?",
            "Sorted by sentences longer than in training: now the rows differ.",
            {"task": SMALL_WORLD, "sort": "beyond training"},
        ),
        Preset(
            "Who aligns best?",
            "A good aligner need not be the best translator.",
            {"task": SMALL_WORLD, "sort": "AER"},
        ),
        Preset(
            "Who copies a name?",
            "One name of each sentence is unknown. Which models can still write it?",
            {"task": EVERYDAY, "sort": "names copied"},
        ),
        Preset(
            "Who pronounces best?",
            "The words come from a pronouncing dictionary. Here no model is nearly perfect.",
            {"task": PRONUNCIATION, "sort": "phoneme errors"},
        ),
    ),
    predict=beyond,
    acts=(Act("others", (views.others,)),),
    code=(load_rows, render_script),
    core=True,
)
