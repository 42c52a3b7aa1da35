"""The lessons in the order of the course."""

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
LESSONS: tuple[Lesson, ...] = tuple(package.LESSON for package in ROAD)
