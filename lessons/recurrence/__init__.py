"""Lesson 1, the recurrence: one cell used at every step, and what its state can remember."""

from pathlib import Path

from lessons.kit.contract import Lesson
from lessons.recurrence import cell, edit, gates, gradient, memory, pictogram, read, roles
from lessons.recurrence.cell.exercises import EXERCISES as CELL_EXERCISES
from lessons.recurrence.edit.exercises import EXERCISES as EDIT_EXERCISES
from lessons.recurrence.gates.exercises import EXERCISES as GATE_EXERCISES
from lessons.recurrence.memory.exercises import EXERCISES as MEMORY_EXERCISES

LESSON = Lesson(
    slug="recurrence",
    title="The recurrence",
    short_title="Recurrence",
    summary="One cell, used at every step: the last state and the next word make the new state.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(
        cell.EXPERIMENT,
        read.EXPERIMENT,
        edit.EXPERIMENT,
        gradient.EXPERIMENT,
        gates.EXPERIMENT,
        memory.EXPERIMENT,
        roles.EXPERIMENT,
    ),
    exercises=(*CELL_EXERCISES, *MEMORY_EXERCISES, *GATE_EXERCISES, *EDIT_EXERCISES),
)
