"""Run the shipped models on the examples shown on the map."""

from models import zoo
from models.seq2seq import Seq2Seq
from models.tasks import TASKS

Tokens = tuple[str, ...]


def run_example(model: str, text: str) -> tuple[Tokens, Tokens]:
    """The tokens that the model reads, and the tokens that it writes."""
    network, card = zoo.load(model)
    assert isinstance(network, Seq2Seq)
    task = TASKS[card.task]
    source = task.read(text)
    output = network.run(task.source.ids(source)).output
    return tuple(source), tuple(task.target.tokens(i for i in output if i != task.target.eos))
