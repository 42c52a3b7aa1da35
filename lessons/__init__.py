"""What is taught: the order of the course. Each lesson is a folder of data, pure functions, pictures and text."""

from lessons.attention import LESSON as attention
from lessons.bottleneck import LESSON as bottleneck
from lessons.contract import Lesson
from lessons.decoding import LESSON as decoding
from lessons.qkv import LESSON as qkv
from lessons.recurrence import LESSON as recurrence
from lessons.scores import LESSON as scores
from lessons.transformer import LESSON as transformer

LESSONS: tuple[Lesson, ...] = (recurrence, bottleneck, attention, scores, qkv, transformer, decoding)
