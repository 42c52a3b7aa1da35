"""Stories that models continue and sentences that they translate, named for what they show."""

MANY_PLACES = "one day , mira walked to the"  # many words can follow, each with a small probability
NEW_SENTENCE = "one day , mira walked to the harbour ."
CERTAIN_NEXT = "one day , mira walked"  # “to” is almost certain
BEAM_WINS = "you never gave up ."  # beam search is right, greedy search is not
PROBABLE_BUT_WRONG = "you gave him a car ."  # the more probable output of the beam is wrong
WIDER_IS_WORSE = "you saw him in france yesterday ."  # a beam of two finds less than greedy search
LENGTH_PENALTY_LOSES = "the small girl goes to london ."  # a length penalty chooses a wrong, longer output
REPEATED_PHRASE = "i want to go home ."
