"""The course map, and the words that every lesson shares. Data here and in `words.py`; pages.py makes HTML of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Stop:
    """A lesson on the road. Its question leads to the next stop's."""

    slug: str
    number: int
    title: str
    question: str
    one_line: str


ROAD = (
    Stop(
        "recurrence",
        1,
        "The recurrence",
        "How can a network read word by word, and still remember?",
        "One cell, used at every step: the last state and the next word make the new state.",
    ),
    Stop(
        "bottleneck",
        2,
        "Sequence to sequence",
        "Can one vector hold a whole sentence?",
        "An encoder reads, a decoder writes, and one list of numbers is all that passes between them.",
    ),
    Stop(
        "attention",
        3,
        "Attention",
        "What if the writer could look back at every word?",
        "At each step the decoder weighs all source words. Move the weights, and the sentence changes.",
    ),
    Stop(
        "scores",
        4,
        "Scoring functions",
        "How does it know where to look?",
        "Five ways to compare what is wanted with what is there: what each finds, and what it costs.",
    ),
    Stop(
        "qkv",
        5,
        "Queries, keys, values",
        "Can a sentence look at itself?",
        "Attention as three matrices: every position asks every other, all at once.",
    ),
    Stop(
        "transformer",
        6,
        "The Transformer",
        "What if we drop the recurrence altogether?",
        "Attention and small networks, stacked. Open every block, or switch it off.",
    ),
    Stop(
        "decoding",
        7,
        "Decoding and sampling",
        "The model gives probabilities. Which word do you take?",
        "Greedy, beam, temperature, top-k, top-p: one model, very different texts.",
    ),
    Stop(
        "training",
        8,
        "Train it yourself",
        "Where do the weights come from?",
        "Watch attention emerge from noise. Then train a model of your own, on your own data.",
    ),
)
