"""Copy unknown words from the source: `python -m models.copying` writes assets/copying.json.

A translator writes `<unk>` for a word it never saw. With attention, `<unk>` is replaced by the source word
with the largest weight at that step (Luong et al. 2015). Measured on test sentences with one name hidden.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from models import zoo
from models.dynamic_types import AnyTrace, Json
from models.recipes import RECIPES
from models.tasks import TASKS
from models.tasks.everyday.lexicon import lexicon
from models.tasks.everyday.unknown import one_to_one
from models.tasks.everyday.vocabulary import UNKNOWN
from models.tasks.task import Pair
from models.tasks.translation.phrase import BEFORE_VOWEL, starts_with_vowel
from models.vocabulary import Vocabulary

PATH = Path(__file__).parent.parent / "assets" / "copying.json"
MODELS = tuple(name for name, recipe in RECIPES.items() if recipe.task == "everyday")
SENTENCES = 500
LENGTHS = range(4, 17)


def copy_unknown(output: Sequence[str], source: Sequence[str], weights: Tensor | None) -> tuple[str, ...]:
    """Replace each `<unk>` in the output with the source word with the largest weight; weights (T', T)."""
    if weights is None:
        return tuple(output)
    return replace_unknown(output, [source[n] for n in weights.argmax(-1).tolist()])


def replace_unknown(output: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """Replace each `<unk>` with the word at its position. The word before it is elided: de anna → d' anna."""
    replaced = list(output)
    for t, word in enumerate(output):
        if word == UNKNOWN:
            replaced[t] = words[t]
            if t and starts_with_vowel(words[t]):
                replaced[t - 1] = BEFORE_VOWEL.get(replaced[t - 1], replaced[t - 1])
    return tuple(replaced)


def copying_weights(trace: AnyTrace, card: zoo.Card) -> Tensor | None:
    """Weights (T', T) for copying. A Transformer uses its cross-attention head with the lowest AER."""
    if card.kind != "transformer":
        return trace.weights
    aer = torch.tensor(card.metrics["aer_by_head"])
    return trace.cross.flatten(0, 1)[aer.argmin()]


def hidden_names(count: int = SENTENCES, seed: int = 0) -> list[tuple[Pair, int]]:
    """Test pairs, each with the position of a source name that French spells the same way."""
    names = {name.english for name in lexicon().names if name.english == name.french}
    rng = random.Random(f"copying {seed}")
    found: list[tuple[Pair, int]] = []
    for pair in TASKS["everyday"].pairs("test", 12 * count, seed=7, lengths=LENGTHS):
        at = [i for t, i in one_to_one(pair) if pair.source[i] in names and pair.target[t] == pair.source[i]]
        if at:
            found.append((pair, rng.choice(at)))
    return found[:count]


@torch.inference_mode()
def measure(name: str, count: int = SENTENCES) -> Json:
    """Fractions of test sentences with a hidden name, after copying.

    `copied`: the name is in the output, as often as in the reference. `correct`: the whole sentence is right.
    `placed`: it would be right if every `<unk>` were replaced by the name.
    """
    (model, card), task = zoo.load(name), TASKS["everyday"]
    rights: Counter[str] = Counter()
    examples = hidden_names(count)
    for pair, at in examples:
        hidden = pair.source[at]
        source = [UNKNOWN if i == at else word for i, word in enumerate(pair.source)]
        trace = model.run(tuple(task.source.ids(source)))
        tokens = [token for token in trace.output if token != Vocabulary.eos]
        output = task.target.tokens(tokens)
        copied = copy_unknown(output, pair.source, copying_weights(trace, card))
        rights["placed"] += replace_unknown(output, [hidden] * len(output)) == pair.target
        rights["copied"] += copied.count(hidden) == pair.target.count(hidden)
        rights["correct"] += copied == pair.target
    fractions = {key: round(value / len(examples), 4) for key, value in rights.items()}
    return {"sentences": len(examples), **fractions}


@cache
def load_copying(path: Path = PATH) -> Json:
    return json.loads(path.read_text(encoding="utf-8"))


def main() -> None:
    found = {name: measure(name) for name in MODELS}
    PATH.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
