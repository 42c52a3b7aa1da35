"""“Check yourself” of lesson 0: the exercises of its four experiments in order."""

from lessons.basics.embedding.exercises import EXERCISES as EMBEDDING
from lessons.basics.loss.exercises import EXERCISES as LOSS
from lessons.basics.softmax.exercises import EXERCISES as SOFTMAX
from lessons.basics.tokens.exercises import EXERCISES as TOKENS

CHECK_YOURSELF = (*TOKENS, *EMBEDDING, *SOFTMAX, *LOSS)
