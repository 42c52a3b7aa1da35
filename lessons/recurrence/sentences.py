"""Texts that the language models read in this lesson, and controls that several experiments share."""

from lessons.kit.contract import Slider, Text
from models.rnn import CELLS

GIRL_STORY = "one day , mira walked to the harbour . she saw"
GIRL_SENTENCE = "one day , mira walked to the harbour ."
BOY_STORY = "one day , leo went to the castle . he saw the sword ."
BOY_SENTENCE = "one day , leo went to the castle ."
QUOTATION = 'mira said : " i want to go home . " then she ran to the harbour .'
DISTANT_SUBJECT = "the boats that the fisherman with the nets painted near the harbour were wet ."
STEP_AFTER_NAME = GIRL_SENTENCE.split().index("mira") + 3  # the word after the name; <bos> is step 1

CELL_NAMES = tuple(CELLS)
STORY_CONTROL = Text("text", "Text (any English)", BOY_STORY, (GIRL_STORY, QUOTATION, DISTANT_SUBJECT))
RANK_CONTROL = Slider("rank", "Unit, ranked by correlation with she/he", 1, 1, 128)
