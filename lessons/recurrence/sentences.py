"""What the models read here, unless a learner types something else."""

MIRA = "one day , mira walked to the harbour . she saw"
SHORT = "one day , mira walked to the harbour ."
LEO = "one day , leo went to the castle . he saw the sword ."
QUOTE = 'mira said : " i want to go home . " then she ran to the harbour .'
FAR = "the boats that the fisherman with the nets painted near the harbour were wet ."
AFTER_NAME = SHORT.split().index("mira") + 3  # the step of the word after the name; <bos> is step 1
HOUSE = "the beautiful house was bought ."
