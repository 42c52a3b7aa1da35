"""Sentences that the experiments of this lesson offer, and the control that offers them."""

from lessons.kit.contract import Text
from lessons.kit.example_sentences import AMBIGUOUS_BANK, PASSIVE

PRONOUN = "yesterday , she went to the market ."  # the participle agrees with “elle”
POSSESSIVE = "the car of the european minister is black ."
PLURAL = "the small books are old ."
NEGATED = "his letters are not beautiful ."
PIECE_OF_CAKE = "the match was a piece of cake ."
FOURTEEN_WORDS = "marie eats the soup while she works with these girls at the market ."
SIXTEEN_WORDS = "when we gave them the letters , two big birds were seen in the garden ."
SEVENTEEN_WORDS = (
    "the beautiful letter of my young children was written in january 1992 because it was important ."
)

PASSIVE_FRENCH = "la belle maison a été achetée ."
WRONG_ARTICLE = "le belle maison a été achetée ."  # contains the wrong article “le” instead of “la”


def source_control(
    name: str = "text", label: str = "English sentence", default: str = PASSIVE, *suggestions: str
) -> Text:
    """A text control for an English sentence, with suggestions other than its default."""
    offered = suggestions or (PRONOUN, AMBIGUOUS_BANK, SIXTEEN_WORDS, SEVENTEEN_WORDS)
    return Text(name, label, default, tuple(text for text in offered if text != default))
