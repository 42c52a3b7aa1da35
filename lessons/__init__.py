"""What is taught: the order of the course. Each lesson is a folder of data, pure functions, pictures and text."""

from lessons import (
    attention,
    basics,
    bottleneck,
    decoding,
    qkv,
    real,
    recurrence,
    scores,
    training,
    transformer,
)
from lessons.kit.contract import Lesson

ROAD = (basics, recurrence, bottleneck, attention, scores, qkv, transformer, decoding, training, real)
LESSONS: tuple[Lesson, ...] = tuple(room.LESSON for room in ROAD)
