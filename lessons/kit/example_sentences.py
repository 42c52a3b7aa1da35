"""Example sentences used by several lessons, named after what they show."""

MANY_TO_ONE = "he hit me with a pie ."  # “hit”, “with”, “a” and “pie” become one verb, “entarté”
REORDERING = "the agreement on the european economic area was signed in august 1992 ."
# “bank” is disambiguated late, by “river”
AMBIGUOUS_BANK = "i arrived at the bank after crossing the river ."
QUESTION = "is the bank of the small river beautiful ?"
IDIOM = "the old man kicked the bucket ."
NEGATION = "the dog will not be bought ."
FUTURE_TENSE = "they will buy a beautiful house ."
UNLINKED_TARGET = "is she old ?"  # contains “est-ce que”, which has no English counterpart
UNLINKED_SOURCE = "she works in the morning ."  # contains “in”, which has no French counterpart
FIXED_PHRASE = "it is raining cats and dogs ."
SUBJECT_OBJECT = "the dog sees the man ."  # only word order shows who sees whom
EVERYDAY = "my friend anna reads a new letter in the morning ."
PASSIVE = "the beautiful house was bought ."  # article, adjective and participle agree with “maison”
