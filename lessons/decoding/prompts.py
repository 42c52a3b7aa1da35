"""Story beginnings to continue and sentences to translate, named after what they demonstrate."""

# a prompt that many words can follow, each with a small probability
MANY_PLACES = "one day , mira walked to the"
NEW_SENTENCE = "one day , mira walked to the harbour ."
CERTAIN_NEXT = "one day , mira walked"  # a prompt after which “to” is almost certain
BEAM_WINS = "you never gave up ."  # beam search is correct, greedy search is not
PROBABLE_BUT_WRONG = "you gave him a car ."  # beam search finds a more probable output, but it is wrong
WIDER_IS_WORSE = "you saw him in france yesterday ."  # a beam of width 2 finds less than greedy search
LENGTH_PENALTY_LOSES = "the small girl goes to london ."  # a length penalty chooses a wrong, longer output
REPEATED_PHRASE = "i want to go home ."
