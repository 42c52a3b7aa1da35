"""What is taught: the order of the course. Each lesson is a folder of data, pure functions, pictures and text."""

from lessons.contract import Lesson
from lessons.recurrence import LESSON as recurrence

LESSONS: tuple[Lesson, ...] = (recurrence,)
