"""Experiment `chat`: a chat is a text wrapped in a template."""

from lessons.kit.contract import Preset, Slider, Text, Toggle
from lessons.real.chat import views
from lessons.real.chat.compute import MAX_ANSWER_PIECES, compute, prompt_of
from lessons.real.chat.exercises import OPENING, QUESTION, SYSTEM, what_makes_a_chat
from lessons.real.pretrained_model import MAX_CHARACTERS
from lessons.real.recordings import RecordedExperiment

PIRATE = "You are a pirate. Answer like one, in one short sentence."
EXPERIMENT = RecordedExperiment(
    "chat",
    "Chat",
    (
        Text("system", "System line", SYSTEM, (PIRATE,), 200),
        Text(
            "user",
            "Your question",
            QUESTION,
            ("Who are you?", "What is the capital of France?", "Who wrote Hamlet?"),
            MAX_CHARACTERS,
        ),
        Toggle("template", "Chat template", True),
        Slider("n", "Maximum number of pieces to write", OPENING["n"], 1, MAX_ANSWER_PIECES),
    ),
    compute,
    (views.prompt, views.answers, views.reading),
    (
        Preset(
            "Without the template",
            "The model reads only the question. What do the same weights write now?",
            {"template": False},
        ),
        Preset(
            "A pirate",
            "Only the system line has changed. How does the answer change?",
            {"system": PIRATE, "user": "Who are you?", "n": 30},
        ),
        Preset(
            "No system line",
            "Without your line, the template adds its own system line. Read it.",
            {"system": ""},
        ),
    ),
    what_makes_a_chat,
    code=(prompt_of,),
    is_heavy=True,
    demonstrates="Without the template",
)
