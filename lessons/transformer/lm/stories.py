"""Story beginnings, named after the kind of word expected next."""

COLOUR = (
    "last summer , a sad boy called sam went to the island . he had lost a white box behind the beach . after"
    " a while he sat down near the lighthouse and tied some pearls slowly . the boy was wise . it was quiet ."
    " nobody had seen the"
)
NAME = (
    "one evening , leo and the wise dog hurried past the stall . his grandmother needed a white flute , "
    "but nobody showed some apples . poor"
)
OPEN_QUOTE = (
    "one evening , a calm girl called ella hurried to the barn . she wanted a white drum more than anything ."
    " the poems were old . “ dear ella , where is the white drum ?"
)
PLURAL_SUBJECT = (
    "anna carried some pots beside the village . the farmers who had a pigeon and who often saw the knives "
    "of the bakers from the square"
)
