"""How precise must the numbers of c be? `python -m models.rounding` writes assets/rounding.json.

Rounds every number of c to b bits before the decoder gets it, and measures how many test sentences are still
translated correctly. The translators were trained without rounding.
"""

import json
from functools import cache
from pathlib import Path

from torch import Tensor

from models import metrics, zoo
from models.data import held_out
from models.dynamic_types import Json
from models.recipes import CONTEXT_DIMS, RECIPES
from models.seq2seq import EncodedBatch, Seq2Seq
from models.tasks import TASKS
from models.trace import UNTAPPED, AnyTap, Tap

PATH = Path(__file__).parent.parent / "assets" / "rounding.json"
MODELS = {k: f"translation-none-{k}-s0" for k in CONTEXT_DIMS}
BITS = range(1, 17)  # numbers of bits to try
SENTENCES = 1000


def round_to_bits(c: Tensor, bits: int) -> Tensor:
    """Uniform quantisation: replace each number by the middle of one of 2^bits equal intervals of −1 … 1.

    The numbers of c are numbers of a GRU's state, so all of them lie in −1 … 1.
    """
    intervals = 2**bits
    index = ((c + 1) / 2 * intervals).floor().clamp(0, intervals - 1)
    return (2 * index + 1) / intervals - 1


class RoundedTranslator(Seq2Seq):
    """A copy of a translator whose decoder gets c rounded to a number of bits."""

    def __init__(self, model: Seq2Seq, bits: int):
        super().__init__(model.config)
        self.load_state_dict(model.state_dict())
        self.bits = bits

    def encode_batch(self, sources: Tensor, tap: AnyTap = UNTAPPED) -> EncodedBatch:
        return super().encode_batch(sources, Tap({"c": lambda c, step: round_to_bits(c, self.bits)}))


def measure(name: str, bits: range = BITS, count: int = SENTENCES) -> Json:
    """Exact match on test sentences without rounding, and for each number of bits.

    `same`: the fraction of outputs that are word for word those without rounding.
    """
    model, task = zoo.load(name)[0], TASKS["translation"]
    pairs = held_out(task.name, count, RECIPES[name].lengths)
    sources = [task.source.ids(pair.source) for pair in pairs]
    references = [task.target.ids(pair.target) for pair in pairs]
    exact = metrics.translate(model, sources)
    rounded = [metrics.translate(RoundedTranslator(model, b), sources) for b in bits]
    return {
        "sentences": len(pairs),
        "unrounded": metrics.exact_match(exact, references),
        "exact_match": [metrics.exact_match(outputs, references) for outputs in rounded],
        "same": [metrics.exact_match(outputs, exact) for outputs in rounded],
    }


@cache
def load_rounding(path: Path = PATH) -> dict[int, Json]:
    """The measurements by size of c."""
    return {int(k): row for k, row in json.loads(path.read_text(encoding="utf-8")).items()}


def main() -> None:
    rows = [f'"{k}": {json.dumps(measure(name))}' for k, name in MODELS.items()]
    PATH.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
