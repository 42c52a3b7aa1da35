"""Sentences that several lessons offer, named for what they show."""

MANY_TO_ONE = "he hit me with a pie ."  # “hit”, “with”, “a” and “pie” become one verb, “entarté”
REORDERING = "the agreement on the european economic area was signed in august 1992 ."  # three words change order
AMBIGUOUS_BANK = "i arrived at the bank after crossing the river ."  # “river” comes late and decides
AMBIGUOUS_LIGHT = "were the big houses light ?"  # bright, or of little weight
QUESTION = "is the bank of the small river beautiful ?"
IDIOM = "the old man kicked the bucket ."
NEGATION = "the dog will not be bought ."
