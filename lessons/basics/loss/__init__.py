"""Experiment `loss`: how wrong is a guess, and which step makes it better?"""

from lessons.basics.loss import views
from lessons.basics.loss.compute import MAX_WORDS, cross_entropy, descend, gradient, loss
from lessons.basics.loss.exercises import halve
from lessons.kit.contract import Act, Experiment, Preset, Slider, Step, Text

STORY = "last summer , anna returned to the river often . she wanted a red ring more than anything ."
ODD = "last summer , anna returned to the ring often . she wanted a red river more than anything ."
EXPERIMENT = Experiment(
    "loss",
    "Loss",
    (
        Text(
            "text",
            "Text with words of our stories",
            STORY,
            (ODD, "max lived near the lighthouse with his sister ."),
            160,
        ),
        Step("t", "Number of the predicted word", 8, 1, MAX_WORDS),
        Slider("steps", "Number of gradient steps", 1, 0, 20),
        Slider("log_rate", "Learning rate, as log₁₀", 0.0, -2.0, 2.0, 0.1),
    ),
    loss,
    (views.surprisal, views.guess_bars, views.reading),
    (
        Preset(
            "A normal sentence",
            "Step through the words. Of which words is the model almost certain?",
            {"steps": 0},
        ),
        Preset(
            "Two words exchanged",
            "“ring” and “river” changed places. Which bars grew?",
            {"text": ODD, "steps": 0},
        ),
        Preset(
            "Too small a step",
            "The learning rate is 0.01. How much do twenty steps change the bar?",
            {"log_rate": -2.0, "steps": 20},
        ),
        Preset(
            "A large step",
            "The learning rate is about 30. After one step the true word has nearly all the probability.",
            {"log_rate": 1.5, "steps": 1},
        ),
    ),
    halve,
    code=(cross_entropy, gradient, descend),
    acts=(
        Act("step", (views.one_step,), asks=views.ask_step),
        Act("rate", (views.rates,)),
        Act("perplexity", (views.sentence_table,)),
    ),
    layout=(("surprisal", "guess_bars"), "reading"),
    core=True,
)
