"""What the shipped models write for the examples of the map."""

from models import zoo
from models.tasks import TASKS


def answer(model: str, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tokens that the model reads, and those it writes."""
    network, card = zoo.load(model)
    task = TASKS[card.task]
    source = task.read(text)
    output = network.run(task.source.ids(source)).output
    return source, tuple(task.target.tokens(i for i in output if i != task.target.eos))
