"""The translators of this lesson, and sentences as one of them reads them."""

from dataclasses import dataclass
from typing import Any

from lessons.kit.checkpoints import Tokens, Words
from lessons.kit.references import matches_reference
from lessons.kit.translator import Translator
from lessons.kit.typed_text import TypedSentence
from models.tasks.task import Pair
from models.vocabulary import EOS, Vocabulary

ADDITIVE = Translator("everyday-additive-64-s0")
# Query after: the query is s_t (Luong). Query before: the query is s_{t−1} (Bahdanau).
WIRINGS = {"query after": ADDITIVE, "query before": Translator("translation-before-64-s0")}
SCORES = {"additive": ADDITIVE} | {
    score: Translator(f"translation-{score.replace(' ', '-')}-64-s0")
    for score in ("dot", "scaled dot", "bilinear", "scaled bilinear")
}
ENCODERS = {
    "unidirectional": Translator("translation-oneway-64-s0"),
    "bidirectional": Translator("translation-additive-64-s0"),
}
MAX_STEPS = 60  # maximum number of decoder steps


@dataclass(frozen=True)
class Source:
    """A typed sentence as a translator reads it."""

    translator: Translator
    sentence: TypedSentence

    @property
    def words(self) -> Words:
        """The words as pictures show them."""
        return self.sentence.shown

    @property
    def tokens(self) -> Tokens:
        return self.translator.ids(self.sentence.words)

    @property
    def pair(self) -> Pair | None:
        """The sentence with its translation and gold links, if they are known."""
        return self.translator.pair(self.sentence.words)

    @property
    def truth(self) -> Words | None:
        """The reference translation, if it is known."""
        return self.pair.target if self.pair else None

    def run(self) -> Any:
        """Trace of free running: the decoder is fed its own output."""
        return self.translator.run(self.tokens)

    def run_on(self, target: Words) -> Any:
        """Trace of the model with the decoder fed `target`; its free run if that already writes `target`."""
        own = self.run()
        if self.translator.target_words(own.output) == target:
            return own
        return self.translator.run(self.tokens, (*self.translator.task.target.ids(target), Vocabulary.eos))

    def output(self, trace: Any) -> Words:
        """The output for pictures, with `<eos>`."""
        return self.translator.copied_words(trace, self.sentence)

    def is_right(self, output: Words) -> bool | None:
        """Whether the output is the reference translation; None if that is not known."""
        return matches_reference(output, self.truth)


def read_source(text: str, translator: Translator = ADDITIVE) -> Source:
    """Read a typed sentence as this translator reads it. No English word is refused."""
    return Source(translator, translator.read_typed(text))


def without_eos(words: Words) -> Words:
    return tuple(word for word in words if word != EOS)
