"""Unknown words: where `<unk>` is written, which word it attends to, and which word is copied."""

from dataclasses import dataclass

import numpy as np
import torch

from lessons.kit.checkpoints import Tokens, Words
from lessons.kit.contract import Result
from lessons.kit.language import translate
from lessons.kit.memo import memoize
from lessons.kit.translator import Translator
from models.copying import copy_unknown, load_copying
from models.tasks.everyday.vocabulary import UNKNOWN

MODELS = {
    "with attention": Translator("everyday-additive-64-s0"),
    "one vector": Translator("everyday-none-128-s0"),
}
NO_STEP = -1
OWN = 0  # option that keeps the model's own weights


@dataclass(frozen=True)
class UnknownWords(Result):
    source: Words  # unknown words replaced by <unk>
    typed: Words  # the words as typed
    output: Words  # without <eos>
    copied: Words  # the output with each <unk> replaced by a copied word
    unknown: tuple[int, ...]  # positions of <unk> in the source, 0-based
    written: tuple[int, ...]  # positions of <unk> in the output, 0-based
    weights: np.ndarray | None  # (T', T); None without attention
    looked_at: Words  # for each <unk> of the output, the typed word with the largest weight
    n: int  # which <unk> of the output is shown, 1-based
    step: int  # its position in the output, 0-based; −1 if the output has none
    moved: int  # the source word given all the weight, 1-based; 0: none
    correct: float  # fraction of held-out sentences with one hidden name that are entirely correct
    sentences: int
    model: str

    def limits(self) -> dict[str, int]:
        return {"n": max(1, self.n, len(self.written)), "word": len(self.source)}

    def idle(self) -> dict[str, str]:
        if self.weights is None:
            why = translate("One context vector has no weights to move.")
            return {"n": why, "word": why}
        if self.step != NO_STEP:
            return {}
        return {"word": translate("The model wrote no {unknown} here.", unknown=UNKNOWN)}


@memoize
def run_with_all_weight(
    translator: Translator, source: Tokens, step: int, word: int
) -> tuple[Words, np.ndarray]:
    """Return the output words and weights if one step puts all its weight on one source word."""

    def look_at(weights: torch.Tensor, t: int) -> torch.Tensor:
        return torch.eye(len(source))[word] if t == step else weights

    with torch.inference_mode():
        trace = translator.model.run(source, edits={"weights": look_at})
    return translator.target_words(trace.output), trace.weights.numpy()


def compute(source: str, model: str, n: int, word: int) -> UnknownWords:
    translator = MODELS[model]
    sentence = translator.read_typed(source)
    tokens = tuple(translator.task.source.ids(sentence.words))
    trace = translator.run(tokens)
    output = translator.target_words(trace.output)
    weights = None if trace.weights is None else trace.weights.numpy()
    written = tuple(t for t, each in enumerate(output) if each == UNKNOWN)
    n = min(n, max(1, len(written)))
    step, moved = (written[n - 1] if written else NO_STEP), OWN
    if weights is not None and word and step != NO_STEP:
        moved = min(word, len(tokens))
        output, weights = run_with_all_weight(translator, tokens, step, moved - 1)
        written = tuple(t for t, each in enumerate(output) if each == UNKNOWN)
    seen = None if weights is None else torch.from_numpy(weights)
    figures = load_copying()[translator.name]
    return UnknownWords(
        source=sentence.words,
        typed=sentence.typed,
        output=output,
        copied=copy_unknown(output, sentence.typed, seen),
        unknown=sentence.unknown,
        written=written,
        weights=None if weights is None else weights[: len(output)],
        looked_at=() if weights is None else tuple(sentence.typed[int(weights[t].argmax())] for t in written),
        n=n,
        step=step,
        moved=moved,
        correct=figures["correct"],
        sentences=figures["sentences"],
        model=model,
    )
